"""What Google's own client builds for a call, and what its discovery document says that a call may hold.

Nothing is sent. Not here: which arguments are tried (`arguments`).
"""

import base64
import email
import email.policy
import json
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import getaddresses
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from google.auth.credentials import AnonymousCredentials
from googleapiclient.discovery import build_from_document


@dataclass(frozen=True)
class Request:
    """A request as both sides mean it: decoded, order of query parameters with different names aside."""

    method: str
    segments: tuple[str, ...]
    query: tuple[tuple[str, str], ...]
    body: Any

    @classmethod
    def of(cls, method: str, url: str, body: str | bytes | None) -> "Request":
        parts = urlsplit(url)
        query = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair != ("alt", "json")]
        return cls(
            method,
            tuple(unquote(segment) for segment in parts.path.split("/")),
            tuple(sorted(query, key=lambda pair: pair[0])),
            json.loads(body) if body else None,
        )


@cache
def document() -> dict[str, Any]:
    text = files("googleapiclient").joinpath("discovery_cache/documents/gmail.v1.json").read_text()
    return json.loads(text)


@cache
def _service() -> Any:
    return build_from_document(json.dumps(document()), credentials=AnonymousCredentials())


def describe(tool: str) -> dict[str, Any]:
    """The discovery document's description of the operation behind a tool."""
    node = document()["resources"]["users"]
    *resources, method = _names(tool)
    for name in resources:
        node = node["resources"][name]
    return node["methods"][method]


def build(tool: str, arguments: dict[str, Any]) -> Request:
    """Build the request with Google's client: its parameters by name, everything else as the body."""
    described = describe(tool)
    keywords = {name: value for name, value in arguments.items() if name in described["parameters"]}
    body = {name: value for name, value in arguments.items() if name not in keywords}
    if "request" in described:
        keywords["body"] = body
    else:
        assert not body, f"{tool}: {sorted(body)} have no place"
    call = _service().users()
    *resources, method = _names(tool)
    for name in resources:
        call = getattr(call, name)()
    request = getattr(call, method)(userId="me", **keywords)
    return Request.of(request.method, request.uri, request.body)


def _names(tool: str) -> list[str]:
    """`messages_attachments_get` -> messages, attachments, get; the mailbox itself has getProfile."""
    if tool == "profile_get":
        return ["getProfile"]
    resource, *words = tool.split("_")
    if words[0] == "attachments":
        return [resource, "attachments", *words[1:]]
    return [resource, words[0] + "".join(word.capitalize() for word in words[1:])]


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
