"""The parts of a mail, from Gmail's parsed payload or from its RFC 822 bytes: one tree for both.

Not here: what of a mail is shown. Any JSON and any bytes give a tree; nothing here raises.
"""

import base64
import binascii
import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from typing import Any, TypeGuard

__all__ = [
    "Headers",
    "Part",
    "decode_base64url",
    "decode_words",
    "is_list",
    "is_object",
    "read_payload",
    "read_rfc822",
]

DEEPEST = 40
"""How deep parts nest at most; what lies below is not read."""

HEADER_LIMIT = 50_000
"""Characters of one header that are read."""

BROKEN = (MessageError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What the email package raises on mail that was made to break its reader."""

_LINE_BREAK = re.compile(r"[\r\n]+")
_NO_CHARSETS = frozenset({"idna", "punycode"})
"""Encodings of host names, which take time in the square of a text."""
_SHIFTING = ("iso-2022", "hz", "utf-7", "iso2022")

Headers = tuple[tuple[str, str], ...]
"""Lower-case names and unfolded values, in order."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a mail."""

    media_type: str = ""
    headers: Headers = ()
    filename: str = ""
    attachment_id: str = ""
    size: int = 0
    content: bytes | None = None
    """The content, where it came with the part."""
    text: str | None = None
    """The same of a text part, decoded."""
    parts: tuple["Part", ...] = ()
    id: str = ""
    """Where it stands in the mail, such as `1.0`: the same in every form and at every reading."""

    @property
    def is_file(self) -> bool:
        """Whether the part is a file rather than a body."""
        disposition = next((value for name, value in self.headers if name == "content-disposition"), "")
        return bool(self.filename) or disposition.lower().startswith("attachment")


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether a JSON value is a list."""
    return isinstance(value, list)


def decode_base64url(written: Any) -> bytes | None:
    """Decode base64 in either alphabet, padded or not; None for anything else."""
    if not isinstance(written, str):
        return None
    plain = written.strip().translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def decode_words(value: str) -> str:
    """Decode the encoded words of a header value; one that cannot be decoded stays as it is.

    >>> decode_words("=?utf-8?q?Gr=C3=BC=C3=9Fe?= from =?iso-8859-1?q?J=F6rg?=")
    'Grüße from Jörg'
    """
    if "=?" not in value:
        return value
    # Each word that is never closed would be looked for up to the end: what follows the last closed one has none.
    end = value.rfind("?=") + 2 if "?=" in value else 0
    try:
        chunks = decode_header(value[:end])
    except BROKEN:
        return value
    decoded = [
        chunk if isinstance(chunk, str) else _decode(chunk, charset or "utf-8", trust=True)
        for chunk, charset in chunks
    ]
    return "".join(decoded) + value[end:]


def read_payload(payload: Any, at: tuple[int, ...] = ()) -> Part:
    """Read Gmail's parsed form of a mail, or of its part at `at`."""
    if not is_object(payload) or len(at) > DEEPEST:
        return Part()
    body = payload.get("body")
    body = body if is_object(body) else {}
    headers = tuple(_read_headers(payload.get("headers")))
    media_type = _text(payload.get("mimeType")).lower()
    size = body.get("size")
    children = payload.get("parts")
    content = decode_base64url(body.get("data"))
    return Part(
        media_type=media_type,
        headers=headers,
        filename=decode_words(_text(payload.get("filename"))),
        attachment_id=_text(body.get("attachmentId")),
        size=size if isinstance(size, int) else 0,
        content=content,
        text=_read_text(content, media_type, _read_charset(headers), trust=False),
        parts=tuple(read_payload(each, (*at, number)) for number, each in enumerate(children))
        if is_list(children)
        else (),
        id=_write_id(at),
    )


def read_rfc822(data: bytes) -> Part | None:
    """Read a whole mail from its bytes; None when they cannot be read."""
    try:
        return _read_message(message_from_bytes(data), ())
    except BROKEN:
        return None


def _write_id(at: tuple[int, ...]) -> str:
    """Write a place as Gmail numbers parts; a mail that has none is itself its part 0."""
    return ".".join(map(str, at)) or "0"


def _read_message(message: Message, at: tuple[int, ...]) -> Part:
    written = [(name, _restore(value)) for name, value in message.raw_items()]
    for name, value in written:
        if name.lower().startswith("content-"):  # or the package puts replacement characters into them
            message.replace_header(name, value)
    headers = tuple((name.lower(), _unfold(value)) for name, value in written)
    media_type = message.get_content_type()
    if not media_type.isascii():
        media_type = "application/octet-stream"
    inner: Any = message.get_payload()
    if message.get_content_maintype() == "multipart" and is_list(inner):
        inside = enumerate(inner) if len(at) < DEEPEST else ()
        parts = tuple(_read_message(each, (*at, number)) for number, each in inside)
        return Part(media_type, headers, parts=parts, id=_write_id(at))
    content = _read_content(message, inner)
    text = _read_text(content, media_type, _read_charset(headers), trust=True)
    return Part(
        media_type,
        headers,
        _read_filename(message),
        size=len(content),
        content=content,
        text=text,
        id=_write_id(at),
    )


def _read_content(message: Message, inner: Any) -> bytes:
    if is_list(inner):  # message/rfc822 holds a message, not text
        return b"\n".join(each.as_bytes() for each in inner)
    content = message.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _read_filename(message: Message) -> str:
    try:
        found = message.get_param("filename", None, "content-disposition")
        found = found if found is not None else message.get_param("name", None, "content-type")
        if isinstance(found, tuple):  # RFC 2231: charset, language, and bytes written as characters
            return _decode(found[2].encode("raw-unicode-escape"), found[0] or "utf-8", trust=True).strip()
        return decode_words(found or "").strip()
    except BROKEN:
        return ""


def _read_headers(headers: Any) -> Iterator[tuple[str, str]]:
    for header in headers if is_list(headers) else ():
        if is_object(header) and isinstance(header.get("name"), str):
            yield header["name"].strip().lower(), _unfold(_text(header.get("value")))


def _restore(value: str) -> str:
    """Give a header that holds bytes beyond ASCII its letters back."""
    raw = str(value).encode("utf-8", "surrogateescape")
    return _decode(raw, "utf-8", trust=True)


def _unfold(value: str) -> str:
    lines = (line.strip() for line in _LINE_BREAK.split(value[:HEADER_LIMIT]))
    return " ".join(line for line in lines if line)


def _read_charset(headers: Headers) -> str:
    content_type = next((value for name, value in headers if name == "content-type"), "")
    found = re.search(r"charset\s*=\s*[\"']?([A-Za-z0-9_.:+-]+)", content_type, re.IGNORECASE)
    return found[1].lower() if found else "utf-8"


def _read_text(content: bytes | None, media_type: str, charset: str, *, trust: bool) -> str | None:
    if content is None or not (media_type.startswith("text/") or not media_type):
        return None
    text = _decode(content, charset, trust=trust)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode(content: bytes, charset: str, *, trust: bool) -> str:
    """Decode text without ever putting a replacement character into it.

    Unless the charset can be trusted UTF-8 comes first: Gmail's parsed form is UTF-8 under the charset it came with.
    """
    declared_first = trust or charset.startswith(_SHIFTING)
    for name in (charset, "utf-8") if declared_first else ("utf-8", charset):
        try:
            if codecs.lookup(name).name not in _NO_CHARSETS:
                return content.decode(name)
        except (LookupError, ValueError):
            continue
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
