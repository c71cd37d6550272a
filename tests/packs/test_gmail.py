"""The Gmail pack as a whole: what it costs, and what the model reads of an answer."""

import base64
from typing import Any

import httpx2
import pytest

from charter import schema_tokens
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
        (b"x" * 30_000, {"bytes": 30_000, "text": "x" * 20_000, "textTruncated": True, "textLength": 30_000}),
        (b"\xff" * 90_000, {"bytes": 90_000, "contentTruncated": True, "note": "too large to show"}),
        (b"", {"bytes": 0, "text": ""}),
    ],
)
async def test_an_attachment_is_text_or_base64_and_never_endless(content: bytes, shown: dict[str, Any]):
    data = base64.urlsafe_b64encode(content).decode()
    assert await fetch_attachment({"size": len(content), "data": data}) == shown


async def test_what_is_no_attachment_is_shown_as_it_came():
    for odd in ({"data": "%%"}, {"data": 5}, {"size": 3}, {"x": 1}):
        assert await fetch_attachment(odd) == odd
