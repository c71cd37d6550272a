"""Write the figures of README.md: what a first turn costs, and what the whole errand of the demo does.

Nothing is estimated: the tool lists are rendered as they are sent, and the errand is run both ways.
"""

import argparse
import asyncio
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from charter import Tool
from charter.cli.demo.command import ERRAND_PACKS
from charter.cli.demo.run import run_errand, run_with_everything
from charter.cli.figures import read_figures
from charter.cli.registry import load_packs, load_tools
from charter.packs import PACKS

README = Path(__file__).resolve().parent.parent / "README.md"
COMMAND = "python tools/readme_figures.py"
START, END = f"<!-- figures: written by `{COMMAND}` -->", "<!-- end of figures -->"


def render_table() -> str:
    """Return the table, markers included."""
    packs = load_packs(PACKS)
    everything = [tool for pack in packs for tool in pack.tools]
    rows = [
        render_row(f"{pack.summary.partition(':')[0]}, {len(pack.tools)} tools", pack.tools) for pack in packs
    ]
    errand = load_tools(ERRAND_PACKS)
    rows.append(render_row(f"all {len(everything)} together", everything))
    head = ["| first turn, input tokens | every schema sent | with Charter |", "|---|--:|--:|"]
    return "\n".join([START, *head, *rows, *render_errand(errand), END])


def render_row(name: str, tools: Sequence[Tool]) -> str:
    """Return one line for the first turn of a session over some tools."""
    figures = read_figures(tools)
    return f"| {name} | {figures.everything:,} | **{figures.first_turn:,}** |"


def render_errand(tools: Sequence[Tool]) -> list[str]:
    """Return the line for the whole errand of `charter demo`, run with a search and with every schema."""
    found = asyncio.run(run_errand(tools)).bill
    sent = asyncio.run(run_with_everything(tools)).bill
    name = f"the whole errand of `make demo`, {sent.turns} and {found.turns} turns"
    return [f"| {name} | {sent.total:,} | **{found.total:,}** |"]


def main() -> int:
    """Write the table into the page, or with `--check` say whether it is what would be written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when out of date")
    page = README.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(START)}.*?{re.escape(END)}", re.DOTALL)
    wanted, places = pattern.subn(lambda _: render_table(), page)
    if places != 1:
        print(f"README.md: {places} places for figures. Keep one pair of markers.", file=sys.stderr)
        return 1
    if not parser.parse_args().check:
        README.write_text(wanted, encoding="utf-8")
    elif wanted != page:
        print(f"README.md: its figures are out of date. Run `{COMMAND}`.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
