"""The world at its start: each world its own, in itself consistent."""

from charter.cli.demo.seed import seed_mail, seed_stripe


def test_each_world_has_objects_of_its_own() -> None:
    first, second = seed_stripe(), seed_stripe()
    first["charges"]["ch_3RdemoOrder1042b"]["outcome"]["reason"] = "changed"
    assert second == seed_stripe() != first


def test_each_payment_belongs_to_a_customer_and_has_one_charge() -> None:
    state = seed_stripe()
    for charge in state["charges"].values():
        intent = state["payment_intents"][charge["payment_intent"]]
        assert charge["customer"] in state["customers"]
        assert (intent["latest_charge"], intent["amount"]) == (charge["id"], charge["amount"])
    assert state["refunds"] == {}


def test_exactly_one_payment_was_taken_twice() -> None:
    charges = [
        (each["customer"], each["amount"], each["description"]) for each in seed_stripe()["charges"].values()
    ]
    assert len(charges) - len(set(charges)) == 1


def test_letters_have_what_an_answer_needs() -> None:
    for letter in seed_mail():
        assert letter["Message-ID"]
        assert letter["Date"]
        assert [part.get_content_type() for part in letter.iter_parts()] == ["text/plain", "text/html"]
