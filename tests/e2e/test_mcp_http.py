"""Many clients at once, replicas on one Redis, and servers that end, as processes of their own."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bench.mcp import ACCEPT, INITIALIZE, read_answer, run_load
from tests.counterparties.charter_mcp import HttpServer, run_server
from tests.counterparties.node import NotInstallable
from tests.counterparties.redis import RedisServer, run_redis

pytestmark = pytest.mark.anyio

SERVER = [sys.executable, str(Path(__file__).with_name("echo_server.py"))]
CLIENTS, CALLS = 500, 4
"""The benchmark makes 20 calls of each client; here fewer, for time, of as many clients at once."""


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    try:
        with run_redis() as server:
            yield server
    except NotInstallable as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


async def open_session(client: httpx2.AsyncClient, url: str) -> dict[str, str]:
    opened = await client.post(url, json=INITIALIZE)
    assert opened.status_code == 200, opened.text
    return {"mcp-session-id": opened.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}


async def ask(
    client: httpx2.AsyncClient, url: str, session: dict[str, str], method: str, **params: Any
) -> Any:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = await client.post(url, json=message, headers=session)
    return read_answer(answer.text)["result"] if answer.status_code == 200 else answer.status_code


async def list_names(client: httpx2.AsyncClient, url: str, session: dict[str, str]) -> list[str]:
    return [tool["name"] for tool in (await ask(client, url, session, "tools/list"))["tools"]]


async def load(client: httpx2.AsyncClient, url: str, session: dict[str, str], name: str) -> None:
    await ask(client, url, session, "tools/call", name="ToolSearch", arguments={"query": f"select:{name}"})


async def test_five_hundred_clients_at_once_lose_and_cross_nothing() -> None:
    with run_server([*SERVER, "memory"]) as server:
        found = await run_load(server.url, CLIENTS, CALLS)
    assert (len(found.seconds), found.lost, found.crossed) == (CLIENTS * CALLS, 0, 0)


async def test_two_replicas_serve_one_client_and_one_of_them_is_killed(redis_server: RedisServer) -> None:
    command = [*SERVER, redis_server.url]
    with run_server(command) as one, run_server(command) as two:
        async with httpx2.AsyncClient(headers=ACCEPT, timeout=30) as client:
            session = await open_session(client, one.url)
            await load(client, two.url, session, "stripe__refunds_list")
            await load(client, one.url, session, "stripe__charges_list")
            names = ["plain__echo", "ToolSearch", "stripe__refunds_list", "stripe__charges_list"]
            assert await list_names(client, two.url, session) == names
            for at, replica in enumerate([one, two] * 3):
                call = await ask(
                    client, replica.url, session, "tools/call", name="plain__echo", arguments={"at": at}
                )
                assert call["structuredContent"] == {"at": at}
            one.kill()
            assert await list_names(client, two.url, session) == names
            await load(client, two.url, session, "stripe__payouts_list")
            assert (await list_names(client, two.url, session))[-1] == "stripe__payouts_list"


async def test_a_server_that_is_told_to_stop_finishes_and_exits_cleanly() -> None:
    with run_server([*SERVER, "memory"]) as server:
        async with httpx2.AsyncClient(headers=ACCEPT, timeout=30) as client:
            session = await open_session(client, server.url)
            calls = [
                asyncio.create_task(
                    ask(client, server.url, session, "tools/call", name="plain__echo", arguments={"at": at})
                )
                for at in range(50)
            ]
            await calls[0]
            os.kill(server.pid, signal.SIGTERM)
            done = await asyncio.gather(*calls, return_exceptions=True)
        answered = [one for one in done if isinstance(one, dict)]
        assert all(one["structuredContent"]["at"] in range(50) for one in answered)
        # What was under way is answered; what had not arrived finds the door closed.
        assert all(isinstance(one, dict | httpx2.TransportError) for one in done)
        assert server.stop() in (0, -signal.SIGTERM)
        assert not any("Traceback" in line for line in server.lines)


async def test_beyond_this_machine_it_does_not_start_without_authentication() -> None:
    with pytest.raises(RuntimeError, match="can be reached from other machines"):
        HttpServer([str(Path(sys.executable).with_name("charter")), "serve", "--http", "0.0.0.0:0"])
