from typing import Any

import pytest

from charter.discovery.entry import read_entry, read_parameters, split_description


def test_a_qualified_name_is_split_at_its_first_separator() -> None:
    entry = read_entry("stripe__refunds__create", "Refund.")
    assert (entry.pack, entry.leaf) == ("stripe", "refunds__create")


@pytest.mark.parametrize("name", ["refunds_create", "__refunds", "stripe__"])
def test_a_name_without_a_pack_is_all_leaf(name: str) -> None:
    entry = read_entry(name, "Refund.")
    assert (entry.pack, entry.leaf) == ("", name)


def test_a_given_pack_decides_the_leaf() -> None:
    entry = read_entry("a__b__c", "Do.", pack="a__b")
    assert entry.leaf == "c"


@pytest.mark.parametrize(
    ("text", "first", "rest"),
    [
        ("Send it. At once.", "Send it.", "At once."),
        ("Send it", "Send it", ""),
        ("Send v2.1 now. Then stop.", "Send v2.1 now.", "Then stop."),
        ("Head\n\nBody", "Head", "Body"),
        ("", "", ""),
        ("  \n ", "", ""),
    ],
)
def test_the_first_sentence_is_the_summary(text: str, first: str, rest: str) -> None:
    assert split_description(text) == (first, rest)


def test_parameters_are_read_with_their_descriptions() -> None:
    schema = {"properties": {"id": {"description": "Which."}, "q": {}, "odd": True, "n": {"description": 3}}}
    assert read_parameters(schema) == {"id": "Which.", "q": "", "odd": "", "n": ""}


@pytest.mark.parametrize("schema", [None, [], "x", {}, {"properties": None}, {"properties": ["id"]}])
def test_a_schema_of_another_shape_has_no_parameters(schema: Any) -> None:
    assert read_parameters(schema) == {}
