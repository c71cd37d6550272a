"""Secrets: shown by nothing but `reveal`. That none leaves by any other way is in tests/faults/."""

import copy
import pickle
from typing import Any

import pytest

from charter.secret import HiddenHeaders, Secret


def test_a_repr_shows_a_few_letters_of_a_long_secret_and_none_of_a_short_one() -> None:
    assert repr(Secret("sk_test_1234567890")) == str(Secret("sk_test_1234567890")) == "Secret(sk_t…)"
    assert repr(Secret("hunter2")) == repr(Secret(None)) == "Secret(…)"


def test_a_secret_is_revealed_trimmed() -> None:
    assert Secret(" t0ken\n").reveal() == "t0ken"
    assert Secret(None).reveal() == ""


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_secret_is_lost(protocol: int) -> None:
    written = pickle.dumps(Secret("s3cret-value"), protocol)
    assert b"s3cret" not in written
    assert not pickle.loads(written)


def test_a_copied_secret_is_kept() -> None:
    assert copy.copy(Secret("s3cret")).reveal() == copy.deepcopy([Secret("s3cret")])[0].reveal() == "s3cret"


def test_secrets_compare_by_value() -> None:
    assert Secret("a") == Secret("a")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert len({Secret("a"), Secret("a")}) == 1


@pytest.mark.parametrize(("value", "truth"), [("x", True), ("", False), (None, False), (" ", False)])
def test_a_secret_without_a_value_is_false(value: str | None, truth: bool) -> None:
    assert bool(Secret(value)) is truth


@pytest.mark.parametrize(
    ("value", "sendable"),
    [
        ("t0ken", True),
        ("a b", True),
        ("a\r\nb", False),
        ("a\0b", False),
        ("ä", False),
        ("", False),
        (None, False),
    ],
)
def test_a_header_takes_printable_ascii_only(value: str | None, sendable: bool) -> None:
    assert Secret(value).is_sendable() is sendable


def test_a_secret_has_nothing_to_look_into() -> None:
    with pytest.raises(TypeError):
        vars(Secret("s3cret"))


@pytest.mark.parametrize("given", [None, {}, {"X-Token": "t0ken", "X-None": None}])
def test_hidden_headers_are_a_mapping_that_shows_names_only(given: Any) -> None:
    headers = HiddenHeaders(given)
    assert headers == (given or {})
    assert "t0ken" not in repr(headers)
