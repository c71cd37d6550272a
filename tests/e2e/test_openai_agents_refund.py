"""A refund from beginning to end through an agent of the OpenAI Agents SDK over the real openai client."""

import json
from typing import Any

import pytest
from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    RunConfig,
    Runner,
)
from openai import AsyncOpenAI

from charter import ToolSession
from charter.adapters.openai_agents import charter_agent_tools
from tests.counterparties.aimock import Aimock
from tests.e2e.bodies import is_growing, read_tools
from tests.e2e.shop import LOADED, WISH, Shop, script

pytestmark = pytest.mark.anyio


def read_names(tools: str) -> list[str]:
    return [tool.get("function", tool)["name"] for tool in json.loads(tools)]


@pytest.mark.parametrize("kind", [OpenAIChatCompletionsModel, OpenAIResponsesModel])
@pytest.mark.parametrize("stream", [True, False])
async def test_a_refund_is_found_by_search_made_and_there_afterwards(
    aimock: Aimock, shop: Shop, session: ToolSession, kind: Any, stream: bool
) -> None:
    intent = shop.pay(900)
    aimock.script(script(intent))
    config = RunConfig(tracing_disabled=True)
    async with AsyncOpenAI(base_url=aimock.openai_url, api_key="x", max_retries=0) as client:
        model = kind("m", openai_client=client)
        agent = Agent(name="shop", model=model, tools=[*charter_agent_tools(session)])
        if stream:
            result: Any = Runner.run_streamed(agent, WISH, run_config=config)
            async for _ in result.stream_events():
                pass
        else:
            result = await Runner.run(agent, WISH, run_config=config)
    assert result.final_output == "Refunded."
    assert session.loaded == LOADED
    assert shop.refunds() == [(intent, 250)]
    lists = read_tools(aimock)
    assert is_growing(lists)
    assert read_names(lists[-1]) == ["ToolSearch", *LOADED]
