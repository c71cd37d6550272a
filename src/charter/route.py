"""A tool's route: a relative path template with `{holes}`.

Not here: filling the holes. `wire.path` does that.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from charter.errors import DeclarationError

__all__ = ["Route", "find_shared_holes", "read_route"]

_HOLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_.-]*)\}")
_FORBIDDEN = re.compile(r"[?#\\\s\x00-\x1f]|://|^//")


@dataclass(frozen=True, slots=True)
class Route:
    """A path template, split at its holes: `parts` has one literal more than `holes` has names."""

    template: str
    parts: tuple[str, ...]
    holes: tuple[str, ...]


def read_route(template: str, where: str) -> Route:
    """Split a template at its holes.

    >>> read_route("v1/refunds/{refund}/cancel", "refunds_cancel").parts
    ('v1/refunds/', '/cancel')

    Raises:
        DeclarationError: the template is not a relative path, or names a hole twice.
    """
    relative = template.removeprefix("/")
    bare = _HOLE.sub("", relative)
    if _FORBIDDEN.search(template) or "{" in bare or "}" in bare:
        raise DeclarationError(
            f"{where}: route {template!r} is not a relative path with {{holes}}. "
            "Put the host in base_url and parameters in the args class."
        )
    if any(segment in (".", "..") for segment in relative.split("/")):
        raise DeclarationError(f"{where}: route {template!r} has a dot segment. Write the path in full.")
    pieces = _HOLE.split(relative)
    holes = tuple(pieces[1::2])
    if len(set(holes)) != len(holes):
        raise DeclarationError(f"{where}: route {template!r} names a hole twice. Rename one.")
    return Route(template, tuple(pieces[0::2]), holes)


def find_shared_holes(routes: Sequence[Route]) -> frozenset[str]:
    """Find the holes that every one of the routes has.

    >>> sorted(find_shared_holes([read_route("a/{x}/{y}", "t"), read_route("b/{x}", "t")]))
    ['x']
    """
    return frozenset(routes[0].holes).intersection(*(route.holes for route in routes))
