"""What an API may answer to say that it failed, and the advice that a model is given.

Broken answers are in faults.py; the calls are in tests/test_failures.py.
"""

from dataclasses import dataclass, field
from typing import Any

from charter import Envelope, Failures

MAY_HAVE = "It may have taken effect: check before repeating it."
IS_SAFE = "It is safe to try again."
CORRECT = "Correct the arguments and try again."
LIMITED = "Too many requests for now: wait a little before trying again."
MOVED = "Tell the user that its address has moved."
UNCHANGED = "Do not repeat it unchanged."
RENEW = "Ask the user to renew them; do not retry."
DATE = "Tue, 01 Dec 2026 09:59:30 GMT"

FAILURES = Failures(
    throttled=frozenset({"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "RATELIMITED"}),
    named=("error.decline_code", "error.payment_intent.id"),
)
ENVELOPE = Envelope(
    ok=("ok", "data.*.success"),
    error=("error", "errors", "data.*.userErrors"),
    ok_may_be_absent=True,
    retry_after="retry_after",
    credential_errors=frozenset({"invalid_auth"}),
)


@dataclass(frozen=True, slots=True)
class Told:
    """One failed answer; `may_have` says whether a write that was answered so may have taken effect."""

    name: str
    status: int
    body: Any
    read: str
    """The advice for a read."""
    may_have: bool = False
    wait: float | None = None
    says: str = ""
    """What of the body is told, where that is the point."""
    headers: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def write(self) -> str:
        """The advice for a write: that it may have taken effect goes before that it is safe to try again."""
        kept = "" if self.read == IS_SAFE else f"{self.read} "
        return f"{kept}{MAY_HAVE}" if self.may_have else self.read


def google(reason: str, status: str = "PERMISSION_DENIED") -> dict[str, Any]:
    """Return an error as Google writes it."""
    told = [{"domain": "usageLimits", "reason": reason, "message": "Too many."}]
    return {"error": {"code": 403, "message": "Too many.", "status": status, "errors": told}}


def moved(status: int) -> Told:
    """Return a redirect, which is never followed."""
    return Told(
        f"a redirect, {status}",
        status,
        b"",
        MOVED,
        may_have=True,
        headers={"location": "https://new.example/x?key=1"},
        says="redirects to https://new.example/x, and redirects are off.",
    )


WAIT_30 = "Wait 30 seconds before trying again."
DECLINED = {
    "error": {
        "message": "Your card was declined.",
        "decline_code": "insufficient_funds",
        "payment_intent": {"id": "pi_1", "status": "requires_payment_method"},
    }
}
LINEAR_LIMIT = {"errors": [{"message": "Rate limit exceeded", "extensions": {"code": "RATELIMITED"}}]}

ANSWERS = [
    *(moved(status) for status in (300, 301, 302, 303, 305, 307, 308)),
    Told("wrong arguments", 400, {"message": "No such field"}, CORRECT),
    Told(
        "wrong arguments, by field", 422, {"errors": {"name": ["is taken"]}}, CORRECT, says="name: is taken."
    ),
    Told("wrong credentials", 401, {"message": "Expired"}, RENEW),
    Told(
        "payment refused",
        402,
        DECLINED,
        UNCHANGED,
        says="Your card was declined. decline_code: insufficient_funds; payment_intent.id: pi_1.",
    ),
    Told(
        "not permitted",
        403,
        {"message": "Not yours"},
        "The credentials lack permission for this; do not retry.",
    ),
    *(
        Told(f"a limit told by its reason, {reason}", 403, google(reason), LIMITED)
        for reason in ("rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded")
    ),
    Told(
        "a limit whose text says until when",
        403,
        {"error": {"message": "User-rate limit exceeded.  Retry after 2026-12-01T10:00:00.000Z"}},
        WAIT_30,
        wait=30,
        headers={"date": DATE},
    ),
    Told(
        "a limit that is spent",
        403,
        {"message": "API rate limit exceeded"},
        WAIT_30,
        wait=30,
        headers={"x-ratelimit-remaining": "0", "x-ratelimit-reset": "30"},
    ),
    Told(
        "a limit that is spent, as the IETF writes it",
        429,
        b"",
        WAIT_30,
        wait=30,
        headers={"ratelimit": '"default";r=0;t=30', "ratelimit-policy": '"default";q=100;w=60'},
    ),
    Told(
        "nothing there",
        404,
        {"message": "there is no such room"},
        "Check the identifiers; list or search for the right one.",
        says="there is no such room.",
    ),
    Told(
        "nothing there, and a limit is spent",
        404,
        b"",
        f"{WAIT_30} Check the identifiers; list or search for the right one.",
        wait=30,
        headers={"x-ratelimit-remaining": "0", "x-ratelimit-reset": "30"},
    ),
    Told("not allowed here", 405, b"", UNCHANGED),
    Told("given up by the server", 408, b"", IS_SAFE, may_have=True),
    Told("a conflict", 409, {"message": "Taken"}, "It conflicts with the current state; read that first."),
    Told("gone", 410, b"", "It is gone."),
    Told("changed since", 412, b"", "It has changed since it was read: read it again first."),
    Told("too large", 413, b"", "Send less at once."),
    Told("locked", 423, b"", "It is locked: try again later."),
    Told("no version given", 428, b"", "Read it first, and give the version that was read."),
    Told("too many requests", 429, {"message": "Slow down"}, LIMITED),
    Told("too many requests, with a wait", 429, b"", WAIT_30, wait=30, headers={"retry-after": "30"}),
    Told("too many requests, with no time to wait", 429, b"", LIMITED, wait=0, headers={"retry-after": "0"}),
    Told(
        "too many requests, for half a second",
        429,
        b"",
        "Wait 1 second before trying again.",
        wait=0.5,
        headers={"retry-after": "0.5"},
    ),
    Told(
        "too many requests, for a year",
        429,
        b"",
        "It asks to wait for more than 30 days: tell the user, and do not retry.",
        wait=31536000,
        headers={"retry-after": "31536000"},
    ),
    Told("a wait of 300 digits", 429, b"", LIMITED, headers={"retry-after": "9" * 300}),
    Told("given up by a proxy", 499, b"", IS_SAFE, may_have=True),
    Told("a failure of the server", 500, {"error": "oops"}, IS_SAFE, may_have=True),
    Told(
        "a page of a gateway",
        502,
        b"<html><head><title>502 Bad Gateway</title></head></html>",
        IS_SAFE,
        may_have=True,
        says="502 Bad Gateway.",
        headers={"content-type": "text/html"},
    ),
    Told("an overload", 503, b"", IS_SAFE, may_have=True),
    Told(
        "an overload, with a wait", 503, b"", WAIT_30, may_have=True, wait=30, headers={"retry-after": "30"}
    ),
    Told("a body that says nothing", 500, {"weird": 1}, IS_SAFE, may_have=True, says='{"weird":1}.'),
    Told(
        "a failure inside a 200",
        200,
        {"ok": False, "error": "channel_not_found"},
        IS_SAFE,
        may_have=True,
        says="channel_not_found.",
    ),
    Told(
        "no result inside a 200",
        200,
        {"data": None, "errors": [{"message": "Internal server error"}]},
        IS_SAFE,
        may_have=True,
        says="Internal server error.",
    ),
    Told(
        "no success inside a 200",
        200,
        {"data": {"issueUpdate": {"success": False}}},
        IS_SAFE,
        may_have=True,
        says="the answer says it failed (data.issueUpdate.success: false).",
    ),
    Told(
        "errors of the user inside a 200",
        200,
        {"data": {"productCreate": {"userErrors": [{"field": ["title"], "message": "is blank"}]}}},
        IS_SAFE,
        may_have=True,
        says="title: is blank.",
    ),
    Told("a limit inside a 200", 200, LINEAR_LIMIT, LIMITED, may_have=True),
    Told("a limit inside a 400", 400, LINEAR_LIMIT, LIMITED),
    Told(
        "a wait inside a 200",
        200,
        {"ok": False, "error": "slow down", "retry_after": "30"},
        WAIT_30,
        may_have=True,
        wait=30,
    ),
    Told(
        "a wait of 400 digits inside a 200",
        200,
        {"ok": False, "error": "slow down", "retry_after": int("9" * 400)},
        IS_SAFE,
        may_have=True,
    ),
    Told("wrong credentials inside a 200", 200, {"ok": False, "error": "invalid_auth"}, RENEW),
]
