"""How turns and bills are printed."""

import pytest

from charter.cli.demo.recording import Call, Turn
from charter.cli.demo.run import Bill
from charter.cli.demo.server import Exchange
from charter.cli.demo.transcript import print_bill, print_turn


def show(turn: Turn, capsys: pytest.CaptureFixture[str]) -> list[str]:
    print_turn(1, turn)
    return [line.strip() for line in capsys.readouterr().out.splitlines() if line.strip()]


def test_a_turn_that_starts_tells_what_it_sends(capsys: pytest.CaptureFixture[str]) -> None:
    turn = Turn(["x" * 396], ["y" * 796])
    assert show(turn, capsys) == ["turn 1: 1 tool, 200 tokens; messages, 100 tokens"]


def test_a_search_tells_what_it_loaded_at_what_cost(capsys: pytest.CaptureFixture[str]) -> None:
    turn = Turn(
        [], [], [Call("ToolSearch", '{"query":"refund"}', "{}", loaded={"a__b": 12, "a__c": 3})], is_done=True
    )
    assert show(turn, capsys) == ["search   refund", "loaded   a__b 12, a__c 3"]


def test_a_search_that_loads_nothing_tells_its_answer(capsys: pytest.CaptureFixture[str]) -> None:
    turn = Turn([], [], [Call("ToolSearch", "nonsense", "Nothing fits.")], is_done=True)
    assert show(turn, capsys) == ["search   nonsense", "loaded   Nothing fits."]


def test_a_call_tells_request_status_and_what_is_left_of_the_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    exchange = Exchange("POST", "/v1/refunds", b"charge=ch_1", 200, b'{"id": "re_1", "object": "refund"}')
    turn = Turn(
        [], [], [Call("stripe__refunds_create", '{"charge":"ch_1"}', '{"id":"re_1"}', exchange)], is_done=True
    )
    assert show(turn, capsys) == [
        'call     stripe__refunds_create {"charge": "ch_1"}',
        "wire     POST /v1/refunds  charge=ch_1",
        "200, 34 bytes",
        'result   {"id": "re_1"}  [3 tokens of 7]',
    ]


def test_a_refused_call_tells_why_and_that_nothing_was_sent(capsys: pytest.CaptureFixture[str]) -> None:
    turn = Turn([], [], [Call("a__b", "{}", "a__b: id: is missing")], is_done=True)
    assert show(turn, capsys)[-1] == "refused  a__b: id: is missing. Nothing was sent."


def test_what_the_model_says_beside_its_calls_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    turn = Turn([], [], [Call("ToolSearch", "{}", "{}")], "Let me look.", is_done=True)
    assert show(turn, capsys)[0] == "says     Let me look."


def test_a_model_that_says_nothing_leaves_no_second_heading(capsys: pytest.CaptureFixture[str]) -> None:
    assert show(Turn([], [], is_done=True), capsys) == []


def test_long_bodies_are_cut_with_their_length(capsys: pytest.CaptureFixture[str]) -> None:
    exchange = Exchange("POST", "/x", b"y" * 5_000, 200, b"{}")
    line = show(Turn([], [], [Call("a__b", "{}", "{}", exchange)], is_done=True), capsys)[1]
    assert len(line) < 200
    assert line.endswith("(5,009 characters)")


def test_the_bill_sets_both_ways_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    print_bill(Bill(9, 800, 30_000), Bill(8, 24_000, 198_000))
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines() if line]
    assert rows == [
        ["with ToolSearch", "800", "30,000", "9"],
        ["every schema, every turn", "24,000", "198,000", "8"],
        ["", "1/30", "1/6.6", ""],
    ]
