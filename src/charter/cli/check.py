"""`charter check`: what of a pack's tools a provider would refuse, and the projection that mends it.

Not here: the providers' rules. `charter.schema.dialect_rules` holds them.
"""

from typing import Annotated, Any

import typer

from charter.cli.options import AsJson, PackNames, examples
from charter.cli.output import print_hint, print_json, print_rows
from charter.cli.registry import load_tools
from charter.schema.dialect_rules import DIALECTS, Dialect, find_rules
from charter.schema.dialects import find_refusals
from charter.tool import Tool

__all__ = ["register"]

Dialects = Annotated[
    list[str] | None,
    typer.Option("--dialect", metavar="DIALECT", help=f"One of {', '.join(DIALECTS)}. Default: all of them."),
]


def register(app: typer.Typer) -> None:
    """Add `charter check`."""
    app.command(
        "check", epilog=examples("charter check", "charter check --dialect gemini --pack linear --json")
    )(check_tools)


def check_tools(dialects: Dialects = None, packs: PackNames = None, as_json: AsJson = False) -> None:
    """List what a provider would refuse of the tools' schemas, and what to do; exit with 1 if there is anything."""
    wanted: list[Dialect] = [name for name in DIALECTS if name in (dialects or DIALECTS)]
    for name in dialects or ():
        find_rules(name)
    tools = load_tools(packs)
    found = [found for dialect in wanted for tool in tools for found in _check(tool, dialect)]
    if as_json:
        print_json(found)
    else:
        print_rows(("*Dialect", "*Tool", "Path", "Problem", "Fix"), [tuple(each.values()) for each in found])
    if found:
        raise typer.Exit(1)
    if not as_json:
        print_hint(f"All {len(tools)} tools can be sent in {', '.join(wanted)}.")


def _check(tool: Tool, dialect: Dialect) -> list[dict[str, Any]]:
    parameters = tool.to_json_schema()["parameters"]
    return [
        {
            "dialect": dialect,
            "tool": tool.qualified_name,
            "path": refusal.path,
            "problem": refusal.problem,
            "fix": refusal.fix,
        }
        for refusal in find_refusals(tool.qualified_name, parameters, dialect)
    ]
