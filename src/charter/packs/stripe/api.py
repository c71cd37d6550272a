"""What every Stripe tool shares: address, version, key, and how arguments are written.

Not here: any operation. To act on a connected account, the host adds the `Stripe-Account` header to the call.
"""

from charter import Api, ApiKey, Failures

__all__ = ["api", "configure"]

api = Api(
    "stripe",
    base_url="https://api.stripe.com/",
    auth=ApiKey(env="STRIPE_API_KEY", header="Authorization", prefix="Bearer "),
    headers={"Stripe-Version": "2026-08-26.dahlia"},
    body="form",
    query_style="deep",
    failures=Failures(
        throttled=frozenset({"lock_timeout", "rate_limit"}),
        named=(
            "error.code",
            "error.decline_code",
            "error.advice_code",
            "error.charge",
            "error.payment_intent.id",
            "error.payment_intent.status",
            "error.setup_intent.id",
            "error.payment_method.id",
        ),
    ),
)

configure = api.configure
"""Set `auth`, `base_url` or `client` for all Stripe tools of this process; each is optional."""
