"""A refund from beginning to end: the real openai client, Gmail and Stripe together, a Stripe that keeps state."""

import json
from typing import Any

import openai
import pytest

from charter import ToolSession, json_tokens
from charter.adapters.openai import RunResult, ToolCalled, run, to_openai_tools
from charter.packs import gmail, stripe
from tests.counterparties.aimock import Aimock
from tests.e2e.bodies import is_growing, read_tools
from tests.e2e.shop import LOADED, WISH, Shop, script

pytestmark = pytest.mark.anyio

ASK: list[Any] = [{"role": "user", "content": WISH}]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_refund_is_found_by_search_made_and_there_afterwards(
    aimock: Aimock, shop: Shop, session: ToolSession, stream: bool
) -> None:
    intent = shop.pay(900)
    aimock.script(script(intent))
    async with openai.AsyncOpenAI(base_url=aimock.openai_url, api_key="x", max_retries=0) as client:
        if stream:
            events = await run(client, model="m", messages=ASK, session=session, stream=True)
            seen = [event async for event in events]
            result = seen[-1]
            assert [event.name for event in seen if isinstance(event, ToolCalled)][
                2
            ] == "stripe__refunds_create"
        else:
            result = await run(client, model="m", messages=ASK, session=session)
    assert isinstance(result, RunResult)
    assert (result.content, result.stop, result.turns) == ("Refunded.", "end", 5)
    assert session.loaded == LOADED

    assert shop.refunds() == [(intent, 250)]
    told = [json.loads(message["content"]) for message in result.messages if message["role"] == "tool"]
    assert told[1]["data"][0]["id"] == intent
    assert told[2]["amount"] == 250

    assert is_growing(read_tools(aimock))
    assert [len(body["tools"]) for body in aimock.bodies()] == [1, 3, 3, 3, 4]


async def test_a_session_rebuilt_from_the_transcript_sends_the_same_bytes(
    aimock: Aimock, shop: Shop, session: ToolSession
) -> None:
    aimock.script(script(shop.pay(900)))
    async with openai.AsyncOpenAI(base_url=aimock.openai_url, api_key="x", max_retries=0) as client:
        result = await run(client, model="m", messages=ASK, session=session)
    again = ToolSession([*gmail.TOOLS, *stripe.TOOLS])
    again.replay(result.messages)
    assert json.dumps(to_openai_tools(again)) == json.dumps(to_openai_tools(session))


def test_the_first_turn_of_both_packs_costs_at_most_a_thousand_tokens(session: ToolSession) -> None:
    assert json_tokens(to_openai_tools(session)) <= 1_000
    assert len(session.tools) == 99
