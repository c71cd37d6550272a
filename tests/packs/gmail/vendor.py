"""Gmail's own methods, one for each tool, and mail as Python's email package writes and reads it.

Not here: which arguments are tried (`arguments`), and how a request is built (`tests.packs.google`).
"""

import base64
import email
import email.policy
from email.message import EmailMessage
from email.utils import getaddresses
from typing import Any

from tests.packs.google import GoogleClient, join_words


def find_method(tool: str) -> list[str]:
    """`messages_attachments_get` -> users, messages, attachments, get; the mailbox itself has getProfile."""
    if tool == "profile_get":
        return ["users", "getProfile"]
    resource, *words = tool.split("_")
    if words[0] == "attachments":
        return ["users", resource, "attachments", join_words(words[1:])]
    return ["users", resource, join_words(words)]


GMAIL = GoogleClient("gmail.v1", find_method, userId="me")


def write_mail(content: dict[str, Any]) -> str:
    """Write a mail with Python's email package alone, as the guides of Google's client do."""
    mail = EmailMessage()
    single = {"from": "From", "subject": "Subject", "inReplyTo": "In-Reply-To"}
    several = {"to": "To", "cc": "Cc", "bcc": "Bcc", "replyTo": "Reply-To"}
    for name, header in single.items():
        if name in content:
            mail[header] = content[name]
    for name, header in several.items():
        if name in content:
            mail[header] = ", ".join(content[name])
    thread = [*content.get("references", "").split(), *content.get("inReplyTo", "").split()]
    if thread:
        mail["References"] = " ".join(dict.fromkeys(thread))
    if "text" in content or "html" not in content:
        mail.set_content(content.get("text", ""))
        if "html" in content:
            mail.add_alternative(content["html"], subtype="html")
    else:
        mail.set_content(content["html"], subtype="html")
    for file in content.get("attachments", []):
        main, sub = file.get("mediaType", "application/octet-stream").split("/")
        data = base64.b64decode(file["content"])
        mail.add_attachment(data, maintype=main, subtype=sub, filename=file["filename"])
    return base64.urlsafe_b64encode(mail.as_bytes()).decode()


def parse_mail(raw: str) -> dict[str, Any]:
    """Parse a mail with Python's email package into what a recipient gets."""
    mail = email.message_from_bytes(base64.urlsafe_b64decode(raw), policy=email.policy.default)
    headers = {
        name.lower(): str(value) for name, value in mail.items() if not name.lower().startswith("content-")
    }
    for name in {"from", "to", "cc", "bcc", "reply-to"} & set(headers):
        headers[name] = str(getaddresses([headers[name]]))
    leaves = [part for part in mail.walk() if not part.is_multipart()]
    return {
        "headers": headers,
        "types": [part.get_content_type() for part in mail.walk()],
        "contents": [bytes(part.get_payload(decode=True)).replace(b"\r\n", b"\n") for part in leaves],
        "filenames": [part.get_filename() for part in leaves],
    }
