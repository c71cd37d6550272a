import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from charter.discovery.entry import Entry
from charter.discovery.index import Index
from charter.discovery.semantic import SemanticIndex
from charter.discovery.tuning import Tuning
from tests.discovery.entries import make_entries

INDEX = SemanticIndex.build(Index.build(make_entries()))


def find(text: str, limit: int = 5, required: tuple[str, ...] = ()) -> list[str]:
    return [hit.name for hit in INDEX.find(text, limit, required=required)]


def test_meaning_finds_what_no_word_does() -> None:
    entries = [
        Entry("p__a", "p", "planets_show", "Positions of Jupiter and Saturn."),
        Entry("p__b", "p", "tyres_show", "Wheel sizes of trucks."),
    ]
    index = Index.build(entries, Tuning(fit=False))
    assert index.find("Neptune and Uranus") == []
    assert SemanticIndex.build(index).find("Neptune and Uranus")[0].name == "p__a"


def test_words_still_count() -> None:
    assert find("chargeback")[0] == "stripe__disputes_list"
    assert find("give the customer her money back")[0] == "stripe__refunds_create"


def test_required_terms_and_limits_hold() -> None:
    hits = INDEX.find("send", 2, required=("gmail",))
    assert len(hits) == 2
    assert all(hit.name.startswith("gmail") for hit in hits)
    assert find("send", required=("slack",)) == []
    assert INDEX.find("send", among=()) == []
    assert INDEX.find("refund", 0) == []


def test_what_no_tool_does_is_answered_with_nothing() -> None:
    assert find("What will the weather be in Oslo?") == []


def test_names_are_resolved_as_by_the_index() -> None:
    assert INDEX.select(["drafts_send"]) == INDEX.index.select(["drafts_send"])


def test_an_index_of_nothing_finds_nothing() -> None:
    assert SemanticIndex.build(Index.build([])).find("refund") == []


@settings(deadline=None)
@given(st.text(), st.integers(0, 3))
def test_any_text_is_answered_and_twice_the_same(text: str, limit: int) -> None:
    hits = INDEX.find(text, limit)
    assert len(hits) <= limit
    assert INDEX.find(text, limit) == hits


def test_no_other_search_loads_the_vectors() -> None:
    program = (
        "import sys; from charter.discovery.catalogue import Catalogue; from charter.discovery.index import Index; "
        "Index.build([]).find('x'); "
        "print([name for name in ('numpy', 'wordllama', 'tokenizers') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("blocked", ["socket.socket", "socket.getaddrinfo"])
def test_the_vectors_are_loaded_without_a_network(blocked: str) -> None:
    program = (
        f"import socket\ndef refuse(*_, **__): raise OSError('no network')\n{blocked} = refuse\n"
        "from charter.discovery.vectors import load_vectors\nprint(load_vectors().read(['refund']).any())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
