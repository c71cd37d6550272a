"""Values that came from outside: told apart, and read whether they are dicts or objects.

What it should be is said where it is used.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

__all__ = ["get", "is_list", "is_mapping", "read_json", "read_names", "to_plain"]


def get(value: Any, key: str) -> Any:
    """Return a member of a dict or an attribute of an object, or None.

    >>> get({"id": 1}, "id"), get(1j, "imag"), get(None, "id")
    (1, 1.0, None)
    """
    return value.get(key) if is_mapping(value) else getattr(value, key, None)


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
    """Read JSON that a model wrote.

    Raises:
        ValueError: it is none, or nested too deeply to be read.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


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
