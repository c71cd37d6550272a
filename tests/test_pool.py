"""Clients of our own: through the environment's proxies or past them, keeping no cookie."""

import httpx2
import pytest

from charter.environment import read_trust
from charter.pool import import_backend, open_client
from tests.counterparties.loopback import Loopback
from tests.faults.faults import respond_json, say
from tests.faults.server import FaultServer

pytestmark = pytest.mark.anyio


async def test_a_proxy_is_asked_for_what_is_not_exempt(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with FaultServer(say(respond_json(b'"from the proxy"'))) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://user:pw@127.0.0.1:{proxy.port}")
        async with open_client(read_trust()) as client:
            assert (await client.get("http://api.example/x")).json() == "from the proxy"
        assert proxy.requests[0].startswith(b"GET http://api.example/x HTTP/1.1\r\n")
        assert b"Proxy-Authorization: Basic dXNlcjpwdw==" in proxy.requests[0]
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        async with open_client(read_trust()) as client:
            assert (await client.get(loopback.url)).json() == {}


async def test_a_client_keeps_no_cookie(loopback: Loopback) -> None:
    loopback.reply({}, set_cookie="a=1")
    async with open_client(read_trust()) as client:
        await client.get(loopback.url)
        await client.get(loopback.url)
    assert loopback.asked[1].header("cookie") is None


async def test_a_client_takes_nothing_but_urls_of_the_web() -> None:
    async with open_client(read_trust()) as client:
        with pytest.raises(Exception, match="unsupported protocol"):
            await client.get("ftp://api.example/")
    assert isinstance(client, httpx2.AsyncClient)


def test_the_backend_can_be_imported_in_any_thread() -> None:
    import_backend()
    import_backend()
