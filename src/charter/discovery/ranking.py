"""Which ranking answers a session's searches: the index, or a function of the user's.

How the index ranks is `index.py`'s.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from charter.discovery.entry import Entry
from charter.discovery.index import Hit

__all__ = ["Finder", "Ranker", "RankerIndex"]

Ranker = Callable[[str, Sequence[Entry], int], Iterable[str]]
"""Text of one need, entries to choose from, how many; returns qualified names, best first."""


class Finder(Protocol):
    """What a session asks for the tools that fit one need."""

    def find(
        self,
        text: str,
        limit: int = 5,
        *,
        among: Collection[str] | None = None,
        required: Sequence[str] = (),
    ) -> list[Hit]:
        """Find the tools that fit, best first; `required` terms occur in their names."""
        ...


@dataclass(frozen=True, slots=True)
class RankerIndex:
    """A user's function in the place of the index."""

    entries: Sequence[Entry]
    rank: Ranker

    def find(
        self,
        text: str,
        limit: int = 5,
        *,
        among: Collection[str] | None = None,
        required: Sequence[str] = (),
    ) -> list[Hit]:
        """Return what the function returns, without names that no entry has and past the limit."""
        terms = [term.casefold() for term in required]
        entries = [
            entry
            for entry in self.entries
            if (among is None or entry.name in among) and all(term in entry.name.casefold() for term in terms)
        ]
        known = {entry.name for entry in entries}
        names = [name for name in dict.fromkeys(self.rank(text, entries, limit)) if name in known]
        return [Hit(name, 1 / place) for place, name in enumerate(names[:limit], start=1)]
