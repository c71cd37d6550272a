"""The OAuth scopes that a set of tools needs, for a consent screen.

Not here: asking for them, or what a token holds.
"""

from collections.abc import Iterable
from typing import Protocol

__all__ = ["scopes_for"]


class Scoped(Protocol):
    """Anything that says which scopes it needs, the least that work."""

    @property
    def scopes(self) -> tuple[str, ...]:
        """OAuth scopes."""
        ...


def scopes_for(tools: Iterable[Scoped]) -> tuple[str, ...]:
    """Return every scope that the tools need, sorted: what to ask a user for once. Give the tools of one vendor.

    >>> from charter.packs import gmail
    >>> scopes_for([gmail.messages_send, gmail.labels_list])
    ('https://www.googleapis.com/auth/gmail.labels', 'https://www.googleapis.com/auth/gmail.send')
    """
    return tuple(sorted({scope for tool in tools for scope in tool.scopes}))
