"""Arguments as they are typed in a shell."""

import io
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.cli.arguments import ArgumentsError, read_words

NOTHING = io.StringIO()


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        ([], {}),
        (["q=is:unread"], {"q": "is:unread"}),
        (["q="], {"q": ""}),
        (["q=a=b:=c"], {"q": "a=b:=c"}),
        (["limit:=5", "on:=true", "no:=null"], {"limit": 5, "on": True, "no": None}),
        (["a.b.c=1", "a.b.d:=2"], {"a": {"b": {"c": "1", "d": 2}}}),
        (["ids[]=a", "ids[]=b"], {"ids": ["a", "b"]}),
        (["m.to[]=ann@example.com"], {"m": {"to": ["ann@example.com"]}}),
        (['{"a": {"b": 1}}', "c=2"], {"a": {"b": 1}, "c": "2"}),
        (['meta:={"k": "v"}', "meta.more=1"], {"meta": {"k": "v", "more": "1"}}),
    ],
)
def test_words_become_arguments(words: list[str], arguments: dict[str, Any]) -> None:
    assert read_words(words, NOTHING) == arguments


def test_a_dash_is_the_object_on_stdin() -> None:
    assert read_words(["-", "b=2"], io.StringIO('{"a": 1}')) == {"a": 1, "b": "2"}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["word"], "'word': is no argument"),
        (["=x"], "is no argument"),
        ([":=1"], "is no argument"),
        (["[]=1"], "is no argument"),
        (["a:=nope"], "a: is not JSON"),
        (['{"a": '], "is not JSON"),
        (["[1]"], "is no argument"),
        (["a=1", "a=2"], "a: given twice"),
        (["a=1", "a.b=2"], "a is given as a value too"),
        (["a=1", "a[]=2"], "given as a value too"),
        (["files[].name=x"], "Write files[]:={...} for each"),
        (['{"a": 1}', '{"a": 2}'], "a: given twice"),
    ],
)
def test_words_that_are_no_arguments_are_told_of(words: list[str], problem: str) -> None:
    with pytest.raises(ArgumentsError, match=re.escape(problem)):
        read_words(words, NOTHING)


@pytest.mark.parametrize("text", ["", "[]", "5", "{"])
def test_stdin_that_is_no_object_is_told_of(text: str) -> None:
    with pytest.raises(ArgumentsError, match="stdin"):
        read_words(["-"], io.StringIO(text))


@given(st.lists(st.text(max_size=20), max_size=5))
def test_any_words_give_arguments_or_an_arguments_error(words: list[str]) -> None:
    try:
        assert isinstance(read_words(words, io.StringIO("{}")), dict)
    except ArgumentsError as error:
        assert str(error).endswith(".")
