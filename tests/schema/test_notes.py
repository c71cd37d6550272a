"""Keywords and schemas in words."""

from typing import Any

import pytest

from charter.schema.notes import add_note, describe_schema, note_keyword


@pytest.mark.parametrize(
    ("node", "words"),
    [
        (True, "any value"),
        ({"type": "string"}, "a text"),
        ({"type": "boolean"}, "true or false"),
        ({"enum": ["a", 1]}, 'one of "a", 1'),
        ({"const": None}, "one of null"),
        ({"type": "array", "items": {"type": "number"}}, "a list whose items are each a number"),
        ({"type": "object"}, "an object"),
        ({"$ref": "#/$defs/Tree"}, "a Tree"),
        (
            {"type": "object", "properties": {"a": {"type": "string"}}},
            'what fits the JSON Schema {"type":"object","properties":{"a":{"type":"string"}}}',
        ),
        ({"type": "string", "maxLength": 2}, 'what fits the JSON Schema {"type":"string","maxLength":2}'),
    ],
)
def test_a_schema_is_described(node: Any, words: str) -> None:
    assert describe_schema(node) == words


def test_a_schema_too_long_to_quote_is_told_by_its_members() -> None:
    members = {f"member{n}": {"type": "string"} for n in range(99)}
    assert describe_schema({"type": "object", "properties": members}).startswith(
        "an object with member0, member1"
    )


@pytest.mark.parametrize(("keyword", "value"), [("title", "T"), ("x-internal", 1), ("uniqueItems", False)])
def test_what_constrains_nothing_needs_no_words(keyword: str, value: Any) -> None:
    assert note_keyword(keyword, value) == ""


@pytest.mark.parametrize("keyword", ["not", "if", "dependentRequired", "contains"])
def test_what_words_cannot_carry_has_none(keyword: str) -> None:
    assert note_keyword(keyword, {}) is None


def test_a_note_ends_the_description_as_a_sentence() -> None:
    node: dict[str, Any] = {"description": "Ends well."}
    add_note(node, "")
    add_note(node, note_keyword("default", "ü") or "")
    add_note(node, note_keyword("examples", ["a", 1]) or "")
    assert node == {"description": 'Ends well. Default "ü". Such as "a", 1.'}
