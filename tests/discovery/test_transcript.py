"""Past calls are read off every provider's messages, as dicts and as a client's own objects."""

from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessage

from charter import DeclarationError
from charter.discovery.transcript import PastCall, read_loaded, read_past_calls

_ANSWER = '{"loaded":["a__b"],"note":""}'
_OPENAI: list[Any] = [
    {"role": "user", "content": "hi"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "ToolSearch", "arguments": '{"query":"x"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "1", "content": _ANSWER},
]
_OPENAI_OBJECTS: list[Any] = [_OPENAI[0], ChatCompletionMessage.model_validate(_OPENAI[1]), _OPENAI[2]]
_OPENAI_PARTS: list[Any] = [*_OPENAI[:2], {**_OPENAI[2], "content": [{"type": "text", "text": _ANSWER}]}]
_RESPONSES: list[Any] = [
    {
        "type": "function_call",
        "id": "fc_9",
        "call_id": "1",
        "name": "ToolSearch",
        "arguments": '{"query":"x"}',
    },
    {"type": "function_call_output", "call_id": "1", "output": _ANSWER},
]
_ANTHROPIC: list[Any] = [
    {"role": "user", "content": "hi"},
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "1", "name": "ToolSearch", "input": {"query": "x"}}],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": _ANSWER}]}
        ],
    },
]


@pytest.mark.parametrize("messages", [_OPENAI, _OPENAI_OBJECTS, _OPENAI_PARTS, _RESPONSES, _ANTHROPIC])
def test_a_call_and_its_result_are_read_in_every_shape(messages: list[Any]) -> None:
    calls = read_past_calls(messages)
    assert calls == [PastCall("ToolSearch", {"query": "x"}, _ANSWER, True)]
    assert read_loaded(calls[0]) == ["a__b"]


def test_references_count_as_loaded() -> None:
    content = [
        {"type": "tool_reference", "tool_name": "a__b"},
        {"type": "tool_reference", "tool_name": "a__c"},
    ]
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": content}]}
    assert read_loaded(read_past_calls([_ANTHROPIC[1], result])[0]) == ["a__b", "a__c"]


def test_a_result_that_says_nothing_of_loading_is_told_from_one_that_loaded_nothing() -> None:
    def loaded(content: str) -> list[str] | None:
        return read_loaded(read_past_calls([_OPENAI[1], {**_OPENAI[2], "content": content}])[0])

    assert loaded('{"loaded":[],"note":"Nothing fits."}') == []
    assert [loaded(text) for text in ("[cleared]", "", '{"loaded":[5]}', "[]", "null")] == [None] * 5


def test_a_call_without_a_result_is_unfinished() -> None:
    assert [call.finished for call in read_past_calls(_OPENAI[:2])] == [False]


@pytest.mark.parametrize(
    "message",
    [
        None,
        "text",
        5,
        {},
        {"role": "assistant", "tool_calls": [None, {}, {"function": {"name": 5}}]},
        {"role": "assistant", "content": ["x", None, {"type": "tool_use"}]},
        {"role": "tool"},
    ],
)
def test_anything_else_is_passed_over(message: Any) -> None:
    assert read_past_calls([message]) == []


def test_arguments_that_are_no_json_are_none() -> None:
    call = {"id": "1", "function": {"name": "a__b", "arguments": "{"}}
    assert read_past_calls([{"role": "assistant", "tool_calls": [call]}])[0].arguments is None


def test_a_tool_search_that_the_caller_ran_and_calls_by_namespace_are_read() -> None:
    tools = [{"type": "namespace", "name": "shop", "tools": [{"type": "function", "name": "buy"}]}]
    search = {
        "type": "tool_search_call",
        "call_id": "1",
        "execution": "client",
        "arguments": {"query": "buy"},
    }
    called = {"type": "function_call", "call_id": "2", "namespace": "shop", "name": "buy", "arguments": "{}"}
    messages = [
        search,
        {"type": "tool_search_output", "call_id": "1", "execution": "client", "tools": tools},
        called,
        {"type": "function_call_output", "call_id": "2", "output": "done"},
    ]
    first, second = read_past_calls(messages)
    assert (first.name, first.references, read_loaded(first)) == ("ToolSearch", ("shop__buy",), ["shop__buy"])
    assert (second.name, second.result) == ("shop__buy", "done")
    assert read_past_calls([{**search, "execution": "server"}]) == []


_GOOGLE: list[Any] = [
    {"role": "user", "parts": [{"text": "hi"}]},
    {"role": "model", "parts": [{"function_call": {"name": "ToolSearch", "args": {"query": "x"}}}]},
    {
        "role": "user",
        "parts": [{"function_response": {"name": "ToolSearch", "response": {"output": _ANSWER}}}],
    },
]


def test_a_call_without_an_id_is_answered_by_name() -> None:
    twice = [*_GOOGLE, *_GOOGLE[1:]]
    assert read_past_calls(twice) == [PastCall("ToolSearch", {"query": "x"}, _ANSWER, True)] * 2


def test_ids_that_come_again_in_a_later_turn_are_told_apart() -> None:
    later = [{**_OPENAI[2], "content": '{"loaded":["c__d"],"note":""}'}]
    calls = read_past_calls([*_OPENAI, _OPENAI[1], *later])
    assert [read_loaded(call) for call in calls] == [["a__b"], ["c__d"]]


@pytest.mark.parametrize("key", [["1"], {"a": 1}, None, 1.5])
def test_an_id_that_is_none_ends_nothing(key: Any) -> None:
    [message] = [{**_OPENAI[1], "tool_calls": [{**_OPENAI[1]["tool_calls"][0], "id": key}]}]
    assert [call.name for call in read_past_calls([message, {**_OPENAI[2], "tool_call_id": key}])] == [
        "ToolSearch"
    ]


@pytest.mark.parametrize("messages", ["hi", b"hi", {"role": "user"}, None, 5])
def test_what_is_no_list_of_messages_is_refused(messages: Any) -> None:
    with pytest.raises(DeclarationError, match="is no list of messages"):
        read_past_calls(messages)
