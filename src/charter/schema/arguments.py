"""Arguments as models send them, turned into what Pydantic validates: real names, null where it clears, constants in.

Not here: how they are received (`receiving`), or whether values are valid: `view` hands the result to the args model.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from difflib import get_close_matches
from typing import Any, cast

from pydantic import BaseModel

from charter.errors import FieldProblem
from charter.fields import FieldPlan, ModelGraph, ModelPlan, fold
from charter.projection import WHOLE, Projection
from charter.schema.binary import read_base64
from charter.schema.clearing import is_cleared, read_cleared
from charter.schema.receiving import Volume, find_unsendable, read_set_fields, unpack_json
from charter.schema.respelling import SET_TO_NULL
from charter.schema.tags import find_untold
from charter.schema.telling import join_path, show, tell_key, tell_names
from charter.shapes import Shape

__all__ = ["ArgumentReader"]

_DATE = re.compile(r"\s*\d{4}-\d{2}-\d{2}\s*")
_CLOSE_NAMES = 3
_TOLD_IN_FULL = 20
"""Unknown keys for which close names are looked up: more is an attack, not a slip."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """A value read as one option of a union: paths start at the value, which is kept so that its id stays its own."""

    value: Any
    read: Any
    problems: list[FieldProblem]
    settled: list[str]
    chosen: dict[str, Shape]


class ArgumentReader:
    """Reads one call's arguments, collecting every problem on the way."""

    def __init__(self, graph: ModelGraph, volume: Volume | None = None) -> None:
        self._graph = graph
        self._volume = volume or Volume()
        self._depth = 0
        self._readings: dict[tuple[int, Shape, int], _Reading] = {}
        """Each value is read as each option once, however many unions lie around it."""
        self._unpacked: dict[int, tuple[str, Any, str]] = {}
        """What each text is JSON for, and what is wrong with it as that."""
        self._advice: dict[tuple[type[BaseModel], str], str] = {}
        self.problems: list[FieldProblem] = []
        self.settled: list[str] = []
        """Paths of unions whose closest option has already been told what it lacks."""
        self.chosen: dict[str, Shape] = {}
        """The option that the value of each union was read as, by path."""

    def read(
        self, arguments: Mapping[str, Any], root: ModelPlan, projection: Projection = WHOLE
    ) -> dict[str, Any]:
        """Return arguments that were received by Python name; `problems` says what is wrong with them."""
        return self._read_model(arguments, root, "", projection)

    @property
    def union_readings(self) -> int:
        """How many times a value was read as an option of a union."""
        return len(self._readings)

    def _report(self, path: str, problem: str) -> None:
        self.problems.append({"field": path, "problem": problem})

    def _read_model(
        self, value: Mapping[str, Any], plan: ModelPlan, path: str, projection: Projection
    ) -> dict[str, Any]:
        read: dict[str, Any] = {}
        if SET_TO_NULL in value and not plan.spells(SET_TO_NULL):
            value, problems = read_cleared(value, plan, projection)
            for problem in problems:
                self._report(join_path(path, problem["field"]), problem["problem"])
        for key, given in value.items():
            field = _find(plan, key, projection)
            if field is None:
                self._read_unknown(key, given, plan, path, read, projection)
            elif given is None and not (field.is_required or is_cleared(field, projection)):
                continue
            elif field.name in read:
                self._report(join_path(path, field.wire), "is given twice, in two spellings")
            else:
                below = projection.under(field.wire)
                read[field.name] = self._read_value(given, field.shape, join_path(path, field.wire), below)
        self._read_pins(plan, path, read, projection)
        self._check_rules(read, plan, path, projection)
        for field in plan.fields.values():
            if field.is_constant and not field.withheld and field.name not in read:
                read[field.name] = field.default
        return read

    def _read_pins(self, plan: ModelPlan, path: str, read: dict[str, Any], projection: Projection) -> None:
        """Add what is pinned here, and the objects that were left out but hold pins."""
        for wire, value in projection.pins.items():
            if field := plan.find(wire):
                read[field.name] = self._read_value(value, field.shape, join_path(path, wire))
        for wire, below in projection.below.items():
            field = plan.find(wire)
            if field and below.has_pins and field.name not in read and field.shape.kind in ("model", "union"):
                read[field.name] = self._read_value({}, field.shape, join_path(path, wire), below)

    def _read_unknown(
        self,
        key: Any,
        given: Any,
        plan: ModelPlan,
        path: str,
        read: dict[str, Any],
        projection: Projection,
    ) -> None:
        if isinstance(key, str) and fold(key) in plan.read_only:
            return  # the model gives back what it read
        if plan.is_open and isinstance(key, str) and not plan.spells(key):
            read[key] = given
            return
        self._report(join_path(path, tell_key(key)), f"is no argument{self._advise(key, plan, projection)}")

    def _advise(self, key: Any, plan: ModelPlan, projection: Projection) -> str:
        """Name what an unknown key may have meant; looked up for the first few of a call, each of them once."""
        place = (plan.model, tell_key(key))
        if place not in self._advice and len(self._advice) < _TOLD_IN_FULL:
            names = [field.wire for field in plan.visible() if not projection.hides(field.wire)]
            near = get_close_matches(fold(place[1]), map(fold, names), n=_CLOSE_NAMES, cutoff=0.6)
            close = [name for name in names if fold(name) in near]
            told = f"did you mean {' or '.join(close)}?" if close else f"known: {tell_names(names)}"
            self._advice[place] = f" ({told})"
        return self._advice.get(place, "")

    def _check_rules(
        self, read: Mapping[str, Any], plan: ModelPlan, path: str, projection: Projection
    ) -> None:
        if not plan.rules:
            return

        def tell(name: str) -> str:
            """Return the name that the model knows, if it sees the field."""
            field = plan.fields[name]
            return "" if field.withheld or projection.hides(field.wire) else field.wire

        given = [name for name, value in read.items() if value is not None]
        for rule in plan.rules:
            problem = rule.problem(given, tell, read.keys() - given)
            if problem:
                self._report(path, problem)

    def read_value(self, value: Any, shape: Shape) -> Any:
        """Return one value as Pydantic is to validate it; what is wrong is in `problems`."""
        self.problems += find_unsendable(value, self._volume)
        return value if self.problems else self._read_value(value, shape, "")

    def _read_value(self, value: Any, shape: Shape, path: str, projection: Projection = WHOLE) -> Any:
        if isinstance(value, str) and shape.is_structured:
            value = self._unpack(value, path)
        elif type(value) in self._graph:
            value = self._open(cast("BaseModel", value), projection)
        match shape.kind:
            case "model" if isinstance(value, Mapping) and shape.model:
                return self._read_model(
                    cast("Mapping[str, Any]", value), self._graph[shape.model], path, projection
                )
            case "root":
                return self._read_value(value, shape.items[0], path, projection)
            case "list" if isinstance(value, (list, tuple)):
                return self._read_list(cast("list[Any]", value), shape, path, projection)
            case "map" if isinstance(value, Mapping):
                members = cast("Mapping[str, Any]", value)
                item = shape.items[0]
                return {
                    key: self._read_value(child, item, join_path(path, key), projection)
                    for key, child in members.items()
                }
            case "union":
                return self._read_union(value, shape, path, projection)
            case _:
                value = _read_literal(value, shape)
                self._check_scalar(value, shape, path)
                return self._read_bytes(value, path) if shape.is_bytes else _read_member(value, shape)

    def _read_bytes(self, value: Any, path: str) -> Any:
        """Return the bytes that a text is base64 for; a host gives bytes as they are."""
        data = read_base64(value) if isinstance(value, str) else value
        if data is None:
            self._report(path, f"must be base64, got {show(value)}")
        return data

    def _open(self, value: BaseModel, projection: Projection) -> Any:
        """Return a host's object as it is, or its members where some are not in view: they are read as any others."""
        fields = self._graph[type(value)].fields.values()
        whole = projection.is_whole and not any(field.withheld for field in fields)
        return value if whole else read_set_fields(value)

    def _unpack(self, text: str, path: str) -> Any:
        """Return the object or list that the text is JSON for, the same one each time it is asked for."""
        if id(text) not in self._unpacked:
            value, problem = unpack_json(text, self._volume)
            if value is not text:
                depth = self._depth + path.count(".") + 1
                found = find_unsendable(value, self._volume, depth)
                value, problem = (text, found[0]["problem"]) if found else (value, "")
            self._unpacked[id(text)] = (text, value, problem)
        _, value, problem = self._unpacked[id(text)]
        if problem:
            self._report(path, problem)
        return value

    def _check_scalar(self, value: Any, shape: Shape, path: str) -> None:
        """Refuse a number for a text or a truth value, and so on; digits in a text are Pydantic's to read."""
        if shape.python is datetime and not shape.format and _is_date(value):
            problem = "is a date, not a moment; add a time and an offset, such as T09:00:00+02:00"
            self._report(path, f"{problem}, got {show(str(value))}")
        kind = _scalar_kind(value)
        if kind and kind != "text" and shape.scalars and kind not in shape.scalars:
            wanted = " or ".join(sorted(shape.scalars))
            self._report(path, f"must be {wanted}, got {show(value)}")

    def _read_list(self, items: list[Any], shape: Shape, path: str, projection: Projection) -> list[Any]:
        if shape.pairs and len(items) != len(shape.items):
            return list(items)
        return [
            self._read_value(item, shape.item(position), join_path(path, position), projection)
            for position, item in enumerate(items)
        ]

    def _read_union(self, value: Any, shape: Shape, path: str, projection: Projection) -> Any:
        """Read the value as the option that it fits with the fewest problems."""
        if isinstance(value, str) and shape.scalars:
            if _takes_text(shape, value):
                return value
            if any(item.is_bytes for item in shape.items):
                return self._read_bytes(value, path)
            value = self._unpack(value, path)
            if isinstance(value, str):
                return _read_literal(value, shape)
        best: _Reading | None = None
        untold: dict[str, list[str]] = {}
        for option in shape.items:
            if not _may_be(value, option):
                continue
            reading = self._read_as(value, option, path, projection)
            if best is None or len(reading.problems) < len(best.problems):
                best = reading
                self.chosen[path] = option
            if reading.problems:
                continue
            tags = find_untold(self._graph, value, option, projection)
            for wire, literal in tags.items():
                untold.setdefault(wire, []).append(literal)
            if not tags:
                break
        for wire, literals in untold.items():
            if len(literals) > 1:
                told = f"is missing, and says which is meant: {tell_names(literals)}"
                self._report(join_path(path, wire), told)
        if best is None:
            self._check_scalar(value, shape, path)
            return value
        self.chosen |= {join_path(path, below): option for below, option in best.chosen.items()}
        for problem in best.problems:
            self._report(join_path(path, problem["field"]), problem["problem"])
        self.settled += [join_path(path, settled) for settled in best.settled]
        if best.problems:
            self.settled.append(path)
        return best.read

    def _read_as(self, value: Any, option: Shape, path: str, projection: Projection) -> _Reading:
        key = (id(value), option, id(projection))
        if key not in self._readings:
            attempt = ArgumentReader(self._graph, self._volume)
            attempt._depth = self._depth + path.count(".") + 1
            attempt._readings, attempt._unpacked = self._readings, self._unpacked
            attempt._advice = self._advice
            attempt._check_literals(value, option, projection)
            read = attempt._read_value(value, option, "", projection)
            self._readings[key] = _Reading(value, read, attempt.problems, attempt.settled, attempt.chosen)
        return self._readings[key]

    def _check_literals(self, value: Any, option: Shape, projection: Projection) -> None:
        """Count an option out when a constant of its says otherwise, or a required member is missing."""
        if option.kind != "model" or not option.model or not isinstance(value, Mapping):
            return
        plan = self._graph[option.model]
        members = cast("Mapping[Any, Any]", value)
        given = {field.name: members[key] for key in members if (field := _find(plan, key, projection))}
        for field in plan.visible():
            chosen = given.get(field.name)
            if projection.hides(field.wire) or projection.under(field.wire).has_pins:
                continue
            if field.is_required and field.name not in given:
                self._report(field.wire, "is missing")
            elif chosen is not None and field.shape.literals and not _is_among(chosen, field.shape.literals):
                self._report(field.wire, f"is not {tell_names(sorted(map(str, field.shape.literals)))}")


def _find(plan: ModelPlan, key: Any, projection: Projection) -> FieldPlan | None:
    field = plan.find(key) if isinstance(key, str) else None
    return None if field is None or projection.hides(field.wire) else field


def _is_date(value: Any) -> bool:
    """Whether a value is a day without a time, which Pydantic takes for its midnight, anywhere."""
    if isinstance(value, str):
        return bool(_DATE.fullmatch(value))
    return isinstance(value, date) and not isinstance(value, datetime)


def _is_among(value: Any, literals: frozenset[Any]) -> bool:
    return isinstance(value, (str, int, bool)) and value in literals


def _takes_text(shape: Shape, value: str) -> bool:
    """Whether the text may stand as it is: a closed set of texts takes no other."""
    if shape.kind in ("union", "root"):
        return any(_takes_text(item, value) for item in shape.items)
    return "text" in shape.scalars and not shape.is_bytes and (not shape.literals or value in shape.literals)


def _read_literal(value: Any, shape: Shape) -> Any:
    """Return the number or truth value of a closed set that a text spells, as providers with closed texts only send."""
    if not isinstance(value, str) or _takes_text(shape, value):
        return value
    literals = shape.literals.union(*(item.literals for item in shape.items))
    spelled = {_spell(literal): literal for literal in literals if not isinstance(literal, str)}
    return spelled.get(value, value)


def _read_member(value: Any, shape: Shape) -> Any:
    """Return the enum member with this value where the type names members, for Pydantic takes nothing else there."""
    return next((member for member in shape.members if member.value == value), value)


def _spell(literal: Any) -> str:
    return str(literal).lower() if isinstance(literal, bool) else str(literal)


def _scalar_kind(value: Any) -> str | None:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return "text" if isinstance(value, str) else None


def _may_be(value: Any, option: Shape) -> bool:
    if option.kind in ("model", "map"):
        return isinstance(value, Mapping)
    if option.kind == "list":
        return isinstance(value, (list, tuple))
    if option.kind in ("union", "root"):
        return any(_may_be(value, item) for item in option.items)
    return not isinstance(value, (Mapping, list, tuple)) and _scalar_kind(value) in (
        None,
        "text",
        *option.scalars,
    )
