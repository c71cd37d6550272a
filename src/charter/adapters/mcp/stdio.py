"""The server over stdin and stdout: one client, and an answer also to what is no message.

HTTP is `http.py`'s.
"""

import signal
from collections.abc import Callable
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

from charter.adapters.mcp.server import CharterServer

__all__ = ["answer_malformed", "relay", "run_stdio"]

Item = SessionMessage | Exception
PATIENCE = 1.0
"""Seconds that the line on what is served waits for the first list."""


def run_stdio(server: CharterServer, tell: Callable[[], None] | None = None) -> None:
    """Serve the one client on stdin and stdout until it closes them.

    `tell` says what is served. It may take a while, since it looks at credentials, so it comes after the first list.
    """
    # The thread that reads stdin cannot be interrupted, so Ctrl-C has to end the process by itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    anyio.run(_serve, server, tell)


async def _serve(server: CharterServer, tell: Callable[[], None] | None) -> None:
    async with stdio_server() as (reading, writing), anyio.create_task_group() as group:
        passing, passed = anyio.create_memory_object_stream[Item](0)
        group.start_soon(relay, reading, passing, writing)
        group.start_soon(_tell_later, server, tell)
        await server.run(passed, writing, server.create_initialization_options())
        group.cancel_scope.cancel()


async def _tell_later(server: CharterServer, tell: Callable[[], None] | None) -> None:
    try:
        with anyio.move_on_after(PATIENCE):
            await server.listed.wait()
            await anyio.sleep(PATIENCE / 4)  # until the list is on its way
    finally:  # also to a client that is gone by then
        if tell is not None:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(tell)


async def relay(reading: Any, passing: MemoryObjectSendStream[Item], writing: Any) -> None:
    """Pass messages on, and answer what is none: the SDK would leave its sender waiting."""
    async with passing:
        async for item in reading:
            if not isinstance(item, Exception):
                await passing.send(item)
                continue
            answer = answer_malformed(item)
            if answer is not None:
                await writing.send(SessionMessage(answer))


def answer_malformed(error: Exception) -> JSONRPCError | None:
    """Return what to answer to a line that is no message; nothing to a blank one."""
    found = error.errors()[0] if isinstance(error, ValidationError) else None
    if found is None or found["type"] != "json_invalid":
        data = ErrorData(
            code=INVALID_REQUEST, message="The line is no JSON-RPC message. Send one object a line."
        )
    elif not str(found["input"]).strip():
        return None
    else:
        data = ErrorData(code=PARSE_ERROR, message="The line is not JSON. Send one JSON-RPC object a line.")
    return JSONRPCError(jsonrpc="2.0", id=None, error=data)
