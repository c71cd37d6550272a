"""Sentences for a description that say what a dialect's schema cannot.

Not here: which dialect cannot say what.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

__all__ = ["CLEARS", "add_note", "describe_schema", "is_json_text", "note_keyword", "without_note"]

CLEARS = "Null clears it."
"""What the description of a field says that null clears."""

_DESCRIBED = 2_000
"""Characters of JSON Schema that a sentence may quote."""

_SENTENCES: Mapping[str, Callable[[Any], str]] = {
    "minLength": lambda value: f"At least {value} characters.",
    "maxLength": lambda value: f"At most {value} characters.",
    "minItems": lambda value: f"At least {value}.",
    "maxItems": lambda value: f"At most {value}.",
    "minProperties": lambda value: f"At least {value} members.",
    "maxProperties": lambda value: f"At most {value} members.",
    "minimum": lambda value: f"At least {value}.",
    "maximum": lambda value: f"At most {value}.",
    "exclusiveMinimum": lambda value: f"More than {value}.",
    "exclusiveMaximum": lambda value: f"Less than {value}.",
    "multipleOf": lambda value: f"A multiple of {value}.",
    "uniqueItems": lambda value: "No duplicates." if value else "",
    "pattern": lambda value: f"Matches {value}",
    "format": lambda value: f"Format: {value}.",
    "default": lambda value: f"Default {_write(value)}.",
    "examples": lambda value: f"Such as {', '.join(map(_write, value))}.",
    "propertyNames": lambda value: f"Each name: {describe_schema(value)}.",
    "contentEncoding": lambda value: f"Encoded as {value}.",
    "contentMediaType": lambda value: f"Holds {value}.",
    "deprecated": lambda value: "Deprecated." if value else "",
}
_SCALARS: Mapping[Any, str] = {
    "string": "a text",
    "number": "a number",
    "integer": "an integer",
    "boolean": "true or false",
    "null": "null",
}
_SILENT = frozenset(
    {"$schema", "$id", "$comment", "$defs", "definitions", "title", "discriminator", "readOnly", "writeOnly"}
)


def note_keyword(keyword: str, value: Any) -> str | None:
    """Say a keyword in words; an empty text when nothing is lost without it, None when words are not enough.

    >>> note_keyword("maxLength", 5), note_keyword("not", {})
    ('At most 5 characters.', None)
    """
    if keyword in _SILENT or keyword.startswith("x-"):
        return ""
    sentence = _SENTENCES.get(keyword)
    return sentence(value) if sentence else None


def add_note(node: dict[str, Any], note: str) -> None:
    """Put a sentence at the end of a node's description.

    >>> node = {"description": "A name"}
    >>> add_note(node, "At most 5 characters.")
    >>> node["description"]
    'A name. At most 5 characters.'
    """
    if not note:
        return
    told = str(node.get("description", "")).strip()
    if told and told[-1].isalnum():
        told += "."
    node["description"] = f"{told} {note}".strip()


def without_note(node: dict[str, Any], note: str) -> dict[str, Any]:
    """Return a node whose description does not end in the sentence.

    >>> without_note({"description": "A name. At most 5 characters."}, "At most 5 characters.")
    {'description': 'A name.'}
    """
    told = str(node.get("description", ""))
    if not told.endswith(note):
        return node
    left = told.removesuffix(note).rstrip()
    rest = {key: value for key, value in node.items() if key != "description"}
    return {**rest, "description": left} if left else rest


def describe_schema(node: Any) -> str:
    """Describe a schema in a few words, or quote it where words are not enough.

    >>> describe_schema({"type": "object", "additionalProperties": {"type": "integer"}})
    'an object whose values are each an integer'
    """
    if not isinstance(node, dict):
        return "any value"
    schema = cast("dict[str, Any]", node)
    kind = schema.get("type")
    if "enum" in schema or "const" in schema:
        return f"one of {', '.join(map(_write, schema.get('enum', [schema.get('const')])))}"
    if kind in _SCALARS and len(schema) == 1:
        return _SCALARS[str(kind)]
    if set(schema) == {"anyOf"}:
        return " or ".join(map(describe_schema, schema["anyOf"]))
    if kind == "array" and set(schema) <= {"type", "items", "description"}:
        return f"a list whose items are each {describe_schema(schema.get('items'))}"
    if kind == "object" and not schema.get("properties") and not _rest(schema):
        members = schema.get("additionalProperties")
        return "an object" + (
            f" whose values are each {describe_schema(members)}" if isinstance(members, dict) else ""
        )
    return _quote(schema)


def is_json_text(node: dict[str, Any]) -> bool:
    """Whether a node says of itself that it holds JSON as text.

    >>> is_json_text({"type": "string", "description": "JSON text of an object."})
    True
    """
    return node.get("type") == "string" and "JSON text of " in str(node.get("description", ""))


def _rest(schema: dict[str, Any]) -> set[str]:
    return set(schema) - {"type", "properties", "additionalProperties", "description", "title"}


def _quote(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return f"a {str(schema['$ref']).rsplit('/', 1)[-1]}"
    quoted = _write({key: value for key, value in schema.items() if key != "$defs"})
    if len(quoted) <= _DESCRIBED:
        return f"what fits the JSON Schema {quoted}"
    names = ", ".join(schema.get("properties", {}))
    return f"an object with {names}" if names else f"of type {schema.get('type', 'any')}"


def _write(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
