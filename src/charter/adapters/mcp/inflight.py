"""Calls that are under way over HTTP, so that a cancellation that comes as another request finds them.

Over stdio the SDK finds them itself.
"""

from collections.abc import Generator
from contextlib import contextmanager

import anyio

__all__ = ["Inflight"]


class Inflight:
    """The calls of one process, by who made them and under which id."""

    def __init__(self) -> None:
        self._scopes: dict[tuple[str, str], anyio.CancelScope] = {}

    @contextmanager
    def track(self, owner: str, request: object) -> Generator[anyio.CancelScope]:
        """Let the block be cancelled. An id that is used twice at once stands for the later call."""
        key = owner, str(request)
        with anyio.CancelScope() as scope:
            self._scopes[key] = scope
            try:
                yield scope
            finally:
                if self._scopes.get(key) is scope:
                    del self._scopes[key]

    def cancel(self, owner: str, request: object) -> bool:
        """Cancel a call. Return whether there is one."""
        scope = self._scopes.get((owner, str(request)))
        if scope is not None:
            scope.cancel()
        return scope is not None
