"""Payouts: money on its way from the Stripe balance to a bank account or card.

Not here: transfers between Stripe accounts. What a payout is made of; see balance.
"""

from pydantic import BaseModel, Field

from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.fields import EXPAND
from charter.packs.stripe.paging import PAGES, During, Page

__all__ = ["payouts_list", "payouts_retrieve"]

_KEPT = (
    "id",
    "status",
    "amount",
    "currency",
    "arrival_date",
    "created",
    "automatic",
    "method",
    "type",
    "destination",
    "description",
    "failure_code",
    "failure_message",
    "metadata",
)
_KEPT_ALONE = (
    *_KEPT,
    "application_fee",
    "application_fee_amount",
    "balance_transaction",
    "failure_balance_transaction",
    "livemode",
    "original_payout",
    "reconciliation_status",
    "reversed_by",
    "source_type",
    "statement_descriptor",
    "trace_id",
)


class PayoutsList(Page):
    """List payouts to the bank, newest first."""

    status: str | None = Field(None, description="pending, paid, failed or canceled.")
    destination: str | None = Field(None, description="Bank account or card id.")
    arrival_date: During | None = None
    created: During | None = None


class PayoutsRetrieve(BaseModel):
    """Read one payout: when it arrives, or why it failed."""

    payout: str
    expand: list[str] | None = Field(None, description=EXPAND)


payouts_list = api.get(
    "v1/payouts",
    PayoutsList,
    hints="deposits withdrawals settlements paid into our bank account when do we get paid",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
)
payouts_retrieve = api.get(
    "v1/payouts/{payout}",
    PayoutsRetrieve,
    hints="get deposit withdrawal bank settlement arrival failed",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"payout": "payouts_list"},
)
