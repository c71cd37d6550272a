"""What was cut off long results, kept so that a model can read on.

Which results are too long is the adapter's to say.
"""

import re
from collections import OrderedDict

from charter.discovery.qualified import TOOL_SEARCH
from charter.errors import ToolValidationError

__all__ = ["Remainders", "is_rest_query"]

MAX_KEPT = 16
"""Long results kept at once; the oldest is forgotten."""
CHARACTERS_PER_TOKEN = 4
_MIN_SHOWN = 200
_REST = re.compile(r"\s*rest:(\d{1,9}):(\d{1,9})\s*")


def is_rest_query(query: object) -> bool:
    """Tell whether a ToolSearch query asks to read on in a long result."""
    return isinstance(query, str) and _REST.fullmatch(query) is not None


class Remainders:
    """The long results of one conversation. The note under a cut text holds the query that reads on."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[str, int]] = OrderedDict()
        self._made = 0

    def cut(self, text: str, max_tokens: int, *, can_read_on: bool) -> str:
        r"""Return `text` whole, or its beginning with a note; the note's own length is extra.

        >>> Remainders().cut("x" * 2000, 100, can_read_on=True)[400:]
        '\n[Cut: characters 0 to 400 of 2000. To read on, call ToolSearch with the query "rest:1:400".]'
        """
        if len(text) <= max_tokens * CHARACTERS_PER_TOKEN:
            return text
        size = max(max_tokens * CHARACTERS_PER_TOKEN, _MIN_SHOWN)
        if not can_read_on:
            return f"{text[:size]}\n[Cut: characters 0 to {size} of {len(text)}. For less, ask for less.]"
        self._made += 1
        self._kept[self._made] = text, size
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return self._page(self._made, 0)

    def read(self, query: str) -> str:
        """Return the part of a long result that `query` asks for, with a note when there is more.

        Raises:
            ToolValidationError: that result is not kept, or is not that long.
        """
        match = _REST.fullmatch(query)
        key, start = (int(match[1]), int(match[2])) if match else (0, 0)
        if key not in self._kept or start >= len(self._kept[key][0]):
            raise ToolValidationError(
                f"{TOOL_SEARCH}: nothing is kept under {query.strip()!r}. Call the tool again and ask it for less."
            )
        return self._page(key, start)

    def _page(self, key: int, start: int) -> str:
        text, size = self._kept[key]
        end = min(start + size, len(text))
        shown = text[start:end]
        if end == len(text):
            return shown
        return (
            f"{shown}\n[Cut: characters {start} to {end} of {len(text)}."
            f' To read on, call {TOOL_SEARCH} with the query "rest:{key}:{end}".]'
        )
