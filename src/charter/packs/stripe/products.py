"""Products: what is sold.

Not here: what it costs; see prices. Left out: package sizes.
"""

from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from charter import AtMostOneOf, ExactlyOneOf, NotOnly
from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.fields import EXPAND, Change, Clear, Create, Metadata
from charter.packs.stripe.paging import PAGES, RESULTS, During, Page, Results
from charter.packs.stripe.pricing import CustomAmount, Cycle, InlinePrice

__all__ = [
    "products_create",
    "products_list",
    "products_retrieve",
    "products_search",
    "products_update",
]

_KEPT = (
    "id",
    "name",
    "active",
    "description",
    "default_price",
    "created",
    "shippable",
    "unit_label",
    "url",
    "metadata",
    "deleted",
)
_KEPT_ALONE = (
    *_KEPT,
    "images",
    "livemode",
    "marketing_features",
    "statement_descriptor",
    "tax_code",
    "type",
    "updated",
)


class _Feature(BaseModel):
    name: str = Field(max_length=80)


class _DefaultPrice(InlinePrice):
    wire_rules: ClassVar = (ExactlyOneOf("unit_amount", "unit_amount_decimal", "custom_unit_amount"),)

    custom_unit_amount: CustomAmount | None = None
    recurring: Cycle | None = None
    metadata: Metadata | None = None


class ProductsList(Page):
    """List products, newest first."""

    wire_rules: ClassVar = (
        *Page.wire_rules,
        AtMostOneOf("ids", "starting_after"),
        AtMostOneOf("ids", "ending_before"),
    )

    active: bool | None = None
    ids: list[str] | None = None
    shippable: bool | None = None
    url: str | None = None
    created: During | None = None


class ProductsSearch(Results):
    """Find products by query. Changes show after about a minute."""

    query: str = Field(
        description="Fields active, description, metadata, name, shippable, url: active:'true' AND name~'shirt'"
    )


class ProductsRetrieve(BaseModel):
    """Read one product."""

    id: str
    expand: list[str] | None = Field(None, description=EXPAND)


class ProductsCreate(Create):
    """Make a product, with a first price if wanted."""

    name: str
    description: str | None = None
    default_price_data: _DefaultPrice | None = None
    active: bool | None = None
    id: str | None = Field(None, description="Own id.")
    images: list[str] | None = Field(None, max_length=8, description="URLs.")
    marketing_features: list[_Feature] | None = Field(None, max_length=15)
    metadata: Metadata | None = None
    shippable: bool | None = None
    statement_descriptor: str | None = Field(None, max_length=22)
    tax_code: str | None = None
    type: Literal["good", "service"] | None = None
    unit_label: str | None = None
    url: str | None = None


class ProductsUpdate(Change):
    """Change a product, make another price its default, or retire it (active false). "" clears a field."""

    wire_rules: ClassVar = (NotOnly("id"),)

    id: str
    name: str | None = None
    description: str | None = None
    default_price: str | None = None
    active: bool | None = None
    images: list[str] | Clear | None = Field(None, description="URLs.")
    marketing_features: list[_Feature] | Clear | None = None
    metadata: Metadata | Clear | None = None
    shippable: bool | None = None
    statement_descriptor: str | None = Field(None, max_length=22)
    tax_code: str | None = None
    unit_label: str | None = None
    url: str | None = None


products_list = api.get(
    "v1/products",
    ProductsList,
    hints="catalog goods services items plans we sell",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
)
products_search = api.get(
    "v1/products/search",
    ProductsSearch,
    hints="lookup item plan in catalog by name",
    response_handler=keep_page(*_KEPT),
    pagination=RESULTS,
)
products_retrieve = api.get(
    "v1/products/{id}",
    ProductsRetrieve,
    hints="get show item good service details images features tax code",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"id": "products_list"},
)
products_create = api.post(
    "v1/products",
    ProductsCreate,
    hints="add new item good service plan to catalog with price",
    response_handler=keep_object(*_KEPT_ALONE),
)
products_update = api.post(
    "v1/products/{id}",
    ProductsUpdate,
    hints="edit rename archive deactivate stop selling item catalog description images",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"id": "products_list", "default_price": "prices_list"},
)
