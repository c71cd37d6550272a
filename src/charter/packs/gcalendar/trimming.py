"""What of Calendar's answers a model needs: ids, links, times, guests and what they answered, and what was cut.

Not here: the tools. Any JSON is survived: what is no event is returned as it came.
"""

from collections.abc import Mapping
from typing import Any, TypeGuard, cast

from charter import keep

__all__ = ["keep_changed", "read_event", "read_events"]

GUESTS, GUESTS_LISTED = 100, 20
"""Guests shown of one event, and of each event of a list."""
TEXT, TEXT_LISTED = 10_000, 300
"""Characters shown of a description, likewise."""

_EVENT = keep(
    *"""
    id etag status htmlLink summary description location start end recurrence recurringEventId originalStartTime
    attendeesOmitted hangoutLink iCalUID eventType transparency visibility reminders colorId eventLabelId updated locked
    organizer.email organizer.displayName organizer.self creator.email attachments.fileUrl attachments.title
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
    id status htmlLink summary description location start end recurrence recurringEventId originalStartTime
    attendeesOmitted hangoutLink iCalUID eventType transparency organizer.email organizer.self updated
    attendees.email attendees.responseStatus attendees.optional attendees.self
    """.split()
)
_PAGE = ("summary", "timeZone", "accessRole", "nextPageToken", "nextSyncToken")

keep_changed = keep(
    *"id etag status htmlLink summary start end recurrence recurringEventId hangoutLink iCalUID".split(),
    *"attendees.email attendees.responseStatus".split(),
    *"conferenceData.createRequest.status conferenceData.entryPoints.uri".split(),
)
"""What a write leaves to know."""


def read_event(data: Any) -> Any:
    """Trim one event, whole."""
    return _cut(_EVENT(data), GUESTS, TEXT) if _is_object(data) else data


def read_events(data: Any) -> Any:
    """Trim a page of events; the marks of the next page and of the next sync stay."""
    if not _is_object(data) or not isinstance(data.get("items"), list):
        return data
    page = {key: data[key] for key in _PAGE if key in data}
    events: list[Any] = data["items"]
    return {**page, "items": [_read_listed(event) for event in events]}


def _read_listed(event: Any) -> Any:
    return _cut(_LISTED(event), GUESTS_LISTED, TEXT_LISTED) if _is_object(event) else event


def _cut(event: dict[str, Any], guests: int, characters: int) -> dict[str, Any]:
    """Cut what is long and say so."""
    cut = dict(event)
    attendees = event.get("attendees")
    if isinstance(attendees, list):
        listed = cast("list[Any]", attendees)
        if len(listed) > guests:
            shown = _first(listed, guests)
            cut |= {"attendees": shown, "attendeesTruncated": True, "attendeesTotal": len(listed)}
    text = event.get("description")
    if isinstance(text, str) and len(text) > characters:
        cut |= {
            "description": text[:characters],
            "descriptionTruncated": True,
            "descriptionLength": len(text),
        }
    return cut


def _first(attendees: list[Any], guests: int) -> list[Any]:
    """Return as many guests as are shown, the user among them."""
    own = [guest for guest in attendees[guests:] if _is_object(guest) and guest.get("self") is True]
    return [*attendees[: guests - len(own[:1])], *own[:1]]


def _is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, Mapping)
