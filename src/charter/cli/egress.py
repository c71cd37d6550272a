"""`charter egress`: everything that a model can make a set of tools send, as text to be diffed in review.

Not here: reading it off the tools. `charter.egress` does that.
"""

import difflib
import json
from pathlib import Path
from typing import Annotated

import typer

from charter.cli.options import AsJson, PackNames, examples
from charter.cli.registry import load_tools
from charter.egress import egress_map, render_egress
from charter.errors import CharterError
from charter.sanitize import escape_for_terminal, escape_in_json

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add `charter egress`."""
    lines = ("charter egress --pack stripe > egress.txt", "charter egress --pack stripe --check egress.txt")
    app.command("egress", epilog=examples(*lines))(show_egress)


def show_egress(
    packs: PackNames = None,
    as_json: AsJson = False,
    check: Annotated[
        Path | None,
        typer.Option("--check", metavar="FILE", help="Compare with FILE; exit 1 and print what differs."),
    ] = None,
) -> None:
    """Map every field that a model sees, every one withheld and why, every pin, route and scope."""
    mapped = egress_map(load_tools(packs))
    if as_json:
        text = escape_in_json(json.dumps(mapped, indent=2, ensure_ascii=False)) + "\n"
    else:
        text = escape_for_terminal(render_egress(mapped))
    if check is None:
        print(text, end="")
        return
    try:
        reviewed = check.read_text("utf-8")
    except OSError as error:
        raise CharterError(
            f"{check}: cannot be read ({error.strerror}). Write it with charter egress."
        ) from None
    changes = list(_compare(reviewed, text, str(check)))
    if changes:
        print(escape_for_terminal("\n".join(changes)))
        raise typer.Exit(1)


def _compare(reviewed: str, text: str, name: str) -> list[str]:
    """Return the changed lines, each under the line of its tool."""
    before, after = (_with_tool(part) for part in (reviewed, text))
    return list(difflib.unified_diff(before, after, name, "now", n=0, lineterm=""))


def _with_tool(text: str) -> list[str]:
    """Return the lines, each indented one after the name of its tool, so that a difference tells whose it is."""
    lines: list[str] = []
    tool = ""
    for line in text.splitlines():
        tool = tool if line.startswith((" ", "{", "}")) else line.split(" ")[0]
        lines.append(f"{tool}{line[1:]}" if line.startswith("  ") and tool else line)
    return lines
