"""What is kept of Stripe's answers: the members that a tool names, without those that are null.

Not here: which members; they are beside each tool.
"""

from collections.abc import Callable
from typing import Any

from charter import keep

__all__ = ["keep_object", "keep_page"]


def keep_object(*paths: str) -> Callable[[Any], Any]:
    """Keep these paths of an object."""
    return keep(*paths, nulls=False)


def keep_page(*paths: str) -> Callable[[Any], Any]:
    """Keep these paths of each item, and what is needed to go on to the next page."""
    marks = ("has_more", "next_page", "total_count", "url")
    return keep_object(*marks, *(f"data.{path}" for path in paths))
