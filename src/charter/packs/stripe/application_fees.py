"""Application fees: what a platform earned on its accounts' payments.

Not here: setting a fee; payments and subscriptions take it as an argument.
"""

from charter.packs.stripe.answers import keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.paging import PAGES, During, Page

__all__ = ["application_fees_list"]

_KEPT = (
    "id",
    "amount",
    "amount_refunded",
    "refunded",
    "currency",
    "created",
    "account",
    "application",
    "balance_transaction",
    "charge",
    "originating_transaction",
    "fee_source",
    "refunds.has_more",
    "refunds.data.id",
    "refunds.data.amount",
)


class ApplicationFeesList(Page):
    """List fees collected from connected accounts, newest first."""

    charge: str | None = None
    created: During | None = None


application_fees_list = api.get(
    "v1/application_fees",
    ApplicationFeesList,
    hints="platform commission earnings connect cut take rate",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={"charge": "charges_list"},
)
