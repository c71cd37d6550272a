"""Events written member by member: insert, update, patch, import.

Not here: reading and deleting them (`events`), and the parts of an event (`parts`).
"""

import re
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, Field, model_validator

from charter import AtMostOneOf, Clearable, Mode, NotOnly, Query, ReadsFirst, Unsent, WireName
from charter.packs.gcalendar.api import NEEDS, CalendarPick, EventPick, IfMatch, SendUpdates, api, scope
from charter.packs.gcalendar.events import events_get
from charter.packs.gcalendar.guests import change_guests
from charter.packs.gcalendar.parts import (
    Attachment,
    Attendee,
    ConferenceData,
    EventTime,
    ExtendedProperties,
    ExtendedPropertiesPatch,
    FocusTime,
    Organizer,
    OutOfOffice,
    Reminders,
    Source,
    WorkingLocation,
)
from charter.packs.gcalendar.times import check_order
from charter.packs.gcalendar.trimming import keep_changed

__all__ = ["TOOLS"]

_RULE = re.compile(r"(RRULE|EXRULE|RDATE|EXDATE)[:;].+", re.DOTALL)


def _check_rule(line: str) -> str:
    if not _RULE.fullmatch(line):
        raise ValueError(
            f"{line!r} is no RRULE, EXRULE, RDATE or EXDATE line; start and end have their own fields"
        )
    if "COUNT=" in line and "UNTIL=" in line:
        raise ValueError(f"{line!r} has both COUNT and UNTIL; keep one")
    return line


class Sharing(CalendarPick):
    """What the API wants to be told of a write; it follows from what is written, so no model gives it."""

    conference_data_version: Annotated[int | None, Query(), Mode("disabled")] = None
    event_label_version: Annotated[int | None, Query(), Mode("disabled")] = None
    supports_attachments: Annotated[bool | None, Query(), Mode("disabled")] = None


class Timed(BaseModel):
    """When an event is, where it must be said."""

    start: EventTime
    end: EventTime


class MaybeTimed(BaseModel):
    """When an event is, where that may stay."""

    start: EventTime | None = None
    end: EventTime | None = None


class EventCore(Sharing):
    """What every kind of write may hold."""

    wire_read_only: ClassVar = (
        *("kind", "etag", "html_link", "created", "updated", "creator", "end_time_unspecified"),
        *("hangout_link", "recurring_event_id", "locked", "birthday_properties", "private_copy"),
    )

    summary: str | None = None
    description: str | None = Field(None, description="May hold HTML.")
    location: str | None = None
    attendees: list[Attendee] | None = None
    recurrence: list[Annotated[str, AfterValidator(_check_rule)]] | None = Field(
        None, description="RFC 5545 lines, e.g. RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10."
    )
    reminders: Reminders | None = None
    conference_data: ConferenceData | None = None
    attachments: list[Attachment] | None = Field(None, max_length=25)
    status: Literal["confirmed", "tentative", "cancelled"] | None = None
    transparency: Literal["opaque", "transparent"] | None = Field(
        None, description="transparent: shown as free."
    )
    visibility: Literal["default", "public", "private", "confidential"] | None = None
    color_id: str | None = None
    event_label_id: str | None = Field(None, description="From calendars_get; replaces colorId.")
    guests_can_invite_others: bool | None = Field(None, description="Default true.")
    guests_can_modify: bool | None = None
    guests_can_see_other_guests: bool | None = Field(None, description="Default true.")
    extended_properties: ExtendedProperties | None = None
    source: Source | None = None

    @model_validator(mode="after")
    def _times_fit(self) -> Self:
        # each kind of write says itself whether it must have them
        start: EventTime | None = getattr(self, "start", None)
        end: EventTime | None = getattr(self, "end", None)
        check_order(start, end)
        for name, time in (("start", start), ("end", end)):
            if self.recurrence and time and time.date_time and not time.time_zone:
                raise ValueError(f"recurrence needs {name}.timeZone")
        return self

    @model_validator(mode="after")
    def _say_what_is_written(self) -> Self:
        if self.conference_data is not None and self.conference_data.create_request is None:
            self.conference_data = None  # what is there of a conference stays as it is
            self.model_fields_set.discard("conference_data")
        if "conference_data" in self.model_fields_set:
            self.conference_data_version = 1
        if "event_label_id" in self.model_fields_set:
            self.event_label_version = 1
        if self.attachments is not None:
            self.supports_attachments = True
        return self


class EventDetails(EventCore):
    """What a write to the user's own event may hold."""

    focus_time_properties: FocusTime | None = None
    out_of_office_properties: OutOfOffice | None = None
    working_location_properties: WorkingLocation | None = None
    send_updates: SendUpdates = None

    @model_validator(mode="after")
    def _working_location_is_seen_by_all_and_blocks_no_time(self) -> Self:
        kind = getattr(self, "event_type", None)
        if self.working_location_properties is None and kind != "workingLocation":
            return self
        if self.transparency == "opaque":
            raise ValueError("a working location blocks no time: leave transparency out or give transparent")
        if self.visibility not in (None, "public"):
            raise ValueError("a working location is public: leave visibility out or give public")
        if kind is not None:  # one that is only changed has both already
            self.transparency, self.visibility = "transparent", "public"
        return self


class TypedEvent(EventDetails, Timed):
    """An event that is written whole, its type included."""

    @model_validator(mode="after")
    def _properties_fit_the_type(self) -> Self:
        given = {
            "focusTime": self.focus_time_properties,
            "outOfOffice": self.out_of_office_properties,
            "workingLocation": self.working_location_properties,
        }
        for kind, properties in given.items():
            if properties is not None and getattr(self, "event_type", None) != kind:
                raise ValueError(f"{kind}Properties needs eventType {kind}")
        return self


class EventsInsert(TypedEvent):
    """Put an event on a calendar, with guests, recurrence, reminders, a video call. sendUpdates emails the guests."""

    event_type: Literal["default", "focusTime", "outOfOffice", "workingLocation", "birthday"] | None = Field(
        None, description="birthday: all-day, and recurs yearly."
    )
    id: str | None = Field(
        None, pattern="^[a-v0-9]{5,1024}$", description="Your own, to insert it no more than once."
    )


events_insert = api.post(
    "calendar/v3/calendars/{calendarId}/events",
    EventsInsert,
    hints="create add book schedule meeting appointment invite guests zoom meet block time out of office holiday "
    "vacation birthday",
    response_handler=keep_changed,
    scopes=scope("events"),
    needs={"calendarId": "calendar_list_list", "eventLabelId": "calendars_get"},
)


class Existing(EventPick):
    """What a change to an event that is there already may hold beside its members."""

    attendees_omitted: bool | None = Field(None, description="True: only the user's own answer changes.")
    sequence: int | None = Field(None, ge=0)
    if_match: IfMatch = None


_EXISTING_READ_ONLY = (
    *EventCore.wire_read_only,
    *("id", "iCalUID", "organizer", "original_start_time", "attendees_truncated", "attendees_total"),
    *("next_attendees_from", "description_truncated", "description_length"),
)


class EventsUpdate(TypedEvent, Existing):
    """Replace an event as a whole: what is left out is gone. Prefer events_patch."""

    wire_read_only: ClassVar = _EXISTING_READ_ONLY

    event_type: (
        Literal["default", "focusTime", "outOfOffice", "workingLocation", "birthday", "fromGmail"] | None
    ) = Field(None, description="As it was.")


events_update = api.put(
    "calendar/v3/calendars/{calendarId}/events/{eventId}",
    EventsUpdate,
    hints="overwrite rewrite meeting appointment all fields",
    response_handler=keep_changed,
    scopes=scope("events"),
    needs={**NEEDS, "eventLabelId": "calendars_get"},
)


class EventsPatch(EventDetails, MaybeTimed, Existing):
    """Change parts of an event; lists are replaced whole. One occurrence's id: only that."""

    wire_read_only: ClassVar = _EXISTING_READ_ONLY
    wire_rules: ClassVar = (
        AtMostOneOf("attendees", "add_attendees"),
        AtMostOneOf("attendees", "remove_attendees"),
        NotOnly("calendar_id", "event_id", "send_updates", "if_match"),
    )

    add_attendees: Annotated[
        list[Attendee] | None, Unsent(), Field(description="Or change, by email; the others stay.")
    ] = None
    remove_attendees: Annotated[list[str] | None, Unsent(), Field(description="Emails.")] = None
    conference_data: Annotated[ConferenceData | None, Clearable()] = None
    color_id: Annotated[str | None, Clearable()] = None
    event_label_id: Annotated[
        str | None, Clearable(), Field(description="From calendars_get; replaces colorId.")
    ] = None
    extended_properties: ExtendedPropertiesPatch | None = None  # pyright: ignore[reportIncompatibleVariableOverride]
    source: Annotated[Source | None, Clearable()] = None

    @model_validator(mode="after")
    def _all_day_takes_the_place_of_timed(self) -> Self:
        for time in (self.start, self.end):
            if time is not None:  # a patch keeps what it does not name, and an event is one or the other
                time.model_fields_set.add("date" if time.date is None else "date_time")
        return self


events_patch = api.patch(
    "calendar/v3/calendars/{calendarId}/events/{eventId}",
    EventsPatch,
    hints="edit move reschedule postpone push back rename meeting appointment accept decline invitation rsvp "
    "add invite guest change time room",
    reads_first=ReadsFirst(change_guests, events_get),
    response_handler=keep_changed,
    scopes=scope("events"),
    needs={**NEEDS, "eventLabelId": "calendars_get"},
)


class EventsImport(EventCore, Timed):
    """Copy an event from another calendar system by its iCalUID; nobody is invited or emailed."""

    ical_uid: Annotated[str, WireName("iCalUID")]
    organizer: Organizer | None = None
    original_start_time: EventTime | None = Field(None, description="Of one changed occurrence.")
    sequence: int | None = Field(None, ge=0)


events_import = api.post(
    "calendar/v3/calendars/{calendarId}/events/import",
    EventsImport,
    hints="ics ical file migrate private copy invitation",
    response_handler=keep_changed,
    scopes=scope("events"),
    needs={"calendarId": "calendar_list_list", "eventLabelId": "calendars_get"},
)

TOOLS = (events_insert, events_update, events_patch, events_import)
