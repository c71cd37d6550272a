"""The view: what a model may fill in. Arguments in, a validated instance of the author's own class out.

Not here: how the view is written as JSON Schema. `json_schema` does that.
"""

import re
import types
from collections.abc import Mapping
from typing import Any, cast

from pydantic import BaseModel, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, ErrorDetails, core_schema, to_json

from charter.errors import FieldProblem, ToolValidationError
from charter.fields import ModelGraph
from charter.plan import Plan
from charter.schema.arguments import ArgumentReader
from charter.schema.effort import MAX_EFFORT, count_effort
from charter.schema.json_schema import render_parameters
from charter.schema.receiving import Received, receive_arguments
from charter.schema.telling import join_path, shorten, show
from charter.shapes import Shape

__all__ = ["build_view_model", "validate_arguments", "validate_received"]

_FEW = 16
"""Options of unions that may be read without a thought for how they lie within each other."""

_NAME = re.compile(r"\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b")
"""A Python name that no sentence holds by chance."""

_LABELS = dict.fromkeys(("list", "set", "frozenset", "tuple"), "list") | {"dict": "map"}
"""How Pydantic's labels of the options of a union begin, and what shape that is."""


def validate_arguments(plan: Plan, arguments: Any) -> BaseModel:
    """Validate what a model sent against the args class.

    Raises:
        ToolValidationError: with every problem found, by wire name.
    """
    return validate_received(plan, receive_arguments(plan.tool, plan.root.model, arguments))


def validate_received(plan: Plan, received: Received) -> BaseModel:
    """Validate arguments that were received.

    Raises:
        ToolValidationError: with every problem found, by wire name.
    """
    reader = ArgumentReader(plan.graph, received.volume)
    values = reader.read(received.values, plan.root, plan.projection)
    problems = reader.problems
    shape = Shape("model", model=plan.root.model)
    if reader.union_readings > _FEW and count_effort(plan.graph, values, shape) > MAX_EFFORT:
        problem = "too many unions lie within each other to be told apart; send less"
        raise ToolValidationError.of_fields(plan.tool, [{"field": "", "problem": problem}])
    try:
        instance = _validate(plan.root.model, values)
    except ValidationError as error:
        told, settled = {problem["field"] for problem in problems}, set(reader.settled)
        found = _read_problems(plan, error, reader.chosen) or _read_problems(plan, error, {})
        problems += [
            one for one in found if one["field"] not in told and not _is_below(one["field"], settled)
        ]
    else:
        if not problems:
            return instance
    raise ToolValidationError.of_fields(plan.tool, _merge(problems))


def _validate(model: type[BaseModel], values: dict[str, Any]) -> BaseModel:
    """Validate values as Python, so that a host may give objects, and where that fails as the JSON they came as.

    A strict model, and a closed set of enum members, take from Python only what no JSON holds.
    """
    try:
        return model.model_validate(values, by_name=True, by_alias=False)
    except ValidationError as error:
        first = error
    try:
        return model.model_validate_json(to_json(values), by_name=True, by_alias=False)
    except ValidationError as error:
        raise error if error.error_count() < first.error_count() else first from None
    except (ValueError, TypeError):  # what cannot be written as JSON
        raise first from None


def build_view_model(plan: Plan) -> type[BaseModel]:
    """Build the Pydantic model that a model fills in: its schema is what is sent, its validation what is executed."""

    def validate(value: Any) -> Any:
        if isinstance(value, plan.root.model):
            return value
        try:
            return validate_arguments(plan, value)
        except ToolValidationError as error:
            raise ValueError(str(error)) from None

    def core(_cls: Any, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(validate)

    def json_schema(_cls: Any, *_args: Any, **_kwargs: Any) -> dict[str, Any]:
        return render_parameters(plan)

    base = plan.root.model
    namespace = {
        "__module__": base.__module__,
        "__doc__": base.__doc__,
        "__get_pydantic_core_schema__": classmethod(core),
        "model_json_schema": classmethod(json_schema),
    }
    return cast(
        "type[BaseModel]",
        types.new_class(base.__name__, (base,), exec_body=lambda body: body.update(namespace)),
    )


def _read_problems(plan: Plan, error: ValidationError, chosen: Mapping[str, Shape]) -> list[FieldProblem]:
    told = error.errors(include_url=False, include_context=False)
    return [problem for details in told if (problem := _read_problem(plan, details, chosen))]


def _read_problem(plan: Plan, details: ErrorDetails, chosen: Mapping[str, Shape]) -> FieldProblem | None:
    """Spell one of Pydantic's problems; None for one of an option that the value was not read as."""
    path = _wire_path(plan.graph, Shape("model", model=plan.root.model), details["loc"], chosen)
    if path is None:
        return None
    message = details["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    message = shorten(message)
    if details["type"] in ("value_error", "assertion_error"):
        message = _NAME.sub(lambda found: _spell(found[0], plan.graph), message)
    if details["type"] == "missing":
        return {"field": path, "problem": "is missing"}
    shown = show(details["input"])
    is_whole = isinstance(details["input"], (dict, BaseModel))
    return {"field": path, "problem": message if is_whole else f"{message}, got {shown}"}


def _spell(name: str, graph: ModelGraph) -> str:
    """Return the wire name that the model sees for a Python name in an author's own sentence."""
    wires = {model.fields[name].wire for model in graph.values() if name in model.fields}
    return wires.pop() if len(wires) == 1 else name


def _wire_path(
    graph: ModelGraph, shape: Shape, location: tuple[int | str, ...], chosen: Mapping[str, Shape]
) -> str | None:
    """Spell Pydantic's location by wire names; the steps it adds for unions and validators are left out."""
    path = ""
    for step in location:
        option = chosen.get(path)
        if shape.kind == "union" and option and not shape.is_chosen:
            if _is_of_other(step, option, shape):
                return None
            shape = option
            continue
        shape, key = _step(graph, shape, step)
        if key is not None:
            path = join_path(path, key)
    return path


def _is_of_other(label: int | str, option: Shape, union: Shape) -> bool:
    """Whether Pydantic's label of an option, within a union, is of another than this one."""
    text = str(label)
    inner = text.rpartition(", ")[2].rstrip("]") if text.startswith("function-") else text
    if any(each.model and each.model.__name__ == inner for each in union.items):
        return option.model is None or option.model.__name__ != inner
    kind = _LABELS.get(inner.partition("[")[0], "scalar")
    return kind != option.kind if option.kind in ("list", "map", "scalar") else option.model is not None


def _step(graph: ModelGraph, shape: Shape, step: int | str) -> tuple[Shape, int | str | None]:
    for option in _options(shape):
        if option.kind == "model" and option.model and step in graph[option.model].fields:
            field = graph[option.model].fields[str(step)]
            return field.shape, field.wire
        if option.kind == "list" and isinstance(step, int):
            return option.items[min(step, len(option.items) - 1)], step
        if option.kind == "map" and isinstance(step, str):
            return option.items[0], step
    return shape, None


def _options(shape: Shape) -> list[Shape]:
    if shape.kind in ("union", "root"):
        return [inner for item in shape.items for inner in _options(item)]
    return [shape]


def _is_below(path: str, settled: set[str]) -> bool:
    return any(path[:at] in settled for at, character in enumerate(path) if character == ".")


def _merge(problems: list[FieldProblem]) -> list[FieldProblem]:
    """Merge what the options of a union each said of the same field."""
    merged: dict[str, list[str]] = {}
    for problem in problems:
        told = merged.setdefault(problem["field"], [])
        if problem["problem"] not in told:
            told.append(problem["problem"])
    return [{"field": field, "problem": " or ".join(told)} for field, told in merged.items()]
