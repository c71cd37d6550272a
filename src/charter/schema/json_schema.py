"""A plan written as the JSON Schema (2020-12) that a model is sent: wire names, closed objects, nothing superfluous.

Not here: what a provider accepts of it. `dialects` rewrites it for one.
"""

from base64 import b64encode
from collections import Counter
from typing import Any, cast

from pydantic.json_schema import GenerateJsonSchema, JsonRef, JsonSchemaValue
from pydantic_core import core_schema

from charter.errors import DeclarationError
from charter.fields import FieldPlan, ModelGraph
from charter.plan import Plan
from charter.projection import WHOLE, Projection
from charter.schema.binary import size_base64
from charter.schema.notes import CLEARS, add_note, without_note
from charter.schema.respelling import allow_null, without_repeats

__all__ = ["SchemaSource", "render_parameters"]

_PREFIX = "#/$defs/"


def render_parameters(plan: Plan) -> dict[str, Any]:
    """Render the parameters of a tool.

    Raises:
        DeclarationError: a type has no JSON Schema.
    """
    return SchemaSource(plan).render(plan.projection)


class SchemaSource:
    """The whole schema of a plan, written once, to be rendered under any projection."""

    def __init__(self, plan: Plan) -> None:
        """Write the schema.

        Raises:
            DeclarationError: a type has no JSON Schema.
        """
        model = plan.root.model
        try:
            schema = _Renderer(plan.graph).generate(model.__pydantic_core_schema__, mode="validation")
        except Exception as error:
            told = str(error).partition("\n")[0]
            raise DeclarationError(
                f"{model.__name__}: no JSON Schema can be made of it ({told}). Use a type that JSON has."
            ) from error
        self._definitions: dict[str, Any] = schema.pop("$defs", {})
        self._root = _unfold_root(schema, self._definitions)
        self._root.pop("description", None)

    def render(self, projection: Projection = WHOLE) -> dict[str, Any]:
        """Render it pruned: what a projection withholds or pins is not there, at that path alone."""
        return _inline(_prune(self._root, projection, self._definitions), self._definitions)


class _Renderer(GenerateJsonSchema):
    """Pydantic's generator, writing what a plan says: its names, its withheld fields, its glosses."""

    def __init__(self, graph: ModelGraph) -> None:
        super().__init__(by_alias=False, ref_template=_PREFIX + "{model}")
        self.ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}
        self._graph = graph

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        written = super().model_schema(schema)
        plan = self._graph.get(schema["cls"])
        if written.get("title") == schema["cls"].__name__ and not schema["cls"].model_config.get("title"):
            del written["title"]
        # of a docstring the first paragraph is for the model, the rest for readers
        if "description" in written:
            written["description"] = " ".join(written["description"].split("\n\n")[0].split())
        if plan is None or "properties" not in written:
            return written
        by_name: dict[str, Any] = written.pop("properties")
        required: set[str] = set(written.pop("required", ()))
        written["properties"] = {
            field.wire: _write_field(field, by_name[field.name])
            for field in plan.visible()
            if field.name in by_name
        }
        needed = [field.wire for field in plan.visible() if field.name in required]
        if needed:
            written["required"] = needed
        if not plan.is_open:
            written["additionalProperties"] = False
        return written

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        written = super().generate_inner(schema)
        if (
            "contentEncoding" in written and "format" in written
        ):  # an encoding of the author's own says itself
            del written["contentEncoding"]
        if "enum" in written:
            written["enum"] = without_repeats(written["enum"])
        if schema["type"] == "enum":
            reference = written.get("$ref")
            named = (self.get_schema_from_definitions(JsonRef(reference)) if reference else None) or written
            if named.get("title") == schema["cls"].__name__:
                del named["title"]
        return written

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        written: JsonSchemaValue = {"type": "number"}
        self.update_with_validations(written, schema, self.ValidationsMapping.numeric)
        return written

    def bytes_schema(self, schema: core_schema.BytesSchema) -> JsonSchemaValue:
        written: JsonSchemaValue = {"type": "string", "contentEncoding": "base64"}
        for key, limit in (("minLength", schema.get("min_length")), ("maxLength", schema.get("max_length"))):
            if limit:
                written[key] = size_base64(limit, padded=key == "maxLength")
        return written

    def encode_default(self, dft: Any) -> Any:
        return b64encode(dft).decode() if isinstance(dft, bytes) else super().encode_default(dft)

    def set_schema(self, schema: core_schema.SetSchema) -> JsonSchemaValue:
        return _without_uniqueness(super().set_schema(schema))

    def frozenset_schema(self, schema: core_schema.FrozenSetSchema) -> JsonSchemaValue:
        return _without_uniqueness(super().frozenset_schema(schema))

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        written = super().tagged_union_schema(schema)
        written.pop("discriminator", None)
        return written

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:
        return value  # declaration order is already stable, and it is the order an author meant


def _write_field(field: FieldPlan, written: dict[str, Any]) -> dict[str, Any]:
    if not field.is_required:
        written = _without_null(written)
        if written.get("default", ...) in (None, [], {}, "") or field.is_constant:
            written.pop("default", None)
    if field.gloss:
        told = written.get("description", "")
        written["description"] = f"{told} {field.gloss}".strip()
    if field.is_clearable:
        written = allow_null(written) if not field.is_required else written
        add_note(written, CLEARS)
    return written


def _without_null(written: dict[str, Any]) -> dict[str, Any]:
    """Drop the null option of a field that may simply be left out."""
    if None in written.get("enum", ()):
        written = {**written, "enum": [value for value in written["enum"] if value is not None]}
    options = cast("list[dict[str, Any]] | None", written.get("anyOf"))
    if not options or {"type": "null"} not in options:
        return written
    rest = {key: value for key, value in written.items() if key != "anyOf"}
    left = [option for option in options if option != {"type": "null"}]
    return {**left[0], **rest} if len(left) == 1 else {"anyOf": left, **rest}


def _without_uniqueness(written: JsonSchemaValue) -> JsonSchemaValue:
    """A call takes an item given twice, and so the schema says nothing against it."""
    return {key: value for key, value in written.items() if key != "uniqueItems"}


def _unfold_root(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Make the root a plain object where a recursive args model left a reference there."""
    reference = schema.pop("$ref", None)
    return {**definitions[reference.removeprefix(_PREFIX)], **schema} if reference else schema


def _prune(node: dict[str, Any], projection: Projection, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return a node without what the projection hides; a definition on the way is copied, for others may share it."""
    if projection.is_whole:
        return node
    if "$ref" in node:
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return _prune({**definitions[node["$ref"].removeprefix(_PREFIX)], **rest}, projection, definitions)
    pruned = dict(node)
    for key in ("anyOf", "oneOf", "prefixItems"):
        if key in node:
            pruned[key] = [_prune(option, projection, definitions) for option in node[key]]
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            pruned[key] = _prune(node[key], projection, definitions)
    if "properties" in node:
        _prune_properties(pruned, projection, definitions)
    return pruned


def _prune_properties(pruned: dict[str, Any], projection: Projection, definitions: dict[str, Any]) -> None:
    written: dict[str, Any] = {}
    for wire, child in pruned["properties"].items():
        below = projection.under(wire)
        left = _prune(child, below, definitions)
        if not below.is_whole and wire not in pruned.get("required", ()):
            left = _without_null(without_note(left, CLEARS))
        holds_only_pins = below.has_pins and left.get("properties") == {}
        if not projection.hides(wire) and not holds_only_pins:
            written[wire] = left
    pruned["properties"] = written
    required = [wire for wire in pruned.pop("required", ()) if wire in written]
    if required:
        pruned["required"] = required


def _inline(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Put definitions that are used once in their place; keep shared and recursive ones, and no others."""
    uses = _count_uses(schema, definitions)
    once = {name for name, count in uses.items() if count == 1 and not _reaches(name, name, definitions)}
    kept = {
        name: _put(definitions[name], definitions, once)
        for name in definitions
        if uses[name] and name not in once
    }
    written = _put(schema, definitions, once)
    return {**written, "$defs": kept} if kept else written


def _count_uses(schema: dict[str, Any], definitions: dict[str, Any]) -> Counter[str]:
    uses: Counter[str] = Counter()
    waiting: list[Any] = [schema]
    while waiting:
        for name in _references(waiting.pop()):
            uses[name] += 1
            if uses[name] == 1:
                waiting.append(definitions[name])
    return uses


def _reaches(start: str, goal: str, definitions: dict[str, Any]) -> bool:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for name in _references(definitions[waiting.pop()]):
            if name == goal:
                return True
            if name not in seen:
                seen.add(name)
                waiting.append(name)
    return False


def _references(node: Any) -> list[str]:
    found: list[str] = []
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            members = cast("dict[str, Any]", here)
            reference = members.get("$ref")
            if isinstance(reference, str) and reference.startswith(_PREFIX):
                found.append(reference.removeprefix(_PREFIX))
            waiting.extend(members.values())
        elif isinstance(here, list):
            waiting.extend(cast("list[Any]", here))
    return found


def _put(node: Any, definitions: dict[str, Any], once: set[str]) -> Any:
    if isinstance(node, list):
        return [_put(item, definitions, once) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    members = cast("dict[str, Any]", node)
    name = str(members.get("$ref", "")).removeprefix(_PREFIX)
    if name in once and isinstance(members.get("$ref"), str):
        members = {**definitions[name], **{key: value for key, value in members.items() if key != "$ref"}}
    return {key: _put(value, definitions, once) for key, value in members.items()}
