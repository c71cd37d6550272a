"""Paging: how a tool's next page is asked for.

Not here: fetching pages. `Tool.pages` walks them.
"""

from dataclasses import dataclass
from typing import Any

from charter.wire.envelope import find_path

__all__ = ["Pages"]


@dataclass(frozen=True, slots=True)
class Pages:
    """Where the next page's cursor is in an answer, and which argument takes it.

    `parameter` is the argument by any spelling; `cursor` a dotted path in the raw answer (`"data.-1.id"` is the last
    item's id); `more` a path that must be truthy for another page to exist; `items` the path of the items and `limit`
    the argument for their number, for those who count.

    >>> by_item = Pages("starting_after", cursor="data.-1.id", more="has_more")
    >>> by_item.next_cursor({"data": [{"id": "a"}], "has_more": True})
    'a'
    """

    parameter: str
    cursor: str
    more: str | None = None
    items: str | None = None
    limit: str | None = None

    def next_cursor(self, body: Any) -> str | int | None:
        """Read the cursor of the next page off a raw answer; None when this page is the last."""
        if self.more and not find_path(body, self.more):
            return None
        cursor = find_path(body, self.cursor)
        if isinstance(cursor, bool) or not isinstance(cursor, (str, int)) or cursor == "":
            return None
        return cursor
