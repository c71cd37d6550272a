"""What of Calendar's answers a model needs: ids, links, times, guests and what they answered, and what was cut.

Not here: the tools. Any JSON is survived: what is no event is returned as it came.
"""

from collections.abc import Mapping
from typing import Any, TypeGuard, cast

from charter import keep

__all__ = ["keep_changed", "read_event", "read_events"]

GUESTS, GUESTS_LISTED = 100, 8
"""Guests shown of one event at a time, and of each event of a list."""
TEXT, TEXT_LISTED = 10_000, 150
"""Characters shown of a description, likewise."""

_EVENT = keep(
    *"""
    id etag status htmlLink summary description location start end recurrence recurringEventId originalStartTime
    attendeesOmitted hangoutLink iCalUID eventType transparency visibility reminders colorId eventLabelId updated locked
    organizer.email organizer.displayName organizer.self creator.email sequence
    attachments.fileUrl attachments.title attachments.mimeType attachments.iconLink
    attendees.email attendees.displayName attendees.responseStatus attendees.optional attendees.organizer
    attendees.self attendees.resource attendees.comment attendees.additionalGuests
    guestsCanModify guestsCanInviteOthers guestsCanSeeOtherGuests extendedProperties source
    conferenceData.conferenceId conferenceData.conferenceSolution.name conferenceData.createRequest
    conferenceData.entryPoints.entryPointType conferenceData.entryPoints.uri conferenceData.entryPoints.pin
    workingLocationProperties focusTimeProperties outOfOfficeProperties birthdayProperties
    """.split()
)
_LISTED = keep(
    *"""
    id status summary description location start end recurrence recurringEventId originalStartTime
    attendeesOmitted hangoutLink eventType transparency organizer.email organizer.self
    attendees.email attendees.responseStatus attendees.optional attendees.self
    """.split()
)
_USUAL = {"status": "confirmed", "eventType": "default"}
"""What an event of a list is unless it says otherwise."""
_PAGE = ("summary", "timeZone", "accessRole", "nextPageToken", "nextSyncToken")

keep_changed = keep(
    *"id etag status htmlLink summary start end recurrence recurringEventId hangoutLink iCalUID".split(),
    *"attendees.email attendees.responseStatus".split(),
    *"conferenceData.createRequest.status conferenceData.entryPoints.uri".split(),
)
"""What a write leaves to know."""


def read_event(data: Any, start: int = 0) -> Any:
    """Trim one event, whole; read on from guest number `start` it is guests alone."""
    if not _is_object(data):
        return data
    event = _EVENT(data)
    if start:
        event = {key: event[key] for key in ("id", "etag", "attendees") if key in event}
    return _cut(event, GUESTS, TEXT, max(start, 0)) or data


def read_events(data: Any) -> Any:
    """Trim a page of events; the marks of the next page and of the next sync stay."""
    if not _is_object(data) or not isinstance(data.get("items"), list):
        return data
    page = {key: data[key] for key in _PAGE if key in data}
    events: list[Any] = data["items"]
    return {**page, "items": [_read_listed(event, page.get("timeZone")) for event in events]}


def _read_listed(event: Any, time_zone: Any) -> Any:
    if not _is_object(event):
        return event
    listed = {
        key: value for key, value in _LISTED(event).items() if key not in _USUAL or value != _USUAL[key]
    }
    for key in ("start", "end", "originalStartTime"):
        time = listed.get(key)
        if _is_object(time) and time_zone and time.get("timeZone") == time_zone:
            listed[key] = {name: value for name, value in time.items() if name != "timeZone"}
    return _cut(listed, GUESTS_LISTED, TEXT_LISTED) or event


def _cut(event: dict[str, Any], guests: int, characters: int, start: int = 0) -> dict[str, Any]:
    """Cut what is long, say so, and where guests go on."""
    cut = dict(event)
    attendees = event.get("attendees")
    if isinstance(attendees, list):
        cut |= _cut_guests(cast("list[Any]", attendees), guests, start)
    text = event.get("description")
    if isinstance(text, str) and len(text) > characters:
        cut |= {
            "description": text[:characters],
            "descriptionTruncated": True,
            "descriptionLength": len(text),
        }
    return cut


def _cut_guests(attendees: list[Any], guests: int, start: int) -> dict[str, Any]:
    """Show as many guests as may be from `start` on; the user is among the first ones."""
    if len(attendees) <= guests and not start:
        return {}
    beyond = [] if start else attendees[guests:]
    own = [guest for guest in beyond if _is_object(guest) and guest.get("self") is True][:1]
    end = start + guests - len(own)
    shown = {"attendees": [*attendees[start:end], *own], "attendeesTotal": len(attendees)}
    if end < len(attendees):
        shown |= {"attendeesTruncated": True, "nextAttendeesFrom": end}
    return shown


def _is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, Mapping)
