"""A refund from beginning to end through the real anthropic client and its runner, by reference and growing."""

import json
from typing import Any

import anthropic
import pytest

from charter import ToolSession
from charter.adapters.anthropic import RunResult, ToolCalled, run, to_runner_tools
from tests.counterparties.aimock import Aimock
from tests.e2e.bodies import is_growing, is_steady, read_tools
from tests.e2e.shop import LOADED, WISH, Shop, script

pytestmark = pytest.mark.anyio

ASK: list[Any] = [{"role": "user", "content": WISH}]


def connect(aimock: Aimock) -> anthropic.AsyncAnthropic:
    return anthropic.AsyncAnthropic(base_url=aimock.anthropic_url, api_key="x", max_retries=0)


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("stream", [True, False])
async def test_a_refund_is_found_by_search_made_and_there_afterwards(
    aimock: Aimock, shop: Shop, session: ToolSession, native: bool, stream: bool
) -> None:
    intent = shop.pay(900)
    aimock.script(script(intent))
    async with connect(aimock) as client:
        if stream:
            events = await run(client, model="m", messages=ASK, session=session, native=native, stream=True)
            seen = [event async for event in events]
            result = seen[-1]
            assert [event.name for event in seen if isinstance(event, ToolCalled)][2:3] == [LOADED[1]]
        else:
            result = await run(client, model="m", messages=ASK, session=session, native=native)
    assert isinstance(result, RunResult)
    assert (result.content, result.stop, result.turns) == ("Refunded.", "end", 5)
    assert session.loaded == LOADED
    assert shop.refunds() == [(intent, 250)]
    told = [message["content"][0]["content"] for message in result.messages[2::2]]
    assert json.loads(told[1])["data"][0]["id"] == intent
    assert json.loads(told[2])["amount"] == 250

    lists = read_tools(aimock)
    assert is_steady(lists) if native else is_growing(lists)
    tools = aimock.bodies()[-1]["tools"]
    if native:
        assert told[0] == [{"type": "tool_reference", "tool_name": name} for name in LOADED[:2]]
        assert told[3] == [{"type": "tool_reference", "tool_name": LOADED[2]}]
        assert len(tools) == 1 + len(session.tools)
        assert [tool["name"] for tool in tools if not tool.get("defer_loading")] == ["ToolSearch"]
    else:
        assert [tool["name"] for tool in tools] == ["ToolSearch", *LOADED]


async def test_the_clients_own_runner_makes_the_refund(
    aimock: Aimock, shop: Shop, session: ToolSession
) -> None:
    intent = shop.pay(900)
    aimock.script(script(intent))
    async with connect(aimock) as client:
        runner = client.beta.messages.tool_runner(
            model="m", max_tokens=1_000, messages=ASK, tools=to_runner_tools(session)
        )
        last = await runner.until_done()
    assert last.content[0].text == "Refunded."
    assert shop.refunds() == [(intent, 250)]
    assert session.loaded == LOADED
    bodies = aimock.bodies()
    assert sum("tools" in body for body in bodies) in (1, len(bodies))  # the SDK may send them once
    told = bodies[1]["messages"][-1]["content"][0]["content"]
    assert told == [{"type": "tool_reference", "tool_name": name} for name in LOADED[:2]]


async def test_a_session_rebuilt_from_the_transcript_sends_the_same_bytes_and_goes_on(
    aimock: Aimock, shop: Shop, session: ToolSession
) -> None:
    aimock.script([*script(shop.pay(900)), *script(shop.pay(700))[1:2], *script("")[-1:]])
    async with connect(aimock) as client:
        result = await run(client, model="m", messages=ASK, session=session)
        again = ToolSession(session.tools.values())
        again.replay(result.messages)
        more = [*result.messages, {"role": "user", "content": "Which payment was it?"}]
        await run(client, model="m", messages=more, session=again)
    assert again.loaded == session.loaded
    assert is_steady(read_tools(aimock))
