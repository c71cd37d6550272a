"""When something is: moments with an offset, the times of an event, and ranges that are not empty.

Not here: recurrence, which the writing tools check.
"""

import datetime as dt
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, BaseModel, Field, model_validator

from charter import ExactlyOneOf

__all__ = ["EventTime", "Moment", "check_order", "check_range"]


def _check_offset(moment: dt.datetime) -> dt.datetime:
    if moment.tzinfo is None:
        raise ValueError("needs an offset, such as 2026-01-31T09:00:00Z or …+01:00")
    return moment


Moment = Annotated[dt.datetime, AfterValidator(_check_offset)]


class EventTime(BaseModel):
    wire_rules: ClassVar = (ExactlyOneOf("date", "date_time"),)

    date: dt.date | None = Field(None, description="All-day. As end: the day after the last.")
    date_time: dt.datetime | None = Field(None, description="With offset, or with timeZone.")
    time_zone: str | None = Field(None, description="IANA, e.g. Europe/Zurich; required if recurring.")

    @model_validator(mode="after")
    def _offset_or_zone(self) -> Self:
        if self.date_time is not None and self.date_time.tzinfo is None and not self.time_zone:
            raise ValueError("dateTime needs an offset, such as +01:00, or timeZone")
        return self


def check_order(start: EventTime | None, end: EventTime | None) -> None:
    """Refuse an event that ends before it starts, or is all-day at one end only.

    Raises:
        ValueError: in words for whoever wrote the times.
    """
    if start is None or end is None:
        return
    if (start.date is None) != (end.date is None):
        raise ValueError("give start and end both as date or both as dateTime")
    if start.date and end.date and end.date <= start.date:
        raise ValueError(f"end date is exclusive: give {start.date + dt.timedelta(days=1)} or later")
    one, other = start.date_time, end.date_time
    if one and other and (one.tzinfo is None) == (other.tzinfo is None):
        same_clock = one.tzinfo is not None or start.time_zone == end.time_zone
        if same_clock and other < one:
            raise ValueError(f"end {other.isoformat()} is before start {one.isoformat()}")


def check_range(lower: dt.datetime | None, upper: dt.datetime | None) -> None:
    """Refuse a range in which nothing can be.

    Raises:
        ValueError: in words for whoever wrote it.
    """
    if lower and upper and upper <= lower:
        raise ValueError(f"timeMax {upper.isoformat()} must be after timeMin {lower.isoformat()}")
