"""Connections that never open, are not trusted, are reused, or outlive the call that opened them."""

import asyncio
import datetime as dt
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import trustme

from charter import APIError, CharterError, TransportError
from tests.faults.calls import find_closed_port, make_tools, outcome_of
from tests.faults.faults import OK, PARSED, respond, respond_json, say, say_and_stall
from tests.faults.server import Connection, FaultServer

pytestmark = pytest.mark.anyio
METHODS = pytest.mark.parametrize("method", ["GET", "POST"])


@METHODS
async def test_a_refused_connection_cannot_have_taken_effect(method: str) -> None:
    outcome = await outcome_of(make_tools(f"http://127.0.0.1:{find_closed_port()}")[method])
    assert isinstance(outcome, TransportError)
    assert not outcome.may_have_taken_effect


@METHODS
async def test_an_unknown_host_cannot_have_taken_effect(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", find_nothing)
    outcome = await outcome_of(make_tools("http://nowhere.invalid")[method])
    assert isinstance(outcome, TransportError)
    assert not outcome.may_have_taken_effect


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def serve_tls(authority: trustme.CA, host: str, **options: Any) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(host, **options).configure_cert(context)
    return context


@METHODS
@pytest.mark.parametrize("flaw", ["an unknown authority", "another host", "expired"])
async def test_a_certificate_that_does_not_fit_stops_the_call_before_anything_is_sent(
    authority: trustme.CA, method: str, flaw: str
) -> None:
    yesterday = dt.datetime.now(dt.UTC) - dt.timedelta(days=1)
    host = "other.example" if flaw == "another host" else "127.0.0.1"
    options = {"not_after": yesterday} if flaw == "expired" else {}
    trust = ssl.create_default_context()
    if flaw != "an unknown authority":
        authority.configure_trust(trust)
    with FaultServer(say(respond_json(OK)), tls=serve_tls(authority, host, **options)) as server:
        async with httpx2.AsyncClient(verify=trust) as client:
            outcome = await outcome_of(make_tools(server.url)[method], client=client)
        assert server.requests == []
    assert isinstance(outcome, TransportError)
    assert not outcome.may_have_taken_effect


async def test_a_certificate_that_fits_is_accepted(authority: trustme.CA) -> None:
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    with FaultServer(say(respond_json(OK)), tls=serve_tls(authority, "127.0.0.1")) as server:
        async with httpx2.AsyncClient(verify=trust) as client:
            assert PARSED(await outcome_of(make_tools(server.url)["GET"], client=client))


def answer_twice(first: bytes, second: bytes) -> Any:
    """Answer two requests on one connection."""

    def answer(connection: Connection) -> None:
        connection.send(first)
        if connection.read_again():
            connection.send(second)

    return answer


@pytest.mark.parametrize(
    "tail", [b"tail of no use", respond_json(b'{"id": "smuggled"}')], ids=["bytes", "an answer"]
)
async def test_what_follows_an_answer_is_never_the_next_answer(tail: bytes) -> None:
    with FaultServer(
        answer_twice(respond_json(b'{"id": "first"}') + tail, respond_json(b'{"id": "second"}'))
    ) as server:
        tool = make_tools(server.url)["GET"]
        assert await outcome_of(tool) == {"id": "first"}
        second = await outcome_of(tool)
        assert second != {"id": "smuggled"}
        if isinstance(second, CharterError):
            assert isinstance(second, TransportError)


async def test_an_answer_that_comes_after_the_deadline_is_not_the_next_calls() -> None:
    def answer(connection: Connection) -> None:
        connection.pause(0.6)
        connection.send(respond_json(b'{"id": "late"}'))

    with FaultServer(answer) as server:
        tool = make_tools(server.url, timeout=0.3)["GET"]
        first = await outcome_of(tool)
        assert isinstance(first, TransportError)
        server.wait_until_ended()
        server.answer = say(respond_json(b'{"id": "second"}'))
        assert await outcome_of(tool) == {"id": "second"}


async def test_good_answers_share_a_connection() -> None:
    with FaultServer(answer_twice(respond_json(OK), respond_json(OK))) as server:
        tool = make_tools(server.url)["GET"]
        assert PARSED(await outcome_of(tool))
        assert PARSED(await outcome_of(tool))
        assert server.connections == 1


async def test_a_connection_that_the_server_closed_meanwhile_is_not_an_error() -> None:
    with FaultServer(say(respond_json(OK))) as server:
        tool = make_tools(server.url)["GET"]
        for _ in range(3):
            assert PARSED(await outcome_of(tool))
            server.wait_until_ended()


@pytest.mark.parametrize(
    "said",
    [b"", b"HTTP/1.1 200 OK\r\n", respond(b'{"id":', length=90)],
    ids=["nothing", "a status", "half a body"],
)
async def test_a_cancelled_call_gives_its_connection_back(said: bytes) -> None:
    with FaultServer(say_and_stall(said)) as server:
        tool = make_tools(server.url)["GET"]
        limits = httpx2.Limits(max_connections=1)
        async with httpx2.AsyncClient(limits=limits) as client:
            call = asyncio.ensure_future(tool.ainvoke({}, client=client))
            assert await asyncio.to_thread(server.arrived.wait, 10)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            server.answer = say(respond_json(OK))
            assert PARSED(await outcome_of(tool, client=client))


async def test_no_cookie_is_kept_from_one_call_to_the_next() -> None:
    with FaultServer(say(respond_json(OK, "Set-Cookie: subject=alice; Path=/"))) as server:
        tool = make_tools(server.url)["GET"]
        await outcome_of(tool)
        server.wait_until_ended()
        await outcome_of(tool)
        assert len(server.requests) == 2
        assert b"cookie" not in server.requests[1].lower()


def test_each_sync_call_may_have_its_own_loop() -> None:
    with FaultServer(say(respond_json(OK))) as server:
        tool = make_tools(server.url)["GET"]
        for _ in range(3):
            assert PARSED(tool.invoke({}))
            server.wait_until_ended()


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    with FaultServer(say(respond(b"", "407 Proxy Authentication Required"))) as server:
        monkeypatch.setenv("HTTP_PROXY", f"http://user:canary-proxy-77@127.0.0.1:{server.port}")
        monkeypatch.delenv("NO_PROXY", raising=False)
        yield server


async def test_a_proxy_that_refuses_is_an_error_without_its_password(proxy: FaultServer) -> None:
    outcome = await outcome_of(make_tools("http://api.example/")["GET"])
    assert isinstance(outcome, APIError | TransportError)
    assert "canary-proxy-77" not in str(outcome) + repr(outcome) + outcome.for_model()


async def test_a_unix_path_is_not_a_base_url(tmp_path: Path) -> None:
    with pytest.raises(CharterError):
        make_tools(f"unix://{tmp_path}/socket")
