"""A provider on loopback that answers in the shape of OpenAI's API with what a model object says.

Not here: the model. The demo's scripted one, or a test's own, is given.
"""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@contextmanager
def serve_model(model: Any) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve until the block ends; give the base URL and the list of request bodies."""
    seen: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.append(request)
            content = json.dumps(_answer(model, request)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Stay silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _answer(model: Any, request: dict[str, Any]) -> dict[str, Any]:
    said = asyncio.run(model.create(**request))
    message = said["choices"][0]["message"]
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    usage = said.get("usage", {"prompt_tokens": 1, "completion_tokens": 1})
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": request["model"],
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {**usage, "total_tokens": sum(usage.values())},
    }
