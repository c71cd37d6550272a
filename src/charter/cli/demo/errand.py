"""The errand of the demo: what the user asks for, and how the scripted model goes about it.

Not here: any tool's name or schema. The model reads those in what it is sent.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parseaddr
from typing import Any

from charter.cli.demo.scripted import Memory, ScriptedModel, Step
from charter.wire.envelope import find_path

__all__ = ["MESSAGES", "make_model"]

TASK = (
    "A customer wrote that we charged her twice for order 1042. Find her mail, refund the second charge, "
    "and answer her in the same thread."
)
MESSAGES: tuple[Mapping[str, Any], ...] = (
    {"role": "system", "content": "You help the staff of a web shop. Use the tools; do not ask back."},
    {"role": "user", "content": TASK},
)


def make_model() -> ScriptedModel:
    """Make the model that runs the errand."""
    return ScriptedModel(
        [
            Step(("gmail", "messages", "list"), "find mail", _find_mail),
            Step(("gmail", "messages", "get"), "read a message", _read_mail),
            Step(("stripe", "customers", "list"), "find a customer by email", _find_customer),
            Step(
                ("stripe", "charges", "list"),
                "list charges of a customer",
                _find_charges,
                is_afterthought=True,
            ),
            Step(("stripe", "refunds", "create"), "refund a charge", _refund, by_words=True),
            Step(("gmail", "messages", "send"), "send mail", _answer),
        ],
        _conclude,
    )


def _result(memory: Memory, *words: str) -> Any:
    name = Step(words, "", _find_mail).pick(list(memory.results))
    return memory.results[name] if name else {}


def _mail(memory: Memory) -> dict[str, Any]:
    return _result(memory, "gmail", "messages", "get")


def _find_mail(memory: Memory) -> dict[str, Any]:
    order = re.search(r"order \d+", memory.task)
    return {"q": f'"{order[0]}" charged' if order else memory.task}


def _read_mail(memory: Memory) -> dict[str, Any]:
    return {"id": find_path(_result(memory, "gmail", "messages", "list"), "messages.0.id")}


def _find_customer(memory: Memory) -> dict[str, Any]:
    return {"email": parseaddr(_mail(memory).get("from", ""))[1]}


def _find_charges(memory: Memory) -> dict[str, Any]:
    return {"customer": find_path(_result(memory, "stripe", "customers", "list"), "data.0.id")}


def _find_duplicate(memory: Memory) -> dict[str, Any]:
    """Return the later of two charges that are alike."""
    charges: list[dict[str, Any]] = _result(memory, "stripe", "charges", "list").get("data", [])
    seen: set[tuple[int, str]] = set()
    for charge in sorted(charges, key=lambda charge: charge["created"]):
        if (charge["amount"], charge["description"]) in seen and not charge["refunded"]:
            return charge
        seen.add((charge["amount"], charge["description"]))
    return {}


def _refund(memory: Memory) -> dict[str, Any]:
    """Name the payment in both ways that a charge tells, as models are apt to."""
    charge = _find_duplicate(memory)
    return {
        "charge": charge.get("id"),
        "payment_intent": charge.get("payment_intent"),
        "amount": charge.get("amount"),
        "reason": "duplicate",
    }


def _answer(memory: Memory) -> dict[str, Any]:
    mail = _mail(memory)
    first_name = parseaddr(mail.get("from", ""))[0].partition(" ")[0]
    subject = mail.get("subject", "")
    return {
        "message": {
            "to": [mail.get("from")],
            "subject": subject if subject.lower().startswith("re:") else f"Re: {subject}",
            "text": f"Dear {first_name},\n\nyou are right, and we are sorry. {_tell_refund(memory)} "
            "It is on its way to your card.\n\nHarbour Lamps",
            "inReplyTo": mail.get("messageId"),
            "references": " ".join(filter(None, [mail.get("references"), mail.get("messageId")])),
            "threadId": mail.get("threadId"),
        }
    }


def _tell_refund(memory: Memory) -> str:
    refund = _result(memory, "stripe", "refunds", "create")
    day = datetime.fromisoformat(_mail(memory)["date"]).strftime("%d %B").lstrip("0")
    amount = f"{refund['amount'] / 100:.2f} {refund['currency'].upper()}"
    return f"We gave back {amount}, the second payment of {day} (refund {refund['id']})."


def _conclude(memory: Memory) -> str:
    refund, sent = (
        _result(memory, "stripe", "refunds", "create"),
        _result(memory, "gmail", "messages", "send"),
    )
    if refund and sent:
        return f"Done. {_tell_refund(memory)} {_mail(memory)['from']} has my answer in thread {sent['threadId']}."
    told = " ".join(memory.refusals.values()) or "I found no tool for the next step."
    return f"I could not finish. {told}"
