"""Stripe: customers, payments, refunds, billing, checkout, disputes and balance.

Not here: sending raw card numbers, webhooks, terminals and issuing.
"""

from charter import Pack

_pack = Pack(
    __name__,
    modules=(
        "customers",
        "payment_intents",
        "charges",
        "refunds",
        "products",
        "prices",
        "subscriptions",
        "invoices",
        "invoice_items",
        "checkout_sessions",
        "payment_methods",
        "disputes",
        "accounts",
        "transfers",
        "payouts",
        "application_fees",
        "balance",
    ),
)
TOOLS = _pack.tools
"""Every tool of the pack."""
__getattr__, __dir__ = _pack.find, _pack.names
