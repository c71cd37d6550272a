"""Values that came from outside: told apart, and read whether they are dicts or objects.

What it should be is said where it is used.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard, cast

from charter.schema.receiving import MAX_ITEMS, read_text

__all__ = [
    "clean_text",
    "get",
    "is_deep",
    "is_list",
    "is_mapping",
    "read_json",
    "read_names",
    "say_value",
    "to_plain",
]

MAX_DEPTH = 201
"""Levels of objects and lists in each other that a model may write: what the reader of its JSON goes down to."""


_HOLDERS = frozenset({dict, list, tuple})
_PLAIN = frozenset({str, int, float, bool, type(None)})


def get(value: Any, key: str) -> Any:
    """Return a member of a dict or an attribute of an object, or None.

    >>> get({"id": 1}, "id"), get(1j, "imag"), get(None, "id")
    (1, 1.0, None)
    """
    if is_mapping(value):
        return value.get(key)
    try:
        return getattr(value, key, None)
    except Exception:  # a property of a foreign object that fails says nothing
        return None


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Tell whether a value from outside is an object."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Tell whether a value from outside is a list."""
    return isinstance(value, list | tuple)


def read_names(value: object) -> list[str] | None:
    """Return a list of texts as it is, and None for anything else.

    >>> read_names(["a", 1]) is None
    True
    """
    return list(value) if is_list(value) and all(isinstance(one, str) for one in value) else None


def read_json(text: str) -> Any:
    """Read JSON that a model wrote. `NaN`, `Infinity` and halves of a character are none.

    Raises:
        ValueError: it is none and the text says where, gives a key twice, or holds more than one call may.
    """
    value, problem = read_text(clean_text(text))
    if not problem and is_deep(value):
        problem = "not JSON that can be read (it is nested too deeply)"
    if not problem and ("\\ud" in text or "\\uD" in text) and not _is_whole(value):
        problem = "not JSON (it holds half of a character)"
    if problem:
        raise ValueError(problem)
    return value


def _is_whole(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except ValueError:
        return False
    return True


def is_deep(value: object) -> bool:
    """Tell whether objects and lists are nested deeper than JSON text may be, or in themselves."""
    level: list[Any] = [value] if _holds(value) else []
    for _ in range(MAX_DEPTH):
        # By identity, so that one list that is held a hundred times is looked into once.
        below = {id(held): held for one in level for held in _read_members(one) if _holds(held)}
        if not below:
            return False
        level = list(below.values())
    return True


def _holds(value: object) -> bool:
    # The kinds that JSON makes are told at once; there may be a hundred thousand of them.
    return type(value) in _HOLDERS or (type(value) not in _PLAIN and (is_mapping(value) or is_list(value)))


def _read_members(value: Any) -> Iterable[Any]:
    if len(value) > MAX_ITEMS:
        return ()  # whoever takes it refuses so many
    if type(value) is not list and is_mapping(value):
        return value.values()
    return cast("Iterable[Any]", value)


def clean_text(text: str) -> str:
    r"""Return text that can be encoded: halves of a character are joined, or replaced where one is alone.

    >>> clean_text("\ud83d\ude00 \ud83d") == "\N{GRINNING FACE} ?"
    True
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        return joined.encode("utf-8", "replace").decode()
    return text


def say_value(value: object, limit: int = 40) -> str:
    """Return a value as a refusal names it: short, in any encoding, whatever its own `repr` does.

    >>> say_value(-(10**5000)), say_value("x" * 50, 8)
    ('a value of type int', "'xxxxxx…")
    """
    try:
        text = repr(value[:limit] if isinstance(value, str | bytes) else value)
    except Exception:  # numbers of thousands of digits, lists in lists, and foreign objects
        return f"a value of type {type(value).__name__}"
    return clean_text(text if len(text) <= limit else text[: limit - 1] + "…")


def to_plain(value: Any) -> Any:
    """Return a client's own object as the dict it came from: what was never set is left out.

    >>> to_plain({"id": 1})
    {'id': 1}
    """
    if is_mapping(value):
        return dict(value)
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_unset=True, by_alias=True, warnings=False)
    if is_list(value):
        return [to_plain(one) for one in value]
    held = getattr(value, "__dict__", None)
    return {name: to_plain(one) for name, one in held.items()} if is_mapping(held) else value
