"""The wording of refusals: short, whatever the value."""

from typing import Any

import pytest

from charter.schema.telling import join_path, show, tell_key, tell_kind, tell_names


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("x", "'x'"),
        (None, "None"),
        ([1] * 100, "[1, 1, 1, 1, 1, 1, ...]"),
        pytest.param(10**5_000, "a very long int", id="long"),
    ],
)
def test_a_refused_value_is_shown_short(value: Any, shown: str) -> None:
    assert show(value) == shown
    assert len(show("x" * 1_000_000)) <= 60
    assert len(show(Unprintable())) < 200


@pytest.mark.parametrize(
    ("key", "told"),
    [("id", "id"), (3, "3"), (None, "None"), ("\ud800", "\\ud800"), ("ä", "\\xe4"), ("x" * 500, "x" * 80)],
)
def test_a_key_is_told_in_ascii(key: Any, told: str) -> None:
    assert tell_key(key) == told


def test_paths_are_joined_by_dots() -> None:
    assert [join_path("", "a"), join_path("a", "b"), join_path("a", 0), join_path("a", "")] == [
        "a",
        "a.b",
        "a.0",
        "a",
    ]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("x", "text that is no JSON object"),
        ([], "a list"),
        (3, "a number"),
        (True, "a boolean"),
        (None, "null"),
        (len, "something that JSON has not"),
    ],
)
def test_a_value_is_told_by_its_kind(value: Any, told: str) -> None:
    assert tell_kind(value) == told


def test_names_are_enumerated_as_far_as_they_help() -> None:
    assert tell_names([]) == "none"
    assert tell_names(["a", "b"]) == "a, b"
    assert tell_names([str(at) for at in range(99)]) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …"
