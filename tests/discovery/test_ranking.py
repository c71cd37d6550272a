"""A ranking of the user's own in the place of the index."""

from collections.abc import Sequence

import pytest

from charter import DeclarationError, ToolSession
from charter.discovery.entry import Entry
from charter.discovery.ranking import RankerIndex
from tests.discovery.samples import make_tools


def test_a_function_ranks_and_its_unknown_names_and_surplus_are_left_out() -> None:
    def rank(text: str, entries: Sequence[Entry], limit: int) -> list[str]:
        assert (text, limit) == ("money", 2)
        return ["nobody__knows", *(entry.name for entry in entries), "stripe__refunds_list"]

    session = ToolSession(make_tools(), search=rank)
    assert session.search("money", 2)["loaded"] == ["gmail__drafts_create", "gmail__drafts_get"]


def test_a_required_term_narrows_what_the_function_chooses_from() -> None:
    session = ToolSession(make_tools(), search=lambda text, entries, limit: [entry.name for entry in entries])
    assert session.search("+REFUNDS x")["loaded"] == ["stripe__refunds_create", "stripe__refunds_list"]


def test_hits_are_scored_best_first() -> None:
    entries = ToolSession(make_tools()).catalogue.entries
    index = RankerIndex(entries, lambda text, entries, limit: ["stripe__refunds_list", "gmail__drafts_get"])
    hits = index.find("x", among={"stripe__refunds_list", "gmail__drafts_get"})
    assert [hit.name for hit in hits] == ["stripe__refunds_list", "gmail__drafts_get"]
    assert hits[0].score > hits[1].score
    assert index.find("x", among=()) == []


def test_an_unknown_search_is_refused_when_the_session_is_built() -> None:
    with pytest.raises(DeclarationError, match="search='fuzzy' is unknown"):
        ToolSession(make_tools(), search="fuzzy")
