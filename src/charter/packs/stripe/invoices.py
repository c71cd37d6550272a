"""Invoices: draft, finalize, send, void, write off and find bills.

Not here: their lines; see invoice_items. Left out: options per payment method and shipping rates made on the spot.
"""

from typing import ClassVar, Literal, Self

from pydantic import BaseModel, Field, model_validator

from charter import AtLeastOneOf, AtMostOneOf, NotOnly
from charter.packs.stripe.addresses import Recipient
from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.billing import AutomaticTax, CollectionMethod, InvoiceFields, Party, TransferAmount
from charter.packs.stripe.fields import EXPAND, MINOR, Change, Clear, Create, Id, Metadata, Moment
from charter.packs.stripe.paging import PAGES, RESULTS, During, Page, Results
from charter.packs.stripe.pricing import Discount

__all__ = [
    "invoices_create",
    "invoices_finalize",
    "invoices_list",
    "invoices_mark_uncollectible",
    "invoices_retrieve",
    "invoices_search",
    "invoices_send",
    "invoices_update",
    "invoices_void",
]

_KEPT = (
    "id",
    "number",
    "status",
    "customer",
    "customer_account",
    "customer_email",
    "customer_name",
    "currency",
    "total",
    "amount_due",
    "amount_paid",
    "amount_remaining",
    "amount_overpaid",
    "attempt_count",
    "attempted",
    "billing_reason",
    "collection_method",
    "created",
    "due_date",
    "description",
    "hosted_invoice_url",
    "last_finalization_error.code",
    "last_finalization_error.message",
    "next_payment_attempt",
    "parent.type",
    "parent.subscription_details.subscription",
    "period_start",
    "period_end",
    "metadata",
    "deleted",
)
_KEPT_ALONE = (
    *_KEPT,
    "account_tax_ids",
    "amount_shipping",
    "application",
    "auto_advance",
    "automatic_tax.enabled",
    "automatic_tax.status",
    "automatic_tax.disabled_reason",
    "automatically_finalizes_at",
    "confirmation_secret",
    "custom_fields",
    "default_payment_method",
    "default_source",
    "default_tax_rates.id",
    "discounts",
    "effective_at",
    "ending_balance",
    "footer",
    "from_invoice",
    "invoice_pdf",
    "issuer",
    "last_finalization_error",
    "latest_revision",
    "lines.has_more",
    "lines.total_count",
    "lines.data.id",
    "lines.data.description",
    "lines.data.amount",
    "lines.data.currency",
    "lines.data.quantity",
    "lines.data.period",
    "lines.data.pricing",
    "lines.data.parent.invoice_item_details.invoice_item",
    "lines.data.parent.subscription_item_details.subscription_item",
    "livemode",
    "on_behalf_of",
    "payment_settings.payment_method_types",
    "payments",
    "post_payment_credit_notes_amount",
    "pre_payment_credit_notes_amount",
    "receipt_number",
    "rendering.amount_tax_display",
    "rendering.template",
    "shipping_cost.amount_total",
    "shipping_cost.shipping_rate",
    "shipping_details.name",
    "shipping_details.address",
    "shipping_details.phone",
    "starting_balance",
    "statement_descriptor",
    "status_transitions",
    "subtotal",
    "test_clock",
    "total_discount_amounts",
    "total_excluding_tax",
    "total_taxes.amount",
    "total_taxes.tax_behavior",
)


class _Revision(BaseModel):
    action: Literal["revision"] = "revision"
    invoice: str


class _NewLook(BaseModel):
    amount_tax_display: Literal["exclude_tax", "include_inclusive_tax"] | None = None
    template: str | None = None


class _Look(BaseModel):
    amount_tax_display: Literal["exclude_tax", "include_inclusive_tax", ""] | None = None
    template: str | None = None


class _NewPayment(BaseModel):
    payment_method_types: list[str] | None = None


class _Payment(BaseModel):
    payment_method_types: list[str] | Clear | None = None


class _Shipping(BaseModel):
    wire_read_only: ClassVar = ("amount_total",)

    shipping_rate: str


class InvoicesList(Page):
    """List invoices, newest first."""

    customer: str | None = None
    customer_account: str | None = None
    subscription: str | None = None
    status: Literal["draft", "open", "paid", "uncollectible", "void"] | None = None
    collection_method: CollectionMethod | None = None
    created: During | None = None
    due_date: During | None = None


class InvoicesSearch(Results):
    """Find invoices by query. Changes show after about a minute."""

    query: str = Field(
        description="Fields created (Unix seconds), currency, customer, metadata, number, receipt_number, status, "
        "subscription, total: total>999 AND metadata['order']:'7'"
    )


class InvoicesRetrieve(BaseModel):
    """Read one invoice with its first lines."""

    invoice: str
    expand: list[str] | None = Field(None, description=EXPAND)


class InvoicesCreate(Create):
    """Draft an invoice. Finalize it to make it payable."""

    wire_rules: ClassVar = (
        AtLeastOneOf("customer", "customer_account", "from_invoice"),
        AtMostOneOf("customer", "customer_account"),
        AtMostOneOf("due_date", "days_until_due"),
    )
    clearable: ClassVar = ("discounts",)

    customer: str | None = None
    customer_account: str | None = None
    subscription: str | None = Field(None, description="Bill its pending items only.")
    from_invoice: _Revision | None = None
    pending_invoice_items_behavior: Literal["exclude", "include"] | None = Field(
        None, description="Default exclude."
    )
    currency: str | None = None
    description: str | None = None
    metadata: Metadata | None = None
    collection_method: CollectionMethod | None = None
    days_until_due: int | None = Field(None, description="With send_invoice.")
    due_date: Moment | None = Field(None, description="With send_invoice.")
    auto_advance: bool | None = Field(None, description="Finalize and collect by itself.")
    automatically_finalizes_at: Moment | None = None
    effective_at: Moment | None = None
    discounts: list[Discount] | Clear | None = Field(None, description='"" takes none from the customer.')
    default_payment_method: str | None = None
    default_source: str | None = None
    payment_settings: _NewPayment | None = None
    automatic_tax: AutomaticTax | None = None
    default_tax_rates: list[str] | None = None
    account_tax_ids: list[str] | None = None
    custom_fields: InvoiceFields | None = None
    footer: str | None = None
    number: str | None = None
    rendering: _NewLook | None = None
    shipping_cost: _Shipping | None = None
    shipping_details: Recipient | None = None
    statement_descriptor: str | None = Field(None, max_length=22)
    issuer: Party | None = None
    on_behalf_of: str | None = None
    application_fee_amount: int | None = Field(None, description=MINOR)
    transfer_data: TransferAmount | None = None

    @model_validator(mode="after")
    def _due_only_when_sent(self) -> Self:
        due = self.days_until_due is not None or self.due_date is not None
        if due and self.collection_method != "send_invoice":
            raise ValueError("a due date without send_invoice. Set collection_method to 'send_invoice'.")
        return self


class InvoicesUpdate(Change):
    """Change an invoice. "" clears a field. Once finalized, little but metadata can change."""

    wire_rules: ClassVar = (
        NotOnly("invoice"),
        AtMostOneOf("due_date", "days_until_due"),
    )

    invoice: str
    description: str | None = None
    metadata: Metadata | Clear | None = None
    collection_method: CollectionMethod | None = None
    days_until_due: int | None = Field(None, description="With send_invoice.")
    due_date: Moment | None = Field(None, description="With send_invoice.")
    auto_advance: bool | None = Field(None, description="Finalize and collect by itself.")
    automatically_finalizes_at: Moment | None = None
    effective_at: Moment | Clear | None = None
    discounts: list[Discount] | Clear | None = None
    default_payment_method: str | None = None
    default_source: str | None = None
    payment_settings: _Payment | None = None
    automatic_tax: AutomaticTax | None = None
    default_tax_rates: list[Id] | Clear | None = None
    account_tax_ids: list[str] | Clear | None = None
    custom_fields: InvoiceFields | Clear | None = None
    footer: str | None = None
    number: str | None = None
    rendering: _Look | None = None
    shipping_cost: _Shipping | Clear | None = None
    shipping_details: Recipient | Clear | None = None
    statement_descriptor: str | None = Field(None, max_length=22)
    issuer: Party | None = None
    on_behalf_of: str | None = None
    application_fee_amount: int | None = Field(None, description=MINOR)
    transfer_data: TransferAmount | Clear | None = None

    @model_validator(mode="after")
    def _due_only_when_sent(self) -> Self:
        due = self.days_until_due is not None or self.due_date is not None
        if due and self.collection_method == "charge_automatically":
            raise ValueError("a due date with charge_automatically. Leave one of them out.")
        return self


class InvoicesFinalize(BaseModel):
    """Make a draft invoice final and payable."""

    invoice: str
    auto_advance: bool | None = Field(None, description="Collect by itself.")


class InvoicesSend(BaseModel):
    """Email an invoice to the customer; a draft is finalized first."""

    invoice: str


class InvoicesVoid(BaseModel):
    """Cancel a finalized invoice for good."""

    invoice: str


class InvoicesMarkUncollectible(BaseModel):
    """Write an open invoice off as bad debt; it can still be paid."""

    invoice: str


invoices_list = api.get(
    "v1/invoices",
    InvoicesList,
    hints="bills unpaid overdue open paid invoices of a customer or subscription",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
    needs={"customer": "customers_list", "subscription": "subscriptions_list"},
)
invoices_search = api.get(
    "v1/invoices/search",
    InvoicesSearch,
    hints="lookup bill by number total status metadata",
    response_handler=keep_page(*_KEPT),
    pagination=RESULTS,
)
invoices_retrieve = api.get(
    "v1/invoices/{invoice}",
    InvoicesRetrieve,
    hints="get bill lines pdf download link payment page amount due",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"invoice": "invoices_list"},
)
invoices_create = api.post(
    "v1/invoices",
    InvoicesCreate,
    hints="new bill a customer draft",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={
        "customer": "customers_list",
        "subscription": "subscriptions_list",
        "from_invoice": "invoices_list",
        "default_payment_method": "customer_payment_methods_list",
    },
)
invoices_update = api.post(
    "v1/invoices/{invoice}",
    InvoicesUpdate,
    hints="edit bill due date memo footer discount",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"invoice": "invoices_list", "default_payment_method": "customer_payment_methods_list"},
)
invoices_finalize = api.post(
    "v1/invoices/{invoice}/finalize",
    InvoicesFinalize,
    hints="issue bill lock draft open",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"invoice": "invoices_list"},
)
invoices_send = api.post(
    "v1/invoices/{invoice}/send",
    InvoicesSend,
    hints="mail deliver get bill out to customer resend payment reminder",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"invoice": "invoices_list"},
)
invoices_void = api.post(
    "v1/invoices/{invoice}/void",
    InvoicesVoid,
    hints="annul cancel delete bill issued by mistake",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"invoice": "invoices_list"},
)
invoices_mark_uncollectible = api.post(
    "v1/invoices/{invoice}/mark_uncollectible",
    InvoicesMarkUncollectible,
    hints="bad debt write off bill customer will never pay give up",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"invoice": "invoices_list"},
)
