"""Every Stripe tool sends what Stripe's own client sends for the same call, for every leaf parameter it has."""

import re
from datetime import datetime
from typing import Any

import pytest

from charter import Tool
from charter.packs import stripe
from tests.packs.sending import send_one
from tests.packs.stripe.arguments import Arguments, leaves_given, leaves_of, make_variants
from tests.packs.stripe.vendor import KEY, METHODS, Sent, read_request, send_as_vendor

pytestmark = pytest.mark.anyio

TOOLS = 70
LEAVES = 963
"""Leaf parameters of all tools together; each option of a union counts."""


async def send_as_charter(tool: Tool, arguments: Arguments) -> Sent:
    request = await send_one(tool, arguments)
    assert request.url.scheme == "https"
    assert request.url.host == "api.stripe.com"
    return read_request(request.method, str(request.url), dict(request.headers), request.content)


def send_as_stripe(tool: Tool, arguments: Arguments) -> Sent:
    holes = re.findall(r"{(\w+)}", tool.route)
    params: dict[str, Any] = {
        name: as_seconds(value) for name, value in arguments.items() if name not in holes
    }
    return send_as_vendor(tool.name, [arguments[hole] for hole in holes], params)


def as_seconds(value: Any) -> Any:
    """Write moments, at any depth, as the Unix seconds that Stripe's client takes."""
    if isinstance(value, dict):
        return {name: as_seconds(child) for name, child in value.items()}
    if isinstance(value, list):
        return [as_seconds(item) for item in value]
    is_moment = isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT.*", value)
    return int(datetime.fromisoformat(value).timestamp()) if is_moment else value


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRIPE_API_KEY", KEY)


@pytest.mark.parametrize("tool", stripe.TOOLS, ids=lambda tool: tool.name)
async def test_a_tool_sends_what_stripes_client_sends(tool: Tool) -> None:
    schema = tool.to_json_schema()["parameters"]
    missing = leaves_of(schema)
    for arguments in make_variants(tool):
        assert await send_as_charter(tool, arguments) == send_as_stripe(tool, arguments)
        missing -= leaves_given(schema, arguments)
    assert missing == set()


def test_every_tool_and_every_leaf_is_compared() -> None:
    leaves = {tool.name: len(leaves_of(tool.to_json_schema()["parameters"])) for tool in stripe.TOOLS}
    calls = sum(len(make_variants(tool)) for tool in stripe.TOOLS)
    print(f"{len(leaves)} tools, {sum(leaves.values())} leaf parameters, {calls} calls compared")
    assert set(leaves) == set(METHODS)
    assert (len(leaves), sum(leaves.values())) == (TOOLS, LEAVES)


async def test_a_difference_would_be_seen() -> None:
    arguments = {"charge": "ch_1", "amount": 5}
    charter = await send_as_charter(stripe.refunds_create, arguments)
    assert charter == send_as_stripe(stripe.refunds_create, arguments)
    assert charter != send_as_stripe(stripe.refunds_create, {**arguments, "amount": 6})
    assert charter != send_as_stripe(stripe.refunds_create, {"charge": "ch_1"})
