"""Filling a route's holes so that no value can leave its segment.

Not here: reading the template. `charter.route` does that.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from urllib.parse import quote, unquote

from charter.errors import ToolValidationError
from charter.normalizing import normalize_each
from charter.route import Route

__all__ = ["encode_segment", "fill_route"]

_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,1000}")
"""What needs no look: most identifiers."""
_LONGEST = 8_192
"""Characters of one value; no server takes a longer path."""
_DECODINGS = 3
"""How often a server, a proxy and a framework may each decode a path before it is used."""


def fill_route(
    route: Route, values: Mapping[str, str | Sequence[str]], spanning: frozenset[str], tool: str
) -> str:
    """Fill the holes and return the path, percent-encoded; `spanning` names the holes that may hold slashes.

    The items of a list are encoded one by one and parted by commas.

    Raises:
        ToolValidationError: a value is empty, too long, a dot segment however encoded, or holds a control character.
    """
    path = route.parts[0]
    for hole, part in zip(route.holes, route.parts[1:], strict=True):
        value = values[hole]
        items = [value] if isinstance(value, str) else value or [""]
        where, spans = f"{tool}: {hole}", hole in spanning
        _check_length(sum(map(len, items)), where)
        path += ",".join(_encode_item(item, where, spans=spans) for item in items) + part
    return path


def _encode_item(value: str, where: str, *, spans: bool) -> str:
    pieces = value.split("/") if spans else [value]
    return "/".join(encode_segment(piece, where) for piece in pieces)


def encode_segment(value: str, where: str) -> str:
    """Percent-encode one path segment.

    >>> encode_segment("a/b?c", "show: id")
    'a%2Fb%3Fc'

    Raises:
        ToolValidationError: the value is empty, too long, a dot segment however encoded, or holds a control character.
    """
    if _PLAIN.fullmatch(value):
        return value
    if not value:
        raise _refuse(where, "is empty")
    _check_length(len(value), where)
    text = value
    for _ in range(_DECODINGS + 1):
        _check_decoded(text, where)
        decoded = unquote(text)
        if decoded == text:
            break
        text = decoded
    return quote(value, safe="")


def _check_length(size: int, where: str) -> None:
    if size > _LONGEST:
        raise _refuse(where, f"is longer than {_LONGEST} characters")


def _check_decoded(text: str, where: str) -> None:
    folded = normalize_each(text)
    if any(unicodedata.category(character) == "Cc" for character in set(folded)):
        raise _refuse(where, "holds a control character")
    for piece in folded.replace("\\", "/").split("/"):
        if piece.split(";")[0].strip() in (".", ".."):
            raise _refuse(where, "holds a dot segment")


def _refuse(where: str, problem: str) -> ToolValidationError:
    tool, _, field = where.partition(": ")
    return ToolValidationError.of_fields(tool, [{"field": field, "problem": problem}])
