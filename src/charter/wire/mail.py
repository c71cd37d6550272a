"""RFC 822 mail: what a model writes of an email, and the message bytes it becomes.

Not here: reading mail (a pack knows in which form its API hands it out) and base64url (`formats`).
"""

import base64
import binascii
import functools
import hashlib
import mimetypes
import re
import unicodedata
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from email.policy import SMTP
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from charter.errors import TransformError
from charter.markers import WireName
from charter.normalizing import normalize_short

__all__ = ["Attachment", "EmailContent", "encode_mail"]

_POLICY = SMTP.clone(cte_type="7bit")
_read_types = functools.cache(mimetypes.MimeTypes)

_LONGEST_MAILBOX = 2_000
"""Characters of one mailbox with its name: an address has at most 320, and IDNA shortens what is written decomposed."""
_LONGEST_SUBJECT = 10_000
_LONGEST_REFERENCES = 100_000
"""Characters of a thread's message ids."""
_LONGEST_FILENAME = 1_000
_LONGEST_LABEL = 63
_SHOWN = 80
"""Characters of a refused value that are repeated."""

_LINE = 76
"""Characters of a header line: RFC 5322 asks for at most 78."""
_WORD_BYTES = 39
"""Bytes of one encoded word: with `=?utf-8?b?` and `?=` and the header's name a line stays under 76."""

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")
_BODY_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_MAILBOX = re.compile(r'(?:(?P<name>"(?:\\.|[^"\\])*"\s*|[^<>]*)<(?P<spec>[^<>]*)>|(?P<bare>[^<>]*))')
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+")
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+")
_LDH = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?")
_DOTS = re.compile("[.\u3002\uff0e\uff61]")
_MESSAGE_ID = re.compile(r"<?([^\s<>]+)>?")
_MEDIA_TYPE = re.compile(r"([A-Za-z0-9!#$&^_.+-]+)/([A-Za-z0-9!#$&^_.+-]+)")


class Attachment(BaseModel):
    """A file that goes with an email."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    filename: str
    media_type: str | None = Field(default=None, description="Guessed from filename if left out.")
    content: str = Field(description="Base64.")


class EmailContent(BaseModel):
    """An email as a person would write it.

    >>> print(EmailContent(to=["Zoë <zoe@example.org>"], subject="Hi", text="Bye").as_bytes().decode())
    To: =?utf-8?b?Wm/Dqw==?= <zoe@example.org>
    Subject: Hi
    Content-Type: text/plain; charset="utf-8"
    Content-Transfer-Encoding: 7bit
    MIME-Version: 1.0
    <BLANKLINE>
    Bye
    <BLANKLINE>
    """

    model_config = ConfigDict(extra="forbid", defer_build=True)

    to: list[str] = Field(default_factory=list[str], description="Each 'a@x.org' or 'Ann Lee <a@x.org>'.")
    cc: list[str] = Field(default_factory=list[str])
    bcc: list[str] = Field(default_factory=list[str])
    subject: str | None = None
    text: str | None = None
    html: str | None = Field(default=None, description="Instead of or beside text.")
    attachments: list[Attachment] = Field(default_factory=list[Attachment])
    in_reply_to: str | None = Field(default=None, description="messageId of the mail answered.")
    references: str | None = Field(default=None, description="references of the mail answered.")
    from_: Annotated[str | None, WireName("from")] = Field(
        default=None, description="Only to send as an alias."
    )
    reply_to: list[str] = Field(default_factory=list[str])

    @field_validator("to", "cc", "bcc", "reply_to", mode="before")
    @classmethod
    def _accept_one_address(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    def as_bytes(self) -> bytes:
        """Write the email as RFC 822 bytes.

        Raises:
            TransformError: as `encode_mail`.
        """
        return encode_mail(self)


def encode_mail(content: EmailContent) -> bytes:
    """Write an email as RFC 822 bytes: seven-bit, CRLF, the same bytes for the same content.

    A display name is encoded, an address never; a domain goes as IDNA. References end with the mail answered.

    Raises:
        TransformError: an address, header value, media type or attachment cannot be written as mail.
    """
    head = "".join(f"{name}: {value}\r\n" for name, value in _encode_headers(content))
    return head.encode("ascii") + _build_body(content).as_bytes()


def _encode_headers(content: EmailContent) -> Iterator[tuple[str, str]]:
    if content.from_:
        yield "From", _encode_mailbox("from", content.from_)
    lists = {"to": content.to, "cc": content.cc, "bcc": content.bcc, "replyTo": content.reply_to}
    for field, mailboxes in lists.items():
        if mailboxes:
            name = "Reply-To" if field == "replyTo" else field.capitalize()
            yield name, ",\r\n ".join(_encode_mailbox(field, each) for each in mailboxes)
    if content.subject is not None:
        yield "Subject", _encode_text("subject", content.subject)
    answered = _encode_message_ids("inReplyTo", content.in_reply_to)
    if answered:
        yield "In-Reply-To", "\r\n ".join(answered)
    earlier = _encode_message_ids("references", content.references)
    known = set(answered)
    thread = [each for each in earlier if each not in known] + answered
    if thread:
        yield "References", "\r\n ".join(thread)


def _encode_mailbox(field: str, written: str) -> str:
    """Write one mailbox; only its display name is ever encoded."""
    _check_text(field, written, _LONGEST_MAILBOX)
    parts = _MAILBOX.fullmatch(written.strip())
    if parts is None:
        raise TransformError(
            f"{field}: {_show(written)} is not one address. Write 'a@x.org' or 'Ann <a@x.org>'."
        )
    name = _unquote((parts["name"] or "").strip())
    address = _encode_address(field, (parts["spec"] if parts["bare"] is None else parts["bare"]).strip())
    return f"{_encode_name(name)} <{address}>" if name else address


def _encode_address(field: str, address: str) -> str:
    local, at, domain = address.rpartition("@")
    if not at or not local:
        raise TransformError(f"{field}: {_show(address)} is not an email address. Write name@domain.")
    if not local.isascii():
        raise TransformError(
            f"{field}: {_show(address)} has a non-ASCII name before the @. Give an address that mail servers accept."
        )
    if not _LOCAL.fullmatch(local) or len(local) > 64 or local.startswith(".") or local.endswith("."):
        raise TransformError(
            f"{field}: {_show(address)} is not one email address. Give one address an entry."
        )
    return f"{local}@{_encode_domain(field, domain)}"


def _encode_domain(field: str, domain: str) -> str:
    labels = [_encode_label(label) for label in _DOTS.split(domain)]
    encoded = ".".join(label for label in labels if label)
    if None in labels or len(encoded) > 253:
        raise TransformError(f"{field}: {_show(domain)} is not a domain. Check the part after the @.")
    return encoded


def _encode_label(label: str) -> str | None:
    """Write one label of a domain as IDNA; None when no domain may hold it.

    Not the codec "idna" of the standard library: it turns ß into ss, which is another domain.
    """
    try:
        # One character at a time: lower-casing a whole word would give its last sigma another shape.
        lower = "".join(each.lower() for each in normalize_short(label))
        folded = normalize_short(lower, "NFC")
    except ValueError:
        return None
    if len(folded) > _LONGEST_LABEL:
        return None
    if folded.isascii():
        encoded = folded if _LDH.fullmatch(folded) else ""
    elif unicodedata.category(folded[0])[0] != "M" and all(
        each == "-" or unicodedata.category(each)[0] in "LMN" for each in folded
    ):
        encoded = "xn--" + folded.encode("punycode").decode("ascii")
    else:
        encoded = ""
    return encoded if 0 < len(encoded) <= _LONGEST_LABEL else None


def _unquote(name: str) -> str:
    if len(name) >= 2 and name[0] == name[-1] == '"':
        return re.sub(r"\\(.)", r"\1", name[1:-1])
    return name


def _encode_name(name: str) -> str:
    if not name.isascii() or "=?" in name or len(name) > 200:
        return _encode_words(name)
    if _ATOMS.fullmatch(name):
        return name
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


def _encode_text(field: str, text: str) -> str:
    """Write unstructured text: as it is where that reads back exactly, else as encoded words."""
    _check_text(field, text, _LONGEST_SUBJECT)
    words = text.split(" ")
    plain = text.isascii() and "=?" not in text and "\t" not in text
    if plain and all(0 < len(word) <= _LINE - 12 for word in words):
        return _fold(words)
    return _encode_words(text) if text else ""


def _fold(words: list[str]) -> str:
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= _LINE - 12:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\r\n ".join(lines)


def _encode_words(text: str) -> str:
    """Write RFC 2047 encoded words, cut between characters."""
    chunks, size = [""], 0
    for character in text:
        width = len(character.encode())
        if size + width > _WORD_BYTES:
            chunks.append("")
            size = 0
        chunks[-1] += character
        size += width
    encoded = (base64.b64encode(chunk.encode()).decode("ascii") for chunk in chunks)
    return "\r\n ".join(f"=?utf-8?b?{chunk}?=" for chunk in encoded)


def _encode_message_ids(field: str, written: str | None) -> list[str]:
    ids: dict[str, None] = {}
    _check_length(field, written or "", _LONGEST_REFERENCES)
    for each in (written or "").split():
        found = _MESSAGE_ID.fullmatch(each)
        if found is None or not each.isascii() or len(each) > 900:
            raise TransformError(
                f"{field}: {_show(each)} is not a Message-ID. Copy it from the mail answered."
            )
        _check_text(field, each, _LONGEST_REFERENCES)
        if field == "inReplyTo" and "@" not in each:  # what is copied into references may be odder
            problem = f"{_show(each)} has no @, so it is no Message-ID but an API's own id"
            raise TransformError(f"{field}: {problem}. Give the mail's messageId.")
        ids[f"<{found[1]}>"] = None
    return list(ids)


def _check_text(field: str, text: str, most: int) -> None:
    _check_length(field, text, most)
    if _CONTROL.search(text):
        raise TransformError(f"{field}: {_show(text)} holds a line break or control character. Remove it.")


def _check_length(field: str, text: str, most: int) -> None:
    if len(text) > most:
        raise TransformError(f"{field}: has {len(text)} characters. Write at most {most}.")


def _show(text: str) -> str:
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}…"


def _build_body(content: EmailContent) -> EmailMessage:
    """Build the body and its own headers: text, HTML as its alternative, files behind both."""
    message = EmailMessage(policy=_POLICY)
    if content.html is None:
        _set_text(message.set_content, "text", content.text or "", "plain")
    elif content.text is None:
        _set_text(message.set_content, "html", content.html, "html")
    else:
        _set_text(message.set_content, "text", content.text, "plain")
        _set_text(message.add_alternative, "html", content.html, "html")
    for number, attachment in enumerate(content.attachments):
        _attach(message, f"attachments.{number}", attachment)
    _set_boundaries(message, content)
    return message


def _set_text(add: Callable[..., None], field: str, text: str, subtype: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise TransformError(f"{field}: {text[error.start]!r} is half a character. Remove it.") from None
    # Control characters survive only base64; None leaves the choice to the package.
    add(text, subtype=subtype, cte="base64" if _BODY_CONTROL.search(text) else None)


def _attach(message: EmailMessage, field: str, attachment: Attachment) -> None:
    _check_text(f"{field}.filename", attachment.filename, _LONGEST_FILENAME)
    main, sub = _read_media_type(f"{field}.mediaType", attachment)
    message.add_attachment(
        _decode_base64(f"{field}.content", attachment.content),
        maintype=main,
        subtype=sub,
        filename=attachment.filename,
    )


def _read_media_type(field: str, attachment: Attachment) -> tuple[str, str]:
    _check_length(field, attachment.media_type or "", 200)
    written = (
        attachment.media_type
        or _read_types().guess_type(attachment.filename)[0]
        or "application/octet-stream"
    )
    found = _MEDIA_TYPE.fullmatch(written.partition(";")[0].strip())
    if found is None:
        raise TransformError(
            f"{field}: {_show(written)} is not a media type. Write one such as application/pdf."
        )
    # RFC 2046 forbids base64 on these two: such a file travels as bytes under its own name.
    if found[1].lower() in {"message", "multipart"}:
        return "application", "octet-stream"
    return found[1], found[2]


def _decode_base64(field: str, written: str) -> bytes:
    """Decode base64 in either alphabet, with or without padding and line breaks."""
    compact = "".join(written.split()).translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        return base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise TransformError(f"{field}: {written[:20]!r}… is not base64. Encode the file's bytes.") from None


def _set_boundaries(message: EmailMessage, content: EmailContent) -> None:
    """Derive boundaries from the content: they cannot occur in it, and equal mail gives equal bytes."""
    digest = hashlib.sha256(content.model_dump_json().encode()).hexdigest()[:32]
    multiparts = (part for part in message.walk() if part.is_multipart())
    for number, part in enumerate(multiparts):
        part.set_boundary(f"={digest}={number}=")
