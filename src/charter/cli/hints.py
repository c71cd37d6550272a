"""`charter hints`: which tools of a pack its own words do not find, by requests in a file.

Not here: trying them. `charter.discovery.weakness` does that.
"""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from charter.cli.options import AsJson, PackNames, examples
from charter.cli.output import print_json, print_line
from charter.cli.registry import load_tools
from charter.discovery.catalogue import find_catalogue
from charter.discovery.index import Index
from charter.discovery.weakness import (
    Trial,
    find_weaknesses,
    read_trials,
    render_weaknesses,
    resolve_trials,
)
from charter.errors import CharterError

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add `charter hints`."""
    app.command(
        "hints",
        epilog=examples(
            "charter hints stripe --queries requests.txt",
            "charter hints my_pack.py --queries requests.jsonl --pack gmail,stripe",
            "echo 'she wants her money back -> stripe__refunds_create' | charter hints stripe --queries -",
        ),
    )(try_hints)


def try_hints(
    pack: Annotated[str, typer.Argument(metavar="PACK", help="By name, module or .py file.")],
    queries: Annotated[
        str,
        typer.Option(
            "--queries",
            metavar="FILE",
            help="A request a line: `request -> tool, tool`, or JSON with query and gold; - for stdin.",
        ),
    ],
    limit: Annotated[int, typer.Option("--limit", min=1, help="Among how many the tool must be.")] = 5,
    packs: PackNames = None,
    as_json: AsJson = False,
) -> None:
    """List the tools of a pack that their words do not find.

    They compete with one another, and with the tools of the packs named by --pack. Requests of other packs are left
    out; it is an error when none is left, or when one names a tool that there is not.
    """
    own = {tool.qualified_name for tool in load_tools([pack])}
    catalogue = find_catalogue(load_tools([pack, *(packs or [])]))
    trials = [trial for trial in _read(queries, catalogue.index) if own.intersection(trial.names)]
    if not trials:
        raise CharterError(
            f"{queries}: no request names a tool of {pack}. Write `request -> tool`, one a line."
        )
    found = [each for each in find_weaknesses(catalogue.index, trials, limit) if each.name in own]
    if as_json:
        print_json({"tried": len(trials), "weaknesses": [asdict(each) for each in found]})
        return
    for line in render_weaknesses(found, len(trials)).splitlines():
        print_line(line, "cyan" if line in own else "")


def _read(path: str, index: Index) -> Sequence[Trial]:
    try:
        text = typer.get_text_stream("stdin").read() if path == "-" else Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CharterError(f"{path}: cannot be read ({error}). Name a file of requests.") from None
    try:
        return resolve_trials(index, read_trials(text))
    except ValueError as error:
        raise CharterError(f"{path}: {error}") from None
