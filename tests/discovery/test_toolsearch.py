"""ToolSearch's own text and arguments."""

import time
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter import ToolValidationError
from charter.discovery.toolsearch import MAX_RESULTS, define_search, read_arguments, read_ask

_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@pytest.mark.parametrize(
    ("given_", "limit"), [(5, 5), ("5", 5), (5.0, 5), (" 7 ", 7), ("5.0", 5), ("+3", 3), (1, 1)]
)
def test_whole_numbers_are_taken_however_they_are_written(given_: object, limit: int) -> None:
    assert read_ask("refund", given_).limit == limit


@pytest.mark.parametrize("value", [10**9, 1e300, float("inf"), "999999999"])
def test_more_than_the_most_is_the_most(value: object) -> None:
    assert read_ask("refund", value).limit == MAX_RESULTS


@pytest.mark.parametrize(
    "value",
    [
        True,
        False,
        "many",
        "",
        "five",
        0.5,
        "0.5",
        float("nan"),
        float("-inf"),
        0,
        -1,
        "-1",
        [],
        {},
        [5],
        "9" * 5000,
    ],
)
def test_what_is_no_number_of_results_is_refused_with_what_is_wanted(value: object) -> None:
    with pytest.raises(ToolValidationError, match=f"max_results: got .*, wants 1 to {MAX_RESULTS}"):
        read_ask("refund", value)


@pytest.mark.parametrize("query", [5, True, 0.5, {"a": 1}, ["a", 1], [None], b"refund"])
def test_what_is_no_query_is_refused(query: object) -> None:
    with pytest.raises(ToolValidationError, match=r"query: got .*, wants text or a list of texts"):
        read_ask(query)


def test_both_problems_are_told_at_once() -> None:
    with pytest.raises(ToolValidationError) as refused:
        read_ask(5, True)
    assert [problem["field"] for problem in refused.value.errors] == ["query", "max_results"]


@pytest.mark.parametrize("query", [None, {}, "", "  ", "select:", "select: ,", [], [""], ";;", "+"])
def test_an_empty_query_asks_for_nothing(query: object) -> None:
    parts = read_ask(query).query.parts
    assert [part for part in parts if getattr(part, "names", None)] == []


def test_one_need_gets_five_tools_and_each_of_several_three() -> None:
    assert [read_ask(query).limit for query in ("a b", "alpha; beta", ["alpha", "beta"])] == [5, 3, 3]


@pytest.mark.parametrize(
    "query", ["refund " * 150_000, "a;" * 500_000, "+" * 1_000_000, "select:" + "a," * 100_000]
)
def test_a_huge_query_is_read_quickly(query: str) -> None:
    started = time.process_time()
    read_ask(query)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        (None, (None, None)),
        ({}, (None, None)),
        ({"query": "a"}, ("a", None)),
        ({"query": "a", "max_results": "2"}, ("a", "2")),
        ('{"query": "a"}', ("a", None)),
        ("refund", ("refund", None)),
        (["a", "b"], (["a", "b"], None)),
        ("{broken", ("{broken", None)),
    ],
)
def test_arguments_are_read_in_the_shapes_models_send(arguments: object, read: object) -> None:
    assert read_arguments(arguments) == read


@pytest.mark.parametrize("arguments", [5, True, {"q": "a"}, {"query": "a", "limit": 5}, {1: 2}, '{"q": 1}'])
def test_other_arguments_are_refused_by_name(arguments: object) -> None:
    with pytest.raises(ToolValidationError, match="query and max_results"):
        read_arguments(arguments)


@given(_json)
def test_no_json_gets_anything_but_an_answer_or_a_validation_error(arguments: Any) -> None:
    try:
        read_ask(*read_arguments(arguments))
    except ToolValidationError as error:
        assert len(error.for_model()) <= 2_000


def test_the_schema_is_closed_and_says_what_is_accepted() -> None:
    schema = define_search("Tools:")["parameters"]
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    assert check.is_valid({"query": "a", "max_results": 3})
    assert not check.is_valid({"query": "a", "other": 3})
    assert not check.is_valid({})


def test_the_definition_is_a_copy() -> None:
    define_search("")["parameters"]["properties"].clear()
    assert set(define_search("")["parameters"]["properties"]) == {"query", "max_results"}


@pytest.mark.parametrize(
    "value", [-(10**4400), [[[["refund"]]]], object(), {"a": 1}], ids=["number", "list", "object", "dict"]
)
def test_a_query_or_a_count_is_refused_whatever_it_is(value: Any) -> None:
    for arguments in ((value, None), ("refund", value)):
        with pytest.raises(ToolValidationError):
            read_ask(*arguments)


@pytest.mark.parametrize(
    "name", ["\ud83d", 5, None, 10**4400, (1, 2)], ids=["half", "int", "none", "huge", "pair"]
)
def test_a_member_that_is_unknown_is_named_so_that_it_can_be_told(name: Any) -> None:
    with pytest.raises(ToolValidationError, match="is unknown") as raised:
        read_arguments({"query": "refund", name: 1})
    raised.value.for_model().encode()
    str(raised.value).encode()
