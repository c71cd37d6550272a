from charter.discovery.entry import Entry
from charter.discovery.postings import LONG_ROW, build_postings, read_fields
from charter.discovery.tuning import DEFAULT


def make(leaf: str, summary: str = "", **fields: object) -> Entry:
    return Entry(f"p__{leaf}", "p", leaf, summary, **fields)  # type: ignore[arg-type]


def test_a_word_counts_most_in_the_name_and_least_in_the_details() -> None:
    entries = [make("label_get"), make("a_get", "A label."), make("b_get", details="A label.")]
    row = build_postings(entries, DEFAULT).rows["label"]
    assert list(row.places) == [0, 1, 2]
    assert list(row.impacts) == sorted(row.impacts, reverse=True)


def test_a_rare_word_is_worth_more_than_a_common_one() -> None:
    rows = build_postings([make("get_a", "rare"), make("get_b"), make("get_c")], DEFAULT).rows
    assert rows["rare"].rarity > rows["get"].rarity > 0


def test_parameters_that_many_tools_share_are_left_out() -> None:
    entries = [make(f"tool_{at}", parameters={"limit": "How many.", f"own{at}": ""}) for at in range(30)]
    rows = build_postings(entries, DEFAULT).rows
    assert "limit" not in rows
    assert "own7" in rows


def test_of_few_tools_every_parameter_is_kept() -> None:
    assert "limit" in build_postings([make("a", parameters={"limit": ""}), make("b")], DEFAULT).rows


def test_every_word_of_a_name_is_kept_and_stop_words_elsewhere_are_not() -> None:
    fields = read_fields(make("help_me", "The help."), frozenset(), DEFAULT)
    assert fields["name"] == ["help", "me"]
    assert fields["summary"] == []


def test_a_short_name_of_a_pack_brings_what_people_call_it() -> None:
    entry = Entry("gcalendar__events_list", "gcalendar", "events_list", "")
    assert {"googl", "calendar"} <= set(read_fields(entry, frozenset(), DEFAULT)["pack"])


def test_a_long_list_knows_where_its_word_counts_most() -> None:
    entries = [make("mail_get" if at % 2 else f"x{at}", "Mail.") for at in range(LONG_ROW + 10)]
    best = build_postings(entries, DEFAULT).rows["mail"].best
    assert best is not None
    assert len(best) == LONG_ROW
    assert {place % 2 for place, _ in best[: LONG_ROW // 2]} == {1}


def test_no_tools_are_no_postings() -> None:
    postings = build_postings([], DEFAULT)
    assert (dict(postings.rows), postings.documents) == ({}, ())
