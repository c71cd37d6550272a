"""Tables on a terminal, plain lines in a pipe, JSON for programs."""

import json
from collections.abc import Callable

import pytest

from charter.cli.output import (
    print_hint,
    print_json,
    print_labelled,
    print_line,
    print_rows,
    print_value,
    warn,
)
from tests.cli.terminal import read_all_tools, run_charter, show_on_terminal

ESCAPE = "\x1b"
BOXES = "─│┌┐└┘├┤┬┴┼━┃╭╮╰╯"


@pytest.mark.parametrize(
    "arguments",
    [("tools",), ("packs",), ("search", "refund"), ("show", "stripe__refunds_create"), ("cost", "gmail")],
)
def test_a_pipe_gets_no_colours_and_no_boxes(arguments: tuple[str, ...]) -> None:
    done = run_charter(*arguments, env={"FORCE_COLOR": "1", "COLUMNS": "20", "TERM": "xterm-256color"})
    assert done.returncode == 0
    assert ESCAPE not in done.stdout
    assert not set(BOXES) & set(done.stdout)


def test_a_pipe_gets_one_line_per_tool_however_narrow_it_is() -> None:
    rows = [line.split("\t") for line in run_charter("tools", env={"COLUMNS": "20"}).stdout.splitlines()]
    assert len(rows) == len(read_all_tools())
    assert {len(row) for row in rows} == {3}
    assert "stripe__customer_payment_method_retrieve" in {row[0] for row in rows}


@pytest.mark.parametrize("columns", [60, 80, 140])
def test_a_terminal_gets_colours_and_whole_names(columns: int) -> None:
    written = show_on_terminal("tools", "stripe", columns=columns)
    assert ESCAPE in written
    assert "stripe__customer_payment_method_retrieve" in written


def test_text_cannot_move_the_cursor_or_break_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(("A", "B"), [("x\x1b[2Jy", "one\ntwo\tthree")])
    assert capsys.readouterr().out == "x\\x1b[2Jy\tone two three\n"


HOSTILE = "\x1b]0;owned\x07\x1b[31mred \x9b2J \u202egnp.exe \u200b\U000e0041 \x7f\r"
SHOWN = frozenset("\n\t")


@pytest.mark.parametrize("show", [print_line, warn, lambda text: print_labelled("said", text), print_hint])
def test_no_text_commands_the_terminal_or_hides(
    show: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    show(HOSTILE)
    told = "".join(capsys.readouterr())
    assert {character for character in told if not character.isprintable()} <= SHOWN


def test_json_holds_what_a_terminal_would_obey_as_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    for show in (print_value, print_json):
        show({HOSTILE: [HOSTILE, "Grüße 👩🏽"]})
        out = capsys.readouterr().out
        assert json.loads(out) == {HOSTILE: [HOSTILE, "Grüße 👩🏽"]}
        assert "Grüße 👩🏽" in out
        assert {character for character in out if not character.isprintable()} <= SHOWN


def test_a_value_in_a_pipe_is_json_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"text": "Grüße \x1b[31m", "amount": 4800}
    print_value(value)
    out = capsys.readouterr().out
    assert json.loads(out) == value
    assert ESCAPE not in out
