"""Arguments written in a dialect, for a tool that takes only its own schema's."""

import json
from typing import Any

import jsonschema
import pytest

from charter.schema.dialects import DIALECTS, render_in_dialect
from charter.schema.readback import read_back

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "$top": {"type": "integer", "enum": [5, 10]},
        "filter[id]": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "tree": {"$ref": "#/$defs/Tree"},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"$ref": "#/$defs/Tree"}]},
        "note": {"type": "string"},
    },
    "required": ["$top"],
    "additionalProperties": False,
    "$defs": {
        "Tree": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/Tree"}},
            "required": ["name"],
            "additionalProperties": False,
        }
    },
}


def test_what_was_respelled_for_a_provider_is_read_back() -> None:
    written = {
        "_top": "10",
        "filter_id_": None,
        "labels": '{"a": "1"}',
        "tree": {"name": "1", "next": json.dumps({"name": "2", "next": None})},
        "pair": ["{}", '{"name": "x"}'],
        "note": '{"stays": "text"}',
    }
    read = read_back(written, SCHEMA)
    assert read == {
        "$top": 10,
        "filter[id]": None,
        "labels": {"a": "1"},
        "tree": {"name": "1", "next": {"name": "2"}},
        "pair": ["{}", {"name": "x"}],
        "note": '{"stays": "text"}',
    }
    jsonschema.validate(read, SCHEMA)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_null_for_every_optional_argument_is_nothing(dialect: Any) -> None:
    definition = render_in_dialect("foreign", "Do.", SCHEMA, dialect)
    names = list(definition["parameters"]["properties"])
    read = read_back({**dict.fromkeys(names), names[0]: 5}, SCHEMA)
    strict = {"$top": 5}  # null clears there only what is named
    assert read == (strict if dialect == "openai-strict" else {"$top": 5, "filter[id]": None})


def test_what_a_strict_object_names_to_clear_is_null_and_nothing_else_of_it() -> None:
    properties = render_in_dialect("foreign", "Do.", SCHEMA, "openai-strict")["parameters"]["properties"]
    assert properties["set_to_null"]["items"]["enum"] == ["filter_id_"]
    read = read_back({"$top": 5, "filter_id_": None, "note": None, "set_to_null": ["filter_id_"]}, SCHEMA)
    assert read == {"$top": 5, "filter[id]": None}


def test_a_hoisted_root_is_unwrapped() -> None:
    root = {"anyOf": [{"type": "object", "properties": {"a-b": {"type": "integer"}}}]}
    assert read_back({"arguments": {"a_b": 1}}, root) == {"a-b": 1}


def test_arguments_that_fit_already_stay() -> None:
    fitting = {"$top": 5, "labels": {"k": "v"}, "tree": {"name": "x", "next": {"name": "y"}}}
    assert read_back(fitting, SCHEMA) == fitting


def test_arguments_of_no_known_name_stay_for_the_tool_to_refuse() -> None:
    assert read_back({"other": "x", "tree": "no JSON"}, SCHEMA) == {"other": "x", "tree": "no JSON"}
