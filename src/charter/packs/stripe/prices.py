"""Prices: how much a product costs, once or per interval, flat or in tiers.

Not here: prices described inside another call; see pricing.
"""

from typing import ClassVar, Literal, Self

from pydantic import BaseModel, Field, model_validator

from charter import AtMostOneOf, ExactlyOneOf, NotOnly, Requires
from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.fields import EXPAND, MINOR, Change, Clear, Create, Metadata, TaxBehavior
from charter.packs.stripe.paging import PAGES, RESULTS, During, Page, Results
from charter.packs.stripe.pricing import DECIMAL, CustomAmount, Cycle, Interval

__all__ = ["prices_create", "prices_list", "prices_retrieve", "prices_search", "prices_update"]

_KEPT = (
    "id",
    "active",
    "product",
    "currency",
    "unit_amount",
    "unit_amount_decimal",
    "custom_unit_amount",
    "type",
    "recurring",
    "billing_scheme",
    "tiers_mode",
    "nickname",
    "lookup_key",
    "metadata",
    "deleted",
)
_KEPT_ALONE = (
    *_KEPT,
    "created",
    "currency_options",
    "livemode",
    "tax_behavior",
    "tiers",
    "transform_quantity",
)


class _Tier(BaseModel):
    wire_rules: ClassVar = (
        AtMostOneOf("unit_amount", "unit_amount_decimal"),
        AtMostOneOf("flat_amount", "flat_amount_decimal"),
    )

    up_to: int | Literal["inf"] = Field(description="inf on the last.")
    unit_amount: int | None = None
    unit_amount_decimal: str | None = None
    flat_amount: int | None = None
    flat_amount_decimal: str | None = None


class _Recurring(Cycle):
    usage_type: Literal["licensed", "metered"] | None = None
    meter: str | None = Field(None, description="Needed by metered.")
    trial_period_days: int | None = None

    @model_validator(mode="after")
    def _metered_by_a_meter(self) -> Self:
        if (self.usage_type == "metered") != (self.meter is not None):
            raise ValueError("usage_type 'metered' and meter go together. Give both or neither.")
        return self


class _NewProduct(BaseModel):
    name: str
    id: str | None = None
    active: bool | None = None
    metadata: Metadata | None = None
    statement_descriptor: str | None = Field(None, max_length=22)
    tax_code: str | None = None
    unit_label: str | None = None


class _Rounding(BaseModel):
    divide_by: int = Field(gt=0)
    round: Literal["down", "up"]


class _CurrencyPrice(BaseModel):
    unit_amount: int | None = None
    unit_amount_decimal: str | None = None
    tax_behavior: TaxBehavior | None = None

    @model_validator(mode="after")
    def _one_amount(self) -> Self:
        if self.unit_amount is None or self.unit_amount_decimal is None:
            return self
        if self.unit_amount_decimal != str(self.unit_amount):
            raise ValueError("unit_amount and unit_amount_decimal differ. Give one of them.")
        self.model_fields_set.discard("unit_amount_decimal")  # an answer shows both, and only one may be sent
        return self


class _RecurringFilter(BaseModel):
    interval: Interval | None = None
    usage_type: Literal["licensed", "metered"] | None = None
    meter: str | None = None


class PricesList(Page):
    """List prices, newest first."""

    product: str | None = None
    active: bool | None = None
    currency: str | None = None
    type: Literal["one_time", "recurring"] | None = None
    lookup_keys: list[str] | None = Field(None, max_length=10)
    recurring: _RecurringFilter | None = None
    created: During | None = None


class PricesSearch(Results):
    """Find prices by query. Changes show after about a minute."""

    query: str = Field(
        description="Fields active, currency, lookup_key, metadata, product, type: active:'true' AND product:'prod_1'"
    )


class PricesRetrieve(BaseModel):
    """Read one price. Expand tiers or currency_options to see them."""

    price: str
    expand: list[str] | None = Field(None, description=EXPAND)


class PricesCreate(Create):
    """Make a price for a product. Its amount and interval cannot change later."""

    wire_rules: ClassVar = (
        ExactlyOneOf("product", "product_data"),
        AtMostOneOf("unit_amount", "unit_amount_decimal", "custom_unit_amount", "tiers"),
        AtMostOneOf("transform_quantity", "tiers"),
        Requires("transfer_lookup_key", "lookup_key"),
    )

    currency: str = Field(description="Three letters, lower case.")
    product: str | None = None
    product_data: _NewProduct | None = Field(None, description="Makes the product too.")
    unit_amount: int | None = Field(None, ge=0, description=MINOR)
    unit_amount_decimal: str | None = Field(None, description=DECIMAL)
    custom_unit_amount: CustomAmount | None = Field(None, description=f"Customer chooses. {MINOR}")
    recurring: _Recurring | None = None
    billing_scheme: Literal["per_unit", "tiered"] | None = None
    tiers: list[_Tier] | None = Field(None, description=f"With tiered and tiers_mode. {MINOR}")
    tiers_mode: Literal["graduated", "volume"] | None = None
    transform_quantity: _Rounding | None = None
    currency_options: dict[str, _CurrencyPrice] | None = Field(None, description="By currency.")
    active: bool | None = None
    nickname: str | None = None
    lookup_key: str | None = Field(None, max_length=200)
    transfer_lookup_key: bool | None = Field(None, description="Takes lookup_key from the price that has it.")
    metadata: Metadata | None = None
    tax_behavior: TaxBehavior | None = None

    @model_validator(mode="after")
    def _amount_fits_scheme(self) -> Self:
        tiered = self.billing_scheme == "tiered"
        if (tiered, tiered) != (self.tiers is not None, self.tiers_mode is not None):
            raise ValueError(
                "billing_scheme 'tiered', tiers and tiers_mode go together. Give all three or none."
            )
        amounts = (self.unit_amount, self.unit_amount_decimal, self.custom_unit_amount)
        if not tiered and all(amount is None for amount in amounts):
            raise ValueError("no amount. Give unit_amount, unit_amount_decimal, custom_unit_amount or tiers.")
        return self


class PricesUpdate(Change):
    """Change a price's labels, or retire it (active false). "" clears a field."""

    wire_rules: ClassVar = (NotOnly("price"),)

    price: str
    active: bool | None = None
    nickname: str | None = None
    lookup_key: str | None = Field(None, max_length=200)
    transfer_lookup_key: bool | None = Field(None, description="Takes lookup_key from the price that has it.")
    currency_options: dict[str, _CurrencyPrice] | Clear | None = Field(None, description="By currency.")
    metadata: Metadata | Clear | None = None
    tax_behavior: TaxBehavior | None = Field(None, description="Only while unspecified.")


prices_list = api.get(
    "v1/prices",
    PricesList,
    hints="how much does it cost plans tariffs rates of a product",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={"product": "products_list"},
)
prices_search = api.get(
    "v1/prices/search",
    PricesSearch,
    hints="lookup plan cost by lookup key",
    response_handler=keep_page(*_KEPT),
    pagination=RESULTS,
)
prices_retrieve = api.get(
    "v1/prices/{price}",
    PricesRetrieve,
    hints="get show how much does the plan cost details amount interval",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"price": "prices_list"},
)
prices_create = api.post(
    "v1/prices",
    PricesCreate,
    hints="set cost plan monthly yearly fee tiers metered usage pay what you want",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"product": "products_list"},
)
prices_update = api.post(
    "v1/prices/{price}",
    PricesUpdate,
    hints="edit archive deactivate plan rename nickname lookup key",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"price": "prices_list"},
)
