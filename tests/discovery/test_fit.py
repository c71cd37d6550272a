import pytest

from charter.discovery.index import Index
from charter.discovery.tuning import Tuning
from tests.discovery.entries import make_entries

INDEX = Index.build(make_entries())


@pytest.mark.parametrize(
    "text",
    [
        "What will the weather be in Oslo?",
        "Order two large pizzas.",
        "Turn the heating in the hall down to 18 degrees.",
        "Play some jazz.",
        "Create a Trello card for the fence.",
        "qwertz",
        "of the and",
    ],
)
def test_what_no_tool_does_is_answered_with_nothing(text: str) -> None:
    assert INDEX.find(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "What did she pay last week?",
        "Throw the conversation with the estate agent away.",
        "A draft for Ann about the garden party in Lisbon on Friday",
        "give her the money back",
        "contested payments",
    ],
)
def test_what_a_tool_does_is_answered_whatever_else_is_said(text: str) -> None:
    assert INDEX.find(text)


def test_close_names_are_told_also_where_nothing_fits() -> None:
    assert INDEX.find("trello charge wizard") == []
    assert "stripe__charges_list" in INDEX.find_close("trello charge wizard")


def test_whoever_names_a_part_of_the_name_is_answered() -> None:
    assert INDEX.find("pizza charges", required=("stripe",))


def test_it_can_be_switched_off() -> None:
    assert Index.build(make_entries(), Tuning(fit=False)).find("Create a Trello card for the fence.")
