"""What a subscription is made of: its items, what is billed beside them, its rhythm, pauses and farewells.

Not here: the subscription itself; see subscriptions. Left out: usage thresholds of single items.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

from charter import AtLeastOneOf, AtMostOneOf, ExactlyOneOf, Requires
from charter.packs.stripe.billing import Party
from charter.packs.stripe.fields import MINOR, Clear, Id, Metadata, Moment
from charter.packs.stripe.pricing import Discount, OneTimePrice, RecurringPrice

__all__ = [
    "Anchor",
    "Extra",
    "Farewell",
    "Item",
    "Mode",
    "NewItems",
    "Pause",
    "Payment",
    "PaymentBehavior",
    "Period",
    "Printed",
    "Proration",
    "Thresholds",
]

_Feedback = Literal[
    "customer_service",
    "low_quality",
    "missing_features",
    "other",
    "switched_service",
    "too_complex",
    "too_expensive",
    "unused",
    "",
]
Period = Literal["max_billed_until", "max_period_end", "min_period_end"]
Proration = Literal["always_invoice", "create_prorations", "none"]
PaymentBehavior = Literal[
    "allow_incomplete", "default_incomplete", "error_if_incomplete", "pending_if_incomplete"
]


class _NewItem(BaseModel):
    wire_rules: ClassVar = (ExactlyOneOf("price", "price_data"),)

    price: str | None = None
    price_data: RecurringPrice | None = None
    quantity: int | None = None
    discounts: list[Discount] | None = None
    tax_rates: list[str] | None = None
    metadata: Metadata | None = None


class Item(BaseModel):
    wire_read_only: ClassVar = ("current_period_start", "current_period_end")
    wire_rules: ClassVar = (
        AtMostOneOf("price", "price_data"),
        AtLeastOneOf("id", "price", "price_data"),
        Requires("deleted", "id"),
        Requires("clear_usage", "deleted"),
    )

    id: str | None = Field(None, description="Item id (si_...); without it an item is added.")
    price: Id | None = None
    price_data: RecurringPrice | None = None
    quantity: int | None = Field(None, description="A new price resets it to 1.")
    deleted: bool | None = None
    clear_usage: bool | None = None
    discounts: list[Discount] | Clear | None = None
    tax_rates: list[Id] | Clear | None = None
    metadata: Metadata | Clear | None = None


class Extra(BaseModel):
    wire_rules: ClassVar = (ExactlyOneOf("price", "price_data"),)

    price: str | None = None
    price_data: OneTimePrice | None = None
    quantity: int | None = None
    discounts: list[Discount] | None = None
    tax_rates: list[str] | Clear | None = None


class Anchor(BaseModel):
    day_of_month: int
    month: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None


class Mode(BaseModel):
    type: Literal["classic", "flexible"]


class Thresholds(BaseModel):
    amount_gte: int | None = Field(None, description=MINOR)
    reset_billing_cycle_anchor: bool | None = None


class Printed(BaseModel):
    description: str | None = None
    footer: str | None = None
    account_tax_ids: list[str] | Clear | None = None
    issuer: Party | None = None


class Payment(BaseModel):
    payment_method_types: list[str] | Clear | None = None
    save_default_payment_method: Literal["off", "on_subscription"] | None = None


class Pause(BaseModel):
    behavior: Literal["keep_as_draft", "mark_uncollectible", "void"]
    resumes_at: Moment | None = None


class Farewell(BaseModel):
    wire_read_only: ClassVar = ("reason",)

    comment: str | None = None
    feedback: _Feedback | None = None


NewItems = Annotated[list[_NewItem], Field(min_length=1, max_length=20)]
