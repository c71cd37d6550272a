"""Single nodes respelled: names, null, closed sets, type lists, tuples."""

import re
from typing import Any

import pytest

from charter.fields import fold
from charter.schema.respelling import allow_null, letters_of, merge_schemas, merge_tuple, rename, split_types

KEY = re.compile("[a-zA-Z_][a-zA-Z0-9_]{0,63}")


@pytest.mark.parametrize("name", ["$top", "filter[id]", "@odata.type", "If-Match", "1st", "a b", "x" * 64])
def test_a_name_is_respelled_as_arguments_may_spell_it(name: str) -> None:
    safe = rename(name, KEY)
    assert safe is not None
    assert KEY.fullmatch(safe)
    assert fold(safe) == fold(name)


@pytest.mark.parametrize("name", ["größe", "x" * 65])
def test_a_name_without_such_a_spelling_has_none(name: str) -> None:
    assert rename(name, KEY) is None


@pytest.mark.parametrize("name", ["maxResults", "If-Match", "filter[id]", "@x.y", "größe", "_", "A-1"])
def test_what_counts_of_a_name_is_what_counts_when_arguments_are_read(name: str) -> None:
    assert letters_of(name) == fold(name)


@pytest.mark.parametrize(
    ("node", "nullable"),
    [
        ({"type": "string"}, {"type": ["string", "null"]}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"enum": ["a"]}, {"enum": ["a", None]}),
        ({"anyOf": [{"type": "string"}]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (
            {"$ref": "#/$defs/A", "description": "An a"},
            {"description": "An a", "anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]},
        ),
    ],
)
def test_null_is_allowed_once(node: dict[str, Any], nullable: dict[str, Any]) -> None:
    assert allow_null(node) == nullable
    assert allow_null(nullable) == nullable


def test_a_list_of_types_becomes_options_with_their_own_keywords() -> None:
    node = {
        "type": ["array", "object", "string"],
        "items": {},
        "properties": {},
        "enum": ["a"],
        "description": "x",
    }
    assert split_types(node) == {"anyOf": [{"enum": ["a"], "type": "string"}], "description": "x"}
    whole = split_types({"type": ["array", "null"], "items": {"type": "string"}, "minItems": 1})
    assert whole == {
        "anyOf": [{"type": "array", "items": {"type": "string"}, "minItems": 1}, {"type": "null"}]
    }


def test_a_tuple_of_one_type_needs_no_sentence() -> None:
    assert merge_tuple([{"type": "integer"}, {"type": "integer"}]) == ({"type": "integer"}, "")


def test_schemas_that_contradict_do_not_merge() -> None:
    assert merge_schemas({"type": "string"}, {"type": "integer"}) is None
    one = {"properties": {"a": {"type": "string"}}, "required": ["a"]}
    other = {"properties": {"b": {}}, "required": ["b", "a"]}
    assert merge_schemas(one, other) == {
        "properties": {"a": {"type": "string"}, "b": {}},
        "required": ["a", "b"],
    }
    assert merge_schemas(one, {"properties": {"a": {}}}) is None
