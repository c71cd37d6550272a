"""Clients: one for each loop and only as long as it, opened off the loop; and what callers lend."""

import asyncio
import gc
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest

from charter import Bearer, TransportError
from charter.clients import LeftClient, LentCookies, find_client_flaw
from tests.counterparties.loopback import Asked, Loopback, Reply
from tests.faults.calls import TOKEN, make_tools
from tests.house.sources import ROOT

CLIENTS = pytest.mark.parametrize("library", [httpx, httpx2], ids=["httpx", "httpx2"])


def count_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors are not listed here")
def test_loops_that_were_dropped_without_being_closed_take_their_connections_along(
    loopback: Loopback,
) -> None:
    tool = make_tools(loopback.url)["GET"]

    def call_and_drop() -> None:
        asyncio.new_event_loop().run_until_complete(tool.ainvoke({}))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the loops and their sockets say that they were not closed
        call_and_drop()
        gc.collect()
        before = count_descriptors()
        for _ in range(50):
            call_and_drop()
        gc.collect()
        loopback.wait_for_connections(0)
        assert count_descriptors() <= before + 5


_IMPORTS = """
import asyncio, sys, threading
import charter.tool
from tests.faults.calls import make_tools

SLOW = ("charter.pool", "httpcore2", "anyio._backends._asyncio", "h11")
where = {}

class Watch:
    def find_spec(self, name, *_):
        if name in SLOW:
            where.setdefault(name, threading.current_thread() is threading.main_thread())

sys.meta_path.insert(0, Watch())
tool = make_tools(sys.argv[1])["GET"]
async def call():
    tool.prepare()
    await tool.ainvoke({})
asyncio.run(call())
print(sorted(name for name in SLOW if name not in sys.modules), sorted(where.items()))
"""


def test_a_first_call_imports_what_is_slow_off_the_event_loop(loopback: Loopback) -> None:
    command = [sys.executable, "-c", _IMPORTS, loopback.url]
    told = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    missing, where = told.stdout.strip().split("] [")
    assert missing == "["
    assert "anyio._backends._asyncio" in where
    assert "True" not in where, "imported by the thread that runs the event loop"


class Requests:
    """As the `Session` of another library: it sends, but asks for no request first."""

    async def send(self, request: Any) -> None: ...


@pytest.mark.parametrize(
    ("client", "flaw"),
    [
        (httpx.Client(), "client= is a httpx.Client, which is synchronous"),
        (httpx2.Client(), "client= is a httpx2.Client, which is synchronous"),
        ("http://proxy", "client= is of builtins.str, which is no HTTP client"),
        (Requests(), "which is no HTTP client"),
        (httpx2.AsyncClient, "which is no HTTP client"),
        (LeftClient(), "the client was left behind in the process that pickled this tool"),
    ],
    ids=["httpx", "httpx2", "a text", "another library's", "a class", "left behind"],
)
def test_what_is_no_client_is_refused_by_name_before_anything_is_sent(
    client: Any, flaw: str, loopback: Loopback
) -> None:
    with pytest.raises(TransportError, match=flaw) as raised:
        make_tools(loopback.url)["POST"].invoke({}, client=client)
    assert not raised.value.may_have_taken_effect
    assert "Ask the user to mend it" in raised.value.for_model()
    assert loopback.asked == []


@CLIENTS
def test_an_open_async_client_has_no_flaw(library: Any) -> None:
    assert find_client_flaw(library.AsyncClient()) is None


def test_a_tool_whose_client_was_left_behind_sends_nothing(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAULTY_TOKEN", TOKEN)
    tool = make_tools(loopback.url, client=httpx2.AsyncClient(), auth=Bearer(env="FAULTY_TOKEN"))["GET"]
    with pytest.raises(TransportError, match="the client was left behind"):
        pickle.loads(pickle.dumps(tool)).invoke({})
    assert loopback.asked == []


@pytest.mark.anyio
@CLIENTS
async def test_a_lent_client_keeps_its_own_cookies_and_none_of_an_answer(
    library: Any, loopback: Loopback
) -> None:
    said = iter(["subject=alice; Path=/", "mine=stolen; Path=/", "mine=; Max-Age=0; Path=/", "x=1"])

    def answer(_: Asked) -> Reply:
        return Reply(headers={"set-cookie": next(said)})

    loopback.answer = answer
    tool = make_tools(loopback.url)["GET"]
    async with library.AsyncClient() as client:
        client.cookies.set("mine", "kept", domain="127.0.0.1", path="/")
        for _ in range(4):
            await tool.ainvoke({}, client=client)
        assert [asked.header("cookie") for asked in loopback.asked] == ["mine=kept"] * 4
        assert dict(client.cookies) == {"mine": "kept"}


def test_a_client_without_a_jar_is_left_alone() -> None:
    LentCookies(object()).restore([(b"Set-Cookie", b"a=1")])
