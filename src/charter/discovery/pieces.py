"""Values that a stream brings in pieces, put together whatever their names: what was received is what goes back.

Where an answer's pieces are in an event is its adapter's.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from charter.discovery.given import is_list, is_mapping

__all__ = ["add_piece"]

_LABELS = frozenset({"format", "id", "index", "name", "object", "role", "status", "type"})
"""Texts that come whole, and may come again with each piece."""
_TEXTS = frozenset({"content", "reasoning", "reasoning_content", "refusal", "summary", "text", "thinking"})
"""Texts in which a piece may well be all there was before it, such as "ha" and "ha"."""


def add_piece(held: Mapping[str, Any], piece: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object with a piece of it added; neither is changed.

    Texts are joined, objects and lists with an `index` are added to in depth, other lists grow, and of anything
    else the last one stays. A label or a whole text that is said again is not doubled.

    >>> add_piece({"type": "text", "text": "ha"}, {"type": "text", "text": "ha"})
    {'type': 'text', 'text': 'haha'}
    >>> add_piece({"parts": [{"index": 0, "data": "a"}]}, {"parts": [{"index": 0, "data": "b"}]})
    {'parts': [{'index': 0, 'data': 'ab'}]}
    """
    said = {name: value for name, value in piece.items() if value is not None}
    return {**held, **{name: _join(name, held.get(name), value) for name, value in said.items()}}


def _join(name: str, held: Any, new: Any) -> Any:
    if isinstance(held, str) and isinstance(new, str):
        if name in _LABELS:
            return new or held
        return held if new == held and name not in _TEXTS else held + new
    if is_mapping(new):
        return add_piece(held if is_mapping(held) else {}, new)
    if is_list(held) or is_list(new):
        return _join_lists(_as_list(held), _as_list(new))
    return new


def _as_list(value: Any) -> Sequence[Any]:
    """Return parts as they are, and the text of a server that writes some answers in parts as one."""
    if is_list(value):
        return value
    return [{"type": "text", "text": value}] if value else []


def _join_lists(held: Sequence[Any], new: Sequence[Any]) -> list[Any]:
    joined = list(held)
    for item in new:
        place = next((at for at in reversed(range(len(joined))) if _is_same(joined[at], item)), None)
        if place is None:
            joined.append(add_piece({}, item) if is_mapping(item) else item)
        else:
            joined[place] = add_piece(joined[place], item)
    return joined


def _is_same(held: Any, piece: Any) -> bool:
    """Tell whether a piece is of the item that is held: some servers give all of them one number."""
    if not is_mapping(held) or not is_mapping(piece) or piece.get("index") is None:
        return False
    one, other = cast("Mapping[str, Any]", held), cast("Mapping[str, Any]", piece)
    told = (name for name in ("index", "id", "type") if one.get(name) and other.get(name))
    return one.get("index") == other.get("index") and all(one[name] == other[name] for name in told)
