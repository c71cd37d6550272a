"""One measured figure, and the table of them.

What is measured is in the modules beside this one.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what it is, what was measured, and the most (or with `at_least` the least) it may be.

    Without a bar the figure is only reported.
    """

    what: str
    measured: float
    bar: float | None = None
    unit: str = ""
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether the figure is within its bar."""
        if self.bar is None:
            return True
        return self.measured >= self.bar if self.at_least else self.measured <= self.bar


def render_table(rows: Sequence[Row]) -> str:
    """Return a Markdown table: what, measured, bar, and whether it holds."""
    lines = ["| what | measured | bar | holds |", "|---|---:|---:|---|"]
    for row in rows:
        bar = (
            ""
            if row.bar is None
            else f"{'>=' if row.at_least else '<='} {_figure(row.bar)} {row.unit}".rstrip()
        )
        holds = "" if row.bar is None else ("yes" if row.holds else "NO")
        lines.append(f"| {row.what} | {_figure(row.measured)} {row.unit}".rstrip() + f" | {bar} | {holds} |")
    return "\n".join(lines)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:.3g}"
