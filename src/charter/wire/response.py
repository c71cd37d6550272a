"""Answers read strictly: JSON, text or bytes; and what an error answer says.

Not here: what a success means inside a 200 (`envelope`), or what of it a model needs (`trim`).
"""

import codecs
import json
import math
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any, cast

__all__ = ["Answer", "UnreadableBodyError", "read_answer", "read_error_text", "read_retry_after"]

MAX_DEPTH = 128
"""Levels of nesting in an answer; what reads and trims it may then recurse."""

_NO_CHARSETS = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"})
"""Text encodings of Python that no API speaks; punycode takes time in the square of the length."""
_SURROGATE = re.compile(
    r"(\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
"""An escaped backslash or a pair of surrogates, or else half a pair, which is no character."""
_NO_CONTENT = frozenset({204, 205, 304})
_COUNTED = ("", "requests-", "endpoint-requests-", "complexity-")
_MILLISECONDS = 1e11
"""A Unix time above this counts milliseconds: in seconds it would be after the year 5000."""


class UnreadableBodyError(ValueError):
    """The body is not what its headers say."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, headers by lower-case name and the decompressed body."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = field(repr=False)

    @property
    def media_type(self) -> str:
        """The content type without parameters, in lower case; empty when there is none."""
        return self.headers.get("content-type", "").split(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        """The declared charset; UTF-8 when there is none."""
        for parameter in self.headers.get("content-type", "").split(";")[1:]:
            name, _, value = parameter.partition("=")
            if name.strip().lower() == "charset":
                return value.strip().strip('"').lower() or "utf-8"
        return "utf-8"

    @property
    def has_content(self) -> bool:
        """Whether there is anything to read."""
        return bool(self.content) and self.status not in _NO_CONTENT

    @property
    def is_json(self) -> bool:
        """Whether the body is JSON by its type, or has no type and looks like it."""
        if not self.media_type:
            return self.content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[", b'"')
        return self.media_type.endswith(("/json", "+json"))


def read_answer(answer: Answer, accepts: str) -> Any:
    """Read a successful answer; `accepts` is the request's Accept header.

    JSON becomes its value, other text `{"text": ...}`, anything else `{"base64": ..., "media_type": ..., "bytes": n}`,
    and an empty body `{"status": 204}`.

    Raises:
        UnreadableBodyError: broken JSON, NaN, a repeated key, bytes that are not in the charset, or a web page
            where none was asked for.
    """
    if not answer.has_content:
        return {"status": answer.status}
    if answer.is_json:
        return _read_json(_decode(answer))
    media_type = answer.media_type
    if media_type == "text/html" and "html" not in accepts:
        raise UnreadableBodyError("not JSON but a web page, often a login or proxy page")
    if media_type.startswith("text/") or "charset" in answer.headers.get("content-type", "").lower():
        try:
            return {"text": _decode(answer)}
        except UnreadableBodyError:
            pass
    kind = media_type or "application/octet-stream"
    return {"base64": b64encode(answer.content).decode(), "media_type": kind, "bytes": len(answer.content)}


def read_error_text(answer: Answer) -> tuple[Any, str]:
    """Read a failed answer as far as it can be read: its body, and the sentence in it that says what failed."""
    try:
        body = _read_json(_decode(answer)) if answer.is_json else _decode(answer)
    except UnreadableBodyError:
        body = answer.content.decode("utf-8", "replace")
    if isinstance(body, str):
        return body, "" if answer.media_type == "text/html" else " ".join(body.split())
    return body, find_message(body)


def find_message(body: Any) -> str:
    """Find the sentence in an error body, in the shapes that APIs commonly use.

    >>> find_message({"error": {"code": 404, "message": "No such charge"}}), find_message({"errors": ["a", "b"]})
    ('No such charge', 'a; b')
    """
    if isinstance(body, str):
        return body
    if isinstance(body, list):
        told = (find_message(item) for item in cast("list[Any]", body)[:5])
        return "; ".join(text for text in told if text)
    if not isinstance(body, dict):
        return ""
    members = cast("dict[str, Any]", body)
    for key in ("message", "error_description", "detail", "error", "errors", "title", "reason"):
        text = find_message(members.get(key))
        if text:
            return text
    return ""


def read_retry_after(answer: Answer) -> float | None:
    """Read how many seconds the server asks to wait, against its own clock; None when it does not say.

    `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), else `X-RateLimit-Reset` once nothing remains; an API
    that counts several things has one such pair for each, and the longest wait counts.
    """
    headers = answer.headers
    asked = headers.get("retry-after", "").strip()
    first = asked.split(",")[0].strip()  # two headers arrive as one; a date has a comma of its own
    if asked:
        return _seconds(first) if _is_number(first) else _seconds_until(asked, headers.get("date", ""))
    now = _moment(headers.get("date", ""))
    waits = [_wait_for_reset(headers, kind, now) for kind in _COUNTED] if now else []
    return max((wait for wait in waits if wait is not None), default=None)


def _wait_for_reset(headers: Mapping[str, str], kind: str, now: datetime) -> float | None:
    if headers.get(f"x-ratelimit-{kind}remaining", "").strip() != "0":
        return None
    reset = headers.get(f"x-ratelimit-{kind}reset", "").strip()
    moment = _seconds(reset) if _is_number(reset) else None
    if moment is None:
        return None
    return max(0.0, (moment / 1000 if moment > _MILLISECONDS else moment) - now.timestamp())


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isascii() and text.replace(".", "", 1).isdecimal()


def _seconds(text: str) -> float | None:
    seconds = float(text)
    return seconds if seconds < float("inf") else None


def _seconds_until(date: str, now: str) -> float | None:
    then, here = _moment(date), _moment(now)
    return max(0.0, (then - here).total_seconds()) if then and here else None


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return moment if moment.tzinfo else None


def _decode(answer: Answer) -> str:
    content = answer.content.removeprefix(b"\xef\xbb\xbf")
    try:
        if codecs.lookup(answer.charset).name in _NO_CHARSETS:
            raise LookupError
        return content.decode(answer.charset)
    except LookupError:
        pass
    except (UnicodeDecodeError, ValueError):
        raise UnreadableBodyError(f"not valid {answer.charset}") from None
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise UnreadableBodyError(f"in the unknown charset {answer.charset!r}") from None


def _read_json(text: str) -> Any:
    if (
        "\\ud" in text or "\\uD" in text
    ):  # a text cut in the middle of an emoji, which nothing could write again
        text = _SURROGATE.sub(lambda found: found[1] or r"\ufffd", text)
    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_float=_read_float
        )
    except UnreadableBodyError:
        raise
    except RecursionError:
        raise UnreadableBodyError("nested too deeply to be read") from None
    except ValueError as error:
        raise UnreadableBodyError(f"not JSON ({error})") from None
    if text.count("{") + text.count("[") > MAX_DEPTH and not _is_shallow(value):
        raise UnreadableBodyError(f"nested deeper than {MAX_DEPTH} levels")
    return value


def _read_float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise UnreadableBodyError("JSON with a number too large for a float")
    return number


def _is_shallow(value: Any) -> bool:
    """Whether everything that goes through the value may recurse; looks without recursion."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in _children(node)]
        if not level:
            return True
    return False


def _children(node: Any) -> list[Any]:
    if isinstance(node, dict):
        return list(cast("dict[str, Any]", node).values())
    return cast("list[Any]", node) if isinstance(node, list) else []


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise UnreadableBodyError("JSON that gives a key twice")
    return members


def _refuse_constant(name: str) -> Any:
    raise UnreadableBodyError(f"JSON with {name}")
