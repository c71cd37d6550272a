"""A decoder of queries and forms that shares nothing with the encoder, and values to try it on.

It knows the styles from their specifications: OpenAPI's form and deepObject, and the brackets of PHP and Rails. It
splits before it decodes.
"""

import re
from typing import Any
from urllib.parse import unquote

from hypothesis import strategies as st

from charter.markers import QueryStyle

KEYS = st.text(st.characters(codec="utf-8", exclude_characters="[]"), min_size=1, max_size=5)
SCALARS = (
    st.text(st.characters(codec="utf-8"), max_size=6)
    | st.integers()
    | st.booleans()
    | st.floats(allow_nan=False, allow_infinity=False)
)


NESTED = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3) | st.dictionaries(KEYS, inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)


def text_of(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(float(value)) if isinstance(value, float) else str(value)


def is_same(decoded: Any, value: Any) -> bool:
    """Whether a decoded text is the value; a number may be written in any way that reads back as it."""
    if isinstance(value, float):
        return isinstance(decoded, str) and float(decoded) == value
    if isinstance(value, dict):
        return (
            isinstance(decoded, dict)
            and decoded.keys() == value.keys()
            and all(is_same(decoded[k], value[k]) for k in value)
        )
    if isinstance(value, list):
        return isinstance(decoded, list) and len(decoded) == len(value) and all(map(is_same, decoded, value))
    return decoded == text_of(value)


def split_pairs(query: str) -> list[tuple[str, str]]:
    return [(unquote(name), value) for name, _, value in (pair.partition("=") for pair in query.split("&"))]


def decode_list(query: str, style: QueryStyle) -> tuple[set[str], list[str]]:
    pairs = split_pairs(query)
    if style == "comma":
        [(name, joined)] = pairs
        return {name}, [unquote(part) for part in joined.split(",")]
    return {name for name, _ in pairs}, [unquote(value) for _, value in pairs]


def decode_deep(query: str) -> Any:
    root: dict[str, Any] = {}
    for name, value in split_pairs(query):
        first, *steps = re.split(r"\]\[|\[|\]$", name)
        node = root
        for step, after in zip([first, *steps], [*steps, ""], strict=False):
            if after == "":
                node[step] = unquote(value)
                break
            node = node.setdefault(step, {})
    return root


def fold_lists(node: Any, value: Any) -> Any:
    """Give the text the lists that the value has: brackets alone do not tell `[0]` from a key `0`."""
    if isinstance(value, list):
        return (
            [fold_lists(node[str(at)], item) for at, item in enumerate(value)]
            if len(node) == len(value)
            else node
        )
    if isinstance(value, dict):
        return (
            {key: fold_lists(node[key], child) for key, child in value.items()}
            if node.keys() == value.keys()
            else node
        )
    return node
