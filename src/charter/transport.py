"""Send one request: a pooled client per event loop, a total deadline, a cap on the answer's size, no raw exception.

Not here: what a request or an answer means. `wire` builds the one and reads the other.
"""

import asyncio
import os
import ssl
import zlib
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib import import_module
from typing import Any, cast

import httpx2

from charter.auth import REDACTED, Credentials
from charter.errors import TransportError
from charter.wire.request import WireRequest, merge_headers
from charter.wire.response import Answer

__all__ = ["Limits", "aclose", "send"]

_CONNECT_SHARE = 0.9
"""Part of the deadline that waiting for a connection may take, so that a failure to get one is told as just that."""
_NEVER_OPENED = frozenset(
    {"ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "InvalidURL"}
)
_ENCODINGS = {"Accept-Encoding": "gzip, deflate"}
_OWN_CLIENT = {**_ENCODINGS, "User-Agent": "charter"}


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may take: `deadline` in seconds from start to end, `max_bytes` of decompressed body."""

    deadline: float
    max_bytes: int
    spent: float = 0.0
    """Seconds of the deadline that are over."""

    @property
    def left(self) -> float:
        """Seconds until the deadline, never quite none, so that passing it is told as just that."""
        return max(self.deadline - self.spent, 0.001)


@dataclass(frozen=True, slots=True)
class _Failure:
    problem: str
    fix: str
    may_have_taken_effect: bool = True


async def send(
    request: WireRequest,
    credentials: Credentials,
    headers: Mapping[str, str | None],
    limits: Limits,
    client: Any,
) -> Answer:
    """Send a request and read its whole answer; `headers` are the host's and the last word.

    `client` is an `httpx2.AsyncClient`, an `httpx.AsyncClient` or alike; None takes the pooled one of this event loop.

    Raises:
        TransportError: there is no usable answer. Neither the error nor its traceback holds the client's own exception,
            whose request carries the credentials.
    """
    outcome = await _exchange(request, credentials, headers, limits, client)
    if isinstance(outcome, Answer):
        return outcome
    raise TransportError(
        f"{request.method} {request.url.partition('?')[0]}: {outcome.problem}. {outcome.fix}",
        may_have_taken_effect=outcome.may_have_taken_effect,
        model_text=_tell_model(outcome),
    )


async def aclose() -> None:
    """Close the pooled client of the running event loop; the next call opens a new one."""
    keeper = _keepers.pop(asyncio.get_running_loop(), None)
    if keeper:
        await keeper.generator.aclose()


def _tell_model(failure: _Failure) -> str:
    effect = (
        "It may have taken effect: check before repeating it."
        if failure.may_have_taken_effect
        else "Nothing was sent: it is safe to try again."
    )
    return f"The API gave no usable answer: {failure.problem}. {effect}"


async def _exchange(
    request: WireRequest,
    credentials: Credentials,
    headers: Mapping[str, str | None],
    limits: Limits,
    client: Any,
) -> Answer | _Failure:
    """Send and read, answering with a failure instead of raising: an exception from here would carry secrets along."""
    try:
        async with asyncio.timeout(limits.left):
            http = await _pooled_client() if client is None else client
            prepared = _prepare(http, request, credentials, headers, limits if client is None else None)
            response = await http.send(prepared, stream=True, follow_redirects=False)
            try:
                answer = await _read(response, limits.max_bytes)
                if _has_leftover(response):
                    await response.extensions["network_stream"].aclose()
                return answer
            finally:
                await response.aclose()
    except TimeoutError:
        return _Failure(f"no complete answer within {limits.deadline:g} s", "Raise timeout= or ask for less")
    except _UnusableError as error:
        return error.failure
    except Exception as error:
        return _describe(error, credentials)


def _prepare(
    http: Any,
    request: WireRequest,
    credentials: Credentials,
    headers: Mapping[str, str | None],
    own: Limits | None,
) -> Any:
    """Make the client's request; `own` holds the limits where the client is ours. Nothing is sent yet."""
    if getattr(http, "is_closed", False):
        raise _UnusableError("the client is closed", "Give an open one", may_have_taken_effect=False)
    # Our own client has no defaults to merge in, and merging costs as much as all of ours.
    build: Any = httpx2.Request if own else http.build_request
    extensions: dict[str, Any] = {}
    if own:
        wait = own.left * _CONNECT_SHARE
        extensions = {"timeout": {"connect": wait, "pool": wait, "read": None, "write": None}}
    try:
        prepared = build(
            request.method,
            _revealed_url(request, credentials),
            headers=_revealed_headers(request, credentials, headers, _OWN_CLIENT if own else _ENCODINGS),
            content=request.content,
            extensions=extensions,
        )
    except Exception as error:
        problem = _describe(error, credentials).problem
    else:
        if credentials.query:
            prepared.url = _hide_query(prepared.url)
        return prepared
    raise _UnusableError(problem, "Check base_url and the headers", may_have_taken_effect=False)


def _revealed_url(request: WireRequest, credentials: Credentials) -> str:
    return request.with_query({name: secret.reveal() for name, secret in credentials.query.items()}).url


def _hide_query(url: Any) -> Any:
    """Return the URL as one that prints without its query, which holds a key: HTTP clients log the URLs they ask."""
    return _quiet_kind(cast("type[Any]", type(url)))(url)


@cache
def _quiet_kind(kind: type[Any]) -> type[Any]:
    def tell(url: Any) -> str:
        return f"{kind(url).copy_with(query=None)}?{REDACTED}"

    return type("QuietURL", (kind,), {"__str__": tell, "__repr__": tell})


def _has_leftover(response: Any) -> bool:
    """Whether the server sent more than its answer: the client would take that for the answer to its next request.

    No HTTP client says so publicly. Where it cannot be found out the answer is no.
    """
    node = response.stream
    for name in ("_stream", "_httpcore_stream", "_stream", "_connection", "_h11_state", "trailing_data"):
        node = getattr(node, name, None)
    return bool(node and node[0])


def _revealed_headers(
    request: WireRequest,
    credentials: Credentials,
    headers: Mapping[str, str | None],
    defaults: Mapping[str, str],
) -> dict[str, str]:
    secret = {name: prefix + value.reveal() for name, (prefix, value) in credentials.headers.items()}
    return merge_headers(defaults, request.headers, secret, headers)


def _describe(error: Exception, credentials: Credentials) -> _Failure:
    names = {kind.__name__ for kind in type(error).__mro__}
    told = credentials.redact(str(error).encode("utf-8", "replace")).decode()[:200]
    problem = f"{type(error).__name__}{f' ({told})' if told else ''}"
    if names & _NEVER_OPENED:
        return _Failure(
            f"no connection: {problem}", "Check base_url and the network", may_have_taken_effect=False
        )
    return _Failure(problem, "Check whether the request took effect before sending it again")


class _UnusableError(Exception):
    def __init__(self, problem: str, fix: str, *, may_have_taken_effect: bool = True) -> None:
        super().__init__(problem)
        self.failure = _Failure(problem, fix, may_have_taken_effect)


async def _read(response: Any, max_bytes: int) -> Answer:
    headers = _read_headers(response.headers.raw)
    if response.is_stream_consumed:  # a caller's own transport may answer from memory, already decompressed
        body = _Body("", max_bytes)
        body.feed(response.content)
    else:
        body = _Body(headers.get("content-encoding", ""), max_bytes)
        async for chunk in response.aiter_raw():
            body.feed(chunk)
    return Answer(response.status_code, headers, body.finish())


def _read_headers(raw: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Read headers by lower-case name; a repeated one is joined by commas, as RFC 9110 allows."""
    headers: dict[str, str] = {}
    for key, value in raw:
        name, text = key.decode("latin-1").lower(), value.decode("latin-1")
        headers[name] = f"{headers[name]}, {text}" if name in headers else text
    return headers


class _Body:
    """Collects a body, decompressing as it comes and never past its cap."""

    def __init__(self, encoding: str, max_bytes: int) -> None:
        names = [name.strip().lower() for name in encoding.split(",") if name.strip()]
        names = [name for name in names if name != "identity"]
        if len(names) > 1 or not set(names) <= {"gzip", "x-gzip", "deflate"}:
            raise _UnusableError(f"the body is encoded as {encoding[:40]!r}", "Ask the API for gzip")
        self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 32) if names else None
        self._is_deflate = names == ["deflate"]
        self._head = b""  # of a deflate body, until something comes out of it
        self._has_input = False
        self._max_bytes = max_bytes
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> None:
        while chunk:
            part, chunk = self._decode(chunk) if self._inflate else (chunk, b"")
            self._size += len(part)
            if self._size > self._max_bytes:
                raise _UnusableError(
                    f"the answer is larger than {self._max_bytes} bytes", "Ask for less or raise max_bytes="
                )
            self._parts.append(part)

    def _decode(self, chunk: bytes) -> tuple[bytes, bytes]:
        """Return what one step decompresses and what of the chunk is left."""
        assert self._inflate is not None
        room = self._max_bytes - self._size + 1
        self._has_input = True
        if self._is_deflate and not self._size:
            self._head += chunk
        if self._inflate.eof:
            self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 32)
        try:
            part = self._inflate.decompress(chunk, room)
        except zlib.error:
            if not self._is_deflate or self._size:
                raise _UnusableError("the compressed body is broken", "Try again") from None
            self._is_deflate = False
            self._inflate = zlib.decompressobj(
                -zlib.MAX_WBITS
            )  # deflate without its wrapper, as some servers send it
            part = self._inflate.decompress(self._head, room)
        return part, self._inflate.unconsumed_tail or self._inflate.unused_data

    def finish(self) -> bytes:
        if self._inflate and self._has_input and not self._inflate.eof:
            raise _UnusableError("the compressed body is cut short", "Try again")
        return b"".join(self._parts)


@dataclass(slots=True)
class _Keeper:
    client: httpx2.AsyncClient
    generator: AsyncGenerator[httpx2.AsyncClient, None]


_keepers: dict[asyncio.AbstractEventLoop, _Keeper] = {}
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_keepers.clear)


async def _pooled_client() -> httpx2.AsyncClient:
    """Return this event loop's client, opening it at the first call.

    A suspended async generator holds it: the loop closes such generators when it shuts down, and so the client.
    """
    loop = asyncio.get_running_loop()
    if loop not in _keepers:
        trust = await asyncio.to_thread(_read_trust)
        for other in [other for other in list(_keepers) if other.is_closed()]:
            _keepers.pop(other, None)  # it was closed without shutting down its generators
        if loop not in _keepers:  # another task may have been here during the wait
            _keepers[loop] = _open_keeper(loop, trust)
    return _keepers[loop].client


@cache
def _read_trust() -> ssl.SSLContext:
    """Do once, off the event loop, what would hold it up: read the trusted certificates, import what is needed."""
    import_module("anyio")
    return httpx2.create_ssl_context()


def _open_keeper(loop: asyncio.AbstractEventLoop, trust: ssl.SSLContext) -> _Keeper:
    client = httpx2.AsyncClient(
        verify=trust,
        timeout=None,
        follow_redirects=False,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        limits=httpx2.Limits(max_connections=100, max_keepalive_connections=100),
    )
    generator = _hold(loop, client)
    try:
        generator.__anext__().send(None)
    except StopIteration:
        pass
    return _Keeper(client, generator)


async def _hold(
    loop: asyncio.AbstractEventLoop, client: httpx2.AsyncClient
) -> AsyncGenerator[httpx2.AsyncClient, None]:
    try:
        yield client
    finally:
        _keepers.pop(loop, None)  # it would keep the loop alive
        await client.aclose()
