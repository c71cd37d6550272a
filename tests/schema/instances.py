"""Values drawn from a JSON Schema, as far as the schemas of tools go.

Not here: what they are checked against.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

DATES = st.sampled_from(["2026-01-31T09:00:00Z", "2024-02-29T23:59:59+01:00"])
WORDS = st.sampled_from(["", "a", "null", "5", "true", "ü", "x y"])


@dataclass
class Instances:
    """Strategies for the values of one schema. `texts` gives what JSON text may hold, by how it is described."""

    definitions: dict[str, Any]
    texts: Callable[[str], list[Any]]
    _named: dict[str, st.SearchStrategy[Any]] = field(default_factory=dict)

    def of(self, node: dict[str, Any]) -> st.SearchStrategy[Any]:
        if "$ref" in node:
            return self._of_definition(node["$ref"].removeprefix("#/$defs/"))
        if node.get("nullable"):
            return st.none() | self.of({key: value for key, value in node.items() if key != "nullable"})
        for key in ("anyOf", "oneOf"):
            if key in node:
                return st.one_of([self.of(option) for option in node[key]])
        if "enum" in node:
            return st.sampled_from(node["enum"])
        if "const" in node:
            return st.just(node["const"])
        kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
        return st.one_of([self._of_kind(kind, node) for kind in kinds])

    def _of_definition(self, name: str) -> st.SearchStrategy[Any]:
        if name not in self._named:
            self._named[name] = st.deferred(lambda: self.of(self.definitions[name]))
        return self._named[name]

    def _of_kind(self, kind: str, node: dict[str, Any]) -> st.SearchStrategy[Any]:
        match kind:
            case "null":
                return st.none()
            case "boolean":
                return st.booleans()
            case "integer":
                low = node.get("minimum", node.get("exclusiveMinimum", -6) + 1)
                high = node.get("maximum", node.get("exclusiveMaximum", low + 6) - 1)
                return st.integers(low, min(high, low + 5))
            case "number":
                return st.integers(node.get("minimum", 0), 9) | st.sampled_from([0.5, 2.25])
            case "array":
                limits = {"min_size": node.get("minItems", 0), "max_size": node.get("maxItems", 2)}
                return st.lists(self.of(node["items"]), **limits)
            case "object":
                return self._of_object(node)
            case _:
                return self._of_text(node)

    def _of_object(self, node: dict[str, Any]) -> st.SearchStrategy[Any]:
        members = {name: self.of(child) for name, child in node.get("properties", {}).items()}
        required = {name: members.pop(name) for name in node.get("required", ())}
        named = st.fixed_dictionaries(required, optional=members)
        extra = node.get("additionalProperties")
        if not isinstance(extra, dict):
            return named
        more = st.dictionaries(st.sampled_from(["k1", "k 2"]), self.of(extra), max_size=2)
        return st.tuples(more, named).map(lambda both: {**both[0], **both[1]})

    def _of_text(self, node: dict[str, Any]) -> st.SearchStrategy[Any]:
        if node.get("format") == "date-time":
            return DATES
        found = re.search(r"JSON text of (.*)\.$", node.get("description", ""))
        if found:
            return st.sampled_from(self.texts(found.group(1))).map(json.dumps)
        return WORDS.filter(lambda word: len(word) <= node.get("maxLength", 9))
