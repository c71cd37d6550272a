"""`charter tools`: the tools of a pack, or of all.

Not here: one tool in full. `show` does that.
"""

from typing import Annotated

import typer

from charter.cli.options import AsJson, PackNames, examples
from charter.cli.output import print_hint, print_json, print_rows
from charter.cli.registry import load_tools
from charter.discovery.entry import split_description
from charter.schema.cost import schema_tokens

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add `charter tools`."""
    app.command(
        "tools", epilog=examples("charter tools", "charter tools stripe", "charter tools my_pack.py")
    )(list_tools)


def list_tools(
    pack: Annotated[str | None, typer.Argument(metavar="PACK", help="By name, module or .py file.")] = None,
    packs: PackNames = None,
    as_json: AsJson = False,
) -> None:
    """List tools: name, tokens of the schema, and what each is for."""
    found = [
        {
            "name": tool.qualified_name,
            "summary": split_description(tool.description)[0],
            "method": tool.method,
            "route": tool.route,
            "tokens": schema_tokens(tool),
        }
        for tool in load_tools([*([pack] if pack else []), *(packs or [])])
    ]
    if as_json:
        print_json(found)
        return
    print_rows(
        ("*Tool", ">Tokens", "What it does"),
        [(tool["name"], tool["tokens"], tool["summary"]) for tool in found],
    )
    print_hint("charter show TOOL tells all about one.")
