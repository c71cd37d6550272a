"""Messages: find, read, send, label, bin and delete them, and download their attachments.

Not here: how mail is decoded (`mail`) and encoded (`outgoing`).
"""

import base64
import json
from typing import Annotated, Any, Literal

from pydantic import Field

from charter import Body, Format, Pages, keep
from charter.packs.gmail.api import FULL, Mailbox, Reading, Searching, api, scope
from charter.packs.gmail.mail import TEXT_LIMIT, cut, keep_written, read_message
from charter.packs.gmail.outgoing import SendableMail, write_message
from charter.packs.gmail.parts import decode_base64url, is_object
from charter.packs.gmail.relabel import RelabelClassified

__all__ = ["TOOLS"]

CONTENT_LIMIT = 100_000
"""Characters of base64 that a model is shown of an attachment; of a larger one it learns the size."""


class MessagesSend(Mailbox):
    """Send an email now. To answer one, read it first: inReplyTo, references and threadId come from messages_get."""

    message: Annotated[SendableMail, Body(raw="application/json"), Format(write_message, json.dumps)]


messages_send = api.post(
    "gmail/v1/users/{userId}/messages/send",
    MessagesSend,
    hints="email mail compose write reply answer respond forward pass on attach tell someone",
    response_handler=keep_written,
    scopes=scope("send"),
)


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
        description="Default full. metadata: headers only; minimal: labels only; raw: full, decoded from source.",
    )


messages_get = api.get(
    "gmail/v1/users/{userId}/messages/{id}",
    MessagesGet,
    hints="open show view email mail content what it says wrote source MIME unsubscribe link",
    response_handler=read_message,
    scopes=scope("readonly"),
    needs={"id": "messages_list"},
)


class MessagesAttachmentsGet(Mailbox):
    """Download an attachment: text, or base64 content."""

    message_id: str
    id: str = Field(description="From attachments of messages_get.")


def read_attachment(data: Any) -> Any:
    """Trim an attachment to its size and its text or, when it is no text, its base64."""
    if not is_object(data):
        return data
    content = decode_base64url(data.get("data"))
    if content is None:
        return data
    result: dict[str, Any] = {"bytes": len(content)}
    text = _read_utf8(content)
    if text is not None:
        return result | cut("text", text, TEXT_LIMIT)
    encoded = base64.b64encode(content).decode("ascii")
    if len(encoded) > CONTENT_LIMIT:
        return result | {"contentTruncated": True, "note": "too large to show"}
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
    messages_send,
    messages_list,
    messages_get,
    messages_attachments_get,
    messages_modify,
    messages_batch_modify,
    messages_trash,
    messages_untrash,
    messages_delete,
)
