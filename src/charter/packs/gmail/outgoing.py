"""Mail on its way out: the email a model writes, and Gmail's form of it.

Not here: the tools. Sending and drafts take the same email and differ in what they wrap it in.
"""

from base64 import urlsafe_b64encode
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from charter import EmailContent, Requires
from charter.packs.gmail.classification import ClassificationLabel, write_label

__all__ = ["Mail", "SendableMail", "write_message"]


class Mail(EmailContent):
    """An email, new or in answer to one."""

    thread_id: str | None = Field(
        default=None, description="To answer in: needs inReplyTo and the thread's subject."
    )

    classification_label_values: list[ClassificationLabel] | None = Field(
        default=None, max_length=20, description="Google Workspace only."
    )

    wire_rules: ClassVar = (Requires("thread_id", "in_reply_to", "subject"),)


class SendableMail(Mail):
    """An email to somebody."""

    @model_validator(mode="after")
    def _has_recipient(self) -> Self:
        if not (self.to or self.cc or self.bcc):
            raise ValueError("nobody to send to: give to, cc or bcc")
        return self


def write_message(mail: Any) -> dict[str, Any]:
    """Write an email as Gmail takes it: RFC 822 in base64url, its thread and its classification.

    >>> write_message(Mail(text="Hi", thread_id="t1", in_reply_to="<1@x.org>", subject="Rent"))["threadId"]
    't1'
    """
    mail = mail if isinstance(mail, Mail) else Mail.model_validate(mail)
    message: dict[str, Any] = {"raw": urlsafe_b64encode(mail.as_bytes()).decode("ascii")}
    if mail.thread_id:
        message["threadId"] = mail.thread_id
    if mail.classification_label_values:
        message["classificationLabelValues"] = [
            write_label(each) for each in mail.classification_label_values
        ]
    return message
