"""The mailbox's history: what changed since a moment.

Not here: push notifications.
"""

from typing import Literal

from pydantic import Field

from charter import Pages, keep
from charter.packs.gmail.api import Listing, api, scope

__all__ = ["TOOLS"]

_CHANGES = ("messagesAdded", "messagesDeleted", "labelsAdded", "labelsRemoved")


class HistoryList(Listing):
    """List what changed in the mailbox since a historyId, oldest first."""

    max_results: int | None = Field(50, ge=1, le=500)
    start_history_id: str = Field(
        pattern=r"^\d+$",
        description="From a message, thread, profile_get or this list; 404 once too old, in about a week.",
    )
    label_id: str | None = Field(None, description="Only messages with this label.")
    history_types: list[Literal["messageAdded", "messageDeleted", "labelAdded", "labelRemoved"]] | None = None


history_list = api.get(
    "gmail/v1/users/{userId}/history",
    HistoryList,
    hints="changes sync new since last check delta updates",
    response_handler=keep(
        "history.id",
        *(f"history.{change}.message.{key}" for change in _CHANGES for key in ("id", "threadId", "labelIds")),
        *(f"history.{change}.labelIds" for change in _CHANGES[2:]),
        "nextPageToken",
        "historyId",
    ),
    pagination=Pages("pageToken", cursor="nextPageToken", items="history", limit="maxResults"),
    scopes=scope("metadata"),
    needs={"startHistoryId": "profile_get", "labelId": "labels_list"},
)

TOOLS = (history_list,)
