"""Which schemas Anthropic can enforce (`strict`), and how many of them one request may hold.

Not here: rewriting a schema so that it can be enforced. A rule of the house is that arguments are checked anyway.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

__all__ = ["StrictBudget"]

# As published for strict tools and structured outputs, read in November 2026.
_TOOLS, _OPTIONAL, _UNIONS = 20, 24, 16
_KEYWORDS = frozenset(
    {"type", "properties", "required", "additionalProperties", "description", "enum", "const", "items"}
    | {"anyOf", "format", "title"}
)
_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
)


@dataclass(slots=True)
class StrictBudget:
    """What is left of one request's limits. Tools take from it in the order in which they are sent."""

    tools: int = _TOOLS
    optional: int = _OPTIONAL
    unions: int = _UNIONS

    def take(self, parameters: Mapping[str, Any]) -> bool:
        """Return whether a tool may be strict, and count it if so.

        >>> StrictBudget().take({"type": "object", "properties": {}, "additionalProperties": False})
        True
        >>> StrictBudget().take({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}})
        False
        """
        nodes = list(_walk(parameters))
        if not all(_is_enforceable(node) for node in nodes):
            return False
        optional = sum(len(_properties(node).keys() - set(node.get("required", ()))) for node in nodes)
        unions = sum("anyOf" in node or isinstance(node.get("type"), list) for node in nodes)
        if self.tools < 1 or self.optional < optional or self.unions < unions:
            return False
        self.tools, self.optional, self.unions = (
            self.tools - 1,
            self.optional - optional,
            self.unions - unions,
        )
        return True


def _properties(node: Mapping[str, Any]) -> Mapping[str, Any]:
    return node.get("properties", {})


def _walk(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield node
    children: list[Any] = [*_properties(node).values(), *node.get("anyOf", ()), node.get("items")]
    for child in children:
        if isinstance(child, dict):
            yield from _walk(cast("dict[str, Any]", child))


def _is_enforceable(node: Mapping[str, Any]) -> bool:
    if node.keys() - _KEYWORDS or node.get("format", "date") not in _FORMATS:
        return False
    is_typed = "type" in node or "anyOf" in node or "enum" in node or "const" in node
    return is_typed and (node.get("type") != "object" or node.get("additionalProperties") is False)
