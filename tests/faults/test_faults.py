"""Whatever a server answers, a call ends in time with the right result or the right error, and the next call works."""

import time
import tracemalloc
from typing import Any

import pytest

from charter import CharterError, TransportError
from charter.transport import ERROR_BYTES
from tests.faults.calls import DEADLINE, TOKEN, make_tools, outcome_of
from tests.faults.faults import FAULTS, OK, PARSED, SIZES, Fault, respond, respond_json, say
from tests.faults.server import Connection, FaultServer

pytestmark = pytest.mark.anyio
MEGABYTE = 1024 * 1024


def is_right(fault: Fault, outcome: Any) -> bool:
    if isinstance(outcome, CharterError):
        return isinstance(outcome, fault.errors) and (fault.check is None or fault.check(outcome))
    return fault.result is not None and fault.result(outcome)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_a_fault_is_a_result_or_the_right_error(fault: Fault, method: str) -> None:
    with FaultServer(fault.answer) as server:
        tool = make_tools(server.url, timeout=DEADLINE if fault.waits else 20.0)[method]
        began = time.monotonic()
        outcome = await outcome_of(tool)
        took = time.monotonic() - began
        assert is_right(fault, outcome), repr(outcome)
        assert took < (DEADLINE + 3 if fault.waits else 10)
        if isinstance(outcome, TransportError):
            assert outcome.may_have_taken_effect == (method == "POST")
        if isinstance(outcome, CharterError):
            assert TOKEN not in str(outcome) + outcome.for_model()
            assert 0 < len(outcome.for_model()) <= 2_100
        assert len(server.requests) == 1

        server.answer = say(respond_json(OK))
        server.wait_until_ended()
        assert PARSED(await outcome_of(tool)), "the call after a fault must work"


@pytest.mark.parametrize("fault", SIZES, ids=lambda fault: fault.name)
async def test_what_is_too_large_is_neither_kept_nor_read_to_its_end(fault: Fault) -> None:
    with FaultServer(fault.answer) as server:
        tool = make_tools(server.url)["GET"]
        tracemalloc.start()
        try:
            await outcome_of(tool)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak < 64 * MEGABYTE
    assert server.sent < 40 * MEGABYTE


async def test_an_error_is_read_to_its_own_small_cap_and_its_connection_is_not_used_again() -> None:
    whole, long = b"e" * ERROR_BYTES, b"e" * (ERROR_BYTES + 1)
    for body, is_kept in ((whole, True), (long, False)):
        with FaultServer(
            lambda connection, body=body: answer_on(connection, respond(body, "404 No"))
        ) as server:
            tool = make_tools(server.url)["GET"]
            for _ in range(2):
                error = await outcome_of(tool)
                assert error.status_code == 404
                assert error.body == (body.decode() if is_kept else None)
            assert server.connections == (1 if is_kept else 2)


def answer_on(connection: Connection, data: bytes) -> None:
    """Answer every request of a connection."""
    connection.send(data)
    while connection.read_again():
        connection.send(data)


async def test_the_cap_is_the_authors_to_set() -> None:
    body = b'"' + b"a" * 5_000 + b'"'
    with FaultServer(say(respond_json(body))) as server:
        assert isinstance(await outcome_of(make_tools(server.url, max_bytes=5_001)["GET"]), TransportError)
        assert await outcome_of(make_tools(server.url, max_bytes=5_002)["GET"]) == "a" * 5_000
