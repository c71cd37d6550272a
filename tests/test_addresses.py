"""Public addresses alone: what is connected to counts, not what a name was said to be."""

import asyncio
import socket
import ssl
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpcore2
import httpx
import httpx2
import pytest
import trustme

from charter import Api, CharterError, DeclarationError, TransportError, addresses
from charter.addresses import is_public
from charter.pool import open_client
from tests.counterparties.loopback import Loopback
from tests.faults.calls import ItemsCreate, ItemsGet
from tests.faults.faults import respond, say
from tests.faults.server import FaultServer

pytestmark = pytest.mark.anyio

PUBLIC = "93.184.215.14 8.8.8.8 2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1"
PRIVATE = {
    "loopback": "127.0.0.1 127.255.0.9 ::1",
    "this host": "0.0.0.0 0.1.2.3 ::",
    "private": "10.0.0.1 172.16.0.1 172.31.255.1 192.168.1.1 fc00::1 fd12:3456::1",
    "link-local, where clouds keep credentials": "169.254.169.254 169.254.0.1 fe80::1 fe80::1%eth0 fd00:ec2::254",
    "shared by a provider": "100.64.0.1 100.127.255.1",
    "for documents and benchmarks": "192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 2001:db8::1",
    "multicast, broadcast and reserved": "224.0.0.1 239.1.1.1 255.255.255.255 240.0.0.1 ff02::1",
    "IPv4 within IPv6, mapped": "::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0.0.0.0",
    "IPv4 within IPv6, compatible": "::127.0.0.1 ::10.0.0.1 ::8.8.8.8",
    "IPv4 behind NAT64": "64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::808:808",
    "IPv4 behind 6to4": "2002:7f00:1::1 2002:a00:1::1 2002:a9fe:a9fe::",
    "site-local": "fec0::1",
    "no address": "localhost 127.1 0x7f000001",
}


@pytest.mark.parametrize("address", PUBLIC.split())
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("kind", PRIVATE)
def test_any_other_is_not(kind: str) -> None:
    assert [address for address in PRIVATE[kind].split() if is_public(address)] == []


class Listener:
    """A server that only counts: how many connected, and what they wrote."""

    def __init__(self, family: int = socket.AF_INET, host: str = "127.0.0.1") -> None:
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.bind((host, 0))
        self.socket.listen()
        self.socket.setblocking(False)
        self.port = self.socket.getsockname()[1]

    @property
    def was_reached(self) -> bool:
        try:
            self.socket.accept()[0].close()
        except BlockingIOError:
            return False
        return True


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    with closing(listener.socket):
        yield listener


def declare(url: str, **options: Any) -> Api:
    return Api("faulty", base_url=url, public_only=True, timeout=5.0, **options)


async def fail(url: str, **options: Any) -> TransportError:
    tool = declare(url).post("items", ItemsCreate)
    with pytest.raises(TransportError) as raised:
        await tool.ainvoke({}, **options)
    return raised.value


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0"])
async def test_what_leads_to_this_machine_is_refused_before_a_connection(
    host: str, listener: Listener
) -> None:
    error = await fail(f"http://{host}:{listener.port}")
    assert "is at no public address, and public_only is set" in str(error)
    assert not error.may_have_taken_effect
    assert not listener.was_reached


async def test_the_metadata_service_of_a_cloud_is_refused_at_once() -> None:
    for host in ("169.254.169.254", "[64:ff9b::a9fe:a9fe]", "[fd00:ec2::254]"):
        assert "is at no public address" in str(await fail(f"http://{host}/latest"))


async def test_a_name_that_leads_here_is_refused(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_names(monkeypatch, {"api.shop.example": ["127.0.0.1", "::1", "10.0.0.8"]})
    error = await fail(f"http://api.shop.example:{listener.port}")
    assert "api.shop.example is at no public address" in str(error)
    assert "10.0.0.8" not in error.for_model()
    assert not listener.was_reached


async def test_a_name_is_asked_for_once_and_only_its_public_addresses_are_tried(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answer_names(monkeypatch, {"api.shop.example": ["10.0.0.8", "127.0.0.1"]})
    judged: list[str] = []
    # Loopback stands for the internet in this test: nothing else may be reached.
    monkeypatch.setattr(
        addresses, "is_public", lambda address: judged.append(address) or address == "127.0.0.1"
    )
    port = loopback.url.rstrip("/").rpartition(":")[2]
    await declare(f"http://api.shop.example:{port}").post("items", ItemsCreate).ainvoke({})
    assert judged == ["10.0.0.8", "127.0.0.1"]
    assert asked == ["api.shop.example"]
    assert loopback.asked[0].header("host") == f"api.shop.example:{port}"


async def test_the_next_address_is_tried_where_one_does_not_answer(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_names(monkeypatch, {"api.shop.example": ["127.0.0.2", "127.0.0.1"]})
    monkeypatch.setattr(addresses, "is_public", lambda address: True)
    port = loopback.url.rstrip("/").rpartition(":")[2]
    assert await declare(f"http://api.shop.example:{port}").get("items/{id}", ItemsGet).ainvoke({}) == {}


@pytest.mark.parametrize("certified", ["api.shop.example", "127.0.0.1"])
async def test_a_certificate_is_held_against_the_name_though_an_address_is_connected_to(
    certified: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_names(monkeypatch, {"api.shop.example": ["127.0.0.1"]})
    monkeypatch.setattr(addresses, "is_public", lambda address: True)
    authority, served, trusted = (
        trustme.CA(),
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER),
        ssl.create_default_context(),
    )
    authority.issue_cert(certified).configure_cert(served)
    authority.configure_trust(trusted)
    with FaultServer(say(respond(b"{}")), served) as server:
        async with open_client(trusted, public_only=True) as client:
            asking = client.get(f"https://api.shop.example:{server.port}/")
            if certified == "api.shop.example":
                assert (await asking).status_code == 200
            else:
                with pytest.raises(httpcore2.ConnectError, match="api.shop.example"):
                    await asking


async def test_a_connection_that_another_api_opened_is_not_used(loopback: Loopback) -> None:
    free = Api("free", base_url=loopback.url).post("items", ItemsCreate)
    await free.ainvoke({})
    assert "is at no public address" in str(await fail(loopback.url))
    await free.ainvoke({})
    assert len({asked.port for asked in loopback.asked}) == 1


async def test_an_unknown_name_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_names(monkeypatch, {})
    assert "nowhere.example is not known" in str(await fail("http://nowhere.example"))


async def test_a_proxy_of_the_environment_is_not_asked(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{listener.port}")
    assert "is at no public address" in str(await fail("http://10.0.0.8"))
    assert not listener.was_reached


@pytest.mark.parametrize("library", [httpx, httpx2], ids=["httpx", "httpx2"])
async def test_a_lent_client_is_refused_since_nobody_knows_where_it_connects(
    library: Any, loopback: Loopback
) -> None:
    async with library.AsyncClient() as client:
        error = await fail(loopback.url, client=client)
        assert str(error).startswith("faulty__items_create: public_only holds for Charter's own connections")
        assert not error.may_have_taken_effect
        with pytest.raises(
            DeclarationError, match=r"^faulty: public_only holds for Charter's own connections"
        ):
            declare("https://api.example.com", client=client)
        with pytest.raises(CharterError, match="public_only holds"):
            declare("https://api.example.com").configure(client=client)
    assert loopback.asked == []


def answer_names(monkeypatch: pytest.MonkeyPatch, names: dict[str, list[str]]) -> list[str]:
    """Answer questions for names as a resolver would, and return the list of those asked."""
    asked: list[str] = []

    async def getaddrinfo(_loop: Any, host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        if host not in names:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port))
            for one in names[host]
        ]

    monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "getaddrinfo", getaddrinfo)
    return asked
