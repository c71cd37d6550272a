"""Arguments as models send them, turned into what Pydantic validates: real names, no nulls for absent, constants in.

Not here: whether values are valid. `view` hands the result to the args model itself.
"""

import math
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, cast

from pydantic_core import from_json

from charter.errors import FieldProblem
from charter.fields import FieldPlan, ModelGraph, ModelPlan, fold
from charter.shapes import Shape

__all__ = ["ArgumentReader", "join_path"]

MAX_DEPTH = 64
"""Levels of nesting in arguments; a request deeper than this is an error or an attack."""

_CLOSE_NAMES = 3
_TOLD_IN_FULL = 20
"""Problems after which looking for close names stops: more is an attack, not a slip."""
_MISSING = object()


def join_path(path: str, key: str | int) -> str:
    """Join a dotted path and one more key."""
    return f"{path}.{key}" if path else str(key)


class ArgumentReader:
    """Reads one call's arguments, collecting every problem on the way."""

    def __init__(self, graph: ModelGraph) -> None:
        self._graph = graph
        self.problems: list[FieldProblem] = []
        self.settled: list[str] = []
        """Paths of unions whose closest option has already been told what it lacks."""

    def read(self, arguments: Any, root: ModelPlan) -> dict[str, Any] | None:
        """Return the arguments by Python name, or None when they cannot be read at all; `problems` says why."""
        value = _unpack_json(arguments) if isinstance(arguments, (str, bytes)) else arguments
        if value is None:
            value = {}
        if not isinstance(value, Mapping):
            self._report("", f"arguments must be an object, got {_describe(value)}")
            return None
        if not self._is_sane(value):
            return None
        return self._read_model(cast("Mapping[str, Any]", value), root, "")

    def _report(self, path: str, problem: str) -> None:
        self.problems.append({"field": path, "problem": problem})

    def _is_sane(self, value: Any) -> bool:
        """Look, without recursion, for nesting that no walk survives and for text and numbers that no wire carries."""
        waiting: list[tuple[Any, int, str]] = [(value, 0, "")]
        while waiting:
            node, depth, path = waiting.pop()
            if depth > MAX_DEPTH:
                self._report(path.split(".")[0], f"is nested deeper than {MAX_DEPTH} levels")
                return False
            if isinstance(node, str):
                if not _is_encodable(node):
                    self._report(path, "holds a broken character (a lone surrogate)")
            elif isinstance(node, (dict, Mapping)):
                members = cast("Mapping[Any, Any]", node)
                for key, child in members.items():
                    below = join_path(path, _safe(key))
                    waiting += [(key, depth + 1, below), (child, depth + 1, below)]
            elif isinstance(node, (list, tuple)):
                items = cast("list[Any]", node)
                waiting.extend(
                    (child, depth + 1, path) for child in items if not isinstance(child, (int, bool))
                )
            elif isinstance(node, float) and not math.isfinite(node):
                self._report(path, "must be a finite number")
        return not self.problems

    def _read_model(self, value: Mapping[str, Any], plan: ModelPlan, path: str) -> dict[str, Any]:
        read: dict[str, Any] = {}
        for key, given in value.items():
            field = _find(plan, key)
            if field is None:
                self._read_unknown(key, given, plan, path, read)
            elif given is None and not field.is_required:
                continue
            elif field.name in read:
                self._report(join_path(path, field.wire), "is given twice, in two spellings")
            else:
                read[field.name] = self._read_value(given, field.shape, join_path(path, field.wire))
        self._check_rules(read, plan, path)
        for field in plan.fields.values():
            if field.is_constant and not field.withheld and field.name not in read:
                read[field.name] = field.default
        return read

    def _read_unknown(self, key: Any, given: Any, plan: ModelPlan, path: str, read: dict[str, Any]) -> None:
        if plan.is_open and isinstance(key, str) and key not in plan.fields:
            read[key] = given
            return
        if len(self.problems) >= _TOLD_IN_FULL:
            self._report(join_path(path, _safe(key)), "is no argument")
            return
        names = [field.wire for field in plan.visible()]
        near = get_close_matches(fold(_safe(key)), map(fold, names), n=_CLOSE_NAMES, cutoff=0.6)
        close = [name for name in names if fold(name) in near]
        advice = f"did you mean {' or '.join(close)}?" if close else f"known: {_enumerate(names)}"
        self._report(join_path(path, _safe(key)), f"is no argument ({advice})")

    def _check_rules(self, read: Mapping[str, Any], plan: ModelPlan, path: str) -> None:
        for rule in plan.rules:
            problem = rule.problem(read, plan.wire)
            if problem:
                self._report(path, problem)

    def _read_value(self, value: Any, shape: Shape, path: str) -> Any:
        if isinstance(value, str) and shape.is_structured:
            value = _unpack_json(value)
        match shape.kind:
            case "model" if isinstance(value, Mapping) and shape.model:
                return self._read_model(cast("Mapping[str, Any]", value), self._graph[shape.model], path)
            case "root":
                return self._read_value(value, shape.items[0], path)
            case "list" if isinstance(value, (list, tuple)):
                return self._read_list(cast("list[Any]", value), shape, path)
            case "map" if isinstance(value, Mapping):
                members = cast("Mapping[str, Any]", value)
                item = shape.items[0]
                return {
                    key: self._read_value(child, item, join_path(path, key)) for key, child in members.items()
                }
            case "union":
                return self._read_union(value, shape, path)
            case _:
                return cast("Any", value)

    def _read_list(self, items: list[Any], shape: Shape, path: str) -> list[Any]:
        if shape.pairs and len(items) != len(shape.items):
            return list(items)
        return [
            self._read_value(item, shape.item(position), join_path(path, position))
            for position, item in enumerate(items)
        ]

    def _read_union(self, value: Any, shape: Shape, path: str) -> Any:
        """Read the value as the option that it fits with the fewest problems."""
        best: Any = value
        fewest: list[FieldProblem] | None = None
        for option in shape.items:
            if not _may_be(value, option):
                continue
            attempt = ArgumentReader(self._graph)
            read = attempt._read_value(value, option, path)
            attempt._check_literals(value, option, path)
            if fewest is None or len(attempt.problems) < len(fewest):
                best, fewest = read, attempt.problems
            if not fewest:
                break
        if fewest:
            self.problems.extend(fewest)
            self.settled.append(path)
        return best

    def _check_literals(self, value: Any, option: Shape, path: str) -> None:
        """Count an option out when a constant of its says otherwise, or a required member is missing."""
        if option.kind != "model" or not option.model or not isinstance(value, Mapping):
            return
        plan = self._graph[option.model]
        members = cast("Mapping[Any, Any]", value)
        given = {field.name: members[key] for key in members if (field := _find(plan, key))}
        for field in plan.visible():
            chosen = given.get(field.name, _MISSING)
            if chosen is _MISSING:
                if field.is_required:
                    self._report(join_path(path, field.wire), "is missing")
            elif field.shape.literals and not _is_among(chosen, field.shape.literals):
                self._report(
                    join_path(path, field.wire),
                    f"is not {_enumerate(sorted(map(str, field.shape.literals)))}",
                )


def _find(plan: ModelPlan, key: Any) -> FieldPlan | None:
    return plan.find(key) if isinstance(key, str) else None


def _is_among(value: Any, literals: frozenset[Any]) -> bool:
    return isinstance(value, (str, int, bool)) and value in literals


def _may_be(value: Any, option: Shape) -> bool:
    if option.kind in ("model", "map"):
        return isinstance(value, Mapping) or (isinstance(value, str) and value.lstrip().startswith("{"))
    if option.kind == "list":
        return isinstance(value, (list, tuple)) or (isinstance(value, str) and value.lstrip().startswith("["))
    if option.kind in ("union", "root"):
        return any(_may_be(value, item) for item in option.items)
    return not isinstance(value, (Mapping, list, tuple))


def _unpack_json(text: str | bytes) -> Any:
    """Return the object or list that the text is JSON for, or the text itself."""
    try:
        value = from_json(text, allow_inf_nan=False)
    except ValueError:
        return text
    return cast("Any", value) if isinstance(value, (dict, list)) else text


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _safe(key: Any) -> str:
    return str(key)[:80].encode("ascii", "backslashreplace").decode()


def _describe(value: Any) -> str:
    if isinstance(value, (str, bytes)):
        return "text that is no JSON object"
    return "a list" if isinstance(value, (list, tuple)) else f"a {type(value).__name__}"


def _enumerate(names: list[str], limit: int = 12) -> str:
    shown = ", ".join(names[:limit]) or "none"
    return f"{shown}, …" if len(names) > limit else shown
