"""What a broken or hostile server answers, and what a call must make of it.

How the bytes get on the wire is in server.py; the calls are in test_faults.py.
"""

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from charter import APIError, CharterError, CredentialError, TransportError
from tests.faults.server import Answer, Connection

Verdict = Callable[[Any], bool]
MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: what is answered, and which outcomes are right.

    `errors` are the error classes that may be raised; `result` says which results are right, when
    any is. `check` says more about the error. `waits` marks faults that only a deadline ends.
    """

    name: str
    answer: Answer
    errors: tuple[type[CharterError], ...] = ()
    result: Verdict | None = None
    check: Verdict | None = None
    waits: bool = False


def respond(body: bytes = b"{}", status: str = "200 OK", *headers: str, length: int | None = None) -> bytes:
    """Return a whole response; `length` overrides what Content-Length says."""
    head = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body) if length is None else length}"]
    return "\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body


def respond_json(body: bytes, *headers: str) -> bytes:
    return respond(body, "200 OK", "Content-Type: application/json", *headers)


def chunked(*chunks: bytes) -> bytes:
    return (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"".join(chunks)
    )


def say(data: bytes) -> Answer:
    """Answer with these bytes and an orderly end."""
    return lambda connection: connection.send(data)


def say_and_reset(data: bytes) -> Answer:
    def answer(connection: Connection) -> None:
        connection.send(data)
        connection.reset()

    return answer


def say_and_stall(data: bytes) -> Answer:
    def answer(connection: Connection) -> None:
        connection.send(data)
        connection.stall()

    return answer


def drip(data: bytes) -> Answer:
    """Answer one byte at a time, each well within any per-read timeout."""

    def answer(connection: Connection) -> None:
        for at in range(len(data)):
            connection.send(data[at : at + 1])
            connection.pause(0.05)

    return answer


def flood(head: bytes, piece: bytes, count: int) -> Answer:
    def answer(connection: Connection) -> None:
        connection.send(head)
        for _ in range(count):
            connection.send(piece)

    return answer


@cache
def bomb(megabytes: int = 200) -> bytes:
    """Return a gzip stream of about 200 kB that unpacks to 200 MB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = bytes(MEGABYTE)
    return b"".join(packer.compress(piece) for _ in range(megabytes)) + packer.flush()


def equals(wanted: Any) -> Verdict:
    return lambda data: data == wanted


def mentions(*words: str) -> Verdict:
    return lambda error: all(word in str(error) for word in words)


def retry_after_within(low: float | None, high: float | None = None) -> Verdict:
    """The error's retry_after is None (low None) or a finite number of seconds in this range."""

    def verdict(error: Any) -> bool:
        value = error.retry_after
        return value is None if low is None else value is not None and low <= value <= (high or low)

    return verdict


def is_nothing(data: Any) -> bool:
    """An explicit sign of no content, never an empty success that looks like data."""
    return data is None or (isinstance(data, dict) and "status" in data) or data == {"text": ""}


def is_short_for_model(error: Any) -> bool:
    return len(error.for_model()) <= 2_100 and len(str(error)) <= 10_000


DATE = "Date: Mon, 05 Jan 2026 10:00:00 GMT"
JSON = "Content-Type: application/json"
GZIP = "Content-Encoding: gzip"
TRANSPORT = (TransportError,)
API = (APIError,)
LOGIN = b"<!DOCTYPE html><html><title>Sign in</title><body>Please sign in</body></html>"
OK = b'{"id": "x1", "total": 3}'
PARSED = equals({"id": "x1", "total": 3})
LIMITED = "429 Too Many Requests"

CUT_OFF = [
    Fault("closed before any byte", say(b""), TRANSPORT),
    Fault("reset before headers", say_and_reset(b""), TRANSPORT),
    Fault("reset in the middle of headers", say_and_reset(b"HTTP/1.1 200 OK\r\nContent-Ty"), TRANSPORT),
    Fault("reset in the middle of the body", say_and_reset(respond(b'{"id":', length=90)), TRANSPORT),
    Fault("Content-Length longer than the body", say(respond(b'{"id": 1}', length=500)), TRANSPORT),
    Fault("chunks that end early", say(chunked(b'5\r\n{"a":\r\n')), TRANSPORT),
    Fault("a chunk size that is no number", say(chunked(b"zz\r\n{}\r\n0\r\n\r\n")), TRANSPORT),
    Fault("a negative chunk size", say(chunked(b"-2\r\n{}\r\n0\r\n\r\n")), TRANSPORT),
    Fault("a chunk longer than its size", say(chunked(b"2\r\n{} and more\r\n0\r\n\r\n")), TRANSPORT),
    Fault("a huge chunk size", say(chunked(b"FFFFFFFFFFFFFFFFFF\r\n{}")), TRANSPORT),
]
NEVER_ENDING = [
    Fault("one byte at a time", drip(respond_json(OK)), TRANSPORT, waits=True),
    Fault("silence before headers", say_and_stall(b""), TRANSPORT, waits=True),
    Fault("silence after headers", say_and_stall(respond(b"", length=90)), TRANSPORT, waits=True),
    Fault(
        "silence in the middle of the body",
        say_and_stall(respond(b'{"id":', length=90)),
        TRANSPORT,
        waits=True,
    ),
]
ENCODINGS = [
    Fault("truncated gzip", say(respond_json(gzip.compress(OK * 9)[:-12], GZIP)), TRANSPORT),
    Fault("gzip that is not gzip", say(respond_json(OK, GZIP)), TRANSPORT),
    Fault(
        "an encoding nobody knows",
        say(respond_json(b"\x00\x01\x02", "Content-Encoding: x-nobody")),
        TRANSPORT,
    ),
    Fault("gzip, rightly", say(respond_json(gzip.compress(OK), GZIP)), result=PARSED),
    Fault(
        "deflate, rightly", say(respond_json(zlib.compress(OK), "Content-Encoding: deflate")), result=PARSED
    ),
]
SIZES = [
    Fault(
        "a gzip bomb",
        lambda connection: connection.send(respond_json(bomb(), GZIP)),
        TRANSPORT,
        check=mentions("bytes"),
    ),
    Fault(
        "a gzip bomb in a gzip bomb",
        lambda connection: connection.send(
            respond_json(gzip.compress(bomb()), "Content-Encoding: gzip, gzip")
        ),
        TRANSPORT,
    ),
    Fault(
        "a body of 100 MB, announced",
        flood(respond(b"", length=100 * MEGABYTE), b" " * MEGABYTE, 100),
        TRANSPORT,
    ),
    Fault(
        "a body of 100 MB in chunks",
        flood(chunked(), b"100000\r\n" + b" " * MEGABYTE + b"\r\n", 100),
        TRANSPORT,
    ),
    Fault(
        "a body of 100 MB without a length",
        flood(b"HTTP/1.1 200 OK\r\n\r\n", b" " * MEGABYTE, 100),
        TRANSPORT,
    ),
    Fault("300 kB of headers", say(respond(OK, "200 OK", "X-Big: " + "a" * 300_000)), TRANSPORT),
    Fault(
        "10,000 headers", say(respond(OK, "200 OK", *(f"X-{at}: {at}" for at in range(10_000)))), TRANSPORT
    ),
    Fault(
        "an error body of 5 MB", say(respond(b"e" * 5 * MEGABYTE, "500 Oops")), API, check=is_short_for_model
    ),
    Fault(
        "an error body of 100 MB",
        flood(respond(b"", "500 Oops", length=100 * MEGABYTE), b"e" * MEGABYTE, 100),
        API,
        check=is_short_for_model,
    ),
]
BODIES = [
    Fault("a login page as JSON", say(respond(LOGIN, "200 OK", JSON)), TRANSPORT, check=mentions("JSON")),
    Fault(
        "a login page as HTML",
        say(respond(LOGIN, "200 OK", "Content-Type: text/html")),
        TRANSPORT,
        result=lambda data: data["text"].startswith("<!DOCTYPE"),
    ),
    Fault(
        "a vendor's JSON type",
        say(respond(OK, "200 OK", "Content-Type: application/vnd.api+json; charset=utf-8")),
        result=PARSED,
    ),
    Fault("JSON without a type", say(respond(OK)), result=PARSED),
    Fault("a byte order mark", say(respond_json(b"\xef\xbb\xbf" + OK)), result=PARSED),
    Fault(
        "latin-1",
        say(
            respond(
                '{"name": "Zoë"}'.encode("latin-1"),
                "200 OK",
                "Content-Type: application/json; charset=latin-1",
            )
        ),
        result=equals({"name": "Zoë"}),
    ),
    Fault(
        "a charset nobody knows",
        say(respond(OK, "200 OK", "Content-Type: application/json; charset=x-nobody")),
        TRANSPORT,
        result=PARSED,
    ),
    Fault(
        "a charset that takes for ever",
        say(
            respond(
                b"a" * 100 + b"-" + b"b9a" * MEGABYTE,
                "200 OK",
                "Content-Type: application/json; charset=punycode",
            )
        ),
        TRANSPORT,
    ),
    Fault("invalid UTF-8", say(respond_json(b'{"name": "\xff\xfe"}')), TRANSPORT),
    Fault(
        "a lone surrogate",
        say(respond_json(b'{"name": "\\ud800"}')),
        TRANSPORT,
        result=lambda data: json.dumps(data) != "",
    ),
    Fault("NaN", say(respond_json(b'{"value": NaN}')), TRANSPORT, result=equals({"value": None})),
    Fault(
        "Infinity",
        say(respond_json(b'{"value": [Infinity, -Infinity]}')),
        TRANSPORT,
        result=equals({"value": [None, None]}),
    ),
    Fault("duplicate keys", say(respond_json(b'{"id": 1, "id": 2}')), TRANSPORT),
    Fault(
        "nesting of 900",
        say(respond_json(b"[" * 900 + b"]" * 900)),
        TRANSPORT,
        result=lambda data: isinstance(data, list),
    ),
    Fault("nesting of 200,000", say(respond_json(b"[" * 200_000 + b"]" * 200_000)), TRANSPORT),
    Fault(
        "an integer of 6,000 digits",
        say(respond_json(b"7" * 6_000)),
        TRANSPORT,
        result=lambda data: len(str(data)) <= 6_000,
    ),
    Fault(
        "a number past every float",
        say(respond_json(b'{"value": 1e400}')),
        TRANSPORT,
        result=equals({"value": None}),
    ),
    Fault("trailing garbage in the body", say(respond_json(b'{"id": 1} tail')), TRANSPORT),
    Fault("an empty 200", say(respond(b"")), result=is_nothing),
    Fault("an empty 200 that says JSON", say(respond_json(b"")), (TransportError,), result=is_nothing),
    Fault("a 204", say(b"HTTP/1.1 204 No Content\r\n\r\n"), result=is_nothing),
    Fault("a 205", say(respond(b"", "205 Reset Content")), result=is_nothing),
    Fault("a 304", say(b"HTTP/1.1 304 Not Modified\r\n\r\n"), (APIError, TransportError), result=is_nothing),
    Fault(
        "a 200 of JSON null", say(respond_json(b"null")), result=lambda data: data is None or is_nothing(data)
    ),
]
PROTOCOL = [
    Fault("no HTTP at all", say(b"220 mail.example ESMTP\r\n"), TRANSPORT),
    Fault("a status that is no number", say(b"HTTP/1.1 abc OK\r\n\r\n"), TRANSPORT),
    Fault("a status of 999", say(respond(OK, "999 Odd")), (APIError, TransportError)),
    Fault("a header with NUL", say(respond(OK, "200 OK", "X-Nul: a\0b")), TRANSPORT),
    Fault("a header without a name", say(respond(OK, "200 OK", ": nameless")), TRANSPORT),
    Fault("a header that is not ASCII", say(respond_json(OK, "X-Name: Zoë")), TRANSPORT, result=PARSED),
    Fault("two Content-Lengths", say(respond(OK, "200 OK", "Content-Length: 3")), TRANSPORT),
    Fault("a Content-Length below zero", say(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}"), TRANSPORT),
    Fault(
        "100 and 103 before the answer",
        say(
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + respond_json(OK)
        ),
        result=PARSED,
    ),
    Fault(
        "a switch of protocols",
        say(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
        (APIError, TransportError),
    ),
    Fault(
        "a second answer behind the first",
        say(respond_json(OK) + respond_json(b'{"id": "smuggled"}')),
        result=PARSED,
    ),
]
STATUSES = [
    *(
        Fault(
            f"a redirect to {target}",
            say(respond(b"", "302 Found", f"Location: {target}")),
            (APIError, TransportError),
            check=lambda error: "user:pa55word" not in str(error),
        )
        for target in (
            "/elsewhere",
            "//evil.example/x",
            "javascript:alert(1)",
            "https://user:pa55word@evil.example/",
            "http://169.254.169.254/",
            "http://[broken",
            "\x7f",
        )
    ),
    Fault(
        "a 307",
        say(respond(b"", "307 Temporary Redirect", "Location: https://moved.example/x")),
        (APIError, TransportError),
        check=mentions("moved.example"),
    ),
    Fault("a redirect to nowhere", say(respond(b"", "301 Moved")), (APIError, TransportError)),
    Fault("a 401", say(respond(b'{"error": "no"}', "401 Unauthorized", JSON)), (CredentialError,)),
    Fault("a 403", say(respond(b'{"error": "no"}', "403 Forbidden", JSON)), (APIError, CredentialError)),
    Fault("a 404", say(respond(b"", "404 Not Found")), API, check=lambda error: error.status_code == 404),
    Fault(
        "a 429 with 120 seconds",
        say(respond(b"", LIMITED, "Retry-After: 120")),
        API,
        check=retry_after_within(120),
    ),
    Fault(
        "a 503 with 1.5 seconds",
        say(respond(b"", "503 Busy", "Retry-After: 1.5")),
        API,
        check=lambda error: error.retry_after in (None, 1.5, 1, 2),
    ),
    Fault(
        "a 429 with a date, read against the server's clock",
        say(
            respond(
                b"",
                LIMITED,
                DATE,
                "Retry-After: Mon, 05 Jan 2026 10:00:30 GMT",
            )
        ),
        API,
        check=retry_after_within(30),
    ),
    Fault(
        "a 429 with a date in the past",
        say(
            respond(
                b"",
                LIMITED,
                DATE,
                "Retry-After: Mon, 05 Jan 2026 09:00:00 GMT",
            )
        ),
        API,
        check=lambda error: error.retry_after in (None, 0),
    ),
    *(
        Fault(
            f"a 429 with Retry-After {value[:20]!r}",
            say(respond(b"", LIMITED, f"Retry-After: {value}")),
            API,
            check=retry_after_within(None),
        )
        for value in (
            "-5",
            "1e400",
            "",
            "nan",
            "inf",
            "soon",
            "\u00b2",
            "9" * 5_000,
            "Mon, 99 Foo 2026 10:00:00 GMT",
        )
    ),
    Fault(
        "a 429 with two Retry-Afters",
        say(respond(b"", LIMITED, "Retry-After: 7", "Retry-After: 9")),
        API,
        check=lambda error: error.retry_after in (None, 7, 9),
    ),
    Fault(
        "a 403 whose rate limit is spent",
        say(
            respond(
                b"",
                "403 Forbidden",
                DATE,
                "X-RateLimit-Remaining: 0",
                "X-RateLimit-Reset: 1767607260",
            )
        ),
        (APIError,),
        check=retry_after_within(60),
    ),
    Fault("a 500 of HTML", say(respond(LOGIN, "500 Oops", "Content-Type: text/html")), API),
    Fault("a 500 of invalid UTF-8", say(respond(b"\xff\xfe\x00", "500 Oops", JSON)), API),
    Fault(
        "a 500 of quite deep JSON",
        say(respond(b'{"error":' * 900 + b"1" + b"}" * 900, "500 Oops", JSON)),
        API,
    ),
    Fault(
        "a 403 whose rate limit is spent for ever",
        say(
            respond(b"", "403 Forbidden", DATE, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: " + "9" * 400)
        ),
        API,
        check=retry_after_within(None),
    ),
    Fault("a 500 of deep JSON", say(respond(b"[" * 100_000, "500 Oops", JSON)), API),
]


def unreadable(status: int, retry_after: float | None = None) -> Verdict:
    """The error of a status whose body could not be had."""

    def verdict(error: Any) -> bool:
        if status == 401:
            return error.status_code == 401 and error.reauthorize
        return (error.status_code, error.body, error.retry_after) == (status, None, retry_after)

    return verdict


BR = "Content-Encoding: br"
UNREADABLE = [
    *(
        Fault(f"a 401 {flaw}", answer, (CredentialError,), check=unreadable(401))
        for flaw, answer in (
            ("in an encoding nobody asked for", say(respond(b"\x0b", "401 No", BR))),
            ("of broken gzip", say(respond(b"nope", "401 No", GZIP))),
            ("cut off", say(respond(b"half", "401 No", length=90))),
            ("reset", say_and_reset(respond(b"half", "401 No", length=90))),
            ("of 11 MB", say(respond(b"e" * 11 * MEGABYTE, "401 No"))),
        )
    ),
    Fault("a 404 of broken gzip", say(respond(b"nope", "404 No", GZIP)), API, check=unreadable(404)),
    Fault("a 404 of 11 MB", say(respond(b"e" * 11 * MEGABYTE, "404 No")), API, check=unreadable(404)),
    Fault("a 400 of a gzip bomb", say(respond(bomb(), "400 Bad", GZIP)), API, check=unreadable(400)),
    Fault(
        "a 429 in an encoding nobody asked for",
        say(respond(b"\x0b", LIMITED, BR, "Retry-After: 7")),
        API,
        check=unreadable(429, 7),
    ),
    Fault(
        "a 429 cut off",
        say(respond(b"half", LIMITED, "Retry-After: 7", length=90)),
        API,
        check=unreadable(429, 7),
    ),
    Fault("a 500 cut off", say(respond(b"half", "500 Oops", length=90)), API, check=unreadable(500)),
    Fault(
        "a 503 that never ends",
        say_and_stall(respond(b"half", "503 Busy", "Retry-After: 7", length=90)),
        API,
        check=unreadable(503, 7),
        waits=True,
    ),
    Fault(
        "a part that nobody asked for",
        say(respond(b'{"id": 1}', "206 Partial Content", "Content-Range: bytes 0-8/90")),
        TRANSPORT,
        check=mentions("206"),
    ),
    Fault(
        "a page that is numbered as a part",
        say(respond(OK, "206 Partial Content", JSON, "Content-Range: items 0-1/90")),
        result=PARSED,
    ),
    Fault("no encoding, by its name", say(respond_json(OK, "Content-Encoding: none")), result=PARSED),
    Fault("gzip and zeros", say(respond_json(gzip.compress(OK) + bytes(600), GZIP)), result=PARSED),
]
FAULTS = [*CUT_OFF, *NEVER_ENDING, *ENCODINGS, *SIZES, *BODIES, *PROTOCOL, *STATUSES, *UNREADABLE]
