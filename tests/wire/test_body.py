"""Bodies: JSON and forms, and that what is written decodes to what was given."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.errors import TransformError
from charter.wire.body import encode_body
from tests.wire.decoding import KEYS, NESTED, decode_deep, fold_lists, is_same


@pytest.mark.parametrize(
    "value", [{}, [], {"a": 1}, ["x"], None, "x", 1, True, {"ä": ["😀", None, 1.5, 10**30]}], ids=str
)
def test_json_is_written_without_spaces_and_reads_back(value: Any) -> None:
    written = encode_body(value, "json")
    assert json.loads(written) == value
    assert b" " not in written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({}, ""),
        ({"a": 1, "b": "x y"}, "a=1&b=x%20y"),
        ({"a": {"b": {"c": True}}}, "a%5Bb%5D%5Bc%5D=true"),
        (
            {"items": [{"price": "p_1"}, {"price": "p_2"}]},
            "items%5B0%5D%5Bprice%5D=p_1&items%5B1%5D%5Bprice%5D=p_2",
        ),
        ({"expand": ["a.b"]}, "expand%5B0%5D=a.b"),
        ({"a": None, "b": [], "c": {}}, "a="),
        ({"cancel_at": ""}, "cancel_at="),
        ({"a": "1&admin=true"}, "a=1%26admin%3Dtrue"),
    ],
    ids=str,
)
def test_a_form_writes_objects_and_lists_in_brackets(value: Any, written: str) -> None:
    assert encode_body(value, "form").decode() == written


def test_a_key_that_would_name_another_member_is_refused() -> None:
    with pytest.raises(TransformError, match="would name another member"):
        encode_body({"metadata": {"a][b": "x"}}, "form")


@given(st.dictionaries(KEYS, NESTED, min_size=1, max_size=4))
def test_a_form_decodes_to_what_was_written(value: dict[str, Any]) -> None:
    written = encode_body(value, "form").decode("ascii")
    assert is_same(fold_lists(decode_deep(written), value), value)


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), NESTED, max_size=4))
def test_json_decodes_to_what_was_written(value: dict[str, Any]) -> None:
    assert json.loads(encode_body(value, "json")) == value
