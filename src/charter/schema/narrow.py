"""Projections: a plan narrowed by `keep`, `drop` and `pin`, and the paths that those may name, with their prices.

Not here: enforcing one. `arguments` and `json_schema` do, at every depth.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from pydantic import TypeAdapter, ValidationError

from charter.errors import DeclarationError
from charter.fields import FieldPlan, ModelGraph, ModelPlan, fold
from charter.markers import AtLeastOneOf, ExactlyOneOf, NotOnly
from charter.plan import Plan
from charter.projection import Projection
from charter.schema.arguments import ArgumentReader
from charter.schema.cost import json_tokens
from charter.schema.json_schema import SchemaSource
from charter.schema.telling import join_path
from charter.shapes import models_of

__all__ = ["PathCost", "list_paths", "narrow", "price_paths"]

Models = tuple[ModelPlan, ...]

_CANDIDATES = 12
_LOOKED_INTO = 2_000
"""Objects that are looked into for the ending of a path; the filters of some APIs have millions of paths."""


@dataclass(frozen=True, slots=True)
class PathCost:
    """A path and the tokens that dropping it saves."""

    path: str
    tokens: int


@dataclass(slots=True)
class _Node:
    """A projection while it is made: what the selectors say at one object."""

    models: Models
    kept: set[str]
    dropped: set[str]
    pins: dict[str, Any]
    below: dict[str, "_Node"]


def narrow(
    plan: Plan, keep: Iterable[str] = (), drop: Iterable[str] = (), pin: Mapping[str, Any] | None = None
) -> Plan:
    """Return the plan with less to fill in.

    Selectors are dotted paths in any spelling, or the ending of one path alone; lists, maps and unions take no step.
    Pinned values are sent always: an object that is left out is sent with its pins alone.

    Raises:
        DeclarationError: a selector is unknown or ambiguous, a required field would be lost, a rule could never be
            met, or a pin is no valid value.
    """
    root = _node((plan.root,))
    for selector in keep:
        node, wire = _find(plan, root, selector)
        node.kept.add(wire)
    for selector in drop:
        node, wire = _find(plan, root, selector)
        node.dropped.add(wire)
    for selector, value in (pin or {}).items():
        node, wire = _find(plan, root, selector)
        node.pins[wire] = value
    made = _freeze(root)
    projection = plan.projection.merged(made)
    _check_required(plan.tool, plan.graph, (plan.root,), projection, made, "")
    _check_pins(plan, (plan.root,), made, "")
    return replace(plan, projection=projection)


def list_paths(plan: Plan, under: str = "", depth: int = 1) -> list[str]:
    """List the paths below `under`, `depth` levels deep, in declaration order.

    Raises:
        DeclarationError: `under` is unknown or ambiguous.
    """
    models, projection, prefix = _descend(plan, under)
    return list(_walk(plan.graph, models, projection, prefix, depth))


def price_paths(plan: Plan, source: SchemaSource, under: str = "", depth: int = 1) -> list[PathCost]:
    """Price the same paths, dearest first: the schema is pruned and written anew for each.

    Raises:
        DeclarationError: `under` is unknown or ambiguous.
    """
    whole = json_tokens(source.render(plan.projection))
    prices = [
        PathCost(path, whole - json_tokens(source.render(plan.projection.merged(_without(path.split("."))))))
        for path in list_paths(plan, under, depth)
    ]
    return sorted(prices, key=lambda price: (-price.tokens, price.path))


def _without(steps: list[str]) -> Projection:
    first, *rest = steps
    return Projection(below={first: _without(rest)}) if rest else Projection(hidden=frozenset({first}))


def _walk(
    graph: ModelGraph, models: Models, projection: Projection, prefix: str, depth: int
) -> Iterator[str]:
    for wire, fields in _fields_of(models, projection).items():
        path = join_path(prefix, wire)
        yield path
        if depth > 1:
            yield from _walk(graph, _models_in(graph, fields), projection.under(wire), path, depth - 1)


def _fields_of(models: Models, projection: Projection) -> dict[str, list[FieldPlan]]:
    """Return the visible fields of any of the models, by wire name."""
    found: dict[str, list[FieldPlan]] = {}
    for model in models:
        for field in model.visible():
            if not projection.hides(field.wire):
                found.setdefault(field.wire, []).append(field)
    return found


def _models_in(graph: ModelGraph, fields: Iterable[FieldPlan]) -> Models:
    models = dict.fromkeys(model for field in fields for model in models_of(field.shape))
    return tuple(graph[model] for model in models)


def _descend(plan: Plan, path: str) -> tuple[Models, Projection, str]:
    models, projection, prefix = (plan.root,), plan.projection, ""
    for step in _complete_path(plan, path).split(".") if path else ():
        wire, fields = _step(plan.tool, models, projection, step, path)
        models, projection, prefix = (
            _models_in(plan.graph, fields),
            projection.under(wire),
            join_path(prefix, wire),
        )
    return models, projection, prefix


def _step(
    tool: str, models: Models, projection: Projection, step: str, selector: str
) -> tuple[str, list[FieldPlan]]:
    fields = _fields_of(models, projection)
    exact = [wire for wire in fields if wire == step or any(field.name == step for field in fields[wire])]
    found = exact or [wire for wire in fields if fold(wire) == fold(step)]
    if len(found) == 1:
        return found[0], fields[found[0]]
    if found:
        raise DeclarationError(f"{tool}: {selector!r} is ambiguous. Write one of: {', '.join(found)}.")
    near = get_close_matches(step, fields, n=3, cutoff=0.6) or list(fields)[:_CANDIDATES]
    advice = f"Did you mean {', '.join(near)}?" if near else "There is nothing below it."
    raise DeclarationError(f"{tool}: {selector!r} names no field the model sees. {advice}")


def _complete_path(plan: Plan, selector: str) -> str:
    """Return the whole path that a selector is the ending of; the selector itself where it starts at the root.

    Raises:
        DeclarationError: it is the ending of several paths, which the text lists.
    """
    folded = tuple(map(fold, selector.split(".")))
    if any(fold(wire) == folded[0] for wire in _fields_of((plan.root,), plan.projection)):
        return selector
    found = _list_endings(plan, folded)
    if len(found) > 1:
        told = ", ".join(found[:_CANDIDATES])
        raise DeclarationError(f"{plan.tool}: {selector!r} is ambiguous. Write one of: {told}.")
    return found[0] if found else selector


def _list_endings(plan: Plan, folded: tuple[str, ...]) -> list[str]:
    """List the paths that end so, level by level; a model inside itself is looked into once, and so is ambiguous."""
    found: list[str] = []
    waiting: deque[tuple[Models, Projection, str, Models]] = deque()
    waiting.append(((plan.root,), plan.projection, "", (plan.root,)))
    for _ in range(_LOOKED_INTO):
        if not waiting:
            break
        models, projection, prefix, above = waiting.popleft()
        for wire, fields in _fields_of(models, projection).items():
            path = join_path(prefix, wire)
            if tuple(map(fold, path.split(".")))[-len(folded) :] == folded:
                found.append(path)
            inner = tuple(model for model in _models_in(plan.graph, fields) if above.count(model) < 2)
            if inner:
                waiting.append((inner, projection.under(wire), path, (*above, *inner)))
    return found


def _node(models: Models) -> _Node:
    return _Node(models, set(), set(), {}, {})


def _find(plan: Plan, node: _Node, selector: str) -> tuple[_Node, str]:
    """Walk to the object that holds the selected field; return it and the field's wire name."""
    *parents, last = _complete_path(plan, selector).split(".")
    projection = plan.projection
    for step in parents:
        wire, fields = _step(plan.tool, node.models, projection, step, selector)
        node.below.setdefault(wire, _node(_models_in(plan.graph, fields)))
        node, projection = node.below[wire], projection.under(wire)
    wire, _ = _step(plan.tool, node.models, projection, last, selector)
    return node, wire


def _freeze(node: _Node) -> Projection:
    below = {wire: _freeze(child) for wire, child in node.below.items()}
    keeps = _keeps(node)
    hidden = set(node.dropped)
    if keeps:
        stays = node.kept | {wire for wire, child in node.below.items() if _keeps(child) or _has_pins(child)}
        visible = {field.wire for model in node.models for field in model.visible()}
        hidden |= visible - stays - set(node.pins)
    return Projection(
        frozenset(hidden), node.pins, {wire: child for wire, child in below.items() if not child.is_whole}
    )


def _keeps(node: _Node) -> bool:
    return bool(node.kept) or any(map(_keeps, node.below.values()))


def _has_pins(node: _Node) -> bool:
    return bool(node.pins) or any(map(_has_pins, node.below.values()))


def _check_required(
    tool: str,
    graph: ModelGraph,
    models: Models,
    projection: Projection,
    made: Projection,
    path: str,
) -> None:
    for model in models:
        lost = [
            join_path(path, f.wire) for f in model.visible() if f.is_required and f.wire in projection.hidden
        ]
        if lost:
            raise DeclarationError(
                f"{tool}: {', '.join(lost)} is required and cannot be removed. Keep or pin it."
            )
        _check_rules(tool, model, projection, path)
    for wire, below in made.below.items():
        fields = [model.fields[name] for model in models if (name := model.spellings.get(wire))]
        inner = projection.under(wire)
        _check_required(tool, graph, _models_in(graph, fields), inner, below, join_path(path, wire))


def _check_rules(tool: str, model: ModelPlan, projection: Projection, path: str) -> None:
    gone = {
        field.name for field in model.fields.values() if field.withheld or field.wire in projection.hidden
    }
    for rule in model.rules:
        if isinstance(rule, NotOnly) and rule.problem(model.fields.keys() - gone, model.wire):
            raise DeclarationError(
                f"{tool}: {path or 'the tool'} has nothing left to change. Keep or pin what is to be changed."
            )
        if not isinstance(rule, (ExactlyOneOf, AtLeastOneOf)):
            continue
        if all(model.wire(name) in projection.hidden for name in rule.fields):
            names = ", ".join(join_path(path, model.wire(name)) for name in rule.fields)
            raise DeclarationError(f"{tool}: one of {names} must be given. Keep or pin one of them.")


def _check_pins(plan: Plan, models: Models, made: Projection, path: str) -> None:
    for wire, value in made.pins.items():
        problems = [_pin_problem(plan, model, wire, value) for model in models if wire in model.spellings]
        if problems and all(problems):
            raise DeclarationError(
                f"{plan.tool}: pin {join_path(path, wire)}={value!r} is no valid value ({problems[0]}). Pin another."
            )
    for wire, below in made.below.items():
        fields = [model.fields[name] for model in models if (name := model.spellings.get(wire))]
        _check_pins(plan, _models_in(plan.graph, fields), below, join_path(path, wire))


def _pin_problem(plan: Plan, model: ModelPlan, wire: str, value: Any) -> str | None:
    field = model.fields[model.spellings[wire]]
    if value is None and not (field.is_required or field.is_clearable):
        return "null does not clear it: drop the field, or mark it Clearable"
    reader = ArgumentReader(plan.graph)
    read = reader.read_value(value, field.shape)
    if reader.problems:
        return reader.problems[0]["problem"]
    try:
        TypeAdapter(field.annotation).validate_python(read, by_name=True, by_alias=False)
    except ValidationError as error:
        return error.errors(include_url=False)[0]["msg"]
    return None
