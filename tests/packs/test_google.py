"""What both of Google's packs keep: they are described, closed and chained, and no answer is too odd for them.

Not here: what one of them alone shows and costs (`test_gmail`, `test_gcalendar`).
"""

import json
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from charter import APIError, Tool
from charter.packs import gcalendar, gmail
from tests.packs.gcalendar import arguments as gcalendar_arguments
from tests.packs.gcalendar.vendor import GCALENDAR
from tests.packs.gmail import arguments as gmail_arguments
from tests.packs.gmail.vendor import GMAIL
from tests.packs.google import any_json

pytestmark = pytest.mark.usefixtures("google_token")

PACKS = {"gmail": gmail, "gcalendar": gcalendar}
GOOGLE = {"gmail": GMAIL, "gcalendar": GCALENDAR}
ARGUMENTS = {"gmail": gmail_arguments, "gcalendar": gcalendar_arguments}
IDENTIFIERS = {
    "gmail": {"id", "ids", "messageId", "startHistoryId"},
    "gcalendar": {"calendarId", "eventId", "destination", "eventLabelId"},
}
UNSEEN = {"gmail": {"userId"}, "gcalendar": {"userId", "conferenceDataVersion", "supportsAttachments"}}
"""Parameters that are not the model's."""

ANSWERS = {
    "gmail": any_json(
        "id threadId message messages payload raw snippet headers name value body data size attachmentId parts "
        "mimeType filename internalDate labelIds drafts threads labels history messagesAdded labelsAdded color "
        "nextPageToken historyId emailAddress"
    ),
    "gcalendar": any_json(
        "id items attendees email responseStatus self organizer description start end dateTime date etag "
        "conferenceData entryPoints uri createRequest nextPageToken nextSyncToken summary attachments"
    ),
}

each_tool = pytest.mark.parametrize(
    "tool", [*gmail.TOOLS, *gcalendar.TOOLS], ids=lambda tool: tool.qualified_name
)


@each_tool
def test_a_tool_is_described_hinted_and_closed(tool: Tool):
    schema = tool.to_json_schema()
    assert getattr(PACKS[tool.pack], tool.name) is tool
    assert schema["description"].endswith(".")
    assert len(schema["description"]) <= 130
    assert tool.hints
    assert not any(name in json.dumps(schema) for name in UNSEEN[tool.pack])
    assert schema["parameters"]["additionalProperties"] is False


@each_tool
def test_an_identifier_names_the_tool_that_produces_it(tool: Tool):
    names = {each.name for each in PACKS[tool.pack].TOOLS}
    assert set(tool.needs.values()) <= names
    assert set(tool.needs) <= set(tool.parameters)
    assert IDENTIFIERS[tool.pack] & set(tool.parameters) <= set(tool.needs)


@each_tool
def test_a_scope_is_one_that_google_accepts(tool: Tool):
    google = GOOGLE[tool.pack]
    described = google.describe(tool.name)
    [scope] = tool.scopes
    assert scope in described["scopes"]
    path = google.document["servicePath"] + described["path"]
    assert tool.route == path or tool.route.replace("{userId}", "me") == path


@each_tool
@given(data=st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_json_is_an_answer(tool: Tool, data: st.DataObject):
    answer = data.draw(ANSWERS[tool.pack])
    result = fetch(tool, answer)
    if isinstance(answer, dict) and answer:
        assert result


def fetch(tool: Tool, answer: Any) -> Any:
    arguments = next(ARGUMENTS[tool.pack].variants(tool))
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, json=answer))
    return tool.invoke(arguments, client=httpx2.AsyncClient(transport=transport))


def throttled(reason: str, message: str) -> dict[str, Any]:
    told = {"domain": "usageLimits", "reason": reason, "message": message}
    return {"error": {"errors": [told], "code": 403, "message": message}}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (403, throttled("rateLimitExceeded", "Rate Limit Exceeded")),
        (403, throttled("userRateLimitExceeded", "User Rate Limit Exceeded")),
        (403, throttled("quotaExceeded", "Calendar usage limits exceeded.")),
        (403, throttled("dailyLimitExceeded", "Daily Limit Exceeded")),
        (429, {"error": {"code": 429, "message": "Too many concurrent requests for user"}}),
    ],
)
@pytest.mark.parametrize(
    "tool",
    [gmail.messages_get, gmail.messages_send, gcalendar.events_list, gcalendar.events_patch],
    ids=lambda tool: tool.name,
)
def test_too_many_requests_mean_wait(tool: Tool, status: int, body: dict[str, Any]):
    transport = httpx2.MockTransport(lambda _: httpx2.Response(status, json=body))
    with pytest.raises(APIError) as caught:
        tool.invoke(
            next(ARGUMENTS[tool.pack].variants(tool))
            | ({"summary": "x"} if tool.name == "events_patch" else {}),
            client=httpx2.AsyncClient(transport=transport),
        )
    said = caught.value.for_model().lower()
    assert "wait" in said
    assert "permission" not in said


def test_a_lack_of_permission_is_not_told_to_wait():
    body = throttled("insufficientPermissions", "Request had insufficient authentication scopes.")
    transport = httpx2.MockTransport(lambda _: httpx2.Response(403, json=body))
    with pytest.raises(APIError) as caught:
        gmail.profile_get.invoke(client=httpx2.AsyncClient(transport=transport))
    assert "wait" not in caught.value.for_model().lower()
