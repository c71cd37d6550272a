"""Small rewritings of single nodes: names, null, closed sets, type lists and tuples.

Not here: walking a schema, which `rewriting` does.
"""

import re
from typing import Any, Literal, cast

from charter.schema.notes import add_note, describe_schema

__all__ = [
    "SET_TO_NULL",
    "allow_null",
    "letters_of",
    "list_cleared",
    "merge_schemas",
    "merge_tuple",
    "names_null",
    "read_type",
    "rename",
    "split_types",
    "without_repeats",
    "write_texts",
]

SET_TO_NULL = "set_to_null"
"""The member that names what null clears, in objects whose schema takes null for everything that is not given."""

_BY_TYPE = {
    "array": frozenset({"items", "prefixItems", "minItems", "maxItems", "uniqueItems"}),
    "object": frozenset(
        {"properties", "required", "additionalProperties", "patternProperties", "propertyNames"}
        | {"minProperties", "maxProperties"}
    ),
}


def rename(name: str, pattern: re.Pattern[str] | None) -> str | None:
    """Return a name that fits the pattern and that arguments may be spelled by; None when there is none.

    >>> key = re.compile("[a-zA-Z_][a-zA-Z0-9_]{0,63}")
    >>> rename("filter[id]", key), rename("$top", key), rename("id", key), rename("é", key)
    ('filter_id_', '_top', 'id', None)
    """
    if pattern is None or pattern.fullmatch(name):
        return name
    spelled = re.sub(r"[^a-zA-Z0-9_]", "_", name)
    for safe in (spelled, f"_{spelled}"):
        if pattern.fullmatch(safe) and letters_of(safe) == letters_of(name):
            return safe
    return None


def letters_of(name: str) -> str:
    """Return what of a name counts when arguments are read: letters and digits, whatever their case.

    >>> letters_of("Filter[created_at]")
    'filtercreatedat'
    """
    return "".join(filter(str.isalnum, name)).lower()


def allow_null(node: dict[str, Any], null: Literal["type", "nullable"] = "type") -> dict[str, Any]:
    """Return a node that also takes null.

    >>> allow_null({"type": "string", "enum": ["a"]})
    {'type': ['string', 'null'], 'enum': ['a', None]}
    >>> allow_null({"type": "string"}, "nullable")
    {'type': 'string', 'nullable': True}
    """
    if null == "nullable":
        if "anyOf" in node:
            return {**node, "anyOf": [allow_null(option, null) for option in node["anyOf"]]}
        return {**node, "nullable": True}
    option = {"type": "null"}
    for key in ("anyOf", "oneOf"):
        if key in node:
            return node if option in node[key] else {**node, key: [*node[key], option]}
    if "$ref" in node or "const" in node:
        inner = {key: value for key, value in node.items() if key != "description"}
        outer = {key: value for key, value in node.items() if key == "description"}
        return {**outer, "anyOf": [inner, option]}
    written = dict(node)
    if "enum" in node:
        written["enum"] = [value for value in node["enum"] if value is not None] + [None]
    kinds = node.get("type")
    if kinds is not None:
        listed: list[Any] = cast("list[Any]", kinds) if isinstance(kinds, list) else [kinds]
        written["type"] = [kind for kind in listed if kind != "null"] + ["null"]
    return written


def list_cleared(names: list[str]) -> dict[str, Any]:
    """Return the schema of the list that names what null clears, of the properties with these names."""
    return {
        "type": ["array", "null"],
        "items": {"type": "string", "enum": names},
        "description": "What to clear. Null elsewhere leaves a field as it is.",
    }


def names_null(node: dict[str, Any]) -> bool:
    """Whether a node itself, not an option of its, takes null.

    >>> names_null({"type": ["string", "null"]}), names_null({"enum": ["a", None]}), names_null({"type": "string"})
    (True, True, False)
    """
    kinds, values = node.get("type"), node.get("enum", ())
    listed = isinstance(kinds, list) and "null" in kinds
    return kinds == "null" or listed or None in values or ("const" in node and node["const"] is None)


def split_types(schema: dict[str, Any]) -> dict[str, Any]:
    """Write a list of types as a union, each option with the keywords that concern it.

    >>> split_types({"type": ["integer", "null"], "minimum": 1})
    {'anyOf': [{'type': 'integer', 'minimum': 1}, {'type': 'null'}]}
    """
    options: list[dict[str, Any]] = []
    for kind in schema["type"]:
        if kind == "null":
            options.append({"type": "null"})
            continue
        foreign = frozenset[str]().union(*(keys for name, keys in _BY_TYPE.items() if name != kind))
        option = {key: value for key, value in schema.items() if key not in foreign and key != "description"}
        if "enum" in schema:
            option["enum"] = [value for value in schema["enum"] if _fits(value, kind)]
        if option.get("enum") != []:
            options.append({**option, "type": kind})
    return {"anyOf": options, **{key: value for key, value in schema.items() if key == "description"}}


def merge_tuple(items: list[Any]) -> tuple[Any, str]:
    """Return one schema for the items of a tuple, and the sentence that tells their order.

    >>> merge_tuple([{"type": "integer"}, {"type": "string"}])
    ({'anyOf': [{'type': 'integer'}, {'type': 'string'}]}, 'In this order: an integer; a text.')
    """
    distinct = [item for at, item in enumerate(items) if item not in items[:at]]
    if len(distinct) == 1:
        return distinct[0], ""
    return {"anyOf": distinct}, f"In this order: {'; '.join(map(describe_schema, items))}."


def merge_schemas(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any] | None:
    """Return the schema of what fits both, where putting their members together says that; None elsewhere.

    >>> merge_schemas({"type": "object", "properties": {"a": {}}}, {"required": ["a"]})
    {'type': 'object', 'properties': {'a': {}}, 'required': ['a']}
    """
    merged = {**one}
    for key, value in other.items():
        if key not in one or one[key] == value:
            merged[key] = value
        elif key == "properties" and all(one[key].get(name, inner) == inner for name, inner in value.items()):
            merged[key] = {**one[key], **value}
        elif key == "required":
            merged[key] = list(dict.fromkeys([*one[key], *value]))
        else:
            return None
    return merged


def without_repeats(values: list[Any]) -> list[Any]:
    """Return each value of a closed set once; `1` and `true` are two.

    >>> without_repeats(["a", 1, True, "a"])
    ['a', 1, True]
    """
    once: dict[Any, Any] = {(value.__class__, str(value)): value for value in values}
    return list(once.values())


def write_texts(values: list[Any], written: dict[str, Any]) -> dict[str, Any]:
    """Write a closed set as texts, for providers that know no other and refuse an empty one.

    >>> write_texts([1, True, "a"], {})
    {'type': 'string', 'enum': ['1', 'true', 'a']}
    """
    texts = without_repeats([str(each).lower() if isinstance(each, bool) else str(each) for each in values])
    named = {**written, "type": "string", "enum": [text for text in texts if text]}
    if "" not in texts:
        return named
    empty = {**({} if named["enum"] else written), "type": "string", "maxLength": 0}
    add_note(empty, "Empty text.")
    return {"anyOf": [named, empty]} if named["enum"] else empty


def read_type(values: list[Any]) -> str | list[str]:
    """Return the type of the values, or the list of their types.

    >>> read_type([1, 2]), read_type(["a", 1])
    ('integer', ['string', 'integer'])
    """
    kinds = list(dict.fromkeys(map(_type_of, values)))
    return kinds[0] if len(kinds) == 1 else kinds


def _fits(value: Any, kind: str) -> bool:
    return _type_of(value) == kind or (kind == "number" and _type_of(value) == "integer")


def _type_of(value: Any) -> str:
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return kinds.get(cast("type[Any]", type(value)), "null")
