"""How much work Pydantic would do on arguments: it tries every option of a union, and those inside each of them again.

Not here: validation. Unions with a discriminator are chosen, not tried.
"""

from collections.abc import Mapping
from typing import Any, cast

from charter.fields import ModelGraph
from charter.shapes import Shape

__all__ = ["MAX_EFFORT", "count_effort"]

MAX_EFFORT = 25_000
"""Values that validating one call's arguments may look at, each as often as it is tried: all threads wait for it."""


def count_effort(graph: ModelGraph, value: Any, shape: Shape) -> int:
    """Count how many values are looked at when `value`, by Python names, is validated as `shape`.

    Linear in the value, whatever the count: each part is counted once for each type it is tried as.
    """
    return _Counter(graph).count(value, shape)


class _Counter:
    def __init__(self, graph: ModelGraph) -> None:
        self._graph = graph
        self._counted: dict[tuple[int, Shape], int] = {}

    def count(self, value: Any, shape: Shape) -> int:
        if not isinstance(value, (Mapping, list, tuple)):
            return 1
        key = (id(cast("Any", value)), shape)
        if key not in self._counted:
            self._counted[key] = 1 + self._count_inside(value, shape)
        return self._counted[key]

    def _count_inside(self, value: Any, shape: Shape) -> int:
        match shape.kind:
            case "root" | "union":
                tried = [self.count(value, option) for option in shape.items]
                return max(tried) if shape.is_chosen else sum(tried)
            case "model" if isinstance(value, Mapping) and shape.model:
                fields = self._graph[shape.model].fields
                members = cast("Mapping[str, Any]", value)
                return sum(
                    self.count(child, fields[key].shape) for key, child in members.items() if key in fields
                )
            case "map" if isinstance(value, Mapping):
                return sum(
                    self.count(child, shape.items[0]) for child in cast("Mapping[str, Any]", value).values()
                )
            case "list" if isinstance(value, (list, tuple)):
                items = cast("list[Any]", value)
                if shape.pairs and len(items) != len(shape.items):
                    return 0
                return sum(self.count(child, shape.item(at)) for at, child in enumerate(items))
            case _:
                return 0
