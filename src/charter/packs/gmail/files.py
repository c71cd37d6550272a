"""Files of mail in the mailbox put into mail on its way out: fetched by the call, never shown to the model.

Not here: how mail is encoded (`outgoing`), and files that a model downloads (`messages`).
"""

import asyncio
import base64
import mimetypes
from collections.abc import Iterable
from typing import Any

from charter import Reader, ToolValidationError, TransformError
from charter.packs.gmail.messages import find_file, messages_attachments_get, messages_get
from charter.packs.gmail.outgoing import (
    FILES_LIMIT,
    PLAIN_LIMIT,
    Mail,
    MailFile,
    describe_mail,
    tell_too_large,
    write_mail,
    write_upload,
)
from charter.packs.gmail.parts import Part, decode_base64url, is_object

__all__ = ["attach_files", "check_mail", "check_size", "fetch_file", "upload_large", "with_files"]


async def attach_files(arguments: Any, read: Reader, own: str = "") -> Any:
    """Fetch each file that the mail names by its id and its message, which is `own` unless given."""
    named: list[MailFile] = arguments.message.attachments
    sources = [(file.message_id or own) if file.id else "" for file in named]
    if not any(file.id for file in named):
        return arguments
    for file, source in zip(named, sources, strict=True):
        if file.id and not source:
            raise ToolValidationError(f"attachments: {file.id} is of no message. Give its messageId too.")
    check_mail(arguments.message)
    messages = {
        source: await read(messages_get, id=source, format="full")
        for source in dict.fromkeys(filter(None, sources))
    }
    parts = [
        find_file(messages[source], source, file.id or "") if source else None
        for file, source in zip(named, sources, strict=True)
    ]
    check_size(part for part in parts if part)
    files = [
        await fetch_file(source, part, read, file) if part else file
        for file, source, part in zip(named, sources, parts, strict=True)
    ]
    return with_files(arguments, files)


def check_mail(mail: Mail) -> None:
    """Refuse what cannot be written as mail before anything is read for it.

    Raises:
        TransformError: as when it is written.
    """
    own = [file for file in mail.attachments if file.content is not None]
    mail.model_copy(update={"attachments": own}).as_bytes()


def check_size(parts: Iterable[Part]) -> None:
    """Refuse more files than a mail holds, before any of them is fetched.

    Raises:
        ToolValidationError: with how much they are and how much Gmail takes.
    """
    size = sum(part.size for part in parts)
    if size > FILES_LIMIT:
        raise ToolValidationError(f"attachments: {tell_too_large(size)}")


async def fetch_file(message_id: str, part: Part, read: Reader, named: MailFile | None = None) -> MailFile:
    """Fetch a file of a message, under the name and type that are given, else under its own."""
    content = part.content
    if part.attachment_id:
        body = await read(messages_attachments_get, message_id=message_id, id=part.attachment_id)
        content = decode_base64url(body.get("data")) if is_object(body) else None
        if content is None:
            raise TransformError(
                f"attachments: Gmail gave no content of {part.id} of {message_id}. Try again."
            )
    own = part.filename or f"attachment-{part.id}{mimetypes.guess_extension(part.media_type) or ''}"
    return MailFile(
        filename=(named and named.filename) or own,
        media_type=(named and named.media_type) or part.media_type or None,
        content=base64.b64encode(content or b"").decode("ascii"),
    )


def with_files(arguments: Any, files: list[MailFile]) -> Any:
    """Return the arguments with these files in their mail."""
    message = arguments.message.model_copy(update={"attachments": files})
    return arguments.model_copy(update={"message": message})


async def upload_large(arguments: Any, *, under: str | None = None) -> Any:
    """Have a large mail uploaded: what Gmail is to know of it is the resource, or the member of it that is named.

    Raises:
        TransformError: as `write_mail`.
    """
    mail: Mail = arguments.message
    size = sum(len(file.content or "") for file in mail.attachments)
    if size + len(mail.text or "") + len(mail.html or "") <= PLAIN_LIMIT:
        return arguments
    written = await asyncio.to_thread(write_mail, mail)
    described = describe_mail(mail)
    media = write_upload({under: described} if under else described, written)
    uploaded = arguments.model_copy(update={"upload": "upload", "upload_type": "multipart", "media": media})
    uploaded.model_fields_set.discard("message")
    return uploaded
