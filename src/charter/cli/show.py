"""`charter show`: all about one tool.

Not here: calling it. `call` does that.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import typer

from charter.cli.options import AsJson, PackNames, ToolName, examples
from charter.cli.output import print_json, print_line, print_rows, print_value
from charter.cli.registry import find_tool
from charter.schema.cost import schema_tokens
from charter.tool import Tool

__all__ = ["name_type", "register"]

NESTED = 2
"""Levels of objects in objects whose fields are listed; the schema below has them all."""


def register(app: typer.Typer) -> None:
    """Add `charter show`."""
    app.command(
        "show",
        epilog=examples("charter show stripe__refunds_create", "charter show messages_list --json"),
    )(show_tool)


def show_tool(tool: ToolName, packs: PackNames = None, as_json: AsJson = False) -> None:
    """Show all about one tool.

    Description, parameters, schema, tokens, route, scopes, hints, and which tools its identifiers come from.
    """
    shown = _describe(find_tool(tool, packs))
    if as_json:
        print_json(shown)
        return
    print_line(shown["name"], "bold cyan")
    print_line(shown["description"])
    print_line()
    for label, value in _facts(shown):
        print_line(f"{label:<8}{value}")
    parameters = shown["parameters"]
    if parameters.get("properties"):
        print_line()
        rows = _rows(parameters, parameters.get("$defs", {}))
        print_rows(("*Parameter", "Type", "", "What it is"), list(rows))
    print_line()
    print_value(parameters)


def _describe(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.qualified_name,
        "description": tool.description,
        "method": tool.method,
        "route": " or ".join(route.template for route in tool.plan.routes),
        "base_url": tool.api.base_url,
        "tokens": schema_tokens(tool),
        "scopes": list(tool.scopes),
        "hints": tool.hints,
        "needs": tool.needs,
        "parameters": tool.to_json_schema()["parameters"],
    }


def _facts(shown: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "route", f"{shown['method']} {shown['base_url']}{shown['route']}"
    yield "tokens", f"{shown['tokens']:,} for the schema"
    if shown["scopes"]:
        yield "scopes", " ".join(shown["scopes"])
    if shown["hints"]:
        yield "hints", shown["hints"]
    for argument, producer in shown["needs"].items():
        yield "needs", f"{argument} from {producer}"


def _rows(
    schema: Mapping[str, Any], defs: Mapping[str, Any], start: str = "", depth: int = 0
) -> Iterator[tuple[str, str, str, str]]:
    """Yield a row for each field, those of objects in it after it, under the names that `charter call` takes."""
    required = schema.get("required", [])
    for name, field in schema.get("properties", {}).items():
        needed = "required" if name in required else ""
        yield f"{start}{name}", name_type(field), needed, field.get("description", "")
        if depth < NESTED:
            is_list = field.get("type") == "array"
            inner = field.get("items", {}) if is_list else field
            inner = defs.get(_name_definition(inner), inner)
            yield from _rows(inner, defs, f"{start}{name}{'[]' if is_list else ''}.", depth + 1)


def _name_definition(schema: Mapping[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def name_type(schema: Mapping[str, Any]) -> str:
    """Name in a few words what a JSON Schema wants.

    >>> name_type({"type": "array", "items": {"enum": ["a", "b"]}})
    'list of a | b'

    An empty text, which clears what is stored, is shown as such.

    >>> name_type({"anyOf": [{"type": "integer"}, {"const": ""}]})
    "integer or ''"
    """
    if "enum" in schema:
        return " | ".join(map(_name_value, schema["enum"]))
    if "const" in schema:
        return _name_value(schema["const"])
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return " or ".join(dict.fromkeys(name_type(option) for option in schema[choice]))
    if schema.get("type") == "array":
        return f"list of {name_type(schema.get('items', {}))}"
    if "$ref" in schema:
        return _name_definition(schema)
    return str(schema.get("format") or schema.get("type") or "any")


def _name_value(value: Any) -> str:
    return "''" if value == "" else str(value)
