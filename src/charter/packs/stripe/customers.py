"""Customers: find, read, make and change them.

Not here: their cards and bank accounts; see payment_methods.
"""

from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from charter import NotOnly
from charter.packs.stripe.addresses import Address, Recipient
from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.billing import InvoiceFields
from charter.packs.stripe.fields import EXPAND, MINOR, Change, Clear, Create, Metadata
from charter.packs.stripe.paging import PAGES, RESULTS, During, Page, Results

__all__ = ["customers_create", "customers_list", "customers_retrieve", "customers_search", "customers_update"]

_KEPT = (
    "id",
    "name",
    "email",
    "phone",
    "description",
    "created",
    "currency",
    "balance",
    "delinquent",
    "deleted",
    "default_source",
    "invoice_settings.default_payment_method",
    "metadata",
)
_KEPT_ALONE = (
    *_KEPT,
    "address",
    "shipping.name",
    "shipping.address",
    "shipping.phone",
    "business_name",
    "individual_name",
    "customer_account",
    "invoice_prefix",
    "next_invoice_sequence",
    "invoice_settings.footer",
    "invoice_settings.custom_fields",
    "invoice_credit_balance",
    "cash_balance.available",
    "cash_balance.settings.reconciliation_mode",
    "preferred_locales",
    "tax.ip_address",
    "tax.automatic_tax",
    "tax.location",
    "tax_exempt",
    "tax_ids",
    "sources",
    "subscriptions",
    "discount",
    "livemode",
    "test_clock",
)
_BALANCE = f"{MINOR} Negative is credit."


class _CustomerInvoices(BaseModel):
    default_payment_method: str | None = None
    footer: str | None = None
    custom_fields: InvoiceFields | None = None


class _CustomerInvoicesChange(BaseModel):
    default_payment_method: str | None = None
    footer: str | None = None
    custom_fields: InvoiceFields | Clear | None = None


class _CashSettings(BaseModel):
    reconciliation_mode: Literal["automatic", "manual", "merchant_default"]


class _CashBalance(BaseModel):
    wire_read_only: ClassVar = ("available",)

    settings: _CashSettings


class _NewTax(BaseModel):
    ip_address: str | None = None
    validate_location: Literal["deferred", "immediately"] | None = None


class _Tax(BaseModel):
    wire_read_only: ClassVar = ("automatic_tax", "location")

    ip_address: str | None = None
    validate_location: Literal["auto", "deferred", "immediately"] | None = None


class _TaxId(BaseModel):
    type: str = Field(description="e.g. eu_vat, gb_vat, us_ein.")
    value: str


class CustomersList(Page):
    """List customers, newest first."""

    email: str | None = Field(None, description="Exact, case-sensitive.")
    created: During | None = None
    test_clock: str | None = None


class CustomersSearch(Results):
    """Find customers by query. Changes show after about a minute."""

    query: str = Field(
        description="Fields created (Unix seconds), email, metadata, name, phone: email~'amy' AND "
        "metadata['plan']:'pro'"
    )


class CustomersRetrieve(BaseModel):
    """Read one customer."""

    customer: str
    expand: list[str] | None = Field(None, description=EXPAND)


class CustomersCreate(Create):
    """Make a customer."""

    email: str | None = None
    name: str | None = None
    individual_name: str | None = Field(None, max_length=150)
    business_name: str | None = Field(None, max_length=150)
    phone: str | None = None
    description: str | None = None
    address: Address | None = None
    shipping: Recipient | None = None
    metadata: Metadata | None = None
    payment_method: str | None = Field(None, description="Attached to the new customer.")
    source: str | None = Field(None, description="Card token, legacy.")
    invoice_settings: _CustomerInvoices | None = None
    balance: int | None = Field(None, description=_BALANCE)
    cash_balance: _CashBalance | None = None
    invoice_prefix: str | None = Field(None, description="3-12 capitals or digits.")
    next_invoice_sequence: int | None = None
    preferred_locales: list[str] | None = None
    tax: _NewTax | None = None
    tax_exempt: Literal["none", "exempt", "reverse"] | None = None
    tax_id_data: list[_TaxId] | None = None
    test_clock: str | None = None


class CustomersUpdate(Change):
    """Change a customer. "" clears a field."""

    wire_rules: ClassVar = (NotOnly("customer"),)

    customer: str
    email: str | None = None
    name: str | None = None
    individual_name: str | None = Field(None, max_length=150)
    business_name: str | None = Field(None, max_length=150)
    phone: str | None = None
    description: str | None = None
    address: Address | Clear | None = None
    shipping: Recipient | Clear | None = None
    metadata: Metadata | Clear | None = None
    default_source: str | None = None
    source: str | None = Field(None, description="Card token, legacy.")
    invoice_settings: _CustomerInvoicesChange | None = None
    balance: int | None = Field(None, description=_BALANCE)
    cash_balance: _CashBalance | None = None
    invoice_prefix: str | None = Field(None, description="3-12 capitals or digits.")
    next_invoice_sequence: int | None = None
    preferred_locales: list[str] | None = None
    tax: _Tax | None = None
    tax_exempt: Literal["none", "exempt", "reverse", ""] | None = None


customers_list = api.get(
    "v1/customers",
    CustomersList,
    hints="clients buyers accounts people who pay; find by email",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
)
customers_search = api.get(
    "v1/customers/search",
    CustomersSearch,
    hints="lookup client buyer by name, phone, email, metadata",
    response_handler=keep_page(*_KEPT),
    pagination=RESULTS,
)
customers_retrieve = api.get(
    "v1/customers/{customer}",
    CustomersRetrieve,
    hints="get show client details balance address default card",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"customer": "customers_list"},
)
customers_create = api.post(
    "v1/customers",
    CustomersCreate,
    hints="add new client buyer sign up register",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"payment_method": "payment_methods_list", "invoice_settings": "payment_methods_list"},
)
customers_update = api.post(
    "v1/customers/{customer}",
    CustomersUpdate,
    hints="edit modify client details email address default card credit balance",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"customer": "customers_list", "invoice_settings": "customer_payment_methods_list"},
)
