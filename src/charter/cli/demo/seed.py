"""What the demo's world holds at its start: a shop's customers, payments and mail.

Not here: how it changes. The APIs do that.
"""

from copy import deepcopy
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

__all__ = ["OWNER", "Objects", "seed_mail", "seed_stripe"]

Objects = dict[str, dict[str, Any]]
"""Id -> object, as the API shows it."""

OWNER = "Harbour Lamps <hello@harbourlamps.example>"
"""Whose mailbox it is."""

_PEOPLE = (
    ("cus_RdemoAmir", "Amir Haddad", "amir.haddad@example.com"),
    ("cus_RdemoNadia", "Nadia Petrova", "nadia.petrova@example.com"),
    ("cus_RdemoOla", "Ola Svensson", "ola@example.org"),
)
_PAYMENTS = (
    ("0981", "cus_RdemoNadia", 2900, "2026-02-11T10:15:00", "Order 0981"),
    ("1039", "cus_RdemoOla", 12500, "2026-03-01T08:40:12", "Order 1039"),
    ("1042a", "cus_RdemoNadia", 4800, "2026-03-02T17:03:41", "Order 1042"),
    ("1042b", "cus_RdemoNadia", 4800, "2026-03-02T17:03:58", "Order 1042"),
    ("1043", "cus_RdemoAmir", 6400, "2026-03-03T12:21:05", "Order 1043"),
)
_LETTERS = (
    (
        "Weekly Trade Digest <news@trade-digest.example>",
        "Lighting trends for spring",
        "2026-03-02T06:00:00",
        "Brass is back. Read on for this season's order of the day, and twice the usual number of offers.",
    ),
    (
        "Nadia Petrova <nadia.petrova@example.com>",
        "Charged twice for order 1042",
        "2026-03-02T18:22:10",
        (
            "Hello,\n\nI ordered one reading lamp yesterday (order 1042) and my card shows two payments of $48.00, "
            "a few seconds apart. Could you give me back the second one, please?\n\nKind regards,\nNadia"
        ),
    ),
    (
        "Ola Svensson <ola@example.org>",
        "Where is my parcel?",
        "2026-03-03T07:45:00",
        "Hi, any news on order 1039? No hurry.\nOla",
    ),
)

_NO_ADDRESS = {
    "city": None,
    "country": "PT",
    "line1": None,
    "line2": None,
    "postal_code": None,
    "state": None,
}
_CUSTOMER: dict[str, Any] = {
    "id": None,
    "object": "customer",
    "address": _NO_ADDRESS,
    "balance": 0,
    "created": None,
    "currency": "usd",
    "default_source": None,
    "delinquent": False,
    "description": None,
    "discount": None,
    "email": None,
    "invoice_prefix": None,
    "invoice_settings": None,
    "livemode": False,
    "metadata": {},
    "name": None,
    "next_invoice_sequence": 1,
    "phone": None,
    "preferred_locales": [],
    "shipping": None,
    "tax_exempt": "none",
    "test_clock": None,
}
_CHARGE: dict[str, Any] = {
    "id": None,
    "object": "charge",
    "amount": None,
    "amount_captured": None,
    "amount_refunded": 0,
    "application": None,
    "application_fee": None,
    "application_fee_amount": None,
    "balance_transaction": None,
    "billing_details": {"address": _NO_ADDRESS, "email": None, "name": None, "phone": None, "tax_id": None},
    "calculated_statement_descriptor": "HARBOUR LAMPS",
    "captured": True,
    "created": None,
    "currency": "usd",
    "customer": None,
    "description": None,
    "disputed": False,
    "failure_balance_transaction": None,
    "failure_code": None,
    "failure_message": None,
    "fraud_details": {},
    "livemode": False,
    "metadata": {},
    "on_behalf_of": None,
    "outcome": {
        "advice_code": None,
        "network_advice_code": None,
        "network_decline_code": None,
        "network_status": "approved_by_network",
        "reason": None,
        "risk_level": "normal",
        "risk_score": 12,
        "seller_message": "Payment complete.",
        "type": "authorized",
    },
    "paid": True,
    "payment_intent": None,
    "payment_method": None,
    "payment_method_details": {
        "card": {
            "authorization_code": "004821",
            "brand": "visa",
            "checks": {"address_line1_check": None, "address_postal_code_check": None, "cvc_check": "pass"},
            "country": "PT",
            "exp_month": 8,
            "exp_year": 2029,
            "fingerprint": "pT3demoFinger",
            "funding": "credit",
            "last4": "4242",
            "network": "visa",
            "network_transaction_id": "103091140922",
            "three_d_secure": None,
            "wallet": None,
        },
        "type": "card",
    },
    "receipt_email": None,
    "receipt_number": None,
    "receipt_url": None,
    "refunded": False,
    "review": None,
    "shipping": None,
    "source_transfer": None,
    "statement_descriptor": None,
    "statement_descriptor_suffix": None,
    "status": "succeeded",
    "transfer_data": None,
    "transfer_group": None,
}


def seed_stripe() -> dict[str, Objects]:
    """Make customers, their payments and, as yet, no refunds."""
    customers = [_customer(*person) for person in _PEOPLE]
    charges = [_charge(*payment) for payment in _PAYMENTS]
    intents = [_intent(charge) for charge in charges]
    return {
        "customers": {each["id"]: each for each in customers},
        "payment_intents": {each["id"]: each for each in intents},
        "charges": {each["id"]: each for each in charges},
        "refunds": {},
    }


def seed_mail() -> list[EmailMessage]:
    """Make the letters in the mailbox, oldest first."""
    return [_letter(number, *letter) for number, letter in enumerate(_LETTERS, start=1)]


def _seconds(moment: str) -> int:
    return int(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp())


def _customer(key: str, name: str, email: str) -> dict[str, Any]:
    return {
        **deepcopy(_CUSTOMER),
        "id": key,
        "created": _seconds("2026-01-15T09:00:00") + len(name),
        "email": email,
        "invoice_prefix": key[-5:].upper(),
        "invoice_settings": {
            "custom_fields": None,
            "default_payment_method": f"pm_{key[4:]}Visa",
            "footer": None,
        },
        "name": name,
    }


def _charge(key: str, customer: str, amount: int, moment: str, description: str) -> dict[str, Any]:
    return {
        **deepcopy(_CHARGE),
        "id": f"ch_3RdemoOrder{key}",
        "amount": amount,
        "amount_captured": amount,
        "balance_transaction": f"txn_3RdemoOrder{key}",
        "created": _seconds(moment),
        "customer": customer,
        "description": description,
        "metadata": {"order": description.rpartition(" ")[2]},
        "payment_intent": f"pi_3RdemoOrder{key}",
        "payment_method": f"pm_{customer[4:]}Visa",
        "receipt_url": f"https://pay.example.com/receipts/{key}",
    }


def _intent(charge: dict[str, Any]) -> dict[str, Any]:
    shared = (
        "amount",
        "created",
        "currency",
        "customer",
        "description",
        "livemode",
        "metadata",
        "payment_method",
    )
    return {
        "id": charge["payment_intent"],
        "object": "payment_intent",
        **{name: charge[name] for name in shared},
        "amount_capturable": 0,
        "amount_received": charge["amount"],
        "automatic_payment_methods": {"allow_redirects": "always", "enabled": True},
        "canceled_at": None,
        "cancellation_reason": None,
        "capture_method": "automatic_async",
        "confirmation_method": "automatic",
        "last_payment_error": None,
        "latest_charge": charge["id"],
        "next_action": None,
        "payment_method_types": ["card"],
        "status": "succeeded",
    }


def _letter(number: int, sender: str, subject: str, moment: str, text: str) -> EmailMessage:
    letter = EmailMessage()
    date = format_datetime(datetime.fromisoformat(moment).replace(tzinfo=UTC))
    letter["Delivered-To"] = "hello@harbourlamps.example"
    letter["Received"] = (
        f"from mail.example.com (mail.example.com. [192.0.2.{number}]) by mx.example.net; {date}"
    )
    letter["DKIM-Signature"] = f"v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=s1; b=dEm0{number:08}"
    letter["MIME-Version"] = "1.0"
    letter["From"] = sender
    letter["To"] = OWNER
    letter["Subject"] = subject
    letter["Date"] = date
    letter["Message-ID"] = f"<letter-{number}@mail.example.com>"
    letter.set_content(text)
    letter.add_alternative(
        f"<html><body><p>{text.replace(chr(10), '<br>')}</p></body></html>", subtype="html"
    )
    return letter
