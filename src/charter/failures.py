"""What a failed answer becomes: an error that says what the API said, whether it may have acted, and what to do.

Not here: reading an answer. `wire` does that.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from charter.checking import CODES, TEXT, check_fields, list_of
from charter.errors import (
    APIError,
    CharterError,
    CredentialError,
    TransportError,
    as_sentence,
)
from charter.wire.envelope import Envelope, Verdict, find_all
from charter.wire.reasons import collect_codes, cut, read_reason
from charter.wire.response import Answer, decode_loosely, read_error_body
from charter.wire.waits import find_wait, read_retry_after

__all__ = ["Failures", "Operation", "open_answer", "read_failure", "tell_late", "tell_unreadable"]

MAY_HAVE = "It may have taken effect: check before repeating it."
IS_SAFE = "It is safe to try again."

_ADVICE = {
    400: "Correct the arguments and try again.",
    403: "The credentials lack permission for this; do not retry.",
    404: "Check the identifiers; list or search for the right one.",
    409: "It conflicts with the current state; read that first.",
    410: "It is gone.",
    412: "It has changed since it was read: read it again first.",
    413: "Send less at once.",
    422: "Correct the arguments and try again.",
    423: "It is locked: try again later.",
    428: "Read it first, and give the version that was read.",
}
"""What to do next, by status, where nothing says to wait."""
_REDIRECTED = "Tell the user that its address has moved."
_UNCHANGED = "Do not repeat it unchanged."
_LIMITED = "Too many requests for now: wait a little before trying again."
_LONG_WAIT = 30 * 24 * 3600
_CUT_SHORT = frozenset({408, 460, 499})
"""Statuses below 500 of a request that was given up on while it was handled."""
_MAY_LIMIT = frozenset({200, 400, 403, 429, 503})
"""Statuses with which APIs turn requests away for a time; a 200 stands for all of its kind."""
_TOLD_VALUES, _TOLD_VALUE, _TOLD_NAMED = 10, 100, 500
"""How many values are named to a model at most, and how many characters of each and of all."""
_REQUEST_IDS = ("x-request-id", "request-id", "x-github-request-id", "x-amzn-requestid", "x-correlation-id")


@dataclass(frozen=True, slots=True)
class Failures:
    """What an API's errors mean where the status does not say it, and what of them the next step needs.

    `throttled` are codes, wherever in an error they stand, that mean to wait and try again. `named` are dotted paths in
    an error body (`*` is every member or item) whose values the model is told beside the reason.

    >>> Failures(throttled=frozenset({"rateLimitExceeded"}), named=("error.decline_code", "error.payment_intent.id"))
    Failures(throttled=frozenset({'rateLimitExceeded'}), named=('error.decline_code', 'error.payment_intent.id'))

    Raises:
        DeclarationError: one of them is of the wrong kind, such as one text in place of several.
    """

    throttled: frozenset[str] = frozenset()
    named: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self, {"throttled": CODES, "named": list_of(TEXT)})

    def mean_throttled(self, body: Any) -> bool:
        """Whether an error body holds a code that means to wait."""
        return bool(self.throttled) and not self.throttled.isdisjoint(collect_codes(body))

    def name_values(self, body: Any) -> str:
        """Tell the first values at the named paths, as `decline_code: insufficient_funds; charge: ch_1`."""
        found = (
            f"{_label(at)}: {cut(str(value), _TOLD_VALUE)}"
            for path in self.named
            for at, value in find_all(body, path)
            if isinstance(value, (str, int, float)) and value != ""
        )
        return cut("; ".join(islice(found, _TOLD_VALUES)), _TOLD_NAMED)


@dataclass(frozen=True, slots=True)
class Operation:
    """What failed: its name, whose API it is, whether it only reads, and how that API tells of failures."""

    tool: str
    provider: str
    is_read_only: bool
    envelope: Envelope | None = None
    failures: Failures = Failures()

    def may_have_taken_effect(self, status: int) -> bool:
        """Whether a request that was answered so may have been acted on."""
        return not self.is_read_only and (status < 400 or status in _CUT_SHORT or status >= 500)


def open_answer(operation: Operation, answer: Answer, body: Any) -> Any:
    """Return the result inside a successful answer. An envelope judges JSON; what is none passes it by.

    Raises:
        APIError: its envelope says that it failed.
        CredentialError: or that the credentials are bad.
    """
    envelope = operation.envelope
    if envelope is None or not (answer.is_json or envelope.judges_all):
        return body
    verdict = envelope.open(body, answer.headers.get("date", ""))
    if verdict.problem is None:
        return verdict.data
    raise _make_error(operation, answer, body, verdict)


def read_failure(operation: Operation, answer: Answer) -> CharterError:
    """Make the error of an answer whose status says that it failed."""
    if 300 <= answer.status < 400:
        target = _read_target(answer) or "nowhere"
        return _make_error(
            operation, answer, None, Verdict(problem=f"redirects to {target}, and redirects are off")
        )
    body, envelope = read_error_body(answer), operation.envelope
    verdict = Verdict(problem=read_reason(decode_loosely(answer)) if answer.is_cut else None)
    if envelope and envelope.tells(body):
        verdict = envelope.open(body, answer.headers.get("date", ""))
    return _make_error(operation, answer, body, verdict)


def tell_unreadable(operation: Operation, answer: Answer, problem: str) -> TransportError:
    """Make the error of a success whose body is not what its headers say."""
    may_have = operation.may_have_taken_effect(answer.status)
    return TransportError(
        f"{operation.tool}: the answer ({answer.status}) is {problem}. Check base_url and the API's status.",
        may_have_taken_effect=may_have,
        model_text=f"{operation.tool}: the API's answer cannot be read: it is {problem}. "
        f"{MAY_HAVE if may_have else IS_SAFE}",
    )


def tell_late(operation: Operation, seconds: float, *, was_sent: bool) -> TransportError:
    """Make the error of a call whose deadline passed while its request was built, or its answer read."""
    what, fix = (
        ("answer was not read", "ask for less") if was_sent else ("request was not built", "send less")
    )
    may_have = was_sent and not operation.is_read_only
    return TransportError(
        f"{operation.tool}: the {what} within {seconds:g} s. Raise timeout= or {fix}.",
        may_have_taken_effect=may_have,
        model_text=f"{operation.tool}: the {what} in time; {fix}. {MAY_HAVE if may_have else IS_SAFE}",
    )


def _make_error(operation: Operation, answer: Answer, body: Any, verdict: Verdict) -> CharterError:
    reason = cut(verdict.problem if verdict.problem is not None else read_reason(body))
    if answer.status == 401 or verdict.kind == "credential":
        return _credential_error(operation, answer.status, reason)
    wait, failures = _read_wait(answer, verdict, reason), operation.failures
    is_throttled = failures.mean_throttled(body) or answer.status == 429
    may_have = operation.may_have_taken_effect(answer.status)
    told = [
        f"{operation.tool} failed ({answer.status}): {reason or 'no reason given'}",
        failures.name_values(body),
        *_advise(operation, answer.status, wait, is_throttled=is_throttled),
    ]
    return APIError(
        f"{operation.tool}: {answer.status}: {reason or 'no reason given'}",
        status_code=answer.status,
        body=body,
        retry_after=wait,
        request_id=next((answer.headers[name] for name in _REQUEST_IDS if name in answer.headers), None),
        may_have_taken_effect=may_have,
        model_text=" ".join(as_sentence(text) for text in told if text),
    )


def _credential_error(operation: Operation, status: int, reason: str) -> CredentialError:
    told = f": {reason}" if reason else ""
    return CredentialError(
        f"{operation.provider}: rejected the credentials ({status}){told}. Give it valid ones.",
        provider=operation.provider,
        reauthorize=True,
        status_code=status,
        model_text=f"{operation.provider} rejected the credentials. Ask the user to renew them; do not retry.",
    )


def _advise(operation: Operation, status: int, wait: float | None, *, is_throttled: bool) -> Iterator[str]:
    """Say what to try next: sentences, each of which stands by itself."""
    may_have = operation.may_have_taken_effect(status)
    if wait is not None or is_throttled:
        yield _advise_wait(wait)
    if 300 <= status < 400:
        yield _REDIRECTED
    elif not is_throttled and (wait is None or _kind(status) not in _MAY_LIMIT):
        if status in _ADVICE:
            yield _ADVICE[status]
        elif 400 <= status < 500 and status not in _CUT_SHORT:
            yield _UNCHANGED
        elif operation.is_read_only:
            yield IS_SAFE
    if may_have:
        yield MAY_HAVE


def _advise_wait(wait: float | None) -> str:
    seconds = math.ceil(wait or 0)
    if seconds == 0:
        return _LIMITED
    if seconds > _LONG_WAIT:
        return "It asks to wait for more than 30 days: tell the user, and do not retry."
    return f"Wait {seconds} second{'s' if seconds > 1 else ''} before trying again."


def _read_wait(answer: Answer, verdict: Verdict, reason: str) -> float | None:
    """Read how long to wait: what the body says goes before the headers, and these before the sentence."""
    if verdict.retry_after is not None:
        return verdict.retry_after
    wait = read_retry_after(answer)
    if wait is None and _kind(answer.status) in _MAY_LIMIT:
        return find_wait(reason, answer.headers.get("date", ""))
    return wait


def _kind(status: int) -> int:
    return 200 if 200 <= status < 300 else status


def _read_target(answer: Answer) -> str:
    """Return where a redirect points, without what may be secret: userinfo, query and fragment."""
    try:
        parts = urlsplit(answer.headers.get("location", ""))
    except ValueError:
        return "a place that is no URL"
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()[:200]


def _label(path: str) -> str:
    """Return a path without its beginning that every error has."""
    steps = path.split(".")
    while len(steps) > 1 and (steps[0] in ("error", "errors") or steps[0].isdecimal()):
        steps = steps[1:]
    return ".".join(steps)
