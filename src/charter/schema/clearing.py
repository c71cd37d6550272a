"""Null that clears: which fields it reaches, and how it is read where null itself says nothing.

Not here: everything else that null may stand for. `arguments` takes that as not given.
"""

from collections.abc import Mapping
from typing import Any, cast

from charter.errors import FieldProblem
from charter.fields import FieldPlan, ModelPlan
from charter.projection import Projection
from charter.schema.receiving import Volume, unpack_json
from charter.schema.respelling import SET_TO_NULL
from charter.schema.telling import tell_kind

__all__ = ["is_cleared", "read_cleared"]


def is_cleared(field: FieldPlan, projection: Projection) -> bool:
    """Whether null clears the field: not where that would reach what a projection withholds or pins below it."""
    return field.is_clearable and projection.under(field.wire).is_whole


def read_cleared(
    value: Mapping[str, Any], plan: ModelPlan, projection: Projection
) -> tuple[dict[str, Any], list[FieldProblem]]:
    """Read an object that names what null clears: null for that alone, without what was not given; and what is wrong.

    A name that is no argument stays, for the reader of arguments to refuse.
    """
    given: dict[Any, Any] = {}
    for key, child in value.items():
        field = plan.find(key)
        if key != SET_TO_NULL and (child is not None or (field and field.is_required)):
            given[key] = child
    names = _read_names(value[SET_TO_NULL])
    if not isinstance(names, list):
        problem = f"must be a list of names, got {tell_kind(names)}"
        return given, [{"field": SET_TO_NULL, "problem": problem}]
    problems: list[FieldProblem] = []
    set_already = {field.wire for key in given if (field := plan.find(key))}
    for name in cast("list[Any]", names):
        field = plan.find(name) if isinstance(name, str) else None
        if field is None or projection.hides(field.wire):
            given[str(name)] = None
        elif not is_cleared(field, projection):
            problems.append({"field": field.wire, "problem": "cannot be set to null"})
        elif field.wire in set_already:
            problems.append({"field": field.wire, "problem": "has a value and is set to null"})
        else:
            given[field.wire] = None
    return given, problems


def _read_names(names: Any) -> Any:
    """Return the list that was given, also as JSON text; no list at all names nothing."""
    if names is None:
        return []
    return unpack_json(names, Volume())[0] if isinstance(names, str) else names
