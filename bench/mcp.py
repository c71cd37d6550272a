"""The MCP server beside the SDK's own empty one: start to first list over stdio, and many HTTP clients at once.

Both servers run in processes of their own and take turns. What is compared is only what Charter adds.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from bench.table import Row

ROUNDS = 15
CLIENTS, CALLS = 500, 20
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}

EMPTY = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import ListToolsResult


async def list_tools(ctx, params):
    return ListToolsResult(tools=[])


async def main():
    server = Server("empty", on_list_tools=list_tools)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


anyio.run(main)
"""
BARE = """
import socket
import sys
import uvicorn
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool
from pydantic_core import to_json


async def list_tools(ctx, params):
    return ListToolsResult(tools=[Tool(name="plain__echo", input_schema={"type": "object"})])


async def call_tool(ctx, params):
    text = to_json(params.arguments).decode()
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=params.arguments)


server = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", file=sys.stderr, flush=True)
config = uvicorn.Config(server.streamable_http_app(), log_level="error", access_log=False, timeout_keep_alive=75)
uvicorn.Server(config).run(sockets=[listener])
"""
OURS = """
from charter import ToolSession
from charter.adapters.mcp import HttpSettings, serve


class Echo:
    pack, name, description = "plain", "echo", "Return the arguments."

    def to_json_schema(self):
        return {"name": "echo", "description": self.description, "parameters": {"type": "object"}}

    async def ainvoke(self, arguments=None, *, client=None):
        return arguments


serve(ToolSession([Echo()], resident={"plain__echo"}), mode="growing", http=HttpSettings(port=0))
"""


def time_to_first_list(command: Sequence[str]) -> float:
    """Return the seconds from the start of a server to its answer to `tools/list`."""
    began = time.perf_counter()
    child = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert child.stdin is not None
    assert child.stdout is not None
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for message in (INITIALIZE, ready, ask):
        child.stdin.write(json.dumps(message) + "\n")
    child.stdin.flush()
    answers = [json.loads(child.stdout.readline()) for _ in range(2)]
    taken = time.perf_counter() - began
    child.stdin.close()
    child.wait(timeout=30)
    child.stdout.close()
    assert "tools" in answers[1]["result"]
    return taken


def compare_starts() -> tuple[float, float]:
    """Return the median seconds of the empty server and of `charter serve`, taking turns."""
    charter = str(Path(sys.executable).with_name("charter"))
    commands = {"empty": [sys.executable, "-c", EMPTY], "ours": [charter, "serve"]}
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for at in range(ROUNDS + 1):
        for name, command in commands.items():
            taken = time_to_first_list(command)
            if at:  # the first round fills the disk cache
                seconds[name].append(taken)
    return statistics.median(seconds["empty"]), statistics.median(seconds["ours"])


@contextmanager
def run_http(program: str) -> Iterator[str]:
    """Start a server and yield its URL; it ends with the block."""
    child = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    assert child.stderr is not None
    try:
        line = child.stderr.readline()
        while "http://" not in line:
            assert line, "the server did not start"
            line = child.stderr.readline()
        yield "http://" + line.split("http://")[1].split()[0]
    finally:
        child.terminate()
        child.wait(timeout=30)
        child.stderr.close()


@dataclass(slots=True)
class Load:
    """What came of many clients at once."""

    seconds: list[float] = field(default_factory=list[float])
    crossed: int = 0
    lost: int = 0


async def run_load(url: str, clients: int, calls: int) -> Load:
    """Let many clients, each in a session of its own, make their calls all at once."""
    load = Load()
    limits = httpx2.Limits(max_connections=clients, max_keepalive_connections=clients)
    async with httpx2.AsyncClient(headers=ACCEPT, limits=limits, timeout=300) as client:
        await asyncio.gather(*(_be_a_client(client, url, who, calls, load) for who in range(clients)))
    return load


async def _be_a_client(client: httpx2.AsyncClient, url: str, who: int, calls: int, load: Load) -> None:
    opened = await client.post(url, json=INITIALIZE)
    session = {"mcp-session-id": opened.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    await client.post(url, json=ready, headers=session)
    for at in range(calls):
        wanted = {"who": who, "at": at}
        params = {"name": "plain__echo", "arguments": wanted}
        call = {"jsonrpc": "2.0", "id": at + 1, "method": "tools/call", "params": params}
        began = time.perf_counter()
        answer = read_answer((await client.post(url, json=call, headers=session)).text)
        load.seconds.append(time.perf_counter() - began)
        if answer is None:
            load.lost += 1
        elif answer["id"] != at + 1 or answer["result"]["structuredContent"] != wanted:
            load.crossed += 1


def read_answer(text: str) -> Any:
    """Return the answer that a body is or a stream ends with, or None."""
    if text.startswith("{"):
        return json.loads(text)
    lines = [line[6:] for line in text.splitlines() if line.startswith("data: {")]
    return json.loads(lines[-1]) if lines else None


def rows() -> list[Row]:
    """Measure the starts, then the load on either server."""
    os.environ.setdefault("STRIPE_API_KEY", "sk_test_1")
    empty, ours = compare_starts()
    found = [
        Row("charter serve, start to first tools/list / the SDK's empty server", ours / empty, 1.3, "x"),
        Row("charter serve, start to first tools/list", ours * 1000, unit="ms"),
    ]
    for name, program in (("the SDK's bare server", BARE), ("charter serve", OURS)):
        with run_http(program) as url:
            load = asyncio.run(run_load(url, CLIENTS, CALLS))
        what = f"{CLIENTS} HTTP clients x {CALLS} calls, {name}"
        p99 = statistics.quantiles(load.seconds, n=100)[98]
        found.append(Row(f"{what}: p99", p99 * 1000, unit="ms"))
        if program is OURS:
            found.append(Row(f"{what}: crossed answers", load.crossed, 0))
            found.append(Row(f"{what}: lost answers", CLIENTS * CALLS - len(load.seconds) + load.lost, 0))
    return found
