import pytest

from charter.discovery.entry import Entry
from charter.discovery.needs import fill_needs


def make(pack: str, leaf: str, needs: dict[str, str] | None = None, **parameters: str) -> Entry:
    return Entry(f"{pack}__{leaf}", pack, leaf, "", parameters=parameters, needs=needs or {})


def needs_of(entry: Entry, *others: Entry) -> dict[str, str]:
    return dict(fill_needs([*others, entry])[-1].needs)


THREADS = make("mail", "threads_list")


@pytest.mark.parametrize("name", ["thread_id", "threadId", "threadIds", "thread-id"])
def test_an_identifier_needs_the_tool_that_lists_its_kind(name: str) -> None:
    assert needs_of(make("mail", "reply", **{name: ""}), THREADS) == {name: "mail__threads_list"}


def test_a_bare_name_counts_when_its_text_says_id() -> None:
    assert needs_of(make("mail", "reply", thread="Id of the thread."), THREADS) == {"thread": THREADS.name}
    assert needs_of(make("mail", "reply", thread="What to call it."), THREADS) == {}


def test_names_of_several_words_match_whole() -> None:
    intents = make("pay", "payment_intents_list")
    assert needs_of(make("pay", "refund", payment_intent_id=""), intents) == {
        "payment_intent_id": intents.name
    }
    assert needs_of(make("pay", "refund", payment_id=""), intents) == {}


def test_a_list_is_named_rather_than_a_search_and_a_search_rather_than_nothing() -> None:
    search = make("mail", "search_threads")
    take = make("mail", "reply", thread_id="")
    assert needs_of(take, search, THREADS)["thread_id"] == THREADS.name
    assert needs_of(take, search)["thread_id"] == search.name


def test_another_pack_the_tool_itself_and_what_is_declared_are_left_alone() -> None:
    assert needs_of(make("chat", "reply", thread_id=""), THREADS) == {}
    assert needs_of(make("mail", "threads_list", thread_id="")) == {}
    declared = {"box": "mail__boxes"}
    assert needs_of(make("mail", "reply", declared, box="", thread_id=""), THREADS) == declared


def test_a_bare_id_says_nothing_of_its_kind() -> None:
    assert needs_of(make("mail", "threads_get", id="The id."), THREADS) == {}
