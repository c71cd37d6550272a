"""Paging: how a tool's next page is asked for.

Not here: fetching pages. `Tool.pages` walks them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast
from urllib.parse import parse_qsl, urlsplit

from charter.checking import TEXT, WORDS, Kind, check_fields, one_of, or_none
from charter.errors import DeclarationError
from charter.wire.envelope import find_path

__all__ = ["Pages"]

Cursor = str | int

_KINDS: Mapping[str, Kind] = {
    "parameter": TEXT,
    "cursor": or_none(WORDS),
    "more": or_none(TEXT),
    "items": or_none(WORDS),
    "limit": or_none(TEXT),
    "by": one_of("cursor", "number", "offset", "link"),
    "first": Kind("a whole number", lambda value: isinstance(value, int)),
}

_LINK = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~-]+\*?(?:\s*=\s*(?:\"[^\"]*\"|[^\s\",;]*))?)*)")
"""A target and its parameters (RFC 8288, 3)."""
_NEXT = re.compile(r";\s*rel\s*=\s*(?:\"(?:[^\"]*\s)?next(?:\s[^\"]*)?\"|next(?![\w-]))", re.IGNORECASE)

_LONGEST_HEADER = 8_192
"""Characters of a `Link` header that are read."""


@dataclass(frozen=True, slots=True)
class Pages:
    """How the next page is asked for. `parameter` is the argument, by any spelling, that says which one.

    `by` says what that argument takes:

    - `"cursor"`: what the answer has at the dotted path `cursor` (`"data.-1.id"` is the last item's id);
    - `"number"`: the number of the page, the first being `first`;
    - `"offset"`: how many items lie before the page;
    - `"link"`: what the link to the next page gives it. The link is at the path `cursor`, or else in the `Link` header
      (RFC 8288); nothing but this argument is ever taken from it.

    `more` is a path that must be truthy for another page to exist, `items` the path of the items (`""` where the answer
    is the list) and `limit` the argument for their number. Pages by number and offset end with an empty page.

    >>> Pages("after", cursor="data.-1.id", more="has_more").find_next({"data": [{"id": "a"}], "has_more": True})
    'a'
    >>> Pages("page", by="number", items="rooms").find_next({"rooms": [{}]}, given=2)
    3

    Raises:
        DeclarationError: what `by` needs is missing.
    """

    parameter: str
    cursor: str | None = None
    more: str | None = None
    items: str | None = None
    limit: str | None = None
    by: Literal["cursor", "number", "offset", "link"] = "cursor"
    first: int = 1

    def __post_init__(self) -> None:
        check_fields(self, _KINDS)
        if self.by == "cursor" and self.cursor is None:
            raise DeclarationError(f"Pages({self.parameter!r}): no cursor. Say where it is in an answer.")
        if self.is_counted and self.items is None:
            raise DeclarationError(f"Pages({self.parameter!r}): no items. Say where they are in an answer.")

    @property
    def is_counted(self) -> bool:
        """Whether the argument counts, so that nothing in an answer says which page it was."""
        return self.by in ("number", "offset")

    def find_next(
        self, body: Any, headers: Mapping[str, str] | None = None, *, wire: str = "", given: Any = None
    ) -> Cursor | None:
        """Find what asks for the next page; None when this page is the last.

        `headers` are the answer's, by lower-case name; `wire` is the argument's name on the wire and `given` what this
        page was asked for with.
        """
        if self.more and not find_path(body, self.more):
            return None
        match self.by:
            case "cursor":
                return _read_cursor(find_path(body, self.cursor or ""))
            case "link":
                link = (
                    find_path(body, self.cursor)
                    if self.cursor
                    else _find_link((headers or {}).get("link", ""))
                )
                return _read_cursor(_read_parameter(link, wire or self.parameter))
            case "number":
                return _count(given, self.first) + 1 if self._count_items(body) else None
            case "offset":
                items = self._count_items(body)
                return _count(given, 0) + items if items else None

    def _count_items(self, body: Any) -> int:
        items = find_path(body, self.items) if self.items else body
        return len(cast("list[Any]", items)) if isinstance(items, list) else 0


def _read_cursor(cursor: Any) -> Cursor | None:
    if isinstance(cursor, bool) or not isinstance(cursor, (str, int)) or cursor == "":
        return None
    return cursor


def _count(given: Any, first: int) -> int:
    is_number = isinstance(given, int) or (isinstance(given, str) and given.isdecimal() and len(given) < 19)
    return int(given) if is_number else first


def _find_link(header: str) -> str:
    return next((link[1] for link in _LINK.finditer(header[:_LONGEST_HEADER]) if _NEXT.search(link[2])), "")


def _read_parameter(link: Any, name: str) -> str | None:
    """Read one parameter of a link's query, decoded."""
    if not isinstance(link, str):
        return None
    try:
        pairs = parse_qsl(urlsplit(link).query, max_num_fields=100)
    except ValueError:
        return None
    return next((value for key, value in pairs if key == name), None)
