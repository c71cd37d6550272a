"""The Responses loop and its lists of tools, against a scripted client; the real client is tried in tests/e2e/."""

import json
from collections.abc import AsyncIterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from openai.types.responses import Response

from charter import CharterError, DeclarationError, ModelError, ToolSession
from charter.adapters.openai_responses import run, to_responses_tools
from charter.discovery.conversation import RunResult
from tests.adapters.conversing import COMMON, Plain, Shape, as_object, check_a_stream_tells_what_happens
from tests.counterparties.responses import Responses
from tests.discovery.samples import make_tools

pytestmark = pytest.mark.anyio

ASK: list[Any] = [{"role": "user", "content": "Do it."}]
NAMESPACED = ("shop", "stripe", "gmail")


def said(text: str = "", *asked: tuple[str, Any], native: bool = False) -> list[dict[str, Any]]:
    """Return an answer's items: calls by name, their ids c0, c1 and so on, searches by `native` as such."""
    items = [Responses.text(text)] if text else []
    for at, (name, given) in enumerate(asked):
        if native and name == "ToolSearch":
            items.append(Responses.search(given, f"c{at}"))
        else:
            pack, _, leaf = name.partition("__") if native else ("", "", name)
            item = Responses.call(leaf or name, "", f"c{at}", pack if native and leaf else None)
            items.append({**item, "arguments": given if isinstance(given, str | None) else json.dumps(given)})
    return items


class Scripted:
    """A client that answers what it is told to, and keeps what it was sent."""

    def __init__(self, answers: Sequence[Any], shape: Any = dict) -> None:
        self.answers, self.shape = list(answers), shape
        self.sent: list[dict[str, Any]] = []
        self.responses = self
        self.closed = 0

    async def create(self, **request: Any) -> Any:
        self.sent.append(json.loads(json.dumps(request)))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        usage = {"input_tokens": 5, "input_tokens_details": {"cached_tokens": 3}}
        whole = (
            answer if isinstance(answer, dict) else {"output": answer, "status": "completed", "usage": usage}
        )
        return self.stream(whole) if request.get("stream") else self.shape(whole)

    async def stream(self, whole: dict[str, Any]) -> AsyncIterator[Any]:
        try:
            yield self.shape({"type": "response.created", "response": {"status": "in_progress"}})
            for item in whole["output"]:
                for part in item.get("content", ()):
                    for piece in (part["text"][:2], part["text"][2:]):
                        yield self.shape({"type": "response.output_text.delta", "delta": piece})
                yield self.shape({"type": "response.output_item.done", "item": item})
            yield self.shape({"type": "response.completed", "response": whole})
        finally:
            self.closed += 1


def as_sdk(response: dict[str, Any]) -> Any:
    """Return a response as the openai package would."""
    return Response.model_validate(
        {
            "id": "r",
            "object": "response",
            "created_at": 1,
            "model": "m",
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            **{name: value for name, value in response.items() if name != "usage"},
        }
    )


def told(result: RunResult) -> list[str]:
    return [
        item["output"] if "output" in item else json.dumps(item["tools"])
        for item in result.messages
        if str(item.get("type")).endswith("_output")
    ]


async def run_streamed(client: Any, **options: Any) -> Any:
    return [event async for event in await run(client, stream=True, **options)][-1]


def make_shape(native: bool, stream: bool, shape: Any = dict) -> Shape:
    async def run_once(client: Any, **options: Any) -> Any:
        return await (run_streamed if stream else run)(client, native=native, **options)

    return Shape(
        run=run_once,
        client=lambda answers: Scripted(answers, shape),
        said=lambda *answer: said(*answer, native=native),
        told=told,
        names=lambda sent: [tool.get("name", tool["type"]) for tool in sent.get("tools", ())],
        asked=ASK,
    )


NATIVE = make_shape(native=True, stream=False)
SHAPES = {
    "native": NATIVE,
    "plain": make_shape(native=False, stream=False),
    "stream": make_shape(native=True, stream=True),
    "objects": make_shape(native=True, stream=False, shape=as_object),
    "stream of objects": make_shape(native=False, stream=True, shape=as_object),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("check", COMMON, ids=lambda check: check.__name__)
async def test_the_loop_does_what_every_loop_does(check: Any, shape: Shape) -> None:
    await check(shape)


def test_a_session_renders_what_can_be_called_and_a_plain_list_everything() -> None:
    tools = make_tools()
    session = ToolSession(tools)
    session.search("select:stripe__refunds_create")
    search, refund = to_responses_tools(session)
    assert (search["type"], search["name"]) == ("function", "ToolSearch")
    schema = {**tools[-2].to_json_schema(), "name": "stripe__refunds_create"}
    assert refund == {"type": "function", **schema, "strict": False}
    assert len(to_responses_tools(tools)) == len(tools)
    assert to_responses_tools([]) == []


def test_the_native_list_is_one_tool_search_that_the_caller_runs() -> None:
    session = ToolSession(make_tools(), resident={"gmail__labels_list"})
    resident, search = to_responses_tools(session, native=True)
    assert (resident["name"], sorted(search)) == (
        "gmail__labels_list",
        ["description", "execution", "parameters", "type"],
    )
    assert (search["type"], search["execution"]) == ("tool_search", "client")
    assert "stripe__refunds_create" in search["description"] or "refunds_" in search["description"]


async def test_a_search_shows_its_tools_by_namespace_and_the_list_never_changes() -> None:
    tools = make_tools()
    session = ToolSession(tools)
    names = "select:stripe__refunds_create,gmail__labels_list,stripe__refunds_list"
    result, client = await NATIVE.talk(
        session, NATIVE.said("", ("ToolSearch", {"query": names})), NATIVE.said("ok")
    )
    output = result.messages[2]
    assert {**output, "tools": None} == {
        "type": "tool_search_output",
        "execution": "client",
        "call_id": "c0",
        "status": "completed",
        "tools": None,
    }
    assert [(pack["type"], pack["name"]) for pack in output["tools"]] == [
        ("namespace", "stripe"),
        ("namespace", "gmail"),
    ]
    refund = output["tools"][0]["tools"][0]
    schema = tools[-2].to_json_schema()
    assert refund == {"type": "function", **schema, "strict": False, "defer_loading": True}
    assert len({json.dumps(sent["tools"]) for sent in client.sent}) == 1


async def test_what_is_shown_already_is_not_shown_again_but_said() -> None:
    session = ToolSession(make_tools())
    asked = [NATIVE.said("", ("ToolSearch", {"query": "select:gmail__labels_list"})) for _ in range(2)]
    result, _ = await NATIVE.talk(session, *asked, NATIVE.said("ok"))
    second, remark = result.messages[4:6]
    assert second["tools"] == []
    assert (remark["role"], json.loads(remark["content"])["loaded"]) == ("developer", ["gmail__labels_list"])


async def test_what_a_search_has_to_say_comes_after_every_output() -> None:
    result, _ = await NATIVE.talk(
        ToolSession([Plain("shop", "buy"), Plain("shop", "sell")]),
        NATIVE.said("", ("ToolSearch", {"query": "select:shop__buy,shop__steal"}), ("shop__sell", {})),
        NATIVE.said("ok"),
    )
    kinds = [item.get("type") for item in result.messages[3:6]]
    assert kinds == ["tool_search_output", "function_call_output", "message"]
    assert list(json.loads(result.messages[5]["content"])["unknown"]) == ["shop__steal"]


async def test_what_was_loaded_outside_the_messages_is_sent_outright_and_called_by_its_whole_name() -> None:
    session = ToolSession([Plain("shop", "buy"), Plain("shop", "sell")])
    session.load(["shop__buy"])
    plain = [Responses.call("shop__buy", {}, "c0")]
    result, client = await NATIVE.talk(session, plain, NATIVE.said("ok"))
    assert [tool.get("name") for tool in client.sent[0]["tools"]] == [None, "shop__buy"]
    assert told(result) == ["done"]


async def test_plain_mode_grows() -> None:
    shape = SHAPES["plain"]
    _, client = await shape.talk(
        ToolSession(make_tools()),
        shape.said("", ("ToolSearch", {"query": "select:stripe__refunds_create"})),
        shape.said("ok"),
    )
    first, second = (json.dumps(sent["tools"]) for sent in client.sent)
    assert second.startswith(first[:-1]) and len(second) > len(first)


@pytest.mark.parametrize("shape", [dict, as_object, as_sdk])
async def test_every_item_goes_back_as_it_came_reasoning_too(shape: Any) -> None:
    items = [Responses.reasoning("rs_1"), *NATIVE.said("Buying.", ("shop__buy", {"a": 1}))]
    result, client = await make_shape(native=True, stream=False, shape=shape).talk(
        [Plain("shop", "buy")], items, NATIVE.said("ok")
    )
    assert client.sent[1]["input"][1:4] == items
    assert result.messages[1:4] == items


async def test_reasoning_is_asked_for_encrypted_when_nothing_is_stored() -> None:
    _, client = await NATIVE.talk([], said("ok"), store=False)
    assert client.sent[0]["include"] == ["reasoning.encrypted_content"]
    _, client = await NATIVE.talk([], said("ok"), store=False, include=[])
    assert client.sent[0]["include"] == []
    _, client = await NATIVE.talk([], said("ok"))
    assert "include" not in client.sent[0]


async def test_a_search_that_the_provider_ran_is_left_alone() -> None:
    search = {**Responses.search({"query": "x"}), "execution": "server"}
    result, _ = await NATIVE.talk(ToolSession(make_tools()), [search, *said("ok")])
    assert (result.content, result.turns) == ("ok", 1)


async def test_a_refusal_is_the_content() -> None:
    part = {"type": "refusal", "refusal": "No."}
    result, _ = await NATIVE.talk([], [{"type": "message", "role": "assistant", "content": [part]}])
    assert result.content == "No."


@pytest.mark.parametrize("shape", [NATIVE, SHAPES["stream"]])
async def test_an_answer_that_failed_is_an_error(shape: Shape) -> None:
    failed = {"status": "failed", "error": {"message": "overloaded"}, "output": []}
    with pytest.raises(CharterError, match="overloaded"):
        await shape.talk([], failed)


async def test_usage_is_summed_in_depth() -> None:
    result, _ = await NATIVE.talk([Plain("shop", "buy")], said("", ("shop__buy", {})), said("ok"))
    assert result.usage == {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 6}}


async def test_a_stream_tells_what_happens_and_is_closed() -> None:
    client = Scripted([said("Buying.", ("shop__buy", {"what": "tea"})), said("Bought.")])
    events = [
        event
        async for event in await run(
            client, model="m", messages=ASK, session=[Plain("shop", "buy")], stream=True
        )
    ]
    await check_a_stream_tells_what_happens(NATIVE, events)
    assert client.closed == 2


async def test_replay_keeps_what_was_loaded_and_the_list_stays_the_same() -> None:
    tools = make_tools()
    result, client = await NATIVE.talk(
        ToolSession(tools),
        NATIVE.said("", ("ToolSearch", {"query": "+stripe refund; gmail label"})),
        NATIVE.said("ok"),
    )
    again = ToolSession(tools)
    again.replay(result.messages)
    assert again.loaded and again.loaded[0].startswith("stripe__refunds")
    assert to_responses_tools(again, native=True, messages=result.messages) == client.sent[0]["tools"]


def test_a_schema_that_openai_refuses_is_named() -> None:
    odd = {"type": "object", "properties": {"what": {"$ref": "https://example.com/what"}}}
    with pytest.raises(DeclarationError, match="shop__buy: what .* openai cannot take"):
        to_responses_tools([Plain("shop", "buy", schema=odd)])


async def run_events(*events: Any) -> tuple[RunResult, list[Any]]:
    """Run over one answer of these events, and another that says ok."""
    answers = [list(events), [*done(0, Responses.text("ok")), COMPLETED]]
    sent: list[Any] = []

    async def create(**request: Any) -> Any:
        sent.append(request)

        async def stream() -> AsyncIterator[Any]:
            for event in answers.pop(0):
                yield event

        return stream()

    client = SimpleNamespace(responses=SimpleNamespace(create=create))
    return await run_streamed(client, model="m", messages=ASK, session=[Plain("shop", "buy")]), sent


def done(place: int | None, item: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": "response.output_item.done", "output_index": place, "item": item}]


COMPLETED = {"type": "response.completed", "response": {"status": "completed", "output": []}}


@pytest.mark.parametrize(
    "events",
    [
        [*done(1, said("", ("shop__buy", {}))[0]), *done(0, Responses.text("Buying.")), COMPLETED],
        [*done(None, Responses.text("Buying.")), *done(None, said("", ("shop__buy", {}))[0]), COMPLETED],
        [
            {
                "type": "response.output_item.added",
                "output_index": 1,
                "item": {**said("", ("shop__buy", ""))[0], "status": "in_progress"},
            },
            *done(0, Responses.text("Buying.")),
            *done(1, said("", ("shop__buy", {}))[0]),
            COMPLETED,
        ],
    ],
    ids=["out of order", "without a place", "begun before"],
)
async def test_items_of_a_stream_are_collected_where_its_end_leaves_them_out(events: list[Any]) -> None:
    result, sent = await run_events(*events)
    kinds = ["message", "function_call", "function_call_output"]
    assert [item.get("type") for item in sent[1]["input"][1:]] == kinds
    assert (result.content, told(result)) == ("ok", ["done"])


async def test_the_last_event_says_how_an_answer_ended_where_its_response_does_not() -> None:
    cut = {"type": "response.incomplete", "response": {"output": []}}
    result, _ = await run_events(*done(0, said("", ("shop__buy", {}))[0]), cut)
    assert "cut off at incomplete" in told(result)[0]


@pytest.mark.parametrize("status", ["queued", "in_progress"])
async def test_an_answer_that_is_not_there_yet_is_none(status: str) -> None:
    with pytest.raises(ModelError):
        await NATIVE.talk([], {"status": status, "output": []})


async def test_a_message_without_content_and_reasoning_that_nothing_follows_are_left_out() -> None:
    empty = {**Responses.text(""), "content": []}
    output = [Responses.reasoning("rs_1"), Responses.text("Half"), Responses.reasoning("rs_2"), empty]
    details = {"reason": "max_output_tokens"}
    answer = {"status": "incomplete", "incomplete_details": details, "output": output}
    result, _ = await NATIVE.talk([], answer)
    assert result.messages[1:] == output[:2]
    assert result.finish_reason == "length"
