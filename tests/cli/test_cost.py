"""`charter cost`."""

import pytest

from charter import ToolSession, json_tokens, schema_tokens
from charter.adapters.openai import to_openai_tools
from charter.packs import stripe
from tests.cli.terminal import ask, ask_json, read_all_tools


def test_a_pack_is_counted_by_tool_dearest_first() -> None:
    cost = ask_json("cost", "stripe")
    counts = [tool["tokens"] for tool in cost["tools"]]
    assert counts == sorted(counts, reverse=True)
    assert cost["total"] == sum(schema_tokens(tool) for tool in stripe.TOOLS)
    assert cost["first_turn"] == json_tokens(to_openai_tools(ToolSession(stripe.TOOLS)))
    assert cost["everything"] == json_tokens(to_openai_tools(stripe.TOOLS))


def test_all_packs_are_counted_when_none_is_named() -> None:
    assert len(ask_json("cost")["tools"]) == len(read_all_tools())


@pytest.mark.parametrize("name", ["stripe__refunds_create", "refunds_create"])
def test_a_tool_is_counted_by_parameter(name: str) -> None:
    cost = ask_json("cost", name)
    assert cost["total"] == schema_tokens(stripe.refunds_create)
    assert {part["name"] for part in cost["parameters"]} == set(
        stripe.refunds_create.to_json_schema()["parameters"]["properties"]
    )
    assert 0 < sum(part["tokens"] for part in cost["parameters"]) <= cost["total"] + len(cost["parameters"])


def test_the_first_turn_is_told() -> None:
    assert "A first turn sends" in ask("cost", "gmail").splitlines()[-1]
