"""What one call sent that is secret, kept out of all that came back: body, headers and errors.

Not here: how a secret is found in a text (`auth.redaction`).
"""

import codecs
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from charter.auth import Credentials, Redactor
from charter.auth.redaction import find_secrets
from charter.secret import REDACTED, is_secret_name
from charter.wire.response import Answer

__all__ = ["Sent"]

_HEAD = 1_024
"""Bytes of a body that show whether it is text."""
_LIKE_ASCII = frozenset({"utf-8", "us-ascii", "iso-8859-1"})
"""The charsets of nearly all answers, which need no look into Python's table."""
_WIDE_CHARSETS = ("utf-16", "utf-32", "cp")
"""How the names of charsets begin that may write ASCII in bytes of its own."""


@dataclass
class Sent:
    """The secrets of one call, and the answer without them."""

    credentials: Credentials
    headers: Mapping[str, str | None]
    """The host's own."""
    request: Any = None
    """What a lent client made of it, with the client's own headers and credentials."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.credentials!r})"

    @cached_property
    def redactor(self) -> Redactor:
        """What takes them out. Read it when the request is sent or has failed: a client adds to it until then."""
        own = () if self.request is None else _read_request(self.request)
        return Redactor((*self.credentials.values(), *find_secrets(self.headers), *own))

    def clean(self, answer: Answer) -> Answer:
        """Return the answer with none of them in a header or its body."""
        if self.redactor.suspects("\n".join(answer.headers.values())):
            headers = {name: self.redactor.text(value) for name, value in answer.headers.items()}
            answer = replace(answer, headers=headers)
        content = _redact_body(answer, self.redactor) if answer.content else answer.content
        return answer if content is answer.content else replace(answer, content=content)


def _read_request(request: Any) -> Iterator[str]:
    """Yield what is secret in the request of an HTTP client."""
    yield from find_secrets(dict(request.headers))
    url = request.url
    yield getattr(url, "password", "") or ""
    for name, value in url.params.items():
        if is_secret_name(name):
            yield value


def _redact_body(answer: Answer, redactor: Redactor) -> bytes:
    content = answer.content
    has_other_bytes = b"\0" in content or answer.charset not in _LIKE_ASCII
    if not has_other_bytes and not redactor.suspects(content):
        return content
    if not _is_text(answer):
        return redactor.body(content)
    if has_other_bytes and redactor.finds(_decode_wide(answer)):
        return f'"{REDACTED}"'.encode()  # in a charset that its reader may not know: nothing of it is kept
    if not redactor.suspects(content):
        return content
    text = content.decode("utf-8", "surrogateescape")  # any bytes, and back to the same
    clean = redactor.json(text) if answer.is_json else redactor.text(text)
    return clean.encode("utf-8", "surrogateescape")


def _is_text(answer: Answer) -> bool:
    if answer.is_json or answer.media_type.startswith("text/") or not 200 <= answer.status < 300:
        return True
    return b"\0" not in answer.content[:_HEAD]


def _decode_wide(answer: Answer) -> str:
    """Return a body whose bytes are not those of ASCII, as far as it can be read; empty when it is like ASCII."""
    try:
        name = codecs.lookup(answer.charset).name
    except (LookupError, ValueError):
        name = ""
    if name.startswith(_WIDE_CHARSETS) and "a".encode(name) != b"a":
        return answer.content.decode(name, "replace")
    # Text with NUL in it is such a charset under another's name.
    return answer.content.replace(b"\0", b"").decode("utf-8", "replace") if b"\0" in answer.content else ""
