"""The event loop behind `invoke`: one background thread, so that sync callers share one connection pool.

Not here: anything about tools.
"""

import asyncio
import contextvars
import os
import sys
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from charter.errors import TransportError
from charter.locks import Lock

__all__ = ["is_in_loop", "run_sync"]

T = TypeVar("T")
THREAD = "charter-invoke"
"""The name of the thread that runs the loop."""

_lock = Lock()
_loop: asyncio.AbstractEventLoop | None = None


def is_in_loop() -> bool:
    """Whether the caller runs inside an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def run_sync(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end on the background loop, in the caller's context; an interrupt cancels it.

    Raises:
        TransportError: the interpreter is ending and runs no other thread any more, so that it would wait for ever.
    """
    context = contextvars.copy_context()

    async def run() -> T:
        return await asyncio.get_running_loop().create_task(make(), context=context)

    loop = _start()
    future = asyncio.run_coroutine_threadsafe(run(), loop)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def _start() -> asyncio.AbstractEventLoop:
    global _loop  # noqa: PLW0603
    with _lock:
        if sys.is_finalizing():
            raise _refuse_at_exit()
        if _loop is None or _loop.is_closed():
            loop = asyncio.new_event_loop()
            try:
                threading.Thread(target=_serve, args=(loop,), name=THREAD, daemon=True).start()
            except RuntimeError:  # an interpreter that ends starts no thread either
                loop.close()
                raise _refuse_at_exit() from None
            _loop = loop
        return _loop


def _refuse_at_exit() -> TransportError:
    return TransportError(
        "invoke: the interpreter is ending, and nothing was sent. Call earlier, not in __del__ or at exit.",
        may_have_taken_effect=False,
    )


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    loop.run_forever()


def _forget() -> None:
    """After a fork the child has the loop but not its thread."""
    global _loop  # noqa: PLW0603
    _loop = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
