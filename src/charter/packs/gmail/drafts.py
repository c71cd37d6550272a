"""Drafts: write, read, change, send and delete mail that is not sent yet.

Not here: how mail is encoded (`outgoing`).
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from charter import Format, Pages, Reader, ReadsFirst, keep
from charter.packs.gmail.api import Mailbox, Searching, TextFrom, api, scope
from charter.packs.gmail.files import (
    attach_files,
    check_mail,
    check_size,
    fetch_file,
    upload_large,
    with_files,
)
from charter.packs.gmail.mail import find_files, keep_written, read_draft, read_mail
from charter.packs.gmail.messages import messages_attachments_get, messages_get
from charter.packs.gmail.outgoing import Mail, Outgoing, write_message
from charter.packs.gmail.parts import is_object

__all__ = ["TOOLS"]


class DraftsCreate(Outgoing):
    """Save an email as a draft. To answer one, take inReplyTo, references and threadId from messages_get."""

    message: Annotated[Mail, Format(write_message)]


async def add_files(arguments: DraftsCreate, read: Reader) -> DraftsCreate:
    """Fetch the files that the draft is to have."""
    return await upload_large(await attach_files(arguments, read), under="message")


drafts_create = api.post(
    "gmail/v1/users/{userId}/drafts",
    DraftsCreate,
    also=("{upload}/gmail/v1/users/{userId}/drafts",),
    hints="compose write prepare reply answer mail without sending not yet later",
    reads_first=ReadsFirst(add_files, messages_get, messages_attachments_get),
    response_handler=keep_written,
    scopes=scope("compose"),
)


class DraftsGet(Mailbox):
    """Read a draft: recipients, body as text, ids of attachments."""

    id: str
    format: Literal["full", "metadata", "minimal", "raw"] | None = Field(
        None,
        description="Default full. metadata: headers; minimal: labels; raw: full, from the source.",
    )
    text_from: TextFrom = None


def read_draft_from(data: Any, arguments: DraftsGet) -> Any:
    """Trim a draft; what follows a cut is its text alone."""
    return read_draft(data, arguments.text_from or 0)


drafts_get = api.get(
    "gmail/v1/users/{userId}/drafts/{id}",
    DraftsGet,
    hints="open show view unsent content",
    response_handler=read_draft_from,
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


class DraftsUpdate(Outgoing):
    """Replace a draft's email; what is left out is gone, but attachments stay: [] takes them away."""

    id: str
    message: Annotated[Mail, Format(write_message)]


async def keep_files(arguments: DraftsUpdate, read: Reader) -> DraftsUpdate:
    """Fetch the files that the draft has, unless others are given; of those, some may be its own."""
    given, message = arguments.message.attachments, None
    is_told = "attachments" in arguments.message.model_fields_set
    if not is_told or any(file.id and not file.message_id for file in given):
        check_mail(arguments.message)
        message = await _read_mail(arguments.id, read)
    own = str(message.get("id", "")) if message else ""
    if is_told:
        return await upload_large(await attach_files(arguments, read, own), under="message")
    mail = read_mail(message) if message else None
    files = list(find_files(mail)) if mail else []
    check_size(files)
    kept = with_files(arguments, [await fetch_file(own, file, read) for file in files])
    return await upload_large(kept, under="message")


async def _read_mail(draft_id: str, read: Reader) -> dict[str, Any] | None:
    draft = await read(drafts_get, id=draft_id, format="full")
    message: Any = draft.get("message") if is_object(draft) else None
    return message if is_object(message) else None


drafts_update = api.put(
    "gmail/v1/users/{userId}/drafts/{id}",
    DraftsUpdate,
    also=("{upload}/gmail/v1/users/{userId}/drafts/{id}",),
    hints="edit change rewrite revise correct unsent",
    reads_first=ReadsFirst(keep_files, drafts_get, messages_get, messages_attachments_get),
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
