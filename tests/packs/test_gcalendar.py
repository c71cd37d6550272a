"""The Calendar pack as a whole: what it costs, and what the model reads of an answer."""

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from charter import Tool, json_tokens, schema_tokens
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
    assert (len(event["attendees"]), event["attendeesTotal"], event["nextAttendeesFrom"]) == (8, 300, 7)
    assert event["attendees"][-1]["self"] is True
    assert (len(event["description"]), event["descriptionLength"]) == (150, 20_000)


def test_a_list_with_nothing_in_it_is_told_as_such():
    assert fetch(gcalendar.events_list, {"items": [], "nextSyncToken": "s", "kind": "k"}) == {
        "nextSyncToken": "s",
        "items": [],
    }


def make_realistic_event(number: int) -> dict[str, Any]:
    key = f"3k2j5h6g7f8d9s0a1q2w3e{number:04}"
    start = {"dateTime": f"2026-01-{number % 28 + 1:02}T09:00:00+01:00", "timeZone": "Europe/Zurich"}
    answers = ("accepted", "needsAction", "declined", "tentative", "accepted")
    people = ("ann.lee", "zoe.mueller", "grace.hopper", "ada.byron", "bob.miller")
    return {
        "kind": "calendar#event",
        "etag": f'"34{number}1161784712000"',
        "id": f"{key}_20260131T080000Z",
        "status": "confirmed",
        "htmlLink": f"https://www.google.com/calendar/event?eid={key}{key}{key}",
        "created": "2025-11-20T10:00:00.000Z",
        "updated": "2026-01-20T10:00:00.000Z",
        "summary": f"Weekly product sync {number}",
        "description": "Agenda: status, blockers, next steps. " * 12,
        "location": "Bahnhofstrasse 1, 8001 Zurich, Room 4.12",
        "creator": {"email": "ann.lee@example.com"},
        "organizer": {"email": "ann.lee@example.com"},
        "start": start,
        "end": start,
        "recurringEventId": key,
        "originalStartTime": start,
        "iCalUID": f"{key}@google.com",
        "sequence": 2,
        "attendees": [
            {"email": f"{name}@example.com", "responseStatus": answer}
            for name, answer in zip(people[: number % 5 + 1], answers, strict=False)
        ],
        "hangoutLink": "https://meet.google.com/abc-defg-hij",
        "reminders": {"useDefault": True},
        "eventType": "default",
    }


def make_realistic_calendar(number: int) -> dict[str, Any]:
    return {
        "kind": "calendar#calendarListEntry",
        "etag": f'"34{number}1161784712000"',
        "id": f"c_188{number:04}a2b3c4d5e6f7g8h9i0j1k2l3m4@group.calendar.google.com",
        "summary": f"Team calendar {number}",
        "description": "Absences, releases and on-call of the team",
        "timeZone": "Europe/Zurich",
        "colorId": "14",
        "backgroundColor": "#9fe1e7",
        "accessRole": "writer",
        "defaultReminders": [{"method": "popup", "minutes": 10}],
    }


@pytest.mark.parametrize(
    ("tool", "make"),
    [
        (gcalendar.events_list, make_realistic_event),
        (gcalendar.events_instances, make_realistic_event),
        (gcalendar.calendar_list_list, make_realistic_calendar),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
async def test_a_default_page_is_one_that_a_model_can_take(tool: Tool, make: Callable[[int], dict[str, Any]]):
    def answer(request: httpx2.Request) -> httpx2.Response:
        size = int(request.url.params["maxResults"])
        items = [make(number) for number in range(size)]
        page = {
            "items": items,
            "nextPageToken": "CigKGjY3",
            "timeZone": "Europe/Zurich",
            "accessRole": "owner",
        }
        return httpx2.Response(200, json=page)

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        page = await tool.ainvoke(
            {"eventId": "e"} if tool is gcalendar.events_instances else {}, client=client
        )
    assert page["nextPageToken"] == "CigKGjY3"
    assert 1_000 < json_tokens(page) <= 2_500
