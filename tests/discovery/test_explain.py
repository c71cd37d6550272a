from charter.discovery.explain import explain, render_explanation
from charter.discovery.index import Index
from tests.discovery.entries import make_entries

INDEX = Index.build(make_entries())


def test_each_hit_tells_which_words_matched_where() -> None:
    told = explain(INDEX, "give the customer her money back")[0]
    assert told.fits
    best = told.reasons[0]
    assert best.name == "stripe__refunds_create"
    found = {matched.word: matched.found for matched in best.matched}
    assert found["money"] == {"money": ("hints",)}
    assert found["money back"] == {"refunds": ("name",), "refund": ("summary",)} or "refund" in str(found)
    assert [matched.gain for matched in best.matched] == sorted(
        (matched.gain for matched in best.matched), reverse=True
    )


def test_the_hits_are_those_of_the_search() -> None:
    for text in ("list refunds", "send a draft", "chargeback"):
        assert [reason.name for reason in explain(INDEX, text)[0].reasons][:3] == [
            hit.name for hit in INDEX.find(text, 3)
        ]


def test_each_need_is_explained_and_names_are_not() -> None:
    told = explain(INDEX, "+stripe refund; send email; select:gmail__drafts_send")
    assert [(each.required, each.text) for each in told] == [(("stripe",), "refund"), ((), "send email")]
    assert all(reason.name.startswith("stripe") for reason in told[0].reasons)


def test_words_that_no_tool_has_are_named() -> None:
    told = explain(INDEX, "refund the flurbs")[0]
    assert told.unknown == ("flurbs",)
    assert "In no tool: flurbs" in render_explanation(told)


def test_where_nothing_fits_it_says_so_and_shows_the_closest() -> None:
    text = render_explanation(explain(INDEX, "Create a Trello card")[0])
    assert "Nothing fits. Closest:" in text
    assert render_explanation(explain(INDEX, "qwertz")[0]).splitlines()[1] == "Nothing fits."


def test_the_text_reads_well() -> None:
    lines = render_explanation(explain(INDEX, "chargebacks")[0]).splitlines()
    assert lines[0] == "chargebacks"
    assert lines[1].startswith("1. stripe__disputes_list  ")
    assert lines[2].split()[1:] == ["chargebacks", "->", "chargeback:", "hints"]
