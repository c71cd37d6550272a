"""Stripe's own client: which of its methods each tool stands for, and what it sends.

Not here: comparing. Nothing leaves the process.
"""

import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    ForwardRef,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)
from urllib.parse import parse_qsl, urlsplit

import stripe
import stripe.params
import stripe.params.checkout
from stripe import RequestOptions

METHODS = {
    "accounts_list": "accounts.list",
    "accounts_retrieve": "accounts.retrieve",
    "application_fees_list": "application_fees.list",
    "balance_retrieve": "balance.retrieve",
    "balance_transactions_list": "balance_transactions.list",
    "charges_list": "charges.list",
    "charges_retrieve": "charges.retrieve",
    "charges_search": "charges.search",
    "checkout_sessions_create": "checkout.sessions.create",
    "checkout_sessions_line_items": "checkout.sessions.line_items.list",
    "checkout_sessions_list": "checkout.sessions.list",
    "checkout_sessions_retrieve": "checkout.sessions.retrieve",
    "customer_payment_method_retrieve": "customers.payment_methods.retrieve",
    "customer_payment_methods_list": "customers.payment_methods.list",
    "customers_create": "customers.create",
    "customers_list": "customers.list",
    "customers_retrieve": "customers.retrieve",
    "customers_search": "customers.search",
    "customers_update": "customers.update",
    "disputes_close": "disputes.close",
    "disputes_list": "disputes.list",
    "disputes_retrieve": "disputes.retrieve",
    "disputes_update": "disputes.update",
    "invoice_items_create": "invoice_items.create",
    "invoice_items_delete": "invoice_items.delete",
    "invoice_items_list": "invoice_items.list",
    "invoice_items_retrieve": "invoice_items.retrieve",
    "invoice_items_update": "invoice_items.update",
    "invoices_create": "invoices.create",
    "invoices_finalize": "invoices.finalize_invoice",
    "invoices_list": "invoices.list",
    "invoices_mark_uncollectible": "invoices.mark_uncollectible",
    "invoices_retrieve": "invoices.retrieve",
    "invoices_search": "invoices.search",
    "invoices_send": "invoices.send_invoice",
    "invoices_update": "invoices.update",
    "invoices_void": "invoices.void_invoice",
    "payment_intents_cancel": "payment_intents.cancel",
    "payment_intents_capture": "payment_intents.capture",
    "payment_intents_create": "payment_intents.create",
    "payment_intents_list": "payment_intents.list",
    "payment_intents_retrieve": "payment_intents.retrieve",
    "payment_intents_search": "payment_intents.search",
    "payment_methods_attach": "payment_methods.attach",
    "payment_methods_detach": "payment_methods.detach",
    "payment_methods_list": "payment_methods.list",
    "payment_methods_retrieve": "payment_methods.retrieve",
    "payouts_list": "payouts.list",
    "payouts_retrieve": "payouts.retrieve",
    "prices_create": "prices.create",
    "prices_list": "prices.list",
    "prices_retrieve": "prices.retrieve",
    "prices_search": "prices.search",
    "prices_update": "prices.update",
    "products_create": "products.create",
    "products_list": "products.list",
    "products_retrieve": "products.retrieve",
    "products_search": "products.search",
    "products_update": "products.update",
    "refunds_create": "refunds.create",
    "refunds_list": "refunds.list",
    "refunds_retrieve": "refunds.retrieve",
    "subscriptions_cancel": "subscriptions.cancel",
    "subscriptions_create": "subscriptions.create",
    "subscriptions_list": "subscriptions.list",
    "subscriptions_retrieve": "subscriptions.retrieve",
    "subscriptions_search": "subscriptions.search",
    "subscriptions_update": "subscriptions.update",
    "transfers_list": "transfers.list",
    "transfers_retrieve": "transfers.retrieve",
}

KEY = "sk_test_capture"


@dataclass(frozen=True)
class Sent:
    """A request as the server would read it."""

    method: str
    path: str
    query: list[tuple[str, str]]
    body: list[tuple[str, str]]
    version: str | None
    authorization: str | None
    content_type: str | None


def read_request(method: str, url: str, headers: dict[str, str], body: str | bytes | None) -> Sent:
    """Decode a request; pairs are sorted, for their order means nothing to Stripe."""
    parts = urlsplit(url)
    text = body.decode() if isinstance(body, bytes) else body or ""
    lower = {name.lower(): value for name, value in headers.items()}
    return Sent(
        method=method.upper(),
        path=parts.path,
        query=sorted(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))),
        body=sorted(parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text))),
        version=lower.get("stripe-version"),
        authorization=lower.get("authorization"),
        content_type=lower.get("content-type") if text else None,
    )


class _Capture(stripe.HTTPClient):
    name = "capture"

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[Sent] = []

    def request(self, method: Any, url: Any, headers: Any, post_data: Any = None, **_: Any) -> Any:
        self.sent.append(read_request(method, url, dict(headers), post_data))
        return "{}", 200, {}

    def close(self) -> None:
        pass


def send_as_vendor(tool: str, ids: list[str], params: dict[str, Any]) -> Sent:
    """Make the tool's call with Stripe's own client and return what it would have sent."""
    capture = _Capture()
    client = stripe.StripeClient(KEY, http_client=capture, max_network_retries=0)
    find_method(client, tool)(*ids, params)
    (sent,) = capture.sent
    return sent


def find_method(client: stripe.StripeClient, tool: str) -> Any:
    found: Any = client.v1
    for name in METHODS[tool].split("."):
        found = getattr(found, name)
    return found


def params_of(tool: str) -> Any:
    """Return the TypedDict that Stripe's client takes as the parameters of the tool's operation."""
    method = find_method(stripe.StripeClient(KEY), tool)
    annotation = method.__annotations__["params"]
    options = get_args(annotation) or (annotation,)  # Optional["CustomerListParams"] or the name alone
    name = options[0].__forward_arg__ if isinstance(options[0], ForwardRef) else options[0]
    return getattr(stripe.params, name, None) or getattr(stripe.params.checkout, name)


def hints_of(params: Any) -> dict[str, Any]:
    """Resolve the annotations of one of Stripe's TypedDicts, without what concerns the client and not the API."""
    hints = get_type_hints(params, localns={"StripeContext": Any, "Mapping": Mapping}, include_extras=True)
    return {name: hint for name, hint in hints.items() if name not in RequestOptions.__annotations__}


def options_of(annotation: Any) -> Iterator[Any]:
    """Yield what a vendor's annotation allows, markers and quotes taken off."""
    if get_origin(annotation) in (NotRequired, Required, Annotated):
        yield from options_of(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, types.UnionType):
        for option in get_args(annotation):
            yield from options_of(option)
    else:
        yield annotation
