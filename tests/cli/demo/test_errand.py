"""How the errand is gone about, on what the tools returned."""

from typing import Any

from charter.cli.demo.errand import MESSAGES, make_model
from charter.cli.demo.scripted import Memory

CHARGE = {"amount": 4800, "description": "Order 1042", "refunded": False}


def write(need: str, **results: Any) -> dict[str, Any]:
    """Return the arguments of the step with this need, when these tools had these results."""
    step = next(step for step in make_model()._steps if step.need == need)
    named = {name.replace("_", "__", 1): result for name, result in results.items()}
    return dict(step.write(Memory(MESSAGES[-1]["content"], named)))


def charge(key: str, created: int, **more: Any) -> dict[str, Any]:
    return {**CHARGE, "id": key, "payment_intent": f"pi_{key}", "created": created, **more}


def test_the_mail_is_looked_for_by_the_order_of_the_task() -> None:
    assert write("find mail") == {"q": '"order 1042" charged'}


def test_the_later_of_two_like_charges_is_the_duplicate() -> None:
    charges = [charge("later", 2), charge("other", 3, amount=100), charge("first", 1)]
    chosen = write("refund a charge", stripe_charges_list={"data": charges})
    assert (chosen["charge"], chosen["amount"], chosen["reason"]) == ("later", 4800, "duplicate")


def test_no_charge_is_refunded_when_none_is_double_or_it_is_refunded_already() -> None:
    for charges in ([], [charge("only", 1)], [charge("first", 1), charge("second", 2, refunded=True)]):
        assert write("refund a charge", stripe_charges_list={"data": charges})["charge"] is None


def test_the_customer_is_looked_for_by_the_senders_address() -> None:
    mail = {"from": "Nadia Petrova <nadia@example.com>"}
    assert write("find a customer by email", gmail_messages_get=mail) == {"email": "nadia@example.com"}


def test_the_answer_goes_into_the_thread_and_names_the_refund() -> None:
    mail = {
        "from": "Nadia <nadia@example.com>",
        "subject": "Twice",
        "messageId": "<2@x>",
        "references": "<1@x>",
        "threadId": "t",
        "date": "2026-03-02T18:22:10+00:00",
    }
    refund = {"id": "re_1", "amount": 4800, "currency": "usd"}
    message = write("send mail", gmail_messages_get=mail, stripe_refunds_create=refund)["message"]
    assert (message["to"], message["subject"]) == (["Nadia <nadia@example.com>"], "Re: Twice")
    assert (message["inReplyTo"], message["references"], message["threadId"]) == ("<2@x>", "<1@x> <2@x>", "t")
    assert "48.00 USD, the second payment of 2 March (refund re_1)" in message["text"]
