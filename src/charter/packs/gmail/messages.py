"""Messages: find, read, label, bin and delete them, and download their attachments.

Not here: sending them (`sending`), and how mail is decoded (`mail`).
"""

import base64
import re
from typing import Any, Literal

from pydantic import Field

from charter import Found, Pages, Reader, ReadsFirst, ToolValidationError, keep
from charter.packs.gmail.api import FULL, Mailbox, Reading, Searching, TextFrom, api, scope
from charter.packs.gmail.mail import TEXT_LIMIT, cut, find_files, keep_written, read_mail, read_message
from charter.packs.gmail.parts import Part, decode_base64url, is_object
from charter.packs.gmail.relabel import RelabelClassified

__all__ = ["TOOLS", "find_file"]

CONTENT_LIMIT = 100_000
"""Characters of base64 that a model is shown of an attachment; of a larger one it learns the size."""

_PART_ID = re.compile(r"\d+(\.\d+)*")
"""Gmail's own ids of attachments are long, and others at each reading."""


class MessagesList(Searching):
    """Find messages, newest first. Gives ids only: read each with messages_get."""

    label_ids: list[str] | None = Field(None, description="With all of these, e.g. INBOX, UNREAD, STARRED.")


messages_list = api.get(
    "gmail/v1/users/{userId}/messages",
    MessagesList,
    hints="search inbox email mail unread recent latest new check look for sender wrote heard back from",
    response_handler=keep("messages.id", "messages.threadId", "nextPageToken", "resultSizeEstimate"),
    pagination=Pages("pageToken", cursor="nextPageToken", items="messages", limit="maxResults"),
    scopes=scope("readonly"),
    needs={"labelIds": "labels_list"},
)


class MessagesGet(Reading):
    """Read a message: headers, body as text, ids of attachments."""

    format: Literal["full", "metadata", "minimal", "raw"] | None = Field(
        None,
        description="Default full. metadata: headers; minimal: labels; raw: full, from the source.",
    )
    text_from: TextFrom = None


def read_message_from(data: Any, arguments: MessagesGet) -> Any:
    """Trim a message; what follows a cut is its text alone."""
    return read_message(data, start=arguments.text_from or 0)


messages_get = api.get(
    "gmail/v1/users/{userId}/messages/{id}",
    MessagesGet,
    hints="open show view email mail content what it says wrote source MIME unsubscribe link",
    response_handler=read_message_from,
    scopes=scope("readonly"),
    needs={"id": "messages_list"},
)


class MessagesAttachmentsGet(Mailbox):
    """Download an attachment: text, or base64 content."""

    message_id: str
    id: str = Field(description="From attachments of messages_get.")
    text_from: TextFrom = None


def find_file(message: Any, message_id: str, file_id: str) -> Part:
    """Find a file of a message by its place there.

    Raises:
        ToolValidationError: there is none; the text names those there are.
    """
    mail = read_mail(message) if is_object(message) else None
    files = {file.id: file for file in find_files(mail)} if mail else {}
    if file_id not in files:
        there = ", ".join(f"{name} ({file.filename or file.media_type})" for name, file in files.items())
        problem = f"message {message_id} has no attachment {file_id!r}; it has {there or 'none'}"
        raise ToolValidationError(f"{problem}.", errors=[{"field": "id", "problem": problem}])
    file = files[file_id]
    if file.parts and not file.attachment_id:
        raise ToolValidationError(
            f"attachments: {file_id} is a mail of its own, which Gmail hands out in parts alone. Name another."
        )
    return file


async def find_attachment(arguments: MessagesAttachmentsGet, read: Reader) -> MessagesAttachmentsGet | Found:
    """Find Gmail's own id of an attachment, or the content where it came with the message."""
    if not _PART_ID.fullmatch(arguments.id):
        return arguments
    message = await read(messages_get, id=arguments.message_id, format="full")
    file = find_file(message, arguments.message_id, arguments.id)
    if file.attachment_id:
        return arguments.model_copy(update={"id": file.attachment_id})
    return Found({"size": file.size, "data": base64.b64encode(file.content or b"").decode("ascii")})


def read_attachment(data: Any, arguments: MessagesAttachmentsGet) -> Any:
    """Trim an attachment to its size and its text or, when it is no text, its base64."""
    if not is_object(data):
        return data
    content = decode_base64url(data.get("data"))
    if content is None:
        return data
    result: dict[str, Any] = {"bytes": len(content)}
    text = _read_utf8(content)
    if text is not None:
        return result | cut("text", text, TEXT_LIMIT, arguments.text_from or 0)
    encoded = base64.b64encode(content).decode("ascii")
    if len(encoded) > CONTENT_LIMIT:
        return result | {"contentTruncated": True, "note": "too large to show; it can be attached by its id"}
    return result | {"content": encoded}


def _read_utf8(content: bytes) -> str | None:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if any(each < " " and each not in "\t\n\r\f" for each in text) else text


messages_attachments_get = api.get(
    "gmail/v1/users/{userId}/messages/{messageId}/attachments/{id}",
    MessagesAttachmentsGet,
    hints="attached file document invoice pdf save open",
    reads_first=ReadsFirst(find_attachment, messages_get),
    response_handler=read_attachment,
    scopes=scope("readonly"),
    needs={"messageId": "messages_list", "id": "messages_get"},
)


class MessagesModify(RelabelClassified):
    """Change a message's labels. Archive: remove INBOX. Mark read: remove UNREAD. Star: add STARRED."""

    id: str


messages_modify = api.post(
    "gmail/v1/users/{userId}/messages/{id}/modify",
    MessagesModify,
    hints="email mail unread starred important spam put into under folder move tag file",
    response_handler=keep_written,
    scopes=scope("modify"),
    needs={"id": "messages_list", "addLabelIds": "labels_list", "removeLabelIds": "labels_list"},
)


class MessagesBatchModify(RelabelClassified):
    """Change the labels of many messages at once, as messages_modify does of one."""

    ids: list[str] = Field(min_length=1, max_length=1000)
    add_label_ids: list[str] | None = Field(None, description="Ids, not names.")
    remove_label_ids: list[str] | None = None


messages_batch_modify = api.post(
    "gmail/v1/users/{userId}/messages/batchModify",
    MessagesBatchModify,
    hints="bulk several all emails mails archive read clean up inbox newsletters",
    scopes=scope("modify"),
    needs={"ids": "messages_list", "addLabelIds": "labels_list", "removeLabelIds": "labels_list"},
)


class MessagesTrash(Mailbox):
    """Move a message to the trash, where it stays for 30 days."""

    id: str


messages_trash = api.post(
    "gmail/v1/users/{userId}/messages/{id}/trash",
    MessagesTrash,
    hints="delete remove bin throw away discard email mail",
    response_handler=keep_written,
    scopes=scope("modify"),
    needs={"id": "messages_list"},
)


class MessagesUntrash(Mailbox):
    """Take a message out of the trash."""

    id: str


messages_untrash = api.post(
    "gmail/v1/users/{userId}/messages/{id}/untrash",
    MessagesUntrash,
    hints="restore recover undelete undo bring back deleted email mail",
    response_handler=keep_written,
    scopes=scope("modify"),
    needs={"id": "messages_list"},
)


class MessagesDelete(Mailbox):
    """Delete a message for good, with no way back. Prefer messages_trash."""

    id: str


messages_delete = api.delete(
    "gmail/v1/users/{userId}/messages/{id}",
    MessagesDelete,
    hints="erase purge permanently forever remove email mail",
    scopes=FULL,
    needs={"id": "messages_list"},
)

TOOLS = (
    messages_list,
    messages_get,
    messages_attachments_get,
    messages_modify,
    messages_batch_modify,
    messages_trash,
    messages_untrash,
    messages_delete,
)
