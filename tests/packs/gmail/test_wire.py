"""Every tool's request equals the one that Google's own client builds for the same call."""

from typing import Any

import pytest

from charter import Bearer, Tool
from charter.packs import gmail
from charter.packs.gmail.api import api
from tests.packs.gmail.arguments import variants
from tests.packs.gmail.vendor import GMAIL, parse_mail, write_mail
from tests.packs.google import Request, names_in
from tests.packs.sending import send, send_one

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("google_token")]

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


PAGES = {"threads_list": 30, "history_list": 50}
"""What is asked for where Google's own page is more than a model should be sent."""


def as_vendor_takes_it(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The same call for Google's client: there the caller encodes the mail, and reads a text as a whole."""
    arguments = {name: value for name, value in arguments.items() if name != "textFrom"}
    if tool in PAGES:
        arguments = {"maxResults": PAGES[tool], **arguments}
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
    *reads, sent = await send(tool, arguments)
    assert all(read.method == "GET" for read in reads)
    ours = Request.of(sent.method, str(sent.url), sent.content)
    theirs = GMAIL.build(tool.name, as_vendor_takes_it(tool.name, arguments))
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
    assert len(CASES) == 160


def is_left_out(path: str) -> bool:
    return path.rpartition(".")[2] in LEFT_OUT


@pytest.mark.parametrize("tool", gmail.TOOLS, ids=lambda tool: tool.name)
def test_every_parameter_that_google_describes_is_compared(tool: Tool):
    described = GMAIL.describe(tool.name)
    wanted = {name for name in described["parameters"] if name != "userId"}
    wanted |= GMAIL.writable(tool.name, is_left_out)
    if tool.name == "drafts_send":
        wanted = {"id"}  # drafts_update changes a draft before it is sent
    given: set[str] = set()
    for each, arguments in CASES:
        if each is tool:
            given |= names_in(as_vendor_takes_it(tool.name, arguments))
    assert given == wanted


async def test_configure_sets_credential_and_address(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(api, "auth", api.auth)
    monkeypatch.setattr(api, "base_url", api.base_url)
    gmail.configure(auth=Bearer("mine"), base_url="http://127.0.0.1:9")
    sent = await send_one(gmail.profile_get, {})
    assert str(sent.url) == "http://127.0.0.1:9/gmail/v1/users/me/profile"
    assert sent.headers["Authorization"] == "Bearer mine"
