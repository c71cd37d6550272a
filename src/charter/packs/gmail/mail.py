"""What a model reads of a message, draft or thread: headers under one spelling, the body as text, files as ids.

Not here: MIME itself (`parts`). Every function takes any JSON and raises nothing.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import getaddresses, parsedate_to_datetime
from typing import Any

from charter import keep
from charter.packs.gmail.html_text import read_html, read_references
from charter.packs.gmail.parts import (
    BROKEN,
    Headers,
    Part,
    decode_base64url,
    decode_words,
    is_list,
    is_object,
    read_payload,
    read_rfc822,
)

__all__ = [
    "CALENDAR_LIMIT",
    "TEXT_LIMIT",
    "cut",
    "find_files",
    "keep_written",
    "read_draft",
    "read_mail",
    "read_message",
    "read_thread",
]

TEXT_LIMIT = 20_000
"""Characters of one body that a model is shown at most; a longer one is cut and flagged."""
THREAD_LIMIT = 40_000
"""Characters of all bodies of one thread together."""
LEAST_LIMIT = 1_000
"""Characters of one body that are shown however long the thread."""
CALENDAR_LIMIT = 4_000
"""Characters of an invitation that are shown with the mail it came in."""

_KEPT = ("id", "threadId", "labelIds", "historyId", "classificationLabelValues")
keep_written = keep(
    "id",
    "threadId",
    "labelIds",
    *(f"{each}.{key}" for each in ("message", "messages") for key in ("id", "threadId", "labelIds")),
)
"""Trims what comes back of a change to a message, draft or thread: ids and labels."""

_MAILBOXES = {"from": "from", "to": "to", "cc": "cc", "bcc": "bcc", "reply-to": "replyTo"}
_TEXTS = {
    "subject": "subject",
    "message-id": "messageId",
    "in-reply-to": "inReplyTo",
    "references": "references",
    "list-unsubscribe": "listUnsubscribe",
}
_SHOWN = {*_MAILBOXES, *_TEXTS, "date"}
_PLUMBING = re.compile(r"received|x-received|return-path|mime-version|content-.*|arc-.*|dkim-signature")
_STUB_WORDS = re.compile(
    r"\bhtml\b.*\b(view|support|display|enable|client|reader)|\b(view|open|read)\b.*\b(browser|online|html)\b",
    re.IGNORECASE | re.DOTALL,
)


def read_message(data: Any, limit: int = TEXT_LIMIT, start: int = 0) -> Any:
    """Trim a message of any format to ids, headers, text and files; read on from `start` it is its text alone."""
    if not is_object(data):
        return data
    result = {key: data[key] for key in _KEPT if key in data}
    mail = read_mail(data)
    if mail is not None:
        result |= _read_headers(mail.headers)
    elif isinstance(data.get("raw"), str):
        result["unreadable"] = True
    if "date" not in result and (date := _read_epoch(data.get("internalDate"))):
        result["date"] = date
    text = (_read_body(mail) if mail else None) or _Body("")
    if start:
        return {**({"id": data["id"]} if "id" in data else {}), **cut("text", text.text, limit, start)}
    if text.text:
        result |= cut("text", text.text, limit)
    elif isinstance(data.get("snippet"), str) and data["snippet"]:
        result["snippet"] = read_references(data["snippet"])
    if mail is not None:
        result |= _read_rest(mail)
    return result or data


def read_draft(data: Any, start: int = 0) -> Any:
    """Trim a draft to its id and its message."""
    if not is_object(data):
        return data
    result = {"id": data["id"]} if "id" in data else {}
    if "message" in data:
        result["message"] = read_message(data["message"], start=start)
    return result or data


def read_thread(data: Any) -> Any:
    """Trim a thread; its messages share THREAD_LIMIT, and only the last keeps its references."""
    if not is_object(data):
        return data
    result = {key: data[key] for key in ("id", "historyId") if key in data}
    messages = data.get("messages")
    if is_list(messages) and messages:
        limit = min(TEXT_LIMIT, max(LEAST_LIMIT, THREAD_LIMIT // len(messages)))
        result["messages"] = [read_message(each, limit) for each in messages]
        for each in filter(is_object, result["messages"][:-1]):
            each.pop("references", None)
        for each in filter(is_object, result["messages"]):
            if each.get("threadId") == data.get("id") and len(each) > 1:
                each.pop("threadId", None)
    elif isinstance(data.get("snippet"), str):
        result["snippet"] = read_references(data["snippet"])
    return result or data


def cut(key: str, text: str, limit: int, start: int = 0) -> dict[str, Any]:
    """Put text under `key`, at most `limit` characters from `start`; when there is more, say so and where to go on.

    >>> cut("text", "abcdef", 2, 2)
    {'text': 'cd', 'textLength': 6, 'textTruncated': True, 'nextTextFrom': 4}
    """
    start = max(start, 0)
    shown = text[start : start + limit]
    result: dict[str, Any] = {key: shown}
    if len(shown) < len(text):
        result[f"{key}Length"] = len(text)
    if start + limit < len(text):
        result |= {f"{key}Truncated": True, f"next{key.capitalize()}From": start + limit}
    return result


def read_mail(data: dict[str, Any]) -> Part | None:
    """Read a message's tree of parts from whichever form it came in; None when it came without."""
    raw = decode_base64url(data.get("raw"))
    if raw is not None:
        return read_rfc822(raw)
    return read_payload(data["payload"]) if is_object(data.get("payload")) else None


def _read_headers(headers: Headers) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, key in _MAILBOXES.items():
        written = ", ".join(value for each, value in headers if each == name and value)
        if written:
            mailboxes = _read_mailboxes(written)
            result[key] = ", ".join(mailboxes) if name == "from" else mailboxes
    for name, key in _TEXTS.items():
        value = next((value for each, value in headers if each == name), "")
        if value:
            result[key] = decode_words(value)
    date = next((value for each, value in headers if each == "date"), "")
    if date:
        result["date"] = _read_date(date)
    return result


def _read_mailboxes(written: str) -> list[str]:
    """Split a list of mailboxes before decoding names: a decoded name may hold a comma."""
    try:
        pairs = getaddresses([written])
    except BROKEN:
        pairs = []
    if not pairs or any("@" not in address for _, address in pairs):
        return [decode_words(written)]
    return [f"{name} <{address}>" if (name := decode_words(raw)) else address for raw, address in pairs]


def _read_date(written: str) -> str:
    try:
        return parsedate_to_datetime(written).isoformat()
    except (ValueError, TypeError, OverflowError, IndexError, AttributeError):
        return written


def _read_epoch(written: Any) -> str:
    """Read Gmail's own date, milliseconds since 1970 in a string."""
    try:
        return datetime.fromtimestamp(int(written) / 1000, UTC).isoformat(timespec="seconds")
    except (ValueError, TypeError, OverflowError, OSError):
        return ""


def _read_rest(mail: Part) -> dict[str, Any]:
    """Read what follows the text: files, and headers beyond the usual when they were asked for."""
    result: dict[str, Any] = {}
    files = _show_files(find_files(mail))
    if files:
        result["attachments"] = files
    if not mail.parts and mail.text is None and not files:
        asked_for = {name: decode_words(value) for name, value in mail.headers if name not in _SHOWN}
        if "received" in asked_for and len(asked_for) > len(_SHOWN):
            asked_for = {name: value for name, value in asked_for.items() if not _PLUMBING.fullmatch(name)}
        if asked_for:
            result["headers"] = asked_for
    return result


@dataclass(frozen=True, slots=True)
class _Body:
    text: str
    is_html: bool = False


def _read_body(part: Part) -> _Body | None:
    """Choose and read the body of a part; None when it has none."""
    if part.parts and not part.media_type.startswith("message/"):
        bodies = [body for each in part.parts if (body := _read_body(each))]
        if part.media_type == "multipart/alternative":
            return _choose(bodies)
        texts = [body.text for body in bodies if body.text]
        return _Body("\n\n".join(texts), all(body.is_html for body in bodies)) if texts else None
    if part.text is None or part.is_file:
        return None
    if part.media_type == "text/html" or part.text.lstrip()[:15].lower().startswith(
        ("<html", "<!doctype html")
    ):
        return _Body(read_html(part.text), is_html=True)
    return _Body(part.text.strip()) if part.media_type in ("text/plain", "") else None


def _choose(bodies: list[_Body]) -> _Body | None:
    plain = next((body for body in bodies if not body.is_html), None)
    rich = next((body for body in reversed(bodies) if body.is_html and body.text), None)
    if plain is None or rich is None:
        return plain or rich
    return rich if _is_stub(plain.text, rich.text) else plain


def _is_stub(plain: str, rich: str) -> bool:
    """Whether the plain text only stands in for the HTML: empty, a notice, or a fraction of it."""
    if len(plain) * 4 < len(rich):
        return True
    return len(plain) < 400 and bool(_STUB_WORDS.search(plain)) and not _STUB_WORDS.search(rich[:400])


def find_files(part: Part) -> Iterator[Part]:
    """Yield the parts of a mail that are files rather than its text."""
    if part.parts and not part.media_type.startswith("message/"):
        for each in part.parts:
            yield from find_files(each)
        return
    is_other = part.size > 0 and part.media_type not in ("", "text/plain", "text/html")
    if part.is_file or part.attachment_id or is_other:
        yield part


def _show_files(parts: Iterable[Part]) -> list[dict[str, Any]]:
    """Show files by their ids, and what an invitation says: once, though mails hold it twice."""
    shown: list[dict[str, Any]] = []
    said: set[str] = set()
    for part in parts:
        file = _show_file(part)
        if part.media_type == "text/calendar" and part.text and part.text not in said:
            said.add(part.text)
            file |= cut("text", part.text, CALENDAR_LIMIT)
        shown.append(file)
    return shown


def _show_file(part: Part) -> dict[str, Any]:
    shown = {"id": part.id, "filename": part.filename, "mediaType": part.media_type, "bytes": part.size}
    return {key: value for key, value in shown.items() if value or key == "bytes"}
