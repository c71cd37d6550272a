"""Drafts: write, read, change, send and delete mail that is not sent yet.

Not here: how mail is encoded (`outgoing`).
"""

from typing import Annotated, Literal

from pydantic import Field

from charter import Format, Pages, keep
from charter.packs.gmail.api import Mailbox, Searching, api, scope
from charter.packs.gmail.mail import keep_written, read_draft
from charter.packs.gmail.outgoing import Mail, write_message

__all__ = ["TOOLS"]


class DraftsCreate(Mailbox):
    """Save an email as a draft. To answer one, take inReplyTo, references and threadId from messages_get."""

    message: Annotated[Mail, Format(write_message)]


drafts_create = api.post(
    "gmail/v1/users/{userId}/drafts",
    DraftsCreate,
    hints="compose write prepare reply answer mail without sending not yet later",
    response_handler=keep_written,
    scopes=scope("compose"),
)


class DraftsGet(Mailbox):
    """Read a draft: recipients, body as text, ids of attachments."""

    id: str
    format: Literal["full", "metadata", "minimal", "raw"] | None = Field(
        None,
        description="Default full. metadata: headers only; minimal: labels only; raw: full, decoded from source.",
    )


drafts_get = api.get(
    "gmail/v1/users/{userId}/drafts/{id}",
    DraftsGet,
    hints="open show view unsent content",
    response_handler=read_draft,
    scopes=scope("readonly"),
    needs={"id": "drafts_list"},
)


class DraftsList(Searching):
    """Find drafts. Gives ids only: read each with drafts_get."""


drafts_list = api.get(
    "gmail/v1/users/{userId}/drafts",
    DraftsList,
    hints="search unsent never sent unfinished wrote prepared saved letter",
    response_handler=keep(
        "drafts.id", "drafts.message.id", "drafts.message.threadId", "nextPageToken", "resultSizeEstimate"
    ),
    pagination=Pages("pageToken", cursor="nextPageToken", items="drafts", limit="maxResults"),
    scopes=scope("readonly"),
)


class DraftsUpdate(Mailbox):
    """Replace a draft's email with a whole new one; what is left out is gone."""

    id: str
    message: Annotated[Mail, Format(write_message)]


drafts_update = api.put(
    "gmail/v1/users/{userId}/drafts/{id}",
    DraftsUpdate,
    hints="edit change rewrite revise correct unsent",
    response_handler=keep_written,
    scopes=scope("compose"),
    needs={"id": "drafts_list"},
)


class DraftsDelete(Mailbox):
    """Delete a draft for good: it does not go to the trash."""

    id: str


drafts_delete = api.delete(
    "gmail/v1/users/{userId}/drafts/{id}",
    DraftsDelete,
    hints="discard throw away remove unsent",
    scopes=scope("compose"),
    needs={"id": "drafts_list"},
)


class DraftsSend(Mailbox):
    """Send a draft as it stands to its recipients."""

    id: str


drafts_send = api.post(
    "gmail/v1/users/{userId}/drafts/send",
    DraftsSend,
    hints="deliver send off prepared unsent never sent now",
    response_handler=keep_written,
    scopes=scope("compose"),
    needs={"id": "drafts_list"},
)

TOOLS = (drafts_create, drafts_get, drafts_list, drafts_update, drafts_delete, drafts_send)
