"""The Gmail pack as a whole: what it shows the model and costs, and that no answer of a server is too odd for it."""

import base64
import json
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from charter import Tool, schema_tokens
from charter.packs import gmail
from tests.packs.gmail.arguments import variants

pytestmark = pytest.mark.anyio

MORE = {"messages_trash", "messages_untrash", "messages_delete", "history_list", "profile_get"}
"""Tools beyond the twenty-four that a Gmail pack is measured by."""


@pytest.fixture(autouse=True)
def credential(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_ACCESS_TOKEN", "ya29.test")


def test_the_schemas_of_the_measured_tools_stay_cheap():
    measured = [tool for tool in gmail.TOOLS if tool.name not in MORE]
    assert len(measured) == 24
    assert sum(map(schema_tokens, measured)) <= 3_300


@pytest.mark.parametrize("tool", gmail.TOOLS, ids=lambda tool: tool.name)
def test_a_tool_is_described_hinted_and_closed(tool: Tool):
    schema = tool.to_json_schema()
    assert getattr(gmail, tool.name) is tool
    assert schema["description"].endswith(".")
    assert len(schema["description"]) <= 130
    assert tool.hints
    assert "userId" not in json.dumps(schema)
    assert schema["parameters"]["additionalProperties"] is False


@pytest.mark.parametrize("tool", gmail.TOOLS, ids=lambda tool: tool.name)
def test_an_identifier_names_the_tool_that_produces_it(tool: Tool):
    names = {each.name for each in gmail.TOOLS}
    assert set(tool.needs.values()) <= names
    assert set(tool.needs) <= set(tool.parameters)
    identifiers = {name for name in tool.parameters if name in {"id", "ids", "messageId", "startHistoryId"}}
    assert identifiers <= set(tool.needs)


def test_every_list_is_paged():
    paged = {tool.name for tool in gmail.TOOLS if tool.pagination}
    assert paged == {"messages_list", "threads_list", "drafts_list", "history_list"}


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "id threadId message messages payload raw snippet headers name value body data size attachmentId parts "
                "mimeType filename internalDate labelIds drafts threads labels history messagesAdded labelsAdded color "
                "nextPageToken historyId emailAddress".split()
            )
            | st.text(max_size=2),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@pytest.mark.parametrize("tool", gmail.TOOLS, ids=lambda tool: tool.name)
@given(data=JSON)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_json_is_an_answer(tool: Tool, data: Any):
    arguments = next(variants(tool))
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, json=data))
    result = tool.invoke(arguments, client=httpx2.AsyncClient(transport=transport))
    if isinstance(data, dict) and data:
        assert result


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
