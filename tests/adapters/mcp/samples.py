"""Tools for the tests of the MCP server: declared as a user's, on an API on loopback that the test holds.

Not here: a test.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from pydantic import BaseModel, Field

from charter import Api, Bearer, Tool
from charter.adapters.mcp import HttpSettings
from charter.adapters.mcp.http import build_app
from charter.adapters.mcp.serving import listen


class PlainTool:
    """A tool that is no HTTP call: it answers with what it was made with, or raises it."""

    description = "Answer at once."
    hints = "reply"

    def __init__(self, name: str, answer: Any = None, *, pack: str = "plain", **more: Any) -> None:
        self.pack, self.name, self._answer = pack, name, answer
        for key, value in more.items():
            setattr(self, key, value)

    def to_json_schema(self) -> dict[str, Any]:
        parameters = {"type": "object", "properties": {"text": {"type": "string"}}}
        return {"name": self.name, "description": self.description, "parameters": parameters}

    async def ainvoke(self, arguments: Any = None, *, client: Any = None) -> Any:
        if isinstance(self._answer, Exception):
            raise self._answer
        return arguments if self._answer is None else self._answer


class ThingsList(BaseModel):
    """List things."""

    limit: int | None = Field(None, ge=1)


class ThingsCreate(BaseModel):
    """Make a thing."""

    name: str


class ThingsDelete(BaseModel):
    """Remove a thing."""

    thing: str


class ThingsReplace(BaseModel):
    """Put another thing in its place."""

    thing: str


def make_things(base_url: str = "http://127.0.0.1:9/", pack: str = "shop") -> tuple[Tool, ...]:
    """Return four tools of one API."""
    api = Api(pack, base_url=base_url, auth=Bearer("token"))
    return (
        api.get("things", ThingsList, hints="inventory stock"),
        api.post("things", ThingsCreate),
        api.delete("things/{thing}", ThingsDelete),
        api.put("things/{thing}", ThingsReplace),
    )


class SlowApi:
    """An API that answers when it is told to, and knows who has gone before."""

    def __init__(self) -> None:
        self.arrived = asyncio.Event()
        self.go_on = asyncio.Event()
        self.gone = asyncio.Event()
        self.url = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.arrived.set()
        watching = asyncio.create_task(self._watch(reader))
        await self.go_on.wait()
        watching.cancel()
        body = json.dumps({"ok": True}).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n")
        writer.write(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        writer.close()

    async def _watch(self, reader: asyncio.StreamReader) -> None:
        await reader.read()
        self.gone.set()


@asynccontextmanager
async def run_slow_api() -> AsyncIterator[SlowApi]:
    """Serve a SlowApi on a free port."""
    api = SlowApi()
    server = await asyncio.start_server(api.answer, "127.0.0.1", 0)
    api.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    try:
        yield api
    finally:
        api.go_on.set()
        server.close()
        await server.wait_closed()


@asynccontextmanager
async def run_http(server: Any, **settings: Any) -> AsyncIterator[str]:
    """Serve over HTTP on a free port and yield the URL."""
    held = HttpSettings(port=0, **settings)
    listener = listen(held)
    config = uvicorn.Config(build_app(server, held), log_level="error", access_log=False)
    running = uvicorn.Server(config)
    task = asyncio.create_task(running._serve(sockets=[listener]))  # serve() itself would take the signals
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        running.should_exit = True
        await task
        listener.close()
