import pytest

from charter.discovery.concepts import MAX_TEXT, Concept, read_request
from charter.discovery.tuning import DEFAULT
from charter.discovery.words import stem


def read(text: str, *known: str) -> dict[str, Concept]:
    terms = {stem(word): 1 for word in known}
    request = read_request(text, DEFAULT, terms, {word: stem(word) for word in known})
    return {concept.word: concept for concept in request.concepts}


def test_a_word_brings_the_words_for_the_same_thing() -> None:
    concept = read("delete it")["delete"]
    assert concept.variants["delet"] == 1.0
    assert concept.variants["remov"] == concept.variants["trash"] == DEFAULT.same
    assert concept.kind == "action"


def test_a_special_word_brings_the_general_one_and_the_other_way_less() -> None:
    assert read("bitcoin")["bitcoin"].variants[stem("finance")] == DEFAULT.general
    assert read("finance")["finance"].variants[stem("dividend")] == DEFAULT.special


@pytest.mark.parametrize("text", ["her money back", "they call it off today", "get rid of all the spam"])
def test_a_phrase_means_something_else_than_its_words(text: str) -> None:
    meant = {term for concept in read(text).values() if concept.kind == "phrase" for term in concept.variants}
    assert meant & {"refund", "cancel", "delet"}


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("forward to ann@shop.example", "email"),
        ("close ENG-412", "issu"),
        ("post it in #sales", "channel"),
        ("sum B2:B60", "rang"),
        ("read https://shop.example/a", "url"),
        ("for £1,200 please", "amount"),
    ],
)
def test_the_shape_of_a_value_says_what_it_is(text: str, term: str) -> None:
    assert any(term in concept.variants for concept in read(text).values() if concept.kind == "phrase")


@pytest.mark.parametrize(
    ("text", "term"),
    [("rembourser", "refund"), ("Rechnung", "invoic"), ("etiquetas", "label"), ("kalender", "calendar")],
)
def test_a_word_of_another_language_brings_the_english_ones(text: str, term: str) -> None:
    (concept,) = read(text).values()
    assert concept.variants[term] == DEFAULT.translated


def test_an_english_word_is_no_word_of_another_language() -> None:
    assert stem("report") not in read("information")["information"].variants


def test_a_misspelt_word_counts_as_the_word_it_may_have_meant() -> None:
    assert read("subscripton", "subscription")["subscripton"].variants["subscript"] == DEFAULT.typo


@pytest.mark.parametrize("text", ["subscription", "Ask Subscripton", "abscond"])
def test_words_that_are_known_or_names_are_not_corrected(text: str) -> None:
    assert all(
        DEFAULT.typo not in concept.variants.values()
        for concept in read(text, "subscription", "second").values()
    )


def test_numbers_and_days_fill_arguments() -> None:
    assert {concept.kind for concept in read("30 friday may").values()} == {"moment"}


def test_stop_words_are_read_when_there_is_nothing_else() -> None:
    assert list(read("the help")) == ["the", "help"]
    assert list(read("help me refund")) == ["refund"]


def test_a_brand_is_one_word_when_a_tool_has_it_as_one() -> None:
    assert "github" in read("GitHub", "github")
    assert set(read("HashTable", "hash", "table")) == {"hash", "table"}


def test_subjects_and_services_tell_against_tools_that_lack_them() -> None:
    found = read("a pizza in Trello with Ann")
    assert found["trello"].foreign > found["pizza"].foreign > found["ann"].foreign


def test_pairs_and_clauses_follow_the_request() -> None:
    request = read_request("Find the unread mail. Forward each new mail to Ann.", DEFAULT, {}, {})
    assert ("unread", "mail") in request.pairs
    assert ("mail", "forward") not in request.pairs
    assert [sorted(part) for part in request.parts] == [
        ["find", "mail", "unread"],
        ["ann", "forward", "mail", "new"],
    ]


def test_only_the_beginning_of_a_huge_text_is_read() -> None:
    words = " ".join(f"word{at:05}" for at in range(200_000))
    assert all(concept.word[:9] in words[:MAX_TEXT] for concept in read(words).values())
