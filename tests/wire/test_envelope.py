"""Envelopes: failures inside a 200."""

from typing import Any

import pytest

from charter import Envelope
from charter.wire.envelope import Verdict, find_path

SLACK = Envelope(
    ok="ok",
    error="error",
    credential_errors=frozenset({"invalid_auth", "token_revoked"}),
    retry_after="retry_after",
)
GRAPHQL = Envelope(error="errors", data="data", credential_errors=frozenset({"AUTHENTICATION_ERROR"}))


@pytest.mark.parametrize("body", [{"ok": True, "channel": "C1"}, {"ok": True, "error": "ignored"}, {"ok": 1}])
def test_an_answer_that_says_ok_is_a_success(body: Any) -> None:
    assert SLACK.open(body) == Verdict(data=body)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"ok": False, "error": "channel_not_found"}, "channel_not_found"),
        ({"error": "channel_not_found"}, "channel_not_found"),
        ({"ok": False}, "the answer says it failed"),
        ({"ok": None, "error": {"message": "No."}}, "No."),
        ({"ok": False, "error": 17}, "17"),
        ({}, "the answer says it failed"),
        ([], "the answer says it failed"),
        (None, "the answer says it failed"),
        ("ok", "the answer says it failed"),
    ],
    ids=str,
)
def test_an_answer_that_does_not_is_a_failure(body: Any, problem: str) -> None:
    verdict = SLACK.open(body)
    assert (verdict.problem, verdict.kind) == (problem, "api")


def test_bad_credentials_are_told_apart() -> None:
    assert SLACK.open({"ok": False, "error": "token_revoked"}).kind == "credential"
    told = {"errors": [{"message": "Bad token", "extensions": {"code": "AUTHENTICATION_ERROR"}}]}
    verdict = GRAPHQL.open(told)
    assert (verdict.kind, verdict.problem) == ("credential", "Bad token")


@pytest.mark.parametrize(
    ("told", "seconds"),
    [(30, 30.0), (1.5, 1.5), (0, 0.0), ("30", None), (True, None), (None, None), ([1], None)],
)
def test_a_wait_is_read_from_inside(told: Any, seconds: float | None) -> None:
    assert SLACK.open({"ok": False, "error": "ratelimited", "retry_after": told}).retry_after == seconds


@pytest.mark.parametrize("errors", [None, [], "absent"])
def test_data_without_errors_is_the_result(errors: Any) -> None:
    body: dict[str, Any] = {"data": {"issue": {"id": "1"}}}
    assert GRAPHQL.open(body if errors == "absent" else {**body, "errors": errors}) == Verdict(
        data={"issue": {"id": "1"}}
    )


@pytest.mark.parametrize("data", [None, {}, {"issue": None}, {"issue": None, "team": None}])
def test_errors_without_data_are_a_failure(data: Any) -> None:
    body = {"data": data, "errors": [{"message": "Not found"}, {"message": "Nor this"}]}
    assert GRAPHQL.open(body).problem == "Not found; Nor this"


def test_data_beside_errors_is_kept_and_flagged() -> None:
    errors = [{"message": "Too deep", "path": ["team"]}]
    verdict = GRAPHQL.open({"data": {"issue": {"id": "1"}, "team": None}, "errors": errors})
    assert verdict == Verdict(data={"data": {"issue": {"id": "1"}, "team": None}, "errors": errors})


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a", {"b": [1, {"c": 2}]}),
        ("a.b.0", 1),
        ("a.b.1.c", 2),
        ("a.b.-1.c", 2),
        ("a.b.-2", 1),
        ("a.b.2", None),
        ("a.b.-3", None),
        ("a.b.x", None),
        ("a.b.--1", None),
        ("a.b.²", None),
        ("a.x.y", None),
        ("a.b.0.c", None),
        ("", None),
    ],
)
def test_a_path_finds_its_value_or_nothing(path: str, found: Any) -> None:
    assert find_path({"a": {"b": [1, {"c": 2}]}}, path) == found


def test_a_path_may_go_through_a_key_that_is_a_number() -> None:
    assert find_path({"1": {"2": "x"}}, "1.2") == "x"
