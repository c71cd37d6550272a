"""The scripted model decides from what it is sent, and from nothing else."""

import json
from typing import Any

import pytest

from charter import ToolSession
from charter.adapters.openai import to_openai_tools
from charter.cli.demo.errand import MESSAGES, make_model
from charter.cli.demo.scripted import Memory, ScriptedModel, Step, fit, read_memory
from charter.packs import gmail, stripe

pytestmark = pytest.mark.anyio
TOOLS = [*gmail.TOOLS, *stripe.TOOLS]
TASK = {"role": "user", "content": "Do it."}


def offer(*names: str, **properties: Any) -> list[dict[str, Any]]:
    parameters = {"type": "object", "properties": properties}
    return [
        {"type": "function", "function": {"name": name, "description": "", "parameters": parameters}}
        for name in names
    ]


async def choose(model: ScriptedModel, messages: Any, tools: Any) -> list[tuple[str, dict[str, Any]]]:
    message = (await model.create(messages=messages, tools=tools))["choices"][0]["message"]
    return [
        (call["function"]["name"], json.loads(call["function"]["arguments"]))
        for call in message.get("tool_calls", [])
    ]


def talk(*turns: tuple[str, dict[str, Any], str]) -> list[dict[str, Any]]:
    """Return the messages of a conversation in which each call got this result."""
    messages: list[dict[str, Any]] = [TASK]
    for at, (name, arguments, result) in enumerate(turns):
        call = {"id": str(at), "function": {"name": name, "arguments": json.dumps(arguments)}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": str(at), "content": result})
    return messages


STEP = Step(("rooms", "list"), "find a room", lambda memory: {"city": "Porto", "color": "red"})


async def test_it_asks_by_name_for_what_the_listing_has() -> None:
    ((name, arguments),) = await choose(make_model(), MESSAGES, to_openai_tools(ToolSession(TOOLS)))
    assert name == "ToolSearch"
    assert "gmail__messages_list" in arguments["query"]
    assert arguments["query"].endswith("; refund a charge")


@pytest.mark.parametrize("listing", ["packs", "packs_alone"])
async def test_it_asks_in_words_where_the_listing_has_no_names(listing: str) -> None:
    tools = to_openai_tools(ToolSession(TOOLS, listing=listing))
    ((_, arguments),) = await choose(make_model(), MESSAGES, tools)
    assert "select:" not in arguments["query"]
    assert "find mail" in arguments["query"]


async def test_it_searches_for_nothing_when_everything_is_there() -> None:
    ((name, _),) = await choose(make_model(), MESSAGES, to_openai_tools(TOOLS))
    assert name == "gmail__messages_list"


async def test_it_writes_only_arguments_that_the_schema_has() -> None:
    model = ScriptedModel([STEP], lambda memory: "Done.")
    tools = offer("hotel__rooms_list", city={"type": "string"})
    assert await choose(model, [TASK], tools) == [("hotel__rooms_list", {"city": "Porto"})]


async def test_it_takes_back_what_a_refusal_says_is_too_much() -> None:
    step = Step(("rooms", "list"), "", lambda memory: {"city": "Porto", "zip": "4000"})
    told = "hotel__rooms_list: give exactly one of zip, city"
    messages = talk(("hotel__rooms_list", {"city": "Porto", "zip": "4000"}, told))
    tools = offer("hotel__rooms_list", city={}, zip={})
    chosen = await choose(ScriptedModel([step], lambda memory: ""), messages, tools)
    assert chosen == [("hotel__rooms_list", {"city": "Porto"})]


async def test_it_gives_up_rather_than_repeat_a_refused_call() -> None:
    model = ScriptedModel([STEP], lambda memory: f"Gave up: {memory.refusals['hotel__rooms_list']}")
    messages = talk(("hotel__rooms_list", {"city": "Porto"}, "hotel failed (500)"))
    said = await model.create(messages=messages, tools=offer("hotel__rooms_list", city={}))
    assert said["choices"][0]["message"]["content"] == "Gave up: hotel failed (500)"


async def test_it_answers_when_all_steps_are_done() -> None:
    model = ScriptedModel([STEP], lambda memory: f"Found {memory.results['hotel__rooms_list']}.")
    messages = talk(("hotel__rooms_list", {"city": "Porto"}, "[1]"))
    said = await model.create(messages=messages, tools=offer("hotel__rooms_list", city={}))
    assert said["choices"][0]["message"] == {"role": "assistant", "content": "Found [1]."}


def test_the_shortest_fitting_name_is_picked() -> None:
    assert (
        STEP.pick(["hotel__rooms_list_all", "hotel__rooms_list", "hotel__rooms_get"]) == "hotel__rooms_list"
    )
    assert STEP.pick(["hotel__bedrooms_list"]) is None


def test_a_conversation_is_read_by_tool() -> None:
    needs = json.dumps({"loaded": [], "needs": {"charge": "stripe__charges_list"}})
    memory = read_memory(talk(("ToolSearch", {"query": "x"}, needs), ("a__b", {"c": 1}, "no JSON")))
    assert memory == Memory(
        "Do it.", {}, {"a__b": "no JSON"}, {"a__b": {"c": 1}}, ["x"], frozenset({"stripe__charges_list"})
    )


def test_values_are_fitted_to_a_schema_at_every_depth() -> None:
    schema = {
        "properties": {"mail": {"properties": {"to": {}}}, "reason": {"enum": ["duplicate"]}, "empty": {}}
    }
    values = {"mail": {"to": ["a"], "x": 1}, "reason": "other", "empty": "", "y": 2}
    assert fit(values, schema) == {"mail": {"to": ["a"]}}
