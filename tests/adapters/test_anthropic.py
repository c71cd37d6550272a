"""The Anthropic loop and its lists of tools, against a scripted client; the real client is tried in tests/e2e/."""

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from anthropic.types import Message

from charter import DeclarationError, ToolSession
from charter.adapters.anthropic import run, to_anthropic_tools, to_runner_tools
from charter.discovery.conversation import RunResult
from tests.adapters.conversing import COMMON, Plain, Shape, as_object, check_a_stream_tells_what_happens
from tests.discovery.samples import make_tools

pytestmark = pytest.mark.anyio

ASK: list[Any] = [{"role": "user", "content": "Do it."}]
EPHEMERAL = {"type": "ephemeral"}


def said(text: str = "", *asked: tuple[str, Any], stop: str | None = None, **more: Any) -> dict[str, Any]:
    """Return an answer that calls tools by name, their ids c0, c1 and so on."""
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    blocks += [
        {"type": "tool_use", "id": f"c{at}", "name": name, "input": given}
        for at, (name, given) in enumerate(asked)
    ]
    reason = stop or ("tool_use" if asked else "end_turn")
    usage = {"input_tokens": 5, "output_tokens": 2}
    return {"role": "assistant", "content": blocks, "stop_reason": reason, "usage": usage, **more}


class Scripted:
    """A client that answers what it is told to, and keeps what it was sent."""

    def __init__(self, answers: Sequence[Any], shape: Any = dict) -> None:
        self.answers, self.shape = list(answers), shape
        self.sent: list[dict[str, Any]] = []
        self.messages = self
        self.closed = 0

    async def create(self, **request: Any) -> Any:
        self.sent.append(json.loads(json.dumps(request)))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return self.stream(answer) if request.get("stream") else self.shape(answer)

    async def stream(self, answer: dict[str, Any]) -> AsyncIterator[Any]:
        try:
            for event in make_events(answer):
                yield self.shape(event)
        finally:
            self.closed += 1


def make_events(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the events that a stream makes of an answer, text and arguments in two pieces."""
    begun = {**answer, "content": [], "stop_reason": None, "usage": {"input_tokens": 5, "output_tokens": 1}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}, {"type": "ping"}]
    for index, block in enumerate(answer["content"]):
        hidden = {"text": "", "thinking": "", "signature": ""}
        empty = {name: hidden.get(name, value) for name, value in block.items() if name != "citations"}
        if "input" in block:
            empty["input"] = {}
        events.append({"type": "content_block_start", "index": index, "content_block": empty})
        for kind, name in (("text", "text"), ("thinking", "thinking"), ("signature", "signature")):
            pieces = halve(block.get(name, ""))
            events += [delta(index, {"type": f"{kind}_delta", name: piece}) for piece in pieces]
        if "input" in block:
            given = block["input"]
            pieces = halve(given if isinstance(given, str) else json.dumps(given))
            events += [delta(index, {"type": "input_json_delta", "partial_json": piece}) for piece in pieces]
        cited = block.get("citations") or ()
        events += [delta(index, {"type": "citations_delta", "citation": one}) for one in cited]
        events.append({"type": "content_block_stop", "index": index})
    last = {"stop_reason": answer["stop_reason"]}
    events.append({"type": "message_delta", "delta": last, "usage": {"output_tokens": 2}})
    return [*events, {"type": "message_stop"}]


def delta(index: int, piece: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": piece}


def halve(text: str) -> list[str]:
    return [piece for piece in (text[: len(text) // 2], text[len(text) // 2 :]) if piece]


def as_sdk(message: dict[str, Any]) -> Any:
    """Return an answer as the anthropic package would."""
    return Message.model_validate({"id": "m1", "type": "message", "model": "m", **message})


def results(result: RunResult) -> list[dict[str, Any]]:
    blocks = [
        block for message in result.messages if message["role"] == "user" for block in message["content"]
    ]
    return [block for block in blocks if isinstance(block, dict) and block["type"] == "tool_result"]


def told(result: RunResult) -> list[str]:
    return [
        block["content"] if isinstance(block["content"], str) else json.dumps(block["content"])
        for block in results(result)
    ]


async def run_streamed(client: Any, **options: Any) -> Any:
    return [event async for event in await run(client, stream=True, **options)][-1]


def make_shape(native: bool, stream: bool, shape: Any = dict) -> Shape:
    async def run_once(client: Any, **options: Any) -> Any:
        return await (run_streamed if stream else run)(client, native=native, **options)

    return Shape(
        run=run_once,
        client=lambda answers: Scripted(answers, shape),
        said=said,
        told=told,
        names=lambda sent: [tool["name"] for tool in sent.get("tools", ())],
        asked=ASK,
    )


WHOLE = make_shape(native=True, stream=False)
SHAPES = {
    "native": WHOLE,
    "plain": make_shape(native=False, stream=False),
    "stream": make_shape(native=True, stream=True),
    "objects": make_shape(native=True, stream=False, shape=as_object),
    "stream of objects": make_shape(native=True, stream=True, shape=as_object),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("check", COMMON, ids=lambda check: check.__name__)
async def test_the_loop_does_what_every_loop_does(check: Any, shape: Shape) -> None:
    await check(shape)


def test_a_session_renders_what_can_be_called_and_a_plain_list_everything() -> None:
    tools = make_tools()
    session = ToolSession(tools)
    session.search("select:stripe__refunds_create")
    search, refund = to_anthropic_tools(session)
    assert (search["name"], search["cache_control"]) == ("ToolSearch", EPHEMERAL)
    schema = tools[-2].to_json_schema()
    assert refund == {
        "name": "stripe__refunds_create",
        "description": schema["description"],
        "input_schema": schema["parameters"],
    }
    plain = to_anthropic_tools(tools)
    assert [tool.get("cache_control") for tool in plain] == [None] * (len(tools) - 1) + [EPHEMERAL]
    assert to_anthropic_tools([]) == []


def test_the_native_list_holds_every_tool_and_stays_the_same_when_messages_show_what_was_loaded() -> None:
    session = ToolSession(make_tools())
    before = to_anthropic_tools(session, native=True)
    assert [tool.get("defer_loading", False) for tool in before] == [False] + [True] * len(session.tools)
    assert [tool["name"] for tool in before if "cache_control" in tool] == ["ToolSearch"]
    session.search("select:stripe__refunds_create")
    reference = {"type": "tool_reference", "tool_name": "stripe__refunds_create"}
    messages = [
        {"role": "assistant", "content": said("", ("ToolSearch", {"query": "refund"}))["content"]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c0", "content": [reference]}]},
    ]
    assert json.dumps(to_anthropic_tools(session, native=True, messages=messages)) == json.dumps(before)


def test_what_was_loaded_outside_the_messages_is_sent_outright() -> None:
    session = ToolSession(make_tools(), resident={"gmail__labels_list"})
    session.load(["stripe__refunds_create"])
    outright = [tool for tool in to_anthropic_tools(session, native=True) if "defer_loading" not in tool]
    assert [tool["name"] for tool in outright] == [
        "gmail__labels_list",
        "ToolSearch",
        "stripe__refunds_create",
    ]
    assert [tool["name"] for tool in outright if "cache_control" in tool] == ["stripe__refunds_create"]


def test_a_tool_that_cannot_be_built_is_left_out_of_the_native_list() -> None:
    session = ToolSession([Plain("shop", "buy"), Plain("shop", "broken", schema=ValueError("no schema"))])
    assert [tool["name"] for tool in to_anthropic_tools(session, native=True)] == ["ToolSearch", "shop__buy"]


def test_a_schema_that_anthropic_refuses_is_named() -> None:
    odd = {"type": "object", "properties": {"what": {"$ref": "https://example.com/what"}}}
    with pytest.raises(DeclarationError, match="shop__buy: what .* anthropic cannot take"):
        to_anthropic_tools([Plain("shop", "buy", schema=odd)])


def test_strict_is_for_schemas_that_can_be_enforced_as_many_as_one_request_may_hold() -> None:
    closed = {"type": "object", "properties": {}, "additionalProperties": False}
    bounded = {**closed, "properties": {"n": {"type": "integer", "minimum": 1}}}
    tools = [Plain("shop", f"t{at}", schema=closed) for at in range(22)]
    rendered = to_anthropic_tools([Plain("shop", "bounded", schema=bounded), *tools], strict=True)
    assert [tool.get("strict", False) for tool in rendered] == [False] + [True] * 20 + [False] * 2
    assert not any("strict" in tool for tool in to_anthropic_tools(tools))


async def test_a_search_answers_with_references_and_the_list_never_changes() -> None:
    session = ToolSession(make_tools())
    result, client = await WHOLE.talk(
        session,
        said("", ("ToolSearch", {"query": "select:stripe__refunds_create"})),
        said("", ("ToolSearch", {"query": "select:stripe__refunds_create,stripe__refunds_list"})),
        said("ok"),
    )
    assert [block["content"] for block in results(result)] == [
        [{"type": "tool_reference", "tool_name": "stripe__refunds_create"}],
        [{"type": "tool_reference", "tool_name": "stripe__refunds_list"}],
    ]
    assert "stripe__refunds_create" in result.messages[4]["content"][-1]["text"]
    assert len({json.dumps(sent["tools"]) for sent in client.sent}) == 1


async def test_what_a_search_has_to_say_beside_its_references_comes_after_every_result() -> None:
    session = ToolSession([Plain("shop", "buy"), Plain("shop", "sell")])
    result, _ = await WHOLE.talk(
        session,
        said("", ("ToolSearch", {"query": "select:shop__buy,shop__steal"}), ("shop__sell", {})),
        said("ok"),
    )
    blocks = result.messages[2]["content"]
    assert [block["type"] for block in blocks] == ["tool_result", "tool_result", "text"]
    assert blocks[0]["content"] == [{"type": "tool_reference", "tool_name": "shop__buy"}]
    assert list(json.loads(blocks[2]["text"])["unknown"]) == ["shop__steal"]


@pytest.mark.parametrize("query", ["zebra crossing quark", ""])
async def test_a_search_that_finds_nothing_is_text(query: str) -> None:
    result, _ = await WHOLE.talk(
        ToolSession([Plain("shop", "buy")]), said("", ("ToolSearch", {"query": query})), said("ok")
    )
    assert json.loads(results(result)[0]["content"])["loaded"] == []


async def test_plain_mode_grows_and_keeps_its_breakpoint_where_it_was() -> None:
    session = ToolSession(make_tools())
    _, client = await SHAPES["plain"].talk(
        session, said("", ("ToolSearch", {"query": "select:stripe__refunds_create"})), said("ok")
    )
    first, second = (json.dumps(sent["tools"]) for sent in client.sent)
    assert second.startswith(first[:-1]) and len(second) > len(first)
    assert [sent["cache_control"] for sent in client.sent] == [EPHEMERAL] * 2


async def test_max_tokens_and_caching_can_be_chosen() -> None:
    _, client = await WHOLE.talk(make_tools(), said("ok"))
    assert client.sent[0]["max_tokens"] == 8_192
    _, client = await WHOLE.talk(make_tools(), said("ok"), max_tokens=5, cache_control=None, strict=True)
    assert client.sent[0]["max_tokens"] == 5
    assert "cache_control" not in client.sent[0] and "strict" not in client.sent[0]


async def test_an_error_is_marked_as_one() -> None:
    result, _ = await WHOLE.talk(ToolSession([Plain("shop", "buy")]), said("", ("shop__buy", {})), said("ok"))
    assert [block["is_error"] for block in results(result)] == [True]


@pytest.mark.parametrize("shape", [dict, as_object, as_sdk])
@pytest.mark.parametrize("stream", [True, False])
async def test_the_answer_goes_back_as_it_came(shape: Any, stream: bool) -> None:
    thinking = {"type": "thinking", "thinking": "Hm, hm.", "signature": "c2ln"}
    answer = said("Buying.", ("shop__buy", {"a": 1}))
    answer["content"].insert(0, thinking)
    if stream and shape is as_sdk:
        shape = as_object
    result, client = await make_shape(native=True, stream=stream, shape=shape).talk(
        [Plain("shop", "buy")], answer, said("ok")
    )
    assert client.sent[1]["messages"][1] == {"role": "assistant", "content": answer["content"]}
    assert result.messages[1] == client.sent[1]["messages"][1]


async def test_citations_of_a_stream_are_kept() -> None:
    answer = said("Yes.")
    answer["content"][0]["citations"] = [{"type": "char_location", "cited_text": "x"}]
    result, _ = await SHAPES["stream"].talk([], answer)
    assert result.messages[-1]["content"] == answer["content"]


async def test_a_paused_turn_is_gone_on_with() -> None:
    result, client = await WHOLE.talk([], said("Wait.", stop="pause_turn"), said("Done."))
    assert (result.content, result.turns, result.stop) == ("Done.", 2, "end")
    assert client.sent[1]["messages"][-1]["role"] == "assistant"


@pytest.mark.parametrize("stream", [True, False])
async def test_no_call_of_an_answer_that_was_cut_off_is_run(stream: bool) -> None:
    tool = Plain("shop", "buy")
    cut = said("", ("shop__buy", {"amount": 2}), ("shop__buy", {"amount": 25}), stop="max_tokens")
    result, _ = await make_shape(native=True, stream=stream).talk([tool], cut, said("ok"))
    assert tool.called == []
    assert ["cut off at max_tokens" in text for text in told(result)] == [True, True]


async def test_an_empty_answer_is_not_kept_because_it_could_not_be_sent_again() -> None:
    result, _ = await WHOLE.talk([], said(""))
    assert (result.content, result.messages) == ("", ASK)


@pytest.mark.parametrize("stream", [True, False])
async def test_usage_is_summed(stream: bool) -> None:
    shape = make_shape(native=True, stream=stream)
    result, _ = await shape.talk([Plain("shop", "buy")], said("", ("shop__buy", {})), said("ok"))
    assert result.usage == {"input_tokens": 10, "output_tokens": 4}


async def test_a_stream_tells_what_happens_and_is_closed() -> None:
    client = Scripted([said("Buying.", ("shop__buy", {"what": "tea"})), said("Bought.")])
    events = [
        event
        async for event in await run(
            client, model="m", messages=ASK, session=[Plain("shop", "buy")], stream=True
        )
    ]
    await check_a_stream_tells_what_happens(WHOLE, events)
    assert client.closed == 2


async def test_replay_loads_what_the_conversation_shows_and_the_list_stays_the_same() -> None:
    tools = make_tools()
    result, client = await WHOLE.talk(
        ToolSession(tools), said("", ("ToolSearch", {"query": "+stripe refund"})), said("ok")
    )
    again = ToolSession(tools)
    again.replay(result.messages)
    assert again.loaded and again.loaded[0].startswith("stripe__refunds")
    rendered = to_anthropic_tools(again, native=True, messages=result.messages)
    assert rendered == client.sent[0]["tools"]


async def test_tools_for_the_clients_runner_load_and_tell_errors() -> None:
    from anthropic.lib.tools import ToolError

    session = ToolSession([Plain("shop", "buy", result={"id": 7})])
    search, buy = to_runner_tools(session)
    with pytest.raises(ToolError, match="select:shop__buy"):
        await buy.call({})
    assert await search.call({"query": "select:shop__buy"}) == [
        {"type": "tool_reference", "tool_name": "shop__buy"}
    ]
    assert (await buy.call({}), buy.name, buy.to_dict()["defer_loading"]) == ('{"id":7}', "shop__buy", True)
    assert "shop__buy" in await search.call({"query": "select:shop__buy"})
