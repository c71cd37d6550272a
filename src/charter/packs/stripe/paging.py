"""How Stripe pages: cursors on lists, page tokens on searches, and the times that both are narrowed by.

Not here: the filters of a list, which are beside its tool, and what is kept of a page.
"""

from typing import ClassVar

from pydantic import BaseModel, Field

from charter import AtMostOneOf, Pages
from charter.packs.stripe.fields import Moment

__all__ = ["PAGES", "RESULTS", "During", "Page", "Results"]

PAGES = Pages("starting_after", cursor="data.-1.id", more="has_more", items="data")
RESULTS = Pages("page", cursor="next_page", more="has_more", items="data")


class During(BaseModel):
    gt: Moment | None = None
    gte: Moment | None = None
    lt: Moment | None = None
    lte: Moment | None = None


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
