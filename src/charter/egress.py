"""What a set of tools lets a model send: every field it sees, every one withheld and why, every pin, every rule.

Made for review: stable, sorted, one line a field. Not here: enforcing any of it. `schema` does.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Protocol, cast

from pydantic_core import to_json

from charter.errors import DeclarationError
from charter.fields import ModelPlan
from charter.markers import Rule
from charter.plan import Plan
from charter.projection import Projection
from charter.reading import ReadsFirst
from charter.schema.json_schema import render_parameters
from charter.schema.telling import join_path
from charter.shapes import models_of
from charter.wire.graphql import Document

__all__ = ["conflict_map", "egress_map", "render_egress"]

_PREFIX = "#/$defs/"
_SAID_ELSEWHERE = frozenset(
    {"description", "title", "default", "examples", "properties", "required", "items"}
)
_MANY_FIELDS = 12
"""Fields of one rule up to which every combination is tried."""


class Declared(Protocol):
    """A tool whose plan can be read."""

    qualified_name: str
    method: str
    route: str
    scopes: tuple[str, ...]
    modes: tuple[str, ...]
    plan: Plan
    document: Document | None
    reads_first: ReadsFirst | None


Tools = Iterable[Declared] | Mapping[str, Declared]


def egress_map(tools: Tools) -> dict[str, Any]:
    """Map each tool, by qualified name, to what a model can make it send.

    `operation` is there for GraphQL, whose route is the same for all, `modes` where the tool is in any. `visible` is
    path -> type, with `*` where it must be given; a definition met again is told as `as <first path>`. `withheld` is
    path -> reason, `pinned` path -> value.
    `reads_first` is there for a tool that reads before it writes: the tools it may read.
    Lists, maps and unions take no step in a path.

    Raises:
        DeclarationError: two tools share a qualified name.
    """
    return {
        name: {
            "method": tool.method,
            "route": " or ".join(route.template for route in tool.plan.routes),
            **(
                {"operation": f"{tool.document.kind} {', '.join(tool.document.roots)}"}
                if tool.document
                else {}
            ),
            **({"reads_first": tool.reads_first.names()} if tool.reads_first else {}),
            "scopes": sorted(tool.scopes),
            **({"modes": sorted(tool.modes)} if tool.modes else {}),
            "visible": dict(_read_visible(tool.plan)),
            "withheld": dict(sorted(_read_withheld(tool.plan))),
            "pinned": dict(sorted(_read_pinned(tool.plan.projection, ""))),
        }
        for name, tool in sorted(_by_name(tools).items())
    }


def render_egress(mapped: Mapping[str, Any]) -> str:
    """Write an egress map as text to be diffed: a line for each field, pin and withheld field."""
    lines: list[str] = []
    for name, tool in mapped.items():
        operation = f" {tool['operation']}" if "operation" in tool else ""
        lines.append(f"{name} {tool['method']} {tool['route']}{operation}")
        lines += [f"  reads {first} first" for first in tool.get("reads_first", ())]
        lines += [f"  scope {scope}" for scope in tool["scopes"]]
        lines += [f"  mode {mode}" for mode in tool.get("modes", ())]
        lines += [f"  sends {path}: {told}" for path, told in tool["visible"].items()]
        lines += [f"  pins {path} = {to_json(value).decode()}" for path, value in tool["pinned"].items()]
        lines += [f"  withholds {path}: {reason}" for path, reason in tool["withheld"].items()]
    return "\n".join(lines) + "\n"


def conflict_map(tools: Tools) -> dict[str, list[dict[str, Any]]]:
    """Map each tool to the rules between its fields: where, which fields by wire name, and whether it can ever refuse.

    A rule that cannot is one that a mode, a projection or the fields themselves have left without effect.

    Raises:
        DeclarationError: two tools share a qualified name.
    """
    mapped: dict[str, list[dict[str, Any]]] = {}
    for name, tool in sorted(_by_name(tools).items()):
        rules = [
            {
                "at": at.path,
                "rule": type(rule).__name__,
                "fields": [at.model.wire(field) for field in rule.fields],
                "can_refuse": _can_refuse(rule, at),
            }
            for at in _walk(tool.plan)
            for rule in at.model.rules
        ]
        if rules:
            mapped[name] = rules
    return mapped


def _by_name(tools: Tools) -> dict[str, Declared]:
    named: dict[str, Declared] = {}
    held = cast("Mapping[str, Declared]", tools).values() if isinstance(tools, Mapping) else tools
    for tool in held:
        if tool.qualified_name in named:
            raise DeclarationError(f"{tool.qualified_name}: two tools share this name. Map one of them.")
        named[tool.qualified_name] = tool
    return named


@dataclass(frozen=True, slots=True)
class _At:
    """A model where it is first met."""

    path: str
    model: ModelPlan
    projection: Projection


def _walk(plan: Plan) -> Iterator[_At]:
    """Yield each model where it is first met whole, and wherever a projection narrows it."""
    seen: set[int] = set()
    waiting = [_At("", plan.root, plan.projection)]
    while waiting:
        at = waiting.pop(0)
        if at.projection.is_whole and id(at.model) in seen:
            continue
        if at.projection.is_whole:
            seen.add(id(at.model))
        yield at
        for field in at.model.visible():
            if not at.projection.hides(field.wire):
                below, path = at.projection.under(field.wire), join_path(at.path, field.wire)
                waiting += [_At(path, plan.graph[model], below) for model in models_of(field.shape)]


def _read_withheld(plan: Plan) -> Iterator[tuple[str, str]]:
    for at in _walk(plan):
        for field in at.model.fields.values():
            if field.withheld:
                yield join_path(at.path, field.wire), field.withheld
            elif field.wire in at.projection.hidden:
                yield join_path(at.path, field.wire), "a projection drops it"


def _read_pinned(projection: Projection, path: str) -> Iterator[tuple[str, Any]]:
    for wire, value in projection.pins.items():
        yield join_path(path, wire), value
    for wire, below in projection.below.items():
        yield from _read_pinned(below, join_path(path, wire))


def _can_refuse(rule: Rule, at: _At) -> bool:
    """Whether some set of fields that a model can give breaks the rule."""
    fields = [at.model.fields[name] for name in rule.fields]
    always = [f.name for f in at.model.fields.values() if f.wire in at.projection.pins or f.is_required]
    free = [
        f.name for f in fields if not f.withheld and not at.projection.hides(f.wire) and not f.is_required
    ]
    if len(free) > _MANY_FIELDS:
        return True
    choices = (chosen for size in range(len(free) + 1) for chosen in combinations(free, size))
    return any(rule.problem((*always, *chosen), at.model.wire) for chosen in choices)


def _read_visible(plan: Plan) -> Iterator[tuple[str, str]]:
    schema = render_parameters(plan)
    unsent = {placed.field.wire for placed in plan.at("nowhere")}
    for path, told in _Reader(schema.get("$defs", {})).read(schema):
        yield path, f"{told}, not sent as it is" if path in unsent else told


class _Reader:
    """Reads the schema that the model is sent into lines, so that the map cannot differ from it."""

    def __init__(self, definitions: dict[str, Any]) -> None:
        self._definitions = definitions
        self._first: dict[str, str] = {}

    def read(self, root: dict[str, Any]) -> Iterator[tuple[str, str]]:
        lines: dict[str, list[str]] = {}
        self._read(root, "", lines)
        return ((path, " | ".join(dict.fromkeys(told))) for path, told in lines.items())

    def _read(self, node: dict[str, Any], path: str, lines: dict[str, list[str]]) -> None:
        required = node.get("required", ())
        for wire, child in cast("dict[str, dict[str, Any]]", node.get("properties", {})).items():
            below = join_path(path, wire)
            told = self._tell(child, below)
            lines.setdefault(below, []).append(f"{told}*" if wire in required else told)
            self._descend(child, below, lines)

    def _descend(self, node: dict[str, Any], path: str, lines: dict[str, list[str]]) -> None:
        name = self._name(node)
        if name:
            if self._first.setdefault(name, path) != path:
                return
            node = self._definitions[name]
        self._read(node, path, lines)
        for inner in _inner(node):
            self._descend(inner, path, lines)

    def _tell(self, node: dict[str, Any], path: str) -> str:
        """Tell a node's type and limits on one line."""
        name = self._name(node)
        if name:
            first = self._first.get(name, path)
            return f"(as {first})" if first != path else self._tell(self._definitions[name], path)
        options = [*node.get("anyOf", ()), *node.get("oneOf", ())]
        if options:
            return " | ".join(self._tell(option, path) for option in options)
        kind = node.get("type", "any")
        limits = {key: value for key, value in node.items() if key not in _SAID_ELSEWHERE and key != "type"}
        members = limits.get("additionalProperties")
        if isinstance(members, dict) and "anyOf" in members:
            limits["additionalProperties"] = {"type": self._tell(cast("dict[str, Any]", members), path)}
        told = " ".join(filter(None, (_tell_limit(key, value) for key, value in sorted(limits.items()))))
        told = f"{kind} {told}".strip() if isinstance(kind, str) else f"{' | '.join(kind)} {told}".strip()
        items: dict[str, Any] | None = node.get("items")
        return f"{told} of {self._tell(items, path)}" if items else told

    def _name(self, node: dict[str, Any]) -> str | None:
        reference = node.get("$ref")
        return reference.removeprefix(_PREFIX) if isinstance(reference, str) else None


def _inner(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the schemas inside a node that take no step in a path."""
    for key in ("anyOf", "oneOf", "prefixItems"):
        yield from node.get(key, ())
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            yield node[key]


def _tell_limit(key: str, value: Any) -> str:
    if key == "additionalProperties" and isinstance(value, bool):
        return "open" if value else ""
    if isinstance(value, dict):
        return f"{key}={cast('dict[str, Any]', value).get('type', 'object')}"
    return f"{key}={to_json(value).decode()}"
