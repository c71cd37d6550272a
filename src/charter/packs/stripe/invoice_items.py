"""Invoice items: single lines to be billed, now on a draft or with the next invoice.

Not here: the invoice around them.
"""

from typing import ClassVar, Self

from pydantic import BaseModel, Field, model_validator

from charter import AtLeastOneOf, AtMostOneOf, ExactlyOneOf, NotOnly
from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.fields import (
    EXPAND,
    MINOR,
    Change,
    Clear,
    Create,
    Id,
    Metadata,
    Moment,
    TaxBehavior,
)
from charter.packs.stripe.paging import PAGES, During, Page
from charter.packs.stripe.pricing import DECIMAL, Discount, OneTimePrice

__all__ = [
    "invoice_items_create",
    "invoice_items_delete",
    "invoice_items_list",
    "invoice_items_retrieve",
    "invoice_items_update",
]

_KEPT = (
    "id",
    "customer",
    "customer_account",
    "invoice",
    "description",
    "amount",
    "net_amount",
    "currency",
    "quantity",
    "quantity_decimal",
    "pricing.price_details",
    "pricing.unit_amount_decimal",
    "date",
    "period",
    "proration",
    "parent.subscription_details.subscription",
    "discountable",
    "discounts",
    "metadata",
    "deleted",
)
_KEPT_ALONE = (*_KEPT, "livemode", "tax_rates.id", "test_clock")


class _Period(BaseModel):
    start: Moment
    end: Moment

    @model_validator(mode="after")
    def _start_before_end(self) -> Self:
        if self.end < self.start:
            raise ValueError(f"end {self.end} is before start {self.start}. Swap them.")
        return self


class _Pricing(BaseModel):
    price: str = Field(description="Id of a one-time price.")


class InvoiceItemsList(Page):
    """List invoice items, newest first."""

    customer: str | None = None
    customer_account: str | None = None
    invoice: str | None = None
    pending: bool | None = Field(None, description="true: on no invoice yet.")
    created: During | None = None


class InvoiceItemsRetrieve(BaseModel):
    """Read one invoice item."""

    invoiceitem: str
    expand: list[str] | None = Field(None, description=EXPAND)


class InvoiceItemsCreate(Create):
    """Add a line to a draft invoice, or to the customer's next one."""

    wire_rules: ClassVar = (
        AtLeastOneOf("customer", "customer_account", "invoice"),
        AtMostOneOf("customer", "customer_account"),
        ExactlyOneOf("amount", "unit_amount_decimal", "pricing", "price_data"),
        AtMostOneOf("quantity", "quantity_decimal"),
    )

    customer: str | None = None
    customer_account: str | None = None
    invoice: str | None = Field(None, description="Draft; else the next invoice.")
    subscription: str | None = None
    description: str | None = None
    amount: int | None = Field(None, description=f"Whole line. {MINOR} Negative is credit.")
    unit_amount_decimal: str | None = Field(None, description=DECIMAL)
    currency: str | None = None
    pricing: _Pricing | None = None
    price_data: OneTimePrice | None = None
    quantity: int | None = None
    quantity_decimal: str | None = None
    period: _Period | None = None
    discountable: bool | None = None
    discounts: list[Discount] | None = None
    tax_behavior: TaxBehavior | None = None
    tax_code: str | None = None
    tax_rates: list[str] | None = None
    metadata: Metadata | None = None


class InvoiceItemsUpdate(Change):
    """Change a line that is pending or on a draft. "" clears a field."""

    wire_rules: ClassVar = (
        NotOnly("invoiceitem"),
        AtMostOneOf("amount", "unit_amount_decimal", "pricing", "price_data"),
        AtMostOneOf("quantity", "quantity_decimal"),
    )

    invoiceitem: str
    description: str | None = None
    amount: int | None = Field(None, description=f"Whole line. {MINOR} Negative is credit.")
    unit_amount_decimal: str | None = Field(None, description=DECIMAL)
    pricing: _Pricing | None = None
    price_data: OneTimePrice | None = None
    quantity: int | None = None
    quantity_decimal: str | None = None
    period: _Period | None = None
    discountable: bool | None = None
    discounts: list[Discount] | Clear | None = None
    tax_behavior: TaxBehavior | None = None
    tax_code: str | None = None
    tax_rates: list[Id] | Clear | None = None
    metadata: Metadata | Clear | None = None


class InvoiceItemsDelete(BaseModel):
    """Remove a line that is pending or on a draft."""

    invoiceitem: str


invoice_items_list = api.get(
    "v1/invoiceitems",
    InvoiceItemsList,
    hints="bill lines pending charges not yet invoiced",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={"customer": "customers_list", "invoice": "invoices_list"},
)
invoice_items_retrieve = api.get(
    "v1/invoiceitems/{invoiceitem}",
    InvoiceItemsRetrieve,
    hints="get show bill line details pending charge",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"invoiceitem": "invoice_items_list"},
)
invoice_items_create = api.post(
    "v1/invoiceitems",
    InvoiceItemsCreate,
    hints="add charge fee credit line to bill one-off extra",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={
        "customer": "customers_list",
        "invoice": "invoices_list",
        "subscription": "subscriptions_list",
        "pricing": "prices_list",
        "price_data": "products_list",
    },
)
invoice_items_update = api.post(
    "v1/invoiceitems/{invoiceitem}",
    InvoiceItemsUpdate,
    hints="edit bill line amount quantity description",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"invoiceitem": "invoice_items_list", "pricing": "prices_list", "price_data": "products_list"},
)
invoice_items_delete = api.delete(
    "v1/invoiceitems/{invoiceitem}",
    InvoiceItemsDelete,
    hints="drop take off bill line pending charge",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"invoiceitem": "invoice_items_list"},
)
