"""What each failed answer becomes: what is told, whether it may have taken effect, and what to try next."""

import re
from typing import Any

import pytest
from pydantic import BaseModel

from charter import Api, APIError, CharterError, CredentialError, DeclarationError, Failures, Tool
from charter.failures import Operation, read_failure
from charter.packs import gcalendar, gmail, linear, stripe
from charter.wire.response import Answer
from tests.counterparties.loopback import Loopback
from tests.faults.answers import ANSWERS, ENVELOPE, FAILURES, RENEW, Told, google

pytestmark = pytest.mark.anyio


class ThingsGet(BaseModel):
    """Read a thing."""


class ThingsCreate(BaseModel):
    """Make a thing."""


def make_tools(loopback: Loopback, **conventions: Any) -> dict[str, Tool]:
    api = Api("shop", base_url=loopback.url, **conventions)
    return {"read": api.get("things", ThingsGet), "write": api.post("things", ThingsCreate)}


async def fail(tool: Tool, **arguments: Any) -> Any:
    with pytest.raises(CharterError) as raised:
        await tool.ainvoke(arguments)
    return raised.value


@pytest.mark.parametrize("kind", ["read", "write"])
@pytest.mark.parametrize("told", ANSWERS, ids=lambda told: told.name)
async def test_a_failed_answer_says_what_happened_and_what_to_do(
    loopback: Loopback, told: Told, kind: str
) -> None:
    loopback.reply(told.body, status=told.status, **told.headers)
    error = await fail(make_tools(loopback, envelope=ENVELOPE, failures=FAILURES)[kind])
    assert error.for_model().endswith(told.read if kind == "read" else told.write)
    assert told.says in error.for_model()
    if told.read == RENEW:
        assert isinstance(error, CredentialError)
        return
    assert isinstance(error, APIError)
    assert error.may_have_taken_effect is (told.may_have and kind == "write")
    assert (error.status_code, error.retry_after) == (told.status, told.wait)


@pytest.mark.parametrize("told", ANSWERS, ids=lambda told: told.name)
async def test_each_sentence_for_a_model_ends_before_the_next_begins(loopback: Loopback, told: Told) -> None:
    loopback.reply(told.body, status=told.status, **told.headers)
    error = await fail(make_tools(loopback, envelope=ENVELOPE, failures=FAILURES)["write"])
    text = error.for_model()
    assert text.removesuffix(told.write).endswith(". ")
    assert "Wait 0" not in text
    assert not re.search(r"[0-9]{20}", text)
    assert len(text) <= 2_000


async def test_an_empty_error_body_is_none(loopback: Loopback) -> None:
    loopback.reply(b"", status=404)
    error = await fail(make_tools(loopback)["read"])
    assert error.body is None
    assert str(error) == "shop__things_get: 404: no reason given"
    assert error.for_model().startswith(
        "shop__things_get failed (404): no reason given. Check the identifiers"
    )


@pytest.mark.parametrize(
    ("content", "media_type", "told"),
    [
        (b"", "application/json", "no reason given."),
        (b"out of or", "text/plain", "out of or."),
        (b'{"error": "out of or', "application/json", '{"error": "out of or.'),
        (b"<html><title>Bad Gateway</title><bo", "text/html", "Bad Gateway."),
        (b"<html><bo", "text/html", "no reason given."),
    ],
)
def test_a_failure_whose_body_was_not_had_whole_keeps_its_status(
    content: bytes, media_type: str, told: str
) -> None:
    answer = Answer(429, {"content-type": media_type, "retry-after": "7"}, content, is_cut=True)
    error = read_failure(Operation("shop__things_get", "shop", is_read_only=True), answer)
    assert isinstance(error, APIError)
    assert (error.status_code, error.body, error.retry_after) == (429, None, 7)
    assert error.for_model() == f"shop__things_get failed (429): {told} Wait 7 seconds before trying again."


async def test_a_reason_that_means_to_wait_is_the_apis_to_name(loopback: Loopback) -> None:
    loopback.reply(google("rateLimitExceeded"), status=403)
    assert "lack permission" in (await fail(make_tools(loopback)["read"])).for_model()
    named = make_tools(loopback, failures=Failures(throttled=frozenset({"rateLimitExceeded"})))
    assert (await fail(named["read"])).for_model().endswith("wait a little before trying again.")


async def test_named_values_are_told_where_they_are_and_short(loopback: Loopback) -> None:
    names = Failures(named=("error.code", "error.errors.*.reason", "error.gone", "error.parts", "error.id"))
    error = {"message": "No", "code": "x" * 5_000, "errors": [{"reason": "a"}, {"reason": "b"}], "parts": [1]}
    loopback.reply({"error": error | {"id": 7}}, status=402)
    told = (await fail(make_tools(loopback, failures=names)["write"])).for_model()
    assert "; reason: a; reason: b; id: 7. Do not repeat it unchanged." in told
    assert "code: xxx" in told
    assert len(told) < 500
    loopback.reply({"error": {"errors": [{"reason": "x" * 90}] * 5_000}}, status=402)
    told = (await fail(make_tools(loopback, failures=names)["write"])).for_model()
    assert told.endswith("Do not repeat it unchanged.")


@pytest.mark.parametrize(("field", "given"), [("throttled", "RATELIMITED"), ("named", "error.code")])
def test_one_text_in_place_of_several_is_refused(field: str, given: Any) -> None:
    with pytest.raises(DeclarationError, match=f"Failures: {field}='{given}' cannot be. Give a (set|list)"):
        Failures(**{field: given})


LIMITS = [
    (gmail.labels_list, {}, 403, google("rateLimitExceeded"), {}),
    (gmail.labels_list, {}, 403, google("userRateLimitExceeded"), {}),
    (gmail.labels_list, {}, 429, google("rateLimitExceeded", "RESOURCE_EXHAUSTED"), {}),
    (gcalendar.calendar_list_list, {}, 403, google("quotaExceeded"), {}),
    (gcalendar.calendar_list_list, {}, 403, google("userRateLimitExceeded"), {}),
    (stripe.balance_retrieve, {}, 429, {"error": {"message": "Too many requests", "code": "rate_limit"}}, {}),
    (linear.teams_list, {}, 400, {"errors": [{"message": "m", "extensions": {"code": "RATELIMITED"}}]}, {}),
    (linear.teams_list, {}, 200, {"errors": [{"message": "m", "extensions": {"code": "RATELIMITED"}}]}, {}),
    (
        linear.teams_list,
        {},
        200,
        {"errors": [{"message": "m", "extensions": {"code": "RATELIMITED"}}]},
        {"x-ratelimit-requests-remaining": "0", "x-ratelimit-requests-reset": "1796119200000"},
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "status", "body", "headers"), LIMITS)
async def test_each_vendors_rate_limit_means_to_wait(
    loopback: Loopback,
    monkeypatch: pytest.MonkeyPatch,
    tool: Tool,
    arguments: dict[str, Any],
    status: int,
    body: Any,
    headers: dict[str, str],
) -> None:
    for name in ("GOOGLE_ACCESS_TOKEN", "STRIPE_API_KEY", "LINEAR_API_KEY"):
        monkeypatch.setenv(name, "t0ken-of-a-test")
    monkeypatch.setattr(tool.api, "base_url", loopback.url)
    loopback.reply(body, status=status, **{"date": "Tue, 01 Dec 2026 09:59:30 GMT", **headers})
    error = await fail(tool, **arguments)
    assert isinstance(error, APIError)
    wait = "Wait 30 seconds" if headers else "wait a little"
    assert error.for_model().endswith(f"{wait} before trying again.")
    assert not error.may_have_taken_effect


async def test_a_declined_payment_names_what_the_next_step_needs(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRIPE_API_KEY", "t0ken-of-a-test")
    monkeypatch.setattr(stripe.refunds_create.api, "base_url", loopback.url)
    error = {
        "message": "Your card was declined.",
        "code": "card_declined",
        "decline_code": "insufficient_funds",
        "advice_code": "try_again_later",
        "payment_intent": {
            "id": "pi_1",
            "status": "requires_payment_method",
            "client_secret": "pi_1_secret_x",
        },
    }
    loopback.reply({"error": error}, status=402)
    told = (await fail(stripe.refunds_create, charge="ch_1")).for_model()
    for value in (
        "decline_code: insufficient_funds",
        "advice_code: try_again_later",
        "payment_intent.id: pi_1",
    ):
        assert value in told
    assert "secret" not in told
