"""Envelopes: failures inside a 200."""

from typing import Any

import pytest

from charter import DeclarationError, Envelope
from charter.wire.envelope import Verdict, find_all, find_path

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
        ({"ok": False}, "the answer says it failed (ok: false)"),
        ({"ok": False, "msg": "No such channel"}, "No such channel"),
        ({"ok": None, "error": {"message": "No."}}, "No."),
        ({"ok": False, "error": 17}, "17"),
        ({}, "the answer says it failed (no ok)"),
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
    [
        (30, 30.0),
        (1.5, 1.5),
        (0, 0.0),
        ("30", 30.0),
        ("30s", 30.0),
        ("2026-03-01T12:01:30Z", 90.0),
        (1_772_366_490, 90.0),
        (-5, None),
        ("-5", None),
        (int("9" * 400), None),
        (float("1e300"), None),
        ("9" * 400, None),
        (True, None),
        (None, None),
        ([1], None),
    ],
)
def test_a_wait_is_read_from_inside(told: Any, seconds: float | None) -> None:
    body = {"ok": False, "error": "ratelimited", "retry_after": told}
    assert SLACK.open(body, "Sun, 01 Mar 2026 12:00:00 GMT").retry_after == seconds


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


@pytest.mark.parametrize("body", [[], ["ok"], None, "ok", 5, True, 1.5])
def test_what_is_no_object_is_not_judged(body: Any) -> None:
    for envelope in (SLACK, GRAPHQL, Envelope(ok="code", success=(0,))):
        assert envelope.open(body) == Verdict(data=body)


NUMBERED = Envelope(ok="code", success=(0, "0"), error="message", credential_errors=frozenset({"40001"}))


@pytest.mark.parametrize(
    ("body", "problem", "kind"),
    [
        ({"code": 0, "message": "success", "data": 1}, None, "api"),
        ({"code": "0", "message": "success"}, None, "api"),
        ({"code": 7, "message": "no such order"}, "no such order", "api"),
        ({"code": 7}, "the answer says it failed (code: 7)", "api"),
        ({"code": 40001, "message": "token expired"}, "token expired", "credential"),
        ({"code": False, "message": "x"}, "x", "api"),
        ({"message": "x"}, "x", "api"),
    ],
    ids=str,
)
def test_a_code_that_is_always_there_is_a_success_by_its_value(
    body: Any, problem: str | None, kind: str
) -> None:
    verdict = NUMBERED.open(body)
    assert (verdict.problem, verdict.kind) == (problem, kind)


SEVERAL = Envelope(error=("errors", "data.*.userErrors", "results.*.error"))


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"data": {"productCreate": {"userErrors": []}}, "results": [{"error": None}, {}]}, None),
        (
            {
                "data": {
                    "productCreate": {"userErrors": [{"field": ["input", "title"], "message": "is blank"}]}
                }
            },
            "input.title: is blank",
        ),
        (
            {"results": [{"id": 1}, {"error": "no stock"}, {"error": {"message": "too many"}}]},
            "no stock; too many",
        ),
        ({"errors": ["a"], "data": {"x": {"userErrors": ["b"]}}}, "a; b"),
        ({"data": None}, None),
        ({"data": [1], "results": "x"}, None),
    ],
    ids=str,
)
def test_errors_are_looked_for_at_several_paths(body: Any, problem: str | None) -> None:
    assert SEVERAL.open(body).problem == problem


OPTIONAL = Envelope(ok=("ok", "data.*.success"), error="error", ok_may_be_absent=True)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"data": {"issue": {"id": 1}}}, None),
        ({"ok": None}, None),
        ({"ok": True, "data": {"issueUpdate": {"success": True}}}, None),
        (
            {"data": {"issueUpdate": {"success": False}}},
            "the answer says it failed (data.issueUpdate.success: false)",
        ),
        (
            {"ok": True, "data": {"a": {"success": True}, "b": {"success": False}}},
            "the answer says it failed (data.b.success: false)",
        ),
        ({"error": "no"}, "no"),
    ],
    ids=str,
)
def test_a_flag_that_may_be_absent_counts_where_it_is(body: Any, problem: str | None) -> None:
    assert OPTIONAL.open(body).problem == problem


def test_a_result_that_holds_its_own_errors_is_no_partial_success() -> None:
    envelope = Envelope(error=("errors", "data.*.userErrors"), data="data")
    body = {"data": {"productCreate": {"product": {"id": 1}, "userErrors": ["no"]}}}
    assert envelope.open(body).problem == "no"
    flagged = Envelope(ok="data.*.success", data="data", ok_may_be_absent=True)
    assert flagged.open({"data": {"issueUpdate": {"success": False, "issue": {"id": 1}}}}).problem


@pytest.mark.parametrize(
    "given",
    [
        {"success": 0},
        {"success": "OK"},
        {"credential_errors": "invalid_auth"},
        {"ok": 5},
        {"ok": ""},
        {"error": None},
        {"error": ("a", 5)},
        {"data": ["a"]},
        {"retry_after": 30},
        {"ok_may_be_absent": "yes"},
    ],
)
def test_what_is_no_path_or_one_thing_in_place_of_several_is_refused(given: Any) -> None:
    with pytest.raises(DeclarationError, match=r"^Envelope: \w+=.* cannot be\. Give .*\.$"):
        Envelope(**given)


def test_an_envelope_without_paths_judges_nothing() -> None:
    body = {"ok": False, "error": "x", "errors": ["y"]}
    assert Envelope(error=()).open(body) == Verdict(data=body)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("*", [("a", {"x": 1}), ("b", [{"x": 2}, {"x": 3}, 4])]),
        ("a.x", [("a.x", 1)]),
        ("*.x", [("a.x", 1), ("b.x", None)]),
        ("b.*.x", [("b.0.x", 2), ("b.1.x", 3), ("b.2.x", None)]),
        ("*.*", [("a.x", 1), ("b.0", {"x": 2}), ("b.1", {"x": 3}), ("b.2", 4)]),
        ("c.*", []),
        ("a.x.*", []),
    ],
)
def test_a_star_is_every_member_or_item(path: str, found: Any) -> None:
    assert find_all({"a": {"x": 1}, "b": [{"x": 2}, {"x": 3}, 4]}, path) == found
