"""Connections: what comes after an answer is never another call's answer, and hurts no other call."""

import asyncio
import ssl
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpcore2
import httpx
import httpx2
import pytest
import trustme

from charter import aclose
from charter.environment import read_trust
from charter.network import Backend
from tests.counterparties.loopback import Loopback, Reply
from tests.faults.calls import make_tools, outcome_of
from tests.faults.extra import KINDS, count_outcomes, run_gateway
from tests.faults.faults import respond_json
from tests.faults.server import Connection, FaultServer

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("is_late", [False, True], ids=["with the answer", "behind the answer"])
@pytest.mark.parametrize("kind", KINDS)
async def test_what_follows_an_answer_reaches_no_other_call_of_a_hundred_at_once(
    kind: str, is_late: bool
) -> None:
    await aclose()
    async with run_gateway(KINDS[kind], is_late=is_late) as gateway:
        outcomes = await count_outcomes(gateway.url, calls=600, at_once=100)
        await aclose()
    assert set(outcomes) <= {"own", "none"}
    assert outcomes.total() == gateway.asked == 600
    assert gateway.spoiled
    assert is_late or gateway.reused == 0


@pytest.mark.parametrize("library", [httpx, httpx2], ids=["httpx", "httpx2"])
@pytest.mark.parametrize("kind", KINDS)
async def test_what_comes_with_an_answer_reaches_no_other_call_of_a_lent_client(
    kind: str, library: Any
) -> None:
    async with run_gateway(KINDS[kind]) as gateway, library.AsyncClient(timeout=60) as client:
        outcomes = await count_outcomes(gateway.url, calls=300, at_once=50, client=client)
    assert set(outcomes) <= {"own", "none"}
    assert outcomes.total() == gateway.asked == 300
    assert gateway.spoiled
    assert gateway.reused == 0


@pytest.fixture
async def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[trustme.CA]:
    """An authority that this process trusts by its environment."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    read_trust.cache_clear()
    await aclose()
    yield authority
    await aclose()
    read_trust.cache_clear()


def serve_tls(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return context


def answer_first_with_more(first: list[bytes], is_said: threading.Event | None = None) -> Any:
    """Answer the first request of a connection in pieces, and any later one as the second."""

    def answer(connection: Connection) -> None:
        for piece in first:
            connection.send(piece)
        if is_said:
            is_said.set()
        while connection.read_again():
            connection.send(respond_json(b'{"id": "second"}'))

    return answer


def fill(size: int) -> bytes:
    """Return an answer of exactly so many bytes."""
    head = len(respond_json(b'""' + b" " * (size - 200))) - (size - 198)
    return respond_json(b'""' + b" " * (size - head - 2))


SMUGGLED = respond_json(b'{"id": "smuggled"}')


@pytest.mark.parametrize("is_encrypted", [False, True], ids=["plain", "over TLS"])
@pytest.mark.parametrize(
    "first",
    [[fill(65_536) + SMUGGLED], [fill(65_536), SMUGGLED], [respond_json(b'""'), SMUGGLED, SMUGGLED]],
    ids=["where one read ends", "in a write of its own", "in records of its own"],
)
async def test_what_follows_an_answer_is_found_wherever_it_is_held(
    first: list[bytes], is_encrypted: bool, authority: trustme.CA
) -> None:
    tls = serve_tls(authority) if is_encrypted else None
    is_said = threading.Event()
    with FaultServer(answer_first_with_more(first, is_said), tls=tls) as server:
        tool = make_tools(server.url)["GET"]
        assert await outcome_of(tool) == ""
        assert await asyncio.to_thread(is_said.wait, 10)
        server.answer = answer_first_with_more([respond_json(b'{"id": "second"}')])
        assert await outcome_of(tool) == {"id": "second"}
        await aclose()


async def test_good_answers_share_a_connection_over_tls(authority: trustme.CA) -> None:
    with FaultServer(answer_first_with_more([fill(65_536)]), tls=serve_tls(authority)) as server:
        tool = make_tools(server.url)["GET"]
        assert await outcome_of(tool) == ""
        assert [await outcome_of(tool) for _ in range(3)] == [{"id": "second"}] * 3
        assert server.connections == 1
        await aclose()


async def test_a_slow_reader_holds_the_server_up_and_gets_every_byte(loopback: Loopback) -> None:
    body = bytes(range(256)) * 40_000
    loopback.answer = lambda _: Reply(body, headers={"content-type": "application/octet-stream"})
    host, port = loopback.url.removeprefix("http://").rstrip("/").split(":")
    stream = await Backend().connect_tcp(host, int(port))
    await stream.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    received = bytearray()
    while piece := await stream.read(1_000):
        received += piece
        assert len(piece) <= 1_000
        assert stream.waiting <= 1_024 * 1_024
    assert received.partition(b"\r\n\r\n")[2] == body
    await stream.aclose()


async def test_a_peer_that_speaks_before_tls_is_refused() -> None:
    def shout(connection: Connection) -> None:
        connection.send(b"220 hello")
        connection.stall()

    with FaultServer(shout) as server:
        stream = await Backend().connect_tcp("127.0.0.1", server.port)
        await stream.write(b"GET / HTTP/1.1\r\n\r\n")
        assert await stream.read(3) == b"220"
        with pytest.raises(httpcore2.ConnectError, match="the peer did not wait for TLS"):
            await stream.start_tls(ssl.create_default_context(), "127.0.0.1")
