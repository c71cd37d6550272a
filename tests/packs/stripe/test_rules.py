"""What Stripe's documentation forbids is refused before anything is sent, and what it allows is not."""

from typing import Any
from urllib.parse import unquote

import httpx2
import pytest

from charter import Tool, ToolValidationError
from charter.packs import stripe
from tests.packs.sending import send

pytestmark = pytest.mark.anyio

ITEMS = [{"price": "price_1"}]
BUYER = {"customer": "cus_1"}
PAYMENT = {"amount": 500, "currency": "eur"}
PAGE = {
    "mode": "payment",
    "line_items": [{"price": "price_1", "quantity": 1}],
    "success_url": "https://a.example/",
}
PRICE = {"currency": "eur", "product": "prod_1"}
TIERS = [{"up_to": 5, "unit_amount": 9}, {"up_to": "inf", "unit_amount": 7}]
INLINE = {"currency": "eur", "product": "prod_1", "unit_amount": 5}

REFUSED: list[tuple[Tool, dict[str, Any], str]] = [
    (stripe.charges_list, {"starting_after": "ch_1", "ending_before": "ch_2"}, "at most one of"),
    (stripe.charges_list, {"limit": 101}, "limit"),
    (stripe.products_list, {"ids": ["prod_1"], "starting_after": "prod_2"}, "at most one of"),
    (stripe.refunds_create, {}, "exactly one of payment_intent, charge, customer"),
    (stripe.refunds_create, {"charge": "ch_1", "payment_intent": "pi_1"}, "exactly one of"),
    (stripe.refunds_create, {"customer": "cus_1", "amount": 5}, "customer needs origin, currency"),
    (stripe.refunds_create, {"charge": "ch_1", "origin": "customer_balance"}, "origin needs customer"),
    (stripe.refunds_create, {"charge": "ch_1", "amount": 0}, "amount"),
    (stripe.refunds_create, {"charge": "ch_1", "reason": "expired_uncaptured_charge"}, "reason"),
    (stripe.payment_intents_create, {"amount": 5}, "currency"),
    (stripe.payment_intents_create, {**PAYMENT, "off_session": True}, "off_session only with confirm"),
    (
        stripe.payment_intents_create,
        {**PAYMENT, "confirm": False, "return_url": "https://a.example"},
        "return_url",
    ),
    (stripe.payment_intents_create, {**PAYMENT, "error_on_requires_action": True}, "only with confirm"),
    (stripe.payment_intents_create, {**PAYMENT, "mandate": "mandate_1"}, "only with confirm"),
    (
        stripe.payment_intents_create,
        {**PAYMENT, "automatic_payment_methods": {"enabled": True}, "payment_method_types": ["card"]},
        "exclude each other",
    ),
    (
        stripe.payment_intents_create,
        {**PAYMENT, "application_fee_amount": 1, "transfer_data": {"destination": "acct_1", "amount": 4}},
        "exclude each other",
    ),
    (stripe.payment_intents_create, {**PAYMENT, **BUYER, "customer_account": "acct_1"}, "at most one of"),
    (stripe.payment_intents_create, {**PAYMENT, "statement_descriptor": "x" * 23}, "statement_descriptor"),
    (
        stripe.payment_intents_cancel,
        {"intent": "pi_1", "cancellation_reason": "changed_mind"},
        "cancellation_reason",
    ),
    (stripe.prices_create, PRICE, "no amount"),
    (stripe.prices_create, {"currency": "eur", "unit_amount": 5}, "exactly one of product, product_data"),
    (stripe.prices_create, {**PRICE, "product_data": {"name": "x"}, "unit_amount": 5}, "exactly one of"),
    (stripe.prices_create, {**PRICE, "unit_amount": 5, "unit_amount_decimal": "5.5"}, "at most one of"),
    (stripe.prices_create, {**PRICE, "tiers": TIERS}, "tiers and tiers_mode go together"),
    (stripe.prices_create, {**PRICE, "billing_scheme": "tiered"}, "go together"),
    (stripe.prices_create, {**PRICE, "unit_amount": 5, "transfer_lookup_key": True}, "needs lookup_key"),
    (
        stripe.prices_create,
        {
            **PRICE,
            "billing_scheme": "tiered",
            "tiers": TIERS,
            "tiers_mode": "volume",
            "transform_quantity": {"divide_by": 5, "round": "up"},
        },
        "at most one of transform_quantity, tiers",
    ),
    (
        stripe.prices_create,
        {**PRICE, "unit_amount": 5, "recurring": {"interval": "month", "usage_type": "metered"}},
        "metered",
    ),
    (
        stripe.prices_create,
        {**PRICE, "unit_amount": 5, "recurring": {"interval": "year", "interval_count": 4}},
        "over three years",
    ),
    (
        stripe.prices_create,
        {
            **PRICE,
            "billing_scheme": "tiered",
            "tiers_mode": "volume",
            "tiers": [{"up_to": "inf", "flat_amount": 5, "flat_amount_decimal": "5"}],
        },
        "flat_amount",
    ),
    (
        stripe.products_create,
        {"name": "x", "default_price_data": {"currency": "eur"}},
        "exactly one of unit_amount, unit_amount_decimal, custom_unit_amount",
    ),
    (stripe.subscriptions_create, BUYER, "items"),
    (stripe.subscriptions_create, {"items": ITEMS}, "exactly one of customer, customer_account"),
    (stripe.subscriptions_create, {**BUYER, "items": []}, "items"),
    (stripe.subscriptions_create, {**BUYER, "items": [{"quantity": 2}]}, "exactly one of price, price_data"),
    (
        stripe.subscriptions_create,
        {**BUYER, "items": ITEMS, "trial_end": 5, "trial_period_days": 7},
        "at most one",
    ),
    (
        stripe.subscriptions_create,
        {**BUYER, "items": ITEMS, "trial_end": "now", "trial_from_plan": True},
        "trial",
    ),
    (stripe.subscriptions_create, {**BUYER, "items": ITEMS, "days_until_due": 7}, "send_invoice"),
    (stripe.subscriptions_create, {**BUYER, "items": ITEMS, "cancel_at": ""}, "cancel_at"),
    (
        stripe.subscriptions_create,
        {**BUYER, "items": ITEMS, "cancel_at": 9, "cancel_at_period_end": True},
        "cancel_at",
    ),
    (
        stripe.subscriptions_create,
        {
            **BUYER,
            "items": ITEMS,
            "billing_cycle_anchor": 5,
            "billing_cycle_anchor_config": {"day_of_month": 1},
        },
        "at most one of",
    ),
    (
        stripe.subscriptions_create,
        {**BUYER, "items": ITEMS, "discounts": [{"coupon": "a", "promotion_code": "b"}]},
        "exactly one of",
    ),
    (stripe.subscriptions_update, {"subscription": "sub_1", "items": [{"quantity": 2}]}, "at least one of"),
    (
        stripe.subscriptions_update,
        {"subscription": "sub_1", "items": [{"deleted": True, "price": "p"}]},
        "needs id",
    ),
    (stripe.subscriptions_update, {"subscription": "sub_1", "customer": "cus_2"}, "customer"),
    (
        stripe.subscriptions_update,
        {"subscription": "sub_1", "collection_method": "charge_automatically", "days_until_due": 5},
        "days_until_due",
    ),
    (stripe.invoices_create, {}, "at least one of customer, customer_account, from_invoice"),
    (stripe.invoices_create, {**BUYER, "days_until_due": 30}, "send_invoice"),
    (
        stripe.invoices_create,
        {**BUYER, "collection_method": "send_invoice", "days_until_due": 30, "due_date": 1_800_000_000},
        "at most one of due_date, days_until_due",
    ),
    (stripe.invoices_create, {**BUYER, "issuer": {"type": "account"}}, "Give account exactly"),
    (
        stripe.invoices_create,
        {**BUYER, "issuer": {"type": "self", "account": "acct_1"}},
        "Give account exactly",
    ),
    (stripe.invoices_update, {"invoice": "in_1", "customer": "cus_2"}, "customer"),
    (stripe.invoice_items_create, BUYER, "exactly one of amount"),
    (stripe.invoice_items_create, {"amount": 5}, "at least one of customer"),
    (stripe.invoice_items_create, {**BUYER, "amount": 5, "pricing": {"price": "price_1"}}, "exactly one of"),
    (stripe.invoice_items_create, {**BUYER, "amount": 5, "price_data": INLINE}, "exactly one of"),
    (
        stripe.invoice_items_create,
        {**BUYER, "price_data": {"currency": "eur", "product": "prod_1"}},
        "exactly one of unit_amount, unit_amount_decimal",
    ),
    (
        stripe.invoice_items_create,
        {**BUYER, "pricing": {"price": "p"}, "quantity": 1, "quantity_decimal": "1.5"},
        "at most one of quantity",
    ),
    (stripe.invoice_items_create, {**BUYER, "amount": 5, "period": {"start": 9, "end": 8}}, "before start"),
    (stripe.invoice_items_update, {"invoiceitem": "ii_1", "currency": "eur"}, "currency"),
    (stripe.payment_methods_attach, {"payment_method": "pm_1"}, "exactly one of"),
    (stripe.checkout_sessions_create, {"line_items": PAGE["line_items"]}, "mode"),
    (stripe.checkout_sessions_create, {"mode": "payment"}, "without line_items"),
    (
        stripe.prices_update,
        {"price": "p", "currency_options": {"eur": {"unit_amount": 5, "unit_amount_decimal": "5.5"}}},
        "unit_amount and unit_amount_decimal differ",
    ),
    (stripe.checkout_sessions_create, {"mode": "setup"}, "currency or payment_method_types"),
    (stripe.checkout_sessions_create, {**PAGE, "line_items": [{}]}, "exactly one of price, price_data"),
    (stripe.checkout_sessions_create, {**PAGE, **BUYER, "customer_email": "a@b.example"}, "at most one of"),
    (stripe.checkout_sessions_create, {**PAGE, "customer_update": {"name": "auto"}}, "needs customer"),
    (
        stripe.checkout_sessions_create,
        {**PAGE, "subscription_data": {"description": "x"}},
        "subscription_data",
    ),
    (
        stripe.checkout_sessions_create,
        {**PAGE, "payment_method_collection": "always"},
        "payment_method_collection",
    ),
    (
        stripe.checkout_sessions_create,
        {**PAGE, "mode": "subscription", "payment_intent_data": {"description": "x"}},
        "payment_intent_data",
    ),
    (
        stripe.checkout_sessions_create,
        {**PAGE, "allow_promotion_codes": True, "discounts": [{"coupon": "a"}]},
        "exclude each other",
    ),
    (stripe.checkout_sessions_create, {**PAGE, "ui_mode": "embedded_page"}, "success_url"),
    (
        stripe.checkout_sessions_create,
        {"mode": "payment", "line_items": PAGE["line_items"], "ui_mode": "embedded_page"},
        "without return_url",
    ),
    (stripe.checkout_sessions_create, {**PAGE, "redirect_on_completion": "never"}, "redirect_on_completion"),
    (
        stripe.checkout_sessions_create,
        {**PAGE, "custom_fields": [{"key": "a", "label": {"custom": "A"}, "type": "dropdown"}]},
        "dropdown",
    ),
    (
        stripe.disputes_update,
        {"dispute": "dp_1", "evidence": {"uncategorized_text": "x" * 20_001}},
        "over 20000 characters",
    ),
    (stripe.customers_create, {"metadata": {"a": "x" * 501}}, "501 characters"),
    (stripe.customers_create, {"metadata": {f"k{at}": "" for at in range(51)}}, "51 keys"),
    (stripe.customers_create, {"metadata": {"a[b]": "x"}}, "square brackets"),
    (stripe.customers_create, {"tax": {"validate_location": "auto"}}, "validate_location"),
]

ALLOWED: list[tuple[Tool, dict[str, Any]]] = [
    (stripe.refunds_create, {"payment_intent": "pi_1", "reason": "fraudulent"}),
    (
        stripe.refunds_create,
        {"customer": "cus_1", "origin": "customer_balance", "amount": 5, "currency": "eur"},
    ),
    (
        stripe.payment_intents_create,
        {**PAYMENT, **BUYER, "payment_method": "pm_1", "confirm": True, "off_session": True},
    ),
    (
        stripe.payment_intents_create,
        {**PAYMENT, "automatic_payment_methods": {"enabled": False}, "payment_method_types": ["card"]},
    ),
    (stripe.prices_create, {**PRICE, "billing_scheme": "tiered", "tiers": TIERS, "tiers_mode": "graduated"}),
    (
        stripe.prices_create,
        {**PRICE, "unit_amount": 0, "recurring": {"interval": "month", "interval_count": 36}},
    ),
    (stripe.prices_create, {**PRICE, "custom_unit_amount": {"preset": 500}}),
    (stripe.subscriptions_create, {**BUYER, "items": ITEMS, "trial_period_days": 14}),
    (stripe.subscriptions_update, {"subscription": "sub_1", "items": [{"id": "si_1", "deleted": True}]}),
    (stripe.subscriptions_update, {"subscription": "sub_1", "days_until_due": 9}),
    (stripe.invoices_create, {"from_invoice": {"invoice": "in_1"}}),
    (stripe.invoices_create, {**BUYER, "discounts": ""}),
    (stripe.invoices_update, {"invoice": "in_1", "due_date": 1_800_000_000}),
    (stripe.invoice_items_create, {"invoice": "in_1", "amount": -500, "currency": "eur"}),
    (stripe.checkout_sessions_create, PAGE),
    (stripe.checkout_sessions_create, {"mode": "setup", "currency": "eur", **BUYER}),
    (
        stripe.checkout_sessions_create,
        {
            "mode": "payment",
            "line_items": PAGE["line_items"],
            "ui_mode": "embedded_page",
            "redirect_on_completion": "never",
        },
    ),
    (stripe.disputes_update, {"dispute": "dp_1", "submit": True}),
    (stripe.customers_update, {"customer": "cus_1", "tax": {"validate_location": "auto"}}),
]

MOMENTS: list[tuple[Tool, dict[str, Any], str]] = [
    (stripe.charges_list, {"created": {"gte": "{}"}}, "created%5Bgte%5D={}"),
    (stripe.invoices_update, {"invoice": "in_1", "due_date": "{}"}, "due_date={}"),
    (stripe.subscriptions_update, {"subscription": "sub_1", "trial_end": "{}"}, "trial_end={}"),
    (stripe.subscriptions_update, {"subscription": "sub_1", "cancel_at": "{}"}, "cancel_at={}"),
    (
        stripe.invoice_items_create,
        {**BUYER, "amount": 5, "period": {"start": "{}", "end": "{}"}},
        "period%5Bstart%5D={}",
    ),
]
"""A tool, arguments with a place for a time, and what is sent of them."""

READ_BACK: list[tuple[Tool, dict[str, Any], str]] = [
    (
        stripe.subscriptions_update,
        {"subscription": "sub_1", "discounts": ["di_1"]},
        "discounts[0][discount]=di_1",
    ),
    (
        stripe.subscriptions_update,
        {"subscription": "sub_1", "default_tax_rates": [{"id": "txr_1"}, "txr_2"]},
        "default_tax_rates[0]=txr_1&default_tax_rates[1]=txr_2",
    ),
    (
        stripe.subscriptions_update,
        {
            "subscription": "sub_1",
            "items": [{"id": "si_1", "price": {"id": "price_1", "currency": "eur"}, "current_period_end": 1}],
        },
        "items[0][id]=si_1&items[0][price]=price_1",
    ),
    (
        stripe.invoices_update,
        {
            "invoice": "in_1",
            "automatic_tax": {"enabled": True, "status": "complete", "disabled_reason": None},
        },
        "automatic_tax[enabled]=true",
    ),
    (
        stripe.prices_update,
        {
            "price": "price_1",
            "currency_options": {
                "eur": {"unit_amount": 5, "unit_amount_decimal": "5", "tax_behavior": "exclusive"}
            },
        },
        "currency_options[eur][unit_amount]=5&currency_options[eur][tax_behavior]=exclusive",
    ),
]
"""What a tool's answer shows of a member, given to an update, and what is sent."""

CLEARED: list[tuple[Tool, dict[str, Any], Tool, dict[str, Any]]] = [
    (
        stripe.subscriptions_update,
        {"subscription": "sub_1"},
        stripe.subscriptions_create,
        {**BUYER, "items": ITEMS},
    ),
    (stripe.invoices_update, {"invoice": "in_1"}, stripe.invoices_create, BUYER),
    (
        stripe.invoice_items_update,
        {"invoiceitem": "ii_1"},
        stripe.invoice_items_create,
        {**BUYER, "amount": 5},
    ),
    (stripe.customers_update, {"customer": "cus_1"}, stripe.customers_create, {}),
    (stripe.products_update, {"id": "prod_1"}, stripe.products_create, {"name": "x"}),
    (stripe.prices_update, {"price": "price_1"}, stripe.prices_create, {**PRICE, "unit_amount": 5}),
]


async def call(tool: Tool, arguments: dict[str, Any]) -> list[httpx2.Request]:
    return await send(tool, arguments, headers={"Authorization": "Bearer sk_test_1"})


@pytest.mark.parametrize(
    ("tool", "arguments", "told"), REFUSED, ids=[f"{tool.name}-{told}" for tool, _, told in REFUSED]
)
async def test_what_stripe_would_refuse_is_not_sent(tool: Tool, arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(ToolValidationError) as caught:
        await call(tool, arguments)
    assert told in str(caught.value)
    assert told in caught.value.for_model()


@pytest.mark.parametrize(("tool", "arguments"), ALLOWED, ids=lambda one: getattr(one, "name", "arguments"))
async def test_what_stripe_allows_is_sent(tool: Tool, arguments: dict[str, Any]) -> None:
    assert len(await call(tool, arguments)) == 1


def fill(value: Any, moment: Any) -> Any:
    if isinstance(value, dict):
        return {name: fill(child, moment) for name, child in value.items()}
    return moment if value == "{}" else value


@pytest.mark.parametrize(("tool", "arguments", "sent"), MOMENTS)
@pytest.mark.parametrize(
    "moment", ["2025-12-01T00:00:00Z", "2025-12-01T01:00:00+01:00", 1_764_547_200, "1764547200"]
)
async def test_a_time_is_a_moment_or_the_seconds_that_answers_show(
    tool: Tool, arguments: dict[str, Any], sent: str, moment: Any
) -> None:
    (request,) = await call(tool, fill(arguments, moment))
    written = request.content.decode() or request.url.query.decode()
    assert sent.format(1_764_547_200) in written.split("&")


@pytest.mark.parametrize("moment", ["2025-12-01", "2025-12-01T00:00:00"])
@pytest.mark.parametrize(("tool", "arguments", "sent"), MOMENTS)
async def test_a_time_without_an_offset_is_asked_for_one(
    tool: Tool, arguments: dict[str, Any], sent: str, moment: Any
) -> None:
    with pytest.raises(ToolValidationError, match="needs an offset"):
        await call(tool, fill(arguments, moment))


@pytest.mark.parametrize(("tool", "arguments", "sent"), READ_BACK)
async def test_what_a_read_shows_may_be_written_back(
    tool: Tool, arguments: dict[str, Any], sent: str
) -> None:
    (request,) = await call(tool, arguments)
    assert unquote(request.content.decode()) == sent


@pytest.mark.parametrize(
    ("update", "ids", "create", "needed"), CLEARED, ids=lambda one: getattr(one, "name", "arguments")
)
async def test_a_value_can_be_cleared_on_update_only(
    update: Tool, ids: dict[str, Any], create: Tool, needed: dict[str, Any]
) -> None:
    properties = update.to_json_schema()["parameters"]["properties"]
    clearable = [
        name
        for name, schema in properties.items()
        if {"const": "", "type": "string"} in schema.get("anyOf", ()) or "" in schema.get("enum", ())
    ]
    assert clearable
    on_create = create.to_json_schema()["parameters"]["properties"]
    for name in clearable:
        (request,) = await call(update, {**ids, name: ""})
        assert request.content.decode() == f"{name}="
        if name in on_create and name not in getattr(create.args_schema, "clearable", ()):
            with pytest.raises(ToolValidationError):
                await call(create, {**needed, name: ""})


@pytest.mark.parametrize(
    ("update", "create"), [(one[0], one[2]) for one in CLEARED], ids=lambda one: getattr(one, "name", "")
)
def test_an_update_mandates_only_the_id(update: Tool, create: Tool) -> None:
    schema = update.to_json_schema()["parameters"]
    assert [f"{{{name}}}" for name in schema["required"]] == [update.route.rsplit("/", 1)[1]]
    assert not issubclass(update.args_schema, create.args_schema)
