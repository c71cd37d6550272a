"""Paths: a value never leaves its segment. That no text at all does is in tests/properties/."""

import pytest

from charter.errors import ToolValidationError
from charter.route import read_route
from charter.wire.path import encode_segment, fill_route


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        ("abc-._~09", "abc-._~09"),
        ("a b", "a%20b"),
        ("a/b", "a%2Fb"),
        ("a?b#c", "a%3Fb%23c"),
        ("a%2Fb", "a%252Fb"),
        ("a\\b", "a%5Cb"),
        ("a;b=c", "a%3Bb%3Dc"),
        ("a+b&c", "a%2Bb%26c"),
        ("@evil", "%40evil"),
        ("//evil", "%2F%2Fevil"),
        ("http://evil/", "http%3A%2F%2Fevil%2F"),
        ("ä", "%C3%A4"),
        ("日本", "%E6%97%A5%E6%9C%AC"),
        ("😀", "%F0%9F%98%80"),
        ("a..b", "a..b"),
        ("...", "..."),
        ("..a", "..a"),
        ("{id}", "%7Bid%7D"),
        (" ", "%20"),
    ],
)
def test_a_value_cannot_leave_its_segment(value: str, encoded: str) -> None:
    assert encode_segment(value, "tool: id") == encoded


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("", "is empty"),
        (".", "holds a dot segment"),
        ("..", "holds a dot segment"),
        ("%2e%2e", "holds a dot segment"),
        ("%252e%252e", "holds a dot segment"),
        ("%25252E.", "holds a dot segment"),
        ("..%2f", "holds a dot segment"),
        ("../x", "holds a dot segment"),
        ("x/..", "holds a dot segment"),
        ("..\\x", "holds a dot segment"),
        ("x%5c..", "holds a dot segment"),
        ("..;a=b", "holds a dot segment"),
        (" .. ", "holds a dot segment"),
        ("．．", "holds a dot segment"),
        ("‥", "holds a dot segment"),
        ("a\0b", "holds a control character"),
        ("a%00b", "holds a control character"),
        ("a\r\nb", "holds a control character"),
        ("a\x85b", "holds a control character"),
        ("x" * 8_193, "is longer than 8192 characters"),
        ("\u0300\u0316" * 4_097, "is longer than 8192 characters"),
    ],
)
def test_a_value_that_would_is_refused(value: str, problem: str) -> None:
    with pytest.raises(ToolValidationError) as raised:
        encode_segment(value, "tool: id")
    assert raised.value.errors == [{"field": "id", "problem": problem}]


def fill(template: str, spanning: frozenset[str] = frozenset(), **values: str) -> str:
    return fill_route(read_route(template, "tool"), values, spanning, "tool")


def test_holes_are_filled_and_the_template_kept() -> None:
    assert fill("a/{x}/b/{y}:do", x="1 2", y="ä") == "a/1%202/b/%C3%A4:do"
    assert fill("a/b") == "a/b"


def test_a_hole_spans_segments_only_where_it_may() -> None:
    assert fill("files/{path}", path="a/b") == "files/a%2Fb"
    assert fill("files/{path}", frozenset({"path"}), path="a b/c?d") == "files/a%20b/c%3Fd"


@pytest.mark.parametrize("path", ["", "/a", "a/", "a//b", "a/../b", "a/%2e%2e", "a/%2e%2e%2fb", "./a"])
def test_a_spanning_value_keeps_every_segment_real(path: str) -> None:
    with pytest.raises(ToolValidationError, match=r"^tool: path: (is empty|holds a dot segment)$"):
        fill("files/{path}", frozenset({"path"}), path=path)


def test_a_spanning_value_is_measured_before_it_is_cut_into_segments() -> None:
    with pytest.raises(ToolValidationError, match="is longer than 8192 characters"):
        fill("files/{path}", frozenset({"path"}), path="a/" * 4_097)
