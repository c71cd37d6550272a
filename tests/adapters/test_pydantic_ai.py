"""The pydantic-ai toolset: the tools of each step, and what a model is told of calls that fail."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from openai import AsyncOpenAI
from pydantic_ai import Agent
from pydantic_ai.exceptions import UsageLimitExceeded
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.usage import UsageLimits

from charter import APIError, ToolSession
from charter.adapters.pydantic_ai import CharterToolset
from tests.adapters.conversing import Meeting, Plain
from tests.counterparties.chat import Chat, chat_message
from tests.counterparties.loopback import Loopback

pytestmark = pytest.mark.anyio


def said(text: str = "", *asked: tuple[str, Any]) -> ModelResponse:
    parts = [ToolCallPart(name, given, f"c{at}") for at, (name, given) in enumerate(asked)]
    return ModelResponse([*([TextPart(text)] if text else []), *parts])


class Scripted:
    """A model that answers what it is told to, and keeps the names of the tools it was sent."""

    def __init__(self, *answers: ModelResponse) -> None:
        self.answers = list(answers)
        self.sent: list[list[str]] = []
        self.schemas: list[Any] = []
        self.model = FunctionModel(self.answer, stream_function=self.stream)

    def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.sent.append([tool.name for tool in info.function_tools])
        self.schemas = [tool.parameters_json_schema for tool in info.function_tools]
        return self.answers.pop(0)

    async def stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        answer = self.answer(messages, info)
        for part in answer.parts:
            if isinstance(part, TextPart):
                yield part.content
            elif isinstance(part, ToolCallPart):
                yield {
                    0: DeltaToolCall(part.tool_name, part.args_as_json_str(), tool_call_id=part.tool_call_id)
                }


def told(result: Any) -> list[ToolReturnPart]:
    parts = [part for message in result.all_messages() for part in message.parts]
    return [part for part in parts if isinstance(part, ToolReturnPart)]


async def talk(session: Any, *answers: ModelResponse, **options: Any) -> tuple[Any, Scripted]:
    script = Scripted(*answers)
    return await Agent(script.model, toolsets=[CharterToolset(session)]).run("Do it.", **options), script


async def test_a_tool_is_found_called_and_its_result_read() -> None:
    shop = Plain("shop", "buy", result={"id": 7})
    session = ToolSession([shop, Plain("shop", "sell")])
    result, script = await talk(
        session,
        said("", ("ToolSearch", {"query": "select:shop__buy"})),
        said("", ("shop__buy", {"what": "tea"})),
        said("Bought."),
    )
    assert result.output == "Bought."
    assert told(result)[1].content == '{"id":7}'
    assert shop.called == [({"what": "tea"}, {})]
    assert script.sent == [["ToolSearch"], ["ToolSearch", "shop__buy"], ["ToolSearch", "shop__buy"]]
    assert session.loaded == ["shop__buy"]


async def test_tools_are_sent_in_load_order() -> None:
    session = ToolSession([Plain("shop", name) for name in ("buy", "rent", "sell")])
    _, script = await talk(
        session,
        said("", ("ToolSearch", {"query": "select:shop__sell"})),
        said("", ("ToolSearch", {"query": "select:shop__buy"})),
        said("ok"),
    )
    assert script.sent[-1] == ["ToolSearch", "shop__sell", "shop__buy"]


async def test_a_streamed_run_finds_and_calls_too() -> None:
    script = Scripted(
        said("", ("ToolSearch", {"query": "select:shop__buy"})), said("", ("shop__buy", {})), said("Bought.")
    )
    agent = Agent(script.model, toolsets=[CharterToolset(ToolSession([Plain("shop", "buy")]))])
    async with agent.run_stream("Do it.") as answer:
        assert await answer.get_output() == "Bought."
    assert script.sent[-1] == ["ToolSearch", "shop__buy"]


async def test_sessions_of_two_runs_of_one_agent_do_not_share_what_they_load() -> None:
    tools = [Plain("shop", name) for name in ("buy", "sell")]
    first, second = ToolSession(tools), ToolSession(tools)
    script = Scripted(said("", ("ToolSearch", {"query": "select:shop__sell"})), said("a"), said("b"))
    agent = Agent(script.model)
    await agent.run("Do it.", toolsets=[CharterToolset(first)])
    await agent.run("Do it.", toolsets=[CharterToolset(second)])
    assert script.sent == [["ToolSearch"], ["ToolSearch", "shop__sell"], ["ToolSearch"]]


async def test_a_charter_error_is_a_failed_result_and_uses_up_no_retry() -> None:
    error = APIError("shop__buy: 402 from the API.", status_code=402, model_text="The card was declined.")
    asked = [said("", ("shop__buy", {})) for _ in range(4)]
    result, _ = await talk([Plain("shop", "buy", result=error)], *asked, said("ok"))
    assert {(part.content, part.outcome) for part in told(result)} == {("The card was declined.", "failed")}
    assert len(told(result)) == 4


async def test_another_exception_propagates_as_itself() -> None:
    with pytest.raises(ZeroDivisionError, match="bug"):
        await talk([Plain("shop", "buy", result=ZeroDivisionError("bug"))], said("", ("shop__buy", {})))


@pytest.mark.parametrize("arguments", ["", "null", "{}", None, {}, "  "])
async def test_no_arguments_are_none_however_they_are_written(arguments: Any) -> None:
    shop = Plain("shop", "buy")
    result, _ = await talk([shop], said("", ("shop__buy", arguments)), said("ok"))
    assert (told(result)[0].content, shop.called) == ("done", [({}, {})])


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ('{"a": 1', "the arguments are not JSON"),
        ("tea", "the arguments are not JSON"),
        ("[1]", "Send one JSON object."),
        ("5", "Send one JSON object."),
        ('"tea"', "Send one JSON object."),
    ],
)
async def test_arguments_that_cannot_be_read_are_told_as_often_as_they_come(
    loopback: Loopback, arguments: str, problem: str
) -> None:
    shop = Plain("shop", "buy")
    broken = chat_message(None, ("shop__buy", arguments))
    chat = Chat(loopback, broken, broken, broken, chat_message("ok"))
    async with AsyncOpenAI(base_url=chat.url, api_key="x", max_retries=0) as client:
        model = OpenAIChatModel("m", provider=OpenAIProvider(openai_client=client))
        result = await Agent(model, toolsets=[CharterToolset([shop])]).run("Do it.")
    assert result.output == "ok"
    assert len(chat.told()) == 3 and all(problem in text for text in chat.told())
    assert shop.called == []


async def test_an_unknown_and_a_deferred_name_are_told_by_the_framework() -> None:
    result, _ = await talk(ToolSession([Plain("shop", "buy")]), said("", ("shop__buy", {})), said("ok"))
    assert "Unknown tool name: 'shop__buy'" in str(result.all_messages())


async def test_calls_of_one_turn_run_at_the_same_time() -> None:
    first, second = asyncio.Event(), asyncio.Event()
    tools = [Meeting("buy", first, second), Meeting("sell", second, first)]
    async with asyncio.timeout(10):
        result, _ = await talk(tools, said("", ("shop__buy", {}), ("shop__sell", {})), said("ok"))
    assert [part.content for part in told(result)] == ["buy", "sell"]


async def test_cancelling_the_run_cancels_its_calls() -> None:
    begun = asyncio.Event()
    waiting = Meeting("buy", begun, asyncio.Event())
    task = asyncio.create_task(talk([waiting], said("", ("shop__buy", {}))))
    async with asyncio.timeout(10):
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert waiting.cancelled.is_set()


@pytest.mark.parametrize(
    ("result", "text"), [(None, "null"), ({"a": ["é"]}, '{"a":["é"]}'), (b"\xff", '"_w=="')]
)
async def test_a_result_that_is_no_text_is_told_as_json(result: Any, text: str) -> None:
    ran, _ = await talk([Plain("shop", "buy", result=result)], said("", ("shop__buy", {})), said("ok"))
    assert told(ran)[0].content == text


async def test_a_long_result_is_cut_and_read_on() -> None:
    session = ToolSession([Plain("shop", "buy", result="x" * 800 + "y" * 800)])
    session.load(["shop__buy"])
    script = Scripted(
        said("", ("shop__buy", {})), said("", ("ToolSearch", {"query": "rest:1:800"})), said("ok")
    )
    toolset = CharterToolset(session, max_result_tokens=200, id="shop")
    result = await Agent(script.model, toolsets=[toolset]).run("Do it.")
    assert toolset.id == "shop"
    assert "[Cut: characters 0 to 800 of 1600." in told(result)[0].content
    assert told(result)[1].content == "y" * 800


async def test_the_limit_of_turns_is_the_frameworks() -> None:
    asked = [said("", ("shop__buy", {})) for _ in range(3)]
    with pytest.raises(UsageLimitExceeded):
        await talk([Plain("shop", "buy")], *asked, usage_limits=UsageLimits(request_limit=2))


async def test_no_tools_at_all_is_an_agent_without_tools() -> None:
    for nothing in ([], ToolSession([])):
        result, script = await talk(nothing, said("ok"))
        assert (result.output, script.sent) == ("ok", [[]])


ODD = {"type": "object", "properties": {"$top": {"type": "integer"}}, "additionalProperties": False}


async def test_schemas_are_in_a_dialect_and_arguments_come_back_in_the_tools_own_spelling() -> None:
    shop = Plain("shop", "buy", schema=ODD)
    session = ToolSession([shop], progressive=False)
    [written] = session.definitions("openai")[0].parameters["properties"]
    _, script = await talk(session, said("", ("shop__buy", {written: 5})), said("ok"))
    assert shop.called == [({"$top": 5}, {})]
    assert script.schemas[0]["properties"] == {written: {"type": "integer"}}
