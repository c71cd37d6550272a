"""The store in a real Redis keeps what the one in memory keeps, for every replica, and says when it is away."""

import asyncio
import secrets
import sys
from collections.abc import AsyncIterator

import pytest
from mcp import Client

from charter import ToolSession
from charter.adapters.mcp import build_server
from charter.adapters.mcp.redis_store import RedisStore
from charter.adapters.mcp.store import Progress, StoreUnreachableError
from charter.errors import DeclarationError
from tests.adapters.mcp.samples import PlainTool, make_things, run_http, run_slow_api
from tests.adapters.mcp.test_http import ask, client_of, names_of, open_session, read_events
from tests.counterparties.redis import RedisServer

pytestmark = pytest.mark.anyio


@pytest.fixture
def prefix() -> str:
    return f"{secrets.token_hex(8)}:"


@pytest.fixture
async def store(redis_server: RedisServer, prefix: str) -> AsyncIterator[RedisStore]:
    made = RedisStore(redis_server.url, prefix=prefix, max_sessions=2)
    yield made
    await made.aclose()


async def test_sessions_are_kept_limited_and_closed(store: RedisStore) -> None:
    assert await store.open_session("a", {"client": "x"})
    assert await store.read_session("a") == {"client": "x"}
    assert await store.open_session("b", {})
    assert not await store.open_session("c", {})
    await store.close_session("a")
    assert await store.read_session("a") is None
    assert await store.open_session("c", {})


async def test_everything_is_forgotten_in_time(
    redis_server: RedisServer, prefix: str, store: RedisStore
) -> None:
    await store.open_session("a", {})
    await store.add_loaded("a", ["x"])
    await store.mark_listed("a", 1)
    await store.keep_text("a", "text")
    keys = [key async for key in store._redis.scan_iter(f"{prefix}*")]
    lives = {key.removeprefix(prefix): await store._redis.ttl(key) for key in keys}
    assert lives.pop("sessions") == -1
    assert len(lives) == 4
    assert all(1700 < life <= 1800 for life in lives.values())


async def test_what_is_loaded_adds_up_whoever_adds_it(
    redis_server: RedisServer, prefix: str, store: RedisStore
) -> None:
    other = RedisStore(redis_server.url, prefix=prefix)
    await store.add_loaded("a", ["x", "y"])
    await other.add_loaded("a", ["y", "z"])
    await store.add_loaded("a", [])
    await other.mark_listed("a", 2)
    assert await store.read_progress("a") == Progress(["x", "y", "z"], 2)
    await store.forget("a")
    assert await other.read_progress("a") == Progress([], 0)
    await other.aclose()


async def test_replicas_sign_with_one_key(redis_server: RedisServer, prefix: str, store: RedisStore) -> None:
    other = RedisStore(redis_server.url, prefix=prefix)
    assert await store.signing_key() == await other.signing_key()
    assert len(await store.signing_key()) == 32
    await other.aclose()


async def test_texts_come_back(store: RedisStore) -> None:
    await store.keep_text("k", "länger")
    assert await store.read_text("k") == "länger"
    assert await store.read_text("other") is None


def test_a_url_that_is_none_and_a_missing_package_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DeclarationError, match="Write redis://host:6379/0"):
        RedisStore("http://127.0.0.1")
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(DeclarationError, match=r"Install charter\[redis\]"):
        RedisStore("redis://127.0.0.1")


async def test_two_replicas_serve_one_client_in_turns(redis_server: RedisServer, prefix: str) -> None:
    servers = [
        build_server(
            ToolSession([PlainTool("echo"), *make_things()]),
            store=RedisStore(redis_server.url, prefix=prefix),
        )
        for _ in range(2)
    ]
    async with client_of(servers[0]) as one, client_of(servers[1]) as two:
        session = await open_session(one)
        load = ask("tools/call", {"name": "ToolSearch", "arguments": {"query": "select:plain__echo"}})
        await two.post("", json=load, headers=session)
        assert await names_of(one, session) == ["ToolSearch", "plain__echo"]
        more = ask("tools/call", {"name": "ToolSearch", "arguments": {"query": "select:shop__things_list"}})
        await one.post("", json=more, headers=session)
        assert await names_of(two, session) == ["ToolSearch", "plain__echo", "shop__things_list"]
        for at, replica in enumerate([one, two] * 5):
            call = ask("tools/call", {"name": "plain__echo", "arguments": {"text": str(at)}}, number=at)
            event = read_events(await replica.post("", json=call, headers=session))[-1]
            assert event["result"]["structuredContent"] == {"text": str(at)}


async def test_a_handle_of_one_replica_is_good_at_the_other(redis_server: RedisServer, prefix: str) -> None:
    tools = [PlainTool("echo"), *make_things()]
    servers = [
        build_server(ToolSession(tools), store=RedisStore(redis_server.url, prefix=prefix)) for _ in range(2)
    ]
    async with (
        run_http(servers[0]) as first,
        run_http(servers[1]) as second,
        Client(first) as one,
        Client(second) as two,
    ):
        found = (await one.call_tool("ToolSearch", {"query": "select:plain__echo"})).structured_content
        call = {"name": "plain__echo", "arguments": {"text": "hi"}, "handle": found["handle"]}
        assert (await two.call_tool("ToolCall", call)).structured_content == {"text": "hi"}


async def test_a_replica_that_ends_takes_no_session_with_it(redis_server: RedisServer, prefix: str) -> None:
    def make() -> object:
        store = RedisStore(redis_server.url, prefix=prefix)
        return build_server(ToolSession([PlainTool("echo"), *make_things()]), store=store)

    async with client_of(make()) as one:  # type: ignore[arg-type]
        session = await open_session(one)
        load = ask("tools/call", {"name": "ToolSearch", "arguments": {"query": "select:plain__echo"}})
        await one.post("", json=load, headers=session)
    async with client_of(make()) as two:  # type: ignore[arg-type]
        assert await names_of(two, session) == ["ToolSearch", "plain__echo"]


async def test_redis_gone_is_said_and_redis_back_is_used(prefix: str, redis_server: RedisServer) -> None:
    store = RedisStore(redis_server.url, prefix=prefix)
    async with client_of(build_server(ToolSession(make_things()), store=store)) as client:
        session = await open_session(client)
        assert await names_of(client, session) == ["ToolSearch"]
        redis_server.stop()
        gone = await client.post("", json=ask("tools/list"), headers=session)
        assert gone.status_code == 503
        with pytest.raises(StoreUnreachableError):
            await store.check()
        redis_server.start()
        await store.check()
        # It kept nothing on disk, so the session is gone with it: the client is told to begin again.
        assert (await client.post("", json=ask("tools/list"), headers=session)).status_code == 404
        assert await names_of(client, await open_session(client)) == ["ToolSearch"]


async def test_a_cancellation_at_one_replica_reaches_a_call_at_another(
    redis_server: RedisServer, prefix: str
) -> None:
    async with run_slow_api() as api:
        servers = [
            build_server(make_things(api.url), store=RedisStore(redis_server.url, prefix=prefix))
            for _ in range(2)
        ]
        async with client_of(servers[0]) as one, client_of(servers[1]) as two:
            session = await open_session(one)
            call = ask("tools/call", {"name": "shop__things_list", "arguments": {}}, number=7)
            pending = asyncio.create_task(one.post("", json=call, headers=session))
            await asyncio.wait_for(api.arrived.wait(), 20)
            cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
            assert (await two.post("", json=cancel, headers=session)).status_code == 202
            await asyncio.wait_for(api.gone.wait(), 20)
            assert read_events(await pending)[-1]["error"]["message"] == "The request was cancelled."
