"""Arguments for any tool, drawn from its own JSON Schema: first all of them, then a random part of them.

Not here: judging what is sent for them.
"""

import random
import re
from collections.abc import Iterator
from typing import Any

from charter import Tool, ToolValidationError
from charter.schema.view import validate_arguments

_TEXTS = {"date": "2026-03-31", "date-time": "2026-03-31T09:30:00+02:00"}
_DEPTH = 4
_ID = "9cfb482a-81e3-4154-b5b9-2c805e70a02d"


def make_arguments(tool: Tool, count: int) -> Iterator[dict[str, Any]]:
    """Yield arguments that the tool accepts: with everything that can go together, with the least, and others."""
    parameters = tool.to_json_schema()["parameters"]
    chance = random.Random(tool.name)
    for at in range(count):
        share = (1.0, 0.0)[at] if at < 2 else chance.random()
        made = _make(parameters, parameters.get("$defs", {}), chance, share, 0)
        yield _settle(tool, made, parameters.get("required", ()), chance)


def _settle(tool: Tool, made: dict[str, Any], required: Any, chance: random.Random) -> dict[str, Any]:
    """Take out arguments, or put one in, until the rules between them hold."""
    whole = make_one(tool)
    for _ in range(200):
        try:
            validate_arguments(tool.plan, made)
        except ToolValidationError as error:
            is_empty = "something to change" in str(error)
            names = [name for name in whole if (is_empty or name in str(error)) and name not in required]
            assert names, error
            name = chance.choice(names)
            made = (
                {key: value for key, value in made.items() if key != name}
                if name in made
                else {
                    **made,
                    name: whole[name],
                }
            )
        else:
            return made
    raise AssertionError(f"{tool.name}: no arguments found that it accepts")


def make_one(tool: Tool) -> dict[str, Any]:
    """Return arguments with everything, whether or not it can go together."""
    parameters = tool.to_json_schema()["parameters"]
    return _make(parameters, parameters.get("$defs", {}), random.Random(0), 1.0, 0)


def _make_id(schema: dict[str, Any]) -> Any:
    return [_ID] if schema["type"] == "array" else _ID


def _resolve(schema: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    return {**defs[schema["$ref"].rpartition("/")[2]], **schema} if "$ref" in schema else schema


def _make(
    schema: dict[str, Any], defs: dict[str, Any], chance: random.Random, share: float, depth: int
) -> Any:
    schema = _resolve(schema, defs)
    if isinstance(schema.get("type"), list):
        schema = {**schema, "type": chance.choice(schema["type"])}
    if "anyOf" in schema:
        return _make(chance.choice(schema["anyOf"]), defs, chance, share, depth)
    if "const" in schema or "enum" in schema:
        return chance.choice(schema.get("enum") or [schema["const"]])
    match schema.get("type"):
        case "object":
            required = schema.get("required", ())
            return {
                name: _make_id(child)
                if re.fullmatch("id|ids|.*Ids?", name) and "properties" not in _resolve(child, defs)
                else _make(child, defs, chance, share, depth + 1)
                for name, child in schema.get("properties", {}).items()
                if name in required or (chance.random() < share and depth < _DEPTH)
            }
        case "array":
            return [
                _make(schema["items"], defs, chance, share, depth + 1) for _ in range(chance.randint(1, 2))
            ]
        case "null":
            return None
        case "integer":
            return chance.randint(schema.get("minimum", 0), schema.get("maximum", 9))
        case "number":
            return chance.choice([1, 2.5])
        case "boolean":
            return chance.random() < 0.5
        case _:
            return _TEXTS.get(
                schema.get("format", ""), chance.choice(["x", "ENG-1", "-P2W", 'Zoë "}" \n$id'])
            )
