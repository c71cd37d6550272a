"""The store in Redis: what several replicas share, so that any of them answers any request of any client.

What is kept is said in `store.py`.
"""

import asyncio
import json
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import wraps
from types import CoroutineType
from typing import Any, Concatenate, ParamSpec, TypeVar

from charter.adapters.mcp.store import IDLE_SECONDS, MAX_SESSIONS, Progress, StoreUnreachableError
from charter.errors import DeclarationError

__all__ = ["RedisStore"]

TIMEOUT = 2.0
"""Seconds after which Redis counts as away."""
P = ParamSpec("P")
R = TypeVar("R")


def _reached(
    method: "Callable[Concatenate[RedisStore, P], CoroutineType[Any, Any, R]]",
) -> "Callable[Concatenate[RedisStore, P], CoroutineType[Any, Any, R]]":
    """Raise StoreUnreachableError for whatever keeps Redis from answering."""

    @wraps(method)
    async def reach(store: "RedisStore", *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return await method(store, *args, **kwargs)
        except (store.failures, OSError) as error:
            raise StoreUnreachableError(f"redis: {type(error).__name__}") from error

    return reach


class RedisStore:
    """A `Store` in one Redis database; every key begins with `prefix`.

    Raises:
        DeclarationError: the redis package is not installed, or the URL cannot be read.
    """

    def __init__(
        self,
        url: str,
        *,
        prefix: str = "charter:",
        max_sessions: int = MAX_SESSIONS,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        try:
            import redis.asyncio as client  # noqa: PLC0415
            from redis import exceptions  # noqa: PLC0415 - an extra, needed by this store alone
        except ImportError:
            raise DeclarationError("redis: the package is missing. Install charter[redis].") from None
        try:
            made: Any = client.Redis
            self._redis: Any = made.from_url(
                url, decode_responses=True, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT
            )
        except ValueError as error:
            raise DeclarationError(f"redis: {error}. Write redis://host:6379/0.") from None
        self.failures = exceptions.RedisError
        self._prefix, self._max_sessions, self._idle = prefix, max_sessions, max(int(idle_seconds), 1)

    def _key(self, *parts: str) -> str:
        return self._prefix + ":".join(parts)

    @_reached
    async def open_session(self, session: str, facts: dict[str, Any]) -> bool:
        """Keep what a client said of itself. Return False when there are too many sessions."""
        now, all_of_them = time.time(), self._key("sessions")
        async with self._redis.pipeline() as pipe:
            pipe.zremrangebyscore(all_of_them, "-inf", now)
            pipe.zcard(all_of_them)
            _, count = await pipe.execute()
        if count >= self._max_sessions:
            return False
        async with self._redis.pipeline() as pipe:
            pipe.set(self._key("session", session), json.dumps(facts), ex=self._idle)
            pipe.zadd(all_of_them, {session: now + self._idle})
            await pipe.execute()
        return True

    @_reached
    async def read_session(self, session: str) -> dict[str, Any] | None:
        """Return it again, which counts as a sign of life; None when there is no such session."""
        async with self._redis.pipeline() as pipe:
            pipe.getex(self._key("session", session), ex=self._idle)
            pipe.zadd(self._key("sessions"), {session: time.time() + self._idle}, xx=True)
            text, _ = await pipe.execute()
        return None if text is None else json.loads(text)

    @_reached
    async def close_session(self, session: str) -> None:
        """Forget a session."""
        async with self._redis.pipeline() as pipe:
            pipe.delete(self._key("session", session))
            pipe.zrem(self._key("sessions"), session)
            await pipe.execute()

    @_reached
    async def read_progress(self, owner: str) -> Progress:
        """Return how far a conversation is; a new one has loaded nothing."""
        loaded, listed = self._key("loaded", owner), self._key("listed", owner)
        async with self._redis.pipeline() as pipe:
            pipe.lrange(loaded, 0, -1)
            pipe.expire(loaded, self._idle)
            pipe.getex(listed, ex=self._idle)
            names, _, count = await pipe.execute()
        return Progress(list(dict.fromkeys(names)), int(count or 0))

    @_reached
    async def add_loaded(self, owner: str, names: Sequence[str]) -> None:
        """Add tools to those loaded, after what others may have added meanwhile."""
        if not names:
            return
        async with self._redis.pipeline() as pipe:
            pipe.rpush(self._key("loaded", owner), *names)
            pipe.expire(self._key("loaded", owner), self._idle)
            await pipe.execute()

    @_reached
    async def mark_listed(self, owner: str, count: int) -> None:
        """Note that the client has listed so many of the loaded tools."""
        await self._redis.set(self._key("listed", owner), count, ex=self._idle)

    @_reached
    async def forget(self, owner: str) -> None:
        """Forget what a conversation has loaded."""
        await self._redis.delete(self._key("loaded", owner), self._key("listed", owner))

    @_reached
    async def keep_text(self, key: str, text: str) -> None:
        """Keep a long result for a while."""
        await self._redis.set(self._key("text", key), text, ex=self._idle)

    @_reached
    async def read_text(self, key: str) -> str | None:
        """Return a long result, or None."""
        return await self._redis.get(self._key("text", key))

    @_reached
    async def signing_key(self) -> bytes:
        """Return the key that all replicas sign handles with; the first of them makes it."""
        key = self._key("signing")
        await self._redis.set(key, secrets.token_hex(32), nx=True)
        return bytes.fromhex(await self._redis.get(key))

    @_reached
    async def announce(self, owner: str, request: str) -> None:
        """Tell every replica that a call is cancelled."""
        await self._redis.publish(self._key("cancelled"), json.dumps([owner, request]))

    async def announcements(self) -> AsyncGenerator[tuple[str, str]]:
        """Yield who made a call that is cancelled, and its id. Goes on when Redis is back."""
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as hearing:
                    await hearing.subscribe(self._key("cancelled"))
                    while True:
                        message = await hearing.get_message(timeout=TIMEOUT / 2)
                        if message is not None:
                            owner, request = json.loads(message["data"])
                            yield str(owner), str(request)
            except (self.failures, OSError):
                await asyncio.sleep(TIMEOUT / 2)

    @_reached
    async def check(self) -> None:
        """Do nothing, if Redis answers."""
        await self._redis.ping()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._redis.aclose()
