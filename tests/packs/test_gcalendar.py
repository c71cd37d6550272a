"""The Calendar pack as a whole: what it costs, and what the model reads of an answer."""

import json
from typing import Any

import httpx2
import pytest

from charter import Tool, schema_tokens
from charter.packs import gcalendar
from tests.packs.gcalendar.arguments import variants

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("google_token")]


def test_the_schemas_stay_cheap():
    assert sum(map(schema_tokens, gcalendar.TOOLS)) <= 6_000


def test_every_list_is_paged():
    paged = {tool.name for tool in gcalendar.TOOLS if tool.pagination}
    assert paged == {"events_list", "events_instances", "calendar_list_list"}


def fetch(tool: Tool, data: Any) -> Any:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, json=data))
    return tool.invoke(next(variants(tool)), client=httpx2.AsyncClient(transport=transport))


def make_event(guests: int, characters: int) -> dict[str, Any]:
    attendees = [
        {"email": f"g{n}@example.org", "responseStatus": "accepted", "id": "x"} for n in range(guests)
    ]
    attendees[-1] |= {"self": True, "responseStatus": "declined", "comment": "ill"}
    return {
        "kind": "calendar#event",
        "id": "e1",
        "etag": '"1"',
        "htmlLink": "https://calendar.example/e1",
        "summary": "All hands",
        "description": "x" * characters,
        "creator": {"email": "c@example.org", "self": True},
        "attendees": attendees,
        "attendeesOmitted": True,
        "conferenceData": {
            "entryPoints": [{"uri": "https://meet.example/a", "label": "a"}],
            "signature": "s",
        },
    }


def test_an_event_keeps_its_link_its_etag_and_every_answer():
    read = fetch(gcalendar.events_get, make_event(2, 10))
    assert read["attendees"] == [
        {"email": "g0@example.org", "responseStatus": "accepted"},
        {"email": "g1@example.org", "responseStatus": "declined", "self": True, "comment": "ill"},
    ]
    assert (read["id"], read["etag"], read["htmlLink"]) == ("e1", '"1"', "https://calendar.example/e1")
    assert read["conferenceData"] == {"entryPoints": [{"uri": "https://meet.example/a"}]}
    assert read["attendeesOmitted"] is True
    assert "kind" not in read
    assert "Truncated" not in json.dumps(read)


def test_what_is_cut_is_flagged_and_the_users_own_answer_stays():
    read = fetch(gcalendar.events_get, make_event(300, 20_000))
    assert (len(read["attendees"]), read["attendeesTotal"], read["attendeesTruncated"]) == (100, 300, True)
    assert read["attendees"][-1]["responseStatus"] == "declined"
    assert (len(read["description"]), read["descriptionTruncated"]) == (10_000, True)
    page = {"items": [make_event(300, 20_000)], "nextPageToken": "p", "nextSyncToken": "s", "kind": "k"}
    listed = fetch(gcalendar.events_list, page)
    assert (listed["nextPageToken"], listed["nextSyncToken"]) == ("p", "s")
    [event] = listed["items"]
    assert (len(event["attendees"]), event["attendeesTotal"]) == (20, 300)
    assert event["attendees"][-1]["self"] is True
    assert (len(event["description"]), event["descriptionLength"]) == (300, 20_000)


def test_a_list_with_nothing_in_it_is_told_as_such():
    assert fetch(gcalendar.events_list, {"items": [], "nextSyncToken": "s", "kind": "k"}) == {
        "nextSyncToken": "s",
        "items": [],
    }
