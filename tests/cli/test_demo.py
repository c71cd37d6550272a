"""The demo as a user runs it: what happened, what was counted, and how it looks."""

import json
from itertools import pairwise
from typing import Any

import pytest

from charter import json_tokens
from charter.adapters.openai import to_openai_tools
from charter.cli.demo.run import run_with_everything
from charter.packs import gmail, stripe
from tests.cli.terminal import run_charter, show_on_terminal

pytestmark = pytest.mark.anyio
TOOLS = [*gmail.TOOLS, *stripe.TOOLS]


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    done = run_charter(
        "demo", "--json", env={"OPENAI_API_KEY": "", "STRIPE_API_KEY": "", "GOOGLE_ACCESS_TOKEN": ""}
    )
    assert done.stderr == ""
    return json.loads(done.stdout)


def test_the_refund_is_in_the_apis_state(told: dict[str, Any]) -> None:
    (refund,) = told["state"]["refunds"]
    assert (refund["charge"], refund["amount"], refund["status"]) == (
        "ch_3RdemoOrder1042b",
        4800,
        "succeeded",
    )
    assert refund["id"] in told["answer"]


def test_the_answer_is_in_the_thread(told: dict[str, Any]) -> None:
    (sent,) = told["state"]["sent"]
    (refund,) = told["state"]["refunds"]
    assert sent["threadId"] == "19cb000000000002"
    assert "nadia.petrova@example.com" in sent["to"]
    assert refund["id"] in sent["text"]


def test_the_first_turn_is_one_tool(told: dict[str, Any]) -> None:
    (tool,) = told["turns"][0]["request"]["tools"]
    assert tool["function"]["name"] == "ToolSearch"
    assert told["with_search"]["first_turn"] == json_tokens([tool]) <= 1_000


def test_its_figures_are_those_of_the_requests(told: dict[str, Any]) -> None:
    requests = [turn["request"] for turn in told["turns"]]
    counted = [json_tokens(request["tools"]) + json_tokens(request["messages"]) for request in requests]
    assert [turn["tokens"]["tools"] + turn["tokens"]["messages"] for turn in told["turns"]] == counted
    assert told["with_search"]["total"] == sum(counted)
    assert told["with_search"]["turns"] == len(requests)


async def test_the_bill_for_everything_is_that_of_a_run_with_everything(told: dict[str, Any]) -> None:
    done = await run_with_everything(TOOLS)
    whole = json_tokens(to_openai_tools(TOOLS))
    assert [json_tokens(turn.tools) for turn in done.turns] == [whole] * len(done.turns)
    assert told["with_everything"] == {
        "turns": len(done.turns),
        "first_turn": whole,
        "total": sum(json_tokens(turn.messages) + whole for turn in done.turns),
    }
    assert len(done.world.stripe.refunds) == 1


def test_each_tool_list_is_the_beginning_of_the_next(told: dict[str, Any]) -> None:
    lists = [turn["request"]["tools"] for turn in told["turns"]]
    for before, after in pairwise(lists):
        assert after[: len(before)] == before


def test_every_call_but_a_refused_one_went_over_the_wire(told: dict[str, Any]) -> None:
    calls = [call for turn in told["turns"] for call in turn["calls"] if call["name"] != "ToolSearch"]
    unsent = [call["result"] for call in calls if "wire" not in call]
    assert len(unsent) == 1
    assert "give exactly one of" in unsent[0]


def test_a_pipe_gets_every_turn_in_plain_lines(told: dict[str, Any]) -> None:
    text = run_charter("demo").stdout
    assert "\x1b" not in text
    for number, turn in enumerate(told["turns"], start=1):
        assert f"\nturn {number}: " in text
        assert f"{turn['tokens']['tools']:,} tokens" in text
    assert f"Stripe has refund {told['state']['refunds'][0]['id']}: 4800 usd, ch_3RdemoOrder1042b" in text
    assert f"{told['with_search']['total']:,}\t" in text
    assert f"{told['with_everything']['total']:,}\t" in text


def test_a_terminal_keeps_names_whole() -> None:
    written = show_on_terminal("demo", columns=80)
    assert "\x1b[" in written
    for name in ("gmail__messages_send 4", "stripe__charges_list", "with ToolSearch"):
        assert name in written
