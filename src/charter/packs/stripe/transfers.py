"""Transfers: money a platform moves to connected accounts.

Not here: payouts, which go to a bank.
"""

from pydantic import BaseModel, Field

from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.fields import EXPAND
from charter.packs.stripe.paging import PAGES, During, Page

__all__ = ["transfers_list", "transfers_retrieve"]

_KEPT = (
    "id",
    "amount",
    "amount_reversed",
    "reversed",
    "currency",
    "created",
    "description",
    "destination",
    "destination_payment",
    "source_transaction",
    "transfer_group",
    "metadata",
)
_KEPT_ALONE = (
    *_KEPT,
    "balance_transaction",
    "livemode",
    "reversals.has_more",
    "reversals.data.id",
    "reversals.data.amount",
    "reversals.data.created",
    "source_type",
)


class TransfersList(Page):
    """List transfers to connected accounts, newest first."""

    destination: str | None = Field(None, description="Account id.")
    transfer_group: str | None = None
    created: During | None = None


class TransfersRetrieve(BaseModel):
    """Read one transfer and its reversals."""

    transfer: str
    expand: list[str] | None = Field(None, description=EXPAND)


transfers_list = api.get(
    "v1/transfers",
    TransfersList,
    hints="money moved sent to sellers connect accounts",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={"destination": "accounts_list"},
)
transfers_retrieve = api.get(
    "v1/transfers/{transfer}",
    TransfersRetrieve,
    hints="get money moved to seller connect account reversed",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"transfer": "transfers_list"},
)
