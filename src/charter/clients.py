"""HTTP clients: one of our own for each event loop, opened at its first call, and what a caller lends.

Not here: how one is opened (`pool`), or a call (`transport`).
"""

import asyncio
import inspect
import os
import ssl
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from http.cookiejar import Cookie
from importlib import import_module
from typing import Any

import httpx2

from charter.environment import read_trust
from charter.errors import TransportError

__all__ = ["LeftClient", "LentCookies", "aclose", "check_loop", "find_client_flaw", "pooled_client"]

_KEPT = {False: "_charter_client", True: "_charter_public_client"}
"""The attributes of an event loop that hold its clients: all go when nobody holds the loop. No connection serves both
the one that connects to public addresses alone and the other."""


@dataclass(slots=True)
class _Keeper:
    client: httpx2.AsyncClient
    generator: AsyncGenerator[httpx2.AsyncClient, None]
    process: object


class _Process:
    token = object()

    @classmethod
    def begin(cls) -> None:
        """After a fork the child has its parent's connections, which are not its own."""
        cls.token = object()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Process.begin)


def check_loop(tool: str) -> None:
    """Check that a call is made in an asyncio event loop.

    Raises:
        TransportError: another kind of loop runs here, or none.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        other = "trio's" if "trio" in sys.modules else "another kind"
    else:
        return
    raise TransportError(
        f"{tool}: calls run on asyncio, and the event loop here is {other}. Use asyncio, or invoke in a thread.",
        may_have_taken_effect=False,
        model_text=f"{tool}: calls cannot run here. Nothing was sent; do not retry.",
    )


async def pooled_client(*, public_only: bool = False) -> httpx2.AsyncClient:
    """Return this event loop's client, or its client to public addresses alone, opening it at the first call.

    A suspended async generator holds it: the loop closes such generators when it shuts down, and so the client.

    Raises:
        UnusableSettingError: the environment's certificates or proxies cannot be used.
    """
    loop = asyncio.get_running_loop()
    keeper = _find_keeper(loop, public_only)
    if keeper is None:
        pool, trust = await loop.run_in_executor(None, _get_ready)
        keeper = _find_keeper(loop, public_only)  # another task may have been here during the wait
        if keeper is None:
            keeper = _keep(loop, _KEPT[public_only], pool.open_client(trust, public_only=public_only))
    return keeper.client


def _get_ready() -> tuple[Any, ssl.SSLContext]:
    """Do off the event loop what would hold it up; not in the caller's context, which says that a loop runs."""
    pool = import_module("charter.pool")
    pool.import_backend()
    return pool, read_trust()


def _find_keeper(loop: asyncio.AbstractEventLoop, public_only: bool) -> _Keeper | None:
    keeper: _Keeper | None = getattr(loop, _KEPT[public_only], None)
    return keeper if keeper and keeper.process is _Process.token else None


def _keep(loop: asyncio.AbstractEventLoop, attribute: str, client: httpx2.AsyncClient) -> _Keeper:
    generator = _hold(loop, attribute, client)
    try:
        generator.__anext__().send(None)
    except StopIteration:
        pass
    keeper = _Keeper(client, generator, _Process.token)
    setattr(loop, attribute, keeper)
    return keeper


async def _hold(
    loop: asyncio.AbstractEventLoop, attribute: str, client: httpx2.AsyncClient
) -> AsyncGenerator[httpx2.AsyncClient, None]:
    try:
        yield client
    finally:
        setattr(loop, attribute, None)
        await client.aclose()


async def aclose() -> None:
    """Close the pooled clients of the running event loop; the next call opens a new one."""
    for public_only in _KEPT:
        keeper = _find_keeper(asyncio.get_running_loop(), public_only)
        if keeper:
            await keeper.generator.aclose()


class LeftClient:
    """What a pickled Api has in place of its client, which stayed behind in the other process."""


def find_client_flaw(client: Any) -> str | None:
    """Say why a client that a caller lends cannot send anything, or return None."""
    if isinstance(client, LeftClient):
        return "the client was left behind in the process that pickled this tool"
    kind = f"{type(client).__module__.partition('.')[0]}.{type(client).__name__}"
    send = getattr(client, "send", None)
    if not callable(send) or not hasattr(client, "build_request") or isinstance(client, type):
        return f"client= is of {kind}, which is no HTTP client"
    if not inspect.iscoroutinefunction(send) and not hasattr(client, "aclose"):
        return f"client= is a {kind}, which is synchronous"
    return "the client is closed" if getattr(client, "is_closed", False) else None


class LentCookies:
    """A lent client's cookies before a call, so that those that the answer sets can be taken out again.

    They are one user's, and the next call may be another's.
    """

    def __init__(self, client: Any) -> None:
        self._jar = getattr(getattr(client, "cookies", None), "jar", None)
        self._before: list[Cookie] = [] if self._jar is None else list(self._jar)

    def restore(self, headers: list[tuple[bytes, bytes]]) -> None:
        """Undo what an answer with these headers did; cookies of other names, set meanwhile, stay."""
        if self._jar is None:
            return
        said = [value for name, value in headers if name.lower() == b"set-cookie"]
        names = {value.partition(b"=")[0].strip().decode("latin-1") for value in said}
        for cookie in [cookie for cookie in self._jar if cookie.name in names]:
            self._jar.clear(cookie.domain, cookie.path, cookie.name)
        for cookie in self._before:
            if cookie.name in names:
                self._jar.set_cookie(cookie)
