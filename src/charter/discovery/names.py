"""Tool names as models write them, resolved to the real ones.

Searching in words is `index.py`'s.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from charter.discovery.words import split_words

_SEPARATORS = re.compile(r"__|[./:]")
_HOST = "mcp"
MAX_NAME = 200
"""Characters of one name that are read."""


@dataclass(frozen=True, slots=True)
class NameTable:
    """Every spelling under which a tool can be asked for. Immutable."""

    names: Mapping[str, str]
    spellings: Mapping[str, str]
    leaves: Mapping[str, str]

    @classmethod
    def build(cls, names: Sequence[tuple[str, str]]) -> "NameTable":
        """Build the table from pairs of qualified name and leaf name."""
        spellings = _unique((spell(name), name) for name, _ in names)
        leaves = _unique((spell(leaf), name) for name, leaf in names)
        return cls({name: name for name, _ in names}, spellings, leaves)

    def resolve(self, written: str) -> str | None:
        """Return the one tool that `written` names, or None.

        Forgives case, spaces and separators, camelCase, a host's prefix, and a missing pack
        when only one pack has the tool.
        """
        text = written.strip()[:MAX_NAME]
        if text in self.names:
            return text
        whole = spell(text)
        return self.spellings.get(whole) or self.leaves.get(whole) or self._resolve_tail(text)

    def _resolve_tail(self, text: str) -> str | None:
        tails = [text[mark.end() :] for mark in _SEPARATORS.finditer(text)]
        for tail in tails:
            found = self.spellings.get(spell(tail))
            if found:
                return found
        if not text.lower().startswith(_HOST):
            return None
        return next((self.leaves[spell(tail)] for tail in tails if spell(tail) in self.leaves), None)


def spell(name: str) -> str:
    """Return a name without case and separators.

    >>> spell("gmail__draftsSend") == spell("Gmail.drafts-send")
    True
    """
    return "".join(split_words(name))


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    shared: set[str] = set()
    for key, name in pairs:
        if found.setdefault(key, name) != name:
            shared.add(key)
    return {key: name for key, name in found.items() if key and key not in shared}
