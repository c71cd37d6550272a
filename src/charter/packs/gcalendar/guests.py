"""Guests put on and taken off an event, so that none of the others is lost.

Not here: which guests a model is shown (`trimming`).
"""

from collections.abc import Mapping
from typing import Any, TypeGuard, cast

from charter import Reader, ToolValidationError
from charter.packs.gcalendar.events import events_get
from charter.packs.gcalendar.parts import Attendee

__all__ = ["change_guests"]

_MEMBERS = {
    "email": "email",
    "displayName": "display_name",
    "optional": "optional",
    "resource": "resource",
    "responseStatus": "response_status",
    "comment": "comment",
    "additionalGuests": "additional_guests",
}
"""What is written of a guest: Calendar's name -> ours."""


async def change_guests(arguments: Any, read: Reader) -> Any:
    """Read all guests of the event, change those that are named, and write them back if nothing changed meanwhile.

    Raises:
        ToolValidationError: Calendar does not show all guests, or one to be removed is not among them.
    """
    added: list[Attendee] = arguments.add_attendees or []
    removed: list[str] = arguments.remove_attendees or []
    if not (added or removed):
        return arguments
    event = await read(events_get, calendarId=arguments.calendar_id, eventId=arguments.event_id)
    guests = _read_guests(event)
    for email in removed:
        if guests.pop(email.lower(), None) is None:
            raise ToolValidationError(f"removeAttendees: {email} is no guest of {arguments.event_id}.")
    for guest in added:
        there = guests.get(guest.email.lower())
        given = guest.model_dump(exclude_unset=True, exclude={"email"})
        guests[guest.email.lower()] = there.model_copy(update=given) if there else guest
    unchanged_since = arguments.if_match or event.get("etag")
    changes = {
        "attendees": list(guests.values()),
        **({"if_match": unchanged_since} if unchanged_since else {}),
    }
    return arguments.model_copy(update=changes)


def _read_guests(event: Any) -> dict[str, Attendee]:
    """Read the guests of an event by lower-case address."""
    shown = event.get("attendees", []) if _is_object(event) else None
    guests = cast("list[Any]", shown) if isinstance(shown, list) else []
    whole = [guest for guest in guests if _is_object(guest) and isinstance(guest.get("email"), str)]
    if (
        not _is_object(event)
        or event.get("attendeesOmitted")
        or guests != whole
        or not isinstance(shown, list)
    ):
        raise ToolValidationError(
            "Calendar does not show all guests of this event: changing some would lose others. Ask its organizer."
        )
    return {guest["email"].lower(): _read_guest(guest) for guest in whole}


def _read_guest(guest: Mapping[str, Any]) -> Attendee:
    # as Calendar wrote it: it may know more answers than are declared here
    return Attendee.model_construct(**{_MEMBERS[name]: guest[name] for name in guest if name in _MEMBERS})


def _is_object(value: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping)
