"""Kinds: what an option may be, and how a wrong one is told."""

from enum import Enum
from typing import Any

import pytest

from charter.checking import (
    ANYTHING,
    CASE,
    CODES,
    COUNT,
    FLAG,
    FUNCTION,
    NUMBER,
    TEXT,
    WORDS,
    Kind,
    check_kinds,
    instance_of,
    list_of,
    map_of,
    one_of,
    or_none,
    read_modes,
)
from charter.errors import DeclarationError
from charter.markers import Case


class Colour(Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("kind", "fine", "wrong"),
    [
        (TEXT, ["a"], ["", " ", 5, None, b"a"]),
        (WORDS, ["", "a"], [5, None, ["a"]]),
        (FLAG, [True, False], [1, 0, "true", None]),
        (NUMBER, [1, 0.5], [0, -1, True, "1", float("nan"), float("inf"), None]),
        (COUNT, [1], [0, 1.5, True]),
        (FUNCTION, [print, lambda: 0], ["print", None]),
        (CODES, [set(), frozenset({"a"})], ["a", ["a"], None]),
        (CASE, [Case.CAMEL], ["camel", None]),
        (one_of("a", Colour.RED), ["a", Colour.RED], ["b", "red", None, []]),
        (or_none(TEXT), [None, "a"], ["", 5]),
        (list_of(TEXT), [[], ["a"], ("a", "b"), {"a"}], ["a", [5], {"a": "b"}, None]),
        (map_of(TEXT), [{}, {"a": "b"}], [{"a": 5}, {5: "a"}, [("a", "b")], "a"]),
        (instance_of(Colour, "a colour"), [Colour.RED], ["red"]),
        (ANYTHING, [None, 5, "a"], []),
    ],
)
def test_a_kind_takes_what_it_says_and_nothing_else(kind: Kind, fine: list[Any], wrong: list[Any]) -> None:
    for value in fine:
        check_kinds({"option": value, "other": object()}, {"option": kind}, "Shop")
    for value in wrong:
        with pytest.raises(DeclarationError, match=r"^Shop: option=.* cannot be. Give .*\.$"):
            check_kinds({"option": value}, {"option": kind}, "Shop")


def test_a_long_value_is_told_in_short() -> None:
    with pytest.raises(DeclarationError) as caught:
        check_kinds({"option": ["x" * 5000]}, {"option": TEXT}, "Shop")
    assert len(str(caught.value)) < 200


def test_modes_are_read_in_every_way_they_are_written() -> None:
    read = [read_modes(given, "x") for given in (None, "a", ("a", "b", "a"), ["a"])]
    assert read == [(), ("a",), ("a", "b"), ("a",)]
    for wrong in (
        "",
        " ",
        ("a", ""),
        5,
        True,
        "disabled",
        "response_only",
        "request_only",
        ["a", "disabled"],
    ):
        with pytest.raises(DeclarationError, match="^x: .*(Give|Use) "):
            read_modes(wrong, "x")
