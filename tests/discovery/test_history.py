"""What of an answer is sent back: calls that any server takes, whatever the model wrote."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.discovery.history import clean, fill_ids, is_blank, keep_arguments, keep_name, keep_object

_any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(categories=["Cs", "Lu"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.integers(), inner, max_size=3),
)


def test_ids_that_came_stay_and_others_are_made() -> None:
    assert fill_ids(["a", "b"]) == ["a", "b"]
    ids = fill_ids(["a", None, "", "  ", "a", 5, [], True])
    assert (ids[0], ids[5], len(set(ids))) == ("a", "5", 8)
    assert all(re.fullmatch(r"[a-z0-9]{9}", made) for made in (*ids[1:5], ids[6]))


@given(st.lists(_any, max_size=6))
def test_ids_are_texts_that_can_be_sent_one_for_each_call(values: list[Any]) -> None:
    ids = fill_ids(values)
    assert len(ids) == len(set(ids)) == len(values)
    "".join(ids).encode()


@given(st.text(st.characters(categories=["Cs", "Lu", "Po"])))
def test_a_name_is_one_that_every_server_takes(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", keep_name(name))


@given(_any)
def test_arguments_are_an_object_that_can_be_sent(value: Any) -> None:
    assert isinstance(json.loads(keep_arguments(value)), dict)
    json.dumps(keep_object(value), ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "written", ['{"a": 1', "[1]", "5", "null", "", "tea", '{"a": NaN}', '{"a": "\\ud83d"}', "[" * 9_999]
)
def test_what_is_no_object_becomes_an_empty_one(written: str) -> None:
    assert keep_arguments(written) == "{}"


def test_what_is_one_stays_letter_for_letter() -> None:
    assert keep_arguments('{"b":  1,"a": {}}') == '{"b":  1,"a": {}}'
    assert keep_arguments({"a": [1]}) == '{"a": [1]}'
    assert keep_object({"a": [[1]] * 3}) == {"a": [[1]] * 3}


def test_objects_in_themselves_are_none() -> None:
    held: dict[str, Any] = {}
    held["a"] = held
    assert keep_object(held) == {}


def test_texts_are_cleaned_in_depth() -> None:
    assert clean({"a\ud83d": ["\ud83d\ude00", 1]}) == {"a?": ["\U0001f600", 1]}


def test_blank_is_what_says_nothing() -> None:
    assert [is_blank(text) for text in ("", " \n", None, "x")] == [True, True, True, False]
