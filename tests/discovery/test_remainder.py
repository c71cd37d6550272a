"""Long results are cut, and read on piece by piece without loss."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter import ToolValidationError
from charter.discovery.remainder import MAX_KEPT, Remainders, is_rest_query


def _read_all(remainders: Remainders, text: str) -> str:
    whole = ""
    while match := re.search(r'\n\[Cut: .* "(rest:\d+:\d+)"\.\]$', text):
        whole += text[: match.start()]
        text = remainders.read(match[1])
    return whole + text


@given(st.text(max_size=3000), st.integers(1, 300))
def test_the_pieces_of_a_cut_result_make_the_result(text: str, tokens: int) -> None:
    remainders = Remainders()
    assert _read_all(remainders, remainders.cut(text, tokens, can_read_on=True)) == text


def test_a_result_that_fits_is_left_alone() -> None:
    assert Remainders().cut("x" * 400, 100, can_read_on=True) == "x" * 400


def test_where_nothing_can_read_on_the_note_says_to_ask_for_less() -> None:
    assert Remainders().cut("x" * 900, 100, can_read_on=False) == (
        "x" * 400 + "\n[Cut: characters 0 to 400 of 900. For less, ask for less.]"
    )


def test_the_oldest_result_is_forgotten_with_advice() -> None:
    remainders = Remainders()
    for _ in range(MAX_KEPT + 1):
        remainders.cut("x" * 900, 100, can_read_on=True)
    assert remainders.read("rest:2:400")
    with pytest.raises(ToolValidationError, match=r"nothing is kept under 'rest:1:400'. Call the tool again"):
        remainders.read("rest:1:400")


@pytest.mark.parametrize("query", ["rest:1:900", "rest:7:0"])
def test_what_was_never_cut_cannot_be_read(query: str) -> None:
    remainders = Remainders()
    remainders.cut("x" * 900, 100, can_read_on=True)
    with pytest.raises(ToolValidationError):
        remainders.read(query)


@pytest.mark.parametrize("query", ["rest of the mail", "rest:1", "rest:1:2:3", None, 5, ["rest:1:2"]])
def test_other_queries_are_searches(query: object) -> None:
    assert not is_rest_query(query)
