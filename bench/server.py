"""The loopback server of the call benchmark: uvicorn and starlette in a process of their own.

What is asked of it is in call.py.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_PROGRAM = """
import asyncio, json, socket, sys
import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

BODY = json.dumps({"id": "re_1", "object": "refund", "amount": 2000, "status": "succeeded"}).encode()


async def answer(request):
    await request.body()
    return Response(BODY, media_type="application/json")


async def main():
    # asyncio turns Nagle's algorithm off only where the protocol is named; with it on, each answer waits 40 ms
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(2048)
    routes = [Route("/{path:path}", answer, methods=["GET", "POST"])]
    config = uvicorn.Config(Starlette(routes=routes), log_level="error", access_log=False, lifespan="off")
    print(json.dumps({"url": f"http://127.0.0.1:{listener.getsockname()[1]}"}), flush=True)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    await asyncio.to_thread(sys.stdin.read)
    server.should_exit = True
    await serving


asyncio.run(main())
"""


@contextmanager
def run_server(*arguments: str) -> Iterator[str]:
    """Start the server, or another by its arguments to Python, and yield its origin; it ends with the block."""
    command = [sys.executable, *(arguments or ("-c", _PROGRAM))]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        yield json.loads(child.stdout.readline())["url"]
    finally:
        child.stdin.close()
        child.wait(timeout=30)
        child.stdout.close()
