"""Subscriptions: start, change, end and find recurring billing.

Not here: their items and settings; see subscription_parts. The invoices they make. Left out: prebilling, an own
rhythm for pending items and options per payment method.
"""

from typing import ClassVar, Literal, Self

from pydantic import BaseModel, Field, model_validator

from charter import AtMostOneOf, ExactlyOneOf, NotOnly
from charter.packs.stripe import subscription_parts as parts
from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.billing import (
    AutomaticTax,
    CollectionMethod,
    TransferShare,
    TrialSettings,
)
from charter.packs.stripe.fields import EXPAND, Change, Clear, Create, Id, Metadata, Moment
from charter.packs.stripe.paging import PAGES, RESULTS, During, Page, Results
from charter.packs.stripe.pricing import Discount

__all__ = [
    "subscriptions_cancel",
    "subscriptions_create",
    "subscriptions_list",
    "subscriptions_retrieve",
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
    "billing_cycle_anchor_config",
    "cancellation_details.comment",
    "cancellation_details.feedback",
    "cancellation_details.reason",
    "days_until_due",
    "default_source",
    "default_tax_rates.id",
    "description",
    "discounts",
    "invoice_settings.description",
    "invoice_settings.footer",
    "invoice_settings.account_tax_ids",
    "invoice_settings.issuer",
    "items.data.discounts",
    "items.data.metadata",
    "items.data.tax_rates.id",
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


class _TaxFilter(BaseModel):
    enabled: bool


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
        description="Fields canceled_at and created (Unix seconds), metadata, status: status:'active' AND "
        "metadata['team']:'x'"
    )


class SubscriptionsRetrieve(BaseModel):
    """Read one subscription: items, renewal, trial, discounts, how it is paid."""

    subscription: str
    expand: list[str] | None = Field(None, description=EXPAND)


class SubscriptionsCreate(Create):
    """Subscribe a customer to recurring prices."""

    wire_rules: ClassVar = (
        ExactlyOneOf("customer", "customer_account"),
        AtMostOneOf("billing_cycle_anchor", "billing_cycle_anchor_config"),
        AtMostOneOf("trial_end", "trial_period_days"),
    )

    customer: str | None = None
    customer_account: str | None = None
    items: parts.NewItems
    add_invoice_items: list[parts.Extra] | None = Field(
        None, max_length=20, description="One-time, on the first invoice."
    )
    currency: str | None = None
    description: str | None = None
    metadata: Metadata | None = None
    discounts: list[Discount] | None = None
    trial_period_days: int | None = Field(None, ge=0)
    trial_end: Moment | Literal["now"] | None = None
    trial_from_plan: bool | None = None
    trial_settings: TrialSettings | None = None
    cancel_at: Moment | parts.Period | None = None
    cancel_at_period_end: bool | None = None
    backdate_start_date: Moment | None = None
    billing_cycle_anchor: Moment | None = None
    billing_cycle_anchor_config: parts.Anchor | None = None
    billing_mode: parts.Mode | None = None
    billing_thresholds: parts.Thresholds | None = None
    proration_behavior: parts.Proration | None = None
    collection_method: CollectionMethod | None = None
    days_until_due: int | None = Field(None, description="With send_invoice.")
    default_payment_method: str | None = None
    default_source: str | None = None
    payment_behavior: parts.PaymentBehavior | None = None
    payment_settings: parts.Payment | None = None
    off_session: bool | None = None
    automatic_tax: AutomaticTax | None = None
    default_tax_rates: list[str] | None = None
    invoice_settings: parts.Printed | None = None
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


class SubscriptionsUpdate(Change):
    """Change, pause or schedule the end of a subscription. "" clears a field."""

    wire_rules: ClassVar = (NotOnly("subscription"),)

    subscription: str
    items: list[parts.Item] | None = Field(None, max_length=20)
    add_invoice_items: list[parts.Extra] | None = Field(
        None, max_length=20, description="One-time, on the next invoice."
    )
    description: str | None = None
    metadata: Metadata | Clear | None = None
    discounts: list[Discount] | Clear | None = None
    proration_behavior: parts.Proration | None = None
    proration_date: Moment | None = None
    cancel_at: Moment | parts.Period | Clear | None = None
    cancel_at_period_end: bool | None = None
    cancellation_details: parts.Farewell | None = None
    pause_collection: parts.Pause | Clear | None = None
    trial_end: Moment | Literal["now"] | None = None
    trial_from_plan: bool | None = None
    trial_settings: TrialSettings | None = None
    billing_cycle_anchor: Literal["now", "unchanged"] | None = None
    billing_thresholds: parts.Thresholds | Clear | None = None
    collection_method: CollectionMethod | None = None
    days_until_due: int | None = Field(None, description="With send_invoice.")
    default_payment_method: str | None = None
    default_source: str | None = None
    payment_behavior: parts.PaymentBehavior | None = None
    payment_settings: parts.Payment | None = None
    off_session: bool | None = None
    automatic_tax: AutomaticTax | None = None
    default_tax_rates: list[Id] | Clear | None = None
    invoice_settings: parts.Printed | None = None
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
    cancellation_details: parts.Farewell | None = None


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
subscriptions_retrieve = api.get(
    "v1/subscriptions/{subscription}",
    SubscriptionsRetrieve,
    hints="get show membership recurring plan details status when does it renew current period default card",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"subscription": "subscriptions_list"},
)
subscriptions_create = api.post(
    "v1/subscriptions",
    SubscriptionsCreate,
    hints="start membership sign up monthly yearly plan recurring billing free trial enroll coupon",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={
        "customer": "customers_list",
        "items": "prices_list",
        "default_payment_method": "customer_payment_methods_list",
    },
)
subscriptions_update = api.post(
    "v1/subscriptions/{subscription}",
    SubscriptionsUpdate,
    hints="upgrade downgrade switch move to monthly yearly plan seats quantity pause resume membership "
    "cancel at period end extend trial coupon discount",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={
        "subscription": "subscriptions_list",
        "items": "subscriptions_list",
        "default_payment_method": "customer_payment_methods_list",
    },
)
subscriptions_cancel = api.delete(
    "v1/subscriptions/{subscription}",
    SubscriptionsCancel,
    hints="stop terminate unsubscribe membership recurring plan immediately",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"subscription": "subscriptions_list"},
)
