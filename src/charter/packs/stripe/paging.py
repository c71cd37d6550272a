"""How Stripe pages: cursors on lists, page tokens on searches, and what is kept of a page.

Not here: the filters of a list; they are beside its tool.
"""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, Field

from charter import AtMostOneOf, Pages, keep
from charter.packs.stripe.fields import UNIX

__all__ = ["PAGES", "RESULTS", "During", "Page", "Results", "keep_page"]

PAGES = Pages("starting_after", cursor="data.-1.id", more="has_more", items="data")
RESULTS = Pages("page", cursor="next_page", more="has_more", items="data")


class TimeRange(BaseModel):
    gt: int | None = None
    gte: int | None = None
    lt: int | None = None
    lte: int | None = None


During = Annotated[TimeRange, Field(description=UNIX)]


class Page(BaseModel):
    """Where a list starts and how much of it comes back."""

    wire_rules: ClassVar = (AtMostOneOf("starting_after", "ending_before"),)

    limit: int | None = Field(None, ge=1, le=100)
    starting_after: str | None = Field(None, description="Last id seen.")
    ending_before: str | None = None


class Results(BaseModel):
    """Where a search's results start and how many come back."""

    limit: int | None = Field(None, ge=1, le=100)
    page: str | None = Field(None, description="next_page seen.")


def keep_page(*paths: str) -> Callable[[Any], Any]:
    """Keep these paths of each item, and what is needed to go on to the next page."""
    marks = ("has_more", "next_page", "total_count", "url")
    return keep(*marks, *(f"data.{path}" for path in paths))
