"""What may have taken effect after a call that failed: one row for each way to fail.

The rows are tried by test_effects.py and written into docs/failures.md by tools/make_failures.py. `True` says that a
write may have taken effect. A read changes nothing, so the answer for it is always no.
"""

import asyncio
import gzip
import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest

from charter import Envelope, aclose
from charter.environment import read_trust
from tests.faults.calls import find_closed_port, make_tools, outcome_of
from tests.faults.faults import (
    JSON,
    MEGABYTE,
    chunked,
    respond,
    respond_json,
    say,
    say_and_reset,
    say_and_stall,
)
from tests.faults.server import Answer, FaultServer
from tests.house.sources import ROOT

SHORT = 0.5
"""Seconds of a deadline that is meant to pass."""
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@dataclass
class World:
    """What a row may arrange: servers, the environment, and the call itself."""

    method: str
    patch: pytest.MonkeyPatch
    closing: ExitStack = field(default_factory=ExitStack)

    def serve(self, answer: Answer) -> FaultServer:
        """Start a server."""
        return self.closing.enter_context(FaultServer(answer))

    async def set(self, name: str, value: str) -> None:
        """Set an environment variable for clients that are opened from now on."""
        for other in PROXIES:
            self.patch.delenv(other, raising=False)
            self.patch.delenv(other.upper(), raising=False)
        self.patch.setenv(name, value)
        read_trust.cache_clear()
        await aclose()

    async def call(
        self, url: str, *, deadline: float = 20.0, envelope: Envelope | None = None, **options: Any
    ) -> Any:
        """Make the call and return what it raised."""
        tools = make_tools(url, timeout=deadline, envelope=envelope)
        return await outcome_of(tools[self.method], **options)


Happening = Callable[[World], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Effect:
    """One way to fail, and whether a write may then have taken effect."""

    what: str
    may: bool
    happen: Happening


def answered(answer: Answer, **options: Any) -> Happening:
    """Let a server answer the call."""

    async def happen(world: World) -> Any:
        return await world.call(world.serve(answer).url, **options)

    return happen


def given(make_client: Callable[[], Any]) -> Happening:
    """Give the call a client, with a server that would answer it."""

    async def happen(world: World) -> Any:
        server = world.serve(say(respond_json(b"{}")))
        outcome = await world.call(server.url, client=make_client())
        assert server.requests == []
        return outcome

    return happen


def set_to(name: str, value: str, url: str = "https://127.0.0.1:9") -> Happening:
    """Set a variable of the environment."""

    async def happen(world: World) -> Any:
        await world.set(name, value)
        return await world.call(url)

    return happen


async def refuse_connection(world: World) -> Any:
    return await world.call(f"http://127.0.0.1:{find_closed_port()}")


async def find_no_host(world: World) -> Any:
    def find_nothing(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    world.patch.setattr(socket, "getaddrinfo", find_nothing)
    return await world.call("http://nowhere.invalid")


async def stall_in_handshake(world: World) -> Any:
    server = world.serve(say_and_stall(b""))
    return await world.call(server.url.replace("http:", "https:"), deadline=SHORT)


async def speak_no_tls(world: World) -> Any:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def talk() -> None:
            with listener.accept()[0] as peer:
                peer.recv(10)
                peer.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        talking = asyncio.get_running_loop().run_in_executor(None, talk)
        outcome = await world.call(f"https://127.0.0.1:{listener.getsockname()[1]}")
        await talking
    return outcome


async def wait_for_a_connection(world: World) -> Any:
    world.patch.setattr("charter.pool._CONNECTIONS", 1)
    await aclose()
    server = world.serve(say_and_stall(b""))
    first = asyncio.create_task(world.call(server.url))
    await asyncio.to_thread(server.arrived.wait, 10)
    outcome = await world.call(server.url, deadline=SHORT)
    first.cancel()
    await asyncio.wait([first])
    await aclose()
    return outcome


async def refuse_connect(world: World) -> Any:
    proxy = world.serve(say(respond(b"", "407 Proxy Authentication Required")))
    await world.set("HTTPS_PROXY", proxy.url)
    outcome = await world.call("https://api.example/")
    assert proxy.requests[0].startswith(b"CONNECT api.example:443 ")
    return outcome


async def send_a_bad_header(world: World) -> Any:
    server = world.serve(say(respond_json(b"{}")))
    outcome = await world.call(server.url, headers={"X-Note": " leading space"})
    assert server.requests == []
    return outcome


async def run_outside_asyncio(world: World) -> Any:
    call = world.call("http://127.0.0.1:9")

    def step() -> Any:
        try:
            call.send(None)
        except StopIteration as ended:
            return ended.value

    return await asyncio.to_thread(step)


async def find_connection_closed(world: World) -> Any:
    """A kept connection that the server has closed is not used, so this call reaches nobody."""
    server = world.serve(say(respond_json(b"{}")))
    await world.call(server.url)
    server.wait_until_ended()
    server.close()
    return await world.call(server.url)


_AT_EXIT = """
import atexit, sys
from tests.faults.calls import make_tools
from charter import CharterError

tool, moment = make_tools(sys.argv[1])[sys.argv[2]], sys.argv[3]

def call(tool=tool, kind=CharterError, tell=print):
    try:
        tool.invoke({})
    except kind as error:
        tell(error.may_have_taken_effect, flush=True)

class Late:
    def __del__(self, call=call):
        call()

if moment == "atexit":
    atexit.register(call)
else:
    late = Late()
    if moment == "later":
        call()
"""


def ending(moment: str) -> Happening:
    """Call while an interpreter ends; the outcome is what its last call told."""

    async def happen(world: World) -> Any:
        url = f"http://127.0.0.1:{find_closed_port()}"
        command = [sys.executable, "-W", "ignore", "-c", _AT_EXIT, url, world.method, moment]
        ended = await asyncio.to_thread(
            subprocess.run, command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, timeout=60,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        # Where it has called before, it tells twice: the second time is as the interpreter ends.
        assert len(ended.stdout.split()) == (2 if moment == "later" else 1), ended.stderr
        return ended.stdout.split()[-1] == "True"

    return happen


def _closed_client() -> httpx2.AsyncClient:
    client = httpx2.AsyncClient()
    try:
        client.aclose().send(None)  # nothing is open, so it waits for nothing
    except StopIteration:
        pass
    return client


NOTHING_SENT = [
    Effect("the connection is refused", False, refuse_connection),
    Effect("the host has no address", False, find_no_host),
    Effect("the server does not finish the TLS handshake in time", False, stall_in_handshake),
    Effect("the server speaks no TLS", False, speak_no_tls),
    Effect("no connection becomes free in time", False, wait_for_a_connection),
    Effect("the server has closed a kept connection, and takes no new one", False, find_connection_closed),
    Effect("`SSL_CERT_FILE` names no file", False, set_to("SSL_CERT_FILE", "/nowhere/ca.pem")),
    Effect("a proxy variable names what is no proxy", False, set_to("HTTPS_PROXY", "ftp://proxy.example")),
    Effect("the proxy is not there", False, set_to("HTTPS_PROXY", f"127.0.0.1:{find_closed_port()}")),
    Effect("the proxy refuses the tunnel (CONNECT)", False, refuse_connect),
    Effect("a header cannot be written", False, send_a_bad_header),
    Effect("the client that was given is closed", False, given(_closed_client)),
    Effect("the client that was given is synchronous", False, given(httpx2.Client)),
    Effect("what was given as a client is none", False, given(dict[str, str](a="b").copy)),
    Effect("the event loop is not asyncio's", False, run_outside_asyncio),
    Effect("the first call is made at the interpreter's exit", False, ending("atexit")),
    Effect("`invoke` is called from `__del__` as the interpreter ends", False, ending("first")),
    Effect("so it is, and there have been calls before", False, ending("later")),
]
SENT = [
    Effect("the connection ends before the answer begins", True, answered(say(b""))),
    Effect("the connection breaks before the answer begins", True, answered(say_and_reset(b""))),
    Effect("no answer begins within the deadline", True, answered(say_and_stall(b""), deadline=SHORT)),
    Effect("the answer is no HTTP", True, answered(say(b"220 mail.example ESMTP\r\n"))),
    Effect(
        "an answer of 200 does not end within the deadline",
        True,
        answered(say_and_stall(respond(b'{"id":', length=90)), deadline=SHORT),
    ),
    Effect("an answer of 200 is cut off", True, answered(say(respond(b'{"id": 1}', length=500)))),
    Effect("an answer of 200 breaks its own rules", True, answered(say(chunked(b"zz\r\n{}\r\n0\r\n\r\n")))),
    Effect(
        "an answer of 200 is compressed, and broken",
        True,
        answered(say(respond_json(gzip.compress(b"{}")[:-5], "Content-Encoding: gzip"))),
    ),
    Effect("an answer of 200 is larger than `max_bytes`", True, answered(say(respond(b" " * 11 * MEGABYTE)))),
    Effect("an answer of 200 is not the JSON that it says", True, answered(say(respond_json(b"<html>")))),
    Effect(
        "a part (206) that nobody asked for", True, answered(say(respond(b"{}", "206 Partial Content", JSON)))
    ),
]
STATUSES = [
    *(
        Effect(f"an answer of {status}", may, answered(say(respond(b"", f"{status} So"))))
        for status, may in {
            "300": True,
            "302": True,
            "307": True,
            "400": False,
            "401": False,
            "403": False,
            "404": False,
            "408": True,
            "409": False,
            "422": False,
            "429": False,
            "499": True,
            "500": True,
            "503": True,
        }.items()
    ),
    Effect(
        "an answer of 200 whose envelope says that it failed",
        True,
        answered(
            say(respond_json(b'{"ok": false, "error": "internal"}')),
            envelope=Envelope(ok="ok", error="error"),
        ),
    ),
]
EFFECTS = [*NOTHING_SENT, *SENT, *STATUSES]
