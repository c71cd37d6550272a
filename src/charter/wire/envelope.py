"""Envelopes: how an API says inside a 200 that it failed.

Not here: failures that the status tells.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, cast

from charter.checking import ANYTHING, CODES, FLAG, TEXT, Kind, check_fields, list_of, or_none
from charter.wire.reasons import collect_codes, find_reason, read_reason
from charter.wire.waits import read_wait

__all__ = ["Envelope", "Paths", "Verdict", "find_all", "find_path", "list_paths"]

Paths = str | tuple[str, ...]

_PATHS = Kind("a path, or a tuple of paths", lambda value: TEXT.fits(value) or list_of(TEXT).fits(value))
_KINDS: Mapping[str, Kind] = {
    "ok": or_none(_PATHS),
    "error": _PATHS,
    "data": or_none(TEXT),
    "credential_errors": CODES,
    "retry_after": or_none(TEXT),
    "success": Kind("a tuple of values, even if of one", list_of(ANYTHING).fits),
    "ok_may_be_absent": FLAG,
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an envelope says of an answer. `problem` is None for a success, whose `data` is then the result."""

    data: Any = None
    problem: str | None = None
    kind: Literal["api", "credential"] = "api"
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Envelope:
    """Where, by dotted path, a JSON object says whether it is a success. `*` in a path is every member or item.

    `ok` must hold at each of its paths: be one of `success` where that is given, else true. It must be there, unless
    `ok_may_be_absent`. Where none is, and without `ok`, anything under `error` is a failure. `data` is the member that
    holds the result; a result beside errors is kept and flagged under `errors`. `credential_errors` are the codes that
    mean the credentials are bad; `retry_after` is a path to seconds, a date or a Unix time.

    `Envelope(error=())` judges nothing: a tool turns its Api's off with it. What is no JSON object passes as it is.

    Raises:
        DeclarationError: one of them is of the wrong kind, such as one thing in place of several.

    >>> Envelope(ok="ok", error="error").open({"ok": False, "error": "channel_not_found"}).problem
    'channel_not_found'
    >>> Envelope(ok="code", success=(0,), error="message").open({"code": 0, "message": "success"}).problem is None
    True
    >>> user_errors = [{"field": ["title"], "message": "can't be blank"}]
    >>> Envelope(error="*.userErrors").open({"productCreate": {"userErrors": user_errors}}).problem
    "title: can't be blank"
    """

    judges_all: ClassVar[bool] = False
    """Whether every answer must be one of its own, and a text or a list is none."""

    ok: Paths | None = None
    error: Paths = "error"
    data: str | None = None
    credential_errors: frozenset[str] = frozenset()
    retry_after: str | None = None
    success: tuple[Any, ...] = ()
    ok_may_be_absent: bool = False

    def __post_init__(self) -> None:
        check_fields(self, _KINDS)

    def open(self, body: Any, date: str = "") -> Verdict:
        """Say whether the answer is a success, and what its result is; `date` is the answer's own."""
        if not isinstance(body, Mapping):
            return Verdict(data=body)
        result = find_path(body, self.data) if self.data else cast("Any", body)
        flags, errors = self.find_flags(body), self.find_errors(body)
        if not self.has_failed(flags, errors):
            return Verdict(data=result)
        if self.data and not flags and _holds_something(result) and not self._lies_within(errors):
            return Verdict(data={"data": result, "errors": next(iter(errors.values()))})
        return self.tell(body, flags, errors, date)

    def tells(self, body: Any) -> bool:
        """Whether an answer says of itself that it failed, whatever its status; one that says nothing does not."""
        flags, errors = self.find_flags(body), self.find_errors(body)
        return bool(flags or errors) and self.has_failed(flags, errors)

    def find_flags(self, body: Any) -> dict[str, Any]:
        """Find, by path, what the answer says of its success; an absent flag, or null, says nothing."""
        return {
            at: flag for path in list_paths(self.ok) for at, flag in find_all(body, path) if flag is not None
        }

    def find_errors(self, body: Any) -> dict[str, Any]:
        """Find, by path, what the answer says went wrong; an empty error is none."""
        return {at: error for path in list_paths(self.error) for at, error in find_all(body, path) if error}

    def tell(self, body: Any, flags: Mapping[str, Any], errors: Mapping[str, Any], date: str) -> Verdict:
        """Make the verdict of a failure, out of what says so."""
        told = [read_reason(error) for error in errors.values()] or [find_reason(body)]
        if not any(told):
            failing = [f"{at}: {_write(flag)}" for at, flag in flags.items() if not self._is_success(flag)]
            told = [f"the answer says it failed ({'; '.join(failing) or f'no {self.ok}'})"]
        codes = {code for value in (*errors.values(), *flags.values()) for code in collect_codes(value)}
        return Verdict(
            problem="; ".join(dict.fromkeys(told)),
            kind="credential" if self.credential_errors & codes else "api",
            retry_after=self.read_wait(body, date),
        )

    def read_wait(self, body: Any, date: str) -> float | None:
        """Read how many seconds the answer asks to wait; None when it does not say."""
        return read_wait(find_path(body, self.retry_after), date) if self.retry_after else None

    def has_failed(self, flags: Mapping[str, Any], errors: Mapping[str, Any]) -> bool:
        """Whether what was found says that the answer is a failure."""
        if flags:
            return not all(self._is_success(flag) for flag in flags.values())
        return bool(errors) or bool(self.ok and not self.ok_may_be_absent)

    def _is_success(self, flag: Any) -> bool:
        if not self.success:
            return bool(flag)
        return any(flag == one and isinstance(flag, bool) == isinstance(one, bool) for one in self.success)

    def _lies_within(self, errors: Mapping[str, Any]) -> bool:
        return any(at.startswith(f"{self.data}.") for at in errors)


def find_path(data: Any, path: str) -> Any:
    """Find the value at a dotted path; a number indexes a list; None when there is none.

    >>> find_path({"data": [{"id": "a"}, {"id": "b"}]}, "data.-1.id")
    'b'
    """
    for key in path.split("."):
        data = _take_step(data, key)
    return data


def find_all(data: Any, path: str) -> list[tuple[str, Any]]:
    """Find every value at a dotted path in which `*` is each member or item, with the path that leads there.

    >>> find_all({"data": {"a": {"ok": True}, "b": {"ok": False}}}, "data.*.ok")
    [('data.a.ok', True), ('data.b.ok', False)]
    """
    before, star, after = path.partition("*")
    if not star:
        return [(path, find_path(data, path))]
    found = [(before, find_path(data, before[:-1]) if before else data)]
    for key in f"*{after}".split("."):
        if key == "*":
            found = [(f"{at}{name}.", value) for at, node in found for name, value in _list_children(node)]
        else:
            found = [(f"{at}{key}.", _take_step(node, key)) for at, node in found]
    return [(at[:-1], value) for at, value in found]


def _take_step(data: Any, key: str) -> Any:
    if isinstance(data, Mapping):
        return cast("Mapping[str, Any]", data).get(key)
    if isinstance(data, list) and key.removeprefix("-").isdecimal():
        items, at = cast("list[Any]", data), int(key)
        return items[at] if -len(items) <= at < len(items) else None
    return None


def _list_children(data: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(data, Mapping):
        return cast("Mapping[str, Any]", data).items()
    return enumerate(cast("list[Any]", data)) if isinstance(data, list) else ()


def list_paths(paths: Paths | None) -> tuple[str, ...]:
    """Return one path or several as several."""
    return (paths,) if isinstance(paths, str) else paths or ()


def _write(flag: Any) -> str:
    return str(flag).lower() if isinstance(flag, bool) else str(flag)[:100]


def _holds_something(result: Any) -> bool:
    if isinstance(result, Mapping):
        return any(value is not None for value in cast("Mapping[str, Any]", result).values())
    return bool(result)
