"""Guests changed one by one: the others stay as they were, however many they are."""

from typing import Any

import pytest

from charter import APIError, CharterError, ToolSession, ToolValidationError
from charter.packs import gcalendar
from tests.packs.gcalendar.calendar import Calendar

pytestmark = pytest.mark.anyio

MANY = 250


def guest(number: int, **members: Any) -> dict[str, Any]:
    return {"email": f"g{number}@example.org", "responseStatus": "accepted", **members}


def put_event(calendar: Calendar, guests: int = MANY, **members: Any) -> list[dict[str, Any]]:
    attendees = [guest(number) for number in range(guests)]
    attendees[0] |= {"id": "1", "organizer": True, "optional": True, "comment": "late", "additionalGuests": 2}
    attendees[-1] |= {"self": True, "responseStatus": "needsAction", "displayName": "Me"}
    calendar.put({"id": "e1", "summary": "All hands", "attendees": attendees, **members})
    return attendees


def without_read_only(guests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in each.items() if key not in ("id", "organizer", "self")}
        for each in guests
    ]


async def test_a_guest_is_added_and_none_of_250_is_lost(calendar: Calendar):
    before = put_event(calendar)
    session = ToolSession(gcalendar.TOOLS, progressive=False)
    await session.dispatch(
        "gcalendar__events_patch", {"eventId": "e1", "addAttendees": [{"email": "new@example.org"}]}
    )
    after = calendar.events["e1"]["attendees"]
    assert after == [*without_read_only(before), {"email": "new@example.org"}]
    assert calendar.methods == ["GET", "PATCH"]
    assert set(calendar.loopback.asked[1].json) == {"attendees"}


async def test_guests_are_removed_and_changed_in_whatever_case_they_are_written(calendar: Calendar):
    before = put_event(calendar, 5)
    await gcalendar.events_patch.ainvoke(
        eventId="e1",
        removeAttendees=["G1@Example.org"],
        addAttendees=[
            {"email": "G4@example.org", "responseStatus": "accepted"},
            {"email": "g2@example.org", "optional": True},
        ],
        sendUpdates="all",
    )
    kept = without_read_only(before)
    assert calendar.events["e1"]["attendees"] == [
        kept[0],
        {**kept[2], "optional": True},
        kept[3],
        {**kept[4], "responseStatus": "accepted"},
    ]
    assert calendar.loopback.asked[1].query == "sendUpdates=all"


async def test_an_event_without_guests_gets_its_first(calendar: Calendar):
    calendar.put({"id": "e1", "summary": "Lunch"})
    await gcalendar.events_patch.ainvoke(
        eventId="e1", addAttendees=[{"email": "a@example.org"}], summary="Brunch"
    )
    assert (calendar.events["e1"]["summary"], calendar.events["e1"]["attendees"]) == (
        "Brunch",
        [{"email": "a@example.org"}],
    )


async def test_a_change_in_between_is_not_written_over(calendar: Calendar):
    put_event(calendar, 3)
    answer = calendar.loopback.answer

    def change_after_read(asked: Any) -> Any:
        reply = answer(asked)
        if asked.method == "GET":
            calendar.put({**calendar.events["e1"], "attendees": [guest(9)]})
        return reply

    calendar.loopback.answer = change_after_read
    with pytest.raises(APIError) as caught:
        await gcalendar.events_patch.ainvoke(eventId="e1", removeAttendees=["g1@example.org"])
    assert caught.value.status_code == 412
    assert calendar.events["e1"]["attendees"] == [guest(9)]


async def test_an_etag_that_is_given_is_the_one_that_counts(calendar: Calendar):
    put_event(calendar, 3)
    with pytest.raises(APIError):
        await gcalendar.events_patch.ainvoke(
            eventId="e1", removeAttendees=["g1@example.org"], ifMatch='"old"'
        )
    assert calendar.methods == ["GET", "PATCH"]
    assert calendar.loopback.asked[1].header("if-match") == '"old"'


@pytest.mark.parametrize(
    ("event", "says"),
    [
        ({"attendeesOmitted": True}, "does not show all guests"),
        ({"attendees": [{"displayName": "No address"}]}, "does not show all guests"),
        ({}, "removeAttendees: nobody@example.org is no guest of e1"),
    ],
)
async def test_where_somebody_would_be_lost_or_is_not_there_nothing_is_written(
    calendar: Calendar, event: dict[str, Any], says: str
):
    put_event(calendar, 3, **event)
    with pytest.raises(ToolValidationError) as caught:
        await gcalendar.events_patch.ainvoke(eventId="e1", removeAttendees=["nobody@example.org"])
    assert says in caught.value.for_model()
    assert calendar.methods == ["GET"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"attendees": [], "addAttendees": [{"email": "a@example.org"}]},
        {"attendees": [], "removeAttendees": ["a@example.org"]},
        {"addAttendees": []},
        {},
    ],
)
async def test_guests_are_replaced_or_changed_and_something_is(calendar: Calendar, arguments: dict[str, Any]):
    put_event(calendar, 3)
    with pytest.raises(CharterError):
        await gcalendar.events_patch.ainvoke(arguments, eventId="e1")
    assert calendar.methods == []


async def test_all_guests_are_read_page_by_page(calendar: Calendar):
    before = put_event(calendar)
    first = await gcalendar.events_get.ainvoke(eventId="e1")
    assert first["attendees"][-1]["self"] is True  # the user's own answer is always there
    emails, page = [each["email"] for each in first["attendees"][:-1]], first
    while "nextAttendeesFrom" in page:
        page = await gcalendar.events_get.ainvoke(eventId="e1", attendeesFrom=page["nextAttendeesFrom"])
        emails += [each["email"] for each in page["attendees"]]
        assert set(page) <= {
            "id",
            "etag",
            "attendees",
            "attendeesTotal",
            "attendeesTruncated",
            "nextAttendeesFrom",
        }
    assert emails == [each["email"] for each in before]
    assert all(asked.query == "" for asked in calendar.loopback.asked)


async def test_what_a_list_cut_is_read_on_by_the_event(calendar: Calendar):
    before = put_event(calendar, 30)
    event, answer = calendar.events["e1"], calendar.loopback.answer
    calendar.loopback.reply({"items": [event]})
    [listed] = (await gcalendar.events_list.ainvoke())["items"]
    calendar.loopback.answer = answer
    rest = await gcalendar.events_get.ainvoke(eventId="e1", attendeesFrom=listed["nextAttendeesFrom"])
    shown = [each["email"] for each in (*listed["attendees"][:-1], *rest["attendees"])]
    assert shown == [each["email"] for each in before]


@pytest.mark.parametrize("read", ["events_get", "events_list"])
async def test_what_a_read_shows_of_guests_a_write_accepts(calendar: Calendar, read: str):
    before = put_event(calendar, 7)
    answer = calendar.loopback.answer
    if read == "events_list":
        calendar.loopback.reply({"items": [calendar.events["e1"]]})
        [shown] = (await gcalendar.events_list.ainvoke())["items"]
    else:
        shown = await gcalendar.events_get.ainvoke(eventId="e1")
    calendar.loopback.answer = answer
    await gcalendar.events_patch.ainvoke(eventId="e1", attendees=shown["attendees"])
    written = calendar.events["e1"]["attendees"]
    assert [(each["email"], each["responseStatus"]) for each in written] == [
        (each["email"], each["responseStatus"]) for each in before
    ]
    assert not any({"id", "organizer", "self"} & set(each) for each in written)
