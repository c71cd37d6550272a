"""What one node becomes. How whole tools fare in each dialect is in test_dialects."""

import re
from typing import Any

import pytest

from charter.schema.dialect_rules import RULES, Dialect
from charter.schema.rewriting import Place, Rewriter


def rewrite(node: Any, dialect: Dialect) -> tuple[dict[str, Any], list[str]]:
    rewriter = Rewriter(RULES[dialect], {"Name": {"type": "string", "description": "A name"}}, 2)
    return rewriter.rewrite(node, Place("x", "x", 1)), [refusal.problem for refusal in rewriter.refusals]


@pytest.mark.parametrize(
    ("node", "dialect", "written"),
    [
        ({"const": "a"}, "openai", {"enum": ["a"]}),
        ({"enum": ["a", "b", "a", None, None]}, "openai", {"enum": ["a", "b", None]}),
        ({"enum": [1, "1", True]}, "gemini", {"type": "string", "enum": ["1", "true"]}),
        ({"const": "a"}, "openai-strict", {"enum": ["a"], "type": "string"}),
        ({"const": "a"}, "anthropic", {"const": "a"}),
        ({"type": "integer", "enum": [1, 2]}, "gemini", {"type": "string", "enum": ["1", "2"]}),
        ({"enum": ["a", None]}, "gemini", {"type": "string", "enum": ["a"], "nullable": True}),
        ({"type": "string", "const": ""}, "gemini", {"type": "string", "maxLength": 0, "description": "Empty text."}),
        ({"type": ["string", "null"]}, "gemini", {"type": "string", "nullable": True}),
        ({"$ref": "#/$defs/Name"}, "gemini", {"type": "string", "description": "A name"}),
        ({"$ref": "#/$defs/Name"}, "anthropic", {"$ref": "#/$defs/Name"}),
        (
            {"$ref": "#/$defs/Name", "description": "Whose"},
            "openai-strict",
            {"description": "Whose", "anyOf": [{"$ref": "#/$defs/Name"}]},
        ),
        ({"type": "integer", "exclusiveMinimum": 0}, "gemini", {"type": "integer", "minimum": 1}),
        ({"type": "string", "pattern": "^(?=a)"}, "openai-strict", {"type": "string", "description": "Matches ^(?=a)"}),
        ({"type": "string", "format": "uri"}, "gemini", {"type": "string", "description": "Format: uri."}),
        ({"type": "string", "format": "uri"}, "mcp", {"type": "string", "format": "uri"}),
        ({"type": "object", "additionalProperties": False}, "gemini", {"type": "string", "enum": ["{}"]}),
        (
            {"allOf": [{"type": "string"}, {"maxLength": 2}], "description": "Short"},
            "openai",
            {"type": "string", "maxLength": 2, "description": "Short"},
        ),
    ],
)  # fmt: skip
def test_a_node_is_written_as_the_provider_takes_it(
    node: dict[str, Any], dialect: Dialect, written: dict[str, Any]
) -> None:
    assert rewrite(node, dialect) == (written, [])


def test_what_is_said_of_a_union_is_said_of_its_first_option_where_a_union_stands_alone() -> None:
    node = {"description": "How much", "anyOf": [{"type": "integer"}, {"type": "string", "enum": ["all"]}]}
    written, _ = rewrite(node, "gemini")
    assert written == {
        "anyOf": [{"type": "integer", "description": "How much"}, {"type": "string", "enum": ["all"]}]
    }


@pytest.mark.parametrize(
    ("node", "dialect", "problem"),
    [
        ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "openai", "combines schemas"),
        ({"type": "string", "not": {"const": "a"}}, "gemini", "has not"),
        ({}, "openai-strict", "leaves the type"),
        (False, "anthropic", "takes no value"),
        ({"$ref": "#/$defs/Gone"}, "gemini", "is not defined"),
        ({"type": "array", "anyOf": [{"type": "object"}]}, "gemini", "has type beside anyOf"),
    ],
)
def test_what_cannot_be_said_is_collected(node: Any, dialect: Dialect, problem: str) -> None:
    assert any(problem in found for found in rewrite(node, dialect)[1])


def test_a_place_knows_the_nearest_part_that_may_be_dropped() -> None:
    place = Place().at("a", is_required=True).at("b", is_required=False).at("c", is_required=True)
    assert (place.path, place.optional) == ("a.b.c", "a.b")


def test_a_fix_is_a_projection_that_names_a_path() -> None:
    rewriter = Rewriter(RULES["gemini"], {}, 1)
    rewriter.rewrite({}, Place("a.b", "a"))
    rewriter.rewrite({}, Place("a.b", ""))
    drop, pin = (refusal.fix for refusal in rewriter.refusals)
    assert re.search(r"drop=\['a'\]", drop)
    assert re.search(r"pin=\{'a\.b'", pin)
