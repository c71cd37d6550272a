"""Tags: constants of a model by which one option of a union is told from another.

Not here: reading a value as each option. `arguments` does that.
"""

from collections.abc import Mapping
from typing import Any, cast

from charter.fields import ModelGraph
from charter.projection import Projection
from charter.schema.telling import tell_names
from charter.shapes import Shape

__all__ = ["find_untold"]


def find_untold(graph: ModelGraph, value: Any, option: Shape, projection: Projection) -> dict[str, str]:
    """Find the tags of an option that a value does not give: wire name -> what the tag would be."""
    if option.kind != "model" or not option.model or not isinstance(value, Mapping):
        return {}
    plan = graph[option.model]
    keys = [key for key in cast("Mapping[Any, Any]", value) if isinstance(key, str)]
    given = {field.name for key in keys if (field := plan.find(key))}
    return {
        field.wire: tell_names([str(literal) for literal in field.shape.literals])
        for field in plan.visible()
        if field.is_constant and field.name not in given and not projection.hides(field.wire)
    }
