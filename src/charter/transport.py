"""Send one request: a total deadline, a cap on the answer's size, no raw exception, and what may have taken effect.

Not here: clients and their connections (`clients`), or what a request or an answer means (`wire`).
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import httpx2

from charter.auth import Credentials, Redactor
from charter.clients import LentCookies, find_client_flaw, pooled_client
from charter.echoes import Sent
from charter.environment import UnusableSettingError
from charter.errors import TransportError
from charter.secret import REDACTED
from charter.wire.inflate import BrokenBodyError, Inflater
from charter.wire.request import WireRequest, merge_headers
from charter.wire.response import Answer

__all__ = ["OFF_LOOP_BYTES", "Limits", "send"]

OFF_LOOP_BYTES = 64 * 1024
"""Bodies above this are looked through and read in a thread, so that they do not hold up the event loop."""

ERROR_BYTES = 64 * 1024
"""Decompressed bytes of an error's body that are read; the rest is not, and its connection is closed."""
_CONNECT_SHARE = 0.9
"""Part of the deadline that waiting for a connection may take, so that a failure to get one is told as just that."""
_NEVER_OPENED = frozenset(
    {"ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "InvalidURL"}
)
"""Errors that mean, by their definition, that nothing was sent: for clients that tell nothing else."""
_NEVER_WRITTEN = frozenset({"ConnectionNotAvailable", "LocalProtocolError"})
"""What a client raises in place of writing the first byte."""
_ENCODINGS = {"Accept-Encoding": "gzip, deflate"}
_OWN_CLIENT = {**_ENCODINGS, "User-Agent": "charter"}
_MEND_CLIENT = "Give an open httpx2.AsyncClient or httpx.AsyncClient"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may take: `deadline` in seconds from start to end, `max_bytes` of decompressed body."""

    deadline: float
    max_bytes: int
    spent: float = 0.0
    """Seconds of the deadline that are over."""
    public_only: bool = False
    """Whether only public addresses may be connected to."""

    @property
    def left(self) -> float:
        """Seconds until the deadline, never quite none, so that passing it is told as just that."""
        return max(self.deadline - self.spent, 0.001)


@dataclass(frozen=True, slots=True)
class _Failure:
    problem: str
    fix: str
    has_left: bool = True
    """Whether the request, or a part of it, may be on its way."""
    is_lasting: bool = False
    """Whether it fails until somebody mends a setting."""


class _UnusableError(Exception):
    def __init__(self, failure: _Failure) -> None:
        super().__init__(failure.problem)
        self.failure = failure


@dataclass(slots=True)
class _Progress:
    """How far a call has come: what is known to have left, and what of the answer has arrived."""

    is_own: bool
    is_handed_over: bool = False
    is_traced: bool = False
    is_written: bool = False
    head: tuple[int, list[tuple[bytes, bytes]]] | None = None
    """Status and headers, once they are there."""
    body: Inflater | None = None

    async def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Hear from the client what it does, as httpx2 and httpx tell; a proxy's CONNECT is not the request."""
        self.is_traced = True
        if event.endswith("send_request_headers.started"):
            self.is_written = info["request"].method != b"CONNECT"
        elif event.endswith("send_request_headers.failed"):
            self.is_written &= type(info["exception"]).__name__ not in _NEVER_WRITTEN
        elif self.is_written and event.endswith("receive_response_headers.complete"):
            *_, headers = told = info[
                "return_value"
            ]  # by HTTP/1.1 and HTTP/2 with different things around them
            self.head = next(part for part in told if isinstance(part, int)), headers

    def has_left(self, error: Exception) -> bool:
        """Whether any of the request may have left; a lent client that tells nothing may have sent it."""
        if self.is_traced or self.is_own:
            return self.is_written
        return self.is_handed_over and not any(kind.__name__ in _NEVER_OPENED for kind in type(error).__mro__)

    def read_failed_answer(self) -> Answer | None:
        """Return the answer if it is a failure: its status counts, also where its body cannot be had."""
        if self.head is None:
            return None
        status, headers = self.head
        content = self.body.so_far if self.body else b""
        answer = Answer(status, _read_headers(headers), content, is_cut=True)
        return answer if answer.is_failure else None


async def send(
    request: WireRequest,
    credentials: Credentials,
    headers: Mapping[str, str | None],
    limits: Limits,
    client: Any,
) -> Answer:
    """Send a request and read its whole answer; `headers` are the host's and the last word.

    `client` is an `httpx2.AsyncClient`, an `httpx.AsyncClient` or alike; None takes the pooled one of this event loop.
    On our own client a connection on which more came than the answer is never used again, whenever it comes before
    the next request is written. On a lent one that holds for what arrived together with the answer, over HTTP/1.1.

    Nothing secret that was sent, by whomever, is in the answer.

    Raises:
        TransportError: there is no usable answer. Neither the error nor its traceback holds the client's own exception,
            whose request carries the credentials.
    """
    sent = Sent(credentials, headers)
    outcome = await _exchange(request, sent, limits, client)
    if isinstance(outcome, Answer):
        if len(outcome.content) > OFF_LOOP_BYTES:
            return await asyncio.to_thread(sent.clean, outcome)
        return sent.clean(outcome)
    is_unclear = outcome.has_left and not request.is_read_only
    raise TransportError(
        f"{request.method} {request.url.partition('?')[0]}: {outcome.problem}. {outcome.fix}",
        may_have_taken_effect=is_unclear,
        model_text=_tell_model(outcome, is_unclear),
    )


def _tell_model(failure: _Failure, is_unclear: bool) -> str:
    if is_unclear:
        effect = "It may have taken effect: check before repeating it."
    elif failure.is_lasting:
        effect = "Nothing was sent. Ask the user to mend it; do not retry."
    elif failure.has_left:
        effect = "It only reads: it is safe to try again."
    else:
        effect = "Nothing was sent: it is safe to try again."
    return f"The API gave no usable answer: {failure.problem}. {effect}"


async def _exchange(request: WireRequest, sent: Sent, limits: Limits, client: Any) -> Answer | _Failure:
    """Send and read, answering with a failure instead of raising: an exception from here would carry secrets along."""
    progress = _Progress(is_own=client is None)
    try:
        async with asyncio.timeout(limits.left):
            http = await _open(client, limits.public_only)
            prepared = _prepare(http, request, sent, limits, progress)
            return await _send(http, prepared, sent, limits.max_bytes, progress)
    except TimeoutError as error:
        failure = _Failure(
            f"no complete answer within {limits.deadline:g} s",
            "Raise timeout= or ask for less",
            progress.has_left(error),
        )
    except _UnusableError as error:
        failure = error.failure
    except BrokenBodyError as error:
        failure = _Failure(sent.redactor.text(error.problem), error.fix)
    except Exception as error:
        failure = _describe(error, sent.redactor, progress.has_left(error))
    return progress.read_failed_answer() or failure


async def _open(client: Any, public_only: bool) -> Any:
    """Return the client to send with.

    Raises:
        _UnusableError: there is none, or nothing can be sent with it.
    """
    if client is None:
        try:
            return await pooled_client(public_only=public_only)
        except UnusableSettingError as error:
            problem, fix = error.problem, error.fix
    else:
        problem, fix = find_client_flaw(client), _MEND_CLIENT
        if problem is None:
            return client
    raise _UnusableError(_Failure(problem, fix, has_left=False, is_lasting=True))


def _prepare(http: Any, request: WireRequest, sent: Sent, limits: Limits, progress: _Progress) -> Any:
    """Make the client's request. Nothing is sent yet."""
    # Our own client has no defaults to merge in, and merging costs as much as all of ours.
    build: Any = httpx2.Request if progress.is_own else http.build_request
    extensions: dict[str, Any] = {"trace": progress.trace}
    if progress.is_own:
        wait = limits.left * _CONNECT_SHARE
        extensions["timeout"] = {"connect": wait, "pool": wait, "read": None, "write": None}
    try:
        prepared = build(
            request.method,
            _revealed_url(request, sent.credentials),
            headers=_revealed_headers(request, sent, _OWN_CLIENT if progress.is_own else _ENCODINGS),
            content=request.content,
            extensions=extensions,
        )
    except Exception as error:
        problem = _describe(error, sent.redactor, has_left=False).problem
    else:
        if sent.credentials.query:
            prepared.url = _hide_query(prepared.url)
        if not progress.is_own:
            sent.request = prepared
        return prepared
    raise _UnusableError(_Failure(problem, "Check base_url and the headers", has_left=False))


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


def _revealed_headers(request: WireRequest, sent: Sent, defaults: Mapping[str, str]) -> dict[str, str]:
    secret = {name: prefix + value.reveal() for name, (prefix, value) in sent.credentials.headers.items()}
    return merge_headers(defaults, request.headers, secret, sent.headers)


def _describe(error: Exception, redactor: Redactor, has_left: bool) -> _Failure:
    told = redactor.text(str(error))[:200]
    if mend := getattr(error, "mend", None):  # ours: it says itself what helps
        return _Failure(told, mend, has_left=False, is_lasting=True)
    problem = f"{type(error).__name__}{f' ({told})' if told else ''}"
    if has_left:
        return _Failure(problem, "Check whether the request took effect before sending it again")
    return _Failure(f"the request was not sent: {problem}", "Check base_url and the network", has_left=False)


async def _send(http: Any, prepared: Any, sent: Sent, max_bytes: int, progress: _Progress) -> Answer:
    cookies = None if progress.is_own else LentCookies(http)
    progress.is_handed_over = True
    response = await http.send(prepared, stream=True, follow_redirects=False)
    try:
        if cookies:
            sent.request = response.request  # what the client's own auth made of it
            cookies.restore(response.headers.raw)
        if response.status_code == 206 and _is_unasked_part(prepared, response):
            raise BrokenBodyError(
                "the answer is only a part (206) of what was asked for", "Check what is between"
            )
        return await _read(response, max_bytes, progress)
    finally:
        await response.aclose()


def _is_unasked_part(prepared: Any, response: Any) -> bool:
    """Whether bytes of the answer are missing; some APIs number the items of a page in the same header."""
    unit = response.headers.get("content-range", "bytes").split()[:1]
    return unit == ["bytes"] and "range" not in prepared.headers


async def _read(response: Any, max_bytes: int, progress: _Progress) -> Answer:
    progress.head = response.status_code, response.headers.raw
    headers = _read_headers(response.headers.raw)
    if Answer(response.status_code, headers, b"").is_failure:
        max_bytes = min(max_bytes, ERROR_BYTES)
    if response.is_stream_consumed:  # a caller's own transport may answer from memory, already decompressed
        progress.body = body = Inflater("", max_bytes)
        body.feed(response.content)
    else:
        progress.body = body = Inflater(headers.get("content-encoding", ""), max_bytes)
        # The client's own way to read also gives the connection to the next call, too early to look at what is left.
        async for chunk in response.stream:
            body.feed(chunk)
        await _end_answer(response)
    return Answer(response.status_code, headers, body.finish())


def _read_headers(raw: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Read headers by lower-case name; a repeated one is joined by commas, as RFC 9110 allows."""
    headers: dict[str, str] = {}
    for key, value in raw:
        name, text = key.decode("latin-1").lower(), value.decode("latin-1")
        headers[name] = f"{headers[name]}, {text}" if name in headers else text
    return headers


async def _end_answer(response: Any) -> None:
    """Close the connection where the server sent more than its answer: the next call would take it for its own."""
    stream = response.extensions.get("network_stream")
    if end_answer := getattr(stream, "end_answer", None):
        is_plain = "transfer-encoding" not in response.headers
        await end_answer(response.stream, response.headers.get("content-length", "") if is_plain else "")
    elif stream and _has_leftover(response):
        await stream.aclose()


def _has_leftover(response: Any) -> bool:
    """Whether a lent client holds more than the answer. None says so publicly; where it is not known it is no."""
    node = response.stream
    for name in ("_stream", "_httpcore_stream", "_stream", "_connection", "_h11_state", "trailing_data"):
        node = getattr(node, name, None)
    return bool(node and node[0])
