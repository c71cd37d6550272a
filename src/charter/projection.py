"""A projection: which fields of an args model are withheld or pinned, as a frozen tree by wire name.

Not here: making one from selectors. `schema.narrow` does that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["WHOLE", "Projection"]


@dataclass(frozen=True, slots=True)
class Projection:
    """What is withheld at one object, and below it. Lists, maps and unions are gone through without a step."""

    hidden: frozenset[str] = frozenset()
    pins: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Wire name -> the value that is always sent, and that the model neither sees nor gives."""
    below: Mapping[str, "Projection"] = field(default_factory=dict[str, "Projection"])

    def hides(self, wire: str) -> bool:
        """Whether the model does not see this field."""
        return wire in self.hidden or wire in self.pins

    def under(self, wire: str) -> "Projection":
        """Return the projection of the objects in this field."""
        return self.below.get(wire, WHOLE)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is withheld here or below."""
        return not (self.hidden or self.pins or self.below)

    @property
    def has_pins(self) -> bool:
        """Whether something is pinned here or below."""
        return bool(self.pins) or any(projection.has_pins for projection in self.below.values())

    def merged(self, other: "Projection") -> "Projection":
        """Return what is left when both withhold and pin."""
        names = {*self.below, *other.below}
        return Projection(
            self.hidden | other.hidden,
            {**self.pins, **other.pins},
            {name: self.under(name).merged(other.under(name)) for name in sorted(names)},
        )


WHOLE = Projection()
"""Nothing withheld."""
