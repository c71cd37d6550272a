"""Threads: find, read, label, bin and delete whole conversations.

Not here: sending into one. `messages_send` and the drafts take a threadId.
"""

from typing import Literal

from pydantic import Field

from charter import Pages, keep
from charter.packs.gmail.api import FULL, Mailbox, Reading, Searching, api, scope
from charter.packs.gmail.mail import keep_written, read_thread
from charter.packs.gmail.relabel import Relabel

__all__ = ["TOOLS"]


class ThreadsList(Searching):
    """Find threads (conversations), newest first. Gives ids and snippets: read each with threads_get."""

    label_ids: list[str] | None = Field(None, description="With all of these, e.g. INBOX, UNREAD.")
    max_results: int | None = Field(30, ge=1, le=500)


threads_list = api.get(
    "gmail/v1/users/{userId}/threads",
    ThreadsList,
    hints="search email mail correspondence exchange back and forth inbox",
    response_handler=keep(
        "threads.id", "threads.snippet", "threads.historyId", "nextPageToken", "resultSizeEstimate"
    ),
    pagination=Pages("pageToken", cursor="nextPageToken", items="threads", limit="maxResults"),
    scopes=scope("readonly"),
    needs={"labelIds": "labels_list"},
)


class ThreadsGet(Reading):
    """Read every message of a thread, oldest first."""

    format: Literal["full", "metadata", "minimal"] | None = Field(
        None, description="Default full. metadata: headers; minimal: labels."
    )


threads_get = api.get(
    "gmail/v1/users/{userId}/threads/{id}",
    ThreadsGet,
    hints="conversation email show whole exchange back and forth replies correspondence",
    response_handler=read_thread,
    scopes=scope("readonly"),
    needs={"id": "threads_list"},
)


class ThreadsModify(Relabel):
    """Change the labels of every message in a thread. Archive: remove INBOX. Mark read: remove UNREAD."""

    id: str


threads_modify = api.post(
    "gmail/v1/users/{userId}/threads/{id}/modify",
    ThreadsModify,
    hints="conversation star unread important mute folder move tag",
    response_handler=keep_written,
    scopes=scope("modify"),
    needs={"id": "threads_list", "addLabelIds": "labels_list", "removeLabelIds": "labels_list"},
)


class ThreadsTrash(Mailbox):
    """Move a thread and all its messages to the trash, where they stay for 30 days."""

    id: str


threads_trash = api.post(
    "gmail/v1/users/{userId}/threads/{id}/trash",
    ThreadsTrash,
    hints="delete remove bin throw away conversation",
    response_handler=keep_written,
    scopes=scope("modify"),
    needs={"id": "threads_list"},
)


class ThreadsUntrash(Mailbox):
    """Take a thread and all its messages out of the trash."""

    id: str


threads_untrash = api.post(
    "gmail/v1/users/{userId}/threads/{id}/untrash",
    ThreadsUntrash,
    hints="restore recover undelete undo bring back conversation",
    response_handler=keep_written,
    scopes=scope("modify"),
    needs={"id": "threads_list"},
)


class ThreadsDelete(Mailbox):
    """Delete a thread and all its messages for good, with no way back. Prefer threads_trash."""

    id: str


threads_delete = api.delete(
    "gmail/v1/users/{userId}/threads/{id}",
    ThreadsDelete,
    hints="erase purge permanently forever remove conversation",
    scopes=FULL,
    needs={"id": "threads_list"},
)

TOOLS = (threads_list, threads_get, threads_modify, threads_trash, threads_untrash, threads_delete)
