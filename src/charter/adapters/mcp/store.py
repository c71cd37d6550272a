"""What the server keeps between requests, behind one small interface, and the store in memory.

The store that several replicas share is in `redis_store.py`.
"""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

__all__ = ["IDLE_SECONDS", "MAX_SESSIONS", "MemoryStore", "Progress", "Store", "StoreUnreachableError"]

IDLE_SECONDS = 30 * 60.0
"""Seconds after its last request that what is kept of a client is forgotten."""
MAX_SESSIONS = 10_000
MAX_CHARACTERS = 64_000_000
"""Characters of long results kept in memory at once; the oldest are forgotten."""


class StoreUnreachableError(Exception):
    """The store does not answer at the moment."""


@dataclass(slots=True)
class Progress:
    """How far one conversation is: the tools loaded, in order, and how many of them its client has listed."""

    loaded: list[str] = field(default_factory=list[str])
    listed: int = 0


class Store(Protocol):
    """Sessions, what conversations have loaded, and long results. Every replica may ask for any of them.

    Each method raises `StoreUnreachableError` when the store does not answer.
    """

    async def open_session(self, session: str, facts: dict[str, Any]) -> bool:
        """Keep what a client said of itself. Return False when there are too many sessions."""
        ...

    async def read_session(self, session: str) -> dict[str, Any] | None:
        """Return it again, which counts as a sign of life; None when there is no such session."""
        ...

    async def close_session(self, session: str) -> None:
        """Forget a session."""
        ...

    async def read_progress(self, owner: str) -> Progress:
        """Return how far a conversation is; a new one has loaded nothing."""
        ...

    async def add_loaded(self, owner: str, names: Sequence[str]) -> None:
        """Add tools to those loaded, after what others may have added meanwhile."""
        ...

    async def mark_listed(self, owner: str, count: int) -> None:
        """Note that the client has listed so many of the loaded tools."""
        ...

    async def forget(self, owner: str) -> None:
        """Forget what a conversation has loaded."""
        ...

    async def keep_text(self, key: str, text: str) -> None:
        """Keep a long result for a while."""
        ...

    async def read_text(self, key: str) -> str | None:
        """Return a long result, or None."""
        ...

    async def signing_key(self) -> bytes:
        """Return the key that all replicas sign handles with."""
        ...

    async def announce(self, owner: str, request: str) -> None:
        """Tell every replica that a call is cancelled."""
        ...

    def announcements(self) -> AsyncGenerator[tuple[str, str]]:
        """Yield who made a call that is cancelled, and its id, whichever replica heard of it. Never ends."""
        ...

    async def check(self) -> None:
        """Do nothing, if the store answers."""
        ...

    async def aclose(self) -> None:
        """Let go of connections."""
        ...


@dataclass(slots=True)
class _Kept:
    value: Any
    until: float


class MemoryStore:
    """The store of one process.

    >>> import asyncio
    >>> store = MemoryStore(max_sessions=1)
    >>> [asyncio.run(store.open_session(one, {})) for one in ("a", "b")]
    [True, False]
    """

    def __init__(
        self,
        *,
        max_sessions: int = MAX_SESSIONS,
        idle_seconds: float = IDLE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_sessions, self._idle, self._clock = max_sessions, idle_seconds, clock
        self._sessions: OrderedDict[str, _Kept] = OrderedDict()
        self._progress: OrderedDict[str, _Kept] = OrderedDict()
        self._texts: OrderedDict[str, _Kept] = OrderedDict()
        self._key = secrets.token_bytes(32)

    async def open_session(self, session: str, facts: dict[str, Any]) -> bool:
        """Keep what a client said of itself. Return False when there are too many sessions."""
        self._drop_old(self._sessions)
        if len(self._sessions) >= self._max_sessions:
            return False
        self._keep(self._sessions, session, facts)
        return True

    async def read_session(self, session: str) -> dict[str, Any] | None:
        """Return it again, which counts as a sign of life; None when there is no such session."""
        return self._read(self._sessions, session)

    async def close_session(self, session: str) -> None:
        """Forget a session."""
        self._sessions.pop(session, None)

    async def read_progress(self, owner: str) -> Progress:
        """Return how far a conversation is; a new one has loaded nothing."""
        progress = self._read(self._progress, owner) or Progress()
        return Progress(list(progress.loaded), progress.listed)

    async def add_loaded(self, owner: str, names: Sequence[str]) -> None:
        """Add tools to those loaded, after what others may have added meanwhile."""
        progress = await self.read_progress(owner)
        progress.loaded = list(dict.fromkeys((*progress.loaded, *names)))
        self._keep(self._progress, owner, progress)

    async def mark_listed(self, owner: str, count: int) -> None:
        """Note that the client has listed so many of the loaded tools."""
        progress = await self.read_progress(owner)
        self._keep(self._progress, owner, Progress(progress.loaded, count))

    async def forget(self, owner: str) -> None:
        """Forget what a conversation has loaded."""
        self._progress.pop(owner, None)

    async def keep_text(self, key: str, text: str) -> None:
        """Keep a long result for a while."""
        self._keep(self._texts, key, text)
        while sum(len(kept.value) for kept in self._texts.values()) > MAX_CHARACTERS:
            self._texts.popitem(last=False)

    async def read_text(self, key: str) -> str | None:
        """Return a long result, or None."""
        return self._read(self._texts, key)

    async def signing_key(self) -> bytes:
        """Return the key of this process."""
        return self._key

    async def announce(self, owner: str, request: str) -> None:
        """Do nothing: there is no other replica."""

    async def announcements(self) -> AsyncGenerator[tuple[str, str]]:
        """Yield nothing: what this process hears of it does at once."""
        await asyncio.Event().wait()
        yield "", ""

    async def check(self) -> None:
        """Do nothing: memory answers."""

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""

    def _keep(self, kept: OrderedDict[str, _Kept], key: str, value: Any) -> None:
        self._drop_old(kept)
        kept[key] = _Kept(value, self._clock() + self._idle)
        kept.move_to_end(key)

    def _read(self, kept: OrderedDict[str, _Kept], key: str) -> Any:
        self._drop_old(kept)
        found = kept.get(key)
        if found is None:
            return None
        found.until = self._clock() + self._idle
        kept.move_to_end(key)
        return found.value

    def _drop_old(self, kept: OrderedDict[str, _Kept]) -> None:
        now = self._clock()
        while kept and next(iter(kept.values())).until <= now:
            kept.popitem(last=False)
