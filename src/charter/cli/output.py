"""What goes to the screen: tables and colours on a terminal, plain lines in a pipe, JSON for programs.

Not here: what is printed.
"""

import json
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.highlighter import JSONHighlighter
from rich.table import Table
from rich.text import Text

from charter.sanitize import escape_for_terminal, escape_in_json

__all__ = [
    "Column",
    "is_terminal",
    "print_hint",
    "print_json",
    "print_labelled",
    "print_line",
    "print_rows",
    "print_value",
    "warn",
]

Column = str
"""A heading. One that starts with `>` is for numbers; one that starts with `*` is never wrapped or cut."""

_LABEL = 9
"""Columns for a label."""


def is_terminal() -> bool:
    """Return whether a person looks at the output; a pipe or a file gets plain lines, whatever the environment says."""
    return sys.stdout.isatty()


def print_rows(columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> None:
    """Print a table on a terminal; elsewhere one line per row, its cells parted by tabs, and no heading."""
    cells = [[_clean(str(cell)) for cell in row] for row in rows]
    if not is_terminal():
        for row in cells:
            print("\t".join(row))
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for at, column in enumerate(columns):
        title = column.lstrip(">*")
        width = max([len(title), *(len(row[at]) for row in cells)])
        kept = column.startswith((">", "*"))
        table.add_column(
            title,
            justify="right" if column.startswith(">") else "left",
            style="cyan" if column.startswith("*") else "",
            no_wrap=kept,
            min_width=width if kept else None,
        )
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    _console().print(table)


def print_json(value: Any) -> None:
    """Print a value as JSON and nothing else."""
    print(_write_json(value))


def print_value(value: Any) -> None:
    """Print a value as JSON, in colours on a terminal."""
    if is_terminal():
        _console().print(JSONHighlighter()(_write_json(value)), soft_wrap=True)
    else:
        print_json(value)


def print_hint(text: str) -> None:
    """Print, on a terminal only, a line on what to do next."""
    if is_terminal():
        _console().print(Text(f"\n{text}", "dim"))


def print_labelled(label: str, text: str, style: str = "") -> None:
    """Print text beside a label; on a terminal its further lines stand under the first."""
    if not is_terminal():
        print(f"  {label:<{_LABEL}}{_clean(text)}")
        return
    table = Table.grid(padding=0)
    table.add_column(width=_LABEL + 2)
    table.add_column(overflow="fold")
    table.add_row(Text(f"  {label}", "dim"), Text(_clean(text), style))
    _console().print(table)


def print_line(text: str = "", style: str = "") -> None:
    """Print one line of text; the style counts on a terminal only."""
    if is_terminal():
        _console().print(Text(_clean(text), style))
    else:
        print(_clean(text))


def warn(text: str) -> None:
    """Tell on stderr what does not stop the command."""
    print(f"charter: {escape_for_terminal(text)}", file=sys.stderr)


def _console() -> Console:
    return Console(highlight=False)


def _clean(text: str) -> str:
    """Return text as one line in which nothing moves the cursor, changes colours or hides."""
    return escape_for_terminal(" ".join(text.splitlines()).replace("\t", " "))


def _write_json(value: Any) -> str:
    return escape_in_json(json.dumps(value, indent=2, ensure_ascii=False, default=str))
