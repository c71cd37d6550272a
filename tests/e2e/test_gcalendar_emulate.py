"""The Calendar pack against the real emulate server: what the tools do is seen in the calendar afterwards."""

import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from charter import APIError, Bearer, ToolSession
from charter.packs import gcalendar
from charter.packs.gcalendar.api import api
from tests.counterparties.emulate import Emulate

pytestmark = pytest.mark.anyio


@pytest.fixture
def calendar(emulate: Emulate, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The seeded calendar, which the pack works on; its address."""
    for setting in ("auth", "base_url", "client"):
        monkeypatch.setattr(api, setting, getattr(api, setting))
    gcalendar.configure(base_url=emulate.url("google"), auth=Bearer(emulate.token("google")))
    yield emulate.url("google")


def fetch(calendar: str) -> list[dict[str, Any]]:
    """Read the events with nothing of Charter's."""
    request = urllib.request.Request(f"{calendar}/calendar/v3/calendars/primary/events?maxResults=50")
    request.add_header("Authorization", "Bearer google_test_token")
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["items"]


async def test_a_meeting_is_found_booked_and_called_off(calendar: str):
    session = ToolSession(gcalendar.TOOLS)
    loaded = session.search("book a meeting; what is on my calendar; cancel a meeting")["loaded"]
    wanted = {"gcalendar__events_insert", "gcalendar__events_list", "gcalendar__events_delete"}
    assert wanted <= set(loaded)

    day = {"timeMin": "2026-01-07T00:00:00Z", "timeMax": "2026-01-08T00:00:00Z"}
    found = await session.dispatch(
        "gcalendar__events_list", {**day, "singleEvents": True, "orderBy": "startTime"}
    )
    assert [event["summary"] for event in found["items"]] == ["Stand-up"]
    booked = await session.dispatch(
        "gcalendar__events_insert",
        {
            "summary": "Rückblick – Größe",
            "start": {"dateTime": "2026-01-07T10:00:00Z"},
            "end": {"dateTime": "2026-01-07T11:00:00Z"},
            "attendees": [{"email": "grace@example.com", "displayName": "Grace"}],
            "location": "Room 1",
        },
    )
    [held] = [event for event in fetch(calendar) if event["id"] == booked["id"]]
    assert (held["summary"], held["location"]) == ("Rückblick – Größe", "Room 1")
    assert held["start"]["dateTime"].startswith("2026-01-07T10:00:00")
    assert [guest["email"] for guest in held["attendees"]] == ["grace@example.com"]

    await session.dispatch("gcalendar__events_delete", {"eventId": booked["id"]})
    assert [event["summary"] for event in fetch(calendar)] == ["Stand-up"]


async def test_an_all_day_event_keeps_its_days(calendar: str):
    booked = await gcalendar.events_insert.ainvoke(
        summary="Holiday", start={"date": "2026-07-01"}, end={"date": "2026-07-03"}
    )
    [held] = [event for event in fetch(calendar) if event["id"] == booked["id"]]
    assert (held["start"]["date"], held["end"]["date"]) == ("2026-07-01", "2026-07-03")


async def test_a_list_pages(calendar: str):
    for hour in ("11", "12"):
        moment = {"dateTime": f"2026-01-07T{hour}:00:00Z"}
        await gcalendar.events_insert.ainvoke(summary=hour, start=moment, end=moment)
    pages = [page async for page in gcalendar.events_list.pages({"maxResults": 1})]
    assert sorted(event["summary"] for page in pages for event in page["items"]) == ["11", "12", "Stand-up"]
    assert len(pages) == 3


async def test_the_calendars_are_listed(calendar: str):
    listed = await gcalendar.calendar_list_list.ainvoke()
    assert [(entry["id"], entry["primary"]) for entry in listed["items"]] == [("primary", True)]


async def test_an_event_that_is_not_there_is_a_404(calendar: str):
    with pytest.raises(APIError) as caught:
        await gcalendar.events_delete.ainvoke(eventId="nowhere")
    assert caught.value.status_code == 404
