"""How answers end and what is kept of them: every case through every loop, with the providers' own clients.

The providers are in tests/counterparties/providers.py; each refuses a conversation that it would not take back.
"""

import json
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import agents
import httpx2
import openai
import pytest
from agents.exceptions import ModelBehaviorError
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from charter import ModelError, ToolSession
from charter.adapters.langchain import CharterMiddleware
from charter.adapters.openai_agents import charter_agent_tools
from charter.adapters.pydantic_ai import CharterToolset
from charter.discovery.conversation import RunResult
from tests.adapters.conversing import Plain
from tests.counterparties.loopback import Loopback
from tests.counterparties.providers import PROVIDERS, Provider, Said

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore:Inheritance class:DeprecationWarning"),  # google-genai on aiohttp
]

BUY = ("shop__buy", "{}")
REASONS = {"length": "length", "window": "length", "filtered": "content_filter", "refused": "refusal"}


async def talk(
    provider: Provider, session: Any, *, stream: bool, messages: Any = None, **options: Any
) -> RunResult:
    """Run to the end; with `stream` over the iterator, whose pieces of text have to be the answer's."""
    asked = provider.ask() if messages is None else messages
    async with provider.client() as client:
        ran = await provider.run(client, model="m", messages=asked, session=session, stream=stream, **options)
        if not stream:
            return ran
        events = [event async for event in ran]
    return events[-1]


async def go_on(provider: Provider, messages: list[Any], *, stream: bool) -> None:
    """Send a conversation again with another question, which a strict server refuses if it can."""
    provider.script[:] = [Said("on")]
    result = await talk(provider, [], stream=stream, messages=[*messages, *provider.ask()])
    assert result.content == "on"


@dataclass(frozen=True)
class Case:
    """One answer, what becomes of its calls, and what the model is told; `None` where it is not looked at."""

    said: Said
    told: tuple[str, ...]
    called: int = 0
    only: tuple[str, ...] = tuple(PROVIDERS)
    streams: tuple[bool, ...] = (False, True)


CASES: dict[str, Case] = {
    f"a call of an answer that ended in {ending} with {arguments or 'no'} arguments is not made": Case(
        Said("No." if ending == "refused" else "", (("shop__buy", arguments),), ending), ("cut",)
    )
    for ending in ("length", "window", "filtered", "refused")
    for arguments in ("", "{}")
}
CASES |= {
    "a call of a stream that broke off is not made": Case(
        Said("Buying.", (BUY,), "nothing"), ("cut",), streams=(True,)
    ),
    "no call of an answer that was cut is made, the whole ones neither": Case(
        Said("", (BUY, ("shop__buy", "")), "length"), ("cut", "cut")
    ),
    "malformed arguments are told and kept as none": Case(
        Said("", (("shop__buy", '{"a": 1'),)), ("not JSON",), only=("chat", "responses")
    ),
    "malformed arguments of a stream are told and kept as none": Case(
        Said("", (("shop__buy", '{"a": 1'),)), ("not JSON",), only=("anthropic",), streams=(True,)
    ),
    "arguments that are no object are told and kept as none": Case(
        Said("", (("shop__buy", "[1]"),)), ("Send one JSON object",), only=("chat", "responses")
    ),
    "no arguments are none": Case(Said("", (("shop__buy", ""),)), ("done",), called=1),
    "ids that come twice are told apart": Case(
        Said("", ((*BUY, "x"), (*BUY, "x"))), ("done", "done"), called=2
    ),
    "empty ids are made": Case(Said("", ((*BUY, ""), (*BUY, ""))), ("done", "done"), called=2),
    "null ids are made": Case(
        Said("", ((*BUY, None), (*BUY, None))),
        ("done", "done"),
        called=2,
        only=("chat", "anthropic", "google"),
    ),
    "a name that no server takes back is told and kept as one that it takes": Case(
        Said("", (("shop.buy it", "{}"),)), ("there is no such tool",)
    ),
    "blank text beside a call is left out": Case(Said("\n\n ", (BUY,)), ("done",), called=1),
    "thoughts before a call stay": Case(Said("", (BUY,), thought="Hm, hm."), ("done",), called=1),
    "half a character in a name and beside broken arguments ends nothing": Case(
        Said("", (("shop__\ud83d", '{"a": '),)), ("",), only=("chat", "responses")
    ),
    "half a character in the name of an argument ends nothing": Case(
        Said("", (("shop__buy", '{"query": "refund", "\\ud83d": 1}'),)),
        ("",),
        only=("chat", "responses"),
    ),
}


def spread(cases: dict[str, Case]) -> Iterator[Any]:
    for title, case in cases.items():
        for name in case.only:
            known = case.said.ending in (*PROVIDERS[name].words, "nothing")
            for stream in case.streams if known else ():
                yield pytest.param(
                    case, name, stream, id=f"{title}, {name}, {'streamed' if stream else 'whole'}"
                )


@pytest.mark.parametrize(("case", "name", "stream"), list(spread(CASES)))
async def test_every_call_is_made_or_told_and_the_conversation_can_go_on(
    case: Case, name: str, stream: bool, loopback: Loopback
) -> None:
    provider = PROVIDERS[name](loopback, case.said, Said("ok"))
    tool = Plain("shop", "buy")
    result = await talk(provider, [tool], stream=stream)
    assert (result.content, result.stop, result.finish_reason) == ("ok", "end", "stop")
    assert len(tool.called) == case.called
    told = provider.told()
    assert len(told) == len(case.told)
    assert all(part in text for part, text in zip(case.told, told, strict=True)), told
    await go_on(provider, result.messages, stream=stream)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("ending", ["whole", "length", "window", "filtered", "refused"])
@pytest.mark.parametrize("name", PROVIDERS)
async def test_the_result_says_how_the_last_answer_ended(
    name: str, ending: str, stream: bool, loopback: Loopback
) -> None:
    if ending not in PROVIDERS[name].words:
        return
    provider = PROVIDERS[name](loopback, Said("Half an", (), ending, thought="Hm."))
    result = await talk(provider, [], stream=stream)
    assert (result.content, result.stop) == ("Half an", "end")
    assert result.finish_reason == REASONS.get(ending, "stop")
    assert result.provider_finish_reason == provider.words[ending]
    await go_on(provider, result.messages, stream=stream)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", PROVIDERS)
async def test_an_answer_that_was_cut_in_its_reasoning_is_not_kept(
    name: str, stream: bool, loopback: Loopback
) -> None:
    provider = PROVIDERS[name](loopback, Said("", (), "length", thought="Hm."))
    result = await talk(provider, [], stream=stream)
    assert (result.content, result.finish_reason) == ("", "length")
    await go_on(provider, result.messages, stream=stream)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("ending", ["error", "failed", "nothing"])
@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("before", [(), (Said("", (BUY,)),)], ids=["at once", "after a call"])
async def test_a_provider_that_fails_is_one_error_with_what_there_was(
    before: tuple[Said, ...], name: str, ending: str, stream: bool, loopback: Loopback
) -> None:
    kind = PROVIDERS[name]
    if ending not in (*kind.words, "nothing") or not (stream or (kind.whole_errors and ending != "nothing")):
        return
    provider = kind(loopback, *before, Said("Half an", (), ending))
    with pytest.raises(ModelError) as raised:
        await talk(provider, [Plain("shop", "buy")], stream=stream)
    error = raised.value
    assert error.content == ("Half an" if stream or name == "chat" else "")
    assert error.ran_tools is error.may_have_taken_effect is bool(before)
    assert len(error.messages) == 1 + 2 * len(before)
    assert ("overloaded" in str(error)) == (ending != "nothing" and not (name == "chat" and stream))
    again = pickle.loads(pickle.dumps(error))
    assert (again.content, again.messages, again.ran_tools, again.code) == (
        error.content,
        error.messages,
        error.ran_tools,
        "model_error",
    )
    await go_on(provider, error.messages, stream=stream)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_search_is_no_tool_that_ran(name: str, stream: bool, loopback: Loopback) -> None:
    search = Said("", (("ToolSearch", '{"query": "select:shop__buy"}'), ("shop__bye", "{}")))
    provider = PROVIDERS[name](loopback, search, Said("Half", (), "nothing"))
    if not stream:
        return
    with pytest.raises(ModelError) as raised:
        await talk(provider, ToolSession([Plain("shop", "buy")]), stream=True)
    assert raised.value.ran_tools is False


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", PROVIDERS)
async def test_the_hosts_headers_reach_every_call(name: str, stream: bool, loopback: Loopback) -> None:
    provider = PROVIDERS[name](loopback, Said("", (BUY, BUY)), Said("ok"))
    tool, headers = Plain("shop", "buy"), {"Stripe-Account": "acct_1", "X-None": None}
    await talk(provider, [tool], stream=stream, headers=headers)
    assert [options for _, options in tool.called] == [{"headers": headers}] * 2


async def run_langchain(url: str, tool: Plain, streams: bool) -> str:
    async with httpx2.AsyncClient(verify=False) as http:
        model = ChatOpenAI(
            model="m", base_url=url, api_key="x", max_retries=0, streaming=streams, http_async_client=http
        )
        agent: Any = create_agent(model, tools=[], middleware=[CharterMiddleware([tool])])
        state = await agent.ainvoke({"messages": [{"role": "user", "content": "Do it."}]})
    return state["messages"][-1].text


async def run_pydantic_ai(url: str, tool: Plain, streams: bool) -> str:
    async with openai.AsyncOpenAI(base_url=url, api_key="x", max_retries=0) as client:
        model = OpenAIChatModel("m", provider=OpenAIProvider(openai_client=client))
        agent = Agent(model, toolsets=[CharterToolset([tool])])
        if not streams:
            return (await agent.run("Do it.")).output
        async with agent.run_stream("Do it.") as answer:
            return await answer.get_output()


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("ending", ["length", "filtered"])
@pytest.mark.parametrize("run", [run_langchain, run_pydantic_ai])
async def test_a_call_that_was_cut_is_not_made_in_a_frameworks_loop_either(
    run: Callable[..., Any], ending: str, stream: bool, loopback: Loopback
) -> None:
    provider = PROVIDERS["chat"](loopback, Said("", (BUY,), ending), Said("ok"))
    tool = Plain("shop", "buy")
    assert await run(f"{loopback.url}v1", tool, stream) == "ok"
    assert tool.called == []
    assert ["cut" in text for text in provider.told()] == [True]


@pytest.mark.parametrize("ending", ["length", "filtered"])
async def test_the_agents_sdk_itself_refuses_an_answer_that_was_cut(ending: str, loopback: Loopback) -> None:
    PROVIDERS["responses"](loopback, Said("", (BUY,), ending), Said("ok"))
    tool = Plain("shop", "buy")
    async with openai.AsyncOpenAI(base_url=f"{loopback.url}v1", api_key="x", max_retries=0) as client:
        agent = agents.Agent(
            name="till", model=agents.OpenAIResponsesModel("m", client), tools=charter_agent_tools([tool])
        )
        with pytest.raises(ModelBehaviorError):
            await agents.Runner.run(agent, "Do it.")
    assert tool.called == []


def test_the_providers_refuse_what_they_are_there_to_refuse() -> None:
    call = {"id": "", "function": {"name": "a", "arguments": "{}"}}
    chat = {"messages": [{"role": "assistant", "tool_calls": [call]}]}
    blank = {"messages": [{"role": "assistant", "content": [{"type": "text", "text": " "}]}]}
    alone = {"input": [{"type": "reasoning"}]}
    empty = {"contents": [{"role": "model", "parts": []}]}
    for kind, body in zip(PROVIDERS.values(), (chat, alone, blank, empty), strict=True):
        assert kind.find_refusal(kind, body), json.dumps(body)
