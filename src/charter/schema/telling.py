"""How refusals are worded: paths, names and values, short enough for a message and safe in any encoding.

Not here: what is refused.
"""

import reprlib
from typing import Any

__all__ = ["join_path", "shorten", "show", "tell_key", "tell_kind", "tell_names"]

_LONGEST_KEY = 80
_LONGEST_SENTENCE = 500
_MOST_NAMES = 12

_KINDS: dict[Any, str] = {bool: "a boolean", int: "a number", float: "a number", type(None): "null"}

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 60


def join_path(path: str, key: str | int) -> str:
    """Join a dotted path and one more key; an empty key is the path itself.

    >>> join_path("items", 0), join_path("", "id"), join_path("items.0", "")
    ('items.0', 'id', 'items.0')
    """
    return f"{path}.{key}" if path and key != "" else path or str(key)


def show(value: Any) -> str:
    """Show a refused value, shortened.

    >>> show("x" * 1000), show(10**10_000)
    ("'xxxxxxxxxxxxxxxxxxxxxxxxxxx...xxxxxxxxxxxxxxxxxxxxxxxxxxxx'", 'a very long int')
    """
    try:
        return _short.repr(value)
    except Exception:
        return f"a very long {type(value).__name__}"


def shorten(sentence: str) -> str:
    """Return a sentence of somebody else's, cut where it is long.

    >>> shorten("x" * 1000) == "x" * 499 + "…"
    True
    """
    return sentence if len(sentence) <= _LONGEST_SENTENCE else f"{sentence[: _LONGEST_SENTENCE - 1]}…"


def tell_key(key: Any) -> str:
    """Write a key, whatever it is, as short text in ASCII."""
    return str(key)[:_LONGEST_KEY].encode("ascii", "backslashreplace").decode()


def tell_kind(value: Any) -> str:
    """Say what kind of value was given where an object is wanted."""
    told = _KINDS.get(type(value), "something that JSON has not")
    if isinstance(value, (str, bytes)):
        return "text that is no JSON object"
    return "a list" if isinstance(value, (list, tuple)) else told


def tell_names(names: list[str]) -> str:
    """Enumerate names, the first few of many.

    >>> tell_names(["a", "b"]), tell_names([])
    ('a, b', 'none')
    """
    shown = ", ".join(names[:_MOST_NAMES]) or "none"
    return f"{shown}, …" if len(names) > _MOST_NAMES else shown
