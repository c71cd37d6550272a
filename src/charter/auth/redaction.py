"""What a call sent that is secret, taken out of what came back, in whatever spelling it came.

Not here: which parts of an answer there are. `echoes` knows.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import AnyStr
from urllib.parse import unquote

from charter.sanitize import unescape_html
from charter.secret import REDACTED, is_secret_name

__all__ = ["Redactor", "find_secrets", "spell_header"]

_SHORTEST = 6
"""Characters below which a value is too common to be looked for in an answer."""
_SCHEMES = frozenset(
    "apikey apitoken basic bearer bot digest dpop hmac jwt key negotiate ntlm oauth ssws token".split()
)
_LONG_COOKIE = 16
"""Characters from which a cookie's value is no mere setting."""

_ANCHOR = re.compile(r"[A-Za-z0-9_.-]+")
"""What every encoder leaves as it is, so that a secret cannot be there without its longest such run."""
_ESCAPED_ANCHOR = (
    r"(?:\\(?:u005[cC])?|%(?:25){0,3}5[cC])u00(?:2[dDeE]|3\d|[46][1-9a-fA-F]|5[\daAfF]|7[\daA])"
    r"|%(?:25){0,3}(?:2[dDeE]|3\d|[46][1-9a-fA-F]|5[\daAfF]|7[\daA])"
    r"|&#(?:0{0,5}(?:4[5-9]|5[0-7]|6[5-9]|[78]\d|9[05789]|1[01]\d|12[0-2])|[xX]0{0,5}(?:2[dDeE]|3\d|[4-7][\da-fA-F]));"
)
"""Such a character written as an escape, as no encoder has to, once or within another."""
_ESCAPED_TEXT, _ESCAPED_BYTES = re.compile(_ESCAPED_ANCHOR), re.compile(_ESCAPED_ANCHOR.encode())
_LONGEST_ESCAPE, _PART = 16, 64 * 1024
_JSON_ESCAPE = re.compile(r"\\(?:u00([2-7][\da-fA-F])|([^\w\s]))")
_NESTING = 4
"""Encodings of one text within another that are undone. Repetitions are bounded: each is tried at every place."""
_JSON_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|-?\d[\d.eE+-]*+', re.DOTALL)
_NAMED: dict[str, str] = dict(
    zip(
        "\"&'<>+/=:@$%!#",
        "quot amp apos lt gt plus sol equals colon commat dollar percnt excl num".split(),
        strict=True,
    )
)
"""Names that HTML has for characters that keys are made of."""


class Redactor:
    """Replaces every one of some values in texts and bodies, however each came back.

    As it was sent, or with its characters escaped as JSON, URLs and HTML escape them, one within the other.

    >>> Redactor(["sk/1234+5678"]).text("no key sk%2F1234&#43;5678")
    'no key [redacted]'
    """

    def __init__(self, values: Iterable[str]) -> None:
        kept = {value for value in map(str.strip, values) if len(value) >= _SHORTEST}
        self._values = sorted(kept, key=len, reverse=True)  # one may hold another

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self._values)} values)"

    def text(self, text: str) -> str:
        """Return a text without them."""
        if not self.suspects(text):
            return text
        for pattern in self._patterns:
            text = pattern.sub(REDACTED, text)
        return REDACTED if self.finds(text) else text

    def json(self, text: str) -> str:
        """Return JSON text without them: in its strings, keys among them, and as its numbers. It stays JSON."""
        if not self.suspects(text):
            return text
        clean = _JSON_TOKEN.sub(lambda token: self._token(token[0]), text)
        try:
            json.loads(clean)
        except (ValueError, RecursionError):
            return self.text(clean)
        return clean

    def body(self, content: bytes) -> bytes:
        """Return bytes without them, each as it was sent."""
        for value in self._values:
            content = content.replace(value.encode(), REDACTED.encode())
        return content

    def suspects(self, content: str | bytes) -> bool:
        """Whether a closer look is worth while. Quick, and never wrong when it says no."""
        if not self._values:
            return False
        if isinstance(content, str):
            return any(anchor in content for anchor in self._anchors) or (
                ("\\u00" in content or "%" in content or "&#" in content) and _has(_ESCAPED_TEXT, content)
            )
        return any(anchor in content for anchor in self._anchor_bytes) or (
            (b"\\u00" in content or b"%" in content or b"&#" in content) and _has(_ESCAPED_BYTES, content)
        )

    def finds(self, text: str) -> bool:
        """Whether one of them is in the text, in any spelling."""
        for _ in range(_NESTING):
            if any(value in text for value in self._values):
                return True
            plain = unescape_html(unquote(_JSON_ESCAPE.sub(_unescape_json, text)))
            if plain == text:
                return False
            text = plain
        return any(value in text for value in self._values)

    def _token(self, token: str) -> str:
        clean = self.text(token)
        if clean == token:
            return token
        if not token.startswith('"'):
            return f'"{REDACTED}"'
        try:
            json.loads(clean)
        except ValueError:
            clean = _redact_decoded(token, self)
        return clean

    @cached_property
    def _anchors(self) -> list[str]:
        return [
            value if value.isalnum() else max(_ANCHOR.findall(value), key=len, default=value)
            for value in self._values
        ]

    @cached_property
    def _anchor_bytes(self) -> list[bytes]:
        return [anchor.encode() for anchor in self._anchors]

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        return [re.compile("".join(map(_spell, value))) for value in self._values]


def _has(pattern: re.Pattern[AnyStr], content: AnyStr) -> bool:
    """Search part by part, between which other threads run."""
    parts = range(0, len(content), _PART)
    return any(pattern.search(content, start, start + _PART + _LONGEST_ESCAPE) for start in parts)


def _redact_decoded(token: str, redactor: Redactor) -> str:
    try:
        text = json.loads(token, strict=False)
    except ValueError:
        return token
    clean = redactor.text(text)
    return token if clean == text else json.dumps(clean)


def _spell(character: str) -> str:
    """Return a pattern for every way that a character may be written."""
    code, plain = ord(character), re.escape(character)
    digits = f"(?i:{code:02x})"
    named = f"|{_NAMED[character]}" if character in _NAMED else ""
    own = plain if character.isalnum() else rf"\\{{0,8}}{plain}"
    space = r"|\+" if character == " " else ""
    number = rf"#(?:0{{0,5}}{code}|[xX]0{{0,5}}{digits}){named}"
    entity = rf"(?:&|\\{{1,8}}u0026)(?:amp;){{0,3}}(?:{number});"
    return rf"(?:{own}|\\{{1,8}}u00{digits}|%(?:25){{0,3}}{digits}|{entity}{space})"


def _unescape_json(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else found[2]


def find_secrets(headers: Mapping[str, str | None]) -> Iterator[str]:
    """Yield what is secret in headers: by name, or because a scheme such as `Bearer` says so under any name.

    >>> list(find_secrets({"X-Team": "blue", "X-Upstream": "Bearer t0ken-1", "X-Api-Key": "k3y-22"}))
    ['t0ken-1', 'k3y-22']
    """
    for name, value in headers.items():
        if value and name.lower() in ("cookie", "cookie2"):
            yield from _find_in_cookies(value)
        elif value and (is_secret_name(name) or _scheme(value)):
            yield from spell_header(value)


def spell_header(value: str) -> Iterator[str]:
    """Yield what of a header's value is secret by itself: all, but its scheme, and Basic's password.

    >>> list(spell_header("Basic YW5uOnMzY3JldA=="))
    ['YW5uOnMzY3JldA==', 'ann:s3cret', 's3cret']
    """
    scheme = _scheme(value)
    rest = value.strip().partition(" ")[2].strip() if scheme else value
    yield rest
    if scheme == "basic":
        yield from _find_in_basic(rest)


def _scheme(value: str) -> str:
    scheme, space, _ = value.strip().partition(" ")
    return scheme.lower() if space and scheme.lower() in _SCHEMES else ""


def _find_in_basic(encoded: str) -> Iterator[str]:
    try:
        decoded = b64decode(encoded, validate=True).decode()
    except ValueError:
        return
    user, _, password = decoded.partition(":")
    yield decoded
    # Some APIs take a key as the user, with an empty or meaningless password; else a user's name is no secret.
    yield password if len(password) >= _SHORTEST else user


def _find_in_cookies(value: str) -> Iterator[str]:
    yield value
    for pair in value.split(";"):
        name, _, held = pair.strip().partition("=")
        if is_secret_name(name) or len(held) >= _LONG_COOKIE:
            yield held
