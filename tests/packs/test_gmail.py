"""The Gmail pack as a whole: what it costs, and what the model reads of an answer."""

import base64
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from charter import Tool, json_tokens, schema_tokens
from charter.packs import gmail

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("google_token")]

MORE = {"messages_trash", "messages_untrash", "messages_delete", "history_list", "profile_get"}
"""Tools beyond the twenty-four that a Gmail pack is measured by."""


def test_the_schemas_of_the_measured_tools_stay_cheap():
    measured = [tool for tool in gmail.TOOLS if tool.name not in MORE]
    assert len(measured) == 24
    assert sum(map(schema_tokens, measured)) <= 3_300


def test_every_list_is_paged():
    paged = {tool.name for tool in gmail.TOOLS if tool.pagination}
    assert paged == {"messages_list", "threads_list", "drafts_list", "history_list"}


async def fetch_attachment(body: dict[str, Any]) -> Any:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, json=body))
    async with httpx2.AsyncClient(transport=transport) as client:
        return await gmail.messages_attachments_get.ainvoke(messageId="m", id="a", client=client)


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (b"a,b\r\n1,2", {"bytes": 8, "text": "a,b\r\n1,2"}),
        ("Grüße".encode("utf-8-sig"), {"bytes": 10, "text": "Grüße"}),
        (b"%PDF\x00", {"bytes": 5, "content": "JVBERgA="}),
        (b"\xff\xfe?>", {"bytes": 4, "content": "//4/Pg=="}),
        (
            b"x" * 30_000,
            {
                "bytes": 30_000,
                "text": "x" * 20_000,
                "textTruncated": True,
                "textLength": 30_000,
                "nextTextFrom": 20_000,
            },
        ),
        (
            b"\xff" * 90_000,
            {
                "bytes": 90_000,
                "contentTruncated": True,
                "note": "too large to show; it can be attached by its id",
            },
        ),
        (b"", {"bytes": 0, "text": ""}),
    ],
)
async def test_an_attachment_is_text_or_base64_and_never_endless(content: bytes, shown: dict[str, Any]):
    data = base64.urlsafe_b64encode(content).decode()
    assert await fetch_attachment({"size": len(content), "data": data}) == shown


async def test_what_is_no_attachment_is_shown_as_it_came():
    for odd in ({"data": "%%"}, {"data": 5}, {"size": 3}, {"x": 1}):
        assert await fetch_attachment(odd) == odd


def make_message(number: int) -> dict[str, Any]:
    key = f"19cb{number:012}"
    return {"id": key, "threadId": key}


def make_thread(number: int) -> dict[str, Any]:
    snippet = (
        "Hello Ada, invoice 1042 over 20 dollars was charged twice. Could you refund one of them, please? "
        * 2
    )
    return {"id": f"19cb{number:012}", "snippet": snippet, "historyId": f"98765{number:02}"}


def make_draft(number: int) -> dict[str, Any]:
    return {"id": f"r-86234174932498{number:05}", "message": make_message(number)}


def make_change(number: int) -> dict[str, Any]:
    message = {**make_message(number), "labelIds": ["UNREAD", "CATEGORY_PERSONAL", "INBOX"]}
    return {"id": f"98765{number:02}", "messages": [message], "messagesAdded": [{"message": message}]}


@pytest.mark.parametrize(
    ("tool", "member", "make"),
    [
        (gmail.messages_list, "messages", make_message),
        (gmail.threads_list, "threads", make_thread),
        (gmail.drafts_list, "drafts", make_draft),
        (gmail.history_list, "history", make_change),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
async def test_a_default_page_is_one_that_a_model_can_take(
    tool: Tool, member: str, make: Callable[[int], dict[str, Any]]
):
    def answer(request: httpx2.Request) -> httpx2.Response:
        size = int(request.url.params.get("maxResults", 100))  # Gmail's own default
        return httpx2.Response(200, json={member: [make(n) for n in range(size)], "nextPageToken": "0987"})

    arguments = {"startHistoryId": "1"} if tool is gmail.history_list else {}
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        page = await tool.ainvoke(arguments, client=client)
    assert page["nextPageToken"] == "0987"
    assert 1_000 < json_tokens(page) <= 2_500
