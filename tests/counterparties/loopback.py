"""An HTTP API on loopback that keeps what it was asked and answers what a test tells it to.

Real sockets, a real server (uvicorn) and framework (starlette); broken answers are in tests/faults/.
"""

import asyncio
import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send


@dataclass(frozen=True)
class Asked:
    """One request as it arrived: the path is still percent-encoded."""

    method: str
    path: str
    query: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    port: int
    """The client's end of the connection, which tells one connection from another."""

    def header(self, name: str) -> str | None:
        """Return the header, which must not have come twice."""
        found = [value for key, value in self.headers if key == name.lower()]
        assert len(found) < 2, f"{name} came {len(found)} times"
        return found[0] if found else None

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The query, decoded."""
        return parse_qsl(self.query, keep_blank_values=True)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """What to answer: `body` is bytes as they are, or a value to be written as JSON."""

    body: Any = field(default_factory=dict[str, Any])
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])

    def render(self) -> Response:
        if isinstance(self.body, bytes):
            return Response(self.body, self.status, self.headers)
        written = json.dumps(self.body).encode()
        return Response(written, self.status, {"content-type": "application/json", **self.headers})


class Loopback:
    """The API. Set `answer`; read `asked`. `hold` keeps every answer back until `release`."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.answer: Callable[[Asked], Reply] = lambda _: Reply()
        self._free, self._never = threading.Event(), threading.Event()
        self.arrived = threading.Event()
        self.reset()
        # An idle connection is the client's to close, or a call may come just as the server does.
        config = uvicorn.Config(
            self._serve,
            interface="asgi3",
            ws="none",
            lifespan="off",
            log_level="error",
            date_header=False,
            timeout_keep_alive=3_600,
        )
        self._server = uvicorn.Server(config)
        # asyncio sends at once, without Nagle's delay, only on a socket that says it is TCP
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(256)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        self._thread = threading.Thread(target=self._server.run, args=([self._listener],), daemon=True)
        self._thread.start()

    @property
    def connections(self) -> int:
        """How many connections are open now."""
        return len(self._server.server_state.connections)

    def wait_for_connections(self, count: int) -> None:
        """Wait until so many connections are open; a client that closed one is not yet the server having noticed."""
        for _ in range(1_000):
            if self.connections == count:
                return
            self._never.wait(0.01)
        raise AssertionError(f"{self.connections} connections are open, not {count}")

    def reset(self) -> None:
        """Forget what was asked and answer `{}` again."""
        self.asked.clear()
        self.answer = lambda _: Reply()
        self.arrived.clear()
        self._free.set()

    def reply(self, body: Any = None, status: int = 200, **headers: str) -> None:
        """Answer every request with this; `retry_after="3"` is a header."""
        told = Reply(body, status, {name.replace("_", "-"): value for name, value in headers.items()})
        self.answer = lambda _: told

    def hold(self) -> None:
        """Keep answers back; `arrived` is set when a request has come."""
        self.arrived.clear()
        self._free.clear()

    def release(self) -> None:
        """Let the answers go."""
        self._free.set()

    def close(self) -> None:
        """Stop serving."""
        self._free.set()
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join(timeout=10)
        self._listener.close()

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])
        path, query = scope["raw_path"].decode(), scope["query_string"].decode()
        try:
            body = await request.body()
        except ClientDisconnect:
            return
        asked = Asked(request.method, path, query, headers, body, scope["client"][1])
        self.asked.append(asked)
        self.arrived.set()
        if not self._free.is_set():
            await asyncio.to_thread(self._free.wait, 30)
        await self.answer(asked).render()(scope, receive, send)
