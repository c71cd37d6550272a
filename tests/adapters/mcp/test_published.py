"""Names that clients see fit every host, come back to the same tool, and never change when tools are added."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.adapters.mcp.published import PublishedNames
from charter.errors import DeclarationError

NAME = st.from_regex(r"[a-z][a-z0-9]{0,9}__[a-z][a-z0-9]{0,8}(_[a-z0-9]{1,9}){0,4}", fullmatch=True)


@given(st.lists(NAME, unique=True, max_size=30), st.sampled_from(["__", "_"]))
def test_a_published_name_fits_and_comes_back(names: list[str], separator: str) -> None:
    try:
        published = PublishedNames(names, server="charter", separator=separator)
    except DeclarationError:
        assert separator == "_"
        return
    for name in names:
        shown = published.publish(name)
        assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", shown)
        assert len(f"mcp__charter__{shown}") <= 64
        assert published.resolve(shown) == name
        assert PublishedNames([name], server="charter", separator=separator).publish(name) == shown


def test_a_long_name_is_cut_and_told_apart() -> None:
    long = "pack__" + "a" * 58
    other = long[:-1] + "b"
    published = PublishedNames([long, other], server="charter")
    assert len(published.publish(long)) == 50
    assert published.publish(long) != published.publish(other)
    assert published.resolve(long) == long


def test_a_name_is_understood_in_any_spelling() -> None:
    published = PublishedNames(["gmail__drafts_send"], server="charter", separator="_")
    for written in (
        "gmail_drafts_send",
        "gmail__drafts_send",
        "mcp__charter__gmail_drafts_send",
        "draftsSend",
    ):
        assert published.resolve(written) == "gmail__drafts_send"
    assert published.resolve("drafts") is None


def test_texts_are_rewritten_only_where_they_name_a_tool() -> None:
    published = PublishedNames(["gmail__drafts_send"], server="charter", separator="_")
    assert published.rewrite("Call gmail__drafts_send, not x__y.") == "Call gmail_drafts_send, not x__y."


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(DeclarationError, match="a__b_c and a_b__c would both be a_b_c"):
        PublishedNames(["a__b_c", "a_b__c"], server="charter", separator="_")


def test_a_separator_that_no_host_takes_is_refused() -> None:
    with pytest.raises(DeclarationError, match="separator ' ' cannot be in a name"):
        PublishedNames([], server="charter", separator=" ")
