"""The account's balance, and each movement on it.

Not here: payouts from it.
"""

from pydantic import BaseModel, Field

from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.paging import PAGES, During, Page

__all__ = ["balance_retrieve", "balance_transactions_list"]

_KEPT = (
    "id",
    "type",
    "status",
    "amount",
    "fee",
    "net",
    "currency",
    "created",
    "available_on",
    "description",
    "exchange_rate",
    "fee_details.type",
    "fee_details.amount",
    "fee_details.description",
    "reporting_category",
    "source",
)


class BalanceRetrieve(BaseModel):
    """Read the balance: available, pending, reserved."""


class BalanceTransactionsList(Page):
    """List movements on the balance with fees and net, newest first."""

    type: str | None = Field(
        None, description="e.g. charge, refund, adjustment, payout, transfer, stripe_fee."
    )
    payout: str | None = Field(None, description="Those paid out with it; automatic payouts only.")
    source: str | None = Field(None, description="Charge, refund, ... that caused it.")
    currency: str | None = None
    created: During | None = None


balance_retrieve = api.get(
    "v1/balance",
    BalanceRetrieve,
    hints="how much money funds do we have available pending account",
    response_handler=keep_object(
        "available",
        "pending",
        "instant_available",
        "connect_reserved",
        "issuing",
        "refund_and_dispute_prefunding",
        "livemode",
    ),
)
balance_transactions_list = api.get(
    "v1/balance_transactions",
    BalanceTransactionsList,
    hints="ledger statement stripe fees reconcile payout net revenue accounting history",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={"payout": "payouts_list", "source": "charges_list"},
)
