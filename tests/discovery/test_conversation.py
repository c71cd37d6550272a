"""The loop that adapters share: what it counts, how it closes streams, and when it goes on."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest

from charter import DeclarationError, ModelError, ToolSession
from charter.discovery.conversation import (
    Limits,
    Reply,
    RunResult,
    TextDelta,
    ToolCalled,
    ToolReturned,
    add_usage,
    converse,
    read_stream,
)
from charter.discovery.finish import Finish
from charter.discovery.turn import Answer, Call
from tests.discovery.samples import Plain

pytestmark = pytest.mark.anyio


class Spoken:
    """A dialogue whose replies are given."""

    def __init__(self, *replies: Reply) -> None:
        self.replies, self.messages, self.usage = list(replies), [], {"asked": 0}
        self.told: list[list[str]] = []

    async def ask(self, *, stream: bool) -> AsyncGenerator[TextDelta | Reply]:
        self.usage["asked"] += 1
        reply = self.replies.pop(0)
        if stream:
            yield TextDelta(reply.content)
        yield reply

    def tell(self, calls: Sequence[Call], answers: Sequence[Answer]) -> None:
        self.told.append([answer.text for answer in answers])


async def run(*replies: Reply, turns: int = 9, stream: bool = False) -> tuple[Any, Spoken]:
    dialogue = Spoken(*replies)
    session = ToolSession([Plain("shop", "buy")], progressive=False)
    ran = await converse(dialogue, session, Limits(turns, None), stream=stream)
    return ran if isinstance(ran, RunResult) else [event async for event in ran], dialogue


async def test_it_asks_until_nothing_is_called() -> None:
    result, dialogue = await run(Reply("", [Call("1", "shop__buy", {})]), Reply("ok"))
    assert (result.content, result.turns, result.stop, result.usage) == ("ok", 2, "end", {"asked": 2})
    assert dialogue.told == [["done"]]


async def test_an_unfinished_answer_is_asked_for_again_and_nothing_is_told() -> None:
    result, dialogue = await run(Reply("wait", unfinished=True), Reply("ok"))
    assert (result.turns, dialogue.told) == (2, [])
    result, _ = await run(Reply("wait", unfinished=True), turns=1)
    assert result.stop == "max_turns"


async def test_a_broken_call_is_told_and_not_run() -> None:
    _, dialogue = await run(Reply("", [Call("1", "shop__buy", {}, "cut off. Send it again.")]), Reply("ok"))
    assert dialogue.told == [["shop__buy: cut off. Send it again."]]


async def test_a_stream_tells_everything_in_order() -> None:
    events, _ = await run(Reply("Hm.", [Call("1", "shop__buy", {"a": 1})]), Reply("ok"), stream=True)
    assert [type(event) for event in events] == [TextDelta, ToolCalled, ToolReturned, TextDelta, RunResult]
    assert events[1] == ToolCalled("1", "shop__buy", '{"a": 1}')


@pytest.mark.parametrize(("turns", "tokens"), [(0, None), (-1, None), (1, 0)])
def test_a_limit_below_one_is_refused(turns: int, tokens: int | None) -> None:
    with pytest.raises(DeclarationError, match="is not 1 or more"):
        Limits(turns, tokens)


def test_usage_is_added_in_depth_and_what_is_no_number_left_out() -> None:
    total: dict[str, Any] = {}
    for _ in range(2):
        add_usage(total, {"a": 1, "b": {"c": 2.5, "d": None}, "e": "x", "f": True, "g": [1]})
    add_usage(total, None)
    assert total == {"a": 2, "b": {"c": 5.0}}


class Stream:
    """A client's stream: iterable, and closed by a function that may or may not have to be awaited."""

    def __init__(self, closing: str) -> None:
        self.closed: list[str] = []
        self._closing = closing

    async def __aiter__(self) -> AsyncGenerator[int]:
        for number in range(3):
            yield number

    def __getattr__(self, name: str) -> Any:
        if name != self._closing.split()[0]:
            raise AttributeError(name)

        def close() -> None:
            self.closed.append(self._closing)

        async def aclose() -> None:
            close()

        return close if self._closing.endswith("at once") else aclose


@pytest.mark.parametrize("closing", ["close awaited", "aclose awaited", "close at once", "none"])
async def test_a_stream_is_closed_also_when_its_reader_stops_early(closing: str) -> None:
    stream = Stream(closing)
    pieces = read_stream(stream)
    assert await anext(pieces) == 0
    await pieces.aclose()
    assert stream.closed == ([] if closing == "none" else [closing])
    assert [piece async for piece in read_stream(Stream(closing))] == [0, 1, 2]


CALL = Call("1", "shop__buy", {})


async def test_how_the_last_answer_ended_is_said_with_the_providers_own_word() -> None:
    result, _ = await run(
        Reply("", [CALL], Finish("stop", "tool_calls")), Reply("ok", (), Finish("length", "max"))
    )
    assert (result.finish_reason, result.provider_finish_reason) == ("length", "max")
    result, _ = await run(Reply("ok"))
    assert (result.finish_reason, result.provider_finish_reason) == ("stop", "")


@pytest.mark.parametrize("finish", [None, Finish("length", "max"), Finish("content_filter"), Finish("error")])
async def test_no_call_of_an_answer_that_was_cut_off_is_made_and_the_model_goes_on(finish: Any) -> None:
    result, dialogue = await run(Reply("", [CALL, CALL], finish), Reply("ok"))
    [told] = dialogue.told
    assert len(told) == 2 and all("cut" in text and "nothing was sent" in text for text in told)
    assert (result.content, result.turns) == ("ok", 2)


async def test_an_answer_that_broke_off_after_the_last_turn_allowed_ended_in_an_error() -> None:
    result, _ = await run(Reply("", [CALL], None), turns=1)
    assert (result.stop, result.finish_reason) == ("max_turns", "error")


async def test_what_a_reply_keeps_is_in_the_messages() -> None:
    result, _ = await run(Reply("", [CALL], kept=["a", "b"]), Reply("ok", kept=["c"]))
    assert result.messages == ["a", "b", "c"]


@pytest.mark.parametrize("before", [(), (Reply("", [CALL], kept=["a"]),)])
@pytest.mark.parametrize("stream", [False, True])
async def test_an_answer_that_broke_off_without_calls_is_an_error_with_what_there_was(
    before: tuple[Reply, ...], stream: bool
) -> None:
    with pytest.raises(ModelError, match="ended before the answer did") as raised:
        await run(*before, Reply("Half an", (), None, kept=["half"]), stream=stream)
    error = raised.value
    assert (error.content, error.messages) == ("Half an", ["a"] if before else [])
    assert error.ran_tools is error.may_have_taken_effect is bool(before)


@pytest.mark.parametrize("headers", ["x", {1: "x"}, ["a"]])
async def test_headers_that_are_none_are_refused_before_the_model_is_asked(headers: Any) -> None:
    dialogue = Spoken()
    with pytest.raises(DeclarationError, match="headers="):
        await converse(dialogue, ToolSession([]), Limits(1, None), stream=False, headers=headers)
    assert dialogue.usage == {"asked": 0}


async def test_what_a_client_raises_in_the_middle_of_a_stream_is_the_cause_of_a_model_error() -> None:
    async def stream() -> AsyncGenerator[int]:
        yield 1
        raise ConnectionError("gone \ud83d")

    pieces = read_stream(stream())
    assert await anext(pieces) == 1
    with pytest.raises(ModelError, match="ConnectionError: gone") as raised:
        await anext(pieces)
    assert isinstance(raised.value.__cause__, ConnectionError)
    str(raised.value).encode()


@pytest.mark.parametrize("value", [0, True, "8", 1.5, None])
def test_a_limit_that_is_no_number_of_calls_is_refused(value: Any) -> None:
    with pytest.raises(DeclarationError, match="max_parallel"):
        Limits(1, None, value)
