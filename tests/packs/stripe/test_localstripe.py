"""Stripe tools at work on localstripe, a Stripe in memory that refuses members it does not know."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
import pytest

from charter import APIError, ApiKey, Tool
from charter.packs import stripe
from charter.packs.stripe.api import api

pytestmark = pytest.mark.anyio

CARD = {"number": "4242424242424242", "exp_month": 12, "exp_year": 2035, "cvc": "123"}
CARD_THAT_FAILS_LATER = {**CARD, "number": "4000000000000341"}


@pytest.fixture
def _local(localstripe_url: str) -> Iterator[None]:
    base_url, auth = api.base_url, api.auth
    stripe.configure(
        base_url=localstripe_url, auth=ApiKey("sk_test_123", header="Authorization", prefix="Bearer ")
    )
    yield
    api.base_url, api.auth = base_url, auth


@pytest.fixture
async def client(localstripe_url: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient() as client:
        yield client


class Shop:
    """Calls tools, and makes by hand what no tool makes."""

    def __init__(self, client: httpx2.AsyncClient, url: str) -> None:
        self.client, self.url = client, url

    async def call(self, tool: Tool, **arguments: Any) -> Any:
        return await tool.ainvoke(arguments, client=self.client)

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = await self.client.post(
            f"{self.url}/{path}", json=body, headers={"Authorization": "Bearer sk_test_123"}
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def customer_with_card(self, card: dict[str, Any]) -> tuple[str, str]:
        customer = (await self.call(stripe.customers_create, email="ann@shop.example"))["id"]
        method = (await self.post("v1/payment_methods", {"type": "card", "card": card}))["id"]
        saved = await self.call(stripe.payment_methods_attach, payment_method=method, customer=customer)
        assert saved["customer"] == customer
        return customer, method

    async def customer_with_subscription(self) -> tuple[str, str, str]:
        customer, method = await self.customer_with_card(CARD)
        settings = {"default_payment_method": method}
        await self.call(stripe.customers_update, customer=customer, invoice_settings=settings)
        product = (await self.call(stripe.products_create, name="Tea", type="service"))["id"]
        plan = {"amount": 500, "currency": "eur", "interval": "month", "product": product}
        items = [{"plan": (await self.post("v1/plans", plan))["id"]}]
        made = await self.post("v1/subscriptions", {"customer": customer, "items": items})
        return customer, product, made["id"]


@pytest.fixture
def shop(_local: None, client: httpx2.AsyncClient, localstripe_url: str) -> Shop:
    return Shop(client, localstripe_url)


async def test_a_customer_is_made_found_changed_and_paged_through(shop: Shop) -> None:
    address = {"line1": "1 Main St & Co", "city": "Zürich", "country": "CH"}
    made = await shop.call(
        stripe.customers_create, email="zoe@shop.example", name="Zoë [VIP]", metadata={"tier": "gold & more"}
    )
    for at in range(4):
        await shop.call(stripe.customers_create, email=f"c{at}@shop.example")

    found = await shop.call(stripe.customers_list, email="zoe@shop.example")
    assert [one["id"] for one in found["data"]] == [made["id"]]
    assert found["data"][0]["metadata"] == {"tier": "gold & more"}

    await shop.call(stripe.customers_update, customer=made["id"], address=address)
    read = await shop.call(stripe.customers_retrieve, customer=made["id"])
    assert (read["name"], read["address"]) == ("Zoë [VIP]", address)
    assert read["metadata"] == {"tier": "gold & more"}

    pages = [page async for page in stripe.customers_list.pages({"limit": 2}, client=shop.client)]
    ids = [one["id"] for page in pages for one in page["data"]]
    assert [len(page["data"]) for page in pages] == [2, 2, 1]
    assert (len(set(ids)), pages[0]["has_more"], pages[-1]["has_more"]) == (5, True, False)


async def test_a_payment_is_taken_found_and_given_back(shop: Shop) -> None:
    customer, method = await shop.customer_with_card(CARD)
    listed = await shop.call(stripe.payment_methods_list, customer=customer, type="card")
    assert [(one["id"], one["card"]["last4"]) for one in listed["data"]] == [(method, "4242")]

    payment = await shop.call(
        stripe.payment_intents_create,
        amount=2500,
        currency="eur",
        customer=customer,
        payment_method=method,
        confirm=True,
        off_session=True,
        metadata={"order": "6735"},
    )
    assert (payment["status"], payment["amount"]) == ("succeeded", 2500)

    assert (await shop.call(stripe.charges_list, created={"gt": "2100-01-01T00:00:00Z"}))["data"] == []
    charges = await shop.call(stripe.charges_list, customer=customer, created={"gt": "2018-01-01T00:00:00Z"})
    (charge,) = charges["data"]
    assert charge["payment_intent"] == payment["id"]
    assert (charge["captured"], charge["refunded"], charge["amount_refunded"]) == (True, False, 0)

    refund = await shop.call(stripe.refunds_create, payment_intent=payment["id"], amount=1000)
    assert (refund["status"], refund["amount"]) == ("succeeded", 1000)
    assert (await shop.call(stripe.refunds_retrieve, refund=refund["id"]))["charge"] == charge["id"]
    refunds = await shop.call(stripe.refunds_list, payment_intent=payment["id"])
    assert [one["id"] for one in refunds["data"]] == [refund["id"]]

    charge = await shop.call(stripe.charges_retrieve, charge=charge["id"])
    assert (charge["amount"], charge["amount_refunded"], charge["refunded"]) == (2500, 1000, False)
    moves = await shop.call(stripe.balance_transactions_list)
    assert sorted(one["amount"] for one in moves["data"]) == [-1000, 2500]
    assert (await shop.call(stripe.balance_retrieve))["available"]


async def test_funds_are_held_then_captured_in_part_or_released(shop: Shop) -> None:
    customer, method = await shop.customer_with_card(CARD)
    order: dict[str, Any] = {
        "amount": 900,
        "currency": "eur",
        "customer": customer,
        "payment_method": method,
        "capture_method": "manual",
        "confirm": True,
    }
    held = await shop.call(stripe.payment_intents_create, **order)
    assert held["status"] == "requires_capture"
    taken = await shop.call(stripe.payment_intents_capture, intent=held["id"], amount_to_capture=400)
    assert taken["status"] == "succeeded"

    released = await shop.call(stripe.payment_intents_create, **order)
    released = await shop.call(stripe.payment_intents_cancel, intent=released["id"])
    assert released["status"] == "canceled"
    listed = await shop.call(stripe.payment_intents_list)
    assert {one["id"]: one["status"] for one in listed["data"]} == {
        held["id"]: "succeeded",
        released["id"]: "canceled",
    }


async def test_a_decline_is_an_error_that_says_why_and_can_be_read_later(shop: Shop) -> None:
    customer, method = await shop.customer_with_card(CARD_THAT_FAILS_LATER)
    with pytest.raises(APIError) as caught:
        await shop.call(
            stripe.payment_intents_create,
            amount=700,
            currency="eur",
            customer=customer,
            payment_method=method,
            confirm=True,
        )
    assert caught.value.status_code == 402
    assert "declined" in caught.value.for_model()

    (payment,) = (await shop.call(stripe.payment_intents_list))["data"]
    payment = await shop.call(stripe.payment_intents_retrieve, payment_intent=payment["id"])
    assert payment["status"] == "requires_payment_method"
    assert payment["last_payment_error"]["code"] == "card_declined"
    charge = await shop.call(stripe.charges_retrieve, charge=payment["last_payment_error"]["charge"])
    assert (charge["status"], charge["failure_code"]) == ("failed", "card_declined")


async def test_a_missing_object_is_an_error_that_names_it(shop: Shop) -> None:
    with pytest.raises(APIError) as caught:
        await shop.call(stripe.refunds_retrieve, refund="re_missing")
    assert caught.value.status_code == 404
    assert "stripe__refunds_retrieve" in caught.value.for_model()


async def test_a_pending_line_is_found_changed_and_removed(shop: Shop) -> None:
    customer = (await shop.call(stripe.customers_create, email="b@shop.example"))["id"]
    line = await shop.call(
        stripe.invoice_items_create, customer=customer, amount=1500, currency="eur", description="Setup"
    )
    pending = await shop.call(stripe.invoice_items_list, customer=customer)
    assert [(one["id"], one["amount"]) for one in pending["data"]] == [(line["id"], 1500)]
    line = await shop.call(stripe.invoice_items_update, invoiceitem=line["id"], description="Set-up fee")
    assert line["description"] == "Set-up fee"
    read = await shop.call(stripe.invoice_items_retrieve, invoiceitem=line["id"])
    assert (read["description"], read["amount"]) == ("Set-up fee", 1500)
    gone = await shop.call(stripe.invoice_items_delete, invoiceitem=line["id"])
    assert gone == {"id": line["id"], "deleted": True}
    assert (await shop.call(stripe.invoice_items_list, customer=customer))["data"] == []


async def test_an_invoice_is_made_read_and_changed(shop: Shop) -> None:
    customer, _, subscription = await shop.customer_with_subscription()
    await shop.call(stripe.invoice_items_create, customer=customer, amount=1500, currency="eur")
    invoice = await shop.call(
        stripe.invoices_create,
        customer=customer,
        subscription=subscription,
        pending_invoice_items_behavior="include",
        description="May",
    )
    assert invoice["description"] == "May"
    assert invoice["lines"]["data"]
    await shop.call(stripe.invoices_update, invoice=invoice["id"], description="June")
    read = await shop.call(stripe.invoices_retrieve, invoice=invoice["id"])
    assert (read["description"], read["amount_due"]) == ("June", invoice["total"])
    listed = await shop.call(stripe.invoices_list, customer=customer, subscription=subscription)
    assert invoice["id"] in [one["id"] for one in listed["data"]]


async def test_a_subscription_is_found_and_ended(shop: Shop) -> None:
    customer, _, made = await shop.customer_with_subscription()
    listed = await shop.call(stripe.subscriptions_list, customer=customer)
    (found,) = listed["data"]
    assert (found["id"], found["status"]) == (made, "active")
    assert found["items"]["data"][0]["quantity"] == 1
    read = await shop.call(stripe.subscriptions_retrieve, subscription=made)
    assert (read["id"], read["status"], read["customer"]) == (made, "active", customer)
    assert None not in read.values()
    later = await shop.call(stripe.subscriptions_update, subscription=made, cancel_at_period_end=True)
    assert later["cancel_at_period_end"] is True
    ended = await shop.call(stripe.subscriptions_cancel, subscription=made)
    assert ended["status"] == "canceled"


async def test_products_are_listed_and_changed(shop: Shop) -> None:
    made = await shop.call(stripe.products_create, name="Tea", description="Green")
    changed = await shop.call(stripe.products_update, id=made["id"], name="Black tea")
    assert changed["name"] == "Black tea"
    assert (await shop.call(stripe.products_retrieve, id=made["id"]))["type"] == "service"
    assert (await shop.call(stripe.products_list, active=False))["data"] == []
    (found,) = (await shop.call(stripe.products_list, active=True))["data"]
    assert (found["id"], found["name"], found["active"]) == (made["id"], "Black tea", True)


async def test_payouts_are_listed_and_read(shop: Shop) -> None:
    made = await shop.post("v1/payouts", {"amount": 100, "currency": "eur", "status": "failed"})
    (found,) = (await shop.call(stripe.payouts_list))["data"]
    assert (found["id"], found["failure_code"]) == (made["id"], "could_not_process")
    assert (await shop.call(stripe.payouts_retrieve, payout=made["id"]))["amount"] == 100


async def test_a_card_is_taken_off_a_customer(shop: Shop) -> None:
    customer, method = await shop.customer_with_card(CARD)
    assert "customer" not in await shop.call(stripe.payment_methods_detach, payment_method=method)
    assert (await shop.call(stripe.payment_methods_list, customer=customer, type="card"))["data"] == []
    assert (await shop.call(stripe.payment_methods_retrieve, payment_method=method))["card"][
        "last4"
    ] == "4242"
