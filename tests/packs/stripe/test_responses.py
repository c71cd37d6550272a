"""What is kept of Stripe's answers: enough for the next step, and never an exception, whatever the answer is."""

import json
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from charter import Tool
from charter.packs import stripe
from tests.packs.stripe.arguments import make_variants

pytestmark = pytest.mark.anyio

LISTS = [tool for tool in stripe.TOOLS if tool.pagination]
SINGLE = [tool for tool in stripe.TOOLS if not tool.pagination and tool is not stripe.balance_retrieve]
ARGUMENTS = {tool.name: make_variants(tool)[0] for tool in stripe.TOOLS}
NAMES = (
    "id object status amount data has_more next_page url customer items lines price card last4 deleted metadata "
    "outcome last_payment_error code decline_code evidence evidence_details payment_method_details parent requirements"
).split()

members = st.sampled_from(NAMES)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
answers = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(members, inner, max_size=6),
    max_leaves=25,
)


def client_answering(body: Any) -> httpx2.AsyncClient:
    content, headers = json.dumps(body).encode(), {"Content-Type": "application/json"}
    transport = httpx2.MockTransport(lambda request: httpx2.Response(200, content=content, headers=headers))
    return httpx2.AsyncClient(transport=transport)


async def call(tool: Tool, client: httpx2.AsyncClient) -> Any:
    headers = {"Authorization": "Bearer sk_test_1"}
    return await tool.ainvoke(ARGUMENTS[tool.name], headers=headers, client=client)


async def answer_with(tool: Tool, body: Any) -> Any:
    async with client_answering(body) as client:
        return await call(tool, client)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(body=answers)
async def test_any_answer_gives_every_tool_a_result(body: Any) -> None:
    async with client_answering(body) as client:
        for tool in stripe.TOOLS:
            result = await call(tool, client)
            assert result or not body or None in body.values(), tool.name
            assert is_part_of(result, body), tool.name


def is_part_of(part: Any, whole: Any) -> bool:
    """Return whether nothing was added and no list was shortened."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and is_part_of(value, whole[key]) for key, value in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) == len(whole) and all(map(is_part_of, part, whole))
    return part == whole


@pytest.mark.parametrize("tool", LISTS, ids=lambda tool: tool.name)
async def test_a_page_keeps_ids_and_marks(tool: Tool) -> None:
    page = {
        "object": "list",
        "data": [{"id": "a", "object": "thing", "livemode": False, "noise": {}}],
        "has_more": True,
        "next_page": "p2",
        "url": "/v1/things",
    }
    kept = await answer_with(tool, page)
    assert kept == {"data": [{"id": "a"}], "has_more": True, "next_page": "p2", "url": "/v1/things"}


@pytest.mark.parametrize("tool", SINGLE, ids=lambda tool: tool.name)
async def test_one_object_keeps_its_id(tool: Tool) -> None:
    kept = await answer_with(tool, {"id": "a", "status": "s", "object": "thing", "noise": 1})
    assert kept["id"] == "a"
    assert "noise" not in kept


async def test_a_failed_payment_says_why() -> None:
    error = {
        "type": "card_error",
        "code": "card_declined",
        "decline_code": "insufficient_funds",
        "message": "Your card has insufficient funds.",
        "advice_code": "try_again_later",
        "doc_url": "https://a.example",
        "payment_method": {"id": "pm_1", "card": {"last4": "4242"}},
    }
    body = {"id": "pi_1", "amount_received": 0, "last_payment_error": error, "latest_charge": "ch_1"}
    for tool in (stripe.payment_intents_retrieve, stripe.payment_intents_create):
        kept = await answer_with(tool, body)
        assert kept["last_payment_error"] == {
            "type": "card_error",
            "code": "card_declined",
            "decline_code": "insufficient_funds",
            "advice_code": "try_again_later",
            "message": "Your card has insufficient funds.",
            "payment_method": {"id": "pm_1"},
        }
        assert (kept["amount_received"], kept["latest_charge"]) == (0, "ch_1")


async def test_a_charge_says_what_was_captured_refunded_and_why_it_failed() -> None:
    charge = {
        "id": "ch_1",
        "amount": 9,
        "amount_captured": 8,
        "amount_refunded": 3,
        "captured": True,
        "refunded": False,
        "failure_code": None,
        "outcome": {"type": "issuer_declined", "reason": "do_not_honor", "rule": {"id": "r"}},
        "payment_method_details": {"type": "card", "card": {"brand": "visa", "last4": "4242", "checks": {}}},
    }
    page = await answer_with(stripe.charges_list, {"data": [charge], "has_more": False})
    del charge["failure_code"]
    assert page["data"] == [
        {
            **charge,
            "outcome": {"type": "issuer_declined", "reason": "do_not_honor"},
            "payment_method_details": {"type": "card", "card": {"brand": "visa", "last4": "4242"}},
        }
    ]


async def test_a_nested_list_that_was_cut_stays_flagged() -> None:
    lines = {"has_more": True, "total_count": 40, "data": [{"id": "il_1", "amount": 5}], "url": "/v1/x"}
    invoice = await answer_with(stripe.invoices_retrieve, {"id": "in_1", "lines": lines})
    assert invoice["lines"] == {"has_more": True, "total_count": 40, "data": [{"id": "il_1", "amount": 5}]}
    items = {"has_more": True, "data": [{"id": "si_1", "price": {"id": "price_1", "object": "price"}}]}
    page = await answer_with(stripe.subscriptions_list, {"data": [{"id": "sub_1", "items": items}]})
    assert page["data"][0]["items"] == {
        "has_more": True,
        "data": [{"id": "si_1", "price": {"id": "price_1"}}],
    }


async def test_nulls_are_left_out_of_pages_and_objects() -> None:
    customer = {"id": "cus_1", "name": None, "invoice_settings": {"footer": None, "custom_fields": []}}
    kept = {"id": "cus_1", "invoice_settings": {"custom_fields": []}}
    assert await answer_with(stripe.customers_retrieve, customer) == kept
    page = {"data": [customer], "has_more": False, "next_page": None}
    assert await answer_with(stripe.products_search, page) == {"data": [{"id": "cus_1"}], "has_more": False}


async def test_a_dispute_shows_only_the_evidence_that_is_there() -> None:
    evidence = {"receipt": "file_1", "customer_name": None, "refund_policy": None}
    kept = await answer_with(stripe.disputes_retrieve, {"id": "dp_1", "evidence": evidence})
    assert kept == {"id": "dp_1", "evidence": {"receipt": "file_1"}}


async def test_what_was_asked_to_be_expanded_is_kept_whole() -> None:
    charge = {"id": "ch_1", "object": "charge", "outcome": {"network_status": "declined_by_network"}}
    kept = await answer_with(stripe.payment_intents_retrieve, {"id": "pi_1", "latest_charge": charge})
    assert kept["latest_charge"] == charge


async def test_a_large_answer_gets_small() -> None:
    noise = {f"setting_{at}": {"enabled": False, "value": "x" * 40} for at in range(60)}
    page = {"data": [{"id": f"sub_{at}", "status": "active", **noise} for at in range(10)], "has_more": False}
    kept = await answer_with(stripe.subscriptions_list, page)
    assert len(json.dumps(kept)) < len(json.dumps(page)) / 50
