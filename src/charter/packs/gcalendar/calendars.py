"""A calendar itself: what it is called, its time zone, labels and working hours.

Not here: how it stands in the user's list (`calendar_list`), and making or deleting one.
"""

from charter import keep
from charter.packs.gcalendar.api import CalendarPick, api, scope

__all__ = ["TOOLS"]


class CalendarsGet(CalendarPick):
    """Get a calendar: title, time zone, event labels, working hours."""


calendars_get = api.get(
    "calendar/v3/calendars/{calendarId}",
    CalendarsGet,
    hints="timezone name metadata office hours colours",
    response_handler=keep(
        *"id etag summary description location timeZone dataOwner".split(),
        *"labelProperties workingHours conferenceProperties autoAcceptInvitations".split(),
    ),
    scopes=scope("calendars.readonly"),
    needs={"calendarId": "calendar_list_list"},
)

TOOLS = (calendars_get,)
