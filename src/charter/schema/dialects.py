"""A tool's definition in the dialect of one provider: rewritten without loss, or refused by path with the fix.

Not here: the rules (`dialect_rules`), the rewriting (`rewriting`) and the way back for foreign tools (`readback`).
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from charter.errors import DeclarationError
from charter.schema.dialect_rules import DIALECTS, Dialect, Rules, find_rules
from charter.schema.rewriting import Place, Refusal, Rewriter, TooLargeError

__all__ = ["DIALECTS", "HOISTED", "UNROLL", "Dialect", "find_refusals", "is_hoisted", "render_in_dialect"]

HOISTED = "arguments"
"""The one field of a root that had to be wrapped."""
UNROLL = 3
"""How often a recursive object is written out within itself; deeper ones are given as JSON text."""

_COMBINATORS = ("anyOf", "oneOf", "allOf", "not", "if", "then", "else", "enum", "const")
_PREFIX = "#/$defs/"


def render_in_dialect(
    name: str, description: str, parameters: Mapping[str, Any], dialect: Dialect
) -> dict[str, Any]:
    """Return `{"name", "description", "parameters"}` as the provider takes them; the inputs stay as they are.

    Arguments written by the rewritten schema are accepted by the tool as they are: null counts as unset, JSON text
    as the object it holds, and a renamed property in its new spelling. Gemini takes no empty object, so there a tool
    without arguments has no `parameters`.

    Raises:
        DeclarationError: something cannot be said in the dialect; the text names the path and the projection.

    >>> schema = {"type": "object", "properties": {"id": {"type": "string"}}, "additionalProperties": False}
    >>> render_in_dialect("get", "Get it.", schema, "openai-strict")["parameters"]["properties"]
    {'id': {'type': ['string', 'null']}}
    """
    written, refusals = _rewrite(name, parameters, find_rules(dialect))
    if refusals:
        first = refusals[0]
        more = f" ({len(refusals) - 1} more)" if len(refusals) > 1 else ""
        where = f"{name}: {first.path}" if first.path else f"{name}: the tool"
        raise DeclarationError(f"{where} {first.problem}, which {dialect} cannot take{more}. {first.fix}.")
    definition = {"name": name, "description": description, "parameters": written}
    if not written.get("properties") and not find_rules(dialect).has_empty_objects:
        del definition["parameters"]
    return definition


def find_refusals(name: str, parameters: Mapping[str, Any], dialect: Dialect) -> list[Refusal]:
    """Return everything that the dialect cannot say of a tool; nothing when it can be sent.

    Raises:
        DeclarationError: there is no such dialect.
    """
    return _rewrite(name, parameters, find_rules(dialect))[1]


def is_hoisted(parameters: Mapping[str, Any]) -> bool:
    """Whether the root is no plain object, so that every dialect gives it as the field `arguments` of one."""
    root = _unfold(dict(parameters))
    is_object = root.get("type") == "object" or (root.get("type") is None and "properties" in root)
    return not is_object or any(key in root for key in _COMBINATORS)


def _rewrite(name: str, parameters: Mapping[str, Any], rules: Rules) -> tuple[dict[str, Any], list[Refusal]]:
    refusals: list[Refusal] = []
    if not rules.tool_name.fullmatch(name):
        refusals.append(
            Refusal("", f"has a name that is not {rules.tool_name.pattern}", "Use tool.derived(name=...)")
        )
    schema, definitions = _split(parameters)
    place = Place()
    for unroll in range(UNROLL, 0, -1):
        rewriter = Rewriter(rules, definitions, unroll)
        try:
            written = rewriter.rewrite_root(schema)
        except TooLargeError as stop:
            place = stop.place
            continue
        refusals += rewriter.refusals
        return written, refusals or list(_find_excess(written, rules))
    path = place.optional.split(".")[0] or place.path
    fix = f"Use tool.derived(drop=[{path!r}])"
    return {}, [*refusals, Refusal(path, "is recursive and too large to write out", fix)]


def _split(parameters: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the root as a plain object, and the definitions."""
    definitions: dict[str, Any] = dict(parameters.get("$defs", {}))
    rest = {key: value for key, value in parameters.items() if key != "$defs"}
    if is_hoisted(parameters):
        rest = {
            "type": "object",
            "properties": {HOISTED: rest},
            "required": [HOISTED],
            "additionalProperties": False,
        }
    elif "$ref" in rest:
        rest = _unfold(dict(parameters))
    return {**rest, "type": "object"}, definitions


def _unfold(parameters: dict[str, Any]) -> dict[str, Any]:
    definitions = parameters.pop("$defs", {})
    seen: set[str] = set()
    while "$ref" in parameters and parameters["$ref"] not in seen:
        reference = parameters.pop("$ref")
        seen.add(reference)
        parameters = {**definitions.get(str(reference).removeprefix(_PREFIX), {}), **parameters}
    return parameters


def _find_excess(written: dict[str, Any], rules: Rules) -> Iterator[Refusal]:
    """Yield what is more than the provider counts up to."""
    definitions: dict[str, Any] = written.get("$defs", {})
    for path, node in written.get("properties", {}).items():
        fix = f"Use tool.derived(drop=[{path!r}])"
        if rules.depth is not None and 1 + _depth(node, definitions, ()) > rules.depth:
            yield Refusal(path, f"goes deeper than {rules.depth} levels", fix)
    limits = (rules.properties, rules.enum_values, rules.name_characters)
    for limit, what, count in zip(
        limits, ("properties", "enum values", "characters of names"), _count(written), strict=True
    ):
        if limit is not None and count > limit:
            path = max(written["properties"], key=lambda name: len(str(written["properties"][name])))
            fix = f"Use tool.derived(drop=[{path!r}])"
            yield Refusal(path, f"is the largest part of {count} {what}, more than {limit}", fix)


def _depth(node: Any, definitions: Mapping[str, Any], inside: tuple[str, ...]) -> int:
    if isinstance(node, list):
        return max((_depth(child, definitions, inside) for child in cast("list[Any]", node)), default=0)
    if not isinstance(node, dict):
        return 0
    schema = cast("dict[str, Any]", node)
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference in inside:
            return 0
        return _depth(definitions[reference.removeprefix(_PREFIX)], definitions, (*inside, reference))
    below = [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]
    options = _depth(schema.get("anyOf", []), definitions, inside)
    kinds = schema.get("type")
    is_level = bool(
        {"object", "array"} & set(cast("list[str]", kinds) if isinstance(kinds, list) else [kinds])
    )
    return max(options, is_level + _depth(below, definitions, inside))


def _count(written: dict[str, Any]) -> tuple[int, int, int]:
    properties = values = characters = 0
    waiting: list[Any] = [written]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += cast("list[Any]", node)
        elif isinstance(node, dict):
            schema = cast("dict[str, Any]", node)
            for key in ("properties", "$defs"):
                members = schema.get(key)
                if isinstance(members, dict):
                    names = cast("dict[str, Any]", members)
                    properties += len(names) if key == "properties" else 0
                    characters += sum(map(len, names))
            listed = schema.get("enum")
            if isinstance(listed, list):
                texts = list(map(str, cast("list[Any]", listed)))
                values += len(texts)
                characters += sum(map(len, texts))
            waiting += [child for key, child in schema.items() if key not in ("enum", "const", "default")]
    return properties, values, characters
