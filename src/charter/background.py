"""The event loop behind `invoke`: one background thread, so that sync callers share one connection pool.

Not here: anything about tools.
"""

import asyncio
import contextvars
import os
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

__all__ = ["is_in_loop", "run_sync"]

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def is_in_loop() -> bool:
    """Whether the caller runs inside an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def run_sync(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end on the background loop, in the caller's context; an interrupt cancels it."""
    context = contextvars.copy_context()

    async def run() -> T:
        return await asyncio.get_running_loop().create_task(make(), context=context)

    future = asyncio.run_coroutine_threadsafe(run(), _start())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def _start() -> asyncio.AbstractEventLoop:
    global _loop  # noqa: PLW0603
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_serve, args=(_loop,), name="charter-invoke", daemon=True).start()
        return _loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    loop.run_forever()


def _forget() -> None:
    """After a fork the child has the loop but not its thread."""
    global _loop, _lock
    _loop, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
