from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.discovery.query import MAX_NEEDS, MAX_SELECT, MAX_TEXT, Need, Select, parse


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


@pytest.mark.parametrize(
    "query", [";".join(["word " * 800] * 24), ["word " * 800 + str(at) for at in range(24)], "+a " * 100_000]
)
def test_all_needs_of_a_query_together_are_read_up_to_one_limit(query: Any) -> None:
    assert sum(len(need.text) for need in parse(query).needs) <= MAX_TEXT


def test_needs_that_fit_are_all_read_beside_a_long_list_of_names() -> None:
    names = ",".join(f"pack__tool_{at}" for at in range(5_000))
    query = parse(f"select:{names};" + ";".join(f"need {at} of many" for at in range(20)))
    assert (len(query.names), len(query.needs)) == (5_000, 20)


def test_all_lists_of_names_of_a_query_together_are_read_up_to_one_limit() -> None:
    assert sum(map(len, parse([f"select:{at}" + "x" * 100_000 for at in range(24)]).names)) <= MAX_SELECT


@given(st.text() | st.lists(st.text()))
def test_any_text_is_parsed(query: Any) -> None:
    for part in parse(query).parts:
        assert part.names if isinstance(part, Select) else part.text
