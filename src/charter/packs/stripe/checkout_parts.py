"""What a checkout page is made of: lines, delivery, questions, texts, and what it hands on.

Not here: the session itself; see checkout_sessions. Left out: branding, asking for names,
shipping rates with tax codes, and options per payment method.
"""

from typing import ClassVar, Literal, Self

from pydantic import BaseModel, Field, model_validator

from charter import AtMostOneOf, ExactlyOneOf
from charter.packs.stripe.billing import InvoiceFields, TransferAmount, TransferShare, TrialSettings
from charter.packs.stripe.fields import MINOR, Metadata, Moment, TaxBehavior
from charter.packs.stripe.pricing import Cycle, InlinePrice

__all__ = [
    "Consent",
    "CustomerUpdate",
    "ExtraField",
    "ForInvoice",
    "ForPayment",
    "ForSetup",
    "ForSubscription",
    "LineItem",
    "Offer",
    "Recovery",
    "SavedMethods",
    "ShippingOption",
    "Switch",
    "TaxIds",
    "Texts",
]


class Switch(BaseModel):
    enabled: bool


class _Adjustable(BaseModel):
    enabled: bool
    minimum: int | None = None
    maximum: int | None = None


class _NewProduct(BaseModel):
    name: str
    description: str | None = None
    images: list[str] | None = Field(None, max_length=8)
    metadata: Metadata | None = None
    tax_code: str | None = None


class _LinePrice(InlinePrice):
    wire_rules: ClassVar = (
        ExactlyOneOf("product", "product_data"),
        ExactlyOneOf("unit_amount", "unit_amount_decimal"),
    )

    product: str | None = None
    product_data: _NewProduct | None = None
    recurring: Cycle | None = None


class LineItem(BaseModel):
    wire_rules: ClassVar = (ExactlyOneOf("price", "price_data"),)

    price: str | None = None
    price_data: _LinePrice | None = None
    quantity: int | None = Field(None, description="Not for metered prices.")
    adjustable_quantity: _Adjustable | None = None
    tax_rates: list[str] | None = None
    metadata: Metadata | None = None


class Offer(BaseModel):
    price: str
    quantity: int


class _Fixed(BaseModel):
    amount: int = Field(ge=0, description=MINOR)
    currency: str


class _NewRate(BaseModel):
    display_name: str
    type: Literal["fixed_amount"] = "fixed_amount"
    fixed_amount: _Fixed
    tax_behavior: TaxBehavior | None = None


class ShippingOption(BaseModel):
    wire_rules: ClassVar = (ExactlyOneOf("shipping_rate", "shipping_rate_data"),)

    shipping_rate: str | None = None
    shipping_rate_data: _NewRate | None = None


class _Label(BaseModel):
    type: Literal["custom"] = "custom"
    custom: str = Field(max_length=50)


class _Choice(BaseModel):
    label: str
    value: str


class _Dropdown(BaseModel):
    options: list[_Choice] = Field(max_length=200)


class ExtraField(BaseModel):
    key: str
    label: _Label
    type: Literal["dropdown", "numeric", "text"]
    optional: bool | None = None
    dropdown: _Dropdown | None = None

    @model_validator(mode="after")
    def _settings_fit_type(self) -> Self:
        if (self.type == "dropdown") != (self.dropdown is not None):
            raise ValueError(
                f"type {self.type!r} and dropdown do not fit. Give dropdown exactly with type 'dropdown'."
            )
        return self


class _Text(BaseModel):
    message: str


class Texts(BaseModel):
    submit: _Text | None = None
    after_submit: _Text | None = None
    shipping_address: _Text | None = None
    terms_of_service_acceptance: _Text | None = None


class Consent(BaseModel):
    terms_of_service: Literal["none", "required"] | None = None
    promotions: Literal["auto", "none"] | None = None


class CustomerUpdate(BaseModel):
    address: Literal["auto", "never"] | None = None
    name: Literal["auto", "never"] | None = None
    shipping: Literal["auto", "never"] | None = None


class SavedMethods(BaseModel):
    payment_method_save: Literal["disabled", "enabled"] | None = None


class TaxIds(BaseModel):
    enabled: bool
    required: Literal["if_supported", "never"] | None = None


class _Recovered(BaseModel):
    enabled: bool


class Recovery(BaseModel):
    recovery: _Recovered


class ForPayment(BaseModel):
    capture_method: Literal["automatic", "automatic_async", "manual"] | None = None
    setup_future_usage: Literal["off_session", "on_session"] | None = None
    description: str | None = None
    metadata: Metadata | None = None
    receipt_email: str | None = None
    statement_descriptor: str | None = None
    statement_descriptor_suffix: str | None = None
    application_fee_amount: int | None = Field(None, description=MINOR)
    on_behalf_of: str | None = None
    transfer_data: TransferAmount | None = None
    transfer_group: str | None = None


class ForSetup(BaseModel):
    description: str | None = None
    metadata: Metadata | None = None
    on_behalf_of: str | None = None


class ForSubscription(BaseModel):
    wire_rules: ClassVar = (AtMostOneOf("trial_end", "trial_period_days"),)

    trial_period_days: int | None = Field(None, ge=1)
    trial_end: Moment | None = Field(None, description="48 hours ahead or more.")
    trial_settings: TrialSettings | None = None
    billing_cycle_anchor: Moment | None = None
    proration_behavior: Literal["create_prorations", "none"] | None = None
    description: str | None = None
    metadata: Metadata | None = None
    default_tax_rates: list[str] | None = None
    application_fee_percent: float | None = Field(None, ge=0, le=100)
    on_behalf_of: str | None = None
    transfer_data: TransferShare | None = None


class _InvoiceData(BaseModel):
    description: str | None = None
    footer: str | None = None
    custom_fields: InvoiceFields | None = None
    metadata: Metadata | None = None


class ForInvoice(BaseModel):
    enabled: bool
    invoice_data: _InvoiceData | None = None
