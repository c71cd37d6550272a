"""The table of figures says which holds and which does not."""

from bench.__main__ import main
from bench.table import Row, render_table


def test_a_row_holds_when_it_is_within_its_bar() -> None:
    rows = [
        Row("a", 1.1, 1.3, "x"),
        Row("b", 1.4, 1.3, "x"),
        Row("c", 0.8, 0.79, at_least=True),
        Row("d", 5.0),
    ]
    assert [row.holds for row in rows] == [True, False, True, True]


def test_the_table_shows_measured_bar_and_verdict() -> None:
    rows = [
        Row("a call", 1.128, 1.15, "x"),
        Row("memory", 151.0, 150, "MB"),
        Row("a figure", 12345.6, unit="us"),
    ]
    assert render_table(rows).splitlines()[2:] == [
        "| a call | 1.13 x | <= 1.15 x | yes |",
        "| memory | 151 MB | <= 150 MB | NO |",
        "| a figure | 12,346 us |  |  |",
    ]


def test_an_unknown_benchmark_is_a_usage_error() -> None:
    assert main(["nothing"]) == 2
