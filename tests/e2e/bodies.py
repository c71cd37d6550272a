"""The bytes that a model's provider was sent, and whether its list of tools stayed or grew."""

import json
from collections.abc import Sequence
from itertools import pairwise

from tests.counterparties.aimock import Aimock

_DECODER = json.JSONDecoder()


def read_member(body: str, *path: str) -> str:
    """Return the text of a member, as it is written in the body."""
    for name in path:
        body = _find(body, name)
    return body


def _find(text: str, wanted: str) -> str:
    place = 1 if text[0] == "{" else 0
    while True:
        place += len(text[place:]) - len(text[place:].lstrip(" \n,"))
        name, place = _DECODER.raw_decode(text, place)
        place += len(text[place:]) - len(text[place:].lstrip(" \n:"))
        begin = place
        _, place = _DECODER.raw_decode(text, place)
        if name == wanted:
            return text[begin:place]


def read_tools(aimock: Aimock, *path: str) -> list[str]:
    """Return the text of each request's list of tools."""
    return [read_member(sent.body.decode(), *(path or ("tools",))) for sent in aimock.requests()]


def is_growing(lists: Sequence[str]) -> bool:
    """Whether each list's bytes, but for the bracket at the end, begin the next one."""
    return len(set(map(len, lists))) > 1 and all(
        later.startswith(earlier[:-1]) for earlier, later in pairwise(lists)
    )


def is_steady(lists: Sequence[str]) -> bool:
    """Whether the lists are the same bytes."""
    return len(lists) > 1 and len(set(lists)) == 1
