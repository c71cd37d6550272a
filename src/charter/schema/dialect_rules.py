"""What each provider accepts of a tool's schema, as published or observed. One dated entry per dialect; change it here.

Not here: the rewriting that makes a schema fit. `rewriting` does that.
"""

import re
from dataclasses import dataclass
from typing import Literal, get_args

from charter.errors import DeclarationError

__all__ = ["DIALECTS", "RULES", "Dialect", "Rules", "find_rules"]

Dialect = Literal["openai", "openai-strict", "anthropic", "gemini", "bedrock", "mcp"]
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_ANNOTATIONS = frozenset({"title", "description"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One provider's subset of JSON Schema. The root must be a plain object everywhere."""

    as_of: str
    """The day on which the sources were read."""
    source: str
    """Where each limit comes from, in words."""
    tool_name: re.Pattern[str] = _NAME
    property_name: re.Pattern[str] | None = _KEY
    keywords: frozenset[str] | None = None
    """The keywords it takes beside those that the other fields decide on; None for all."""
    root_keywords: frozenset[str] | None = None
    """The only keywords it takes at the root; None for all."""
    formats: frozenset[str] | None = None
    """The values of `format` it takes; None for all."""
    has_references: bool = True
    """Whether `$ref` and `$defs` may stand, and with them recursion."""
    has_one_of: bool = True
    has_all_of: bool = True
    has_const: bool = True
    has_tuples: bool = True
    """Whether `prefixItems` may stand; elsewhere every list needs `items`."""
    has_maps: bool = True
    """Whether an object may have members that are not named in `properties`."""
    has_untyped: bool = True
    """Whether a schema may leave open what type a value has."""
    has_closing: bool = True
    """Whether `additionalProperties` may stand at all."""
    has_empty_objects: bool = True
    has_union_siblings: bool = True
    """Whether `anyOf` may have neighbours such as a description."""
    has_lookaround: bool = True
    all_required: bool = False
    """Every property must be required, so an optional one is nullable."""
    text_enums: bool = False
    """`enum` holds only texts that are not empty."""
    null: Literal["type", "nullable"] = "type"
    depth: int | None = None
    """Levels of objects and lists, the root being the first."""
    properties: int | None = None
    enum_values: int | None = None
    name_characters: int | None = None
    """Characters of all property names, definition names and enum values together."""


RULES: dict[Dialect, Rules] = {
    "openai": Rules(
        as_of="2026-11-30",
        source="Root and combinators, list items: the API's refusals as quoted in issue trackers (langchainjs 2026-01, "
        "google-calendar-mcp 2025-06). Names: API reference, function object. Property names: firefly-iii-mcp "
        "2026-06. Descriptions: the documented 1,024 characters are not enforced (llama_index 2025-05, 2026-09).",
        has_one_of=False,
        has_all_of=False,
        has_const=False,
        has_tuples=False,
    ),
    "openai-strict": Rules(
        as_of="2026-11-30",
        source="Structured outputs guide, supported schemas: keywords, formats, 10 levels, 5,000 properties, "
        "1,000 enum values, 120,000 characters of names, everything required, objects closed. Refused "
        "neighbours of $ref and lookarounds: the API's refusals as quoted in issue trackers.",
        keywords=_ANNOTATIONS
        | {"pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
        | {"minItems", "maxItems"},
        formats=frozenset("date-time time date duration email hostname ipv4 ipv6 uuid".split()),
        has_one_of=False,
        has_all_of=False,
        has_const=False,
        has_tuples=False,
        has_maps=False,
        has_untyped=False,
        has_lookaround=False,
        all_required=True,
        depth=10,
        properties=5_000,
        enum_values=1_000,
        name_characters=120_000,
    ),
    "anthropic": Rules(
        as_of="2026-11-30",
        source="Tool use guide: names, JSON Schema 2020-12. Root without combinators, property names: the API's "
        "refusals as quoted in issue trackers (claude-code 2025-08, composio 2026-06).",
    ),
    "gemini": Rules(
        as_of="2026-11-30",
        source="API reference, Schema and FunctionDeclaration (for `parameters`). Parameter names: Vertex AI "
        "reference. Enums, anyOf alone, empty objects, tool names: the API's refusals as quoted in issue trackers. "
        "No number is published for depth; six levels are reported to pass (gateway issue, 2026-03).",
        tool_name=re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}"),
        property_name=re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}"),
        keywords=_ANNOTATIONS
        | {"format", "default", "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"}
        | {"pattern", "minProperties", "maxProperties"},
        formats=frozenset("date-time float double int32 int64".split()),
        has_references=False,
        has_one_of=False,
        has_all_of=False,
        has_const=False,
        has_tuples=False,
        has_maps=False,
        has_untyped=False,
        has_closing=False,
        has_empty_objects=False,
        has_union_siblings=False,
        text_enums=True,
        null="nullable",
        depth=6,
    ),
    "bedrock": Rules(
        as_of="2026-11-30",
        source="Converse API reference, ToolSpecification: names, root of type object. Amazon Nova guide, tool use: "
        "only type, properties and required at the root. Property names: Converse's refusals (AWS samples 2026-08).",
        root_keywords=frozenset({"type", "properties", "required"}),
        has_references=False,
        has_one_of=False,
        has_all_of=False,
    ),
    "mcp": Rules(
        as_of="2026-11-30",
        source="Specification 2025-11-25, tools: names, inputSchema of type object, JSON Schema 2020-12. Hosts hand "
        "the schema on to model providers unchanged, so their rules for the root and for property names count too.",
        tool_name=re.compile(r"[a-zA-Z0-9_.-]{1,128}"),
    ),
}


def find_rules(dialect: str) -> Rules:
    """Return the rules of a dialect.

    Raises:
        DeclarationError: there is no such dialect.
    """
    rules = {str(name): rules for name, rules in RULES.items()}.get(dialect)
    if rules is None:
        raise DeclarationError(f"dialect: {dialect!r} is not known. Use one of {', '.join(DIALECTS)}.")
    return rules
