"""Sending mail: one tool, which attaches what is in the mailbox by its ids.

Not here: drafts (`drafts`), and how mail is encoded (`outgoing`).
"""

from typing import Annotated, Any

from charter import Mode, Reader, ReadsFirst, Unsent
from charter.packs.gmail.api import api, scope
from charter.packs.gmail.files import attach_files, upload_large
from charter.packs.gmail.mail import keep_written
from charter.packs.gmail.messages import messages_attachments_get, messages_get
from charter.packs.gmail.outgoing import Outgoing, SendableMail, write_message

__all__ = ["TOOLS"]


class MessagesSend(Outgoing):
    """Send an email now. To answer one, read it first: inReplyTo, references and threadId come from messages_get."""

    message: Annotated[SendableMail, Unsent()]
    raw: Annotated[str | None, Mode("disabled")] = None
    thread_id: Annotated[str | None, Mode("disabled")] = None
    classification_label_values: Annotated[list[dict[str, Any]] | None, Mode("disabled")] = None


async def write_out(arguments: MessagesSend, read: Reader) -> MessagesSend:
    """Write the email, with the files that it names, as Gmail takes it."""
    arguments = await upload_large(await attach_files(arguments, read))
    if arguments.media is not None:
        return arguments
    written = write_message(arguments.message)
    update = {
        "raw": written["raw"],
        "thread_id": written.get("threadId"),
        "classification_label_values": written.get("classificationLabelValues"),
    }
    return arguments.model_copy(update={name: value for name, value in update.items() if value is not None})


messages_send = api.post(
    "gmail/v1/users/{userId}/messages/send",
    MessagesSend,
    also=("{upload}/gmail/v1/users/{userId}/messages/send",),
    hints="email mail compose write reply answer respond forward pass on attach tell someone",
    reads_first=ReadsFirst(write_out, messages_get, messages_attachments_get),
    response_handler=keep_written,
    scopes=scope("send"),
)

TOOLS = (messages_send,)
