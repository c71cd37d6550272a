"""The Stripe pack as a whole: all tools there, cheap, found by people's words, and in the pack's own words."""

import json
import re
from pathlib import Path
from typing import Any

import httpx2
import pytest
import stripe as vendor

from charter import ApiKey, CredentialError, ToolSession
from charter.packs import stripe
from charter.packs.stripe.api import api
from tests.packs.stripe.vendor import METHODS

pytestmark = pytest.mark.anyio

MOST_TOKENS = 17_500

ASKED = {
    "chargebacks": "disputes_list",
    "give money back": "refunds_create",
    "customer receipt url": "charges_retrieve",
    "pause membership": "subscriptions_update",
    "write off bad debt": "invoices_mark_uncollectible",
    "payment link": "checkout_sessions_create",
    "upgrade plan seats": "subscriptions_update",
    "how much money do we have": "balance_retrieve",
    "saved cards": "payment_methods_list",
}


def texts_of(schema: Any) -> list[str]:
    """Return every description in a JSON Schema."""
    if isinstance(schema, list):
        return [text for item in schema for text in texts_of(item)]
    if not isinstance(schema, dict):
        return []
    own = [schema["description"]] if isinstance(schema.get("description"), str) else []
    return own + [text for item in schema.values() for text in texts_of(item)]


def test_there_are_70_tools_each_importable_by_its_name() -> None:
    names = [tool.name for tool in stripe.TOOLS]
    assert (len(names), set(names)) == (70, set(METHODS))
    assert all(getattr(stripe, tool.name) is tool for tool in stripe.TOOLS)
    assert set(dir(stripe)) == {*names, "TOOLS", "configure"}


def test_the_schemas_cost_at_most_17500_tokens() -> None:
    sizes = {
        tool.name: len(json.dumps(tool.to_json_schema()["parameters"], separators=(",", ":"))) / 4
        for tool in stripe.TOOLS
    }
    print(f"{sum(sizes.values()):.0f} tokens, dearest {max(sizes, key=lambda name: sizes[name])}")
    assert sum(sizes.values()) <= MOST_TOKENS


async def test_lists_go_on_after_the_last_id_and_searches_with_the_page_token() -> None:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.query.decode())
        first = len(asked) == 1
        item = {"id": "x_1" if first else "x_2"}
        return httpx2.Response(
            200, json={"data": [item], "has_more": first, "next_page": "p2" if first else None}
        )

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        for tool, given, second in (
            (stripe.charges_list, {"limit": 1}, "limit=1&starting_after=x_1"),
            (stripe.charges_search, {"query": "amount>1"}, "page=p2&query=amount%3E1"),
        ):
            asked.clear()
            headers = {"Authorization": "Bearer sk_test_1"}
            pages = [page async for page in tool.pages(given, headers=headers, client=client)]
            assert [page["data"][0]["id"] for page in pages] == ["x_1", "x_2"]
            assert sorted(asked[1].split("&")) == second.split("&")


@pytest.mark.parametrize(("asked", "tool"), ASKED.items())
def test_people_find_a_tool_by_their_own_words(asked: str, tool: str) -> None:
    assert f"stripe__{tool}" in ToolSession(stripe.TOOLS).search(asked, 5)["loaded"]


def test_no_sentence_is_the_vendors() -> None:
    root = Path(vendor.__file__).parent
    files = [*root.glob("params/**/*.py"), *root.glob("_*.py")]
    theirs = " ".join(re.sub(r"\s+", " ", path.read_text()) for path in files).lower()
    for tool in stripe.TOOLS:
        for text in (tool.description, *texts_of(tool.to_json_schema()["parameters"])):
            if len(text.split()) >= 5:
                assert text.lower().rstrip(".") not in theirs, (tool.name, text)


def test_amounts_say_their_unit_and_times_are_moments() -> None:
    amounts = re.compile("amount|amount_to_capture|unit_amount|application_fee_amount|balance")
    times = re.compile("created|current_period_.*|.*_(at|anchor)|(?!service|shipping).*_date|trial_end")
    for tool in stripe.TOOLS:
        parameters = tool.to_json_schema()["parameters"]
        defs = parameters.get("$defs", {})
        for name, schema in parameters["properties"].items():
            told = schema.get("description", "")
            if amounts.fullmatch(name):
                assert "Smallest currency unit." in told, (tool.name, name)
            if times.fullmatch(name):
                written = json.dumps([schema, defs.get(schema.get("$ref", "").rpartition("/")[2])])
                assert '"date-time"' in written or "enum" in schema, (tool.name, name)
                assert '"integer"' not in written, (tool.name, name)
            assert ("created" in told) == ("Unix seconds" in told), (tool.name, name)


async def test_the_key_is_read_when_a_tool_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.headers["authorization"])
        return httpx2.Response(200, json={"available": []})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        monkeypatch.delenv("STRIPE_API_KEY", raising=False)
        with pytest.raises(CredentialError, match="STRIPE_API_KEY"):
            await stripe.balance_retrieve.ainvoke({}, client=client)
        monkeypatch.setenv("STRIPE_API_KEY", "sk_test_env")
        await stripe.balance_retrieve.ainvoke({}, client=client)

        monkeypatch.setattr(api, "auth", api.auth)
        monkeypatch.setattr(api, "base_url", api.base_url)
        given = ApiKey("sk_test_given", header="Authorization", prefix="Bearer ")
        stripe.configure(auth=given, base_url="https://stripe.example.com")
        await stripe.balance_retrieve.ainvoke({}, client=client)
    assert seen == ["Bearer sk_test_env", "Bearer sk_test_given"]
