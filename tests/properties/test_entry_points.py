"""Nothing that a model or a transcript holds raises anything but a CharterError: a few of each, on every run."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from charter import CharterError
from tests.properties.entry_points import ENTRY_POINTS, SESSION, check, try_many


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    yield made
    made.run_until_complete(made.shutdown_default_executor())
    made.close()


@pytest.mark.parametrize("name", ENTRY_POINTS)
def test_only_library_errors_come_out(name: str) -> None:
    try_many(name, 150)


@pytest.mark.parametrize(
    ("query", "max_results"),
    [
        ({"query": "refund", "\ud83d": 1}, None),
        ("refund", -(10**4400)),
        ([[[[["refund"]]]]], 1),
        ("select:\ud83d", None),
        ("+\ud83d refund", None),
    ],
    ids=["half a character", "a huge number", "a deep list", "a half name", "a half word"],
)
def test_what_once_ended_a_run_is_told(query: Any, max_results: Any, loop: asyncio.AbstractEventLoop) -> None:
    check(lambda: SESSION.fork().search(query, max_results))
    check(lambda: loop.run_until_complete(SESSION.fork().dispatch("ToolSearch", query)))


def test_an_error_that_is_none_of_the_librarys_is_caught() -> None:
    with pytest.raises(ZeroDivisionError):
        check(lambda: 1 / 0)
    with pytest.raises(UnicodeEncodeError):
        check(lambda: "\ud83d")
    check(lambda: (_ for _ in ()).throw(CharterError("shop: no. Try again.")))
