"""What every Calendar tool shares: address, credential, spelling, which calendar, and the scopes Google asks for.

Not here: any operation.
"""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, model_validator

from charter import Api, Bearer, Case, Failures, Header, Query

__all__ = [
    "NEEDS",
    "CalendarPick",
    "EventPick",
    "IfMatch",
    "Page",
    "SendUpdates",
    "api",
    "configure",
    "scope",
]

api = Api(
    "gcalendar",
    base_url="https://www.googleapis.com/",
    auth=Bearer(env="GOOGLE_ACCESS_TOKEN"),
    case=Case.CAMEL,
    failures=Failures(
        throttled=frozenset(
            {"dailyLimitExceeded", "quotaExceeded", "rateLimitExceeded", "userRateLimitExceeded"}
        ),
        named=("error.errors.*.reason",),
    ),
)


def scope(name: str) -> tuple[str, ...]:
    """Name the one scope a tool needs, the narrowest that works on every calendar of the user.

    >>> scope("events.readonly")
    ('https://www.googleapis.com/auth/calendar.events.readonly',)
    """
    return (f"https://www.googleapis.com/auth/calendar.{name}",)


configure = api.configure
"""Set `auth`, `base_url` or `client` for all Calendar tools of this process; each is optional."""


NEEDS = {"calendarId": "calendar_list_list", "eventId": "events_list"}
"""Where the ids of an event come from."""


class Page(BaseModel):
    """One page of a list."""

    max_results: int
    page_token: str | None = None

    @model_validator(mode="after")
    def _ask_for_a_page_that_a_model_can_take(self) -> Self:
        self.model_fields_set.add("max_results")  # Google's own page is larger
        return self


class CalendarPick(BaseModel):
    """Which calendar."""

    calendar_id: str = Field("primary", min_length=1)


class EventPick(CalendarPick):
    """Which event of which calendar."""

    event_id: str


SendUpdates = Annotated[
    Literal["all", "externalOnly", "none"] | None,
    Query(),
    Field(description="Which guests are emailed. Default none."),
]
IfMatch = Annotated[
    str | None, Header("If-Match"), Field(description="etag read before: refused when changed since.")
]
