"""Transport: clients and the loops they live on, deadlines, sizes, encodings. Faults are in tests/faults/."""

import asyncio
import gc
import types
import warnings
import weakref
import zlib
from collections.abc import Coroutine, Generator
from typing import Any

import httpx2
import pytest
from pydantic import BaseModel

from charter import Api, Bearer, CredentialError, Tool, TransportError, aclose
from tests.counterparties.loopback import Loopback, Reply
from tests.faults.faults import respond_json, say
from tests.faults.server import Connection, FaultServer

pytestmark = pytest.mark.anyio


class ThingsCreate(BaseModel):
    """Make a thing."""

    name: str = "tea"


def make_tool(url: str, **options: Any) -> Tool:
    return Api("shop", base_url=url, **options).post("things", ThingsCreate)


async def test_calls_of_one_loop_share_a_connection(loopback: Loopback) -> None:
    first, second = make_tool(loopback.url), make_tool(loopback.url)
    for tool in (first, second, first):
        await tool.ainvoke()
    assert len({asked.port for asked in loopback.asked}) == 1


def test_each_loop_has_its_own_client_and_takes_it_along_when_it_ends(loopback: Loopback) -> None:
    tool = make_tool(loopback.url)
    loops: list[weakref.ref[asyncio.AbstractEventLoop]] = []

    async def call() -> None:
        loops.append(weakref.ref(asyncio.get_running_loop()))
        await asyncio.gather(*(tool.ainvoke() for _ in range(3)))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            asyncio.run(call())
            loopback.wait_for_connections(0)
        gc.collect()
    assert [loop() for loop in loops] == [None, None, None]
    assert len(loopback.asked) == 9


def test_loops_that_were_closed_carelessly_do_not_pile_up(loopback: Loopback) -> None:
    tool = make_tool(loopback.url)
    loops: list[weakref.ref[asyncio.AbstractEventLoop]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the loop was told to shut nothing down
        for _ in range(3):
            loop = asyncio.new_event_loop()
            loops.append(weakref.ref(loop))
            loop.run_until_complete(tool.ainvoke())
            loop.close()
            del loop
        asyncio.run(tool.ainvoke())
        gc.collect()
    assert [loop() for loop in loops] == [None, None, None]


async def test_a_closed_pool_is_opened_again_by_the_next_call(loopback: Loopback) -> None:
    tool = make_tool(loopback.url)
    await aclose()
    await tool.ainvoke()
    await aclose()
    loopback.wait_for_connections(0)
    await aclose()
    await tool.ainvoke()
    assert len({asked.port for asked in loopback.asked}) == 2


async def test_first_calls_at_once_open_one_client(loopback: Loopback) -> None:
    await aclose()
    tool = make_tool(loopback.url)
    await asyncio.gather(*(tool.ainvoke() for _ in range(10)))
    await aclose()
    loopback.wait_for_connections(0)


async def test_a_callers_client_is_used_and_left_open(loopback: Loopback) -> None:
    async with httpx2.AsyncClient(headers={"X-Client": "mine"}) as client:
        await make_tool(loopback.url).ainvoke(client=client)
        await make_tool(loopback.url, client=client).ainvoke()
        assert not client.is_closed
    assert [asked.header("x-client") for asked in loopback.asked] == ["mine", "mine"]


async def test_a_closed_client_cannot_have_sent_anything(loopback: Loopback) -> None:
    client = httpx2.AsyncClient()
    await client.aclose()
    with pytest.raises(
        TransportError,
        match=r"^POST http://.*: the client is closed. Give an open httpx2.AsyncClient or httpx.AsyncClient$",
    ) as raised:
        await make_tool(loopback.url).ainvoke(client=client)
    assert not raised.value.may_have_taken_effect
    assert loopback.asked == []


async def test_a_client_is_never_made_to_follow_a_redirect(loopback: Loopback) -> None:
    loopback.reply(status=302, location="/elsewhere")
    async with httpx2.AsyncClient(follow_redirects=True) as client:
        for one in (client, None):
            with pytest.raises(Exception, match="redirects to /elsewhere, and redirects are off"):
                await make_tool(loopback.url).ainvoke(client=one)
    assert [asked.path for asked in loopback.asked] == ["/things", "/things"]


async def test_the_deadline_holds_for_the_whole_call(loopback: Loopback) -> None:
    loopback.hold()
    with pytest.raises(
        TransportError, match=r"no complete answer within 0.2 s. Raise timeout= or ask for less$"
    ) as raised:
        await make_tool(loopback.url, timeout=0.2).ainvoke()
    assert raised.value.may_have_taken_effect
    assert "check before repeating" in raised.value.for_model()
    loopback.release()


async def test_the_deadline_of_a_tool_goes_before_the_apis(loopback: Loopback) -> None:
    loopback.hold()
    tool = Api("shop", base_url=loopback.url, timeout=60).post("things", ThingsCreate, timeout=0.1)
    with pytest.raises(TransportError, match=r"within 0.1 s"):
        await tool.ainvoke()
    loopback.release()


async def test_a_token_that_does_not_come_is_waited_for_no_longer_than_the_deadline(
    loopback: Loopback,
) -> None:
    async def never() -> str:
        await asyncio.Event().wait()
        return ""

    tool = make_tool(loopback.url, timeout=0.1, auth=Bearer(never))
    with pytest.raises(
        CredentialError, match=r"^shop: no token within 0.1 s. Mend its function or raise timeout=.$"
    ):
        await tool.ainvoke()
    assert loopback.asked == []


def compressed(data: bytes, wbits: int) -> bytes:
    writer = zlib.compressobj(wbits=wbits)
    return writer.compress(data) + writer.flush()


GZIP, ZLIB, RAW = zlib.MAX_WBITS | 16, zlib.MAX_WBITS, -zlib.MAX_WBITS
TEXT = b'{"name": "' + b"tea " * 1_000 + b'"}'


def say_byte_by_byte(body: bytes, encoding: str) -> Any:
    """Answer in chunks of one byte for the first ten, then the rest."""

    def answer(connection: Connection) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        connection.send(head + b"Content-Encoding: " + encoding.encode() + b"\r\n\r\n")
        for piece in [*(body[at : at + 1] for at in range(10)), body[10:]]:
            connection.send(b"%x\r\n%s\r\n" % (len(piece), piece))
        connection.send(b"0\r\n\r\n")

    return answer


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("identity", TEXT),
        ("gzip", compressed(TEXT, GZIP)),
        ("x-gzip", compressed(TEXT, GZIP)),
        ("GZIP", compressed(TEXT, GZIP)),
        ("gzip, identity", compressed(TEXT, GZIP)),
        ("gzip", compressed(TEXT[:900], GZIP) + compressed(TEXT[900:], GZIP)),
        ("deflate", compressed(TEXT, ZLIB)),
        ("deflate", compressed(TEXT, RAW)),
    ],
)
async def test_a_compressed_body_is_read_however_it_arrives(encoding: str, body: bytes) -> None:
    with FaultServer(say_byte_by_byte(body, encoding)) as server:
        assert await make_tool(server.url).ainvoke() == {"name": "tea " * 1_000}


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
@pytest.mark.parametrize("length", [0, 1, 5, 12])
async def test_a_compressed_body_that_ends_early_is_no_empty_answer(encoding: str, length: int) -> None:
    cut = compressed(TEXT, GZIP if encoding == "gzip" else ZLIB)[:length]
    with FaultServer(say(respond_json(cut, f"Content-Encoding: {encoding}"))) as server:
        if length:
            with pytest.raises(TransportError, match="the compressed body is cut short"):
                await make_tool(server.url).ainvoke()
        else:
            assert await make_tool(server.url).ainvoke() == {"status": 200}


# Cancelling: at every point where a call waits.


@types.coroutine
def cancel_at(point: int, call: Coroutine[Any, Any, Any]) -> Generator[Any, Any, bool]:
    """Run a call and cancel its task at the given wait; return whether the call ended before it came to that."""
    thrown: BaseException | None = None
    waits = 0
    while True:
        try:
            waiting = call.throw(thrown) if thrown else call.send(None)
        except StopIteration:
            return True
        waits += 1
        if waits == point:
            task = asyncio.current_task()
            assert task
            task.cancel()
        try:
            thrown = None
            yield waiting
        except BaseException as error:
            thrown = error


async def read_token() -> str:
    await asyncio.sleep(0)
    return "t0ken"


@pytest.mark.parametrize("connection", ["fresh", "reused"])
async def test_a_call_cancelled_at_any_wait_leaks_no_connection(loopback: Loopback, connection: str) -> None:
    big = Reply(b'"' + b"x" * 4_000_000 + b'"', headers={"content-type": "application/json"})
    loopback.answer = lambda asked: big if b"big" in asked.body else Reply("small")
    outcomes: list[str] = []
    tool = Api("shop", base_url=loopback.url, auth=Bearer(read_token)).post(
        "things", ThingsCreate, on_call=lambda record: outcomes.append(record.outcome)
    )
    points = 0
    while True:
        await aclose()
        if connection == "reused":
            await tool.ainvoke()
        points += 1
        task = asyncio.create_task(cancel_at(points, tool.ainvoke(name="big")))
        try:
            ended = await task
        except asyncio.CancelledError:
            ended = False
        if ended:
            break
        assert outcomes[-1] == "cancelled"
        assert await tool.ainvoke() == "small"
        await aclose()
        loopback.wait_for_connections(0)
    assert points > 15, "too few waits were tried for this to say anything"


async def test_many_calls_cancelled_at_once_leave_the_pool_whole(loopback: Loopback) -> None:
    tool = make_tool(loopback.url)
    await aclose()
    loopback.hold()
    tasks = [asyncio.create_task(tool.ainvoke()) for _ in range(50)]
    await asyncio.to_thread(loopback.arrived.wait, 10)
    for task in tasks:
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(result) for result in results} == {asyncio.CancelledError}
    loopback.release()
    assert await asyncio.gather(*(tool.ainvoke() for _ in range(120))) == [{}] * 120
    await aclose()
    loopback.wait_for_connections(0)
