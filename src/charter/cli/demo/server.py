"""The demo's APIs on loopback: one server, real sockets, a log of all that crossed them.

Not here: what the APIs answer. `stripe_api` and `gmail_api` do that.
"""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from charter.cli.demo.gmail_api import GmailApi
from charter.cli.demo.routes import Reply, Request, read_request
from charter.cli.demo.stripe_api import StripeApi

__all__ = ["TOKEN", "Exchange", "World", "serve"]

TOKEN = "demo-token"  # noqa: S105
"""The credential that both APIs take."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request on the wire and what came back."""

    method: str
    target: str
    body: bytes
    status: int
    answer: bytes


@dataclass(slots=True)
class World:
    """Both APIs and their state, where they are, and what they were asked."""

    url: str = ""
    stripe: StripeApi = field(default_factory=StripeApi)
    gmail: GmailApi = field(default_factory=GmailApi)
    log: list[Exchange] = field(default_factory=list[Exchange])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, method: str, target: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        """Answer one request, one at a time, and log it."""
        request = read_request(method, target, headers, body)
        with self._lock:
            reply = self._ask(request)
            content = b"" if reply.body is None else json.dumps(reply.body, indent=2).encode()
            self.log.append(Exchange(method, target, body, reply.status, content))
        return reply.status, content

    def _ask(self, request: Request) -> Reply:
        allowed = request.headers.get("authorization") == f"Bearer {TOKEN}"
        api = self.gmail if request.path.startswith("/gmail/") else self.stripe
        return api.answer(request) if allowed else api.refuse()


@contextmanager
def serve() -> Generator[World]:
    """Serve a new world on a free port of 127.0.0.1 until the block ends."""
    world = World()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _make_handler(world.answer))
    server.daemon_threads = True
    world.url = f"http://127.0.0.1:{server.server_port}/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield world
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _make_handler(
    answer: Callable[[str, str, dict[str, str], bytes], tuple[int, bytes]],
) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, content = answer(self.command, self.path, dict(self.headers.items()), body)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Stay silent: the demo prints its own log."""

    return Handler
