"""Queries: styles, and that what is written decodes to what was given."""

from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.errors import TransformError
from charter.markers import QueryStyle
from charter.wire.query import encode_pairs, flatten, write_scalar
from tests.wire.decoding import (
    KEYS,
    NESTED,
    SCALARS,
    decode_deep,
    decode_list,
    fold_lists,
    is_same,
    split_pairs,
)


def write(name: str, value: Any, style: QueryStyle = "repeat") -> str:
    return encode_pairs(flatten(name, value, style))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "x"),
        ("", ""),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-1, "-1"),
        (1.5, "1.5"),
        (1e21, "1e+21"),
        (10**30, "1" + "0" * 30),
    ],
)
def test_a_scalar_is_written_as_json_writes_it(value: Any, text: str) -> None:
    assert write_scalar(value) == text


STYLES: dict[str, dict[str, str]] = {
    # one row for each kind of value: repeat, comma, bracket, deep
    "scalar": dict.fromkeys(("repeat", "comma", "bracket", "deep"), "a=1"),
    "empty text": dict.fromkeys(("repeat", "comma", "bracket", "deep"), "a="),
    "null": dict.fromkeys(("repeat", "comma", "bracket", "deep"), ""),
    "list": {
        "repeat": "a=1&a=x",
        "comma": "a=1,x",
        "bracket": "a%5B%5D=1&a%5B%5D=x",
        "deep": "a%5B0%5D=1&a%5B1%5D=x",
    },
    "list of one": {"repeat": "a=1", "comma": "a=1", "bracket": "a%5B%5D=1", "deep": "a%5B0%5D=1"},
    "empty list": dict.fromkeys(("repeat", "comma", "bracket", "deep"), ""),
    "list with null": {"repeat": "a=1", "comma": "a=1", "bracket": "a%5B%5D=1", "deep": "a%5B0%5D=1"},
    "object": dict.fromkeys(("repeat", "comma", "bracket", "deep"), "a%5Bk%5D=1&a%5Bl%5D=x"),
    "object with null": dict.fromkeys(("repeat", "comma", "bracket", "deep"), "a%5Bl%5D=x"),
    "empty object": dict.fromkeys(("repeat", "comma", "bracket", "deep"), ""),
    "nested": {"deep": "a%5Bk%5D%5B0%5D%5Bl%5D=1"},
}
VALUES: dict[str, Any] = {
    "scalar": 1,
    "empty text": "",
    "null": None,
    "list": [1, "x"],
    "list of one": [1],
    "empty list": [],
    "list with null": [None, 1],
    "object": {"k": 1, "l": "x"},
    "object with null": {"k": None, "l": "x"},
    "empty object": {},
    "nested": {"k": [{"l": 1}]},
}


@pytest.mark.parametrize(("kind", "style"), [(kind, style) for kind, row in STYLES.items() for style in row])
def test_each_kind_of_value_in_each_style(kind: str, style: QueryStyle) -> None:
    assert write("a", VALUES[kind], style) == STYLES[kind][style]


@pytest.mark.parametrize(
    ("name", "value", "written"),
    [
        ("a", "1&admin=1", "a=1%26admin%3D1"),
        ("a", "x#y", "a=x%23y"),
        ("a", "x+y z", "a=x%2By%20z"),
        ("a", ["1,2", "3"], "a=1%2C2,3"),
        ("a&b", "1", "a%26b=1"),
        ("filter", {"x&admin": "1"}, "filter%5Bx%26admin%5D=1"),
        ("a", "\r\nHost: evil", "a=%0D%0AHost%3A%20evil"),
        ("ä", "ö", "%C3%A4=%C3%B6"),
    ],
)
def test_no_value_or_key_adds_a_parameter(name: str, value: Any, written: str) -> None:
    assert write(name, value, "comma") == written


@pytest.mark.parametrize("key", ["a][b", "a[b", "]", "a]&x"])
def test_a_key_that_would_name_another_member_is_refused(key: str) -> None:
    with pytest.raises(
        TransformError, match=r"^filter: the key .* would name another member. Leave out \[ and \].$"
    ):
        write("filter", {key: "1"}, "deep")


@given(KEYS, SCALARS, st.sampled_from(["repeat", "comma", "bracket", "deep"]))
def test_a_scalar_decodes_to_itself(name: str, value: Any, style: QueryStyle) -> None:
    [(decoded_name, decoded)] = split_pairs(write(name, value, style))
    assert decoded_name == name
    assert is_same(unquote(decoded), value)


@given(
    KEYS, st.lists(SCALARS, min_size=1, max_size=5), st.sampled_from(["repeat", "comma", "bracket", "deep"])
)
def test_a_list_decodes_to_itself(name: str, values: list[Any], style: QueryStyle) -> None:
    names, decoded = decode_list(write(name, values, style), style)
    indexed = {f"{name}[{at}]" for at in range(len(values))}
    assert names == {"repeat": {name}, "comma": {name}, "bracket": {f"{name}[]"}, "deep": indexed}[style]
    assert is_same(decoded, values)


@given(KEYS, st.dictionaries(KEYS, SCALARS, min_size=1, max_size=5))
def test_an_object_decodes_to_itself(name: str, value: dict[str, Any]) -> None:
    assert is_same(decode_deep(write(name, value, "deep")), {name: value})


@given(KEYS, st.dictionaries(KEYS, NESTED, min_size=1, max_size=3))
def test_anything_nested_decodes_to_itself(name: str, value: dict[str, Any]) -> None:
    assert is_same(fold_lists(decode_deep(write(name, value, "deep")), {name: value}), {name: value})
