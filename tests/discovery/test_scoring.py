from dataclasses import replace

from charter.discovery.concepts import read_request
from charter.discovery.entry import Entry
from charter.discovery.index import Index
from charter.discovery.scoring import rank, read_matches
from charter.discovery.tuning import DEFAULT, Tuning
from tests.discovery.entries import make_entries


def order(text: str, entries: list[Entry], tuning: Tuning = DEFAULT, limit: int = 10) -> list[str]:
    index = Index.build(entries, tuning)
    request = read_request(text, tuning, index.postings.rows, index.postings.spellings)
    matches = read_matches(request, index.postings)
    return [entries[each.place].leaf for each in rank(matches, request, index.postings, tuning, limit)]


def make(*leaves: str, pack: str = "p") -> list[Entry]:
    return [Entry(f"{pack}__{leaf}", pack, leaf, "") for leaf in leaves]


def test_the_plainest_tool_comes_before_its_special_twins() -> None:
    entries = make("issues_create_milestone", "issues_create_from_template", "issues_create", "issues_list")
    assert order("create issue", entries)[0] == "issues_create"


def test_an_action_alone_does_not_beat_the_thing_asked_for() -> None:
    entries = make("reactions_add", "labels_add", "members_add", "channel_invite")
    assert order("add people to channel", entries)[0] == "channel_invite"


def test_the_action_tells_tools_for_one_thing_apart() -> None:
    entries = make("refunds_get", "refunds_create", "refunds_delete")
    assert order("delete the refund", entries)[0] == "refunds_delete"
    assert order("add a refund", entries)[0] == "refunds_create"


def test_the_pack_that_is_named_comes_first() -> None:
    entries = [*make("messages_send", pack="outlook"), *make("messages_send", pack="gmail")]
    index = Index.build(entries)
    assert index.find("send a message with gmail")[0].name == "gmail__messages_send"


def test_neighbours_of_the_request_that_are_neighbours_in_the_tool_count_more() -> None:
    entries = [
        Entry("p__one", "p", "one", "The index of fear, with greed beside the market."),
        Entry("p__two", "p", "two", "The fear greed index of the market, and beside it."),
    ]
    assert order("fear greed index", entries)[0] == "two"


def test_each_clause_brings_its_own_tool_forward() -> None:
    text = "Find every charge of the customer and every refund of the customer. Then trash the thread."
    entries = make_entries()
    assert "threads_trash" in order(text, entries)[:3]
    flat = order(text, entries, replace(DEFAULT, part=0.0))
    assert order(text, entries).index("threads_trash") <= flat.index("threads_trash")


def test_what_is_only_named_is_listed_or_created_rather_than_anything_else() -> None:
    assert order("refund", make("refunds_wipe", "refunds_list"))[0] == "refunds_list"


def test_words_left_out_of_the_first_reading_still_count_in_the_second() -> None:
    entries = [Entry(f"p__mail_{at}", "p", f"mail_{at}", "mail") for at in range(3_000)]
    entries[2_999] = Entry(
        "p__mail_2999", "p", "mail_2999", "Zebra, and much else besides this one about mail."
    )
    index = Index.build(entries)
    request = read_request("zebra mail", DEFAULT, index.postings.rows, index.postings.spellings)
    best = rank(read_matches(request, index.postings), request, index.postings, DEFAULT, 1)[0]
    assert entries[best.place].leaf == "mail_2999"
    assert set(best.gains) == {"zebra", "mail"}
