"""The Stripe-shaped API keeps state and refuses what Stripe refuses."""

from urllib.parse import urlencode

import pytest

from charter.cli.demo.routes import Reply, read_request
from charter.cli.demo.stripe_api import StripeApi

CHARGE = "ch_3RdemoOrder1042b"


def get(api: StripeApi, target: str) -> Reply:
    return api.answer(read_request("GET", target, {}, b""))


def post(api: StripeApi, target: str, **form: str) -> Reply:
    return api.answer(read_request("POST", target, {}, urlencode(form).encode()))


def test_a_refund_changes_the_charge_and_is_listed() -> None:
    api = StripeApi()
    refund = post(api, "/v1/refunds", charge=CHARGE, amount="1800", reason="duplicate").body
    charge = get(api, f"/v1/charges/{CHARGE}").body
    assert (charge["amount_refunded"], charge["refunded"]) == (1800, False)
    rest = post(api, "/v1/refunds", payment_intent=charge["payment_intent"]).body
    assert rest["amount"] == 3000
    assert get(api, f"/v1/charges/{CHARGE}").body["refunded"]
    listed = get(api, f"/v1/refunds?charge={CHARGE}").body["data"]
    assert [each["id"] for each in listed] == [rest["id"], refund["id"]]


@pytest.mark.parametrize(
    ("form", "status", "code"),
    [
        ({"charge": "ch_0"}, 404, "resource_missing"),
        ({}, 404, "resource_missing"),
        ({"charge": CHARGE, "amount": "4801"}, 400, None),
        ({"charge": CHARGE, "amount": "x"}, 400, None),
    ],
)
def test_a_refund_that_cannot_be_is_refused(form: dict[str, str], status: int, code: str | None) -> None:
    api = StripeApi()
    reply = post(api, "/v1/refunds", **form)
    assert (reply.status, reply.body["error"].get("code")) == (status, code)
    assert api.refunds == {}


def test_nothing_is_refunded_twice() -> None:
    api = StripeApi()
    post(api, "/v1/refunds", charge=CHARGE)
    assert post(api, "/v1/refunds", charge=CHARGE).body["error"]["code"] == "charge_already_refunded"
    assert len(api.refunds) == 1


def test_lists_are_filtered_newest_first_and_paged() -> None:
    api = StripeApi()
    first = get(api, "/v1/charges?customer=cus_RdemoNadia&limit=2").body
    assert [each["id"] for each in first["data"]] == [CHARGE, "ch_3RdemoOrder1042a"]
    assert first["has_more"]
    rest = get(api, "/v1/charges?customer=cus_RdemoNadia&starting_after=ch_3RdemoOrder1042a").body
    assert [each["id"] for each in rest["data"]] == ["ch_3RdemoOrder0981"]
    assert not rest["has_more"]


@pytest.mark.parametrize(
    ("kind", "query", "count"),
    [
        ("customers", "email:'ola@example.org'", 1),
        ("customers", 'name~"nadia"', 1),
        ("customers", "-name~'nadia'", 2),
        ("charges", "amount>4800 AND customer:'cus_RdemoAmir'", 1),
        ("charges", "amount>=4800 AND amount<6400", 2),
        ("charges", "status:'failed'", 0),
    ],
)
def test_a_search_finds_by_its_clauses(kind: str, query: str, count: int) -> None:
    found = get(StripeApi(), f"/v1/{kind}/search?{urlencode({'query': query})}").body
    assert len(found["data"]) == count
    assert found["object"] == "search_result"


def test_a_customer_can_be_changed() -> None:
    api = StripeApi()
    post(api, "/v1/customers/cus_RdemoOla", **{"metadata[vip]": "yes", "phone": "+351 200"})
    customer = get(api, "/v1/customers/cus_RdemoOla").body
    assert (customer["phone"], customer["metadata"]) == ("+351 200", {"vip": "yes"})


def test_what_is_unknown_gets_a_404() -> None:
    reply = get(StripeApi(), "/v1/payouts")
    assert (reply.status, reply.body["error"]["type"]) == (404, "invalid_request_error")
