"""Values written as name-value pairs, for a query or a form.

Not here: JSON bodies. `body` writes those.
"""

from typing import Any, cast
from urllib.parse import quote

from pydantic_core import to_json

from charter.errors import TransformError
from charter.markers import QueryStyle

__all__ = ["Pair", "encode_pairs", "flatten", "write_scalar"]

_SIGNS = {"pipe": "|", "space": " "}

Pair = tuple[str, tuple[str, ...]]
"""A name and its values, which share one pair and are parted by commas."""


def write_scalar(value: Any) -> str:
    """Write a JSON scalar as the text a URL or a header carries.

    >>> write_scalar(True), write_scalar(1.5), write_scalar("x")
    ('true', '1.5', 'x')
    """
    return value if isinstance(value, str) else to_json(value).decode()


def flatten(name: str, value: Any, style: QueryStyle, *, null: str | None = None) -> list[Pair]:
    """Write one value as pairs in a style. Empty lists leave no pair, nor does None unless `null` stands for it.

    Raises:
        TransformError: a key holds a bracket, an item the sign that parts items, or a member cannot be spread.

    >>> flatten("a", [1, 2], "pipe"), flatten("a", {"b": 1, "c": [2]}, "spread")
    ([('a', ('1|2',))], [('b', ('1',)), ('c', ('2',))])
    >>> flatten("a", [1, 2], "repeat"), flatten("a", [1, 2], "comma"), flatten("a", {"b": [1]}, "deep")
    ([('a', ('1',)), ('a', ('2',))], [('a', ('1', '2'))], [('a[b][0]', ('1',))])
    """
    if value is None:
        return [] if null is None else [(name, (null,))]
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value).items()
        if style == "spread":
            return [pair for key, child in members for pair in _spread(name, key, child)]
        return [
            pair for key, child in members for pair in flatten(_member(name, key), child, style, null=null)
        ]
    if not isinstance(value, list):
        return [(name, (write_scalar(value),))]
    items = [item for item in cast("list[Any]", value) if item is not None]
    match style:
        case "comma":
            return [(name, tuple(write_scalar(item) for item in items))] if items else []
        case "pipe" | "space":
            return [(name, (_join(name, items, _SIGNS[style]),))] if items else []
        case "deep":
            names = [f"{name}[{at}]" for at in range(len(items))]
        case "bracket":
            names = [f"{name}[]"] * len(items)
        case "repeat" | "spread":
            names = [name] * len(items)
    return [
        pair
        for each, item in zip(names, items, strict=True)
        for pair in flatten(each, item, style, null=null)
    ]


def _join(name: str, items: list[Any], sign: str) -> str:
    """Join items by a sign that is encoded like any other, so that none of them may hold it."""
    texts = [write_scalar(item) for item in items]
    for text in texts:
        if sign in text:
            raise TransformError(
                f"{name}: {text[:60]!r} holds {sign!r}, which parts the items. Leave it out."
            )
    return sign.join(texts)


def _spread(name: str, key: str, value: Any) -> list[Pair]:
    items = cast("list[Any]", value) if isinstance(value, list) else [value]
    if any(isinstance(item, (dict, list)) for item in items):
        raise TransformError(
            f"{name}: its member {key[:60]!r} is no plain value. Give a text, a number or a list."
        )
    return flatten(key, value, "repeat")


def _member(name: str, key: str) -> str:
    if "[" in key or "]" in key:
        raise TransformError(f"{name}: the key {key[:60]!r} would name another member. Leave out [ and ].")
    return f"{name}[{key}]"


def encode_pairs(pairs: list[Pair]) -> str:
    """Percent-encode pairs; only the commas that part values stay as they are.

    >>> encode_pairs([("a[b]", ("x&y",)), ("c", ("1,2", "3"))])
    'a%5Bb%5D=x%26y&c=1%2C2,3'
    """
    return "&".join(f"{_quote(name)}={','.join(map(_quote, values))}" for name, values in pairs)


def _quote(text: str) -> str:
    return quote(text, safe="")
