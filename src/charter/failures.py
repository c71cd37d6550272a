"""What a failed answer becomes: an error that says what the API said, whether it may have acted, and what to do.

Not here: reading an answer. `wire` does that.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from charter.errors import APIError, CharterError, CredentialError, TransportError
from charter.wire.envelope import Envelope, Verdict, find_path
from charter.wire.response import Answer, read_error_text, read_retry_after

__all__ = ["Operation", "is_failure", "read_failure", "read_verdict", "tell_unreadable"]

_ERROR_BODY = 2_000
"""Characters of an error's text that are shown."""
_REQUEST_IDS = ("x-request-id", "request-id", "x-github-request-id", "x-amzn-requestid", "x-correlation-id")

_ADVICE = {
    400: "Correct the arguments and try again.",
    403: "The credentials lack permission for this; do not retry.",
    404: "Check the identifiers; list or search for the right one.",
    409: "It conflicts with the current state; read that first.",
    410: "It is gone.",
    422: "Correct the arguments and try again.",
}


@dataclass(frozen=True, slots=True)
class Operation:
    """What failed: its name, whose API it is, and whether it only reads."""

    tool: str
    provider: str
    is_read_only: bool
    envelope: Envelope | None = None


def is_failure(answer: Answer) -> bool:
    """Whether the status alone says that it failed."""
    return not 200 <= answer.status < 300 and answer.status != 304


def read_verdict(operation: Operation, answer: Answer, body: Any, verdict: Verdict) -> CharterError:
    """Make the error of a failure that an envelope found."""
    assert verdict.problem is not None
    if verdict.kind == "credential":
        return _credential_error(operation, answer, verdict.problem)
    wait = verdict.retry_after if verdict.retry_after is not None else read_retry_after(answer)
    return _api_error(operation, answer, body, verdict.problem, wait)


def tell_unreadable(operation: Operation, answer: Answer, problem: str) -> TransportError:
    """Make the error of a success whose body is not what its headers say."""
    return TransportError(
        f"{operation.tool}: the answer ({answer.status}) is {problem}. Check base_url and the API's status.",
        may_have_taken_effect=True,
        model_text=f"{operation.tool}: the API's answer cannot be read: it is {problem}.",
    )


def read_failure(operation: Operation, answer: Answer) -> CharterError:
    """Make the error of an answer whose status says that it failed."""
    if 300 <= answer.status < 400:
        target = _read_target(answer)
        return _api_error(
            operation, answer, None, f"redirects to {target or 'nowhere'}, and redirects are off", None
        )
    body, text = read_error_text(answer)
    verdict = Verdict()
    if operation.envelope and find_path(body, operation.envelope.error):
        verdict = operation.envelope.open(body)
    text = verdict.problem or text
    if answer.status == 401 or verdict.kind == "credential":
        return _credential_error(operation, answer, text)
    wait = verdict.retry_after if verdict.retry_after is not None else read_retry_after(answer)
    return _api_error(operation, answer, body, text, wait)


def _read_target(answer: Answer) -> str:
    """Return where a redirect points, without what may be secret: userinfo, query and fragment."""
    try:
        parts = urlsplit(answer.headers.get("location", ""))
    except ValueError:
        return "a place that is no URL"
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()[:200]


def _credential_error(operation: Operation, answer: Answer, text: str) -> CredentialError:
    told = f": {text[:_ERROR_BODY]}" if text else ""
    return CredentialError(
        f"{operation.provider}: rejected the credentials ({answer.status}){told}. Give it valid ones.",
        provider=operation.provider,
        reauthorize=True,
        status_code=answer.status,
        model_text=f"{operation.provider} rejected the credentials. Ask the user to renew them; do not retry.",
    )


def _api_error(operation: Operation, answer: Answer, body: Any, text: str, wait: float | None) -> APIError:
    unclear = answer.status >= 500 and not operation.is_read_only
    told = text[:_ERROR_BODY] or "no reason given"
    request_id = next((answer.headers[name] for name in _REQUEST_IDS if name in answer.headers), None)
    return APIError(
        f"{operation.tool}: {answer.status}: {told}",
        status_code=answer.status,
        body=body,
        retry_after=wait,
        request_id=request_id,
        may_have_taken_effect=unclear,
        model_text=" ".join(
            [f"{operation.tool} failed ({answer.status}): {told}", _advise(answer.status, wait, unclear)]
        ),
    )


def _advise(status: int, wait: float | None, unclear: bool) -> str:
    if wait is not None:
        return f"Wait {wait:.0f} seconds before trying again."
    if unclear:
        return "It may have taken effect: check before repeating it."
    return _ADVICE.get(status, "")
