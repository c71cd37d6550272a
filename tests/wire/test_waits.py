"""How long an API asks to wait, wherever it says so."""

from typing import Any

import pytest

from charter.wire.response import Answer
from charter.wire.waits import find_wait, read_retry_after, read_wait

NOW = "Sun, 01 Mar 2026 12:00:00 GMT"
NOW_SECONDS = 1772366400


def answer(status: int = 429, **headers: str) -> Answer:
    return Answer(status, {name.replace("_", "-"): value for name, value in headers.items()}, b"")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "120"}, 120.0),
        ({"retry_after": "0"}, 0.0),
        ({"retry_after": "1.5"}, 1.5),
        ({"retry_after": " 7 "}, 7.0),
        ({"retry_after": "7, 9"}, 7.0),
        ({"retry_after": "-5"}, None),
        ({"retry_after": "1e400"}, None),
        ({"retry_after": "9" * 400}, None),
        ({"retry_after": "9" * 300}, None),
        ({"retry_after": "soon"}, None),
        ({"retry_after": ""}, None),
        ({"retry_after": "٣"}, None),
        ({"retry_after": "Sun, 01 Mar 2026 12:01:30 GMT", "date": NOW}, 90.0),
        ({"retry_after": "Sunday, 01-Mar-26 12:01:30 GMT", "date": NOW}, 90.0),
        ({"retry_after": "Sun, 01 Mar 2026 11:00:00 GMT", "date": NOW}, 0.0),
        ({"retry_after": "Sun, 01 Mar 2026 12:01:30 GMT"}, None),
        ({"retry_after": "Sun, 01 Mar 2026 12:01:30 GMT", "date": "yesterday"}, None),
        ({"retry_after": "Sun, 99 Mar 2026 12:01:30 GMT", "date": NOW}, None),
        ({"retry_after": "3", "x_ratelimit_remaining": "0", "x_ratelimit_reset": "1"}, 3.0),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": str(NOW_SECONDS + 60), "date": NOW}, 60.0),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": str(NOW_SECONDS - 60), "date": NOW}, 0.0),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": f"{NOW_SECONDS + 60}000", "date": NOW}, 60.0),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": "30"}, 30.0),
        ({"x_ratelimit_remaining": "0, 0", "x_ratelimit_reset": "30, 30"}, 30.0),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": str(NOW_SECONDS + 60)}, None),
        ({"x_rate_limit_remaining": "0", "x_rate_limit_reset": "30"}, 30.0),
        ({"x_ratelimit_requests_remaining": "0", "x_ratelimit_requests_reset": "30"}, 30.0),
        ({"x_ratelimit_remaining_tokens": "0", "x_ratelimit_reset_tokens": "6m0s"}, 360.0),
        (
            {
                "acme_ratelimit_tokens_remaining": "0",
                "acme_ratelimit_tokens_reset": "2026-03-01T12:00:20Z",
                "date": NOW,
            },
            20.0,
        ),
        (
            {
                "x_ratelimit_a_remaining": "0",
                "x_ratelimit_a_reset": "30",
                "x_ratelimit_b_remaining": "0",
                "x_ratelimit_b_reset": "90",
                "x_ratelimit_c_remaining": "1",
                "x_ratelimit_c_reset": "900",
            },
            90.0,
        ),
        ({"ratelimit_limit": "9", "ratelimit_remaining": "0", "ratelimit_reset": "30"}, 30.0),
        ({"ratelimit": "limit=9, remaining=0, reset=30"}, 30.0),
        ({"ratelimit": "limit=9, remaining=1, reset=30"}, None),
        ({"ratelimit": '"default";r=0;t=30'}, 30.0),
        ({"ratelimit": '"default";r=5;t=30'}, None),
        ({"ratelimit": '"burst";r=0;t=5, "daily";r=0;t=600, "hourly";r=9;t=900'}, 600.0),
        ({"ratelimit": '"daily";r=0', "ratelimit_policy": '"burst";q=9;w=10,"daily";q=99;w=86400'}, 86400.0),
        ({"ratelimit": '"daily";r=0'}, None),
        ({"ratelimit": "nonsense;;=,"}, None),
        ({"retry_after": "2026-03-01T12:00:20Z", "date": NOW}, 20.0),
        ({"x_ratelimit_remaining": "5", "x_ratelimit_reset": str(NOW_SECONDS + 60), "date": NOW}, None),
        ({"x_ratelimit_remaining": "0", "date": NOW}, None),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": "9" * 400, "date": NOW}, None),
        ({}, None),
    ],
    ids=str,
)
@pytest.mark.parametrize("status", [429, 403, 503])
def test_a_wait_is_read_against_the_servers_own_clock(
    headers: dict[str, str], seconds: float | None, status: int
) -> None:
    assert read_retry_after(answer(status, **headers)) == seconds


@pytest.mark.parametrize(("status", "seconds"), [(429, 30.0), (403, None), (503, None)])
def test_a_counter_without_a_count_is_spent_where_the_status_says_so(
    status: int, seconds: float | None
) -> None:
    assert read_retry_after(answer(status, x_ratelimit_reset="30")) == seconds


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (30, 30.0),
        ("30", 30.0),
        (" 1.5 ", 1.5),
        ("30s", 30.0),
        ("1.5s", 1.5),
        ("1h2m3s", 3723.0),
        ("250ms", 0.25),
        ("2026-03-01T12:00:30Z", 30.0),
        ("2026-03-01T13:00:30+01:00", 30.0),
        ("2026-03-01T12:00:30", None),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30.0),
        ("2026-03-01T11:00:00Z", 0.0),
        (NOW_SECONDS + 30, 30.0),
        (str(NOW_SECONDS + 30), 30.0),
        ((NOW_SECONDS + 30) * 1000, 30.0),
        (-1, None),
        ("-1", None),
        ("", None),
        ("s", None),
        ("1e3", None),
        ("0x10", None),
        ("nan", None),
        (float("nan"), None),
        (float("inf"), None),
        (int("9" * 400), None),
        ("9" * 400, None),
        ("9" * 20 + "h", None),
        (True, None),
        (None, None),
        ({}, None),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_wait_is_a_number_a_duration_or_a_moment(value: Any, seconds: float | None) -> None:
    assert read_wait(value, NOW) == seconds


def test_a_moment_needs_the_servers_clock() -> None:
    assert read_wait("2026-03-01T12:00:30Z") is None
    assert read_wait(NOW_SECONDS) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("User-rate limit exceeded.  Retry after 2026-03-01T12:00:30.000Z", 30.0),
        ("retry after 2026-03-01 12:00:30 UTC", 30.0),
        ("Your quota resets at 2026-03-01T13:00:30+01:00.", 30.0),
        ("Please try again in 20s.", 20.0),
        ("Please try again in 6m0s. Visit the console.", 360.0),
        ("Please try again in 250ms.", 0.25),
        ("Retry after 5 seconds", 5.0),
        ("Wait for 2 minutes", 120.0),
        ("wait 1 hour", 3600.0),
        ("Try again in 300 milliseconds", 0.3),
        ("Retry after correcting 3 fields", None),
        ("Created 2026-03-01T12:00:30Z", None),
        ("Retry after 2026-03-01T12:00:30", None),
        ("Retry after 2026-99-01T12:00:30Z", None),
        ("Retry after " + "9" * 300 + " seconds", None),
        ("try again later", None),
        ("", None),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_sentence_that_says_when_to_try_again_is_understood(text: str, seconds: float | None) -> None:
    assert find_wait(text, NOW) == seconds
