"""Disputes: what a customer's bank contests, the evidence against it, and giving in.

Not here: refunds, which avoid disputes. Left out: matching earlier transactions for Visa by hand.
"""

from typing import ClassVar, Self

from pydantic import BaseModel, Field, model_validator

from charter import NotOnly
from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.fields import EXPAND, Change, Clear, Metadata
from charter.packs.stripe.paging import PAGES, During, Page

__all__ = ["disputes_close", "disputes_list", "disputes_retrieve", "disputes_update"]

_KEPT = (
    "id",
    "status",
    "reason",
    "amount",
    "currency",
    "created",
    "charge",
    "payment_intent",
    "network_reason_code",
    "is_charge_refundable",
    "evidence_details.due_by",
    "evidence_details.has_evidence",
    "evidence_details.past_due",
    "evidence_details.submission_count",
    "metadata",
)
_KEPT_ALONE = (
    *_KEPT,
    "balance_transactions.id",
    "balance_transactions.amount",
    "balance_transactions.fee",
    "enhanced_eligibility_types",
    "evidence",
    "evidence_details",
    "livemode",
    "payment_method_details",
)
_FILE = "File id."
_LONGEST_TEXT = 20_000
_LONGEST_EVIDENCE = 150_000


class _Fee(BaseModel):
    fee_acknowledged: bool


class _EnhancedEvidence(BaseModel):
    visa_compliance: _Fee | None = None
    mastercard_compliance: _Fee | None = None


class _Evidence(BaseModel):
    access_activity_log: str | None = None
    billing_address: str | None = None
    cancellation_policy: str | None = Field(None, description=_FILE)
    cancellation_policy_disclosure: str | None = None
    cancellation_rebuttal: str | None = None
    customer_communication: str | None = Field(None, description=_FILE)
    customer_email_address: str | None = None
    customer_name: str | None = None
    customer_purchase_ip: str | None = None
    customer_signature: str | None = Field(None, description=_FILE)
    duplicate_charge_documentation: str | None = Field(None, description=_FILE)
    duplicate_charge_explanation: str | None = None
    duplicate_charge_id: str | None = None
    product_description: str | None = None
    receipt: str | None = Field(None, description=_FILE)
    refund_policy: str | None = Field(None, description=_FILE)
    refund_policy_disclosure: str | None = None
    refund_refusal_explanation: str | None = None
    service_date: str | None = None
    service_documentation: str | None = Field(None, description=_FILE)
    shipping_address: str | None = None
    shipping_carrier: str | None = None
    shipping_date: str | None = None
    shipping_documentation: str | None = Field(None, description=_FILE)
    shipping_tracking_number: str | None = None
    uncategorized_file: str | None = Field(None, description=_FILE)
    uncategorized_text: str | None = None
    enhanced_evidence: _EnhancedEvidence | Clear | None = None

    @model_validator(mode="after")
    def _fits_the_bank(self) -> Self:
        lengths = {name: len(value) for name, value in self if isinstance(value, str)}
        long = [name for name, length in lengths.items() if length > _LONGEST_TEXT]
        if long:
            raise ValueError(f"{', '.join(long)} over {_LONGEST_TEXT} characters. Shorten.")
        if sum(lengths.values()) > _LONGEST_EVIDENCE:
            raise ValueError(
                f"{sum(lengths.values())} characters together. Keep at most {_LONGEST_EVIDENCE}."
            )
        return self


class DisputesList(Page):
    """List disputes, newest first."""

    charge: str | None = None
    payment_intent: str | None = None
    created: During | None = None


class DisputesRetrieve(BaseModel):
    """Read one dispute: reason, deadline, evidence so far."""

    dispute: str
    expand: list[str] | None = Field(None, description=EXPAND)


class DisputesUpdate(Change):
    """Answer a dispute with evidence. It goes to the bank at once unless submit is false."""

    wire_rules: ClassVar = (NotOnly("dispute"),)

    dispute: str
    evidence: _Evidence | None = None
    submit: bool | None = Field(None, description="Default true, and final; false saves a draft.")
    metadata: Metadata | Clear | None = None


class DisputesClose(BaseModel):
    """Accept a dispute as lost. Cannot be undone."""

    dispute: str


disputes_list = api.get(
    "v1/disputes",
    DisputesList,
    hints="chargebacks contested payments complaints bank claims inquiries fraud",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={"charge": "charges_list", "payment_intent": "payment_intents_list"},
)
disputes_retrieve = api.get(
    "v1/disputes/{dispute}",
    DisputesRetrieve,
    hints="get chargeback reason deadline due date evidence status",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"dispute": "disputes_list"},
)
disputes_update = api.post(
    "v1/disputes/{dispute}",
    DisputesUpdate,
    hints="fight contest challenge chargeback respond submit evidence receipt tracking number",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"dispute": "disputes_list"},
)
disputes_close = api.post(
    "v1/disputes/{dispute}/close",
    DisputesClose,
    hints="accept concede give in chargeback lose forfeit",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"dispute": "disputes_list"},
)
