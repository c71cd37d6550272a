"""Locks that a fork leaves usable: whoever held one in the parent does not run in the child.

Not here: what they guard.
"""

import os
import threading
from types import TracebackType
from weakref import WeakSet

__all__ = ["Lock"]


class Lock:
    """A lock that its own thread may take again; free in a child process, whatever was held at the fork.

    What it guards must be whole at any moment: built aside, then put in place.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _every.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def renew(self) -> None:
        """Be free."""
        self._lock = threading.RLock()


_every: WeakSet[Lock] = WeakSet()


def _renew_all() -> None:
    for lock in _every:
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
