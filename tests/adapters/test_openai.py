"""The OpenAI Chat loop, against a scripted client of the same shape and against the real one with aimock."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from types import SimpleNamespace
from typing import Any

import openai
import pytest
from openai.types.chat import ChatCompletion

from charter import APIError, DeclarationError, ToolSession
from charter.adapters.openai import RunResult, TextDelta, ToolCalled, ToolReturned, run, to_openai_tools
from tests.counterparties.aimock import Aimock, calls, text
from tests.discovery.samples import Plain, make_tools

pytestmark = pytest.mark.anyio

ASK: list[Any] = [{"role": "user", "content": "Do it."}]


def said(content: Any = None, *asked: tuple[str, Any], **more: Any) -> dict[str, Any]:
    """Return an assistant's message that calls tools by name, their ids c0, c1 and so on."""
    message: dict[str, Any] = {"role": "assistant", "content": content, **more}
    if asked:
        message["tool_calls"] = [
            {"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for at, (name, arguments) in enumerate(asked)
        ]
    return message


class Scripted:
    """A client that answers what it is told to, and keeps what it was sent. Messages are dicts or objects."""

    def __init__(self, *answers: Any, usage: Any = None) -> None:
        self.answers, self.usage = list(answers), usage
        self.sent: list[dict[str, Any]] = []
        self.chat = SimpleNamespace(completions=self)

    async def create(self, **request: Any) -> Any:
        self.sent.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return {"choices": [{"message": answer}], "usage": self.usage}


def as_object(message: Any) -> Any:
    """Return nested dicts as plain objects with attributes."""
    if isinstance(message, dict):
        return SimpleNamespace(**{name: as_object(value) for name, value in message.items()})
    return [as_object(one) for one in message] if isinstance(message, list) else message


def as_sdk(message: dict[str, Any]) -> Any:
    """Return a message as the openai package would."""
    whole = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
    }
    return ChatCompletion.model_validate(whole).choices[0].message


async def talk(session: Any, *answers: Any, **options: Any) -> tuple[RunResult, Scripted]:
    client = Scripted(*answers)
    return await run(client, model="m", messages=ASK, session=session, **options), client


async def answer_of(tool: Any, arguments: Any, **options: Any) -> Any:
    """Return what the model is told when it calls the one tool `shop__buy` with these arguments."""
    result, _ = await talk([tool], said(None, ("shop__buy", arguments)), said("ok"), **options)
    return result.messages[2]["content"]


def test_a_session_renders_what_can_be_called_and_a_plain_list_everything() -> None:
    tools = make_tools()
    session = ToolSession(tools)
    session.search("select:stripe__refunds_create")
    rendered = to_openai_tools(session)
    assert [tool["function"]["name"] for tool in rendered] == ["ToolSearch", "stripe__refunds_create"]
    assert rendered[1] == {
        "type": "function",
        "function": {**tools[-2].to_json_schema(), "name": "stripe__refunds_create"},
    }
    assert len(to_openai_tools(tools)) == len(tools)
    assert to_openai_tools([]) == []


def test_what_is_rendered_can_be_added_to_without_touching_the_next_turn() -> None:
    session = ToolSession(make_tools())
    first = to_openai_tools(session)
    first[0]["function"]["strict"] = True
    first.append({})
    assert [sorted(tool["function"]) for tool in to_openai_tools(session)] == [
        ["description", "name", "parameters"]
    ]


async def test_a_tool_is_found_called_and_its_result_read() -> None:
    tool = Plain("shop", "buy", result={"id": 7})
    result, client = await talk(
        ToolSession([tool]),
        said(None, ("ToolSearch", '{"query": "select:shop__buy"}')),
        said("Buying.", ("shop__buy", '{"what": "tea"}')),
        said("Bought."),
    )
    assert (result.content, result.turns, result.stop) == ("Bought.", 3, "end")
    assert tool.called == [({"what": "tea"}, {})]
    assert [message["role"] for message in result.messages] == [
        "user",
        *["assistant", "tool"] * 2,
        "assistant",
    ]
    assert result.messages[4] == {"role": "tool", "tool_call_id": "c0", "content": '{"id":7}'}
    assert [[tool["function"]["name"] for tool in sent["tools"]] for sent in client.sent] == [
        ["ToolSearch"],
        ["ToolSearch", "shop__buy"],
        ["ToolSearch", "shop__buy"],
    ]


async def test_messages_are_not_modified_and_other_arguments_pass_through() -> None:
    given = (*ASK,)
    result, client = await talk(ToolSession(make_tools()), said("ok"), temperature=0, tool_choice="auto")
    assert given == (*ASK,) and len(ASK) == 1
    assert client.sent == [
        {
            "model": "m",
            "messages": ASK,
            "tools": to_openai_tools(make_tools_session()),
            "temperature": 0,
            "tool_choice": "auto",
        }
    ]
    assert result.messages[:1] == ASK


def make_tools_session() -> ToolSession:
    return ToolSession(make_tools())


async def test_no_tools_means_no_tools_argument() -> None:
    for nothing in (ToolSession([]), []):
        _, client = await talk(nothing, said("ok"))
        assert client.sent == [{"model": "m", "messages": ASK}]


async def test_searches_run_first_and_results_come_in_the_order_asked() -> None:
    session = ToolSession([Plain("shop", "buy", result="tea"), Plain("shop", "sell", result="coffee")])
    result, _ = await talk(
        session,
        said(
            None,
            ("shop__buy", "{}"),
            ("ToolSearch", '{"query": "select:shop__sell"}'),
            ("shop__sell", "{}"),
            ("ToolSearch", '{"query": "select:shop__buy"}'),
        ),
        said("ok"),
    )
    told = [message["content"] for message in result.messages[2:6]]
    assert [told[0], told[2]] == ["tea", "coffee"]
    assert [json.loads(text)["loaded"] for text in (told[1], told[3])] == [["shop__sell"], ["shop__buy"]]
    assert [message["tool_call_id"] for message in result.messages[2:6]] == ["c0", "c1", "c2", "c3"]
    assert session.loaded == ["shop__sell", "shop__buy"]


class Meeting(Plain):
    """A tool whose call returns only when the other one's has begun."""

    def __init__(self, name: str, mine: asyncio.Event, others: asyncio.Event) -> None:
        super().__init__("shop", name)
        self.mine, self.others = mine, others
        self.cancelled = False

    async def ainvoke(self, arguments: Any, **options: Any) -> Any:
        self.mine.set()
        try:
            await self.others.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return self.name


async def test_calls_of_one_turn_run_at_the_same_time() -> None:
    first, second = asyncio.Event(), asyncio.Event()
    tools = [Meeting("buy", first, second), Meeting("sell", second, first)]
    async with asyncio.timeout(10):
        result, _ = await talk(tools, said(None, ("shop__buy", "{}"), ("shop__sell", "{}")), said("ok"))
    assert [message["content"] for message in result.messages[2:4]] == ["buy", "sell"]


async def test_another_exception_propagates_as_itself_and_cancels_the_calls_beside_it() -> None:
    begun = asyncio.Event()
    waiting = Meeting("sell", begun, asyncio.Event())

    class Failing(Plain):
        async def ainvoke(self, arguments: Any, **options: Any) -> Any:
            await begun.wait()
            raise ZeroDivisionError("bug")

    async with asyncio.timeout(10):
        with pytest.raises(ZeroDivisionError, match="bug"):
            await talk(
                [waiting, Failing("shop", "buy")], said(None, ("shop__sell", "{}"), ("shop__buy", "{}"))
            )
    assert waiting.cancelled


async def test_cancelling_the_run_cancels_its_calls() -> None:
    begun = asyncio.Event()
    waiting = Meeting("buy", begun, asyncio.Event())
    task = asyncio.create_task(talk([waiting], said(None, ("shop__buy", "{}"))))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert waiting.cancelled


async def test_a_charter_error_becomes_the_result() -> None:
    error = APIError("shop__buy: 402 from the API.", status_code=402, model_text="The card was declined.")
    assert await answer_of(Plain("shop", "buy", result=error), "{}") == "The card was declined."


async def test_a_tool_that_is_not_loaded_or_not_there_is_told_to_the_model() -> None:
    result, _ = await talk(
        ToolSession([Plain("shop", "buy")]),
        said(None, ("shop__buy", "{}"), ("shop__bye", "{}"), ("", "{}")),
        said("ok"),
    )
    assert "select:shop__buy" in result.messages[2]["content"]
    assert "there is no such tool" in result.messages[3]["content"]
    assert "there is no such tool" in result.messages[4]["content"]


@pytest.mark.parametrize("arguments", ["", "  ", "null", "{}", None, {}])
async def test_no_arguments_are_none_however_they_are_written(arguments: Any) -> None:
    tool = Plain("shop", "buy")
    assert await answer_of(tool, arguments) == "done"
    assert tool.called == [({}, {})]


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        ('{"a": 1', "line 1 column 8"),
        ('{"a": 1}}', "line 1 column 9"),
        ('{"a":\n  tea}', "line 2 column"),
        ("tea", "line 1 column"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
async def test_malformed_arguments_are_told_where(arguments: str, where: str) -> None:
    tool = Plain("shop", "buy")
    told = await answer_of(tool, arguments)
    assert "shop__buy: the arguments are not JSON" in told
    assert where in told
    assert tool.called == []


@pytest.mark.parametrize("arguments", ["[1]", "5", '"tea"', "true", "NaN", [1]])
async def test_arguments_that_are_no_object_are_refused(arguments: Any) -> None:
    tool = Plain("shop", "buy")
    assert "Send one JSON object." in await answer_of(tool, arguments)
    assert tool.called == []


async def test_tool_search_takes_a_list_and_refuses_nonsense() -> None:
    session = ToolSession([Plain("shop", "buy")])
    result, _ = await talk(
        session, said(None, ("ToolSearch", '["select:shop__buy"]'), ("ToolSearch", "5")), said("ok")
    )
    assert session.loaded == ["shop__buy"]
    assert "wants an object with query and max_results" in result.messages[3]["content"]


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("text", "text"),
        ({"a": [1, None, True]}, '{"a":[1,null,true]}'),
        (None, "null"),
        ([], "[]"),
        (b"\xff", '"_w=="'),
        ({"é": "ü"}, '{"é":"ü"}'),
        (float("nan"), '"NaN"'),
    ],
)
async def test_a_result_that_is_no_text_is_told_as_json(result: Any, told: str) -> None:
    assert await answer_of(Plain("shop", "buy", result=result), "{}") == told


@pytest.mark.parametrize("result", ["a\ud800b", {"a": "\ud800"}, {"a": object()}])
async def test_every_result_can_be_sent(result: Any) -> None:
    (await answer_of(Plain("shop", "buy", result=result), "{}")).encode()


async def test_a_long_result_is_cut_and_read_on() -> None:
    tool = Plain("shop", "buy", result="x" * 800 + "y" * 800 + "z")
    result, _ = await talk(
        ToolSession([tool]),
        said(None, ("ToolSearch", '{"query": "select:shop__buy"}')),
        said(None, ("shop__buy", "{}")),
        said(None, ("ToolSearch", '{"query": "rest:1:800"}')),
        said(None, ("ToolSearch", '{"query": "rest:1:1600"}')),
        said("ok"),
        max_result_tokens=200,
    )
    told = [message["content"] for message in result.messages if message["role"] == "tool"]
    assert told[1].startswith("x" * 800 + "\n[Cut: characters 0 to 800 of 1601.")
    assert told[2].startswith("y" * 800 + "\n[Cut: characters 800 to 1600 of 1601.")
    assert told[3] == "z"


async def test_a_plain_lists_long_result_is_cut_with_advice() -> None:
    told = await answer_of(Plain("shop", "buy", result=["x" * 2_000]), "{}", max_result_tokens=100)
    assert told.startswith('["xxx')
    assert told.endswith("[Cut: characters 0 to 400 of 2004. For less, ask for less.]")


@pytest.mark.parametrize("turns", [1, 2])
async def test_the_limit_of_turns_stops_the_run_with_a_conversation_that_can_go_on(turns: int) -> None:
    tool = Plain("shop", "buy")
    asked = [said("", ("shop__buy", "{}")) for _ in range(3)]
    result, client = await talk([tool], *asked, max_turns=turns)
    assert (result.stop, result.turns, len(client.sent), len(tool.called)) == (
        "max_turns",
        turns,
        turns,
        turns,
    )
    assert result.messages[-1]["role"] == "tool"


@pytest.mark.parametrize("options", [{"max_turns": 0}, {"max_turns": -1}, {"max_result_tokens": 0}])
async def test_a_limit_below_one_is_refused(options: Any) -> None:
    with pytest.raises(DeclarationError, match="is not 1 or more"):
        await talk([], said("ok"), **options)


@pytest.mark.parametrize(
    ("message", "content"),
    [
        (said("Hello."), "Hello."),
        (said(None), ""),
        (said(""), ""),
        (said([{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo."}]), "Hello."),
        (said([{"type": "refusal", "refusal": "No."}]), "No."),
        (said(None, refusal="I will not."), "I will not."),
        (said("Hello.", tool_calls=[]), "Hello."),
        (said("Hello.", tool_calls=None), "Hello."),
        ({"role": "assistant"}, ""),
    ],
)
@pytest.mark.parametrize("shape", [dict, as_object])
async def test_every_kind_of_answer_ends_the_run(message: Any, content: str, shape: Any) -> None:
    result, _ = await talk([], shape(message))
    assert (result.content, result.stop, result.turns) == (content, "end", 1)
    assert "tool_calls" not in result.messages[-1]
    json.dumps(result.messages)


@pytest.mark.parametrize("shape", [dict, as_object, as_sdk])
async def test_the_answer_goes_back_as_it_came(shape: Any) -> None:
    message = said("Buying.", ("shop__buy", '{"a": 1}'))
    result, client = await talk([Plain("shop", "buy")], shape(message), said("ok"))
    assert client.sent[1]["messages"][1] == result.messages[1] == message


async def test_what_a_provider_adds_to_an_answer_goes_back_too() -> None:
    message = said(None, ("shop__buy", "{}"), reasoning_content="Hm.")
    _, client = await talk([Plain("shop", "buy")], as_sdk(message), said("ok"))
    assert client.sent[1]["messages"][1]["reasoning_content"] == "Hm."


async def test_usage_is_summed_in_depth() -> None:
    usage = {"prompt_tokens": 5, "total_tokens": 7, "details": {"cached": 2, "tier": "x"}, "cost": None}
    client = Scripted(said(None, ("shop__buy", "{}")), said("ok"), usage=usage)
    result = await run(client, model="m", messages=ASK, session=[Plain("shop", "buy")])
    assert result.usage == {"prompt_tokens": 10, "total_tokens": 14, "details": {"cached": 4}}


async def test_what_the_client_raises_comes_out_as_it_is() -> None:
    with pytest.raises(ConnectionResetError):
        await talk([], ConnectionResetError())


class Streaming(Scripted):
    """A client that streams chunks, and knows whether its stream was closed."""

    def __init__(self, *answers: Sequence[Any]) -> None:
        super().__init__(*answers)
        self.closed = 0

    async def create(self, **request: Any) -> Any:
        self.sent.append(request)
        return self._stream(self.answers.pop(0))

    async def _stream(self, deltas: Sequence[Any]) -> AsyncIterator[Any]:
        try:
            for delta in deltas:
                yield {"choices": [{"delta": delta}]}
            yield {"choices": [{"delta": {}, "finish_reason": "stop"}]}
            yield {"choices": [], "usage": {"total_tokens": 3}}
        finally:
            self.closed += 1


def piece(
    index: int | None, call_id: str | None = None, name: str | None = None, arguments: str | None = None
) -> Any:
    return {
        "tool_calls": [{"index": index, "id": call_id, "function": {"name": name, "arguments": arguments}}]
    }


async def _stream(client: Any, session: Any, **options: Any) -> list[Any]:
    return [
        event
        async for event in await run(client, model="m", messages=ASK, session=session, stream=True, **options)
    ]


async def test_a_stream_yields_text_and_tool_events_and_the_result_last() -> None:
    client = Streaming(
        [
            {"role": "assistant", "content": ""},
            {"content": "Buy"},
            {"content": "ing."},
            piece(0, "c0", "shop__buy", ""),
            piece(0, arguments='{"a"'),
            piece(0, arguments=": 1}"),
        ],
        [{"content": "Done."}],
    )
    events = await _stream(client, [Plain("shop", "buy")])
    assert events[:-1] == [
        TextDelta("Buy"),
        TextDelta("ing."),
        ToolCalled("c0", "shop__buy", '{"a": 1}'),
        ToolReturned("c0", "shop__buy", "done"),
        TextDelta("Done."),
    ]
    assert isinstance(events[-1], RunResult)
    assert (events[-1].content, events[-1].turns, events[-1].usage) == ("Done.", 2, {"total_tokens": 6})
    assert events[-1].messages[1] == said("Buying.", ("shop__buy", '{"a": 1}'))
    assert client.sent[0]["stream"] is True
    assert client.sent[0]["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize(
    "pieces",
    [
        [piece(0, "a", "shop__buy", "{}"), piece(1, "b", "shop__buy", "{}")],
        [
            piece(0, "a", "shop__buy", "{"),
            piece(1, "b", "shop__buy", "{"),
            piece(0, None, None, "}"),
            piece(1, None, None, "}"),
        ],
        [piece(0, "a", "shop__buy", "{}"), piece(0, "b", "shop__buy", "{"), piece(0, None, None, "}")],
        [
            piece(None, "a", "shop__buy", "{}"),
            piece(None, "b", "shop__buy", "{"),
            piece(None, None, None, "}"),
        ],
        [piece(0, "a", "shop__buy", "{"), piece(0, "a", None, "}"), piece(0, "b", "shop__buy", "{}")],
    ],
)
async def test_calls_in_pieces_are_put_together_however_a_gateway_numbers_them(pieces: list[Any]) -> None:
    events = await _stream(Streaming(pieces, [{"content": "ok"}]), [Plain("shop", "buy")])
    assert [event for event in events if isinstance(event, ToolCalled)] == [
        ToolCalled("a", "shop__buy", "{}"),
        ToolCalled("b", "shop__buy", "{}"),
    ]


async def test_a_stream_that_is_left_early_is_closed() -> None:
    client = Streaming([{"content": "a"}, {"content": "b"}])
    events: Any = await run(client, model="m", messages=ASK, session=[], stream=True)
    assert await anext(events) == TextDelta("a")
    await events.aclose()
    assert client.closed == 1


async def test_options_for_the_stream_can_be_ones_own() -> None:
    client = Streaming([{"content": "a"}])
    await _stream(client, [], stream_options={"include_usage": False})
    assert client.sent[0]["stream_options"] == {"include_usage": False}


_REPLIES = [
    calls(("ToolSearch", {"query": "select:shop__buy"})),
    calls(("shop__buy", {"a": 1}), ("shop__bye", {})),
    text("Bought."),
]


@pytest.mark.parametrize("stream", [False, True])
async def test_the_real_client_runs_the_loop_and_each_turns_tools_begin_with_the_last(
    aimock: Aimock, stream: bool
) -> None:
    aimock.script(_REPLIES)
    session = ToolSession([Plain("shop", "buy", result={"é": 1}), Plain("shop", "sell")])
    async with openai.AsyncOpenAI(base_url=aimock.openai_url, api_key="x", max_retries=0) as client:
        if stream:
            events = await _stream(client, session)
            result = events[-1]
            assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Bought."
        else:
            result = await run(client, model="m", messages=ASK, session=session)
    assert (result.content, result.stop, result.turns) == ("Bought.", "end", 3)
    assert result.usage["total_tokens"] > 0
    assert [message.get("content") for message in result.messages if message["role"] == "tool"][
        1
    ] == '{"é":1}'
    sent = [json.dumps(body["tools"]) for body in aimock.bodies()]
    assert len(sent) == 3
    assert sent[1].startswith(sent[0][:-1])
    assert sent[2] == sent[1]


async def test_a_providers_error_is_the_providers(aimock: Aimock) -> None:
    aimock.fail_next(429, "slow down")
    async with openai.AsyncOpenAI(base_url=aimock.openai_url, api_key="x", max_retries=0) as client:
        with pytest.raises(openai.RateLimitError):
            await run(client, model="m", messages=ASK, session=[])


async def test_what_a_provider_adds_is_kept_the_same_streamed_or_not() -> None:
    signed = {"google": {"thought_signature": "c2ln"}}
    whole = said(
        "Buying.", ("shop__buy", '{"a": 1}'), reasoning="Hm.", reasoning_details=[{"index": 0, "text": "Hm."}]
    )
    whole["tool_calls"][0]["extra_content"] = signed
    function = {"name": "shop__buy", "arguments": ""}
    begun = {"index": 0, "id": "c0", "type": "function", "function": function, "extra_content": signed}
    pieces = [
        {"role": "assistant", "reasoning": "H", "reasoning_details": [{"index": 0, "text": "H"}]},
        {"reasoning": "m.", "reasoning_details": [{"index": 0, "text": "m."}], "content": "Buying."},
        {"tool_calls": [begun]},
        piece(0, arguments='{"a": 1}'),
    ]
    result, _ = await talk([Plain("shop", "buy")], whole, said("ok"))
    events = await _stream(Streaming(pieces, [{"content": "ok"}]), [Plain("shop", "buy")])
    assert result.messages[1] == whole == events[-1].messages[1]


async def test_of_several_choices_the_first_is_streamed() -> None:
    class Several(Streaming):
        async def _stream(self, deltas: Sequence[Any]) -> AsyncIterator[Any]:
            for at in (1, 0):
                yield {
                    "choices": [{"index": at, "delta": {"content": f"answer {at}"}, "finish_reason": "stop"}]
                }

    events = await _stream(Several([]), [])
    assert (events[0], events[-1].content) == (TextDelta("answer 0"), "answer 0")


def test_what_is_rendered_can_be_edited_in_depth() -> None:
    tools = make_tools()
    for tool in to_openai_tools(tools):
        tool["function"]["parameters"]["properties"]["id"]["description"] = "spoilt"
    assert "spoilt" not in json.dumps(to_openai_tools(tools))
    assert "spoilt" not in json.dumps(tools[0].to_json_schema())
