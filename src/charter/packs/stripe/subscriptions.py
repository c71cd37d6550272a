"""Subscriptions: start, change, end and find recurring billing.

Not here: the invoices they make. Left out: prebilling, an own rhythm for pending items, usage thresholds of
single items and options per payment method.
"""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, Field, model_validator

from charter import AtLeastOneOf, AtMostOneOf, ExactlyOneOf, Requires, keep
from charter.packs.stripe.api import api
from charter.packs.stripe.billing import (
    AutomaticTax,
    CollectionMethod,
    Party,
    TransferShare,
    TrialSettings,
)
from charter.packs.stripe.fields import MINOR, UNIX, Clear, Create, Metadata
from charter.packs.stripe.paging import PAGES, RESULTS, During, Page, Results, keep_page
from charter.packs.stripe.pricing import Discount, OneTimePrice, RecurringPrice

__all__ = [
    "subscriptions_cancel",
    "subscriptions_create",
    "subscriptions_list",
    "subscriptions_search",
    "subscriptions_update",
]

_KEPT = (
    "id",
    "status",
    "customer",
    "customer_account",
    "currency",
    "created",
    "start_date",
    "cancel_at",
    "cancel_at_period_end",
    "canceled_at",
    "ended_at",
    "trial_end",
    "collection_method",
    "default_payment_method",
    "latest_invoice",
    "pause_collection",
    "items.has_more",
    "items.data.id",
    "items.data.quantity",
    "items.data.current_period_start",
    "items.data.current_period_end",
    "items.data.price.id",
    "items.data.price.product",
    "items.data.price.nickname",
    "items.data.price.unit_amount",
    "items.data.price.unit_amount_decimal",
    "items.data.price.currency",
    "items.data.price.recurring",
    "metadata",
)
_KEPT_ALONE = (
    *_KEPT,
    "application_fee_percent",
    "automatic_tax.enabled",
    "automatic_tax.disabled_reason",
    "billing_cycle_anchor",
    "billing_mode.type",
    "billing_thresholds",
    "cancellation_details",
    "days_until_due",
    "default_source",
    "default_tax_rates.id",
    "description",
    "discounts",
    "items.data.discounts",
    "livemode",
    "next_pending_invoice_item_invoice",
    "on_behalf_of",
    "payment_settings.payment_method_types",
    "payment_settings.save_default_payment_method",
    "pending_setup_intent",
    "pending_update",
    "schedule",
    "test_clock",
    "transfer_data",
    "trial_settings",
    "trial_start",
)

_Feedback = Literal[
    "customer_service",
    "low_quality",
    "missing_features",
    "other",
    "switched_service",
    "too_complex",
    "too_expensive",
    "unused",
    "",
]
_Period = Literal["max_billed_until", "max_period_end", "min_period_end"]
_Proration = Literal["always_invoice", "create_prorations", "none"]
_PaymentBehavior = Literal[
    "allow_incomplete", "default_incomplete", "error_if_incomplete", "pending_if_incomplete"
]


class _NewItem(BaseModel):
    wire_rules: ClassVar = (ExactlyOneOf("price", "price_data"),)

    price: str | None = None
    price_data: RecurringPrice | None = None
    quantity: int | None = None
    discounts: list[Discount] | None = None
    tax_rates: list[str] | None = None
    metadata: Metadata | None = None


class _Item(BaseModel):
    wire_rules: ClassVar = (
        AtMostOneOf("price", "price_data"),
        AtLeastOneOf("id", "price", "price_data"),
        Requires("deleted", "id"),
        Requires("clear_usage", "deleted"),
    )

    id: str | None = Field(None, description="Item id (si_...); without it an item is added.")
    price: str | None = None
    price_data: RecurringPrice | None = None
    quantity: int | None = Field(None, description="A new price resets it to 1.")
    deleted: bool | None = None
    clear_usage: bool | None = None
    discounts: list[Discount] | Clear | None = None
    tax_rates: list[str] | Clear | None = None
    metadata: Metadata | Clear | None = None


class _Extra(BaseModel):
    wire_rules: ClassVar = (ExactlyOneOf("price", "price_data"),)

    price: str | None = None
    price_data: OneTimePrice | None = None
    quantity: int | None = None
    discounts: list[Discount] | None = None
    tax_rates: list[str] | None = None


class _Anchor(BaseModel):
    day_of_month: int
    month: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None


class _Mode(BaseModel):
    type: Literal["classic", "flexible"]


class _Thresholds(BaseModel):
    amount_gte: int | None = Field(None, description=MINOR)
    reset_billing_cycle_anchor: bool | None = None


class _Printed(BaseModel):
    description: str | None = None
    footer: str | None = None
    account_tax_ids: list[str] | None = None
    issuer: Party | None = None


class _Payment(BaseModel):
    payment_method_types: list[str] | None = None
    save_default_payment_method: Literal["off", "on_subscription"] | None = None


class _Pause(BaseModel):
    behavior: Literal["keep_as_draft", "mark_uncollectible", "void"]
    resumes_at: int | None = Field(None, description=UNIX)


class _Farewell(BaseModel):
    comment: str | None = None
    feedback: _Feedback | None = None


class _TaxFilter(BaseModel):
    enabled: bool


_Items = Annotated[list[_NewItem], Field(min_length=1, max_length=20)]


class SubscriptionsList(Page):
    """List subscriptions, newest first; without status, those not canceled."""

    customer: str | None = None
    customer_account: str | None = None
    price: str | None = None
    status: (
        Literal[
            "active",
            "all",
            "canceled",
            "ended",
            "incomplete",
            "incomplete_expired",
            "past_due",
            "paused",
            "trialing",
            "unpaid",
        ]
        | None
    ) = None
    collection_method: CollectionMethod | None = None
    automatic_tax: _TaxFilter | None = None
    created: During | None = None
    current_period_start: During | None = None
    current_period_end: During | None = None
    test_clock: str | None = None


class SubscriptionsSearch(Results):
    """Find subscriptions by query. Changes show after about a minute."""

    query: str = Field(
        description="Fields canceled_at, created, metadata, status: status:'active' AND metadata['team']:'x'"
    )


class SubscriptionsCreate(Create):
    """Subscribe a customer to recurring prices."""

    wire_rules: ClassVar = (
        ExactlyOneOf("customer", "customer_account"),
        AtMostOneOf("billing_cycle_anchor", "billing_cycle_anchor_config"),
        AtMostOneOf("trial_end", "trial_period_days"),
    )

    customer: str | None = None
    customer_account: str | None = None
    items: _Items
    add_invoice_items: list[_Extra] | None = Field(
        None, max_length=20, description="One-time, on the first invoice."
    )
    currency: str | None = None
    description: str | None = None
    metadata: Metadata | None = None
    discounts: list[Discount] | None = None
    trial_period_days: int | None = Field(None, ge=0)
    trial_end: int | Literal["now"] | None = Field(None, description=UNIX)
    trial_from_plan: bool | None = None
    trial_settings: TrialSettings | None = None
    cancel_at: int | _Period | None = Field(None, description=UNIX)
    cancel_at_period_end: bool | None = None
    backdate_start_date: int | None = Field(None, description=UNIX)
    billing_cycle_anchor: int | None = Field(None, description=UNIX)
    billing_cycle_anchor_config: _Anchor | None = None
    billing_mode: _Mode | None = None
    billing_thresholds: _Thresholds | None = None
    proration_behavior: _Proration | None = None
    collection_method: CollectionMethod | None = None
    days_until_due: int | None = Field(None, description="With send_invoice.")
    default_payment_method: str | None = None
    default_source: str | None = None
    payment_behavior: _PaymentBehavior | None = None
    payment_settings: _Payment | None = None
    off_session: bool | None = None
    automatic_tax: AutomaticTax | None = None
    default_tax_rates: list[str] | None = None
    invoice_settings: _Printed | None = None
    application_fee_percent: float | None = Field(None, ge=0, le=100)
    on_behalf_of: str | None = None
    transfer_data: TransferShare | None = None

    @model_validator(mode="after")
    def _rules_between_values(self) -> Self:
        _check_trial(self.trial_from_plan, self.trial_end)
        _check_end(self.cancel_at_period_end, self.cancel_at)
        if self.days_until_due is not None and self.collection_method != "send_invoice":
            raise ValueError("days_until_due without send_invoice. Set collection_method to 'send_invoice'.")
        return self


class SubscriptionsUpdate(BaseModel):
    """Change, pause or schedule the end of a subscription. "" clears a field."""

    subscription: str
    items: list[_Item] | None = Field(None, max_length=20)
    add_invoice_items: list[_Extra] | None = Field(
        None, max_length=20, description="One-time, on the next invoice."
    )
    description: str | None = None
    metadata: Metadata | Clear | None = None
    discounts: list[Discount] | Clear | None = None
    proration_behavior: _Proration | None = None
    proration_date: int | None = Field(None, description=UNIX)
    cancel_at: int | _Period | Clear | None = Field(None, description=UNIX)
    cancel_at_period_end: bool | None = None
    cancellation_details: _Farewell | None = None
    pause_collection: _Pause | Clear | None = None
    trial_end: int | Literal["now"] | None = Field(None, description=UNIX)
    trial_from_plan: bool | None = None
    trial_settings: TrialSettings | None = None
    billing_cycle_anchor: Literal["now", "unchanged"] | None = None
    billing_thresholds: _Thresholds | Clear | None = None
    collection_method: CollectionMethod | None = None
    days_until_due: int | None = Field(None, description="With send_invoice.")
    default_payment_method: str | None = None
    default_source: str | None = None
    payment_behavior: _PaymentBehavior | None = None
    payment_settings: _Payment | None = None
    off_session: bool | None = None
    automatic_tax: AutomaticTax | None = None
    default_tax_rates: list[str] | Clear | None = None
    invoice_settings: _Printed | None = None
    application_fee_percent: float | Clear | None = None
    on_behalf_of: str | None = None
    transfer_data: TransferShare | Clear | None = None

    @model_validator(mode="after")
    def _rules_between_values(self) -> Self:
        _check_trial(self.trial_from_plan, self.trial_end)
        _check_end(self.cancel_at_period_end, self.cancel_at)
        if self.days_until_due is not None and self.collection_method == "charge_automatically":
            raise ValueError("days_until_due with charge_automatically. Leave one of them out.")
        return self


class SubscriptionsCancel(BaseModel):
    """End a subscription at once. To end it later, update cancel_at_period_end."""

    subscription: str
    invoice_now: bool | None = Field(None, description="Bill open usage and prorations.")
    prorate: bool | None = Field(None, description="Credit unused time.")
    cancellation_details: _Farewell | None = None


def _check_trial(from_plan: bool | None, trial_end: object) -> None:
    if from_plan and trial_end is not None:
        raise ValueError("trial_from_plan true with trial_end. Leave one of them out.")


def _check_end(at_period_end: bool | None, cancel_at: object) -> None:
    if at_period_end and cancel_at not in (None, ""):
        raise ValueError("cancel_at_period_end true with cancel_at. Leave one of them out.")


subscriptions_list = api.get(
    "v1/subscriptions",
    SubscriptionsList,
    hints="memberships recurring plans of a customer active past due trialing churned renewals",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={"customer": "customers_list", "price": "prices_list"},
)
subscriptions_search = api.get(
    "v1/subscriptions/search",
    SubscriptionsSearch,
    hints="lookup membership recurring plan by status metadata",
    response_handler=keep_page(*_KEPT),
    pagination=RESULTS,
)
subscriptions_create = api.post(
    "v1/subscriptions",
    SubscriptionsCreate,
    hints="start membership sign up monthly yearly plan recurring billing free trial enroll coupon",
    response_handler=keep(*_KEPT_ALONE),
    needs={"customer": "customers_list", "items": "prices_list"},
)
subscriptions_update = api.post(
    "v1/subscriptions/{subscription}",
    SubscriptionsUpdate,
    hints="upgrade downgrade switch move to monthly yearly plan seats quantity pause resume membership "
    "cancel at period end extend trial coupon discount",
    response_handler=keep(*_KEPT_ALONE),
    needs={"subscription": "subscriptions_list", "items": "subscriptions_list"},
)
subscriptions_cancel = api.delete(
    "v1/subscriptions/{subscription}",
    SubscriptionsCancel,
    hints="stop terminate unsubscribe membership recurring plan immediately",
    response_handler=keep(*_KEPT_ALONE),
    needs={"subscription": "subscriptions_list"},
)
