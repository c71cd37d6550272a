"""`charter search`."""

from charter import ToolSession
from tests.cli.terminal import ask, ask_json, read_all_tools


def test_it_finds_what_a_session_would_load() -> None:
    for query in ("refund a payment", "+gmail send; refund a payment", "select:refunds_create,drafts_send"):
        found = [tool["name"] for part in ask_json("search", query) for tool in part["found"]]
        assert list(dict.fromkeys(found)) == ToolSession(read_all_tools()).search(query)["loaded"]


def test_a_limit_holds_for_each_need() -> None:
    parts = ask_json("search", "find mail; refund", "--limit", "2")
    assert [len(part["found"]) for part in parts] == [2, 2]


def test_several_needs_are_printed_under_their_queries() -> None:
    text = ask("search", "+gmail send; refund a payment", "--limit", "1")
    assert "+gmail send" in text.splitlines()
    assert "stripe__refunds_create" in text


def test_an_explanation_tells_which_word_counted_where() -> None:
    (need,) = ask_json("search", "--explain", "give the customer her money back")
    best = next(reason for reason in need["reasons"] if reason["name"] == "stripe__refunds_create")
    fields = {field for word in best["matched"] for found in word["found"].values() for field in found}
    assert fields & {"name", "summary", "hints"}
    assert all(word["gain"] > 0 for word in best["matched"])


def test_an_explanation_is_read_tool_by_tool() -> None:
    lines = ask("search", "--explain", "refund a payment; send mail", "--limit", "2").splitlines()
    assert lines[0] == "refund a payment"
    assert lines[1].startswith("1. stripe__refund")
    assert "send mail" in lines


def test_nothing_found_is_said_and_no_error() -> None:
    assert ask("search", "qqqqqqqq zzzzzzzz") == "Nothing fits. Try other words.\n"


def test_a_name_that_no_tool_has_is_answered_with_close_ones() -> None:
    text = ask("search", "select:refund_creates")
    assert "refund_creates: there is no such tool." in text
    assert "stripe__refunds_create" in text
