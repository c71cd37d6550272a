"""The longest stall of an event loop while one call takes 1 MB of arguments or of an answer, of several kinds.

A ticker runs in the loop of a process that does nothing else; the server is another process. Of several tries the least
counts: whatever else the machine does only adds to a stall. What the process has loaded is frozen: Python's collector
now and then goes through that whatever a call holds, and it takes longer than any row here.
"""

import asyncio
import gc
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, Literal

import uvicorn
from pydantic import BaseModel, JsonValue
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bench.server import run_server
from bench.table import Row
from charter import Api, CharterError, Tool

SIZE = 1_000_000
"""Bytes of JSON of each kind."""
TRIES = 5
BAR = 20
TICK = 0.001


class Leaf(BaseModel):
    """The end of a branch."""

    kind: Literal["leaf"]
    value: int


class Branch(BaseModel):
    """More branches, and leaves."""

    kind: Literal["branch"]
    twigs: "list[Branch | Leaf]" = []


class MuchCreate(BaseModel):
    """Make much of something."""

    numbers: list[int] = []
    leaves: list[Leaf] = []
    tree: Branch | Leaf | None = None
    text: str = ""
    anything: JsonValue = None


def fill(make: Callable[[int], str]) -> str:
    """Return a JSON list of about `SIZE` bytes of items."""
    count = SIZE // (len(make(10_000)) + 1)
    return f"[{','.join(make(at) for at in range(count))}]"


def make_kinds() -> dict[str, str]:
    """Return 1 MB of JSON of each kind."""
    return {
        "list of integers": fill(str),
        "list of small objects": fill(lambda at: f'{{"kind":"leaf","value":{at}}}'),
        "lists of pairs": fill(lambda at: f"[{at},{at}]"),
        "nested lists": fill(lambda _at: "[1]"),
        "lists 50 deep": fill(lambda at: "[" * 50 + str(at) + "]" * 50),
        "object of many keys": json.dumps({f"key{at}": at for at in range(SIZE // 18)}),
        "long text": json.dumps("x" * SIZE),
        "long text of escapes": json.dumps("\n" * (SIZE // 2)),
        "text of half characters": '"' + r"\ud83d " * (SIZE // 7) + '"',
    }


def make_arguments() -> dict[str, Any]:
    """Return arguments of 1 MB, and as many as one call may hold, by kind."""
    kinds = make_kinds()
    leaves = [{"kind": "leaf", "value": at} for at in range(3_000)]
    return {
        "list of integers": f'{{"numbers":{kinds["list of integers"]}}}',
        "list of small objects": f'{{"leaves":{kinds["list of small objects"]}}}',
        "nested lists": f'{{"anything":{kinds["nested lists"]}}}',
        "unknown keys": kinds["object of many keys"],
        "unknown keys, parsed": json.loads(kinds["object of many keys"]),
        "wrong items, parsed": {"numbers": ["x"] * (SIZE // 4)},
        "long text": f'{{"text":{kinds["long text"]}}}',
        "long text of escapes": f'{{"text":{kinds["long text of escapes"]}}}',
        "union, parsed": {"tree": {"kind": "branch", "twigs": leaves * 12}},
        "9,900 integers": {"numbers": list(range(9_900))},
        "9,900 wrong items": {"numbers": ["x"] * 9_900},
        "9,900 unknown keys": {f"key{at}": at for at in range(9_900)},
        "3,000 leaves of a union": {"tree": {"kind": "branch", "twigs": leaves}},
        "3,000 leaves of no option": {"tree": {"kind": "branch", "twigs": [{"kind": "x"}] * 3_000}},
        "150 leaves of a union": {"tree": {"kind": "branch", "twigs": leaves[:150]}},
    }


async def find_stall(work: Callable[[], Any]) -> float:
    """Return the milliseconds that the loop stood still at most while the work was done."""
    worst = 0.0
    is_done = False

    async def tick() -> None:
        nonlocal worst
        last = time.perf_counter()
        while not is_done:
            await asyncio.sleep(TICK)
            now = time.perf_counter()
            worst, last = max(worst, now - last - TICK), now

    ticker = asyncio.create_task(tick())
    await asyncio.sleep(10 * TICK)
    worst = 0.0
    try:
        await work()
    except CharterError:
        pass
    is_done = True
    await ticker
    return worst * 1_000


async def measure(url: str) -> dict[str, float]:
    """Return the stall of each kind of arguments and answers."""
    api = Api("bench", base_url=f"{url}/", timeout=120)
    takes = api.post("empty", MuchCreate)
    await takes.ainvoke({"numbers": [1]})
    works: dict[str, Callable[[], Any]] = {
        f"arguments, {kind}": lambda given=given: takes.ainvoke(given)
        for kind, given in make_arguments().items()
    }
    for status, what in ((200, "answer"), (500, "error body")):
        for kind in make_kinds():
            tool = make_reader(api, kind, status)
            works[f"{what}, {kind}"] = lambda tool=tool: tool.ainvoke()
    found: dict[str, float] = {}
    gc.collect()
    gc.freeze()
    for what, work in works.items():
        stalls: list[float] = []
        for _ in range(TRIES):
            gc.collect()
            stalls.append(await find_stall(work))
        found[what] = min(stalls)
    return found


class NothingGet(BaseModel):
    """Read what the server has of a kind."""


def make_reader(api: Api, kind: str, status: int) -> Tool:
    """Return a tool whose answer is 1 MB of a kind."""
    return api.get(f"{status}/{kind.replace(' ', '-')}", NothingGet, name="reader")


async def serve() -> None:
    """Answer with what the path names until the input ends; print the port first."""
    bodies = {kind.replace(" ", "-"): text.encode() for kind, text in make_kinds().items()}

    async def answer(request: Request) -> Response:
        await request.body()
        body = bodies[request.path_params["kind"]]
        return Response(body, request.path_params["status"], media_type="application/json")

    async def take(request: Request) -> Response:
        await request.body()
        return Response(b"{}", media_type="application/json")

    routes = [Route("/{status:int}/{kind}", answer), Route("/empty", take, methods=["POST"])]
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    config = uvicorn.Config(Starlette(routes=routes), log_level="error", access_log=False)
    print(json.dumps({"url": f"http://127.0.0.1:{listener.getsockname()[1]}"}), flush=True)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    await asyncio.to_thread(sys.stdin.read)
    server.should_exit = True
    await serving


def rows() -> list[Row]:
    """Measure in a process that does nothing else."""
    with run_server("-m", "bench.stalls", "serve") as url:
        command = [sys.executable, "-m", "bench.stalls", url]
        told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [
        Row(f"longest stall, 1 MB of {what}", stall, BAR, "ms") for what, stall in json.loads(told).items()
    ]


if __name__ == "__main__":
    [mode] = sys.argv[1:]
    if mode == "serve":
        asyncio.run(serve())
    else:
        print(json.dumps(asyncio.run(measure(mode))))
