"""The names that clients see: short enough for the prefix that hosts add, and with the separator asked for.

How a qualified name is made is discovery's.
"""

import hashlib
import re
from collections.abc import Iterable

from charter.discovery.names import NameTable
from charter.discovery.qualified import MAX_NAME, SEPARATOR
from charter.errors import DeclarationError

__all__ = ["PublishedNames"]

_SEPARATOR = re.compile(r"[A-Za-z0-9_.-]{1,4}")
_NAME = re.compile(rf"[A-Za-z][A-Za-z0-9-]*(?:_[A-Za-z0-9-]+)*{SEPARATOR}[A-Za-z0-9_-]+")
_DIGEST = 7


class PublishedNames:
    """Qualified names and what clients are shown instead. Immutable.

    A name is shortened, with a digest at its end, only where the host's prefix would not fit; that
    depends on the name alone, so adding tools renames none.

    >>> PublishedNames(["stripe__refunds_create"], server="charter", separator="_").publish("stripe__refunds_create")
    'stripe_refunds_create'

    Raises:
        DeclarationError: the separator cannot be part of a name, or two tools would share a name.
    """

    def __init__(self, names: Iterable[str], *, server: str, separator: str = SEPARATOR) -> None:
        if not _SEPARATOR.fullmatch(separator):
            raise DeclarationError(
                f"mcp server: separator {separator!r} cannot be in a name. Use '__' or '_'."
            )
        room = MAX_NAME - len(f"mcp__{server}__")
        self._published: dict[str, str] = {}
        self._qualified: dict[str, str] = {}
        for name in names:
            shown = _shorten(name.replace(SEPARATOR, separator, 1), name, room)
            other = self._qualified.setdefault(shown, name)
            if other != name:
                raise DeclarationError(
                    f"mcp server: {other} and {name} would both be {shown}. Use another separator, or rename one."
                )
            self._published[name] = shown
        pairs = [(name, name.partition(SEPARATOR)[2]) for name in self._published]
        self._table = NameTable.build(pairs)

    def publish(self, name: str) -> str:
        """Return what clients call a tool; a name that is no tool's is returned as it is."""
        return self._published.get(name, name)

    def resolve(self, written: str) -> str | None:
        """Return the qualified name of the one tool that is meant, in any spelling, or None."""
        text = written.strip()
        return self._qualified.get(text) or self._table.resolve(text)

    def rewrite(self, text: str) -> str:
        """Replace every qualified name in a text by what clients call it."""
        return _NAME.sub(lambda found: self.publish(found[0]), text)


def _shorten(shown: str, name: str, room: int) -> str:
    if len(shown) <= room:
        return shown
    digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST]
    return f"{shown[: max(room - _DIGEST - 1, 1)].rstrip('_-')}_{digest}"
