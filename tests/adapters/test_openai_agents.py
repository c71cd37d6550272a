"""Tools for the OpenAI Agents SDK: which are there on each turn, and what a model is told of calls that fail."""

import asyncio
from typing import Any

import pytest
from agents import Agent, MaxTurnsExceeded, OpenAIChatCompletionsModel, RunConfig, Runner, function_tool
from agents.exceptions import ModelBehaviorError, UserError
from openai import AsyncOpenAI

from charter import APIError, ToolSession
from charter.adapters.openai_agents import charter_agent_tools
from tests.adapters.conversing import Meeting, Plain
from tests.counterparties.chat import Chat, chat_message
from tests.counterparties.loopback import Loopback

pytestmark = pytest.mark.anyio


@function_tool
def weather(city: str) -> str:
    """Tell the weather."""
    return f"sun in {city}"


async def talk(
    chat: Chat,
    session: Any,
    *own: Any,
    max_turns: int = 10,
    max_result_tokens: int | None = None,
    **config: Any,
) -> Any:
    tools = [*own, *charter_agent_tools(session, max_result_tokens=max_result_tokens)]
    async with AsyncOpenAI(base_url=chat.url, api_key="x", max_retries=0) as client:
        agent = Agent(name="shop", model=OpenAIChatCompletionsModel("m", openai_client=client), tools=tools)
        settings = RunConfig(tracing_disabled=True, **config)
        return await Runner.run(agent, "Do it.", max_turns=max_turns, run_config=settings)


def read_names(chat: Chat) -> list[list[str]]:
    return [[tool["function"]["name"] for tool in body.get("tools", ())] for body in chat.bodies()]


def look(query: str) -> tuple[str, str]:
    return "ToolSearch", f'{{"query": "{query}"}}'


async def test_a_tool_is_found_called_and_its_result_read_beside_the_agents_own(loopback: Loopback) -> None:
    shop = Plain("shop", "buy", result={"id": 7})
    session = ToolSession([shop, Plain("shop", "sell")])
    chat = Chat(
        loopback,
        chat_message(None, look("select:shop__buy"), ("weather", '{"city": "Rome"}')),
        chat_message(None, ("shop__buy", '{"what": "tea"}')),
        chat_message("Bought."),
    )
    result = await talk(chat, session, weather)
    assert result.final_output == "Bought."
    assert chat.told()[1:] == ["sun in Rome", '{"id":7}']
    assert shop.called == [({"what": "tea"}, {})]
    assert read_names(chat) == [["weather", "ToolSearch"], *[["weather", "ToolSearch", "shop__buy"]] * 2]
    assert session.loaded == ["shop__buy"]


async def test_tools_are_sent_in_load_order_with_their_own_text_and_schema(loopback: Loopback) -> None:
    session = ToolSession([Plain("shop", name) for name in ("buy", "rent", "sell")])
    chat = Chat(
        loopback,
        chat_message(None, look("select:shop__sell")),
        chat_message(None, look("select:shop__buy")),
        chat_message("ok"),
    )
    await talk(chat, session)
    assert read_names(chat)[-1] == ["ToolSearch", "shop__sell", "shop__buy"]
    sent = chat.bodies()[-1]["tools"][1]["function"]
    assert (sent["description"], sent["parameters"]["properties"]) == ("Run sell.", {})


async def test_no_schema_is_built_before_it_is_sent() -> None:
    tools = [Plain("shop", f"t{at}") for at in range(50)]
    assert len(charter_agent_tools(ToolSession(tools))) == 51
    assert sum(tool.rendered for tool in tools) == 0


async def test_a_charter_error_becomes_the_result(loopback: Loopback) -> None:
    error = APIError("shop__buy: 402 from the API.", status_code=402, model_text="The card was declined.")
    chat = Chat(loopback, chat_message(None, ("shop__buy", "{}")), chat_message("ok"))
    await talk(chat, [Plain("shop", "buy", result=error)])
    assert chat.told() == ["The card was declined."]


async def test_another_exception_ends_the_run_and_keeps_the_cause(loopback: Loopback) -> None:
    chat = Chat(loopback, chat_message(None, ("shop__buy", "{}")), chat_message("ok"))
    with pytest.raises((ZeroDivisionError, UserError), match="bug") as caught:
        await talk(chat, [Plain("shop", "buy", result=ZeroDivisionError("bug"))])
    assert isinstance(caught.value, ZeroDivisionError) or isinstance(
        caught.value.__cause__, ZeroDivisionError
    )


@pytest.mark.parametrize("arguments", ["", "null", "{}", "  "])
async def test_no_arguments_are_none_however_they_are_written(loopback: Loopback, arguments: str) -> None:
    shop = Plain("shop", "buy")
    chat = Chat(loopback, chat_message(None, ("shop__buy", arguments)), chat_message("ok"))
    await talk(chat, [shop])
    assert (chat.told(), shop.called) == (["done"], [({}, {})])


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
async def test_arguments_that_cannot_be_read_are_told(
    loopback: Loopback, arguments: str, problem: str
) -> None:
    shop = Plain("shop", "buy")
    chat = Chat(loopback, chat_message(None, ("shop__buy", arguments)), chat_message("ok"))
    await talk(chat, [shop])
    assert problem in chat.told()[0]
    assert shop.called == []


async def test_an_unknown_and_a_deferred_name_end_the_run_unless_it_is_told_otherwise(
    loopback: Loopback,
) -> None:
    asked = chat_message(None, ("shop__buy", "{}"), ("shop__bye", "{}"))
    with pytest.raises(ModelBehaviorError, match="not found"):
        await talk(Chat(loopback, asked), ToolSession([Plain("shop", "buy")]))
    chat = Chat(loopback, asked, chat_message("ok"))
    session = ToolSession([Plain("shop", "buy")])
    result = await talk(chat, session, tool_not_found_behavior="return_error_to_model")
    assert result.final_output == "ok"
    assert ["not found" in text for text in chat.told()] == [True, True]


async def test_calls_of_one_turn_run_at_the_same_time(loopback: Loopback) -> None:
    first, second = asyncio.Event(), asyncio.Event()
    tools = [Meeting("buy", first, second), Meeting("sell", second, first)]
    chat = Chat(loopback, chat_message(None, ("shop__buy", "{}"), ("shop__sell", "{}")), chat_message("ok"))
    async with asyncio.timeout(10):
        await talk(chat, tools)
    assert chat.told() == ["buy", "sell"]


async def test_cancelling_the_run_cancels_its_calls(loopback: Loopback) -> None:
    begun = asyncio.Event()
    waiting = Meeting("buy", begun, asyncio.Event())
    chat = Chat(loopback, chat_message(None, ("shop__buy", "{}")))
    task = asyncio.create_task(talk(chat, [waiting]))
    async with asyncio.timeout(10):
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await waiting.cancelled.wait()


@pytest.mark.parametrize(
    ("result", "text"), [(None, "null"), ({"a": ["é"]}, '{"a":["é"]}'), (b"\xff", '"_w=="')]
)
async def test_a_result_that_is_no_text_is_told_as_json(loopback: Loopback, result: Any, text: str) -> None:
    chat = Chat(loopback, chat_message(None, ("shop__buy", "{}")), chat_message("ok"))
    await talk(chat, [Plain("shop", "buy", result=result)])
    assert chat.told() == [text]


async def test_a_long_result_is_cut_and_read_on(loopback: Loopback) -> None:
    session = ToolSession([Plain("shop", "buy", result="x" * 800 + "y" * 800)])
    session.load(["shop__buy"])
    chat = Chat(
        loopback,
        chat_message(None, ("shop__buy", "{}")),
        chat_message(None, look("rest:1:800")),
        chat_message("ok"),
    )
    await talk(chat, session, max_result_tokens=200)
    assert "[Cut: characters 0 to 800 of 1600." in chat.told()[0]
    assert chat.told()[1] == "y" * 800


async def test_the_limit_of_turns_is_the_sdks(loopback: Loopback) -> None:
    chat = Chat(loopback, *[chat_message(None, ("shop__buy", "{}"))] * 3)
    with pytest.raises(MaxTurnsExceeded):
        await talk(chat, [Plain("shop", "buy")], max_turns=2)


async def test_no_tools_at_all_is_an_agent_without_tools(loopback: Loopback) -> None:
    for nothing in ([], ToolSession([])):
        assert charter_agent_tools(nothing) == []
        chat = Chat(loopback, chat_message("ok"))
        await talk(chat, nothing)
        assert "tools" not in chat.bodies()[-1]
