"""Turns are read off the requests and the APIs' log."""

import json
from typing import Any

import pytest

from charter import ToolSession, json_tokens
from charter.cli.demo.recording import Recorder, Turn, count_input
from charter.cli.demo.server import Exchange
from charter.packs import stripe

pytestmark = pytest.mark.anyio


TASK = {"role": "user", "content": "Do it."}


class Silent:
    """A client that answers nothing of interest."""

    @property
    def chat(self) -> "Silent":
        return self

    completions = chat

    async def create(self, **_: Any) -> Any:
        return {"choices": []}


def call(number: int, name: str) -> dict[str, Any]:
    return {"id": str(number), "function": {"name": name, "arguments": "{}"}}


async def test_each_call_gets_its_own_exchange_and_a_refused_one_none() -> None:
    log: list[Exchange] = []
    recorder = Recorder(Silent(), ToolSession(stripe.TOOLS), log, None)
    await recorder.create(messages=[TASK], tools=[])
    log.append(Exchange("GET", "/v1/refunds/re_1", b"", 200, b"{}"))
    log.append(Exchange("GET", "/v1/refunds?limit=1", b"", 200, b"{}"))
    names = ["stripe__refunds_list", "stripe__refunds_retrieve", "stripe__refunds_create"]
    calls = [call(at, name) for at, name in enumerate(names)]
    results = [{"role": "tool", "content": name} for name in names]
    recorder.finish([TASK, {"tool_calls": calls}, *results])
    exchanges = [each.exchange for each in recorder.turns[0].calls]
    assert [each and each.target for each in exchanges] == ["/v1/refunds?limit=1", "/v1/refunds/re_1", None]


async def test_what_a_search_loaded_is_priced() -> None:
    session = ToolSession(stripe.TOOLS)
    recorder = Recorder(Silent(), session, [], None)
    await recorder.create(messages=[TASK])
    result = json.dumps(session.search("select:refunds_list"))
    recorder.finish([TASK, {"tool_calls": [call(1, "ToolSearch")]}, {"role": "tool", "content": result}])
    (made,) = recorder.turns[0].calls
    assert made.is_search
    assert made.loaded == {"stripe__refunds_list": session.definitions()[1].tokens}


async def test_a_turn_is_told_of_twice() -> None:
    told: list[tuple[int, str]] = []
    recorder = Recorder(
        Silent(), ToolSession(stripe.TOOLS), [], lambda number, turn: told.append((number, turn.answer))
    )
    await recorder.create(messages=[TASK])
    recorder.finish([TASK, {"content": "Done."}])
    assert told == [(1, ""), (1, "Done.")]


def test_input_is_counted_as_sent_or_with_other_tools() -> None:
    turns = [Turn(["a"], ["x" * 400]), Turn(["a", "b"], [])]
    assert count_input(turns) == json_tokens(["a"]) + json_tokens(["x" * 400]) + json_tokens(
        ["a", "b"]
    ) + json_tokens([])
    assert count_input(turns, []) < count_input(turns)
