"""Checkout sessions: payment pages that Stripe hosts.

Not here: the parts of a page; see checkout_parts.
"""

from typing import ClassVar, Literal, Self

from pydantic import BaseModel, Field, model_validator

from charter import AtMostOneOf, Requires
from charter.packs.stripe import checkout_parts as parts
from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.billing import AutomaticTax
from charter.packs.stripe.fields import EXPAND, Create, Metadata, Moment
from charter.packs.stripe.paging import PAGES, During, Page
from charter.packs.stripe.pricing import Coupon

__all__ = [
    "checkout_sessions_create",
    "checkout_sessions_line_items",
    "checkout_sessions_list",
    "checkout_sessions_retrieve",
]

_KEPT = (
    "id",
    "url",
    "status",
    "payment_status",
    "mode",
    "amount_subtotal",
    "amount_total",
    "currency",
    "created",
    "expires_at",
    "customer",
    "customer_account",
    "customer_email",
    "customer_details.email",
    "customer_details.name",
    "client_reference_id",
    "payment_intent",
    "payment_link",
    "setup_intent",
    "subscription",
    "invoice",
    "metadata",
)
_KEPT_LINES = (
    "id",
    "description",
    "quantity",
    "amount_subtotal",
    "amount_discount",
    "amount_tax",
    "amount_total",
    "currency",
    "price.id",
    "price.product",
    "price.unit_amount",
    "price.recurring",
    "metadata",
)
_KEPT_ALONE = (
    *_KEPT,
    "adaptive_pricing",
    "after_expiration",
    "allow_promotion_codes",
    "automatic_tax.enabled",
    "automatic_tax.status",
    "billing_address_collection",
    "cancel_url",
    "client_secret",
    "collected_information",
    "consent",
    "consent_collection",
    "custom_fields",
    "custom_text",
    "customer_creation",
    "customer_details",
    "discounts",
    "excluded_payment_method_types",
    "invoice_creation",
    "line_items.has_more",
    "line_items.data.adjustable_quantity",
    *(f"line_items.data.{path}" for path in _KEPT_LINES),
    "livemode",
    "locale",
    "optional_items",
    "payment_method_collection",
    "payment_method_types",
    "phone_number_collection",
    "recovered_from",
    "redirect_on_completion",
    "return_url",
    "saved_payment_method_options",
    "shipping_address_collection",
    "shipping_cost",
    "shipping_options",
    "submit_type",
    "success_url",
    "tax_id_collection",
    "total_details",
    "ui_mode",
)

_MODES = {
    "customer_creation": ("payment", "setup"),
    "invoice_creation": ("payment",),
    "payment_intent_data": ("payment",),
    "payment_method_collection": ("subscription",),
    "phone_number_collection": ("payment", "subscription"),
    "saved_payment_method_options": ("payment", "subscription"),
    "setup_intent_data": ("setup",),
    "submit_type": ("payment", "subscription"),
    "subscription_data": ("subscription",),
}
"""The modes that each of these may be given in."""

_PAGES = {
    "after_expiration": ("hosted_page", "embedded_page", "form"),
    "cancel_url": ("hosted_page", "form"),
    "submit_type": ("hosted_page", "embedded_page", "form"),
    "success_url": ("hosted_page", "form"),
    "redirect_on_completion": ("embedded_page",),
}
"""The pages (ui_mode) that each of these may be given on."""


class _Buyer(BaseModel):
    email: str


class _Countries(BaseModel):
    allowed_countries: list[str] = Field(description="Two letters each.")


class CheckoutSessionsList(Page):
    """List checkout sessions, newest first."""

    customer: str | None = None
    customer_account: str | None = None
    customer_details: _Buyer | None = None
    payment_intent: str | None = None
    payment_link: str | None = None
    subscription: str | None = None
    status: Literal["complete", "expired", "open"] | None = None
    created: During | None = None


class CheckoutSessionsRetrieve(BaseModel):
    """Read one checkout session. Expand line_items to see what was bought."""

    session: str
    expand: list[str] | None = Field(None, description=EXPAND)


class CheckoutSessionsLineItems(Page):
    """List what is bought in a checkout session."""

    session: str


class CheckoutSessionsCreate(Create):
    """Make a payment page and get its url to send to the customer."""

    wire_rules: ClassVar = (
        AtMostOneOf("customer", "customer_account", "customer_email"),
        AtMostOneOf("customer", "customer_account", "customer_creation"),
        Requires("customer_update", "customer"),
    )

    mode: Literal["payment", "setup", "subscription"]
    line_items: list[parts.LineItem] | None = Field(None, max_length=100, description="Not with setup.")
    success_url: str | None = Field(None, description="Where a hosted page leads after success.")
    cancel_url: str | None = None
    return_url: str | None = Field(None, description="In place of success_url when embedded.")
    ui_mode: Literal["elements", "embedded_page", "form", "hosted_page"] | None = Field(
        None, description="Default hosted_page."
    )
    redirect_on_completion: Literal["always", "if_required", "never"] | None = None
    customer: str | None = None
    customer_account: str | None = None
    customer_email: str | None = None
    customer_creation: Literal["always", "if_required"] | None = None
    customer_update: parts.CustomerUpdate | None = None
    client_reference_id: str | None = Field(None, max_length=200)
    currency: str | None = Field(None, description="With setup, unless payment_method_types.")
    metadata: Metadata | None = None
    discounts: list[Coupon] | None = Field(None, max_length=1)
    allow_promotion_codes: bool | None = None
    optional_items: list[parts.Offer] | None = Field(None, max_length=10)
    automatic_tax: AutomaticTax | None = None
    tax_id_collection: parts.TaxIds | None = None
    billing_address_collection: Literal["auto", "required"] | None = None
    shipping_address_collection: _Countries | None = None
    shipping_options: list[parts.ShippingOption] | None = Field(None, max_length=5)
    phone_number_collection: parts.Switch | None = None
    custom_fields: list[parts.ExtraField] | None = Field(None, max_length=3)
    custom_text: parts.Texts | None = None
    consent_collection: parts.Consent | None = None
    submit_type: Literal["auto", "book", "donate", "pay", "subscribe"] | None = None
    locale: str | None = Field(None, description="e.g. de, pt-BR.")
    expires_at: Moment | None = Field(None, description="30 minutes to 24 hours ahead.")
    after_expiration: parts.Recovery | None = None
    payment_intent_data: parts.ForPayment | None = Field(None, description="mode payment.")
    setup_intent_data: parts.ForSetup | None = Field(None, description="mode setup.")
    subscription_data: parts.ForSubscription | None = Field(None, description="mode subscription.")
    invoice_creation: parts.ForInvoice | None = Field(None, description="mode payment.")
    payment_method_types: list[str] | None = None
    excluded_payment_method_types: list[str] | None = None
    payment_method_collection: Literal["always", "if_required"] | None = Field(
        None, description="mode subscription."
    )
    payment_method_configuration: str | None = None
    saved_payment_method_options: parts.SavedMethods | None = None
    adaptive_pricing: parts.Switch | None = None

    @model_validator(mode="after")
    def _fits_mode(self) -> Self:
        for name, modes in _MODES.items():
            if getattr(self, name) is not None and self.mode not in modes:
                raise ValueError(
                    f"{name} with mode {self.mode!r}. Leave it out; it is for {' or '.join(modes)}."
                )
        if self.mode != "setup" and not self.line_items:
            raise ValueError(f"mode {self.mode!r} without line_items. Give at least one.")
        if self.mode == "setup" and not (self.currency or self.payment_method_types):
            raise ValueError("mode 'setup' without currency or payment_method_types. Give one.")
        if self.mode == "subscription" and len(self.line_items or ()) > 20:
            raise ValueError("over 20 line_items in mode 'subscription'. Keep at most 20.")
        return self

    @model_validator(mode="after")
    def _fits_page(self) -> Self:
        page = self.ui_mode or "hosted_page"
        for name, pages in _PAGES.items():
            if getattr(self, name) is not None and page not in pages:
                raise ValueError(
                    f"{name} with ui_mode {page!r}. Leave it out; it is for {' or '.join(pages)}."
                )
        stays = self.redirect_on_completion in ("if_required", "never")
        if page == "embedded_page" and not stays and self.return_url is None:
            raise ValueError(
                "ui_mode 'embedded_page' without return_url. Give it, or redirect_on_completion 'never'."
            )
        return self

    @model_validator(mode="after")
    def _one_kind_of_discount(self) -> Self:
        if self.allow_promotion_codes and self.discounts:
            raise ValueError("discounts and allow_promotion_codes exclude each other. Give one.")
        return self


checkout_sessions_list = api.get(
    "v1/checkout/sessions",
    CheckoutSessionsList,
    hints="payment pages carts orders abandoned completed purchases",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={
        "customer": "customers_list",
        "payment_intent": "payment_intents_list",
        "subscription": "subscriptions_list",
    },
)
checkout_sessions_retrieve = api.get(
    "v1/checkout/sessions/{session}",
    CheckoutSessionsRetrieve,
    hints="get payment page order status was it paid url",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"session": "checkout_sessions_list"},
)
checkout_sessions_line_items = api.get(
    "v1/checkout/sessions/{session}/line_items",
    CheckoutSessionsLineItems,
    hints="what was bought purchased order contents cart items",
    response_handler=keep_page(*_KEPT_LINES),
    pagination=PAGES,
    needs={"session": "checkout_sessions_list"},
)
checkout_sessions_create = api.post(
    "v1/checkout/sessions",
    CheckoutSessionsCreate,
    hints="payment link pay page buy cart order hosted subscribe url",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"customer": "customers_list", "line_items": "prices_list"},
)
