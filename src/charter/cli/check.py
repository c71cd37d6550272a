"""`charter check`: what of a pack's tools a provider would refuse, and what of their answers is kept in vain.

Not here: the providers' rules. `charter.schema.dialect_rules` holds them.
"""

import json
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from charter.cli.options import AsJson, PackNames, examples
from charter.cli.output import print_hint, print_json, print_rows
from charter.cli.registry import load_tools
from charter.errors import CharterError
from charter.schema.dialect_rules import DIALECTS, Dialect, find_rules
from charter.schema.dialects import find_refusals
from charter.tool import Tool
from charter.wire.trim import find_unmatched

__all__ = ["register"]

Dialects = Annotated[
    list[str] | None,
    typer.Option("--dialect", metavar="DIALECT", help=f"One of {', '.join(DIALECTS)}. Default: all of them."),
]


def register(app: typer.Typer) -> None:
    """Add `charter check`."""
    app.command(
        "check",
        epilog=examples(
            "charter check",
            "charter check --dialect gemini --pack linear --json",
            "charter call things_list --pack things.py --save answers.jsonl",
            "charter check --pack things.py --answers answers.jsonl",
        ),
    )(check_tools)


def check_tools(
    dialects: Dialects = None,
    answers: Annotated[
        Path | None,
        typer.Option(
            "--answers",
            metavar="FILE",
            help="Whole answers that charter call --save wrote: tells the kept paths that none of them has.",
        ),
    ] = None,
    packs: PackNames = None,
    as_json: AsJson = False,
) -> None:
    """List what a provider would refuse of the tools' schemas, and what to do; exit with 1 if there is anything.

    With --answers also the paths of `keep(...)` that are in none of a tool's answers.
    """
    wanted: list[Dialect] = [name for name in DIALECTS if name in (dialects or DIALECTS)]
    for name in dialects or ():
        find_rules(name)
    tools = load_tools(packs)
    found = [found for dialect in wanted for tool in tools for found in _check(tool, dialect)]
    if answers:
        held = _read_answers(answers)
        found += [found for tool in tools for found in _check_kept(tool, held.get(tool.qualified_name, ()))]
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


def _read_answers(path: Path) -> dict[str, list[Any]]:
    """Read the answers of each tool, by qualified name."""
    held: dict[str, list[Any]] = {}
    try:
        for line in filter(str.strip, path.read_text("utf-8").splitlines()):
            read = json.loads(line)
            held.setdefault(read["tool"], []).append(read["answer"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise CharterError(
            f"{path}: holds no answers ({error}). Write them with charter call --save."
        ) from None
    return held


def _check_kept(tool: Tool, answers: Sequence[Any]) -> Iterator[dict[str, Any]]:
    if not answers:
        return
    for path in find_unmatched(tool.response_handler, answers):
        close = get_close_matches(path, list(_list_paths(answers, "")), n=1)
        yield {
            "dialect": "",
            "tool": tool.qualified_name,
            "path": path,
            "problem": f"is kept, but in none of {len(answers)} answers",
            "fix": f"Write {close[0]!r}" if close else "Mend it or leave it out of keep(...)",
        }


def _list_paths(data: Any, path: str) -> Iterator[str]:
    """List the dotted path of every member, as `keep` names them."""
    if isinstance(data, list):
        for item in cast("list[Any]", data):
            yield from _list_paths(item, path)
    elif isinstance(data, dict):
        for key, value in cast("dict[str, Any]", data).items():
            yield f"{path}{key}"
            yield from _list_paths(value, f"{path}{key}.")
