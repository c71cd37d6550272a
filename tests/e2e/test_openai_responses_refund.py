"""A refund from beginning to end through the real openai client's Responses, in a growing list and by tool search."""

import json
from typing import Any

import openai
import pytest

from charter import ToolSession
from charter.adapters.openai_responses import RunResult, ToolCalled, run
from tests.counterparties.aimock import Aimock
from tests.counterparties.loopback import Loopback
from tests.counterparties.responses import Responses
from tests.e2e.bodies import is_growing, is_steady, read_member, read_tools
from tests.e2e.shop import LOADED, SEARCH, WISH, Shop, script

pytestmark = pytest.mark.anyio

ASK: list[Any] = [{"role": "user", "content": WISH}]


async def converse(
    url: str, session: ToolSession, *, stream: bool, native: bool, messages: Any = ASK, **options: Any
) -> RunResult:
    async with openai.AsyncOpenAI(base_url=url, api_key="x", max_retries=0) as client:
        asked = {"model": "m", "messages": messages, "session": session, "native": native, **options}
        if not stream:
            return await run(client, **asked)
        seen = [event async for event in await run(client, stream=True, **asked)]
    assert [event.name for event in seen if isinstance(event, ToolCalled)][2:3] in ([LOADED[1]], [])
    assert isinstance(seen[-1], RunResult)
    return seen[-1]


@pytest.mark.parametrize("stream", [True, False])
async def test_a_refund_is_made_with_a_growing_list(
    aimock: Aimock, shop: Shop, session: ToolSession, stream: bool
) -> None:
    intent = shop.pay(900)
    aimock.script(script(intent))
    result = await converse(aimock.openai_url, session, stream=stream, native=False)
    assert (result.content, result.stop, result.turns) == ("Refunded.", "end", 5)
    assert session.loaded == LOADED
    assert shop.refunds() == [(intent, 250)]
    lists = read_tools(aimock)
    assert is_growing(lists)
    assert [tool["name"] for tool in json.loads(lists[-1])] == ["ToolSearch", *LOADED]


def script_native(intent: str) -> list[list[dict[str, Any]]]:
    """Return the same five answers with the provider's own tool search, and reasoning before each."""
    refund = {"paymentIntent": intent, "amount": "250", "charge": None}
    items: list[dict[str, Any]] = [
        Responses.search(SEARCH),
        Responses.call("payment_intents_list", {"limit": 1}, "list", namespace="stripe"),
        Responses.call("refunds_create", refund, "refund", namespace="stripe"),
        Responses.search({"query": "select:gmail__messages_send"}, "more"),
        Responses.text("Refunded."),
    ]
    return [[Responses.reasoning(f"rs_{at}"), item] for at, item in enumerate(items)]


@pytest.mark.parametrize("stream", [True, False])
async def test_a_refund_is_made_by_the_providers_tool_search(
    loopback: Loopback, shop: Shop, session: ToolSession, stream: bool
) -> None:
    intent = shop.pay(900)
    provider = Responses(loopback, script_native(intent))
    result = await converse(provider.url, session, stream=stream, native=True)
    assert (result.content, result.stop, result.turns) == ("Refunded.", "end", 5)
    assert session.loaded == LOADED
    assert shop.refunds() == [(intent, 250)]

    bodies = provider.bodies()
    assert is_steady([read_member(body, "tools") for body in bodies])
    [search] = json.loads(bodies[0])["tools"]
    assert (search["type"], search["execution"]) == ("tool_search", "client")
    sent = json.loads(bodies[-1])["input"]
    assert [item["id"] for item in sent if item.get("type") == "reasoning"] == [f"rs_{at}" for at in range(4)]
    shown = [item for item in sent if item.get("type") == "tool_search_output"]
    assert [
        f"{pack['name']}__{tool['name']}"
        for output in shown
        for pack in output["tools"]
        for tool in pack["tools"]
    ] == LOADED
    assert len(shown[0]["tools"]) == 1  # two tools, one namespace
    assert [item["namespace"] for item in sent if item.get("type") == "function_call"] == ["stripe"] * 2


async def test_a_session_rebuilt_from_the_transcript_sends_the_same_bytes_and_goes_on(
    loopback: Loopback, shop: Shop, session: ToolSession
) -> None:
    listing = Responses.call("payment_intents_list", {"limit": 1}, namespace="stripe")
    provider = Responses(
        loopback, [*script_native(shop.pay(900)), [listing], [Responses.text("It was the last.")]]
    )
    result = await converse(provider.url, session, stream=False, native=True)
    again = ToolSession(session.tools.values())
    again.replay(result.messages)
    assert again.loaded == session.loaded
    more = [*result.messages, {"role": "user", "content": "Which payment was it?"}]
    result = await converse(provider.url, again, stream=False, native=True, messages=more)
    assert result.content == "It was the last."
    assert '"id":"pi_' in result.messages[-2]["output"]
    assert is_steady([read_member(body, "tools") for body in provider.bodies()])
