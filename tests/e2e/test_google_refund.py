"""A refund from beginning to end through the real google-genai client."""

import json
from typing import Any

import pytest
from google import genai

from charter import ToolSession
from charter.adapters.google import RunResult, ToolCalled, run
from tests.counterparties.aimock import Aimock
from tests.e2e.bodies import is_growing, read_member
from tests.e2e.shop import LOADED, WISH, Shop, script

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore:Inheritance class:DeprecationWarning"),  # google-genai on aiohttp
]

ASK: list[Any] = [{"role": "user", "parts": [{"text": WISH}]}]


@pytest.mark.parametrize("stream", [True, False])
async def test_a_refund_is_found_by_search_made_and_there_afterwards(
    aimock: Aimock, shop: Shop, session: ToolSession, stream: bool
) -> None:
    intent = shop.pay(900)
    aimock.script([{**reply, "finishReason": "stop"} for reply in script(intent)])
    client = genai.Client(api_key="x", http_options={"base_url": aimock.gemini_url, "api_version": "v1beta"})
    try:
        if stream:
            events = await run(client, model="m", messages=ASK, session=session, stream=True)
            seen = [event async for event in events]
            result = seen[-1]
            assert [event.name for event in seen if isinstance(event, ToolCalled)][2:3] == [LOADED[1]]
        else:
            result = await run(client, model="m", messages=ASK, session=session)
    finally:
        await client.aio.aclose()
        client.close()
    assert isinstance(result, RunResult)
    assert (result.content, result.stop, result.turns) == ("Refunded.", "end", 5)
    assert session.loaded == LOADED
    assert shop.refunds() == [(intent, 250)]
    told = [message["parts"][0]["function_response"]["response"] for message in result.messages[2::2]]
    assert json.loads(told[1]["output"])["data"][0]["id"] == intent

    bodies = [sent.body.decode() for sent in aimock.requests()]
    lists = [read_member(read_member(body, "tools")[1:-1], "functionDeclarations") for body in bodies]
    assert is_growing(lists)
    assert [tool["name"] for tool in json.loads(lists[-1])] == ["ToolSearch", *LOADED]
