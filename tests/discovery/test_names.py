import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.discovery.names import NameTable

LEAVES = {
    "gmail__drafts_send": "drafts_send",
    "gmail__labels_list": "labels_list",
    "linear__labels_list": "labels_list",
    "notion__search": "search",
}
TABLE = NameTable.build(list(LEAVES.items()))


@pytest.mark.parametrize(
    "written",
    [
        "gmail__drafts_send",
        "GMAIL__Drafts_Send",
        " gmail__drafts_send ",
        "gmail drafts send",
        "gmail.drafts.send",
        "gmail__draftsSend",
        "gmail-drafts-send",
        "drafts_send",
        "draftsSend",
        "mcp__charter__gmail__drafts_send",
        "mcp__charter__drafts_send",
        "functions.gmail__drafts_send",
        "charter/gmail__drafts_send",
    ],
)
def test_a_name_is_found_however_it_is_spelled(written: str) -> None:
    assert TABLE.resolve(written) == "gmail__drafts_send"


@pytest.mark.parametrize(
    "written",
    [
        "labels_list",
        "outlook__drafts_send",
        "drafts",
        "",
        "__",
        "mcp__",
        "mcp__x__labels_list",
        "\ud800",
        "x" * 10_000,
    ],
)
def test_what_names_no_tool_or_two_is_not_guessed(written: str) -> None:
    assert TABLE.resolve(written) is None


def test_two_names_that_differ_in_case_are_found_by_their_exact_spelling_only() -> None:
    table = NameTable.build([("a__Go", "Go"), ("a__go", "go")])
    assert table.resolve("a__Go") == "a__Go"
    assert table.resolve("a__GO") is None


@given(st.text(max_size=60))
def test_any_text_is_resolved_or_not(written: str) -> None:
    assert TABLE.resolve(written) in {*LEAVES, None}
