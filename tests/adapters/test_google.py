"""The Gemini loop and its declarations, against a scripted client; the real client is tried in tests/e2e/."""

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from google.genai import types

from charter import CharterError, DeclarationError, ToolSession
from charter.adapters.google import run, to_google_tools
from charter.discovery.conversation import RunResult
from tests.adapters.conversing import COMMON, Plain, Shape, as_object, check_a_stream_tells_what_happens
from tests.discovery.samples import make_tools

pytestmark = pytest.mark.anyio

ASK: list[Any] = [{"role": "user", "parts": [{"text": "Do it."}]}]


def said(text: str = "", *asked: tuple[str, Any], reason: str = "STOP", **more: Any) -> dict[str, Any]:
    """Return an answer that calls tools by name, their ids c0, c1 and so on."""
    parts: list[dict[str, Any]] = [{"text": text}] if text else []
    parts += [
        {"function_call": {"id": f"c{at}", "name": name, "args": given}}
        for at, (name, given) in enumerate(asked)
    ]
    content = {"role": "model", "parts": parts} if parts else None
    candidate = {"content": content, "finish_reason": reason, **more}
    return {"candidates": [candidate], "usage_metadata": {"total_token_count": 7, "traffic_type": "x"}}


class Scripted:
    """A client that answers what it is told to, and keeps what it was sent."""

    def __init__(self, answers: Sequence[Any], shape: Any = dict) -> None:
        self.answers, self.shape = list(answers), shape
        self.sent: list[dict[str, Any]] = []
        self.aio = self.models = self
        self.closed = 0

    async def generate_content(self, **request: Any) -> Any:
        self.sent.append({**request, "contents": list(request["contents"])})
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return self.shape(answer)

    async def generate_content_stream(self, **request: Any) -> AsyncIterator[Any]:
        self.sent.append({**request, "contents": list(request["contents"])})
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return self.stream(answer)

    async def stream(self, answer: dict[str, Any]) -> AsyncIterator[Any]:
        try:
            for candidate in answer["candidates"]:
                content = candidate["content"] or {"parts": []}
                for part in content["parts"]:
                    pieces = [part["text"][:2], part["text"][2:]] if "text" in part else [None]
                    for piece in pieces:
                        told = part if piece is None else {**part, "text": piece}
                        yield self.shape({"candidates": [{"content": {"role": "model", "parts": [told]}}]})
                last = {"content": None, "finish_reason": candidate["finish_reason"]}
                yield self.shape({"candidates": [last], "usage_metadata": answer["usage_metadata"]})
        finally:
            self.closed += 1


def told(result: RunResult) -> list[str]:
    parts = [part for message in result.messages for part in message["parts"] if isinstance(part, dict)]
    responses = [part["function_response"]["response"] for part in parts if "function_response" in part]
    return [response.get("output", response.get("error")) for response in responses]


def read_names(sent: dict[str, Any]) -> list[str]:
    tools = sent.get("config", {}).get("tools", ())
    return [tool["name"] for group in tools for tool in group["function_declarations"]]


async def run_streamed(client: Any, **options: Any) -> Any:
    return [event async for event in await run(client, stream=True, **options)][-1]


def make_shape(stream: bool, shape: Any = dict) -> Shape:
    return Shape(
        run=run_streamed if stream else run,
        client=lambda answers: Scripted(answers, shape),
        said=said,
        told=told,
        names=read_names,
        asked=ASK,
    )


WHOLE = make_shape(stream=False)
SHAPES = {
    "whole": WHOLE,
    "stream": make_shape(stream=True),
    "objects": make_shape(stream=False, shape=as_object),
    "stream of objects": make_shape(stream=True, shape=as_object),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("check", COMMON, ids=lambda check: check.__name__)
async def test_the_loop_does_what_every_loop_does(check: Any, shape: Shape) -> None:
    await check(shape)


def test_a_session_declares_what_can_be_called_and_a_plain_list_everything() -> None:
    session = ToolSession(make_tools())
    session.search("select:stripe__refunds_create")
    [group] = to_google_tools(session)
    search, refund = group["function_declarations"]
    assert (search["name"], refund["name"]) == ("ToolSearch", "stripe__refunds_create")
    assert refund["parameters_json_schema"]["properties"]["id"]["type"] == "string"
    assert len(to_google_tools(make_tools())[0]["function_declarations"]) == len(make_tools())
    assert to_google_tools([]) == []


def test_a_tool_without_arguments_has_no_schema_because_gemini_takes_no_empty_object() -> None:
    [group] = to_google_tools([Plain("shop", "buy")])
    assert group["function_declarations"] == [{"name": "shop__buy", "description": "Run buy."}]


def test_what_is_declared_is_what_the_client_takes() -> None:
    for group in to_google_tools(make_tools()):
        types.Tool.model_validate(group)


async def test_declarations_grow() -> None:
    _, client = await WHOLE.talk(
        ToolSession(make_tools()),
        said("", ("ToolSearch", {"query": "select:stripe__refunds_create"})),
        said("ok"),
    )
    first, second = (json.dumps(sent["config"]["tools"]) for sent in client.sent)
    assert second.startswith(first[: first.rindex("]}]")])
    assert [len(read_names(sent)) for sent in client.sent] == [1, 2]


@pytest.mark.parametrize("make", [dict, types.GenerateContentConfig])
async def test_a_config_of_ones_own_stays_with_its_tools_first(make: Any) -> None:
    own = types.Tool(google_search=types.GoogleSearch())
    config = make(temperature=0.5, tools=[own])
    _, client = await WHOLE.talk([Plain("shop", "buy")], said("ok"), config=config)
    sent = types.GenerateContentConfig.model_validate(client.sent[0]["config"])
    assert sent.temperature == 0.5
    assert sent.tools is not None and sent.tools[0] == own
    ours: Any = sent.tools[1]
    assert ours.function_declarations[0].name == "shop__buy"
    assert sent.automatic_function_calling.disable is True
    _, client = await WHOLE.talk([], said("ok"), config=config)
    assert client.sent[0]["config"] is config


async def test_the_models_parts_go_back_as_they_came_and_thoughts_are_no_text() -> None:
    parts = [
        types.Part(text="Hm.", thought=True),
        types.Part(text="Buying."),
        types.Part(
            function_call=types.FunctionCall(id="c0", name="shop__buy", args={}),
            thought_signature=b"\xff\x00",
        ),
    ]
    answer = types.GenerateContentResponse(
        candidates=[types.Candidate(content=types.Content(role="model", parts=parts))]
    )
    result, client = await WHOLE.talk([Plain("shop", "buy")], answer, said("ok"))
    assert client.sent[1]["contents"][1] == {"role": "model", "parts": parts}
    assert told(result) == ["done"]
    thought = types.Content(role="model", parts=parts[:2])
    answer = types.GenerateContentResponse(candidates=[types.Candidate(content=thought)])
    assert (await WHOLE.talk([], answer))[0].content == "Buying."


async def test_calls_without_ids_are_answered_without_ids() -> None:
    answer = said("", ("shop__buy", {}), ("shop__buy", {}))
    for part in answer["candidates"][0]["content"]["parts"]:
        del part["function_call"]["id"]
    result, _ = await WHOLE.talk([Plain("shop", "buy")], answer, said("ok"))
    responses = [part["function_response"] for part in result.messages[2]["parts"]]
    assert responses == [{"name": "shop__buy", "response": {"output": "done"}}] * 2


async def test_an_error_is_told_as_one() -> None:
    result, _ = await WHOLE.talk(ToolSession([Plain("shop", "buy")]), said("", ("shop__buy", {})), said("ok"))
    [part] = result.messages[2]["parts"]
    assert list(part["function_response"]["response"]) == ["error"]


async def test_a_call_that_gemini_could_not_write_is_asked_for_again() -> None:
    broken = said("", reason="MALFORMED_FUNCTION_CALL", finish_message="bad brackets")
    result, client = await WHOLE.talk([], broken, said("ok"))
    assert (result.content, result.turns) == ("ok", 2)
    assert "bad brackets" in client.sent[1]["contents"][-1]["parts"][0]["text"]


async def test_no_candidate_is_an_error_with_the_reason() -> None:
    blocked = {"candidates": None, "prompt_feedback": {"block_reason": "SAFETY"}}
    with pytest.raises(CharterError, match="SAFETY"):
        await WHOLE.talk([], blocked)


async def test_usage_is_summed_over_turns_and_counted_once_a_stream() -> None:
    for shape in (WHOLE, SHAPES["stream"]):
        result, _ = await shape.talk([Plain("shop", "buy")], said("", ("shop__buy", {})), said("ok"))
        assert result.usage == {"total_token_count": 14}


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


def test_a_schema_that_gemini_refuses_is_named() -> None:
    odd = {"type": "object", "properties": {"what": {"$ref": "https://example.com/what"}}}
    with pytest.raises(DeclarationError, match="shop__buy: what .* gemini cannot take"):
        to_google_tools([Plain("shop", "buy", schema=odd)])


async def test_a_call_without_a_name_is_no_call_and_not_kept() -> None:
    answer = said("", ("shop__buy", {}))
    parts = answer["candidates"][0]["content"]["parts"]
    parts += [{"function_call": {"args": {"a": 1}}}, {"function_call": {}}, {"text": ""}]
    tool = Plain("shop", "buy")
    for shape in (WHOLE, SHAPES["stream"]):
        result, _ = await shape.talk([tool], answer, said("ok"))
        assert result.messages[1]["parts"] == parts[:1]
        assert len(told(result)) == 1


async def test_a_call_whose_arguments_come_in_pieces_is_not_made() -> None:
    answer = said("", ("shop__buy", None))
    answer["candidates"][0]["content"]["parts"][0]["function_call"]["will_continue"] = True
    tool = Plain("shop", "buy")
    result, _ = await WHOLE.talk([tool], answer, said("ok"))
    assert tool.called == [] and "in pieces" in told(result)[0]


async def test_ids_that_come_twice_are_told_apart_in_a_clients_own_objects() -> None:
    call = types.Part(function_call=types.FunctionCall(id="x", name="shop__buy", args={}))
    content = types.Content(role="model", parts=[call, call])
    answer = types.GenerateContentResponse(candidates=[types.Candidate(content=content)])
    result, _ = await WHOLE.talk([Plain("shop", "buy")], answer, said("ok"))
    asked = [part.function_call.id for part in result.messages[1]["parts"]]
    answered = [part["function_response"]["id"] for part in result.messages[2]["parts"]]
    assert asked == answered and asked[0] == "x" and len(set(asked)) == 2
