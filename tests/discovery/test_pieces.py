"""Pieces of a stream put together whatever their names: joined, added to by index, or replaced."""

from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.discovery.pieces import add_piece


def put_together(*pieces: Any) -> Any:
    return reduce(add_piece, pieces, {})


@pytest.mark.parametrize(
    ("pieces", "whole"),
    [
        ([{"reasoning": "a"}, {"reasoning": "b"}], {"reasoning": "ab"}),
        ([{"anything": "a"}, {"anything": "b"}, {"anything": None}], {"anything": "ab"}),
        ([{"content": "ha"}, {"content": "ha"}], {"content": "haha"}),
        ([{"role": "assistant"}, {"role": "assistant"}, {"role": ""}], {"role": "assistant"}),
        (
            [{"extra_content": {"google": {"thought_signature": "c2ln"}}}] * 2,
            {"extra_content": {"google": {"thought_signature": "c2ln"}}},
        ),
        (
            [
                {"reasoning_details": [{"index": 0, "type": "reasoning.text", "text": "a", "format": "x"}]},
                {"reasoning_details": [{"index": 0, "type": "reasoning.text", "text": "a", "format": "x"}]},
                {"reasoning_details": [{"index": 0, "signature": "s"}]},
                {"reasoning_details": [{"index": 1, "type": "reasoning.encrypted", "data": "d"}]},
            ],
            {
                "reasoning_details": [
                    {"index": 0, "type": "reasoning.text", "text": "aa", "format": "x", "signature": "s"},
                    {"index": 1, "type": "reasoning.encrypted", "data": "d"},
                ]
            },
        ),
        (
            [
                {"details": [{"index": 0, "type": "a", "text": "x"}]},
                {"details": [{"index": 0, "type": "b", "text": "y"}]},
            ],
            {"details": [{"index": 0, "type": "a", "text": "x"}, {"index": 0, "type": "b", "text": "y"}]},
        ),
        (
            [{"annotations": [{"url": "a"}]}, {"annotations": [{"url": "b"}]}],
            {"annotations": [{"url": "a"}, {"url": "b"}]},
        ),
        ([{"count": 1}, {"count": 2}, {"seen": True}, {"seen": False}], {"count": 2, "seen": False}),
        (
            [{"content": [{"type": "thinking"}]}, {"content": "Yes."}],
            {"content": [{"type": "thinking"}, {"type": "text", "text": "Yes."}]},
        ),
    ],
)
def test_pieces_become_what_a_whole_answer_would_hold(pieces: list[Any], whole: Any) -> None:
    assert put_together(*pieces) == whole


@given(st.text(), st.integers(0, 99))
def test_a_text_cut_anywhere_is_whole_again(text: str, place: int) -> None:
    assert put_together({"text": text[:place]}, {"text": text[place:]}) == {"text": text}


def test_pieces_are_not_changed() -> None:
    first, second = {"list": [{"index": 0, "text": "a"}]}, {"list": [{"index": 0, "text": "b"}]}
    assert put_together(first, second) == {"list": [{"index": 0, "text": "ab"}]}
    assert (first, second) == ({"list": [{"index": 0, "text": "a"}]}, {"list": [{"index": 0, "text": "b"}]})
