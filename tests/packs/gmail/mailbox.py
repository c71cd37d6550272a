"""A mailbox on loopback that keeps state: messages and drafts, files by Gmail's long ids, small parts inlined.

Not here: searching, labels and threads; emulate has them (tests/e2e).
"""

import base64
import email
import email.policy
import itertools
import json
from dataclasses import dataclass, field, replace
from email.message import Message
from typing import Any

from tests.counterparties.loopback import Asked, Loopback, Reply

INLINED = 64
"""Bytes up to which a part comes with the message."""


@dataclass
class Mailbox:
    """Answers as Gmail does; `sent` holds what was sent, parsed by Python's email package."""

    loopback: Loopback
    messages: dict[str, bytes] = field(default_factory=dict[str, bytes])
    drafts: dict[str, str] = field(default_factory=dict[str, str])
    """Draft's id -> its message's."""
    sent: list[Message] = field(default_factory=list[Message])
    uploaded: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """What came beside each uploaded mail."""

    def __post_init__(self) -> None:
        self._ids = itertools.count(1)
        self.loopback.answer = self._answer

    @property
    def asked(self) -> list[str]:
        """Method and path of each request, without what is the same in all."""
        return [
            f"{each.method} {each.path.removeprefix('/gmail/v1/users/me/')}" for each in self.loopback.asked
        ]

    def put(self, raw: bytes) -> str:
        """Put a mail into the mailbox."""
        name = f"m{next(self._ids)}"
        self.messages[name] = raw
        return name

    def draft(self, raw: bytes) -> str:
        """Put a draft into the mailbox."""
        name = f"r{next(self._ids)}"
        self.drafts[name] = self.put(raw)
        return name

    def read(self, message_id: str) -> Message:
        return email.message_from_bytes(self.messages[message_id], policy=email.policy.default)

    def _answer(self, asked: Asked) -> Reply:
        if asked.path.startswith("/upload/"):
            return self._take_upload(asked)
        match asked.method, asked.path.removeprefix("/gmail/v1/users/me/").split("/"):
            case "GET", ["messages", name] if name in self.messages:
                return Reply(self._show(name))
            case "GET", ["messages", name, "attachments", file] if name in self.messages:
                return self._show_file(name, file)
            case "GET", ["drafts", name] if name in self.drafts:
                return Reply({"id": name, "message": self._show(self.drafts[name])})
            case "POST", ["messages", "send"]:
                self.sent.append(self.read(name := self.put(decode(asked.json["raw"]))))
                return Reply({"id": name, "threadId": name, "labelIds": ["SENT"]})
            case "POST", ["drafts"]:
                name = self.draft(decode(asked.json["message"]["raw"]))
                return Reply({"id": name, "message": {"id": self.drafts[name]}})
            case "PUT", ["drafts", name] if name in self.drafts:
                self.drafts[name] = self.put(decode(asked.json["message"]["raw"]))
                return Reply({"id": name, "message": {"id": self.drafts[name]}})
            case _:
                return Reply({"error": {"code": 404, "message": "Requested entity was not found."}}, 404)

    def _take_upload(self, asked: Asked) -> Reply:
        """Take an upload of two parts as the JSON that it stands for."""
        resource, mail = read_upload(asked)
        self.uploaded.append(resource)
        wrapped = "message" in resource
        (resource["message"] if wrapped else resource)["raw"] = encode(mail)
        return self._answer(
            replace(asked, path=asked.path.removeprefix("/upload"), body=json.dumps(resource).encode())
        )

    def _show(self, name: str) -> dict[str, Any]:
        return {"id": name, "threadId": name, "payload": self._parse(self.read(name), f"ANGjdJ8{name}", "")}

    def _parse(self, part: Message, secret: str, at: str) -> dict[str, Any]:
        shown: dict[str, Any] = {
            "partId": at,
            "mimeType": part.get_content_type(),
            "filename": part.get_filename() or "",
            "headers": [{"name": name, "value": str(value)} for name, value in part.items()],
        }
        if part.is_multipart():
            inner = enumerate(part.get_payload())
            children = [self._parse(each, secret, f"{at}.{n}".lstrip(".")) for n, each in inner]
            return {**shown, "body": {"size": 0}, "parts": children}
        content: Any = part.get_payload(decode=True)
        if shown["filename"] and len(content) > INLINED:
            return {**shown, "body": {"size": len(content), "attachmentId": f"{secret}-{at}"}}
        return {**shown, "body": {"size": len(content), "data": encode(content)}}

    def _show_file(self, name: str, file: str) -> Reply:
        *_, at = file.split("-")
        part: Any = self.read(name)
        for step in filter(None, at.split(".")):
            part = part.get_payload()[int(step)]
        content = part.get_payload(decode=True)
        return Reply({"size": len(content), "data": encode(content)})


def read_upload(asked: Asked) -> tuple[dict[str, Any], bytes]:
    """Read a multipart upload as RFC 2046 says, with none of Charter's."""
    assert asked.pairs == [("uploadType", "multipart")]
    head = f"Content-Type: {asked.header('content-type')}\r\n\r\n".encode()
    parsed = email.message_from_bytes(head + asked.body, policy=email.policy.compat32)
    assert parsed.get_content_type() == "multipart/related"
    resource, mail = parsed.get_payload()
    assert mail.get_content_type() == "message/rfc822"
    return json.loads(resource.get_payload()), mail.get_payload(0).as_bytes(policy=email.policy.SMTP)


def encode(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode()


def decode(raw: str) -> bytes:
    return base64.urlsafe_b64decode(raw)
