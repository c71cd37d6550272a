"""Markers: how names are spelled, and what the rules between fields say."""

import pickle
from typing import Any

import pytest

from charter.markers import (
    AllOrNone,
    AtLeastOneOf,
    AtMostOneOf,
    Body,
    Case,
    Clearable,
    ConflictsWith,
    ExactlyOneOf,
    Format,
    Gloss,
    Header,
    Mode,
    NotOnly,
    Path,
    Query,
    Requires,
    Rule,
    WireName,
    split_words,
)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("max_results", ["max", "results"]),
        ("maxResults", ["max", "results"]),
        ("MaxResults", ["max", "results"]),
        ("max-results", ["max", "results"]),
        ("HTTPServer", ["http", "server"]),
        ("userID", ["user", "id"]),
        ("iCalUID", ["i", "cal", "uid"]),
        ("address2", ["address2"]),
        ("oauth2Token", ["oauth2", "token"]),
        ("x_1", ["x", "1"]),
        ("_", []),
        ("", []),
    ],
)
def test_a_name_is_split_into_words(name: str, words: list[str]) -> None:
    assert split_words(name) == words


def test_letters_outside_ascii_are_kept() -> None:
    assert "".join(split_words("größe_max")) == "größemax"


@pytest.mark.parametrize(
    ("case", "spelled"),
    [
        (Case.CAMEL, "maxResults"),
        (Case.PASCAL, "MaxResults"),
        (Case.SNAKE, "max_results"),
        (Case.KEBAB, "max-results"),
    ],
)
def test_a_case_spells_a_name_from_any_other(case: Case, spelled: str) -> None:
    for name in ("max_results", "maxResults", "MaxResults", "max-results"):
        assert case.spell(name) == spelled


def wire(name: str) -> str:
    return name.upper()


@pytest.mark.parametrize(
    ("rule", "fine", "wrong", "problem"),
    [
        (ExactlyOneOf("a", "b"), ["a", "b"], ["", "ab"], "give exactly one of A, B"),
        (AtMostOneOf("a", "b", "c"), ["", "a", "c"], ["ab", "abc"], "give at most one of A, B, C"),
        (AtLeastOneOf("a", "b"), ["a", "b", "ab"], [""], "give at least one of A, B"),
        (AllOrNone("a", "b"), ["", "ab"], ["a", "b"], "give all of A, B or none"),
        (Requires("a", "b"), ["", "b", "ab"], ["a"], "A needs B"),
        (Requires("a", "b", "c"), ["", "c", "abc"], ["a"], "A needs B, C"),
        (Requires("a", "b", "c"), [], ["ab"], "A needs C"),
    ],
    ids=repr,
)
def test_a_rule_judges_by_what_is_given(rule: Rule, fine: list[str], wrong: list[str], problem: str) -> None:
    assert [rule.problem([*given, "other"], wire) for given in fine] == [None] * len(fine)
    assert [rule.problem([*given, "other"], wire) for given in wrong] == [problem] * len(wrong)


@pytest.mark.parametrize(
    ("rule", "given", "cleared", "problem"),
    [
        (NotOnly("id"), ["id"], [], "give something to change beside ID"),
        (NotOnly("id", "team"), ["id", "team"], [], "give something to change beside ID, TEAM"),
        (NotOnly("id"), [], [], "give something to change beside ID"),
        (NotOnly(), [], [], "give something"),
        (NotOnly("id"), ["id", "a"], [], None),
        (NotOnly("id"), ["id"], ["a"], None),
        (AtLeastOneOf("a", "b"), [], ["a"], None),
        (ExactlyOneOf("a", "b"), ["a"], ["b"], None),
        (ExactlyOneOf("a", "b"), [], ["a"], "give exactly one of A, B"),
        (AtMostOneOf("a", "b"), ["a"], ["b"], None),
        (Requires("a", "b"), [], ["a"], None),
        (Requires("a", "b"), ["a"], ["b"], "A needs B"),
        (AllOrNone("a", "b"), ["a"], ["b"], "give all of A, B or none"),
    ],
    ids=repr,
)
def test_a_field_that_null_clears_is_something_to_send_and_no_value(
    rule: Rule, given: list[str], cleared: list[str], problem: str | None
) -> None:
    assert rule.problem(given, wire, cleared) == problem


MARKERS: list[Any] = [
    Clearable(),
    NotOnly("a"),
    Path(allow_slash=True),
    Query(style="comma"),
    Header("If-Match"),
    Body(embed=True),
    Body(raw="text/plain"),
    Format("rfc822", "base64url"),
    Mode("pro"),
    WireName("max-results"),
    Gloss("cents, not dollars"),
    Case.CAMEL,
    ConflictsWith("a", "b"),
    ExactlyOneOf("a", "b"),
    Requires("a", "b"),
]


@pytest.mark.parametrize("marker", MARKERS, ids=repr)
def test_a_marker_is_a_value(marker: Any) -> None:
    twin = pickle.loads(pickle.dumps(marker))
    assert twin == marker
    assert hash(twin) == hash(marker)
    with pytest.raises((AttributeError, TypeError)):
        marker.name = "other"


def test_two_rules_over_the_same_fields_are_not_the_same() -> None:
    assert ExactlyOneOf("a", "b") != AtMostOneOf("a", "b")
    assert ExactlyOneOf("a", "b") == ExactlyOneOf("a", "b")
