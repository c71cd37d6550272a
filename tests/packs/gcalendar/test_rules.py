"""Calendar's documented limits and rules: what breaks one is refused with a sentence that mends it; nothing is sent."""

from typing import Any

import pytest

from charter import Tool, ToolValidationError
from charter.packs import gcalendar
from tests.packs.sending import send, send_one

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("google_token")]

NINE = {"dateTime": "2026-01-31T09:00:00+01:00", "timeZone": "Europe/Zurich"}
TEN = {"dateTime": "2026-01-31T10:00:00+01:00", "timeZone": "Europe/Zurich"}
TIMED = {"start": NINE, "end": TEN}


def event(**members: Any) -> dict[str, Any]:
    return {**TIMED, **members}


def patch(**members: Any) -> dict[str, Any]:
    return {"eventId": "e", **members}


REFUSED: list[tuple[Tool, dict[str, Any], str]] = [
    (gcalendar.events_insert, {"summary": "x"}, "start: is missing"),
    (gcalendar.events_insert, {"start": NINE}, "end: is missing"),
    (gcalendar.events_update, patch(summary="x"), "start: is missing"),
    (gcalendar.events_import, event(), "iCalUID: is missing"),
    (gcalendar.events_insert, event(start={}), "exactly one of date, dateTime"),
    (gcalendar.events_patch, patch(start={**NINE, "date": "2026-01-31"}), "exactly one of date, dateTime"),
    (gcalendar.events_patch, patch(start={"dateTime": "2026-01-31T09:00:00"}), "needs an offset"),
    (gcalendar.events_patch, patch(start={"date": "31.1.2026"}), "start.date"),
    (
        gcalendar.events_patch,
        patch(start={"date": "2026-01-31"}, end=TEN),
        "both as date or both as dateTime",
    ),
    (
        gcalendar.events_insert,
        {"start": {"date": "2026-01-31"}, "end": {"date": "2026-01-31"}},
        "end date is exclusive: give 2026-02-01 or later",
    ),
    (gcalendar.events_insert, {"start": TEN, "end": NINE}, "is before start"),
    (
        gcalendar.events_insert,
        {"start": {"dateTime": "2026-01-31T09:00:00Z"}, "end": {"dateTime": "2026-01-31T09:30:00+01:00"}},
        "is before start",
    ),
    (gcalendar.events_insert, event(recurrence=["FREQ=DAILY"]), "is no RRULE"),
    (gcalendar.events_insert, event(recurrence=["DTSTART:20260131T090000"]), "start and end have their own"),
    (gcalendar.events_patch, patch(recurrence=["RRULE:FREQ=DAILY;COUNT=2;UNTIL=20260301"]), "keep one"),
    (
        gcalendar.events_insert,
        {
            "start": {"dateTime": "2026-01-31T09:00:00Z"},
            "end": {"dateTime": "2026-01-31T10:00:00Z"},
            "recurrence": ["RRULE:FREQ=DAILY"],
        },
        "recurrence needs start.timeZone",
    ),
    (
        gcalendar.events_insert,
        event(reminders={"useDefault": True, "overrides": [{"method": "popup", "minutes": 5}]}),
        "overrides need useDefault false",
    ),
    (
        gcalendar.events_insert,
        event(reminders={"overrides": [{"method": "popup", "minutes": 40321}]}),
        "40320",
    ),
    (gcalendar.events_insert, event(reminders={"overrides": [{"method": "sms", "minutes": 5}]}), "'popup'"),
    (
        gcalendar.events_insert,
        event(reminders={"overrides": [{"method": "popup", "minutes": n} for n in range(6)]}),
        "at most 5",
    ),
    (gcalendar.events_insert, event(attachments=[{"fileUrl": "u"}] * 26), "at most 25"),
    (gcalendar.events_insert, event(attachments=[{"title": "x"}]), "fileUrl: is missing"),
    (gcalendar.events_insert, event(attendees=[{"displayName": "Ann"}]), "email: is missing"),
    (gcalendar.events_insert, event(conferenceData={"createRequest": {}}), "requestId: is missing"),
    (gcalendar.events_insert, event(id="Event-1"), "id"),
    (gcalendar.events_insert, event(eventType="fromGmail"), "eventType"),
    (gcalendar.events_insert, event(focusTimeProperties={}), "needs eventType focusTime"),
    (
        gcalendar.events_update,
        patch(**TIMED, eventType="default", outOfOfficeProperties={}),
        "needs eventType outOfOffice",
    ),
    (
        gcalendar.events_patch,
        patch(workingLocationProperties={"type": "homeOffice", "customLocation": {"label": "x"}}),
        "customLocation needs type customLocation",
    ),
    (gcalendar.events_patch, patch(source={"url": "ftp://x"}), "source.url"),
    (gcalendar.events_patch, patch(conferenceDataVersion=1), "conferenceDataVersion"),
    (gcalendar.events_patch, patch(sendUpdates="guests"), "externalOnly"),
    (gcalendar.events_patch, patch(eventType="focusTime"), "eventType"),
    (gcalendar.events_list, {"timeMin": "2026-01-31T09:00:00"}, "needs an offset"),
    (
        gcalendar.events_list,
        {"timeMin": "2026-01-31T09:00:00Z", "timeMax": "2026-01-31T10:00:00+01:00"},
        "must be after timeMin",
    ),
    (
        gcalendar.events_instances,
        {"eventId": "e", "timeMin": "2026-01-31T09:00:00Z", "timeMax": "2026-01-31T08:00:00Z"},
        "must be after timeMin",
    ),
    (gcalendar.events_list, {"orderBy": "startTime"}, "needs singleEvents true"),
    (gcalendar.events_list, {"syncToken": "s", "showDeleted": False}, "leave showDeleted out"),
    (gcalendar.events_list, {"maxResults": 2501}, "2500"),
    (gcalendar.events_list, {"eventTypes": ["meeting"]}, "eventTypes"),
    (gcalendar.events_move, {"eventId": "e"}, "destination: is missing"),
    (gcalendar.events_quick_add, {"text": ""}, "text"),
    (gcalendar.events_delete, {"eventId": ""}, "eventId"),
    (gcalendar.calendars_get, {"calendarId": ""}, "calendarId"),
    (gcalendar.calendar_list_list, {"maxResults": 251}, "250"),
    (gcalendar.calendar_list_list, {"syncToken": "s", "minAccessRole": "owner"}, "minAccessRole"),
    (
        gcalendar.calendar_list_list,
        {"syncToken": "s", "showHidden": False},
        "leave showDeleted and showHidden",
    ),
    (gcalendar.calendar_list_list, {"userId": "boss@example.org"}, "userId"),
]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"), REFUSED, ids=lambda value: getattr(value, "name", None)
)
async def test_what_google_would_refuse_is_refused_before_the_call(
    tool: Tool, arguments: dict[str, Any], says: str
):
    with pytest.raises(ToolValidationError) as caught:
        await send(tool, arguments)
    assert says in caught.value.for_model()


async def test_a_sync_excludes_eight_parameters_and_names_them_all_at_once():
    excluded = {
        "iCalUID": "u",
        "orderBy": "updated",
        "privateExtendedProperty": ["a=b"],
        "q": "x",
        "sharedExtendedProperty": ["a=b"],
        "timeMin": "2026-01-31T09:00:00Z",
        "timeMax": "2026-02-01T09:00:00Z",
        "updatedMin": "2026-01-01T00:00:00Z",
    }
    with pytest.raises(ToolValidationError) as caught:
        await send(gcalendar.events_list, {"syncToken": "s", **excluded})
    assert all(name in caught.value.for_model() for name in excluded)
    for name, value in excluded.items():
        with pytest.raises(ToolValidationError, match=name):
            await send(gcalendar.events_list, {"syncToken": "s", name: value})
        assert await send(gcalendar.events_list, {name: value})


ACCEPTED: list[tuple[Tool, dict[str, Any]]] = [
    (gcalendar.events_patch, {"eventId": "e", "summary": ""}),
    (gcalendar.events_patch, {"event_id": "e", "Start": None, "description": ""}),
    (gcalendar.events_patch, patch(start=TEN)),
    (gcalendar.events_insert, {"start": NINE, "end": NINE}),
    (gcalendar.events_insert, {"start": {"date": "2026-01-31"}, "end": {"date": "2026-02-01"}}),
    (gcalendar.events_insert, {"start": str(NINE).replace("'", '"'), "end": TEN}),
    (gcalendar.events_list, {"singleEvents": "true", "orderBy": "startTime", "maxResults": "10"}),
    (gcalendar.events_list, {"syncToken": "s", "showDeleted": True, "singleEvents": True}),
]


@pytest.mark.parametrize(("tool", "arguments"), ACCEPTED, ids=lambda value: getattr(value, "name", None))
async def test_what_is_meant_is_understood(tool: Tool, arguments: dict[str, Any]):
    assert len(await send(tool, arguments)) == 1


async def test_a_patch_sends_what_is_given_and_nothing_else():
    request = await send_one(gcalendar.events_patch, patch(location="Room 1", sendUpdates="all"))
    assert request.content == b'{"location":"Room 1"}'
    assert request.url.query == b"sendUpdates=all"


async def test_a_replacement_without_a_conference_does_not_take_the_conference_away():
    request = await send_one(gcalendar.events_update, patch(**TIMED))
    assert b"conferenceDataVersion" not in request.url.query


async def test_a_write_can_depend_on_what_was_read():
    for tool, more in (
        (gcalendar.events_patch, {"location": "Room 1"}),
        (gcalendar.events_update, TIMED),
        (gcalendar.events_delete, {}),
    ):
        request = await send_one(tool, {"eventId": "e", "ifMatch": '"33"', **more})
        assert request.headers["If-Match"] == '"33"'
        assert b"33" not in request.url.query + request.content
