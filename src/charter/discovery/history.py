"""What of a model's answer is sent back to it: calls with ids, names and arguments that any server takes.

How a provider writes them is its adapter's; what a call is told of its own faults is `turn.py`'s.
"""

import json
import os
import re
from collections.abc import Iterable
from typing import Any

from charter.discovery.given import clean_text, is_deep, is_list, is_mapping, read_json, say_value
from charter.discovery.qualified import MAX_NAME

__all__ = ["clean", "fill_ids", "is_blank", "keep_arguments", "keep_name", "keep_object"]

_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")


def fill_ids(given: Iterable[Any]) -> list[str]:
    """Return the ids of one turn's calls: as they came, made where there is none, and each of them once.

    A made one is nine letters and digits, which every server takes.

    >>> fill_ids(["a", 5, "a"])[:2], len(set(fill_ids(["a", None, "", "a"])))
    (['a', '5'], 4)
    """
    ids: dict[str, None] = {}
    for one in given:
        key = clean_text(one) if isinstance(one, str) else say_value(one) if isinstance(one, int) else ""
        while not key.strip() or key in ids:
            key = os.urandom(5).hex()[:9]
        ids[key] = None
    return list(ids)


def keep_name(name: str) -> str:
    """Return a tool's name as servers take it back, also one that the model made up.

    >>> keep_name("functions.shop:buy"), keep_name("")
    ('functions_shop_buy', 'unnamed')
    """
    return _NO_NAME.sub("_", name)[:MAX_NAME] or "unnamed"


def keep_object(arguments: Any) -> dict[str, Any]:
    """Return arguments as the object that servers take back: empty where they are none, or cannot be read.

    >>> keep_object('{"a": 1'), keep_object('{"a": 1}'), keep_object([1])
    ({}, {'a': 1}, {})
    """
    if isinstance(arguments, str):
        try:
            arguments = read_json(arguments)
        except ValueError:
            return {}
        return dict(arguments) if is_mapping(arguments) else {}
    if not is_mapping(arguments) or is_deep(arguments):
        return {}
    return clean(arguments)


def keep_arguments(arguments: Any) -> str:
    """Return arguments as the JSON text that servers take back: as it came, where it is one object's.

    >>> keep_arguments('{"a":  1}'), keep_arguments(""), keep_arguments({"a": 1})
    ('{"a":  1}', '{}', '{"a": 1}')
    """
    kept = keep_object(arguments)
    is_theirs = isinstance(arguments, str) and (kept or arguments.strip() == "{}")
    return arguments if is_theirs else json.dumps(kept, default=say_value)


def clean(value: Any) -> Any:
    """Return JSON in which every text can be encoded, and every name is text."""
    if isinstance(value, str):
        return clean_text(value)
    if is_mapping(value):
        return {
            clean_text(name if isinstance(name, str) else str(name)): clean(one)
            for name, one in value.items()
        }
    return [clean(one) for one in value] if is_list(value) else value


def is_blank(text: Any) -> bool:
    """Tell whether a text says nothing, which some servers refuse to be sent back."""
    return not isinstance(text, str) or not text.strip()
