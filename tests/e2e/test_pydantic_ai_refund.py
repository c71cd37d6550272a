"""A refund from beginning to end through a pydantic-ai agent over the real openai client."""

import json

import pytest
from openai import AsyncOpenAI
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from charter import ToolSession
from charter.adapters.pydantic_ai import CharterToolset
from tests.counterparties.aimock import Aimock
from tests.e2e.bodies import is_growing, read_tools
from tests.e2e.shop import LOADED, WISH, Shop, script

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("stream", [True, False])
async def test_a_refund_is_found_by_search_made_and_there_afterwards(
    aimock: Aimock, shop: Shop, session: ToolSession, stream: bool
) -> None:
    intent = shop.pay(900)
    aimock.script(script(intent))
    async with AsyncOpenAI(base_url=aimock.openai_url, api_key="x", max_retries=0) as client:
        model = OpenAIChatModel("m", provider=OpenAIProvider(openai_client=client))
        agent = Agent(model, toolsets=[CharterToolset(session)])
        if stream:
            async with agent.run_stream(WISH) as answer:
                assert await answer.get_output() == "Refunded."
        else:
            assert (await agent.run(WISH)).output == "Refunded."
    assert session.loaded == LOADED
    assert shop.refunds() == [(intent, 250)]
    lists = read_tools(aimock)
    assert is_growing(lists)
    assert [tool["function"]["name"] for tool in json.loads(lists[-1])] == ["ToolSearch", *LOADED]
