"""How long an API asks to wait: in its headers, in a member of its answer, or in a sentence.

Not here: waiting. A call never repeats itself.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from charter.wire.response import Answer

__all__ = ["find_wait", "read_retry_after", "read_wait"]

_UNIX = 10**9
"""A number above this is a Unix time: as seconds to wait it would be more than thirty years."""
_UNIX_MILLISECONDS = 10**11
_LATEST = 10**14
_NUMBER = re.compile(r"[0-9]{1,20}(?:\.[0-9]{0,20})?")
_DURATION = re.compile(
    r"(?=[0-9])(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m(?!s))?(?:([0-9]{1,9}(?:\.[0-9]{1,9})?)s)?(?:([0-9]{1,9})ms)?"
)
_DURATION_UNITS = (3600, 60, 1, 0.001)
_UNITS = {"mil": 0.001, "sec": 1, "min": 60, "hou": 3600}
_SAID = r"\b(?:retry|retrying|try again|trying again|wait|available|resets?)\b"
_SAID_MOMENT = re.compile(
    _SAID + r"[^.!?\n]{0,40}?([0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?"
    r" ?(?:Z|UTC|[+-][0-9]{2}:?[0-9]{2}))",
    re.IGNORECASE,
)
_SAID_DURATION = re.compile(
    _SAID + r"(?: again)?(?: after| in| for)? ((?:[0-9]{1,9}(?:\.[0-9]{1,9})? ?(?:ms|h|m|s))+)\b",
    re.IGNORECASE,
)
_SAID_UNIT = re.compile(
    _SAID + r"(?: again)?(?: after| in| for)? ([0-9]{1,9}(?:\.[0-9]{1,9})?) ?(mil|sec|min|hou)", re.IGNORECASE
)


def read_wait(value: Any, date: str = "") -> float | None:
    """Read seconds to wait from a number of them, `"30s"`, a date, or a Unix time; None when it is none of these.

    `date` is the answer's own `Date`: what a moment is measured against.

    >>> read_wait("1m30s"), read_wait(-5), read_wait("soon")
    (90.0, None, None)
    """
    if isinstance(value, str):
        return _read_text(value.strip(), date)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < _LATEST:
        return None
    if value <= _UNIX:
        return float(value)
    now = _read_moment(date)
    moment = value / 1000 if value > _UNIX_MILLISECONDS else float(value)
    return max(0.0, moment - now.timestamp()) if now else None


def read_retry_after(answer: Answer) -> float | None:
    """Read how many seconds the headers ask to wait, against the server's own clock; None when they do not say.

    `Retry-After` (RFC 9110, 10.2.3), else the counters of which nothing remains: `RateLimit`, and any header named
    like `X-RateLimit-Reset`. Of several the longest wait counts.
    """
    headers, date = answer.headers, answer.headers.get("date", "")
    asked = headers.get("retry-after", "").strip()
    if asked:
        first = asked.partition(",")[0].strip()  # two headers arrive as one; a date has a comma of its own
        return read_wait(first if _NUMBER.fullmatch(first) else asked, date)
    waits = [*_read_counters(headers, date, answer.status == 429), *_read_policies(headers)]
    return max((wait for wait in waits if wait is not None), default=None)


def find_wait(text: str, date: str = "") -> float | None:
    """Find in a sentence when to try again.

    >>> find_wait("Rate limit reached. Please try again in 20s.")
    20.0
    """
    if found := _SAID_MOMENT.search(text):
        return read_wait(re.sub(r" ?(?:Z|UTC)$", "+00:00", found[1], flags=re.IGNORECASE), date)
    if found := _SAID_DURATION.search(text):
        return read_wait(found[1].lower().replace(" ", ""))
    found = _SAID_UNIT.search(text)
    return float(found[1]) * _UNITS[found[2].lower()] if found else None


def _read_moment(text: str) -> datetime | None:
    """Read a date as HTTP or ISO 8601 writes it; None when it is none, or names no offset."""
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            moment = read(text)
        except (ValueError, TypeError, OverflowError, IndexError):
            continue
        if moment.tzinfo:
            return moment
    return None


def _read_text(text: str, date: str) -> float | None:
    if _NUMBER.fullmatch(text):
        return read_wait(float(text), date)
    if found := _DURATION.fullmatch(text):
        parts = zip(found.groups(), _DURATION_UNITS, strict=True)
        return sum(float(count) * unit for count, unit in parts if count)
    then, now = _read_moment(text[:100]), _read_moment(date)
    return max(0.0, (then - now).total_seconds()) if then and now else None


def _read_counters(headers: Mapping[str, str], date: str, is_limited: bool) -> Iterator[float | None]:
    """Read the waits of the counters with a header each; `is_limited` says that one without a count is spent."""
    for name, reset in headers.items():
        if "-reset" in name and ("ratelimit" in name or "rate-limit" in name):
            remaining = headers.get(name.replace("-reset", "-remaining"))
            if is_limited if remaining is None else _is_nothing(remaining):
                yield read_wait(reset.partition(",")[0] if reset[:1].isdecimal() else reset, date)


def _read_policies(headers: Mapping[str, str]) -> Iterator[float | None]:
    """Read the waits of `RateLimit`: `"default";r=0;t=30`, or as its drafts had it, `limit=9, remaining=0, reset=30`.

    Where a spent item does not say when it is filled up, the window of its policy says it.
    """
    limits = headers.get("ratelimit", "")
    whole = _read_parameters(limits)
    if _is_nothing(whole.get("remaining", "")):
        yield read_wait(whole.get("reset"))
    windows = {_name(item): _read_parameters(item) for item in headers.get("ratelimit-policy", "").split(",")}
    for item in limits.split(","):
        told = _read_parameters(item)
        if _is_nothing(told.get("r", "")):
            yield read_wait(told.get("t") or windows.get(_name(item), {}).get("w"))


def _read_parameters(item: str) -> dict[str, str]:
    return dict(re.findall(r"([a-z]+)=([0-9]{1,15})", item))


def _name(item: str) -> str:
    return item.partition(";")[0].strip(' "')


def _is_nothing(count: str) -> bool:
    return bool(re.fullmatch(r"-[0-9]+|0+(?:\.0*)?", count.partition(",")[0].strip()))
