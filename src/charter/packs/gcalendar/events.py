"""Events read, moved, written from a sentence, and deleted.

Not here: writing an event member by member (`writing`).
"""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field, model_validator

from charter import ConflictsWith, Pages, Query, Unsent, WireName
from charter.packs.gcalendar.api import NEEDS, CalendarPick, EventPick, IfMatch, Page, SendUpdates, api, scope
from charter.packs.gcalendar.times import Moment, check_range
from charter.packs.gcalendar.trimming import keep_changed, read_event, read_events

__all__ = ["TOOLS"]

_PAGES = Pages("pageToken", cursor="nextPageToken", items="items", limit="maxResults")


class Reading(BaseModel):
    """How events are shown."""

    time_zone: str | None = Field(None, description="IANA zone of the answer. Default the calendar's.")
    max_attendees: int | None = Field(
        None, ge=1, description="With more guests than this only the user's own."
    )


class EventsGet(Reading, EventPick):
    """Read an event: times, guests and their answers, conference link, recurrence."""

    attendees_from: Annotated[
        int | None,
        Unsent(),
        ConflictsWith("max_attendees"),
        Field(description="nextAttendeesFrom of cut guests."),
    ] = None


def read_event_from(data: Any, arguments: EventsGet) -> Any:
    """Trim an event; of guests beyond a cut it shows those alone."""
    return read_event(data, arguments.attendees_from or 0)


events_get = api.get(
    "calendar/v3/calendars/{calendarId}/events/{eventId}",
    EventsGet,
    hints="show open details meeting appointment who is coming said yes attendees rsvp guests",
    response_handler=read_event_from,
    scopes=scope("events.readonly"),
    needs=NEEDS,
)


class Range(Page):
    """Which events, and how many at a time."""

    time_min: Moment | None = Field(None, description="Ending after this.")
    time_max: Moment | None = Field(None, description="Starting before this.")
    show_deleted: bool | None = None
    max_results: int = Field(10, ge=1, le=2500)

    @model_validator(mode="after")
    def _range_is_not_empty(self) -> Self:
        check_range(self.time_min, self.time_max)
        return self


class EventsList(Range, Reading, CalendarPick):
    """Find events of a calendar by time, words or what changed."""

    q: str | None = Field(None, description="Words in title, description, place, people.")
    single_events: bool | None = Field(
        None,
        description="Each occurrence of a series by itself: give true to see what is on when. Default false.",
    )
    order_by: Literal["startTime", "updated"] | None = Field(
        None, description="startTime needs singleEvents."
    )
    updated_min: Moment | None = Field(None, description="Changed since, deleted ones too.")
    event_types: (
        list[Literal["default", "birthday", "focusTime", "fromGmail", "outOfOffice", "workingLocation"]]
        | None
    ) = None
    ical_uid: Annotated[str | None, WireName("iCalUID")] = None
    private_extended_property: list[str] | None = Field(None, description="name=value, all of them.")
    shared_extended_property: list[str] | None = None
    show_hidden_invitations: bool | None = None
    sync_token: Annotated[
        str | None,
        ConflictsWith(
            "ical_uid",
            "order_by",
            "private_extended_property",
            "q",
            "shared_extended_property",
            "time_min",
            "time_max",
            "updated_min",
        ),
    ] = Field(None, description="nextSyncToken of an earlier list: only changes since. On 410 start without.")

    @model_validator(mode="after")
    def _values_go_together(self) -> Self:
        if self.order_by == "startTime" and not self.single_events:
            raise ValueError("orderBy startTime needs singleEvents true")
        if self.sync_token and self.show_deleted is False:
            raise ValueError("syncToken always shows deleted events: leave showDeleted out")
        return self


events_list = api.get(
    "calendar/v3/calendars/{calendarId}/events",
    EventsList,
    hints="search agenda schedule appointments meetings today tomorrow week upcoming next free busy "
    "video call link sync",
    response_handler=read_events,
    pagination=_PAGES,
    scopes=scope("events.readonly"),
    needs={"calendarId": "calendar_list_list"},
)


class EventsInstances(Range, Reading, EventPick):
    """List the occurrences of a recurring event."""

    original_start: str | None = Field(
        None, description="Only the occurrence first planned for this date or time."
    )


events_instances = api.get(
    "calendar/v3/calendars/{calendarId}/events/{eventId}/instances",
    EventsInstances,
    hints="series repeating recurring dates single occurrence weekly",
    response_handler=read_events,
    pagination=_PAGES,
    scopes=scope("events.readonly"),
    needs=NEEDS,
)


class EventsMove(EventPick):
    """Move an event of type default to another calendar, whose owner becomes its organizer."""

    destination: Annotated[str, Query()] = Field(min_length=1, description="Calendar id.")
    send_updates: SendUpdates = None


events_move = api.post(
    "calendar/v3/calendars/{calendarId}/events/{eventId}/move",
    EventsMove,
    hints="transfer change organizer owner meeting appointment",
    response_handler=keep_changed,
    scopes=scope("events"),
    needs={**NEEDS, "destination": "calendar_list_list"},
)


class EventsQuickAdd(CalendarPick):
    """Put an event on a calendar from one sentence."""

    text: Annotated[str, Query()] = Field(min_length=1, description="E.g. Lunch with Ann Friday 12:30.")
    send_updates: SendUpdates = None


events_quick_add = api.post(
    "calendar/v3/calendars/{calendarId}/events/quickAdd",
    EventsQuickAdd,
    hints="create natural language plain text book meeting appointment",
    response_handler=keep_changed,
    scopes=scope("events"),
    needs={"calendarId": "calendar_list_list"},
)


class EventsDelete(EventPick):
    """Delete an event; by the id of one occurrence only that one."""

    send_updates: SendUpdates = None
    if_match: IfMatch = None


events_delete = api.delete(
    "calendar/v3/calendars/{calendarId}/events/{eventId}",
    EventsDelete,
    hints="cancel remove call off meeting appointment",
    scopes=scope("events"),
    needs=NEEDS,
)

TOOLS = (events_get, events_list, events_instances, events_move, events_quick_add, events_delete)
