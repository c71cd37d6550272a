"""Calls in the chunks of a stream, however a gateway names, numbers and repeats them: one call each, read right."""

from typing import Any

import pytest

from charter.adapters._openai_chunks import Chunks

READ, SEND = ("read", '{"a": 1}'), ("send", '{"b": 2}')


def piece(name: Any = None, arguments: Any = None, *, index: Any = 0, key: Any = None, **more: Any) -> Any:
    function = {"name": name, "arguments": arguments}
    known = {field: value for field, value in function.items() if value is not None}
    return {"index": index, "id": key, "function": known, **more}


@pytest.mark.parametrize(
    ("pieces", "calls"),
    [
        (
            [piece("read", '{"a"', key="x"), piece("read", ": 1", key="x"), piece("read", "}", key="x")],
            [READ],
        ),
        ([piece("read", '{"a"'), piece("read", ": 1"), piece("read", "}")], [READ]),
        ([piece("read", ""), piece("", '{"a"'), piece("", ": 1}")], [READ]),
        ([piece("read", '{"a"', key="x"), piece(None, ": 1}"), piece("read", '{"a": 1}', key="x")], [READ]),
        ([piece("read", '{"a": 1}'), piece("read", '{"a": 1}')], [READ]),
        ([piece("read", '{"a": 1}'), piece("read", '{"a":1}')], [("read", '{"a":1}')]),
        ([piece("read", '{"a"'), piece("read", '{"a": 1'), piece("read", '{"a": 1}')], [READ]),
        ([piece("read", "{}", key="x"), piece(None, '{"a": 1}', key="x")], [READ]),
        ([piece("read", '{"a": 1}'), piece("send", '{"b": 2}')], [READ, SEND]),
        ([piece("read", '{"a": 1}'), piece("send", '{"b"'), piece(None, ": 2}")], [READ, SEND]),
        ([piece("read", '{"a": 1}'), piece("read", '{"a": 2}')], [READ, ("read", '{"a": 2}')]),
        ([piece("read", ""), piece("send", "")], [("read", ""), ("send", "")]),
        ([piece("read", '{"a": 1}', index=None), piece("send", '{"b": 2}', index=None)], [READ, SEND]),
        ([piece("read", '{"a": 1}', key=""), piece("send", '{"b": 2}', key="")], [READ, SEND]),
        ([piece("read", '{"a": 1}'), piece("send", '{"b": 2}', key="y")], [READ, SEND]),
        ([piece("read", '{"a"'), piece(None, ": 1}", key="late")], [READ]),
        ([piece("read", {"a": 1})], [("read", {"a": 1})]),
        ([piece("read", ""), piece(None, {"a": 1})], [("read", {"a": 1})]),
        ([piece("re", None), piece("ad", None), piece(None, '{"a": 1}')], [READ]),
        ([piece("read", '{"a": 1}', key="x"), piece("send", '{"b": 2}', index=1, key="x")], [READ, SEND]),
        (
            [
                piece("read", "{", key="x"),
                piece("send", "{", index=1, key="y"),
                piece(None, '"a": 1}'),
                piece(None, '"b": 2}', index=1),
            ],
            [READ, SEND],
        ),
    ],
)
def test_one_call_each(pieces: list[Any], calls: list[Any]) -> None:
    answer = Chunks()
    for one in pieces:
        answer.add({"tool_calls": [one]})
    functions = [call["function"] for call in answer.message()["tool_calls"]]
    assert [(function["name"], function["arguments"]) for function in functions] == calls


def test_what_a_provider_adds_to_a_call_or_a_message_is_kept_and_numbers_are_not() -> None:
    signed = {"google": {"thought_signature": "c2ln"}}
    answer = Chunks()
    answer.add(
        {
            "role": "assistant",
            "content": "",
            "reasoning": "Hm",
            "tool_calls": [piece("read", "", key="x", extra_content=signed)],
        }
    )
    answer.add({"reasoning": ", hm.", "tool_calls": [piece(None, "{}")]})
    assert answer.message() == {
        "role": "assistant",
        "content": "",
        "reasoning": "Hm, hm.",
        "tool_calls": [
            {
                "id": "x",
                "type": "function",
                "extra_content": signed,
                "function": {"name": "read", "arguments": "{}"},
            }
        ],
    }


def test_an_answer_without_calls_has_none() -> None:
    answer = Chunks()
    answer.add(None)
    answer.add({"content": "Yes."})
    assert answer.message() == {"content": "Yes."}
