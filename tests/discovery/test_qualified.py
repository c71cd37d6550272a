"""Names of tools in a session: what is refused, and that refusals name what they refuse."""

import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter import DeclarationError, ToolSession
from charter.discovery.qualified import name_tools, qualify, read_qualified_name
from charter.packs import gmail
from tests.discovery.samples import Plain, make_tool, make_tools

_word = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=8)
_pack = st.builds(lambda first, rest: "_".join([f"p{first}", *rest]), _word, st.lists(_word, max_size=2))
_leaf = st.builds("_".join, st.lists(_word, min_size=1, max_size=3))


@given(_pack, _leaf)
def test_a_name_splits_back_into_its_pack_and_its_tool(pack: str, leaf: str) -> None:
    name = read_qualified_name(Plain(pack, leaf))
    assert name.partition("__") == (pack, "__", leaf)


@given(st.lists(st.tuples(_pack, _leaf), unique=True, max_size=20))
def test_no_two_tools_get_one_name_unless_pack_and_name_are_the_same(pairs: list[tuple[str, str]]) -> None:
    assert len({qualify(*pair) for pair in pairs}) == len(pairs)


def test_a_name_is_the_same_whatever_else_is_there() -> None:
    alone, all_ = name_tools([make_tool("stripe", "refunds_create")]), name_tools(make_tools())
    assert set(alone) < set(all_)


@pytest.mark.parametrize(
    ("pack", "leaf"),
    [
        ("a__b", "c"),
        ("a_", "c"),
        ("", "c"),
        ("1a", "c"),
        ("a", "b__c"),
        ("a", "_b"),
        ("a", ""),
        ("a", "b c"),
        ("a", "é"),
        ("a", "x" * 62),
        ("a\n", "b"),
        (None, "b"),
        ("a", 5),
    ],
)
def test_a_name_that_would_not_split_back_or_be_accepted_is_refused(pack: Any, leaf: Any) -> None:
    with pytest.raises(DeclarationError, match="Give"):
        read_qualified_name(Plain(pack, "x") if leaf is None else _named(pack, leaf))


def _named(pack: Any, leaf: Any) -> Plain:
    tool = Plain("a", "b")
    tool.pack, tool.name = pack, leaf
    return tool


def test_the_longest_name_is_64_characters() -> None:
    assert len(read_qualified_name(Plain("a", "x" * 61))) == 64


def test_two_tools_with_one_name_are_refused_and_both_named() -> None:
    first, second = make_tool("stripe", "refunds_create"), Plain("stripe", "refunds_create")
    with pytest.raises(DeclarationError) as refused:
        name_tools([first, second])
    assert "stripe__refunds_create" in str(refused.value)
    assert "POST v1/refunds_create" in str(refused.value)
    assert "Run refunds_create." in str(refused.value)


@pytest.mark.parametrize("leaf", ["ToolSearch", "toolsearch", "TOOLSEARCH"])
def test_a_tool_that_would_shadow_tool_search_is_refused_and_both_named(leaf: str) -> None:
    with pytest.raises(DeclarationError, match=f"shop__{leaf} .*ToolSearch"):
        name_tools([Plain("shop", leaf)])


@pytest.mark.parametrize("thing", [pytest, "gmail", None, 5, ["gmail"]])
def test_what_is_no_tool_is_refused_with_what_to_pass(thing: Any) -> None:
    with pytest.raises(DeclarationError, match=r"Pass tools, such as \[\*gmail\.TOOLS\]"):
        name_tools([thing])


@pytest.mark.parametrize(
    ("tools", "told"),
    [
        (gmail.TOOLS[0], "is no list of tools. Pass tools in a list"),
        (gmail, r"\(module\) is no list of tools. Pass its TOOLS\."),
        ("gmail", r"'gmail' \(str\) is no list of tools. Pass tools in a list"),
        (None, r"None \(NoneType\) is no list of tools"),
        ({"a": gmail.TOOLS[0]}, r"\(dict\) is no list of tools"),
        (["gmail__messages_list"], "has no 'name'. Pass tools"),
        ([gmail], r"\(module\) has no"),
    ],
)
def test_what_is_no_list_of_tools_is_refused_with_what_to_pass(tools: Any, told: str) -> None:
    with pytest.raises(DeclarationError, match=f"^ToolSession: .*{told}"):
        ToolSession(tools)
