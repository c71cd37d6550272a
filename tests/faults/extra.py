"""An API of many users whose gateway sends bytes after some answers, and the calls that must not notice.

How one broken answer is told is in faults.py; this is about whose answer a call gets when many are made at once.
"""

import asyncio
import gzip
import itertools
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import BaseModel

from charter import Api, Bearer, CharterError, Tool

USERS = 40
USER: ContextVar[str] = ContextVar("USER")
Write = Callable[[bytes], tuple[bytes, bytes]]
"""From the body of an answer to the bytes that are sent: the answer, and what follows it."""


def _answer(body: bytes, *headers: str, length: int | None = None, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", *headers]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def say_rightly(body: bytes) -> tuple[bytes, bytes]:
    return _answer(body, length=len(body)), b""


def say_twice(body: bytes) -> tuple[bytes, bytes]:
    return say_rightly(body)[0], say_rightly(body)[0]


def say_nothing_with_a_body(body: bytes) -> tuple[bytes, bytes]:
    return _answer(b"", status="204 No Content"), body


def count_characters(body: bytes) -> tuple[bytes, bytes]:
    """Announce characters, send bytes: what is too much is as long as the letters outside ASCII."""
    text = body.decode() + " " * 9
    long = (text + "é" * 9).encode()
    return _answer(long[: len(text)], length=len(text)), long[len(text) :]


def say_twice_in_chunks(body: bytes) -> tuple[bytes, bytes]:
    whole = _answer(b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body), "Transfer-Encoding: chunked")
    return whole, whole


def say_twice_compressed(body: bytes) -> tuple[bytes, bytes]:
    packed = gzip.compress(body)
    whole = _answer(packed, "Content-Encoding: gzip", length=len(packed))
    return whole, whole


def say_with_line_feeds(body: bytes) -> tuple[bytes, bytes]:
    """End lines by a line feed alone, and let the body begin as a head ends: what follows is as long as that."""
    long = b"\r\n\r\n" + body
    return _answer(b"", length=len(long)).replace(b"\r\n", b"\n") + long, b" {} "


KINDS: dict[str, Write] = {
    "a doubled answer": say_twice,
    "a 204 with a body": say_nothing_with_a_body,
    "a length in characters": count_characters,
    "a doubled answer in chunks": say_twice_in_chunks,
    "a doubled answer in gzip": say_twice_compressed,
    "a head of line feeds": say_with_line_feeds,
}


@dataclass
class Gateway:
    """The API. Every `every`th answer is followed by more, which comes later where `is_late`."""

    write: Write
    every: int = 3
    is_late: bool = False
    url: str = ""
    asked: int = 0
    connections: int = 0
    spoiled: set[int] = field(default_factory=set[int])
    """Connections on which more came than an answer."""
    reused: int = 0
    """Requests that came on a spoiled connection."""
    _numbers: Any = field(default_factory=itertools.count)
    _open: set[asyncio.Task[Any]] = field(default_factory=set[Any])

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection, each request with its token, backwards: forwards it would be redacted."""
        number, self.connections = self.connections, self.connections + 1
        self._open.add(cast("asyncio.Task[Any]", asyncio.current_task()))
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                lengths = [line for line in head.split("\r\n") if line.startswith("content-length:")]
                if lengths:
                    await reader.readexactly(int(lengths[0].partition(":")[2]))
                self.asked += 1
                self.reused += number in self.spoiled
                token = head.partition("authorization: bearer ")[2].partition("\r\n")[0]
                await self._say(writer, json.dumps({"user": token[::-1]}).encode(), number)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            writer.close()

    async def close(self) -> None:
        """End every connection."""
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open)

    async def _say(self, writer: asyncio.StreamWriter, body: bytes, number: int) -> None:
        is_spoiled = next(self._numbers) % self.every == 0
        answer, more = (self.write if is_spoiled else say_rightly)(body)
        if is_spoiled and more:
            self.spoiled.add(number)
        writer.write(answer if self.is_late else answer + more)
        if self.is_late and more:
            await asyncio.sleep(0)
            writer.write(more)
        await writer.drain()


@asynccontextmanager
async def run_gateway(write: Write, **options: Any) -> AsyncIterator[Gateway]:
    """Serve a gateway on this event loop."""
    gateway = Gateway(write, **options)
    server = await asyncio.start_server(gateway.serve, "127.0.0.1", 0, backlog=256)
    gateway.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    try:
        yield gateway
    finally:
        server.close()
        await gateway.close()


class WhoAmI(BaseModel):
    """Say whose token this is."""


class NoteCreate(BaseModel):
    """Write a note."""

    text: str = "tea"


def make_tools(url: str) -> list[Tool]:
    api = Api("shared", base_url=url, auth=Bearer(USER.get), timeout=60.0)
    return [api.get("me", WhoAmI), api.post("notes", NoteCreate)]


async def count_outcomes(url: str, calls: int, at_once: int, client: Any = None) -> Counter[str]:
    """Make calls as many users and count whose answers they got: `own`, `none`, `foreign`, or an error's text."""
    tools, numbers, outcomes = make_tools(url), iter(range(calls)), Counter[str]()

    async def work() -> None:
        for number in numbers:
            USER.set(f"user-{number % USERS}")
            try:
                answer = await tools[number % 2].ainvoke({}, client=client)
            except CharterError as error:
                outcomes[str(error)] += 1
                continue
            mine = answer.get("user") == USER.get()[::-1]
            outcomes["own" if mine else "none" if answer == {"status": 204} else "foreign"] += 1

    await asyncio.gather(*(asyncio.create_task(work()) for _ in range(at_once)))
    return outcomes
