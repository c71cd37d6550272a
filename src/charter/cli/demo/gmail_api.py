"""A Gmail-shaped API that keeps state: one mailbox with messages, threads, labels and drafts.

Not here: the rest of Gmail. What is unknown gets a 404.
"""

import base64
import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr, parsedate_to_datetime
from typing import Any

from charter.cli.demo.routes import Reply, Request, Routes
from charter.cli.demo.seed import OWNER, seed_mail

__all__ = ["GmailApi", "Letter"]

_USER = "/gmail/v1/users/{user}"
_TERM = re.compile(r'(-?)(?:(\w+):)?(?:"([^"]*)"|\(([^)]*)\)|(\S+))')
_LABELS = ("INBOX", "SENT", "DRAFT", "TRASH", "UNREAD", "STARRED", "SPAM")


@dataclass(slots=True)
class Letter:
    """One message of the mailbox."""

    id: str
    thread: str
    labels: set[str]
    mail: EmailMessage

    @property
    def text(self) -> str:
        """The body's plain text."""
        part = self.mail.get_body(("plain", "html"))
        return str(part.get_content()) if part else ""

    @property
    def time(self) -> int:
        """When it was sent, in milliseconds."""
        return int(parsedate_to_datetime(str(self.mail["Date"])).timestamp() * 1000)


class GmailApi:
    """One mailbox."""

    def __init__(self) -> None:
        self.letters: dict[str, Letter] = {}
        self.drafts: dict[str, Letter] = {}
        for mail in seed_mail():
            self._deliver(mail, {"INBOX", "UNREAD"})
        self._routes = Routes()
        for method, route, handler in (
            ("GET", "/profile", self._profile),
            ("GET", "/labels", self._list_labels),
            ("GET", "/messages", self._list_messages),
            ("POST", "/messages/send", self._send),
            ("GET", "/messages/{key}", self._get_message),
            ("POST", "/messages/{key}/modify", self._modify),
            ("POST", "/messages/{key}/trash", self._trash),
            ("GET", "/threads", self._list_threads),
            ("GET", "/threads/{key}", self._get_thread),
            ("POST", "/drafts", self._create_draft),
            ("POST", "/drafts/send", self._send_draft),
        ):
            self._routes.add(method, _USER + route, handler)

    @property
    def sent(self) -> list[Letter]:
        """What was sent from this mailbox."""
        return [letter for letter in self.letters.values() if "SENT" in letter.labels]

    def answer(self, request: Request) -> Reply:
        """Answer a request as Gmail would."""
        return self._routes.answer(request) or _fail(404, "Requested entity was not found.", "NOT_FOUND")

    def refuse(self) -> Reply:
        """Answer a request without the right token."""
        return _fail(401, "Request had invalid authentication credentials.", "UNAUTHENTICATED")

    def _deliver(self, mail: EmailMessage, labels: set[str], thread: str = "") -> Letter:
        key = f"19cb{len(self.letters) + 1:012x}"
        letter = self.letters[key] = Letter(key, thread or key, labels, mail)
        return letter

    def _profile(self, _request: Request, user: str) -> Reply:
        threads = {letter.thread for letter in self.letters.values()}
        counts = {"messagesTotal": len(self.letters), "threadsTotal": len(threads)}
        return Reply({"emailAddress": parseaddr(OWNER)[1], **counts, "historyId": "1000"})

    def _list_labels(self, _request: Request, user: str) -> Reply:
        return Reply({"labels": [{"id": name, "name": name, "type": "system"} for name in _LABELS]})

    def _find(self, request: Request) -> list[Letter]:
        labels = set(request.values("labelIds"))
        terms = _TERM.findall(request.value("q"))
        found = [
            letter
            for letter in self.letters.values()
            if labels <= letter.labels and all(_matches(letter, term) for term in terms)
        ]
        newest = sorted(found, key=lambda letter: -letter.time)
        return newest[: int(request.value("maxResults", "100"))]

    def _list_messages(self, request: Request, user: str) -> Reply:
        found = self._find(request)
        rows = [{"id": letter.id, "threadId": letter.thread} for letter in found]
        return Reply({**({"messages": rows} if rows else {}), "resultSizeEstimate": len(rows)})

    def _list_threads(self, request: Request, user: str) -> Reply:
        first = {letter.thread: letter for letter in reversed(self._find(request))}
        rows = [
            {"id": key, "snippet": letter.text[:100], "historyId": "1000"} for key, letter in first.items()
        ]
        return Reply({**({"threads": rows} if rows else {}), "resultSizeEstimate": len(rows)})

    def _get_message(self, request: Request, user: str, key: str) -> Reply:
        letter = self.letters.get(key)
        return Reply(_show(letter, request.value("format", "full"))) if letter else _no_entity()

    def _get_thread(self, request: Request, user: str, key: str) -> Reply:
        shown = [
            _show(letter, request.value("format", "full"))
            for letter in self.letters.values()
            if letter.thread == key
        ]
        return Reply({"id": key, "historyId": "1000", "messages": shown}) if shown else _no_entity()

    def _modify(self, request: Request, user: str, key: str) -> Reply:
        letter, body = self.letters.get(key), request.json()
        if letter is None:
            return _no_entity()
        letter.labels = (letter.labels | set(body.get("addLabelIds", []))) - set(
            body.get("removeLabelIds", [])
        )
        return Reply(_show(letter, "minimal"))

    def _trash(self, _request: Request, user: str, key: str) -> Reply:
        letter = self.letters.get(key)
        if letter is None:
            return _no_entity()
        letter.labels = (letter.labels | {"TRASH"}) - {"INBOX"}
        return Reply(_show(letter, "minimal"))

    def _send(self, request: Request, user: str) -> Reply:
        body = request.json()
        mail = _read_raw(body.get("raw"))
        if mail is None:
            return _fail(
                400, "'raw' RFC822 payload message string or uploading is required.", "INVALID_ARGUMENT"
            )
        return self._post(mail, body.get("threadId", ""))

    def _post(self, mail: EmailMessage, thread: str) -> Reply:
        if not (mail["To"] or mail["Cc"] or mail["Bcc"]):
            return _fail(400, "Recipient address required", "INVALID_ARGUMENT")
        if not mail["From"]:
            mail["From"] = OWNER
        if not mail["Date"]:
            mail["Date"] = "Tue, 03 Mar 2026 09:00:00 +0000"
        letter = self._deliver(mail, {"SENT"}, self._check_thread(mail, thread))
        return Reply({"id": letter.id, "threadId": letter.thread, "labelIds": ["SENT"]})

    def _check_thread(self, mail: EmailMessage, thread: str) -> str:
        """Return the thread that a mail joins: as Gmail has it, one that it answers to a message of."""
        known = {str(each.mail["Message-ID"]) for each in self.letters.values() if each.thread == thread}
        return thread if str(mail["In-Reply-To"]) in known else ""

    def _create_draft(self, request: Request, user: str) -> Reply:
        body = request.json().get("message", {})
        mail = _read_raw(body.get("raw"))
        if mail is None:
            return _fail(400, "Missing draft message", "INVALID_ARGUMENT")
        key = f"r-{len(self.drafts) + 1:06}"
        self.drafts[key] = Letter(key, body.get("threadId", ""), {"DRAFT"}, mail)
        return Reply(
            {"id": key, "message": {"id": key, "threadId": body.get("threadId", ""), "labelIds": ["DRAFT"]}}
        )

    def _send_draft(self, request: Request, user: str) -> Reply:
        draft = self.drafts.pop(str(request.json().get("id")), None)
        return self._post(draft.mail, draft.thread) if draft else _no_entity()


def _fail(status: int, message: str, reason: str) -> Reply:
    return Reply({"error": {"code": status, "message": message, "status": reason}}, status)


def _no_entity() -> Reply:
    return _fail(404, "Requested entity was not found.", "NOT_FOUND")


def _read_raw(raw: Any) -> EmailMessage | None:
    if not isinstance(raw, str):
        return None
    content = base64.urlsafe_b64decode(raw + "=" * (-len(raw) % 4))
    return message_from_bytes(content, policy=policy.SMTP)  # pyright: ignore[reportReturnType]


def _matches(letter: Letter, term: tuple[str, ...]) -> bool:
    negated, operator, *texts = term
    words = "".join(texts).lower()
    headers = {"from": "From", "to": "To", "subject": "Subject"}
    if operator in headers:
        fits = all(word in str(letter.mail[headers[operator]]).lower() for word in words.split())
    elif operator in ("is", "in", "label"):
        fits = words.upper() in letter.labels or words in ("anywhere", "read")
    elif operator:
        fits = True
    else:
        fits = words in f"{letter.mail['Subject']} {letter.mail['From']} {letter.text}".lower()
    return fits != bool(negated)


def _show(letter: Letter, form: str) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": letter.id,
        "threadId": letter.thread,
        "labelIds": sorted(letter.labels),
        "snippet": " ".join(letter.text.split())[:100],
        "sizeEstimate": len(letter.mail.as_bytes()),
        "historyId": "1000",
        "internalDate": str(letter.time),
    }
    if form == "raw":
        shown["raw"] = base64.urlsafe_b64encode(letter.mail.as_bytes()).decode()
    elif form in ("full", "metadata"):
        shown["payload"] = _show_part(letter.mail, "", whole=form == "full")
    return shown


def _show_part(part: EmailMessage, place: str, *, whole: bool) -> dict[str, Any]:
    headers = [{"name": name, "value": str(value)} for name, value in part.items()]
    shown: dict[str, Any] = {
        "partId": place,
        "mimeType": part.get_content_type(),
        "filename": part.get_filename() or "",
        "headers": headers,
        "body": {"size": 0},
    }
    if not whole:
        return shown
    if part.is_multipart():
        parts: list[Any] = part.get_payload()  # pyright: ignore[reportAssignmentType]
        start = f"{place}." if place else ""
        shown["parts"] = [_show_part(each, f"{start}{at}", whole=True) for at, each in enumerate(parts)]
    else:
        content: Any = part.get_payload(decode=True)
        shown["body"] = {"size": len(content), "data": base64.urlsafe_b64encode(content).decode()}
    return shown
