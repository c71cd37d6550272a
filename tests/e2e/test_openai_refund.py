"""A refund from beginning to end: the real openai client, Gmail and Stripe together, a Stripe that keeps state."""

import json
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import openai
import pytest

import charter
from charter import ToolSession, json_tokens
from charter.adapters.openai import RunResult, ToolCalled, run, to_openai_tools
from charter.packs import gmail, stripe
from charter.packs.stripe.api import api
from tests.counterparties.aimock import Aimock, calls, text

pytestmark = pytest.mark.anyio

KEY = "sk_test_123"
ASK: list[Any] = [{"role": "user", "content": "Customer mail@example.com wants the last payment back."}]


class Stripe:
    """localstripe, asked without Charter."""

    def __init__(self, url: str) -> None:
        self.url = url

    def ask(self, path: str, **form: Any) -> Any:
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(f"{self.url}/v1/{path}", data, {"Authorization": f"Bearer {KEY}"})
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def pay(self, amount: int) -> str:
        """Make a customer who has paid, and return the id of the payment intent."""
        customer = self.ask("customers", email="mail@example.com")["id"]
        card = {
            "card[number]": "4242424242424242",
            "card[exp_month]": 12,
            "card[exp_year]": 2035,
            "card[cvc]": 123,
        }
        method = self.ask("payment_methods", type="card", **card)["id"]
        self.ask(f"payment_methods/{method}/attach", customer=customer)
        paid = {"customer": customer, "payment_method": method, "confirm": "true"}
        intent = self.ask("payment_intents", amount=amount, currency="eur", **paid)
        assert intent["status"] == "succeeded"
        return intent["id"]


@pytest.fixture
async def shop(localstripe_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stripe]:
    monkeypatch.setattr(api, "base_url", f"{localstripe_url}/")
    monkeypatch.setenv("STRIPE_API_KEY", KEY)
    yield Stripe(localstripe_url)
    await charter.aclose()


@pytest.fixture
def session() -> ToolSession:
    return ToolSession([*gmail.TOOLS, *stripe.TOOLS])


def _script(aimock: Aimock, intent: str) -> None:
    aimock.script(
        [
            calls(
                (
                    "ToolSearch",
                    {"query": "+stripe list payment intents; +stripe create refund", "max_results": 1},
                )
            ),
            calls(("stripe__payment_intents_list", {"limit": 1})),
            calls(("stripe__refunds_create", {"paymentIntent": intent, "amount": "250", "charge": None})),
            calls(("ToolSearch", {"query": "select:gmail__messages_send"})),
            text("Refunded."),
        ]
    )


@pytest.mark.parametrize("stream", [False, True])
async def test_a_refund_is_found_by_search_made_and_there_afterwards(
    aimock: Aimock, shop: Stripe, session: ToolSession, stream: bool
) -> None:
    intent = shop.pay(900)
    _script(aimock, intent)
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
    assert session.loaded == [
        "stripe__payment_intents_list",
        "stripe__refunds_create",
        "gmail__messages_send",
    ]

    refunds = shop.ask("refunds")["data"]
    assert [(refund["payment_intent"], refund["amount"]) for refund in refunds] == [(intent, 250)]
    told = [json.loads(message["content"]) for message in result.messages if message["role"] == "tool"]
    assert told[1]["data"][0]["id"] == intent
    assert (told[2]["id"], told[2]["amount"]) == (refunds[0]["id"], 250)

    tools = [json.dumps(body["tools"], ensure_ascii=False) for body in aimock.journal()]
    assert len(tools) == 5
    assert all(later.startswith(earlier[:-1]) for earlier, later in pairwise(tools))
    raw = [request.body.decode() for request in aimock.requests()]
    assert all(
        json.dumps(body["tools"], separators=(",", ":"), ensure_ascii=False) in sent
        for body, sent in zip(aimock.journal(), raw, strict=True)
    )
    assert [len(body["tools"]) for body in aimock.journal()] == [1, 3, 3, 3, 4]


async def test_a_session_rebuilt_from_the_transcript_sends_the_same_bytes(
    aimock: Aimock, shop: Stripe, session: ToolSession
) -> None:
    _script(aimock, shop.pay(900))
    async with openai.AsyncOpenAI(base_url=aimock.openai_url, api_key="x", max_retries=0) as client:
        result = await run(client, model="m", messages=ASK, session=session)
    again = ToolSession([*gmail.TOOLS, *stripe.TOOLS])
    again.replay(result.messages)
    assert json.dumps(to_openai_tools(again)) == json.dumps(to_openai_tools(session))


def test_the_first_turn_of_both_packs_costs_at_most_a_thousand_tokens(session: ToolSession) -> None:
    assert json_tokens(to_openai_tools(session)) <= 1_000
    assert len(session.tools) == 95
