"""What each provider publishes of the tools it takes, checked on a definition. Shares nothing with the rewriting.

Each check yields a sentence for what the provider would refuse the request for.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

Definition = dict[str, Any]

COMBINATORS = {"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "enum", "const", "$ref"}


def walk(node: Any, path: str = "parameters") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every schema in a schema, with where it is."""
    if not isinstance(node, dict):
        return
    yield path, node
    for key in ("properties", "$defs", "patternProperties"):
        for name, child in node.get(key, {}).items():
            yield from walk(child, f"{path}.{key}.{name}")
    for key in ("items", "additionalProperties", "propertyNames", "not"):
        yield from walk(node.get(key), f"{path}.{key}")
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for at, child in enumerate(node.get(key, ())):
            yield from walk(child, f"{path}.{key}.{at}")


def check_root(definition: Definition) -> Iterator[str]:
    root = definition["parameters"]
    if root.get("type") != "object":
        yield "the root is of no type object"
    yield from (f"the root has {key}" for key in COMBINATORS & set(root))


def check_name(definition: Definition, pattern: str) -> Iterator[str]:
    if not re.fullmatch(pattern, definition["name"]):
        yield f"the name {definition['name']} is not {pattern}"


def check_required(definition: Definition) -> Iterator[str]:
    for path, node in walk(definition["parameters"]):
        if not set(node.get("required", ())) <= set(node.get("properties", {})):
            yield f"{path} requires what it does not have"


def check_references(definition: Definition) -> Iterator[str]:
    definitions = definition["parameters"].get("$defs", {})
    for path, node in walk(definition["parameters"]):
        if "$ref" in node and node["$ref"].removeprefix("#/$defs/") not in definitions:
            yield f"{path} refers to nothing"


def check_property_names(definition: Definition, pattern: str) -> Iterator[str]:
    for path, node in walk(definition["parameters"]):
        yield from (
            f"{path} has the property {name}"
            for name in node.get("properties", {})
            if not re.fullmatch(pattern, name)
        )


def check_openai(definition: Definition) -> Iterator[str]:
    """Function calling without strict."""
    yield from check_name(definition, r"[a-zA-Z0-9_-]{1,64}")
    yield from check_root(definition)
    yield from check_references(definition)
    for path, node in walk(definition["parameters"]):
        if node.get("type") == "array" and "items" not in node:
            yield f"{path} is an array without items"
        if "allOf" in node:
            yield f"{path} has allOf"


STRICT_KEYWORDS = {
    *("type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "$ref", "$defs"),
    *("description", "title", "pattern", "format", "multipleOf", "maximum", "exclusiveMaximum", "minimum"),
    *("exclusiveMinimum", "minItems", "maxItems", "const"),
}
STRICT_FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}


def check_openai_strict(definition: Definition) -> Iterator[str]:
    """Structured outputs."""
    yield from check_openai(definition)
    root = definition["parameters"]
    properties = values = characters = 0
    for path, node in walk(root):
        yield from (f"{path} has {key}" for key in set(node) - STRICT_KEYWORDS)
        if "$ref" in node and len(node) > 1:
            yield f"{path} has neighbours of $ref"
        if not {"type", "anyOf", "$ref", "enum", "const"} & set(node):
            yield f"{path} has no type"
        if "format" in node and node["format"] not in STRICT_FORMATS:
            yield f"{path} has the format {node['format']}"
        if re.search(r"\(\?[=!<]", node.get("pattern", "")):
            yield f"{path} looks around in its pattern"
        if "properties" in node or "object" in kinds_of(node):
            if node.get("additionalProperties") is not False:
                yield f"{path} is open"
            if sorted(node.get("required", ())) != sorted(node.get("properties", {})):
                yield f"{path} does not require everything"
        properties += len(node.get("properties", {}))
        values += len(node.get("enum", ()))
        characters += sum(map(len, [*node.get("properties", {}), *node.get("$defs", {})]))
        characters += sum(len(str(value)) for value in node.get("enum", ()))
        if len(node.get("enum", ())) > 250 and sum(len(str(value)) for value in node["enum"]) > 15_000:
            yield f"{path} has too long an enum"
    counted = (
        ("properties", properties, 5_000),
        ("enum values", values, 1_000),
        ("names", characters, 120_000),
    )
    yield from (f"{count} {what}" for what, count, limit in counted if count > limit)
    if depth_of(root, root.get("$defs", {})) > 10:
        yield "more than 10 levels"


def kinds_of(node: dict[str, Any]) -> list[str]:
    kinds = node.get("type", [])
    return kinds if isinstance(kinds, list) else [kinds]


def depth_of(node: Any, definitions: dict[str, Any], inside: tuple[str, ...] = ()) -> int:
    """Levels of objects and lists; a recursive reference adds none."""
    if not isinstance(node, dict):
        return 0
    if "$ref" in node:
        name = node["$ref"].removeprefix("#/$defs/")
        return 0 if name in inside else depth_of(definitions.get(name), definitions, (*inside, name))
    below = [*node.get("properties", {}).values(), node.get("items"), node.get("additionalProperties")]
    own = bool({"object", "array"} & set(kinds_of(node)))
    deepest = max((depth_of(child, definitions, inside) for child in below), default=0)
    options = [*node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("prefixItems", ())]
    return max([own + deepest, *(depth_of(option, definitions, inside) for option in options)])


def check_anthropic(definition: Definition) -> Iterator[str]:
    """Messages API, custom tools."""
    yield from check_name(definition, r"[a-zA-Z0-9_-]{1,64}")
    yield from check_root(definition)
    yield from check_references(definition)
    yield from check_property_names(definition, r"[a-zA-Z0-9_.-]{1,64}")


GEMINI_FIELDS = {
    *("type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties"),
    *("required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf"),
    *("propertyOrdering", "default", "items", "minimum", "maximum"),
}
GEMINI_TYPES = {"string", "number", "integer", "boolean", "array", "object"}


def check_gemini(definition: Definition) -> Iterator[str]:
    """FunctionDeclaration.parameters, a Schema."""
    yield from check_name(definition, r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}")
    if "parameters" not in definition:
        return
    yield from check_root(definition)
    yield from check_property_names(definition, r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
    for path, node in walk(definition["parameters"]):
        yield from (f"{path} has {key}" for key in set(node) - GEMINI_FIELDS)
        if "anyOf" in node:
            if len(node) > 1:
                yield f"{path} has neighbours of anyOf"
        elif node.get("type") not in GEMINI_TYPES:
            yield f"{path} is of type {node.get('type')}"
        if node.get("type") == "object" and not node.get("properties"):
            yield f"{path} is an empty object"
        if node.get("type") == "array" and "items" not in node:
            yield f"{path} is an array without items"
        if "enum" in node and (
            node.get("type") != "string" or not all(is_text(value) for value in node["enum"])
        ):
            yield f"{path} has an enum of other than texts"
        formats = {
            "string": {"date-time", "enum"},
            "number": {"float", "double"},
            "integer": {"int32", "int64"},
        }
        if "format" in node and node["format"] not in formats.get(node.get("type", ""), ()):
            yield f"{path} has the format {node['format']}"


def is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def check_bedrock(definition: Definition) -> Iterator[str]:
    """Converse, with the rules of Amazon Nova for the root."""
    yield from check_name(definition, r"[a-zA-Z0-9_-]{1,64}")
    yield from check_root(definition)
    if not definition["description"]:
        yield "the description is empty"
    yield from (
        f"the root has {key}" for key in set(definition["parameters"]) - {"type", "properties", "required"}
    )
    yield from check_property_names(definition, r"[a-zA-Z0-9_.-]{1,64}")
    yield from (f"{path} has $ref" for path, node in walk(definition["parameters"]) if "$ref" in node)


def check_mcp(definition: Definition) -> Iterator[str]:
    """tools/list, and what hosts hand on."""
    yield from check_name(definition, r"[a-zA-Z0-9_.-]{1,128}")
    yield from check_root(definition)
    yield from check_references(definition)
    yield from check_property_names(definition, r"[a-zA-Z0-9_.-]{1,64}")


CHECKS: dict[str, Callable[[Definition], Iterator[str]]] = {
    "openai": check_openai,
    "openai-strict": check_openai_strict,
    "anthropic": check_anthropic,
    "gemini": check_gemini,
    "bedrock": check_bedrock,
    "mcp": check_mcp,
}


def find_faults(definition: Definition, dialect: str) -> list[str]:
    """Return what the provider would refuse the request for."""
    return [*CHECKS[dialect](definition), *(check_required(definition) if "parameters" in definition else ())]
