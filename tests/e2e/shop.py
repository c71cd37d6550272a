"""The errand of every end-to-end test: a customer wants a payment back, and localstripe keeps the refund."""

import json
import urllib.parse
import urllib.request
from typing import Any

from tests.counterparties.aimock import calls, text

KEY = "sk_test_123"
WISH = "Customer mail@example.com wants the last payment back."
LOADED = ["stripe__payment_intents_list", "stripe__refunds_create", "gmail__messages_send"]
SEARCH = {"query": "+stripe list payment intents; +stripe create refund", "max_results": 1}


class Shop:
    """localstripe, asked without Charter."""

    def __init__(self, url: str) -> None:
        self.url = url

    def ask(self, path: str, **form: Any) -> Any:
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(f"{self.url}/v1/{path}", data, {"Authorization": f"Bearer {KEY}"})
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def pay(self, amount: int) -> str:
        """Make a customer who has paid, and return the id of the payment intent."""
        customer = self.ask("customers", email="mail@example.com")["id"]
        card = {
            "card[number]": "4242424242424242",
            "card[exp_month]": 12,
            "card[exp_year]": 2035,
            "card[cvc]": 123,
        }
        method = self.ask("payment_methods", type="card", **card)["id"]
        self.ask(f"payment_methods/{method}/attach", customer=customer)
        paid = {"customer": customer, "payment_method": method, "confirm": "true"}
        intent = self.ask("payment_intents", amount=amount, currency="eur", **paid)
        assert intent["status"] == "succeeded"
        return intent["id"]

    def refunds(self) -> list[tuple[str, int]]:
        """Return the payment and the amount of each refund."""
        return [(refund["payment_intent"], refund["amount"]) for refund in self.ask("refunds")["data"]]


def script(intent: str) -> list[dict[str, Any]]:
    """Return the model's five answers: two searches, two calls, and the last word."""
    refund = {"paymentIntent": intent, "amount": "250", "charge": None}
    return [
        calls(("ToolSearch", SEARCH)),
        calls(("stripe__payment_intents_list", {"limit": 1})),
        calls(("stripe__refunds_create", refund)),
        calls(("ToolSearch", {"query": "select:gmail__messages_send"})),
        text("Refunded."),
    ]
