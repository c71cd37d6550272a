"""An API on loopback that answers with what it was sent; the examples of the documentation call it.

Not here: which examples. `test_documentation` runs them.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

LEFT_OUT = {"host", "accept", "accept-encoding", "connection", "user-agent", "content-length"}


class _Echo(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        target = urlsplit(self.path)
        status, answer = self._answer(target.path, dict(parse_qsl(target.query)), body)
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _answer(self, path: str, query: dict[str, str], body: str) -> tuple[int, dict[str, Any]]:
        if path.endswith("/nowhere"):
            return 404, {"error": {"message": "there is no such room"}}
        if path.endswith("/declined"):
            return 402, {"error": {"message": "the card was declined", "decline_code": "insufficient_funds"}}
        if path.endswith("/locked"):
            return 200, {"ok": False, "error": "room_locked"}
        sent = {"request": f"{self.command} {self.path}", "body": body}
        kept = {name: value for name, value in self.headers.items() if name.lower() not in LEFT_OUT}
        return 200, {
            **sent,
            "headers": kept,
            **({} if "cursor" in query else {"next": "page-2"}),
        }

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Stay silent."""


@contextmanager
def serve_echo() -> Iterator[str]:
    """Serve until the block ends; give the origin, without a slash at its end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Echo)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
