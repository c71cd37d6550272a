from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.discovery.query import MAX_NEEDS, MAX_TEXT, Need, Select, parse


def test_words_are_one_need() -> None:
    assert parse("calendar event").parts == (Need("calendar event"),)


@pytest.mark.parametrize(
    "query", ["select:a__b,c", "SELECT: a__b , c", " Select :a__b,\n c,", "select:`a__b`, [c]"]
)
def test_select_names_tools_in_any_spelling_of_select(query: str) -> None:
    assert parse(query).parts == (Select(("a__b", "c")),)


def test_select_keeps_every_name() -> None:
    names = [f"pack__tool_{at}" for at in range(3_000)]
    assert parse("select:" + ",".join(names)).names == tuple(names)


def test_plus_terms_are_required_and_the_rest_is_ranked() -> None:
    assert parse("+stripe refund +create now").parts == (Need("refund now", ("stripe", "create")),)


def test_a_required_term_alone_is_also_what_is_ranked() -> None:
    assert parse("+stripe").parts == (Need("stripe", ("stripe",)),)


def test_semicolons_part_needs_and_each_has_its_own_terms() -> None:
    parsed = parse("+stripe refund; send email ;; select:a__b")
    assert parsed.parts == (Need("refund", ("stripe",)), Need("send email"), Select(("a__b",)))
    assert parsed.needs == parsed.parts[:2]


def test_a_list_of_queries_is_several_needs() -> None:
    assert parse(["refund", "send email; label", 3]).parts == (
        Need("refund"),
        Need("send email"),
        Need("label"),
    )


def test_the_same_need_twice_is_one() -> None:
    assert parse("refund; refund").parts == (Need("refund"),)


@pytest.mark.parametrize(
    "query", ["", "  ", ";", "+", "select:", "select: , ", None, {}, [], 3, True, ["", None]]
)
def test_nothing_asks_for_nothing(query: Any) -> None:
    assert parse(query).parts == ()


def test_a_huge_query_is_cut() -> None:
    assert parse("x" * 1_000_000).needs[0].text == "x" * MAX_TEXT
    assert len(parse(";".join(f"need {at}" for at in range(200_000))).parts) == MAX_NEEDS


@given(st.text() | st.lists(st.text()))
def test_any_text_is_parsed(query: Any) -> None:
    for part in parse(query).parts:
        assert part.names if isinstance(part, Select) else part.text
