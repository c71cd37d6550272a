"""Payment methods: saved cards, bank accounts and wallets.

Not here: taking money with them; see payment_intents.
"""

from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from charter import AtMostOneOf, ExactlyOneOf
from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.fields import EXPAND
from charter.packs.stripe.paging import PAGES, Page

__all__ = [
    "customer_payment_method_retrieve",
    "customer_payment_methods_list",
    "payment_methods_attach",
    "payment_methods_detach",
    "payment_methods_list",
    "payment_methods_retrieve",
]

_KEPT = (
    "id",
    "type",
    "created",
    "customer",
    "customer_account",
    "allow_redisplay",
    "billing_details.name",
    "billing_details.email",
    "card.brand",
    "card.last4",
    "card.exp_month",
    "card.exp_year",
    "card.funding",
    "card.country",
    "card.wallet.type",
    "us_bank_account.bank_name",
    "us_bank_account.last4",
    "sepa_debit.last4",
    "bacs_debit.last4",
    "acss_debit.last4",
    "au_becs_debit.last4",
    "link.email",
    "paypal.payer_email",
    "metadata",
)
_KEPT_ALONE = (
    *_KEPT,
    "billing_details",
    "card.checks",
    "card.display_brand",
    "card.networks",
    "card.three_d_secure_usage",
    "livemode",
    "radar_options",
    "sepa_debit",
    "us_bank_account",
)
_TYPE = "e.g. card, us_bank_account, sepa_debit."

_Redisplay = Literal["always", "limited", "unspecified"]


class PaymentMethodsList(Page):
    """List payment methods."""

    wire_rules: ClassVar = (*Page.wire_rules, AtMostOneOf("customer", "customer_account"))

    customer: str | None = None
    customer_account: str | None = None
    type: str | None = Field(None, description=_TYPE)
    allow_redisplay: _Redisplay | None = None


class PaymentMethodsRetrieve(BaseModel):
    """Read one payment method."""

    payment_method: str
    expand: list[str] | None = Field(None, description=EXPAND)


class PaymentMethodsAttach(BaseModel):
    """Save a payment method to a customer."""

    wire_rules: ClassVar = (ExactlyOneOf("customer", "customer_account"),)

    payment_method: str
    customer: str | None = None
    customer_account: str | None = None


class PaymentMethodsDetach(BaseModel):
    """Remove a payment method from its customer, for good."""

    payment_method: str


class CustomerPaymentMethodsList(Page):
    """List a customer's payment methods."""

    customer: str
    type: str | None = Field(None, description=_TYPE)
    allow_redisplay: _Redisplay | None = None


class CustomerPaymentMethodRetrieve(BaseModel):
    """Read one payment method of a customer."""

    customer: str
    payment_method: str
    expand: list[str] | None = Field(None, description=EXPAND)


payment_methods_list = api.get(
    "v1/payment_methods",
    PaymentMethodsList,
    hints="saved cards bank accounts wallets on file",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={"customer": "customers_list"},
)
payment_methods_retrieve = api.get(
    "v1/payment_methods/{payment_method}",
    PaymentMethodsRetrieve,
    hints="get card bank account details expiry brand last four digits",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"payment_method": "payment_methods_list"},
)
payment_methods_attach = api.post(
    "v1/payment_methods/{payment_method}/attach",
    PaymentMethodsAttach,
    hints="add card bank account to customer keep on file",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"payment_method": "payment_methods_list", "customer": "customers_list"},
)
payment_methods_detach = api.post(
    "v1/payment_methods/{payment_method}/detach",
    PaymentMethodsDetach,
    hints="delete take off forget unlink expired old saved card visa bank account",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"payment_method": "payment_methods_list"},
)
customer_payment_methods_list = api.get(
    "v1/customers/{customer}/payment_methods",
    CustomerPaymentMethodsList,
    hints="saved cards bank accounts wallets on file which card can we charge",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={"customer": "customers_list"},
)
customer_payment_method_retrieve = api.get(
    "v1/customers/{customer}/payment_methods/{payment_method}",
    CustomerPaymentMethodRetrieve,
    hints="get saved card bank account details expiry",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"customer": "customers_list", "payment_method": "customer_payment_methods_list"},
)
