"""Charges: each attempt to take money, with its outcome.

Not here: taking money; see payment_intents. Giving it back; see refunds.
"""

from pydantic import BaseModel, Field

from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.fields import EXPAND
from charter.packs.stripe.paging import PAGES, RESULTS, During, Page, Results

__all__ = ["charges_list", "charges_retrieve", "charges_search"]

_KEPT = (
    "id",
    "status",
    "paid",
    "amount",
    "amount_captured",
    "amount_refunded",
    "captured",
    "refunded",
    "disputed",
    "currency",
    "created",
    "customer",
    "description",
    "payment_intent",
    "payment_method",
    "payment_method_details.type",
    "payment_method_details.card.brand",
    "payment_method_details.card.last4",
    "failure_code",
    "failure_message",
    "outcome.type",
    "outcome.reason",
    "outcome.network_decline_code",
    "outcome.advice_code",
    "outcome.seller_message",
    "receipt_url",
    "metadata",
)
_KEPT_ALONE = (
    *_KEPT,
    "application",
    "application_fee",
    "application_fee_amount",
    "balance_transaction",
    "billing_details",
    "calculated_statement_descriptor",
    "failure_balance_transaction",
    "fraud_details",
    "livemode",
    "on_behalf_of",
    "outcome.network_status",
    "outcome.risk_level",
    "outcome.risk_score",
    "outcome.rule",
    "payment_method_details.card.country",
    "payment_method_details.card.exp_month",
    "payment_method_details.card.exp_year",
    "payment_method_details.card.funding",
    "payment_method_details.card.network",
    "payment_method_details.card.three_d_secure.result",
    "payment_method_details.card.wallet.type",
    "payment_method_details.us_bank_account.bank_name",
    "payment_method_details.us_bank_account.last4",
    "payment_method_details.sepa_debit.last4",
    "receipt_email",
    "receipt_number",
    "refunds",
    "review",
    "shipping",
    "source_transfer",
    "statement_descriptor_suffix",
    "transfer",
    "transfer_data",
    "transfer_group",
)


class ChargesList(Page):
    """List charges, newest first, with why any failed."""

    customer: str | None = None
    payment_intent: str | None = None
    transfer_group: str | None = None
    created: During | None = None


class ChargesSearch(Results):
    """Find charges by query. Changes show after about a minute."""

    query: str = Field(
        description="Fields amount, created (Unix seconds), currency, customer, disputed, metadata, refunded, status, "
        "payment_method_details.card.last4: amount>999 AND payment_method_details.card.last4:4242"
    )


class ChargesRetrieve(BaseModel):
    """Read one charge: outcome, card, refunds, receipt."""

    charge: str
    expand: list[str] | None = Field(None, description=EXPAND)


charges_list = api.get(
    "v1/charges",
    ChargesList,
    hints="payments transactions card purchases history last declined receipts of a customer",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={"customer": "customers_list", "payment_intent": "payment_intents_list"},
)
charges_search = api.get(
    "v1/charges/search",
    ChargesSearch,
    hints="lookup payment transaction by amount card last four digits disputed refunded",
    response_handler=keep_page(*_KEPT),
    pagination=RESULTS,
)
charges_retrieve = api.get(
    "v1/charges/{charge}",
    ChargesRetrieve,
    hints="get payment details receipt url decline reason risk fraud score card used",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"charge": "charges_list"},
)
