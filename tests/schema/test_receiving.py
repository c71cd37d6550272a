"""Receiving: what is read and counted before any work, and what is refused there whatever the tool."""

import json
from typing import Any

import pytest
from pydantic import BaseModel

from charter import ToolValidationError, strict_json
from charter.plan import Conventions, read_plan
from charter.schema import receiving
from charter.schema.receiving import (
    MAX_DEPTH,
    MAX_ITEMS,
    MAX_PATH,
    MAX_TEXT,
    Volume,
    find_unsendable,
    merge_arguments,
    receive_arguments,
    unpack_json,
)
from charter.schema.view import validate_arguments


class Args(BaseModel):
    a: Any = None
    b: Any = None


def receive(arguments: Any) -> receiving.Received:
    return receive_arguments("tool", Args, arguments)


def refusal(arguments: Any) -> str:
    with pytest.raises(ToolValidationError) as raised:
        receive(arguments)
    return str(raised.value)


TOO_MANY = "too much for one call: more than 10,000 values; send less at a time"
TOO_LONG = "too much for one call: more than 50,000,000 characters; send less at a time"
AT_MOST: dict[str, Any] = {
    "a list": {"a": [1] * (MAX_ITEMS - 1)},
    "an object": {str(at): at for at in range(MAX_ITEMS)},
    "lists of lists": {"a": [[1]] * (MAX_ITEMS // 2 - 1)},
    "a file": {"a": "x" * 49_000_000},
    "its JSON": json.dumps({"a": [1] * (MAX_ITEMS - 2)}),
    "a tuple": {"a": (1,) * (MAX_ITEMS - 1)},
}
TOO_MUCH: dict[str, tuple[Any, str]] = {
    "a list": ({"a": [1] * 1_000_000}, TOO_MANY),
    "wrong items": ({"a": ["x"] * 1_000_000}, TOO_MANY),
    "unknown keys": ({str(at): at for at in range(1_000_000)}, TOO_MANY),
    "lists of lists": ({"a": [[1]] * MAX_ITEMS}, TOO_MANY),
    "objects": ({"a": [{"b": 1}] * MAX_ITEMS}, TOO_MANY),
    "texts": ({"a": ["x" * 1_000_000] * 51}, TOO_LONG),
    "a text": ({"a": "x" * (MAX_TEXT + 1)}, TOO_LONG),
    "bytes": ({"a": b"x" * (MAX_TEXT + 1)}, TOO_LONG),
    "JSON of a list": ("{" + '"a": [' + "1," * 1_000_000 + "1]}", TOO_MANY),
    "JSON that is long": ('{"a": "' + "x" * MAX_TEXT + '"}', TOO_LONG),
    "JSON of objects": (json.dumps({str(at): {"b": [at]} for at in range(15_000)}), TOO_MANY),
    "a leaf of each kind of tree": ({"a": [{"l": 1, "r": [2]}] * 3_300}, TOO_MANY),
}


@pytest.mark.parametrize("arguments", AT_MOST.values(), ids=AT_MOST)
def test_as_much_as_a_call_may_hold_is_received(arguments: Any) -> None:
    assert receive(arguments).values


@pytest.mark.parametrize(("arguments", "problem"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_more_than_a_call_may_hold_is_refused_with_the_limit(arguments: Any, problem: str) -> None:
    assert refusal(arguments).endswith(problem)


@pytest.mark.parametrize(("arguments", "problem"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_no_work_is_done_on_more_than_a_call_may_hold(
    arguments: Any, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[int] = []
    monkeypatch.setattr(receiving, "_look_at_members", _counting(receiving._look_at_members, looked_at))
    parsed: list[int] = []
    scan = strict_json._DECODER.scan_once

    class Counted:
        def scan_once(self, text: str, at: int) -> Any:
            value, end = scan(text, at)
            parsed.append(end - at)
            return value, end

        def decode(self, text: str) -> Any:
            parsed.append(len(text))
            return json.loads(text)

    monkeypatch.setattr(strict_json, "_DECODER", Counted())
    plan = read_plan("tool", "POST", "things", Args, Conventions())
    with pytest.raises(ToolValidationError, match="too much for one call"):
        validate_arguments(plan, arguments)
    assert len(looked_at) <= MAX_ITEMS
    assert sum(parsed) < 1_000_000


def _counting(work: Any, calls: list[int]) -> Any:
    def counted(*args: Any) -> Any:
        calls.append(1)
        return work(*args)

    return counted


@pytest.mark.parametrize(
    ("arguments", "is_large"),
    [
        ({"a": 1}, False),
        ({"a": [1] * 190}, False),
        ({"a": [1] * 210}, True),
        ({"a": "x" * 60_000}, False),
        ({"a": "x" * 70_000}, True),
        ({"a": "ä" * 70_000}, True),
        ({"a": b"x" * 70_000}, True),
        ({"ä" * 1_000: 1}, False),
        (None, False),
    ],
)
def test_large_is_what_would_hold_up_a_loop(arguments: Any, is_large: bool) -> None:
    assert receive(arguments).volume.is_large is is_large


def test_what_lies_in_the_json_of_a_text_counts_as_well() -> None:
    class Tree(BaseModel):
        trees: "list[Tree]" = []

    plan = read_plan("tool", "POST", "things", Tree, Conventions())
    many = json.dumps([{}] * 7_500)
    validate_arguments(plan, {"trees": many})
    with pytest.raises(ToolValidationError, match=TOO_MANY):
        validate_arguments(plan, {"trees": [{"trees": many}, {"trees": f" {many}"}]})


def test_names_above_a_value_are_bounded_together() -> None:
    assert receive({"x" * MAX_PATH: 1}).values
    nested: Any = 1
    for _ in range(30):
        nested = {"y" * 70: nested}
    for arguments in ({"x" * (MAX_PATH + 1): 1}, {"a": nested}, {"ä" * 1_100: {"b" * 1_000: 1}}):
        assert refusal(arguments).endswith(
            "lies below names of more than 2,000 characters; write shorter ones"
        )
    assert len(refusal({"x" * 1_000_000: 1})) < 300


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 10_000])
def test_what_nests_too_deep_is_refused_without_recursion(depth: int) -> None:
    nested: Any = {}
    for _ in range(depth):
        nested = {"a": nested}
    assert refusal(nested) == f"tool: a: is nested deeper than {MAX_DEPTH} levels"


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("\ud800", "a: holds a broken character (a lone surrogate)"),
        ({"\ud800": 1}, "a.\\ud800: holds a broken character (a lone surrogate)"),
        (float("inf"), "a: must be a finite number"),
        ([1.5, float("nan")], "a: must be a finite number"),
    ],
)
def test_what_no_wire_carries_is_refused(value: Any, problem: str) -> None:
    assert refusal({"a": value}) == f"tool: {problem}"
    assert [f"{each['field']}: {each['problem']}" for each in find_unsendable({"a": value}, Volume())] == [
        problem
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": 1, "b": 2, "a": 3}', "is JSON that gives the key 'a' twice"),
        ('{"a": {"to": 1, "to": 2}}', "is JSON that gives the key 'to' twice"),
        ('{"a": {"' + "k" * 500 + '": 1, "' + "k" * 500 + '": 2}}', f"gives the key '{'k' * 80}' twice"),
        ('{"a": }', "is not JSON (Expecting value: line 1 column 7 (char 6))"),
        ('{"a": NaN}', "is JSON with NaN"),
        ('{"a": 1e999}', "is JSON with a number too large for a float"),
        ('{"a": ' + "9" * 5_000 + "}", "is not JSON (a number has too many digits)"),
        ("[" * 100_000, "is not JSON that can be read (it is nested too deeply)"),
    ],
    ids=lambda value: value[:30],
)
@pytest.mark.parametrize("encode", [str, str.encode])
def test_the_text_of_arguments_is_strict_json(text: str, problem: str, encode: Any) -> None:
    told = refusal(encode(text))
    assert told.startswith("tool: arguments must be an object, got text that ")
    assert told.endswith(problem)


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [("x", "text that is no JSON object"), ("7", "text"), ([], "a list"), (b"\xff", "text")],
)
def test_what_is_no_object_is_told_by_its_kind(arguments: Any, kind: str) -> None:
    assert refusal(arguments).startswith(f"tool: arguments must be an object, got {kind}")


@pytest.mark.parametrize("text", ["x", "7", "null", '"{}"', "", " \n", "true"])
def test_a_text_that_begins_no_object_or_list_stays_a_text(text: str) -> None:
    assert unpack_json(text, Volume()) == (text, "")


def test_an_instance_gives_what_was_set_on_it() -> None:
    assert receive(Args(a=1)).values == {"a": 1}
    assert receive(Args()).values == {}


@pytest.mark.parametrize(
    ("arguments", "more", "merged"),
    [
        (None, {}, None),
        ("text", {}, "text"),
        (None, {"b": 2}, {"b": 2}),
        ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
        ({"a": 1}, {"a": 2}, {"a": 2}),
        ('{"a": 1}', {"b": 2}, {"a": 1, "b": 2}),
        (b'{"a": 1}', {"b": 2}, {"a": 1, "b": 2}),
        (Args(a=1), {}, {"a": 1}),
        (Args(a=1), {"b": 2}, {"a": 1, "b": 2}),
        (Args(), {"b": 2}, {"b": 2}),
        ("[1]", {"b": 2}, [1]),
        ("text", {"b": 2}, "text"),
        ('{"a": }', {"b": 2}, '{"a": }'),
        (7, {"b": 2}, 7),
    ],
)
def test_keyword_arguments_are_merged_into_an_object_only(arguments: Any, more: Any, merged: Any) -> None:
    assert merge_arguments(arguments, more, Args) == merged
