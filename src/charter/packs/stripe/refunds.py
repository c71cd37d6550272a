"""Refunds: give money back, and see what became of it.

Not here: disputes, where the bank takes money back.
"""

from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from charter import ExactlyOneOf, Requires
from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.fields import EXPAND, MINOR, Create, Metadata
from charter.packs.stripe.paging import PAGES, During, Page

__all__ = ["refunds_create", "refunds_list", "refunds_retrieve"]

_KEPT = (
    "id",
    "status",
    "amount",
    "currency",
    "created",
    "charge",
    "payment_intent",
    "customer",
    "reason",
    "failure_reason",
    "pending_reason",
    "metadata",
)
_KEPT_ALONE = (
    *_KEPT,
    "balance_transaction",
    "customer_account",
    "description",
    "destination_details",
    "failure_balance_transaction",
    "instructions_email",
    "next_action",
    "payment_method",
    "receipt_number",
    "source_transfer_reversal",
    "transfer_reversal",
)


class RefundsList(Page):
    """List refunds, newest first."""

    charge: str | None = None
    payment_intent: str | None = None
    created: During | None = None


class RefundsRetrieve(BaseModel):
    """Read one refund: its state and why it failed."""

    refund: str
    expand: list[str] | None = Field(None, description=EXPAND)


class RefundsCreate(Create):
    """Give back all or part of a payment, or pay out a customer's cash balance."""

    wire_rules: ClassVar = (
        ExactlyOneOf("payment_intent", "charge", "customer"),
        Requires("customer", "origin", "amount", "currency"),
        Requires("origin", "customer"),
    )

    payment_intent: str | None = None
    charge: str | None = None
    amount: int | None = Field(None, gt=0, description=f"{MINOR} Default all that is left.")
    reason: Literal["duplicate", "fraudulent", "requested_by_customer"] | None = None
    metadata: Metadata | None = None
    instructions_email: str | None = Field(
        None, description="Where methods without refunds ask for bank details."
    )
    refund_application_fee: bool | None = None
    reverse_transfer: bool | None = None
    customer: str | None = Field(None, description="Cash balance only, with origin, amount, currency.")
    origin: Literal["customer_balance"] | None = None
    currency: str | None = None


refunds_list = api.get(
    "v1/refunds",
    RefundsList,
    hints="money given back returned reimbursements",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={"charge": "charges_list", "payment_intent": "payment_intents_list"},
)
refunds_retrieve = api.get(
    "v1/refunds/{refund}",
    RefundsRetrieve,
    hints="get refund status has the money arrived failed pending",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"refund": "refunds_list"},
)
refunds_create = api.post(
    "v1/refunds",
    RefundsCreate,
    hints="money back return reimburse reverse undo a charge partial refund customer",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"payment_intent": "payment_intents_list", "charge": "charges_list", "customer": "customers_list"},
)
