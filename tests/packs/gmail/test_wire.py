"""Every tool's request equals the one that Google's own client builds for the same call."""

from typing import Any

import httpx2
import pytest

from charter import Bearer, Tool
from charter.packs import gmail
from charter.packs.gmail.api import api
from tests.packs.gmail.arguments import variants
from tests.packs.gmail.vendor import Request, build, describe, document, parse_mail, write_mail

pytestmark = pytest.mark.anyio

CASES = [(tool, arguments) for tool in gmail.TOOLS for arguments in variants(tool)]

LEFT_OUT = {
    "userId": "the host's; always the user's own mailbox",
    "id": "the server's, or in the path",
    "historyId": "the server's",
    "internalDate": "the server's",
    "labelIds": "the server's on what is sent",
    "payload": "the server's reading of raw",
    "sizeEstimate": "the server's",
    "snippet": "the server's",
    "type": "the server's",
    "messagesTotal": "the server's",
    "messagesUnread": "the server's",
    "threadsTotal": "the server's",
    "threadsUnread": "the server's",
}
"""Members of Google's schemas that no tool offers, and why."""


@pytest.fixture(autouse=True)
def credential(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_ACCESS_TOKEN", "ya29.test")


async def capture(tool: Tool, arguments: dict[str, Any]) -> httpx2.Request:
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json={})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        await tool.ainvoke(arguments, client=client)
    [request] = seen
    return request


def as_vendor_takes_it(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The same call for Google's client: there the caller encodes the mail."""
    if "message" not in arguments:
        return arguments
    mail = dict(arguments["message"])
    message = {key: mail.pop(key) for key in ("threadId", "classificationLabelValues") if key in mail}
    message["raw"] = write_mail(mail)
    rest = {key: value for key, value in arguments.items() if key != "message"}
    return {**rest, **message} if tool == "messages_send" else {**rest, "message": message}


def take_raw(request: Request) -> str | None:
    """Take the encoded mail out of a body, wherever it is."""
    if not isinstance(request.body, dict):
        return None
    return request.body.get("message", request.body).pop("raw", None)


@pytest.mark.parametrize(
    ("tool", "arguments"), CASES, ids=[f"{tool.name}-{number}" for number, (tool, _) in enumerate(CASES)]
)
async def test_a_request_equals_googles(tool: Tool, arguments: dict[str, Any]):
    sent = await capture(tool, arguments)
    ours = Request.of(sent.method, str(sent.url), sent.content)
    theirs = build(tool.name, as_vendor_takes_it(tool.name, arguments))
    our_mail, their_mail = take_raw(ours), take_raw(theirs)
    assert ours == theirs
    assert (our_mail is None) == (their_mail is None) == ("message" not in arguments)
    if our_mail is not None and their_mail is not None:
        assert parse_mail(our_mail) == parse_mail(their_mail)
    assert sent.headers["Authorization"] == "Bearer ya29.test"
    assert sent.url.host == "gmail.googleapis.com"
    assert sent.headers.get("Content-Type") == ("application/json" if ours.body is not None else None)


def test_every_tool_is_compared_many_times():
    assert len(gmail.TOOLS) == len({tool.name for tool in gmail.TOOLS}) == 29
    assert {tool.name for tool, _ in CASES} == {tool.name for tool in gmail.TOOLS}
    assert len(CASES) == 157


def names_in(value: Any, under: str = "") -> set[str]:
    if isinstance(value, list):
        return {name for each in value for name in names_in(each, under)}
    if not isinstance(value, dict):
        return set()
    return {
        name for key, each in value.items() for name in ({f"{under}{key}"} | names_in(each, f"{under}{key}."))
    }


def writable(schema: str, under: str = "") -> set[str]:
    """The members of one of Google's schemas that a caller may write."""
    names: set[str] = set()
    for name, member in document()["schemas"][schema]["properties"].items():
        if name in LEFT_OUT:
            continue
        names.add(f"{under}{name}")
        inner = member.get("$ref") or member.get("items", {}).get("$ref")
        if inner:
            names |= writable(inner, f"{under}{name}.")
    return names


@pytest.mark.parametrize("tool", gmail.TOOLS, ids=lambda tool: tool.name)
def test_every_parameter_that_google_describes_is_compared(tool: Tool):
    described = describe(tool.name)
    wanted = {name for name in described["parameters"] if name != "userId"}
    if "request" in described:
        wanted |= writable(described["request"]["$ref"])
    if tool.name == "drafts_send":
        wanted = {"id"}  # drafts_update changes a draft before it is sent
    given: set[str] = set()
    for each, arguments in CASES:
        if each is tool:
            given |= names_in(as_vendor_takes_it(tool.name, arguments))
    assert given == wanted


@pytest.mark.parametrize("tool", gmail.TOOLS, ids=lambda tool: tool.name)
def test_a_scope_is_one_that_google_accepts(tool: Tool):
    [scope] = tool.scopes
    assert scope in describe(tool.name)["scopes"]
    assert tool.route == describe(tool.name)["path"]


async def test_configure_sets_credential_and_address(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(api, "auth", api.auth)
    monkeypatch.setattr(api, "base_url", api.base_url)
    gmail.configure(auth=Bearer("mine"), base_url="http://127.0.0.1:9")
    sent = await capture(gmail.profile_get, {})
    assert str(sent.url) == "http://127.0.0.1:9/gmail/v1/users/me/profile"
    assert sent.headers["Authorization"] == "Bearer mine"
