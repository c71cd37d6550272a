"""Settings that invoices, subscriptions and checkout share: tax, issuer, printed fields, trial end, billing rhythm.

Not here: what is billed; see pricing.
"""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, Field, model_validator

from charter.packs.stripe.fields import MINOR

__all__ = [
    "AutomaticTax",
    "CollectionMethod",
    "InvoiceFields",
    "Party",
    "TransferAmount",
    "TransferShare",
    "TrialSettings",
]

CollectionMethod = Literal["charge_automatically", "send_invoice"]


class Party(BaseModel):
    type: Literal["self", "account"]
    account: str | None = None

    @model_validator(mode="after")
    def _account_fits_type(self) -> Self:
        if (self.type == "account") != (self.account is not None):
            raise ValueError(
                f"type {self.type!r} and account do not fit. Give account exactly with type 'account'."
            )
        return self


class AutomaticTax(BaseModel):
    wire_read_only: ClassVar = ("status", "disabled_reason")

    enabled: bool


class InvoiceField(BaseModel):
    name: str
    value: str


InvoiceFields = Annotated[list[InvoiceField], Field(max_length=4)]


class TransferAmount(BaseModel):
    destination: str
    amount: int | None = Field(None, description=MINOR)


class TransferShare(BaseModel):
    destination: str
    amount_percent: float | None = Field(None, ge=0, le=100)


class _TrialEnd(BaseModel):
    missing_payment_method: Literal["cancel", "create_invoice", "pause"]


class TrialSettings(BaseModel):
    end_behavior: _TrialEnd
