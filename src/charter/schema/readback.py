"""Arguments written by a rewritten schema, read back for tools that take only their own schema's.

Not here: tools of an `Api`. They accept such arguments as they are.
"""

import json
from collections.abc import Mapping
from typing import Any, cast

from charter.schema.dialects import HOISTED, is_hoisted
from charter.schema.respelling import SET_TO_NULL, letters_of, names_null

__all__ = ["read_back"]

_PREFIX = "#/$defs/"
_ANYTHING: dict[str, Any] = {}


def read_back(arguments: Mapping[str, Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments as the original `parameters` want them, whatever dialect they were written by.

    >>> schema = {"type": "object", "properties": {"$top": {"type": "integer"}, "q": {"type": "string"}}}
    >>> read_back({"_top": 5, "q": None}, schema)
    {'$top': 5}
    """
    given: Any = dict(arguments)
    definitions: dict[str, Any] = parameters.get("$defs", {})
    if is_hoisted(parameters) and set(given) == {HOISTED}:
        given = given[HOISTED]
    read = _read(given, dict(parameters), definitions)
    return cast("dict[str, Any]", read) if isinstance(read, dict) else {HOISTED: read}


def _read(value: Any, node: Any, definitions: Mapping[str, Any]) -> Any:
    schema = _resolve(node, definitions)
    options = _options(schema, definitions)
    if isinstance(value, str):
        return _read_text(value, options, definitions)
    if isinstance(value, list):
        schema = next((option for option in options if option.get("type") == "array"), _ANYTHING)
        fixed: list[Any] = schema.get("prefixItems", [])
        return [
            _read(item, fixed[at] if at < len(fixed) else schema.get("items"), definitions)
            for at, item in enumerate(cast("list[Any]", value))
        ]
    if isinstance(value, dict):
        return _read_object(cast("dict[str, Any]", value), options, definitions)
    return value


def _read_text(value: str, options: list[dict[str, Any]], definitions: Mapping[str, Any]) -> Any:
    """Return the object that the text is JSON for, or the number that it spells, where no such text may stand."""
    if any(_takes_text(option, value) for option in options):
        return value
    closed = [literal for option in options for literal in _literals(option)]
    spelled = {json.dumps(literal): literal for literal in closed if not isinstance(literal, str)}
    if value in spelled:
        return spelled[value]
    try:
        inner = json.loads(value)
    except ValueError:
        return value
    return _read(inner, {"anyOf": options}, definitions) if isinstance(inner, (dict, list)) else value


def _read_object(
    value: dict[str, Any], options: list[dict[str, Any]], definitions: Mapping[str, Any]
) -> dict[str, Any]:
    schema = max(
        (option for option in options if option.get("type") == "object" or "properties" in option),
        key=lambda option: len(_rename(value, option).keys() & option.get("properties", {}).keys()),
        default=_ANYTHING,
    )
    properties: dict[str, Any] = schema.get("properties", {})
    members = _rename(value, schema)
    if SET_TO_NULL in members and SET_TO_NULL not in properties:
        members = _clear(members, schema)
    return {
        name: _read(member, properties.get(name, schema.get("additionalProperties")), definitions)
        for name, member in members.items()
        if member is not None
        or name in schema.get("required", ())
        or _takes_null(properties.get(name), definitions)
    }


def _clear(members: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return the members without what was not given, and null where the list beside them names one."""
    named: Any = members[SET_TO_NULL]
    cleared = dict.fromkeys(map(str, cast("list[Any]", named))) if isinstance(named, list) else {}
    required = schema.get("required", ())
    given = {name: member for name, member in members.items() if member is not None or name in required}
    return {**_rename(cleared, schema), **{key: given[key] for key in given if key != SET_TO_NULL}}


def _rename(value: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = schema.get("properties", {})
    originals = {letters_of(name): name for name in properties}
    return {
        name if name in properties else originals.get(letters_of(name), name): member
        for name, member in value.items()
    }


def _takes_null(node: Any, definitions: Mapping[str, Any]) -> bool:
    return any(map(names_null, _options(_resolve(node, definitions), definitions)))


def _takes_text(option: dict[str, Any], value: str) -> bool:
    literals = _literals(option)
    if literals:
        return value in literals
    kinds = option.get("type")
    return kinds is None or kinds == "string" or (isinstance(kinds, list) and "string" in kinds)


def _literals(option: dict[str, Any]) -> list[Any]:
    return [option["const"]] if "const" in option else list(option.get("enum", []))


def _options(schema: dict[str, Any], definitions: Mapping[str, Any]) -> list[dict[str, Any]]:
    listed: list[Any] = schema.get("anyOf") or schema.get("oneOf") or []
    if not listed:
        return [schema]
    return [option for inner in listed for option in _options(_resolve(inner, definitions), definitions)]


def _resolve(node: Any, definitions: Mapping[str, Any]) -> dict[str, Any]:
    schema = cast("dict[str, Any]", node) if isinstance(node, dict) else {}
    while "$ref" in schema:
        schema = definitions.get(str(schema["$ref"]).removeprefix(_PREFIX), {})
    return schema
