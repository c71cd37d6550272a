"""Mail on its way out: the email a model writes, and Gmail's form of it.

Not here: the tools. Sending and drafts take the same email and differ in what they wrap it in.
"""

import hashlib
from base64 import urlsafe_b64encode
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator
from pydantic_core import to_json

from charter import (
    Attachment,
    Body,
    EmailContent,
    ExactlyOneOf,
    Mode,
    Query,
    Requires,
    TransformError,
)
from charter.packs.gmail.api import Mailbox
from charter.packs.gmail.classification import ClassificationLabel, write_label

__all__ = [
    "FILES_LIMIT",
    "PLAIN_LIMIT",
    "Mail",
    "MailFile",
    "Outgoing",
    "SendableMail",
    "describe_mail",
    "tell_too_large",
    "write_mail",
    "write_message",
    "write_upload",
]

MAIL_LIMIT = 36_700_160
"""Bytes of one mail that Gmail takes."""
PLAIN_LIMIT = 700_000
"""Bytes of a mail up to which it goes as JSON, of which Gmail is sure to take 1 MB; a larger one is uploaded."""
FILES_LIMIT = MAIL_LIMIT * 57 // 78
"""Bytes of all files of one mail: base64 writes 57 of them as a line of 78."""


class Outgoing(Mailbox):
    """The other way for mail to go out: uploaded as it is, beside what Gmail is to know of it. No model chooses it."""

    upload: Annotated[str | None, Mode("disabled")] = None
    upload_type: Annotated[str | None, Query(), Mode("disabled")] = None
    media: Annotated[bytes | None, Body(raw="multipart/related"), Mode("disabled")] = None


class MailFile(Attachment):
    wire_read_only: ClassVar = ("bytes", "text", "text_length", "text_truncated", "next_text_from")
    filename: str | None = None  # pyright: ignore[reportIncompatibleVariableOverride]
    content: str | None = Field(  # pyright: ignore[reportIncompatibleVariableOverride]
        default=None, description="Base64."
    )
    message_id: str | None = Field(
        default=None, description="Instead of content: a file of this message, by its id there."
    )
    id: str | None = None

    wire_rules: ClassVar = (
        ExactlyOneOf("content", "id"),
        Requires("message_id", "id"),
        Requires("content", "filename"),
    )


class Mail(EmailContent):
    wire_read_only: ClassVar = (
        *("id", "label_ids", "history_id", "message_id", "date", "snippet", "list_unsubscribe", "headers"),
        *("text_length", "text_truncated", "next_text_from", "unreadable"),
    )

    attachments: list[MailFile] = Field(  # pyright: ignore[reportIncompatibleVariableOverride]
        default_factory=list[MailFile], description="25 MB in all."
    )
    thread_id: str | None = Field(
        default=None, description="To answer in: needs inReplyTo and the thread's subject."
    )

    classification_label_values: list[ClassificationLabel] | None = Field(
        default=None, max_length=20, description="Google Workspace only."
    )

    wire_rules: ClassVar = (Requires("thread_id", "in_reply_to", "subject"),)


class SendableMail(Mail):
    @model_validator(mode="after")
    def _has_recipient(self) -> Self:
        if not (self.to or self.cc or self.bcc):
            raise ValueError("nobody to send to: give to, cc or bcc")
        return self


def write_mail(mail: Mail) -> bytes:
    """Write an email as RFC 822 bytes.

    Raises:
        TransformError: it cannot be written as mail, or is larger than Gmail takes.
    """
    written = mail.as_bytes()
    if len(written) > MAIL_LIMIT:
        raise TransformError(tell_too_large(len(written)))
    return written


def describe_mail(mail: Mail) -> dict[str, Any]:
    """Write what Gmail is to know of an email beside its bytes: its thread and its classification."""
    message: dict[str, Any] = {}
    if mail.thread_id:
        message["threadId"] = mail.thread_id
    if mail.classification_label_values:
        message["classificationLabelValues"] = [
            write_label(each) for each in mail.classification_label_values
        ]
    return message


def write_message(mail: Any) -> dict[str, Any]:
    """Write an email as Gmail takes it in JSON: RFC 822 in base64url, its thread and its classification.

    >>> write_message(Mail(text="Hi", thread_id="t1", in_reply_to="<1@x.org>", subject="Rent"))["threadId"]
    't1'

    Raises:
        TransformError: as `write_mail`.
    """
    mail = mail if isinstance(mail, Mail) else Mail.model_validate(mail)
    return {"raw": urlsafe_b64encode(write_mail(mail)).decode("ascii"), **describe_mail(mail)}


def write_upload(resource: dict[str, Any], mail: bytes) -> bytes:
    """Write an upload: the resource as JSON, then the mail as it is, parted by what cannot be in it."""
    boundary = f"={hashlib.sha256(mail).hexdigest()[:32]}=".encode()
    return b"\r\n".join(
        [
            b"--" + boundary,
            b"Content-Type: application/json; charset=UTF-8",
            b"",
            to_json(resource),
            b"--" + boundary,
            b"Content-Type: message/rfc822",
            b"",
            mail,
            b"--" + boundary + b"--",
            b"",
        ]
    )


def tell_too_large(size: int) -> str:
    """Say that something is too large for a mail.

    >>> tell_too_large(40_000_000)
    '40 MB do not fit into one mail, which holds 25 MB of files. Attach less, or send a link.'
    """
    return f"{size / 1e6:.0f} MB do not fit into one mail, which holds 25 MB of files. Attach less, or send a link."
