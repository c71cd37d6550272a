"""A refund from beginning to end through a LangChain agent: sync and async, streamed, over the real chat client."""

import json
from typing import Any

import anyio.to_thread
import httpx2
import pytest
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI

from charter import ToolSession
from charter.adapters.langchain import CharterMiddleware
from tests.counterparties.aimock import Aimock
from tests.e2e.bodies import is_growing, read_tools
from tests.e2e.shop import LOADED, WISH, Shop, script

pytestmark = pytest.mark.anyio

ASK: Any = {"messages": [{"role": "user", "content": WISH}]}


def run_stream(agent: Any) -> Any:
    return list(agent.stream(ASK, stream_mode="values"))[-1]


async def arun_stream(agent: Any) -> Any:
    return [state async for state in agent.astream(ASK, stream_mode="values")][-1]


@pytest.mark.parametrize("way", ["invoke", "ainvoke", "stream", "astream"])
async def test_a_refund_is_found_by_search_made_and_there_afterwards(
    aimock: Aimock, shop: Shop, session: ToolSession, way: str
) -> None:
    intent = shop.pay(900)
    aimock.script(script(intent))
    async with httpx2.AsyncClient() as http:
        state = await go_through(way, session, aimock.openai_url, http)
    messages = state["messages"]
    assert messages[-1].content == "Refunded."
    told = [json.loads(message.content) for message in messages if message.type == "tool"]
    assert told[1]["data"][0]["id"] == intent
    assert shop.refunds() == [(intent, 250)]
    assert session.loaded == []  # what was loaded is the thread's
    lists = read_tools(aimock)
    assert is_growing(lists)
    assert [tool["function"]["name"] for tool in json.loads(lists[-1])] == ["ToolSearch", *LOADED]


async def go_through(way: str, session: ToolSession, url: str, http: httpx2.AsyncClient) -> Any:
    model = ChatOpenAI(model="m", base_url=url, api_key="x", max_retries=0, http_async_client=http)
    agent = create_agent(model, tools=[], middleware=[CharterMiddleware(session)])
    match way:
        case "invoke":
            return await anyio.to_thread.run_sync(agent.invoke, ASK)
        case "stream":
            return await anyio.to_thread.run_sync(run_stream, agent)
        case "astream":
            return await arun_stream(agent)
        case _:
            return await agent.ainvoke(ASK)
