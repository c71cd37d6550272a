"""The counterparties answer, keep state, and forget it between tests."""

import json
import urllib.request
from typing import Any

import openai
import pytest

from tests.counterparties.aimock import Aimock, calls, text
from tests.counterparties.emulate import Emulate


def _ask(
    url: str, token: str, body: bytes | None = None, kind: str = "application/x-www-form-urlencoded"
) -> Any:
    headers = {"Authorization": f"Bearer {token}", **({"Content-Type": kind} if body else {})}
    request = urllib.request.Request(url, data=body, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


@pytest.mark.parametrize("email", ["a%40example.com", "b%40example.com"])
def test_localstripe_is_empty_at_the_start_of_each_test(localstripe_url: str, email: str) -> None:
    assert _ask(f"{localstripe_url}/v1/customers", "sk_test_1")["data"] == []
    made = _ask(f"{localstripe_url}/v1/customers", "sk_test_1", f"email={email}".encode())
    assert [one["id"] for one in _ask(f"{localstripe_url}/v1/customers", "sk_test_1")["data"]] == [made["id"]]


@pytest.mark.anyio
@pytest.mark.parametrize("stream", [False, True])
async def test_aimock_answers_a_chat_in_the_order_scripted(aimock: Aimock, stream: bool) -> None:
    aimock.script([calls(("ToolSearch", {"query": "refund"}, "call_1")), text("Done.")])
    tool: Any = {"type": "function", "function": {"name": "ToolSearch", "parameters": {"type": "object"}}}
    async with openai.AsyncOpenAI(base_url=aimock.openai_url, api_key="x", max_retries=0) as client:
        said: list[Any] = [{"role": "user", "content": "hi"}]
        if stream:
            async for _ in await client.chat.completions.create(
                model="m", messages=said, tools=[tool], stream=True
            ):
                pass
        else:
            first = await client.chat.completions.create(model="m", messages=said, tools=[tool])
            assert first.choices[0].message.tool_calls
            assert first.choices[0].message.tool_calls[0].id == "call_1"
        second = await client.chat.completions.create(model="m", messages=said, tools=[tool])
        assert second.choices[0].message.content == "Done."
        with pytest.raises(openai.InternalServerError):
            await client.chat.completions.create(model="m", messages=said)
    assert [body["model"] for body in aimock.bodies()] == ["m", "m", "m"]
    assert aimock.journal()[0]["tools"] == [tool]


@pytest.mark.parametrize(
    ("path", "body", "where"),
    [
        ("/v1/responses", {"model": "m", "input": "hi"}, lambda d: d["output"][0]["name"]),
        (
            "/v1/messages",
            {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]},
            lambda d: d["content"][0]["name"],
        ),
        (
            "/v1beta/models/m:generateContent",
            {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]},
            lambda d: d["candidates"][0]["content"]["parts"][0]["functionCall"]["name"],
        ),
    ],
)
def test_aimock_speaks_every_providers_shape(aimock: Aimock, path: str, body: Any, where: Any) -> None:
    aimock.script([calls(("ToolSearch", {"query": "refund"}))])
    sent = json.dumps(body).encode()
    assert where(_ask(aimock.url + path, "x", sent, "application/json")) == "ToolSearch"
    assert [request.body for request in aimock.requests()] == [sent]


@pytest.mark.parametrize("again", [1, 2])
def test_emulate_puts_the_seed_back_for_each_test(emulate: Emulate, again: int) -> None:
    base, token = f"{emulate.url('google')}/gmail/v1/users/me", emulate.token("google")
    assert len(_ask(f"{base}/messages", token)["messages"]) == 4
    assert _ask(f"{base}/messages/msg_invoice", token)["threadId"] == "thr_invoice"
    _ask(f"{base}/messages/msg_invoice/trash", token, b"{}", "application/json")
    assert len(_ask(f"{base}/messages", token)["messages"]) == 3


def test_every_emulated_service_knows_its_token(emulate: Emulate) -> None:
    def ask(service: str, path: str, body: bytes | None = None, kind: str = "application/json") -> Any:
        return _ask(emulate.url(service) + path, emulate.token(service), body, kind)

    assert ask("github", "/user")["login"] == "ada"
    assert ask("stripe", "/v1/customers")["data"][0]["email"] == "grace@example.com"
    assert ask("slack", "/api/auth.test", b"{}")["ok"] is True
    assert (
        ask("linear", "/graphql", b'{"query":"{ viewer { email } }"}')["data"]["viewer"]["email"]
        == "ada@example.com"
    )
