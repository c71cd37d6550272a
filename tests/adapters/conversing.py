"""What the loops of the providers must all do, whatever the shape of their messages.

A `Shape` writes a provider's answers and reads what the model was told; the tests of each adapter run `check_*`.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from charter import APIError, DeclarationError, ToolSession
from charter.discovery.conversation import RunResult, TextDelta, ToolCalled, ToolReturned
from tests.discovery import samples

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"what": {"type": "string"}}}
CLOSED: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


class Plain(samples.Plain):
    """A tool without arguments, as every provider takes it."""

    def __init__(self, pack: str, name: str, *, result: Any = "done", schema: Any = CLOSED) -> None:
        super().__init__(pack, name, result=result, schema=schema)


@dataclass(frozen=True)
class Shape:
    """One adapter in one mode, over a client that answers what it is told to."""

    run: Callable[..., Awaitable[Any]]
    client: Callable[[Sequence[Any]], Any]
    """Makes a client of answers; it keeps what it was sent in `sent`."""
    said: Callable[..., Any]
    """`said(text, *calls)` writes an answer."""
    told: Callable[[RunResult], list[str]]
    """Reads what the model was told that calls returned, in order."""
    names: Callable[[Any], list[str]]
    """Reads the names that one request lists."""
    asked: Any
    """The conversation so far."""
    takes_text: bool = True
    """Whether arguments come as text, which may be no JSON."""

    async def talk(self, session: Any, *answers: Any, **options: Any) -> tuple[RunResult, Any]:
        client = self.client(answers)
        result = await self.run(client, model="m", messages=self.asked, session=session, **options)
        return result, client

    async def answer_of(self, tool: Any, arguments: Any, **options: Any) -> str:
        """Return what the model is told when it calls the one tool `shop__buy` with these arguments."""
        result, _ = await self.talk(
            [tool], self.said("", ("shop__buy", arguments)), self.said("ok"), **options
        )
        [answer] = self.told(result)
        return answer


def as_object(value: Any) -> Any:
    """Return nested dicts as plain objects with attributes."""
    if isinstance(value, dict):
        whole = ("input", "args", "arguments")  # a client gives them as the dict they are
        held = {name: one if name in whole else as_object(one) for name, one in value.items()}
        return SimpleNamespace(**held)
    return [as_object(one) for one in value] if isinstance(value, list) else value


async def check_a_tool_is_found_called_and_its_result_read(shape: Shape) -> None:
    tool = Plain("shop", "buy", result={"id": 7})
    result, client = await shape.talk(
        ToolSession([tool]),
        shape.said("", ("ToolSearch", {"query": "select:shop__buy"})),
        shape.said("Buying.", ("shop__buy", {"what": "tea"})),
        shape.said("Bought."),
    )
    assert (result.content, result.turns, result.stop) == ("Bought.", 3, "end")
    assert tool.called == [({"what": "tea"}, {})]
    assert shape.told(result)[-1] == '{"id":7}'
    assert len(client.sent) == 3


async def check_no_tools_means_no_tools_argument(shape: Shape) -> None:
    for nothing in (ToolSession([]), []):
        result, client = await shape.talk(nothing, shape.said("ok"))
        assert result.content == "ok"
        assert shape.names(client.sent[0]) == []
        assert "tools" not in client.sent[0] and "config" not in client.sent[0]


async def check_messages_are_not_modified_and_other_arguments_pass_through(shape: Shape) -> None:
    before = json.dumps(shape.asked)
    _, client = await shape.talk(ToolSession(samples.make_tools()), shape.said("ok"), temperature=0)
    assert json.dumps(shape.asked) == before
    assert client.sent[0]["temperature"] == 0


async def check_searches_run_first_and_results_come_in_the_order_asked(shape: Shape) -> None:
    session = ToolSession([Plain("shop", "buy", result="tea"), Plain("shop", "sell", result="coffee")])
    result, _ = await shape.talk(
        session,
        shape.said(
            "",
            ("shop__buy", {}),
            ("ToolSearch", {"query": "select:shop__sell"}),
            ("shop__sell", {}),
            ("ToolSearch", {"query": "select:shop__buy"}),
        ),
        shape.said("ok"),
    )
    told = shape.told(result)
    assert [told[0], told[2]] == ["tea", "coffee"]
    assert "sell" in told[1] and "buy" in told[3]
    assert session.loaded == ["shop__sell", "shop__buy"]


class Meeting(Plain):
    """A tool whose call returns only when the other one's has begun."""

    def __init__(self, name: str, mine: asyncio.Event, others: asyncio.Event) -> None:
        super().__init__("shop", name)
        self.mine, self.others, self.cancelled = mine, others, asyncio.Event()

    async def ainvoke(self, arguments: Any, **options: Any) -> Any:
        self.mine.set()
        try:
            await self.others.wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        return self.name


async def check_calls_of_one_turn_run_at_the_same_time(shape: Shape) -> None:
    first, second = asyncio.Event(), asyncio.Event()
    tools = [Meeting("buy", first, second), Meeting("sell", second, first)]
    async with asyncio.timeout(10):
        result, _ = await shape.talk(
            tools, shape.said("", ("shop__buy", {}), ("shop__sell", {})), shape.said("ok")
        )
    assert shape.told(result) == ["buy", "sell"]


async def check_another_exception_propagates_as_itself(shape: Shape) -> None:
    with pytest.raises(ZeroDivisionError, match="bug"):
        await shape.answer_of(Plain("shop", "buy", result=ZeroDivisionError("bug")), {})


async def check_cancelling_the_run_cancels_its_calls(shape: Shape) -> None:
    begun = asyncio.Event()
    waiting = Meeting("buy", begun, asyncio.Event())
    task = asyncio.create_task(shape.talk([waiting], shape.said("", ("shop__buy", {}))))
    async with asyncio.timeout(10):
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert waiting.cancelled.is_set()


async def check_a_charter_error_becomes_the_result(shape: Shape) -> None:
    error = APIError("shop__buy: 402 from the API.", status_code=402, model_text="The card was declined.")
    assert await shape.answer_of(Plain("shop", "buy", result=error), {}) == "The card was declined."


async def check_unknown_and_deferred_names_are_told_to_the_model(shape: Shape) -> None:
    result, _ = await shape.talk(
        ToolSession([Plain("shop", "buy")]),
        shape.said("", ("shop__buy", {}), ("shop__bye", {}), ("", {})),
        shape.said("ok"),
    )
    told = shape.told(result)
    assert "select:shop__buy" in told[0]
    assert "there is no such tool" in told[1] and "there is no such tool" in told[2]


async def check_no_arguments_are_none_however_they_are_written(shape: Shape) -> None:
    for arguments in ("", "  ", "null", "{}", None, {}):
        tool = Plain("shop", "buy")
        assert await shape.answer_of(tool, arguments) == "done"
        assert tool.called == [({}, {})]


async def check_malformed_arguments_are_told_where(shape: Shape) -> None:
    for arguments in ('{"a": 1', '{"a": 1}}', '{"a":\n  tea}', "tea", "[" * 100_000):
        tool = Plain("shop", "buy")
        assert "shop__buy: the arguments are not JSON" in await shape.answer_of(tool, arguments)
        assert tool.called == []


async def check_arguments_that_are_no_object_are_refused(shape: Shape) -> None:
    for arguments in ([1], 5, True, "[1]", "5", '"tea"', "true"):
        tool = Plain("shop", "buy")
        assert "Send one JSON object." in await shape.answer_of(tool, arguments)
        assert tool.called == []


async def check_tool_search_takes_a_list_and_refuses_nonsense(shape: Shape) -> None:
    session = ToolSession([Plain("shop", "buy")])
    result, _ = await shape.talk(
        session,
        shape.said("", ("ToolSearch", {"query": ["select:shop__buy"]}), ("ToolSearch", {"query": 5})),
        shape.said("ok"),
    )
    assert session.loaded == ["shop__buy"]
    assert "wants text or a list of texts" in json.dumps(result.messages, default=str)


async def check_a_result_that_is_no_text_is_told_as_json(shape: Shape) -> None:
    for result, told in (
        ("text", "text"),
        (None, "null"),
        ({"a": ["é"]}, '{"a":["é"]}'),
        (b"\xff", '"_w=="'),
    ):
        assert await shape.answer_of(Plain("shop", "buy", result=result), {}) == told


async def check_a_long_result_is_cut_and_read_on(shape: Shape) -> None:
    tool = Plain("shop", "buy", result="x" * 800 + "y" * 800)
    result, _ = await shape.talk(
        ToolSession([tool]),
        shape.said("", ("ToolSearch", {"query": "select:shop__buy"})),
        shape.said("", ("shop__buy", {})),
        shape.said("", ("ToolSearch", {"query": "rest:1:800"})),
        shape.said("ok"),
        max_result_tokens=200,
    )
    assert "[Cut: characters 0 to 800 of 1600." in json.dumps(result.messages, default=str)
    assert "y" * 800 in json.dumps(result.messages, default=str)


async def check_the_limit_of_turns_stops_with_a_conversation_that_can_go_on(shape: Shape) -> None:
    tool = Plain("shop", "buy")
    asked = [shape.said("", ("shop__buy", {})) for _ in range(3)]
    result, client = await shape.talk([tool], *asked, max_turns=2)
    assert (result.stop, result.turns, len(client.sent), len(tool.called)) == ("max_turns", 2, 2, 2)
    assert len(shape.told(result)) == 2
    for option in ({"max_turns": 0}, {"max_result_tokens": 0}):
        with pytest.raises(DeclarationError, match="is not 1 or more"):
            await shape.talk([], shape.said("ok"), **option)


async def check_what_is_no_list_of_messages_is_refused(shape: Shape) -> None:
    for messages in ("hi", {"role": "user", "content": "hi"}, None):
        client = shape.client([shape.said("ok")])
        with pytest.raises(DeclarationError, match="is no list of messages"):
            await shape.run(client, model="m", messages=messages, session=[])
        assert client.sent == []


async def check_so_many_calls_run_at_once_as_are_allowed(shape: Shape) -> None:
    with pytest.raises(DeclarationError, match="max_parallel"):
        await shape.talk([], shape.said("ok"), max_parallel=0)
    running: list[int] = []

    class Counted(Plain):
        async def ainvoke(self, arguments: Any, **options: Any) -> Any:
            running.append(running[-1] + 1 if running else 1)
            await asyncio.sleep(0)
            running.append(running[-1] - 1)

    calls = [("shop__buy", {}) for _ in range(6)]
    await shape.talk([Counted("shop", "buy")], shape.said("", *calls), shape.said("ok"), max_parallel=2)
    assert max(running) == 2


async def check_headers_of_the_host_reach_the_tools(shape: Shape) -> None:
    tool = Plain("shop", "buy")
    said = (shape.said("", ("shop__buy", {})), shape.said("ok"))
    _, client = await shape.talk([tool], *said, headers={"Stripe-Account": "acct_1"})
    assert tool.called == [({}, {"headers": {"Stripe-Account": "acct_1"}})]
    assert all("headers" not in sent for sent in client.sent)


async def check_what_was_sent_can_be_edited_without_effect_on_the_next_turn(shape: Shape) -> None:
    client = shape.client([shape.said("", ("shop__buy", {})), shape.said("ok")])

    class Spoiling(Plain):
        async def ainvoke(self, arguments: Any, **options: Any) -> Any:
            spoil(client.sent[0])

    tools = [Spoiling("shop", "buy", schema=SCHEMA)]
    await shape.run(client, model="m", messages=shape.asked, session=ToolSession(tools, progressive=False))
    assert "spoilt" in json.dumps(client.sent[0], default=str)
    assert "spoilt" not in json.dumps(client.sent[1], default=str)


def spoil(value: Any) -> None:
    """Edit every schema in a request."""
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        spoil(one)
    if isinstance(value, dict) and "properties" in value:
        value["properties"]["what"]["description"] = "spoilt"


async def check_errors_of_the_provider_propagate_as_themselves(shape: Shape) -> None:
    with pytest.raises(ConnectionError, match="gone"):
        await shape.talk([], ConnectionError("gone"))


async def check_a_stream_tells_what_happens(shape: Shape, events: Sequence[Any]) -> None:
    """Check what a run of one call, `Buying.` before it and `Bought.` after, streamed."""
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Buying.Bought."
    assert [event.name for event in events if isinstance(event, ToolCalled)] == ["shop__buy"]
    assert [json.loads(event.arguments) for event in events if isinstance(event, ToolCalled)] == [
        {"what": "tea"}
    ]
    assert [event.content for event in events if isinstance(event, ToolReturned)] == ["done"]
    last = events[-1]
    assert isinstance(last, RunResult)
    assert (last.content, last.turns, last.stop) == ("Bought.", 2, "end")
    assert shape.told(last) == ["done"]


COMMON = [
    check
    for name, check in list(globals().items())
    if name.startswith("check_") and name != "check_a_stream_tells_what_happens"
]
