"""What a search query asks for: named tools, or needs in words.

No ranking here (see `index.py`) and no tool is looked up (see `names.py`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from charter.discovery.given import is_list

__all__ = ["Need", "Query", "Select", "parse"]

MAX_TEXT = 4_000
"""Characters of all needs of a query together that are read; the rest is cut."""
MAX_SELECT = 200_000
"""Characters of a whole query that are read: room for the names of thousands of tools."""
MAX_NEEDS = 24
"""Needs of one query that are read."""

_SELECT = re.compile(r"\s*select\s*:", re.IGNORECASE)
_NAME_GAPS = re.compile(r"[,\n]+")
_NAME_EDGES = " \t\r\"'`“”‘’[](){}<>"


@dataclass(frozen=True, slots=True)
class Need:
    """One need in words. Every `required` term must occur in a tool's name."""

    text: str
    required: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Select:
    """Tools asked for by name, as written, without the marks around them."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """What one call asks for, in the order asked. No parts: it asks for nothing."""

    parts: tuple[Need | Select, ...]

    @property
    def needs(self) -> tuple[Need, ...]:
        """Return the parts that are needs in words."""
        return tuple(part for part in self.parts if isinstance(part, Need))

    @property
    def names(self) -> tuple[str, ...]:
        """Return every name asked for with `select:`, in order."""
        return tuple(name for part in self.parts if isinstance(part, Select) for name in part.names)


def parse(query: object) -> Query:
    """Parse one query, or a list of queries, which counts as several needs.

    Anything else than text or a list of text asks for nothing; a huge query is cut.

    >>> parse("+stripe refund; send email").parts
    (Need(text='refund', required=('stripe',)), Need(text='send email', required=()))
    >>> parse("select: gmail__drafts_send, drafts_get").names
    ('gmail__drafts_send', 'drafts_get')
    """
    parts: list[Need | Select] = []
    left = MAX_TEXT
    for piece in _pieces(query):
        part = _part(piece, left)
        if part is None or part in parts:
            continue
        parts.append(part)
        left -= len(piece) if isinstance(part, Need) else 0
        if len(parts) >= MAX_NEEDS:
            break
    return Query(tuple(parts))


def _pieces(query: object) -> Iterator[str]:
    left = MAX_SELECT
    for text in _texts(query):
        yield from text[:left].split(";", MAX_NEEDS)[:MAX_NEEDS]
        left = max(left - len(text), 0)


def _texts(query: object) -> Sequence[str]:
    if isinstance(query, str):
        return (query,)
    if is_list(query):
        return [text for text in query[:MAX_NEEDS] if isinstance(text, str)]
    return ()


def _part(piece: str, left: int) -> Need | Select | None:
    chosen = _SELECT.match(piece)
    if chosen:
        names = (name.strip(_NAME_EDGES) for name in _NAME_GAPS.split(piece[chosen.end() :]))
        found = tuple(dict.fromkeys(name for name in names if name))
        return Select(found) if found else None
    return _need(piece[: max(left, 0)])


def _need(piece: str) -> Need | None:
    words = piece.split()
    required = tuple(word[1:] for word in words if len(word) > 1 and word.startswith("+"))
    text = " ".join(word for word in words if not word.startswith("+"))
    if not required and not text:
        return None
    return Need(text or " ".join(required), required)
