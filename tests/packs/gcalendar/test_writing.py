"""Events changed on a calendar that merges as Calendar does: what is cleared, what comes back as it was read."""

from typing import Any

import pytest

from charter import Tool, ToolValidationError
from charter.packs import gcalendar
from tests.packs.gcalendar.calendar import Calendar
from tests.packs.sending import send_one

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("google_token")]

TIMED = {
    "start": {"dateTime": "2026-01-31T09:00:00+01:00", "timeZone": "Europe/Zurich"},
    "end": {"dateTime": "2026-01-31T10:00:00+01:00", "timeZone": "Europe/Zurich"},
}
ALL_DAY = {"start": {"date": "2026-01-31"}, "end": {"date": "2026-02-01"}}


async def test_a_timed_event_becomes_all_day_and_timed_again(calendar: Calendar):
    calendar.put({"id": "e1", **TIMED})
    await gcalendar.events_patch.ainvoke(eventId="e1", **ALL_DAY)
    for end in ("start", "end"):
        time = calendar.events["e1"][end]
        assert (time["date"], "dateTime" in time) == (ALL_DAY[end]["date"], False)
    await gcalendar.events_patch.ainvoke(eventId="e1", **TIMED)
    assert {end: calendar.events["e1"][end] for end in TIMED} == TIMED
    assert calendar.loopback.asked[0].json["start"] == {"date": "2026-01-31", "dateTime": None}
    assert calendar.loopback.asked[1].json["end"] == {**TIMED["end"], "date": None}


async def test_a_write_of_a_whole_event_sends_no_null():
    for tool, more in ((gcalendar.events_insert, {}), (gcalendar.events_update, {"eventId": "e"})):
        assert b"null" not in (await send_one(tool, {**more, **ALL_DAY})).content


CLEARED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"conferenceData": {"conferenceId": "abc"}}, {"conferenceData": None}, "conferenceDataVersion=1"),
    ({"source": {"url": "https://example.org"}}, {"source": None}, ""),
    ({"colorId": "7"}, {"colorId": None}, ""),
    ({"eventLabelId": "l"}, {"eventLabelId": None}, "eventLabelVersion=1"),
    ({"extendedProperties": {"private": {"k": "v"}}}, {"extendedProperties": {"private": {"k": None}}}, ""),
    ({"extendedProperties": {"shared": {"k": "v"}}}, {"extendedProperties": {"shared": {"k": None}}}, ""),
]


@pytest.mark.parametrize(("held", "cleared", "query"), CLEARED, ids=lambda value: str(value)[:40])
async def test_null_clears_what_calendar_says_it_clears(
    calendar: Calendar, held: dict[str, Any], cleared: dict[str, Any], query: str
):
    calendar.put({"id": "e1", "summary": "stays", **held})
    await gcalendar.events_patch.ainvoke(eventId="e1", **cleared)
    [asked] = calendar.loopback.asked
    assert (asked.json, asked.query) == (cleared, query)
    event = calendar.events["e1"]
    assert event["summary"] == "stays"
    assert not any(event.get("extendedProperties", {}).values())
    assert not {"conferenceData", "source", "colorId", "eventLabelId"} & set(event)


async def test_null_elsewhere_is_what_was_not_given():
    request = await send_one(gcalendar.events_patch, {"eventId": "e", "summary": "x", "location": None})
    assert request.content == b'{"summary":"x"}'


@pytest.mark.parametrize("tool", [gcalendar.events_insert, gcalendar.events_update, gcalendar.events_import])
async def test_a_whole_event_takes_no_null_that_clears(tool: Tool):
    schema = tool.to_json_schema()["parameters"]
    assert "null" not in str(schema)


@pytest.mark.parametrize(
    "arguments", [{}, {"sendUpdates": "all"}, {"ifMatch": '"1"'}, {"conferenceData": {}}]
)
async def test_a_change_of_nothing_is_refused(calendar: Calendar, arguments: dict[str, Any]):
    calendar.put({"id": "e1"})
    with pytest.raises(ToolValidationError, match="would change nothing|something to change"):
        await gcalendar.events_patch.ainvoke(arguments, eventId="e1")
    assert calendar.methods == []


SHOWN = {
    "kind": "calendar#event",
    "id": "e1",
    "status": "confirmed",
    "htmlLink": "https://calendar.example/e1",
    "created": "2026-01-01T00:00:00Z",
    "updated": "2026-01-01T00:00:00Z",
    "summary": "All hands",
    "description": "Agenda",
    "location": "Room 1",
    "colorId": "7",
    "creator": {"email": "c@example.org", "self": True},
    "organizer": {"email": "o@example.org", "displayName": "O", "self": False},
    **TIMED,
    "recurringEventId": "r",
    "originalStartTime": TIMED["start"],
    "iCalUID": "u@example.org",
    "sequence": 3,
    "attendees": [{"email": "a@example.org", "organizer": True, "self": True, "responseStatus": "accepted"}],
    "hangoutLink": "https://meet.example/abc",
    "conferenceData": {
        "createRequest": {
            "requestId": "q",
            "conferenceSolutionKey": {"type": "hangoutsMeet"},
            "status": {"statusCode": "success"},
        },
        "entryPoints": [{"entryPointType": "video", "uri": "https://meet.example/abc"}],
        "conferenceSolution": {"name": "Meet"},
        "conferenceId": "abc",
    },
    "extendedProperties": {"private": {"k": "v"}},
    "reminders": {"useDefault": True},
    "attachments": [{"fileUrl": "https://example.org/f", "title": "F", "fileId": "f"}],
    "source": {"url": "https://example.org", "title": "S"},
    "transparency": "opaque",
    "visibility": "public",
    "guestsCanModify": True,
    "locked": True,
    "eventType": "default",
}


@pytest.mark.parametrize("tool", [gcalendar.events_update, gcalendar.events_patch])
async def test_an_event_is_written_back_as_it_was_read(calendar: Calendar, tool: Tool):
    calendar.put(SHOWN)
    read = await gcalendar.events_get.ainvoke(eventId="e1")
    if tool is gcalendar.events_patch:
        del read["eventType"]  # it never changes: a patch that names it is told so
    await tool.ainvoke({"eventId": "e1", **read, "summary": "Renamed"})
    event = calendar.events["e1"]
    for name in ("description", "location", "start", "end", "extendedProperties", "reminders", "source"):
        assert event[name] == SHOWN[name], name
    assert (event["summary"], event["attendees"][0]["responseStatus"]) == ("Renamed", "accepted")
    sent = calendar.loopback.asked[-1].json
    assert not {"htmlLink", "creator", "organizer", "etag", "iCalUID", "hangoutLink", "locked"} & set(sent)
    assert set(sent["conferenceData"]) == {"createRequest"}


async def test_a_conference_that_is_there_is_left_alone(calendar: Calendar):
    calendar.put({"id": "e1", "conferenceData": {"conferenceId": "abc"}})
    event = await gcalendar.events_get.ainvoke(eventId="e1")
    await gcalendar.events_patch.ainvoke({"eventId": "e1", **event, "summary": "x"})
    assert calendar.loopback.asked[-1].json == {"summary": "x"}
    assert calendar.loopback.asked[-1].query == ""


HOME = {"type": "homeOffice", "homeOffice": {}}


async def test_a_working_location_blocks_no_time_and_is_seen_by_all():
    for tool, more in ((gcalendar.events_insert, {}), (gcalendar.events_update, {"eventId": "e"})):
        arguments = {**more, **ALL_DAY, "eventType": "workingLocation", "workingLocationProperties": HOME}
        for given in ({}, {"transparency": "transparent", "visibility": "public"}):
            request = await send_one(tool, {**arguments, **given})
            assert b'"transparency":"transparent"' in request.content
            assert b'"visibility":"public"' in request.content


@pytest.mark.parametrize(
    ("given", "says"),
    [({"transparency": "opaque"}, "blocks no time"), ({"visibility": "private"}, "is public")],
)
async def test_a_working_location_that_calendar_would_refuse_is_refused(given: dict[str, Any], says: str):
    for tool, more in (
        (gcalendar.events_insert, {**ALL_DAY, "eventType": "workingLocation"}),
        (gcalendar.events_patch, {"eventId": "e"}),
    ):
        with pytest.raises(ToolValidationError, match=says):
            await send_one(tool, {**more, "workingLocationProperties": HOME, **given})


async def test_another_kind_of_event_keeps_the_servers_own_defaults():
    request = await send_one(gcalendar.events_insert, {**ALL_DAY, "eventType": "default"})
    assert b"transparency" not in request.content
