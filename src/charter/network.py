"""Connections to an API over asyncio, which know of bytes that nobody asked for and are then never used again.

Not here: the pool that keeps them (`pool`), or HTTP itself, which httpcore2 speaks over them.
"""

import asyncio
import re
import select
import socket
import ssl
import sys
from collections import deque
from collections.abc import AsyncIterable, Iterable
from itertools import zip_longest
from typing import Any, cast

import httpcore2

__all__ = ["Backend", "Stream"]

_Address = tuple[socket.AddressFamily, Any]
_HEAD_START = 0.25
"""Seconds before the next address of a host is tried beside the last (RFC 8305)."""
_HEAD_END = re.compile(rb"\n\r?\n")
"""The blank line after an answer's headers, as HTTP reads one that is lenient about line ends."""
_LONGEST_HEAD = 16 * 1024
"""Bytes in which the end of the headers is looked for."""
_READ_AHEAD = 512 * 1024
"""Bytes that wait to be read before the peer is asked to pause."""


class _NothingLeftError(Exception):
    """HTTP asks for more bytes although it has a whole answer: it holds none beyond that."""


class Backend(httpcore2.AsyncNetworkBackend):
    """Opens connections on the running event loop, as httpcore2's pools ask for them."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> "Stream":
        """Connect to a host, trying its addresses side by side.

        Raises:
            ConnectTimeout: it took longer than `timeout` seconds.
            ConnectError: no address of the host accepts a connection.
        """
        sock: socket.socket | None = None
        try:
            async with asyncio.timeout(timeout):
                sock = await _connect(await _find_addresses(host, port), local_address)
                for option in socket_options or ():
                    sock.setsockopt(*cast("tuple[int, int, int]", option))
                _, stream = await asyncio.get_running_loop().create_connection(Stream, sock=sock)
                return stream
        except BaseException as error:
            if sock:
                sock.close()
            if isinstance(error, TimeoutError):
                raise httpcore2.ConnectTimeout(str(error)) from None
            if isinstance(error, OSError | UnicodeError):
                raise httpcore2.ConnectError(str(error)) from None
            raise

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Refuse: an API has a host.

        Raises:
            ConnectError: always.
        """
        raise httpcore2.ConnectError("an API is reached by host and port")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class Stream(asyncio.Protocol, httpcore2.AsyncNetworkStream):
    """One connection. It goes on reading between answers, so that what comes unasked is seen wherever it is held."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport = cast("asyncio.Transport", None)
        self._received: deque[bytes] = deque()
        self.waiting = 0
        """Bytes that have come and are not yet read."""
        self._is_at_end = False
        self._failure: Exception | None = None
        self._reader: asyncio.Future[None] | None = None
        self._writer: asyncio.Future[None] | None = None
        self._is_between = False
        self._is_asked_for_more = False
        self._is_tls = False
        self._given = 0
        """Bytes of the answer that HTTP was given."""
        self._head: bytes | None = b""
        """What it was given first, until the headers end in it or cannot be found."""
        self._head_size: int | None = None

    # What the event loop tells.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Keep bytes until they are read."""
        self._received.append(data)
        self.waiting += len(data)
        if self.waiting > _READ_AHEAD:
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> bool:
        """Note the end; what is being written may still be."""
        self._is_at_end = True
        self._wake()
        return not self._is_tls

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end, and why."""
        self._is_at_end = True
        self._failure = exc
        self._wake()
        self.resume_writing()

    def pause_writing(self) -> None:
        """Let writers wait."""
        self._writer = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        """Let writers go on."""
        if self._writer and not self._writer.done():
            self._writer.set_result(None)
        self._writer = None

    def _wake(self) -> None:
        if self._reader and not self._reader.done():
            self._reader.set_result(None)

    # What httpcore2 asks.

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return the next bytes, none at the end.

        Raises:
            ReadTimeout: none came within `timeout` seconds.
            ReadError: the connection broke.
        """
        if self._is_asked_for_more:
            raise _NothingLeftError
        if not self._received and not self._is_at_end:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                async with asyncio.timeout(timeout):
                    await self._reader
            except TimeoutError as error:
                raise httpcore2.ReadTimeout(str(error)) from None
            finally:
                self._reader = None
        return self._take(max_bytes)

    def _take(self, max_bytes: int) -> bytes:
        if not self._received:
            if self._failure:
                raise httpcore2.ReadError(str(self._failure))
            return b""
        data = self._received.popleft()
        if len(data) > max_bytes:
            self._received.appendleft(data[max_bytes:])
            data = data[:max_bytes]
        self._count(data)
        was_full, self.waiting = self.waiting > _READ_AHEAD, self.waiting - len(data)
        if was_full and self.waiting <= _READ_AHEAD and not self._is_at_end:
            self._transport.resume_reading()
        return data

    def _count(self, data: bytes) -> None:
        """Count what HTTP is given of an answer, and find where its headers end."""
        self._given += len(data)
        if self._head is None:
            return
        self._head += data
        if end := _HEAD_END.search(self._head):
            self._head_size = end.end()
        if end or len(self._head) > _LONGEST_HEAD:
            self._head = None

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all of it.

        Raises:
            ConnectionNotAvailable: this is not the connection's first request, and bytes or an end came before it:
                nothing is written, and the pool takes another connection.
            WriteTimeout: it took longer than `timeout` seconds.
            WriteError: the connection broke.
        """
        if self._is_between:
            if self._is_readable():
                raise httpcore2.ConnectionNotAvailable
            self._is_between = False
            self._given, self._head, self._head_size = 0, b"", None
        if self._transport.is_closing():
            raise httpcore2.WriteError("the connection is closed")
        self._transport.write(buffer)
        if self._writer:
            try:
                async with asyncio.timeout(timeout):
                    await asyncio.shield(self._writer)
            except TimeoutError as error:
                raise httpcore2.WriteTimeout(str(error)) from None

    async def aclose(self) -> None:
        """Close at once."""
        self._transport.abort()
        await asyncio.sleep(0)

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> "Stream":
        """Encrypt the connection.

        Raises:
            ConnectTimeout: it took longer than `timeout` seconds.
            ConnectError: the certificate does not fit, the peer speaks no TLS, or said something before it.
        """
        loop = asyncio.get_running_loop()
        problem: httpcore2.NetworkError | httpcore2.TimeoutException
        try:
            async with asyncio.timeout(timeout):
                if self._received or self._is_at_end:
                    raise ConnectionError("the peer did not wait for TLS")
                transport = await loop.start_tls(
                    self._transport, self, ssl_context, server_hostname=server_hostname
                )
        except TimeoutError as error:
            problem = httpcore2.ConnectTimeout(str(error))
        except (OSError, ValueError) as error:  # an ssl.SSLError is an OSError
            problem = httpcore2.ConnectError(str(error))
        except BaseException:
            self._transport.abort()
            raise
        else:
            self._transport, self._is_tls = cast("asyncio.Transport", transport), True
            return self
        await self.aclose()
        raise problem from None

    def get_extra_info(self, info: str) -> Any:
        """Return what httpcore2 asks to know of a connection, else None."""
        match info:
            case "is_readable":
                return self._is_readable()
            case "ssl_object":
                return self._transport.get_extra_info("ssl_object")
            case "client_addr":
                return self._transport.get_extra_info("sockname")
            case "server_addr":
                return self._transport.get_extra_info("peername")
            case "socket":
                return self._transport.get_extra_info("socket")
            case _:
                return None

    def _is_readable(self) -> bool:
        """Whether bytes or an end came, here or in the operating system."""
        if self._received or self._is_at_end or self._transport.is_closing():
            return True
        return _is_readable(self._transport.get_extra_info("socket"))

    async def end_answer(self, body: AsyncIterable[bytes], length: str = "") -> None:
        """Make ready for the next request, or close where more came than the answer; `body` has been read to its end.

        `length` is the answer's Content-Length: where its headers and that many bytes are all that HTTP was given, it
        holds no more, and need not be asked. To be called before the answer is closed, when its connection is free
        for the next call.
        """
        self._is_between = True
        if self._is_at_end:
            return
        is_all = self._head_size is not None and length == str(self._given - self._head_size)
        if self._received or (not is_all and await self._is_more_held(body)):
            await self.aclose()

    async def _is_more_held(self, body: AsyncIterable[bytes]) -> bool:
        """Whether HTTP was given more than the answer: it stops at once where it was, else asks for more."""
        self._is_asked_for_more = True
        try:
            async for _ in body:
                return True
        except _NothingLeftError:
            return bool(self._received)
        except Exception:
            return True
        finally:
            self._is_asked_for_more = False
        return True


async def _find_addresses(host: str, port: int) -> list[_Address]:
    """Find a host's addresses, those of IPv4 and IPv6 by turns, as the system prefers them."""
    kind: dict[str, Any] = {"type": socket.SOCK_STREAM, "proto": socket.IPPROTO_TCP}
    try:  # what is an address already needs no thread
        found = socket.getaddrinfo(host, port, flags=socket.AI_NUMERICHOST, **kind)
    except (OSError, UnicodeError):
        found = await asyncio.get_running_loop().getaddrinfo(host, port, **kind)
    families = list(dict.fromkeys(family for family, *_ in found))
    turns = zip_longest(*([one for one in found if one[0] == family] for family in families))
    return [(one[0], one[4]) for turn in turns for one in turn if one]


async def _connect(addresses: list[_Address], local_address: str | None) -> socket.socket:
    """Connect to the first address that answers, starting with the next whenever one fails or is slow."""
    attempts: list[asyncio.Task[socket.socket]] = []
    failures: list[BaseException] = []
    winner: socket.socket | None = None
    waiting = list(reversed(addresses))
    try:
        while waiting or len(failures) < len(attempts):
            if waiting:
                attempts.append(asyncio.create_task(_connect_one(waiting.pop(), local_address)))
            running = [attempt for attempt in attempts if not attempt.done()]
            await asyncio.wait(
                running, timeout=_HEAD_START if waiting else None, return_when="FIRST_COMPLETED"
            )
            failures = []
            for attempt in attempts:
                failure = attempt.exception() if attempt.done() else None
                if attempt.done() and failure is None:
                    winner = attempt.result()
                    return winner
                failures += [failure] if failure else []
    finally:
        for attempt in attempts:
            attempt.cancel()
            attempt.add_done_callback(lambda ended: _drop(ended, winner))
    raise failures[0] if failures else OSError("the host has no address")


async def _connect_one(address: _Address, local_address: str | None) -> socket.socket:
    family, place = address
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if local_address:
            sock.bind((local_address, 0))
        await asyncio.get_running_loop().sock_connect(sock, place)
    except BaseException:
        sock.close()
        raise
    return sock


def _drop(attempt: "asyncio.Task[socket.socket]", winner: socket.socket | None) -> None:
    if not attempt.cancelled() and attempt.exception() is None and attempt.result() is not winner:
        attempt.result().close()


def _is_readable(sock: Any) -> bool:
    descriptor = -1 if sock is None else sock.fileno()
    if descriptor < 0:
        return True
    if sys.platform == "win32":
        return bool(select.select([descriptor], [], [], 0)[0])
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
