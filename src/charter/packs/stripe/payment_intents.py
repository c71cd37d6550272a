"""PaymentIntents: take, capture, cancel and find payments.

Not here: the charges they lead to, and refunds. Payment methods are named by id or confirmation token: card
numbers and the options of methods other than cards stay out.
"""

from typing import ClassVar, Literal, Self

from pydantic import BaseModel, Field, model_validator

from charter import AtMostOneOf
from charter.packs.stripe.addresses import Parcel
from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.billing import TransferAmount
from charter.packs.stripe.fields import EXPAND, MINOR, Clear, Create, Metadata, Moment
from charter.packs.stripe.paging import PAGES, RESULTS, During, Page, Results

__all__ = [
    "payment_intents_cancel",
    "payment_intents_capture",
    "payment_intents_create",
    "payment_intents_list",
    "payment_intents_retrieve",
    "payment_intents_search",
]

_KEPT = (
    "id",
    "status",
    "amount",
    "amount_capturable",
    "amount_received",
    "currency",
    "created",
    "customer",
    "customer_account",
    "description",
    "latest_charge",
    "payment_method",
    "last_payment_error.type",
    "last_payment_error.code",
    "last_payment_error.decline_code",
    "last_payment_error.advice_code",
    "last_payment_error.network_decline_code",
    "last_payment_error.message",
    "last_payment_error.param",
    "last_payment_error.charge",
    "last_payment_error.payment_method.id",
    "cancellation_reason",
    "metadata",
)
_KEPT_ALONE = (
    *_KEPT,
    "allowed_payment_method_types",
    "amount_details",
    "application_fee_amount",
    "automatic_payment_methods",
    "canceled_at",
    "capture_method",
    "client_secret",
    "confirmation_method",
    "excluded_payment_method_types",
    "livemode",
    "next_action",
    "on_behalf_of",
    "payment_details",
    "payment_method_options.card",
    "payment_method_types",
    "processing",
    "receipt_email",
    "review",
    "setup_future_usage",
    "shipping",
    "statement_descriptor",
    "statement_descriptor_suffix",
    "transfer_data",
    "transfer_group",
)
_NEEDS_CONFIRM = ("error_on_requires_action", "mandate", "mandate_data", "off_session", "return_url")


class _AutomaticMethods(BaseModel):
    enabled: bool
    allow_redirects: Literal["always", "never"] | None = None


class _CapturedTransfer(BaseModel):
    amount: int | None = Field(None, description=MINOR)


class _Online(BaseModel):
    ip_address: str
    user_agent: str


class _Acceptance(BaseModel):
    type: Literal["online", "offline"]
    accepted_at: Moment | None = None
    online: _Online | None = None


class _Mandate(BaseModel):
    customer_acceptance: _Acceptance


class _References(BaseModel):
    customer_reference: str | None = None
    order_reference: str | None = None


class _CardOptions(BaseModel):
    capture_method: Literal["manual"] | None = None
    moto: bool | None = None
    request_three_d_secure: Literal["any", "automatic", "challenge"] | None = None
    setup_future_usage: Literal["none", "off_session", "on_session"] | None = None


class _MethodOptions(BaseModel):
    card: _CardOptions


class PaymentIntentsList(Page):
    """List payments, newest first."""

    customer: str | None = None
    customer_account: str | None = None
    created: During | None = None


class PaymentIntentsSearch(Results):
    """Find payments by query. Changes show after about a minute."""

    query: str = Field(
        description="Fields amount, created (Unix seconds), currency, customer, metadata, status: "
        "status:'succeeded' AND amount>500"
    )


class PaymentIntentsRetrieve(BaseModel):
    """Read one payment: its state, why it failed, what it needs next."""

    payment_intent: str
    expand: list[str] | None = Field(None, description=EXPAND)


class PaymentIntentsCreate(Create):
    """Start a payment, and with confirm take it at once."""

    wire_rules: ClassVar = (AtMostOneOf("customer", "customer_account"),)

    amount: int = Field(ge=0, description=MINOR)
    currency: str = Field(description="Three letters, lower case.")
    customer: str | None = None
    customer_account: str | None = None
    payment_method: str | None = None
    confirmation_token: str | None = None
    confirm: bool | None = None
    return_url: str | None = Field(None, description="With confirm, unless no allowed method redirects.")
    off_session: bool | Literal["one_off", "recurring"] | None = Field(
        None, description="Customer is absent; with confirm."
    )
    error_on_requires_action: bool | None = Field(None, description="With confirm.")
    automatic_payment_methods: _AutomaticMethods | None = None
    payment_method_types: list[str] | None = Field(None, description="e.g. card, us_bank_account.")
    allowed_payment_method_types: list[str] | None = None
    excluded_payment_method_types: list[str] | None = None
    payment_method_configuration: str | None = None
    payment_method_options: _MethodOptions | None = None
    capture_method: Literal["automatic", "automatic_async", "manual"] | None = Field(
        None, description="manual holds funds until capture."
    )
    confirmation_method: Literal["automatic", "manual"] | None = None
    setup_future_usage: Literal["off_session", "on_session"] | None = Field(
        None, description="Saves the method to the customer."
    )
    mandate: str | None = None
    mandate_data: _Mandate | None = None
    description: str | None = None
    metadata: Metadata | None = None
    receipt_email: str | None = None
    shipping: Parcel | None = None
    payment_details: _References | None = None
    statement_descriptor: str | None = Field(None, max_length=22, description="Not for cards.")
    statement_descriptor_suffix: str | None = Field(None, max_length=22, description="For cards.")
    application_fee_amount: int | None = Field(None, description=MINOR)
    on_behalf_of: str | None = None
    transfer_data: TransferAmount | None = None
    transfer_group: str | None = None
    use_stripe_sdk: bool | None = None

    @model_validator(mode="after")
    def _confirmed(self) -> Self:
        given = [name for name in _NEEDS_CONFIRM if getattr(self, name) is not None]
        if given and not self.confirm:
            raise ValueError(f"{', '.join(given)} only with confirm. Set confirm to true or leave them out.")
        return self

    @model_validator(mode="after")
    def _one_way_to_choose_methods(self) -> Self:
        automatic = self.automatic_payment_methods
        if automatic and automatic.enabled and self.payment_method_types:
            raise ValueError(
                "automatic_payment_methods and payment_method_types exclude each other. Give one."
            )
        return self

    @model_validator(mode="after")
    def _one_fee(self) -> Self:
        if (
            self.transfer_data
            and self.transfer_data.amount is not None
            and self.application_fee_amount is not None
        ):
            raise ValueError("application_fee_amount and transfer_data.amount exclude each other. Give one.")
        return self


class PaymentIntentsCapture(BaseModel):
    """Take funds that a payment holds (requires_capture)."""

    intent: str
    amount_to_capture: int | None = Field(None, ge=0, description=f"{MINOR} Default all.")
    final_capture: bool | None = Field(None, description="false keeps the rest on hold.")
    application_fee_amount: int | None = Field(None, description=MINOR)
    transfer_data: _CapturedTransfer | None = None
    metadata: Metadata | Clear | None = None
    payment_details: _References | Clear | None = None
    statement_descriptor: str | None = Field(None, max_length=22, description="Not for cards.")
    statement_descriptor_suffix: str | None = Field(None, max_length=22, description="For cards.")


class PaymentIntentsCancel(BaseModel):
    """Cancel a payment that has not succeeded; releases held funds."""

    intent: str
    cancellation_reason: Literal["abandoned", "duplicate", "fraudulent", "requested_by_customer"] | None = (
        None
    )


payment_intents_list = api.get(
    "v1/payment_intents",
    PaymentIntentsList,
    hints="payments transactions sales of a customer recent last failed declined",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={"customer": "customers_list"},
)
payment_intents_search = api.get(
    "v1/payment_intents/search",
    PaymentIntentsSearch,
    hints="lookup payment transaction by amount status metadata order",
    response_handler=keep_page(*_KEPT),
    pagination=RESULTS,
)
payment_intents_retrieve = api.get(
    "v1/payment_intents/{payment_intent}",
    PaymentIntentsRetrieve,
    hints="get payment status decline error reason why did the payment fail 3d secure",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"payment_intent": "payment_intents_list"},
)
payment_intents_create = api.post(
    "v1/payment_intents",
    PaymentIntentsCreate,
    hints="charge a customer's card collect money pay authorize hold bill saved card",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"customer": "customers_list", "payment_method": "customer_payment_methods_list"},
)
payment_intents_capture = api.post(
    "v1/payment_intents/{intent}/capture",
    PaymentIntentsCapture,
    hints="capture authorized payment settle collect held hold authorization partial",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"intent": "payment_intents_list"},
)
payment_intents_cancel = api.post(
    "v1/payment_intents/{intent}/cancel",
    PaymentIntentsCancel,
    hints="abort void stop pending payment release authorization hold uncaptured",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"intent": "payment_intents_list"},
)
