"""What a search newly shows: read off its answer, and off the messages of any provider."""

import json
from typing import Any

import pytest

from charter.discovery.revealing import Revealed, read_revealed, read_shown
from charter.discovery.turn import Answer


def answer(*loaded: str, note: str = "Call these by name.", **more: Any) -> Answer:
    return Answer(json.dumps({"loaded": loaded, "note": note, **more}))


def test_what_was_all_found_needs_no_remark() -> None:
    assert read_revealed(answer("a__b", "a__c", "a__b"), ()) == Revealed(("a__b", "a__c"), "")
    assert read_revealed(answer("a__b"), {"x"}).remark == ""


@pytest.mark.parametrize(
    "told",
    [
        answer("a__b", note="Nothing fits x."),
        answer("a__b", unknown={"x": []}),
        answer("a__b", needs={"i": "j"}),
    ],
)
def test_whatever_else_was_said_is_a_remark(told: Answer) -> None:
    assert read_revealed(told, ()) == Revealed(("a__b",), told.text)


def test_what_the_model_has_seen_is_not_shown_again_but_said() -> None:
    told = answer("a__b", "a__c")
    assert read_revealed(told, {"a__b"}) == Revealed(("a__c",), told.text)


@pytest.mark.parametrize(
    "text", ["more of a result", "[1]", "null", '{"loaded": [1]}', "ToolSearch: query: got 5"]
)
def test_an_answer_that_is_no_search_result_is_all_remark(text: str) -> None:
    assert read_revealed(Answer(text), ()) == Revealed((), text)


def test_what_messages_show_is_read_in_order_whatever_their_shape() -> None:
    anthropic = [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "1", "name": "ToolSearch", "input": {}}],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "1",
                    "content": [{"type": "tool_reference", "tool_name": "a__b"}],
                }
            ],
        },
    ]
    responses = [
        {"type": "tool_search_call", "call_id": "2", "execution": "client", "arguments": {}},
        {
            "type": "tool_search_output",
            "call_id": "2",
            "execution": "client",
            "tools": [
                {"type": "namespace", "name": "a", "tools": [{"name": "c"}, {"name": "d"}]},
                {"type": "function", "name": "a__e"},
                {"type": "web_search"},
            ],
        },
    ]
    assert read_shown([*anthropic, *responses]) == ["a__b", "a__c", "a__d", "a__e"]
    assert read_shown([{"role": "user", "content": "Hi."}, "x", None]) == []
