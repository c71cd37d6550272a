"""What `ainvoke` adds to a request, over the same request on a bare httpx2 client, and what 1,000 at once cost.

Each side has one pooled client, and both one loopback server; they take turns within one run, so
whatever slows the machine slows both. The server is in server.py.
"""

import asyncio
import gc
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx2
from pydantic import BaseModel, Field

from bench.server import run_server
from bench.table import Row
from charter import Api, Bearer, Tool, keep

ROUNDS = {1: 1500, 100: 30}
BURST = 1_000
BURSTS = 5
Call = Callable[[], Awaitable[object]]


class RefundsCreate(BaseModel):
    """Return a charge."""

    charge: str = Field(description="Charge id.")
    amount: int | None = Field(None, ge=1)
    reason: str | None = None


BODY = {"charge": "ch_1", "amount": 2000, "reason": "duplicate"}


def make_tool(url: str) -> Tool:
    """Return a tool that makes the same request as the bare call."""
    api = Api("bench", base_url=f"{url}/v1/", auth=Bearer("sk_test_1"))
    return api.post("refunds", RefundsCreate, response_handler=keep("id", "amount", "status")).prepare()


def make_bare(url: str, client: httpx2.AsyncClient) -> Call:
    """Return the request as one would write it without charter: send, check, parse, pick."""
    headers = {"Authorization": "Bearer sk_test_1"}

    async def call() -> object:
        response = await client.post(f"{url}/v1/refunds", json=BODY, headers=headers)
        response.raise_for_status()
        data = response.json()
        return {name: data[name] for name in ("id", "amount", "status")}

    return call


async def time_at_once(call: Call, count: int) -> float:
    """Return the seconds that `count` calls at once take."""
    began = time.perf_counter()
    if count == 1:
        await call()
    else:
        await asyncio.gather(*(call() for _ in range(count)))
    return time.perf_counter() - began


async def compare(url: str, count: int) -> tuple[float, float]:
    """Return the median seconds of the bare call and of ainvoke, taking turns, `count` at once."""
    async with httpx2.AsyncClient(
        limits=httpx2.Limits(max_connections=100, max_keepalive_connections=100)
    ) as client:
        tool, bare = make_tool(url), make_bare(url, client)

        async def ours() -> object:
            return await tool.ainvoke(BODY)

        assert await ours() == await bare()
        seconds: dict[str, list[float]] = {"bare": [], "ours": []}
        for at in range(ROUNDS[count]):
            turns = [("bare", bare), ("ours", ours)]
            for name, call in turns if at % 2 else reversed(turns):
                seconds[name].append(await time_at_once(call, count))
        settled = {name: values[len(values) // 10 :] for name, values in seconds.items()}
        return statistics.median(settled["bare"]), statistics.median(settled["ours"])


def resident_memory() -> float:
    """Return the megabytes that this process holds in memory."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


async def burst(url: str) -> tuple[int, float]:
    """Return the failures and the extra megabytes of several times 1,000 calls at once, on the default client."""
    tool = make_tool(url)
    await tool.ainvoke(BODY)
    gc.collect()
    before = peak = resident_memory()
    failures = 0
    for _ in range(BURSTS):
        calls = [asyncio.create_task(tool.ainvoke(BODY)) for _ in range(BURST)]
        results = await asyncio.gather(*calls, return_exceptions=True)
        failures += sum(isinstance(result, BaseException) for result in results)
        peak = max(peak, resident_memory())
    return failures, peak - before


def rows() -> list[Row]:
    """Measure the overhead at 1 and 100 at once, then the bursts."""
    found: list[Row] = []
    with run_server() as url:
        for count in ROUNDS:
            bare, ours = asyncio.run(compare(url, count))
            found.append(Row(f"ainvoke / bare httpx2, {count} at once", ours / bare, 1.15, "x"))
            found.append(
                Row(f"what ainvoke adds, {count} at once, per call", (ours - bare) / count * 1e6, unit="us")
            )
        failures, extra = asyncio.run(burst(url))
    found.append(Row(f"failures among {BURSTS} x {BURST:,} calls at once", failures, 0))
    found.append(Row(f"extra memory of {BURST:,} calls at once", extra, 150, "MB"))
    return found
