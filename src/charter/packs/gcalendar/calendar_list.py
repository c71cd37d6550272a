"""The user's list of calendars: which there are, and what the user may do in each.

Not here: a calendar's own settings (`calendars`).
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from charter import ConflictsWith, Mode, Pages, keep
from charter.packs.gcalendar.api import CalendarPick, Page, api, scope

__all__ = ["TOOLS"]

_ENTRY = """
    id etag summary summaryOverride description location timeZone accessRole primary hidden selected deleted dataOwner
    backgroundColor defaultReminders conferenceProperties
""".split()
_LISTED = (
    "id summary summaryOverride description timeZone accessRole primary hidden deleted dataOwner".split()
)


class CalendarListList(Page):
    """List the user's calendars, with their ids and what the user may do in each."""

    user_id: Annotated[str, Mode("disabled")] = "me"
    min_access_role: (
        Literal["freeBusyReader", "reader", "writerWithoutPrivateAccess", "writer", "owner"] | None
    ) = None
    show_deleted: bool | None = None
    show_hidden: bool | None = None
    show_own_organization_only: bool | None = None
    max_results: int = Field(30, ge=1, le=250)
    sync_token: Annotated[str | None, ConflictsWith("min_access_role", "show_own_organization_only")] = Field(
        None, description="nextSyncToken of an earlier list: only changes since. On 410 start without."
    )

    @model_validator(mode="after")
    def _sync_shows_all(self) -> Self:
        if self.sync_token and False in (self.show_deleted, self.show_hidden):
            raise ValueError(
                "syncToken always shows deleted and hidden calendars: leave showDeleted and showHidden out"
            )
        return self


calendar_list_list = api.get(
    "calendar/v3/users/{userId}/calendarList",
    CalendarListList,
    hints="which calendars do I have shared team subscribed find id",
    response_handler=keep(*(f"items.{name}" for name in _LISTED), "nextPageToken", "nextSyncToken"),
    pagination=Pages("pageToken", cursor="nextPageToken", items="items", limit="maxResults"),
    scopes=scope("calendarlist.readonly"),
)


class CalendarListGet(CalendarPick):
    """Get a calendar as the user has it in the list: access, default reminders, colour."""


calendar_list_get = api.get(
    "calendar/v3/users/me/calendarList/{calendarId}",
    CalendarListGet,
    hints="my permission role on shared calendar hidden notifications",
    response_handler=keep(*_ENTRY),
    scopes=scope("calendarlist.readonly"),
    needs={"calendarId": "calendar_list_list"},
)

TOOLS = (calendar_list_list, calendar_list_get)
