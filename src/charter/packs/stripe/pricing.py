"""What things cost, where a price is described instead of named, and what takes money off.

Not here: prices as objects of their own; see prices.
"""

from typing import Any, ClassVar, Literal, Self

from pydantic import BaseModel, Field, model_validator

from charter import ExactlyOneOf
from charter.packs.stripe.fields import MINOR, TaxBehavior

__all__ = [
    "DECIMAL",
    "Coupon",
    "CustomAmount",
    "Cycle",
    "Discount",
    "InlinePrice",
    "Interval",
    "OneTimePrice",
    "RecurringPrice",
]

DECIMAL = "Decimal text, smallest unit."

Interval = Literal["day", "week", "month", "year"]

_MOST = {"day": 1095, "week": 156, "month": 36, "year": 3}


class Discount(BaseModel):
    wire_rules: ClassVar = (ExactlyOneOf("coupon", "promotion_code", "discount"),)

    coupon: str | None = None
    promotion_code: str | None = None
    discount: str | None = Field(None, description="Existing discount id.")

    @model_validator(mode="before")
    @classmethod
    def _read_id(cls, value: Any) -> Any:
        return {"discount": value} if isinstance(value, str) else value


class Coupon(BaseModel):
    wire_rules: ClassVar = (ExactlyOneOf("coupon", "promotion_code"),)

    coupon: str | None = None
    promotion_code: str | None = None


class Cycle(BaseModel):
    interval: Interval
    interval_count: int | None = Field(None, ge=1)

    @model_validator(mode="after")
    def _at_most_three_years(self) -> Self:
        most = _MOST[self.interval]
        if self.interval_count is not None and self.interval_count > most:
            raise ValueError(f"interval_count {self.interval_count} is over three years. Use at most {most}.")
        return self


class CustomAmount(BaseModel):
    enabled: Literal[True] = True
    minimum: int | None = None
    maximum: int | None = None
    preset: int | None = None


class InlinePrice(BaseModel):
    currency: str
    unit_amount: int | None = Field(None, description=MINOR)
    unit_amount_decimal: str | None = Field(None, description=DECIMAL)
    tax_behavior: TaxBehavior | None = None


class OneTimePrice(InlinePrice):
    wire_rules: ClassVar = (ExactlyOneOf("unit_amount", "unit_amount_decimal"),)

    product: str


class RecurringPrice(OneTimePrice):
    recurring: Cycle
