"""Envelopes: how an API says inside a 200 that it failed.

Not here: failures that the status tells.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from charter.wire.response import find_message

__all__ = ["Envelope", "Verdict", "find_path"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an envelope says of an answer. `problem` is None for a success, whose `data` is then the result."""

    data: Any = None
    problem: str | None = None
    kind: Literal["api", "credential"] = "api"
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Envelope:
    """Where, by dotted path, an answer says whether it succeeded.

    `ok` must be truthy where it is given; `error` holds the code or message and, without `ok`, its presence alone is
    a failure. `data` is the member that holds the result; a result beside errors is kept and flagged under `errors`.
    `credential_errors` are the codes that mean the credentials are bad; `retry_after` is a path to seconds.

    >>> Envelope(ok="ok", error="error").open({"ok": False, "error": "channel_not_found"}).problem
    'channel_not_found'
    """

    ok: str | None = None
    error: str = "error"
    data: str | None = None
    credential_errors: frozenset[str] = frozenset()
    retry_after: str | None = None

    def open(self, body: Any) -> Verdict:
        """Say whether the answer is a success, and what its result is."""
        error = find_path(body, self.error)
        failed = not find_path(body, self.ok) if self.ok else bool(error)
        result = find_path(body, self.data) if self.data else body
        if not failed:
            return Verdict(data=result)
        if self.data and _holds_something(result):
            return Verdict(data={"data": result, "errors": error})
        problem = find_message(error) or (str(error) if error else "the answer says it failed")
        kind = "credential" if self.credential_errors.intersection(_codes(error)) else "api"
        return Verdict(problem=problem, kind=kind, retry_after=self.read_wait(body))

    def read_wait(self, body: Any) -> float | None:
        """Read how many seconds the answer asks to wait; None when it does not say."""
        wait = find_path(body, self.retry_after) if self.retry_after else None
        return float(wait) if isinstance(wait, (int, float)) and not isinstance(wait, bool) else None


def find_path(data: Any, path: str) -> Any:
    """Find the value at a dotted path; a number indexes a list; None when there is none.

    >>> find_path({"data": [{"id": "a"}, {"id": "b"}]}, "data.-1.id")
    'b'
    """
    for key in path.split("."):
        if isinstance(data, Mapping):
            data = cast("Mapping[str, Any]", data).get(key)
        elif isinstance(data, list) and key.removeprefix("-").isdecimal():
            items = cast("list[Any]", data)
            at = int(key)
            data = items[at] if -len(items) <= at < len(items) else None
        else:
            return None
    return data


def _holds_something(result: Any) -> bool:
    if isinstance(result, Mapping):
        return any(value is not None for value in cast("Mapping[str, Any]", result).values())
    return bool(result)


def _codes(error: Any) -> set[str]:
    """Collect every string in an error, which is where its code is."""
    if isinstance(error, str):
        return {error}
    if isinstance(error, Mapping):
        return {code for value in cast("Mapping[str, Any]", error).values() for code in _codes(value)}
    if isinstance(error, list):
        return {code for item in cast("list[Any]", error) for code in _codes(item)}
    return set()
