"""A JSON Schema rewritten into what one provider accepts. What it cannot say is collected as refusals, never dropped.

Not here: the providers' rules (`dialect_rules`) and the tool around the schema (`dialects`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from charter.schema.dialect_rules import Rules
from charter.schema.notes import CLEARS, add_note, describe_schema, is_json_text, note_keyword, without_note
from charter.schema.respelling import (
    SET_TO_NULL,
    allow_null,
    letters_of,
    list_cleared,
    merge_schemas,
    merge_tuple,
    names_null,
    read_type,
    rename,
    split_types,
    without_repeats,
    write_texts,
)

__all__ = ["Place", "Refusal", "Rewriter", "TooLargeError"]

MAX_NODES = 4_000
"""Nodes of a rewritten schema; unrolling what needs more is tried to a smaller depth, then refused."""

_SPELLED_OUT = 2
"""Definitions within each other that a description spells out."""
_PREFIX = "#/$defs/"
_HANDLED = frozenset(
    {"type", "properties", "required", "items", "prefixItems", "additionalProperties", "patternProperties"}
    | {"anyOf", "oneOf", "allOf", "enum", "const", "$ref", "nullable", "description"}
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that a dialect cannot say: where, what, and the projection that would do without it."""

    path: str
    problem: str
    fix: str


class TooLargeError(Exception):
    """The rewritten schema would be larger than any provider takes."""

    def __init__(self, place: "Place") -> None:
        super().__init__(place.path)
        self.place = place


@dataclass(frozen=True, slots=True)
class Place:
    """Where the rewriter is."""

    path: str = ""
    """Dotted, as projections name it."""
    optional: str = ""
    """The nearest path around it that a projection may drop, or nothing."""
    level: int = 0
    """Objects and lists around it."""
    inside: tuple[str, ...] = ()
    """The definitions being unfolded around it."""

    def at(self, name: str, *, is_required: bool) -> "Place":
        """Return the place of a member."""
        path = f"{self.path}.{name}" if self.path else name
        return replace(self, path=path, optional=self.optional if is_required else path)

    @property
    def deeper(self) -> "Place":
        """The same place, one level down."""
        return replace(self, level=self.level + 1)


@dataclass(slots=True)
class Rewriter:
    """Rewrites the nodes of one schema."""

    rules: Rules
    definitions: Mapping[str, Any]
    unroll: int
    """How often a recursive definition is unfolded within itself."""
    refusals: list[Refusal] = field(default_factory=list[Refusal])
    _nodes: int = 0
    _waiting: list[tuple[str, Place]] = field(default_factory=list[tuple[str, Place]])
    _kept: dict[str, Any] = field(default_factory=dict[str, Any])

    def rewrite_root(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Rewrite a schema whose root is a plain object.

        Raises:
            TooLargeError: it takes more nodes than any provider accepts.
        """
        written = self._rewrite_object(schema, Place())
        while self._waiting:
            name, place = self._waiting.pop()
            self._kept[name] = self.rewrite(self.definitions[name], place)
        if self._kept:
            written["$defs"] = {name: self._kept[name] for name in self.definitions if name in self._kept}
        allowed = self.rules.root_keywords
        return {key: value for key, value in written.items() if allowed is None or key in allowed}

    def rewrite(self, node: Any, place: Place) -> dict[str, Any]:
        """Rewrite one node below the root."""
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise TooLargeError(place)
        if not isinstance(node, dict):
            return self._refuse(place, "takes no value" if node is False else "takes any value")
        schema = cast("dict[str, Any]", node)
        if "$ref" in schema:
            return self._rewrite_reference(schema, place)
        if "allOf" in schema and not self.rules.has_all_of:
            return self._rewrite_all_of(schema, place)
        if isinstance(schema.get("type"), list):
            schema = split_types(schema)
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return self._rewrite_union(schema, key, place)
        if "const" in schema or "enum" in schema:
            return self._rewrite_enum(schema)
        match schema.get("type"):
            case "object":
                return self._rewrite_object(schema, place)
            case "array":
                return self._rewrite_list(schema, place)
            case None if not self.rules.has_untyped:
                return self._refuse(place, "leaves the type of its value open")
            case _:
                return self._finish(schema, {key: schema[key] for key in ("type",) if key in schema}, place)

    def _rewrite_reference(self, schema: dict[str, Any], place: Place) -> dict[str, Any]:
        name = str(schema["$ref"]).removeprefix(_PREFIX)
        if name not in self.definitions:
            return self._refuse(place, f"refers to {schema['$ref']}, which is not defined")
        siblings = {key: value for key, value in schema.items() if key != "$ref"}
        if self.rules.has_references:
            if name not in self._kept:
                self._kept[name] = None
                self._waiting.append((name, replace(place, inside=())))
            reference = {"$ref": schema["$ref"]}
            if not siblings:
                return reference
            # a strict provider takes no neighbour of a reference
            return (
                {**siblings, "anyOf": [reference]} if self.rules.all_required else {**reference, **siblings}
            )
        node = {**self.definitions[name], **siblings}
        if place.inside.count(name) >= self.unroll:
            node["description"] = siblings.get("description", "")
            return self._write_as_text(node, place, f"another {name} like the one around it")
        return self.rewrite(node, replace(place, inside=(*place.inside, name)))

    def _rewrite_all_of(self, schema: dict[str, Any], place: Place) -> dict[str, Any]:
        merged = {key: value for key, value in schema.items() if key != "allOf"}
        for part in schema["allOf"]:
            resolved = self._resolve(part)
            if any(key in merged and merged[key] != value for key, value in resolved.items()):
                return self._refuse(place, "combines schemas with allOf")
            merged.update(resolved)
        return self.rewrite(merged, place)

    def _rewrite_union(self, schema: dict[str, Any], key: str, place: Place) -> dict[str, Any]:
        rest = {name: value for name, value in schema.items() if name != key}
        options: list[Any] = schema[key]
        shared = {name: rest.pop(name) for name in _HANDLED & set(rest) if name != "description"}
        if shared:
            options = [merge_schemas(shared, self._resolve(option)) for option in options]
            if None in options:
                return self._refuse(place, f"has {', '.join(sorted(shared))} beside {key}")
        is_null = [self._resolve(option) == {"type": "null"} for option in options]
        left = [option for option, null in zip(options, is_null, strict=True) if not null]
        if len(left) == 1:
            written = self.rewrite({**_as_schema(left[0]), **rest}, place)
        else:
            written = self._write_options(rest, left, key, place)
        return allow_null(written, self.rules.null) if any(is_null) else written

    def _write_options(
        self, rest: dict[str, Any], options: list[Any], key: str, place: Place
    ) -> dict[str, Any]:
        key = key if key == "anyOf" or self.rules.has_one_of else "anyOf"
        written: list[dict[str, Any]] = []
        for option in options:
            here = self.rewrite(option, place)
            # a text that holds JSON is told from any other text only where no other text may stand
            if is_json_text(here) and any(self._takes_any_text(other) for other in options):
                self._refuse(place, "takes any text or an object that can only be written as JSON text")
            written += here["anyOf"] if set(here) == {"anyOf"} else [here]
        union: dict[str, Any] = {key: written}
        description = str(rest.pop("description", ""))
        if description and self.rules.has_union_siblings:
            union["description"] = description
        elif description:
            written[0]["description"] = f"{description} {written[0].get('description', '')}".strip()
        return self._finish(rest, union, place)

    def _takes_any_text(self, option: Any) -> bool:
        schema = self._resolve(option)
        return schema.get("type") == "string" and not {"enum", "const"} & set(schema)

    def _rewrite_enum(self, schema: dict[str, Any]) -> dict[str, Any]:
        values = without_repeats(schema.get("enum", [schema.get("const")]))
        rest = {key: schema[key] for key in ("type", "description") if key in schema}
        present = [value for value in values if value is not None]
        if self.rules.text_enums:
            written = write_texts(present, rest)
        elif self.rules.has_const and "const" in schema:
            written = {**rest, "const": schema["const"]}
            return {**written, **{key: schema[key] for key in ("default",) if key in schema}}
        else:
            written = {**rest, "enum": present}
            if not self.rules.has_untyped:
                written.setdefault("type", read_type(present))
        if "default" in schema:
            self._put(written, "default", schema["default"])
        return allow_null(written, self.rules.null) if len(present) < len(values) else written

    def _rewrite_object(self, schema: dict[str, Any], place: Place) -> dict[str, Any]:
        properties: dict[str, Any] = schema.get("properties", {})
        extra = schema.get("additionalProperties", True if not properties else None)
        is_map = bool(extra) or isinstance(extra, dict) or "patternProperties" in schema
        if (is_map and not self.rules.has_maps) or self._is_too_deep(place):
            return self._write_as_text(schema, place)
        if not properties and not self.rules.has_empty_objects and place.path:
            return {"type": "string", "enum": ["{}"], **_description_of(schema)}
        required: list[str] = [name for name in schema.get("required", ()) if name in properties]
        written: dict[str, Any] = {"type": "object", **_description_of(schema)}
        if properties or "properties" in schema or self.rules.all_required:
            written["properties"] = {}
        names, cleared = self._name_properties(properties, place), list[str]()
        for name, child in properties.items():
            needs_null = self.rules.all_required and name not in required
            if needs_null and self._takes_null(child):
                cleared.append(names[name])
                child = without_note(_as_schema(child), CLEARS)
            inner = self.rewrite(child, place.deeper.at(name, is_required=name in required))
            written["properties"][names[name]] = allow_null(inner, self.rules.null) if needs_null else inner
        needed = [names[name] for name in (properties if self.rules.all_required else required)]
        if needed or self.rules.all_required:
            written["required"] = needed
        if cleared:
            self._write_cleared(cleared, written, place)
        self._write_extra(schema, written, place)
        return self._finish(schema, written, place)

    def _write_cleared(self, names: list[str], written: dict[str, Any], place: Place) -> None:
        """Name what null clears in a list of its own: null itself says here that a field is not given."""
        if letters_of(SET_TO_NULL) in map(letters_of, written["properties"]):
            self._refuse(place.at(SET_TO_NULL, is_required=True), "has the name that lists what null clears")
        written["properties"][SET_TO_NULL] = list_cleared(names)
        written["required"].append(SET_TO_NULL)

    def _takes_null(self, node: Any) -> bool:
        schema = self._resolve(node)
        return names_null(schema) or any(map(self._takes_null, _options_of(schema)))

    def _write_extra(self, schema: dict[str, Any], written: dict[str, Any], place: Place) -> None:
        if self.rules.all_required:
            written["additionalProperties"] = False
        elif self.rules.has_closing and "additionalProperties" in schema:
            extra = schema["additionalProperties"]
            written["additionalProperties"] = (
                extra if isinstance(extra, bool) else self.rewrite(extra, place.deeper)
            )
        if "patternProperties" in schema and self.rules.has_maps:
            written["patternProperties"] = {
                pattern: self.rewrite(child, place.deeper)
                for pattern, child in schema["patternProperties"].items()
            }

    def _name_properties(self, properties: Mapping[str, Any], place: Place) -> dict[str, str]:
        names: dict[str, str] = {}
        for name in properties:
            safe = rename(name, self.rules.property_name)
            others = {letters_of(other) for other in properties if other != name}
            if safe is None or (safe != name and letters_of(safe) in others):
                self._refuse(place.at(name, is_required=True), "has a name with other signs or length")
            names[name] = safe or name
        return names

    def _rewrite_list(self, schema: dict[str, Any], place: Place) -> dict[str, Any]:
        if self._is_too_deep(place):
            return self._write_as_text(schema, place)
        written: dict[str, Any] = {"type": "array", **_description_of(schema)}
        items = schema.get("items")
        if "prefixItems" in schema and self.rules.has_tuples:
            written["prefixItems"] = [self.rewrite(item, place.deeper) for item in schema["prefixItems"]]
        elif "prefixItems" in schema:
            items, note = merge_tuple(schema["prefixItems"])
            add_note(written, note)
        if isinstance(items, dict) or (items is None and "prefixItems" not in schema):
            written["items"] = self.rewrite(items or {}, place.deeper)
        elif items is not None and self.rules.keywords is None:
            written["items"] = items
        return self._finish(schema, written, place)

    def _is_too_deep(self, place: Place) -> bool:
        # with references kept, how deep a schema goes is counted afterwards
        return (
            not self.rules.has_references and self.rules.depth is not None and place.level >= self.rules.depth
        )

    def _write_as_text(self, schema: dict[str, Any], place: Place, what: str = "") -> dict[str, Any]:
        """Write an object or a list as its JSON text: execution reads it back wherever no other text may stand."""
        if not place.path or not self._is_structured(schema):
            return self._refuse(place, "cannot be written out to its full depth")
        written: dict[str, Any] = {"type": "string", **_description_of(schema)}
        bare = {key: schema[key] for key in schema if key not in ("description", "title")}
        add_note(written, f"JSON text of {what or describe_schema(self._spell_out(bare, ()))}.")
        return written

    def _spell_out(self, node: Any, inside: tuple[str, ...]) -> Any:
        """Put definitions in their place, for a reader who sees none; one within itself stays a name."""
        if isinstance(node, list):
            return [self._spell_out(item, inside) for item in cast("list[Any]", node)]
        if not isinstance(node, dict):
            return node
        schema = cast("dict[str, Any]", node)
        name = str(schema.get("$ref", "")).removeprefix(_PREFIX)
        if name in self.definitions and name not in inside and len(inside) < _SPELLED_OUT:
            inside = (*inside, name)
            schema = {**self.definitions[name], **{key: schema[key] for key in schema if key != "$ref"}}
        return {key: self._spell_out(value, inside) for key, value in schema.items()}

    def _is_structured(self, node: Any) -> bool:
        schema = self._resolve(node)
        if options := _options_of(schema):
            return all(self._is_structured(option) for option in options)
        return schema.get("type") in ("object", "array") or "properties" in schema

    def _resolve(self, node: Any) -> dict[str, Any]:
        """Follow references; what is no schema with keywords is an empty one."""
        schema, seen = _as_schema(node), set[str]()
        while "$ref" in schema:
            name = str(schema["$ref"]).removeprefix(_PREFIX)
            if name in seen:
                return {}
            seen.add(name)
            schema = _as_schema(self.definitions.get(name))
        return schema

    def _finish(self, schema: dict[str, Any], written: dict[str, Any], place: Place) -> dict[str, Any]:
        """Add the keywords that the dialect takes, and the others in words."""
        if "description" in schema and "description" not in written and "anyOf" not in written:
            written["description"] = schema["description"]
        for key, value in schema.items():
            if key not in _HANDLED and not self._put(written, key, value):
                self._refuse(place, f"has {key}")
        return written

    def _put(self, written: dict[str, Any], key: str, value: Any) -> bool:
        allowed = self.rules.keywords
        if allowed is None or key in allowed:
            fits = key != "format" or self.rules.formats is None or value in self.rules.formats
            readable = key != "pattern" or self.rules.has_lookaround or not re.search(r"\(\?(?!:)", value)
            alone = not (set(written) & {"anyOf", "oneOf"}) or self.rules.has_union_siblings
            if fits and readable and alone:
                written[key] = value
                return True
        if written.get("type") == "integer" and key in ("exclusiveMinimum", "exclusiveMaximum"):
            minimum = key == "exclusiveMinimum"
            written["minimum" if minimum else "maximum"] = int(value) + (1 if minimum else -1)
            return True
        note = note_keyword(key, value)
        if note is None:
            return False
        target = written if "anyOf" not in written or self.rules.has_union_siblings else written["anyOf"][0]
        add_note(target, note)
        return True

    def _refuse(self, place: Place, problem: str) -> dict[str, Any]:
        if place.optional:
            fix = f"Use tool.derived(drop=[{place.optional!r}])"
        elif place.path:
            fix = f"Use tool.derived(pin={{{place.path!r}: ...}})"
        else:
            fix = "Declare the arguments as an object with named fields"
        self.refusals.append(Refusal(place.path, problem, fix))
        return {"type": "string"}


def _as_schema(node: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", node) if isinstance(node, dict) else {}


def _options_of(schema: dict[str, Any]) -> list[Any]:
    return schema.get("anyOf") or schema.get("oneOf") or []


def _description_of(schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": schema["description"]} if schema.get("description") else {}
