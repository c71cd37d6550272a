"""Who is let in over HTTP, sessions, limits, and what comes of faults."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp_types import Implementation

from charter import ToolSession
from charter.adapters.mcp import CharterServer, HttpSettings, build_server
from charter.adapters.mcp.http import is_loopback, read_address
from charter.adapters.mcp.store import MemoryStore, StoreUnreachableError
from charter.errors import DeclarationError
from tests.adapters.mcp.samples import PlainTool, make_things, run_http, run_slow_api

pytestmark = pytest.mark.anyio

ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def ask(method: str, params: Any = None, number: Any = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


def make_server(store: MemoryStore | None = None, tools: Any = None) -> CharterServer:
    return build_server(ToolSession(tools or [PlainTool("echo"), *make_things()]), store=store)


@asynccontextmanager
async def client_of(server: CharterServer, **settings: Any) -> AsyncIterator[httpx2.AsyncClient]:
    async with (
        run_http(server, **settings) as url,
        httpx2.AsyncClient(base_url=url, headers=ACCEPT, timeout=20) as client,
    ):
        yield client


async def open_session(client: httpx2.AsyncClient) -> dict[str, str]:
    response = await client.post("", json=INITIALIZE)
    assert response.status_code == 200, response.text
    return {"mcp-session-id": response.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}


def read_events(response: httpx2.Response) -> list[Any]:
    if response.text.startswith("{"):
        return [response.json()]
    return [json.loads(line[6:]) for line in response.text.splitlines() if line.startswith("data: {")]


async def names_of(client: httpx2.AsyncClient, session: dict[str, str]) -> list[str]:
    events = read_events(await client.post("", json=ask("tools/list"), headers=session))
    return [tool["name"] for tool in events[-1]["result"]["tools"]]


@pytest.mark.parametrize("host", ["evil.test", "127.0.0.1.evil.test", "127.0.0.1.evil.test:80", ""])
async def test_a_host_that_is_not_ours_is_turned_away(host: str) -> None:
    async with client_of(make_server()) as client:
        assert (await client.post("", json=INITIALIZE, headers={"Host": host})).status_code in (400, 421)


@pytest.mark.parametrize("origin", ["null", "http://evil.test", "http://127.0.0.1.evil.test", "file://"])
async def test_an_origin_that_is_not_ours_is_turned_away(origin: str) -> None:
    async with client_of(make_server()) as client:
        refused = await client.post("", json=INITIALIZE, headers={"Origin": origin})
        assert refused.status_code == 403
        preflight = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        answer = await client.options("", headers=preflight)
        assert "access-control-allow-origin" not in answer.headers


async def test_our_own_origin_and_those_named_are_let_in() -> None:
    async with client_of(make_server(), origins=("https://app.test",), hosts=("mcp.test",)) as client:
        for origin in ("http://localhost:3000", "https://app.test"):
            assert (await client.post("", json=INITIALIZE, headers={"Origin": origin})).status_code == 200
        assert (await client.post("", json=INITIALIZE, headers={"Host": "mcp.test"})).status_code == 200


async def test_other_machines_are_let_in_only_with_authentication() -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "example.com"):
        with pytest.raises(DeclarationError, match="can be reached from other machines"):
            HttpSettings(host)
    assert not is_loopback("127.0.0.1.evil.test")
    assert is_loopback("127.8.8.8")


@pytest.mark.parametrize("text", ["", "host:", "host:x", "host:99999", "a:b:c"])
def test_an_address_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(DeclarationError, match="is no address"):
        read_address(text)


async def test_a_session_is_opened_used_and_closed() -> None:
    async with client_of(make_server()) as client:
        session = await open_session(client)
        assert await names_of(client, session) == ["ToolSearch"]
        call = ask("tools/call", {"name": "ToolSearch", "arguments": {"query": "select:plain__echo"}})
        events = read_events(await client.post("", json=call, headers=session))
        assert [event.get("method") for event in events] == ["notifications/tools/list_changed", None]
        assert await names_of(client, session) == ["ToolSearch", "plain__echo"]
        assert (await client.delete("", headers=session)).status_code == 204
        assert (await client.post("", json=ask("tools/list"), headers=session)).status_code == 404
        assert (await client.delete("", headers=session)).status_code == 404


async def test_requests_outside_a_session_are_told_how_to_begin() -> None:
    async with client_of(make_server()) as client:
        assert (await client.post("", json=ask("tools/list"))).status_code == 400
        unknown = {"mcp-session-id": "x" * 32}
        assert (await client.post("", json=ask("tools/list"), headers=unknown)).status_code == 404
        assert (await client.get("", headers=unknown)).status_code == 405


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{broken", 400),
        (b"[]", 400),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400),
        (b'"text"', 400),
        (b"\xff\xfe", 400),
        (b"[" * 100_000, 400),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', 400),
        (b'{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', 400),
        (b'{"jsonrpc":"2.0","id":1}', 400),
        (b'{"jsonrpc":"2.0","id":1,"method":"no/such"}', 200),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}', 200),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":[]}}', 200),
        (b'{"jsonrpc":"2.0","method":"no/such"}', 202),
    ],
)
async def test_a_malformed_frame_is_an_error_and_the_session_goes_on(body: bytes, status: int) -> None:
    async with client_of(make_server()) as client:
        session = await open_session(client)
        response = await client.post("", content=body, headers=session)
        assert response.status_code == status
        assert "-32603" not in response.text
        assert await names_of(client, session) == ["ToolSearch"]


async def test_a_handshake_that_fails_opens_no_session() -> None:
    store = MemoryStore(max_sessions=1)
    async with client_of(make_server(store)) as client:
        for _ in range(3):
            wrong = await client.post("", json=INITIALIZE, headers={"Accept": "text/html"})
            assert wrong.status_code == 406
        assert await open_session(client)


async def test_a_body_past_the_limit_is_refused_before_it_is_read() -> None:
    async with client_of(make_server()) as client:
        session = await open_session(client)
        call = ask("tools/call", {"name": "plain__echo", "arguments": {"text": "x" * (4 * 1024 * 1024)}})
        assert (await client.post("", json=call, headers=session)).status_code == 413
        assert await names_of(client, session) == ["ToolSearch"]


async def test_sessions_past_the_limit_are_refused_and_the_others_go_on() -> None:
    async with client_of(make_server(MemoryStore(max_sessions=2))) as client:
        first, second = await open_session(client), await open_session(client)
        assert (await client.post("", json=INITIALIZE)).status_code == 503
        assert await names_of(client, first) == ["ToolSearch"]
        await client.delete("", headers=second)
        assert await open_session(client)


async def test_an_idle_session_ends() -> None:
    class Clock:
        now = 0.0

        def __call__(self) -> float:
            return self.now

    clock = Clock()
    async with client_of(make_server(MemoryStore(idle_seconds=60, clock=clock))) as client:
        session = await open_session(client)
        clock.now = 61.0
        assert (await client.post("", json=ask("tools/list"), headers=session)).status_code == 404


async def test_both_eras_are_served_by_one_process() -> None:
    async with run_http(make_server()) as url, Client(url, mode="legacy") as old, Client(url) as new:
        assert (old.protocol_version, new.protocol_version) == ("2025-11-25", "2026-07-28")
        assert [tool.name for tool in (await old.list_tools()).tools] == ["ToolSearch"]
        assert [tool.name for tool in (await new.list_tools()).tools] == ["ToolSearch", "ToolCall"]


async def test_the_name_of_the_handshake_decides_the_mode_of_the_whole_session() -> None:
    codex = Implementation(name="codex-mcp-client", version="1")
    async with run_http(make_server()) as url, Client(url, mode="legacy", client_info=codex) as client:
        assert client.server_capabilities.tools.list_changed is False
        await client.call_tool("ToolSearch", {"query": "select:plain__echo"})
        assert [tool.name for tool in (await client.list_tools()).tools] == ["ToolSearch", "ToolCall"]
        done = await client.call_tool("ToolCall", {"name": "plain__echo", "arguments": {"text": "hi"}})
        assert done.structured_content == {"text": "hi"}


async def test_a_cancellation_that_comes_as_a_request_of_its_own_reaches_the_call() -> None:
    async with run_slow_api() as api, client_of(build_server(make_things(api.url))) as client:
        session, other = await open_session(client), await open_session(client)
        call = ask("tools/call", {"name": "shop__things_list", "arguments": {}}, number=7)
        pending = asyncio.create_task(client.post("", json=call, headers=session))
        await asyncio.wait_for(api.arrived.wait(), 20)
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
        assert (await client.post("", json=cancel, headers=other)).status_code == 202
        assert not api.gone.is_set()
        assert (await client.post("", json=cancel, headers=session)).status_code == 202
        await asyncio.wait_for(api.gone.wait(), 20)
        assert read_events(await pending)[-1]["error"]["message"] == "The request was cancelled."
        assert len(await names_of(client, session)) == 4


async def test_a_client_that_vanishes_takes_its_call_with_it() -> None:
    async with run_slow_api() as api, client_of(build_server(make_things(api.url))) as client:
        session = await open_session(client)
        call = ask("tools/call", {"name": "shop__things_list", "arguments": {}})
        pending = asyncio.create_task(client.post("", json=call, headers=session))
        await asyncio.wait_for(api.arrived.wait(), 20)
        pending.cancel()
        await asyncio.wait_for(api.gone.wait(), 20)
        assert len(await names_of(client, session)) == 4


async def test_a_store_that_is_away_is_said_and_comes_back() -> None:
    class Away(MemoryStore):
        is_away = False

        async def read_session(self, session: str) -> Any:
            if self.is_away:
                raise StoreUnreachableError("away")
            return await super().read_session(session)

        async def check(self) -> None:
            if self.is_away:
                raise StoreUnreachableError("away")

    store = Away()
    async with client_of(make_server(store)) as client:
        session = await open_session(client)
        health = str(client.base_url).replace("/mcp/", "/healthz")
        assert (await client.get(health)).json() == {"status": "ok"}
        store.is_away = True
        refused = await client.post("", json=ask("tools/list"), headers=session)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "2")
        assert (await client.get(health)).status_code == 503
        store.is_away = False
        assert await names_of(client, session) == ["ToolSearch"]


async def test_clients_at_once_get_their_own_answers() -> None:
    async with client_of(make_server()) as client:

        async def work(who: int) -> bool:
            session = await open_session(client)
            load = ask("tools/call", {"name": "ToolSearch", "arguments": {"query": "select:plain__echo"}})
            await client.post("", json=load, headers=session)
            for at in range(5):
                text = f"{who}-{at}"
                call = ask("tools/call", {"name": "plain__echo", "arguments": {"text": text}}, number=at)
                event = read_events(await client.post("", json=call, headers=session))[-1]
                if event["id"] != at or event["result"]["structuredContent"] != {"text": text}:
                    return False
            return True

        assert all(await asyncio.gather(*(work(who) for who in range(30))))


async def test_two_clients_of_one_server_load_different_tools_and_never_see_each_others() -> None:
    async with (
        run_http(make_server()) as url,
        Client(url, mode="legacy") as ada,
        Client(url, mode="legacy") as bob,
    ):
        await ada.call_tool("ToolSearch", {"query": "select:plain__echo"})
        await bob.call_tool("ToolSearch", {"query": "select:shop__things_list"})
        assert [tool.name for tool in (await ada.list_tools()).tools] == ["ToolSearch", "plain__echo"]
        assert [tool.name for tool in (await bob.list_tools()).tools] == ["ToolSearch", "shop__things_list"]
        assert (await bob.call_tool("plain__echo", {})).is_error
