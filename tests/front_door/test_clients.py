"""A caller's own client works as `client=`, of httpx and of httpx2 alike: here every way it is used."""

import gzip
import zlib
from typing import Any

import httpx
import httpx2
import pytest
from pydantic import BaseModel

from charter import Api, APIError, ApiKey, Bearer, CredentialError, Tool, ToolSession, TransportError
from tests.counterparties.loopback import Loopback
from tests.faults.calls import find_closed_port

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("library", [httpx, httpx2], ids=["httpx", "httpx2"])]


class ThingsCreate(BaseModel):
    """Make a thing."""

    name: str = "tea"


def make_tool(url: str, **options: Any) -> Tool:
    return Api("shop", base_url=url, **options).post("things", ThingsCreate)


async def test_a_call_is_sent_through_it(loopback: Loopback, library: Any) -> None:
    loopback.reply({"name": "ä" * 100_000})
    async with library.AsyncClient(headers={"X-Client": "mine"}) as client:
        result = await make_tool(loopback.url, auth=Bearer("t0ken")).ainvoke({"name": "tea"}, client=client)
    assert result == {"name": "ä" * 100_000}
    [asked] = loopback.asked
    assert (asked.method, asked.json) == ("POST", {"name": "tea"})
    assert (asked.header("x-client"), asked.header("authorization")) == ("mine", "Bearer t0ken")


async def test_a_session_hands_it_through(loopback: Loopback, library: Any) -> None:
    session = ToolSession([make_tool(loopback.url)])
    session.search("select:shop__things_create")
    async with library.AsyncClient(headers={"X-Client": "mine"}) as client:
        await session.dispatch("shop__things_create", {"name": "tea"}, client=client)
    assert loopback.asked[0].header("x-client") == "mine"


async def test_a_key_in_the_query_is_sent_and_not_shown(
    loopback: Loopback, library: Any, caplog: Any
) -> None:
    caplog.set_level("DEBUG")
    async with library.AsyncClient() as client:
        await make_tool(loopback.url, auth=ApiKey("s3cret-key", query="key")).ainvoke(client=client)
    assert loopback.asked[0].pairs == [("key", "s3cret-key")]
    assert "s3cret-key" not in caplog.text


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
async def test_what_it_would_decode_itself_is_decoded_once_or_refused(
    loopback: Loopback, library: Any, encoding: str
) -> None:
    packed = {"gzip": gzip.compress, "deflate": zlib.compress}
    loopback.reply(
        packed.get(encoding, bytes)(b'{"id": 1}'), content_type="application/json", content_encoding=encoding
    )
    async with library.AsyncClient() as client:
        call = make_tool(loopback.url).ainvoke(client=client)
        if encoding in packed:
            assert await call == {"id": 1}
        else:
            with pytest.raises(TransportError, match=f"encoded as '{encoding}'"):
                await call
    assert loopback.asked[0].header("accept-encoding") == "gzip, deflate"


@pytest.mark.parametrize(("status", "kind"), [(404, APIError), (401, CredentialError), (302, APIError)])
async def test_its_failures_are_typed(loopback: Loopback, library: Any, status: int, kind: Any) -> None:
    loopback.reply(b"", status=status, location="/elsewhere")
    async with library.AsyncClient(follow_redirects=True) as client:
        with pytest.raises(kind):
            await make_tool(loopback.url).ainvoke(client=client)
    assert len(loopback.asked) == 1


async def test_a_connection_it_cannot_open_is_told_as_unsent(library: Any) -> None:
    async with library.AsyncClient() as client:
        with pytest.raises(TransportError) as raised:
            await make_tool(f"http://127.0.0.1:{find_closed_port()}").ainvoke(client=client)
    assert not raised.value.may_have_taken_effect
    assert raised.value.__cause__ is None


async def test_its_own_timeout_holds_too(loopback: Loopback, library: Any) -> None:
    loopback.hold()
    async with library.AsyncClient(timeout=0.1) as client:
        with pytest.raises(TransportError, match="ReadTimeout") as raised:
            await make_tool(loopback.url).ainvoke(client=client)
    assert raised.value.may_have_taken_effect
    loopback.release()


async def test_one_that_is_closed_is_told_as_unsent(loopback: Loopback, library: Any) -> None:
    client = library.AsyncClient()
    await client.aclose()
    with pytest.raises(TransportError, match="the client is closed") as raised:
        await make_tool(loopback.url).ainvoke(client=client)
    assert not raised.value.may_have_taken_effect


async def test_one_with_a_transport_in_memory_works(library: Any) -> None:
    transport = library.MockTransport(lambda request: library.Response(200, json={"path": request.url.path}))
    async with library.AsyncClient(transport=transport) as client:
        assert await make_tool("https://shop.example/v1").ainvoke(client=client) == {"path": "/v1/things"}


async def test_one_whose_transport_breaks_is_typed(library: Any) -> None:
    def fail(_: Any) -> Any:
        raise RuntimeError("odd")

    async with library.AsyncClient(transport=library.MockTransport(fail)) as client:
        with pytest.raises(TransportError, match=r"RuntimeError \(odd\)"):
            await make_tool("https://shop.example").ainvoke(client=client)
