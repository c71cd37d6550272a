"""The listing in ToolSearch: no name is lost, no order shows, and the form follows the cost."""

import random
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter import DeclarationError, json_tokens
from charter.discovery.listing import choose_listing, fold, read_nouns, render_listing

_word = st.sampled_from(["a", "list", "issue", "issues", "get", "b-c", "x9", "items"]) | st.text(
    string.ascii_letters + string.digits + "-", min_size=1, max_size=6
)
_leaf = st.builds(
    lambda words, end: "_".join(words) + end,
    st.lists(_word, min_size=1, max_size=5),
    st.sampled_from(["", "", "_"]),
)
_pack = st.from_regex(r"[a-z][a-z0-9]{0,5}", fullmatch=True)
_names = st.sets(st.builds("{}__{}".format, _pack, _leaf), min_size=1, max_size=40)


def read_back(text: str) -> list[str]:
    """Read full names off a folded listing by the rule in its heading and nothing else."""
    heading, *lines = text.split("\n")
    assert "a full name is pack__tool, and a_{b,c} is short for a_b a_c" in heading
    names: list[str] = []
    for line in lines:
        pack, _, tools = line.partition(": ")
        for tool in tools.split(" "):
            match = re.fullmatch(r"(.*)\{(.*)\}", tool)
            parts = [match[1] + end for end in match[2].split(",")] if match else [tool]
            names.extend(f"{pack}__{part}" for part in parts)
    return names


@given(_names)
def test_every_full_name_is_read_back_from_the_folded_text(names: set[str]) -> None:
    found = read_back(choose_listing(names, "folded"))
    assert sorted(found) == sorted(names)


@given(
    _names,
    st.randoms(use_true_random=False),
    st.sampled_from(["auto", "names", "folded", "packs", "packs_alone"]),
)
def test_the_same_names_in_any_order_give_the_same_bytes(
    names: set[str], mixer: random.Random, form: str
) -> None:
    ordered = sorted(names)
    mixed = list(ordered)
    mixer.shuffle(mixed)
    assert choose_listing(mixed, form) == choose_listing(ordered, form)


@given(st.sets(_leaf, min_size=1, max_size=40))
def test_folding_is_never_longer_than_the_names(leaves: set[str]) -> None:
    assert len(" ".join(fold(sorted(leaves)))) <= len(" ".join(leaves))


def test_shared_beginnings_are_written_once() -> None:
    leaves = ["refunds_create", "refunds_list", "balance", "payment_intents_list", "payment_intents_create"]
    assert fold(leaves) == ["balance", "payment_intents_{create,list}", "refunds_{create,list}"]


def test_one_form_gives_way_to_the_next_as_the_cost_grows() -> None:
    def names(packs: int, each: int) -> list[str]:
        return [
            f"pack{pack:03}__thing{at:03}_{verb}"
            for pack in range(packs)
            for at in range(each)
            for verb in ("get", "list")
        ]

    listings = [choose_listing(names(packs, 25)) for packs in (1, 8, 40, 200)]
    assert [text.split("\n")[0].split(" (")[0] for text in listings] == [
        "Tools:",
        "Tools by pack",
        "Packs of tools, with what they act on:",
        "Packs of tools:",
    ]
    assert [
        json_tokens(text) <= limit for text, limit in zip(listings, (1000, 3000, 1000, 1000), strict=True)
    ] == [True] * 4


def test_the_names_form_is_names_only_one_a_line() -> None:
    assert choose_listing(["b__x", "a__y"]) == "Tools:\na__y\nb__x"


def test_packs_are_listed_with_what_they_act_on() -> None:
    names = [
        "shop__refunds_create",
        "shop__refunds_list",
        "shop__search_customers",
        "shop__sync",
        "web__crawl",
    ]
    assert render_listing(names, "packs").split("\n")[1:] == ["shop: refunds, customers, sync", "web: crawl"]


def test_what_a_pack_acts_on_names_the_most_frequent_first_and_an_owner_once() -> None:
    assert read_nouns(["forms_get", "forms_list", "forms_responses_get", "form_update"]) == [
        "forms",
        "responses",
    ]


def test_ten_thousand_packs_are_cut_with_their_number() -> None:
    text = choose_listing([f"pack{at:05}__get" for at in range(10_000)])
    assert json_tokens(text) <= 1_010
    assert re.search(r" and \d+ more$", text)


def test_an_unknown_form_is_refused_with_the_forms_there_are() -> None:
    with pytest.raises(DeclarationError, match=r"listing='all' is unknown. Use one of auto, names"):
        choose_listing(["a__b"], "all")
