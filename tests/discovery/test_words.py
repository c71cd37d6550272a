import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.discovery.words import has_capital, read_terms, split_words, stem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("getHTTPResponse", ["get", "http", "response"]),
        ("payment_intents-list", ["payment", "intents", "list"]),
        ("OAuth2 v1", ["o", "auth", "2", "v", "1"]),
        ("PRs and URLs", ["pr", "and", "url"]),
        ("Ünïcödé Straße", ["unicode", "straße"]),
        ("the customer's l'événement", ["the", "customer", "evenement"]),
        ("ｆｕｌｌ ﬁle", ["full", "file"]),
        ("退款客户", ["退款", "款客", "客户"]),
        ("คืนเงิน", ["คน", "นเ", "เง", "งน"]),
        ("mail退", ["mail", "退"]),
        ("\x00\x07 a\ud800b .*(+?", ["a", "b"]),
        ("", []),
    ],
)
def test_text_is_split_into_words(text: str, words: list[str]) -> None:
    assert split_words(text) == words


def test_accents_and_vowel_signs_do_not_matter() -> None:
    assert split_words("Ré́sumé") == ["resume"]
    assert split_words("मौसम") == split_words("मसम")


def test_terms_are_stems_without_stop_words() -> None:
    assert read_terms("Please refund the charges for her") == ["refund", "charg"]
    assert read_terms("the charges", stops=False) == ["the", "charg"]
    assert read_terms("the charges", stems=False) == ["charges"]


def test_a_word_of_two_pieces_is_also_one_word() -> None:
    assert read_terms("GitHub") == ["git", "hub", "github"]


def test_capitals_inside_a_sentence_are_names() -> None:
    assert has_capital("Ask Ann. Then tell the Board (Now)") == {"ann", "board", "now"}


def test_stems_are_the_same_from_many_threads() -> None:
    words = [f"{word}{at}ing" for at in range(300) for word in ("process", "runn", "book")]
    want = [stem.__wrapped__(word) for word in words]
    found: dict[int, list[str]] = {}

    def read(at: int) -> None:
        found[at] = [stem.__wrapped__(word) for word in words]

    threads = [threading.Thread(target=read, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(stems == want for stems in found.values())


@given(st.text())
def test_any_text_has_terms_without_spaces(text: str) -> None:
    assert all(term and not any(char.isspace() for char in term) for term in read_terms(text))
