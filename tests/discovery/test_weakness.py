import pytest

from charter.discovery.index import Index
from charter.discovery.weakness import Trial, find_weaknesses, read_trials, render_weaknesses
from tests.discovery.entries import make_entries

INDEX = Index.build(make_entries())


def test_requests_are_read_in_either_form() -> None:
    text = (
        '# a comment\n\nopen my mail -> gmail__messages_list, gmail__x\n{"query": "a -> b", "gold": ["c"]}\n'
    )
    assert read_trials(text) == [
        Trial("open my mail", ("gmail__messages_list", "gmail__x")),
        Trial("a -> b", ("c",)),
    ]


@pytest.mark.parametrize("line", ["no arrow", "-> tool", "query ->", '{"query": "x"}', "[1]", "3"])
def test_a_line_of_another_form_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(ValueError, match="line 2"):
        read_trials(f"# first\n{line}")


def test_a_tool_that_is_found_is_not_weak() -> None:
    assert find_weaknesses(INDEX, [Trial("money back", ("stripe__refunds_create",))]) == []


def test_a_weak_tool_is_told_with_what_it_lacks_and_what_came_before() -> None:
    weak = find_weaknesses(INDEX, [Trial("wire list of refunds overdue", ("gmail__labels_create",))], 1)[0]
    assert (weak.name, weak.place) == ("gmail__labels_create", None)
    assert weak.before == ("stripe__refunds_list",)
    assert {"wire", "refunds", "overdue"} <= set(weak.missing)


def test_a_tool_past_the_limit_is_told_with_its_place() -> None:
    weak = find_weaknesses(INDEX, [Trial("refunds", ("stripe__refunds_create", "stripe__refunds_list"))], 1)
    assert [each.place for each in weak] == [2]


def test_tools_of_packs_that_are_not_there_are_left_out() -> None:
    assert find_weaknesses(INDEX, [Trial("x", ("slack__chat_delete",))]) == []


def test_the_text_names_each_tool_once() -> None:
    trials = [Trial("zzz", ("gmail__labels_create",)), Trial("yyy", ("gmail__labels_create",))]
    text = render_weaknesses(find_weaknesses(INDEX, trials), len(trials))
    assert text.splitlines()[0] == "2 requests tried; 1 tools want other hints:"
    assert text.count("gmail__labels_create") == 1
    assert "it lacks: zzz" in text
    assert render_weaknesses([], 2) == "2 requests tried: each finds its tools."
