"""Answers read strictly: JSON, text or bytes.

Not here: what one says (`envelope`, `reasons`, `waits`), or what of it a model needs (`trim`).
"""

import codecs
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from charter.strict_json import BrokenJSONError, read_json, replace_surrogates

__all__ = ["Answer", "UnreadableBodyError", "decode_loosely", "is_web_page", "read_answer", "read_error_body"]

MAX_DEPTH = 128
"""Levels of nesting in an answer; what reads and trims it may then recurse."""

MOST_CONTAINERS = 100_000
"""Lists and objects of an answer: Python's own search for cycles goes through all of them in one go."""

_NO_CHARSETS = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"})
"""Text encodings of Python that no API speaks; punycode takes time in the square of the length."""
_NO_CONTENT = frozenset({204, 205, 304})
_BOM = b"\xef\xbb\xbf"
_PAGE = re.compile(
    r"\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)
_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_TEXTS = re.compile(
    r"text/.*|.*[/+](?:xml|yaml|x-yaml|x-ndjson|ndjson|jsonl|json-seq|toml|csv|javascript|x-javascript|ecmascript"
    r"|graphql|sql|x-sh|x-www-form-urlencoded)"
)
"""Types that are text whatever they say of a charset."""


class UnreadableBodyError(ValueError):
    """The body is not what its headers say."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, headers by lower-case name and the decompressed body."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = field(repr=False)
    is_cut: bool = field(default=False, repr=False)
    """Whether the body could not be had whole; then `content` is what could, as only a failure's may be."""

    @property
    def is_failure(self) -> bool:
        """Whether the status says that the call failed."""
        return not 200 <= self.status < 300 and self.status != 304

    @property
    def media_type(self) -> str:
        """The content type without parameters, in lower case; empty when there is none."""
        return self.headers.get("content-type", "").split(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        """The declared charset; UTF-8 when there is none."""
        for parameter in self.headers.get("content-type", "").split(";")[1:]:
            name, _, value = parameter.partition("=")
            if name.strip().lower() == "charset":
                return value.strip().strip('"').lower() or "utf-8"
        return "utf-8"

    @property
    def has_content(self) -> bool:
        """Whether there is anything to read; JSON of white space alone is nothing."""
        if not self.content or self.status in _NO_CONTENT:
            return False
        is_blank = self.content.isspace() or self.content.removeprefix(_BOM).strip() == b""
        return not (is_blank and (self.is_json or not self.media_type))

    @property
    def is_json(self) -> bool:
        """Whether the body is JSON by its type, or has no type and looks like it."""
        if not self.media_type:
            return self.content.removeprefix(_BOM).lstrip()[:1] in (b"{", b"[", b'"')
        return self.media_type.endswith(("/json", "+json"))

    @property
    def is_text(self) -> bool:
        """Whether the body is text by its type, or names a charset."""
        return (
            bool(_TEXTS.fullmatch(self.media_type))
            or "charset" in self.headers.get("content-type", "").lower()
        )

    @property
    def is_page(self) -> bool:
        """Whether the body is a web page: by its type, or sent without one or as plain text and begun as one."""
        if self.media_type in ("", "text/plain"):
            return is_web_page(self.content[:1_000].decode("latin-1").removeprefix("\xef\xbb\xbf"))
        return self.media_type in _PAGES


def read_answer(answer: Answer, accepts: str, most_containers: int = MOST_CONTAINERS) -> Any:
    """Read a successful answer of at most so many lists and objects; `accepts` is the request's Accept header.

    JSON becomes its value, other text `{"text": ...}`, anything else `{"base64": ..., "media_type": ..., "bytes": n}`,
    and an empty body `{"status": 204}`.

    Raises:
        UnreadableBodyError: broken JSON, NaN, a repeated key, too many lists and objects, bytes that are not in the
            charset, or a web page where none was asked for.
    """
    if not answer.has_content:
        return {"status": answer.status}
    if answer.is_json:
        return _read_json(_decode(answer), most_containers)
    if answer.is_page and "html" not in accepts:
        raise UnreadableBodyError("not JSON but a web page, often a login or proxy page")
    if answer.is_text:
        try:
            return {"text": _decode(answer)}
        except UnreadableBodyError:
            pass
    kind = answer.media_type or "application/octet-stream"
    return {"base64": b64encode(answer.content).decode(), "media_type": kind, "bytes": len(answer.content)}


def read_error_body(answer: Answer) -> Any:
    """Read a failed answer as far as it can be read: its JSON, else its text, None when there is none or not all."""
    if not answer.content or answer.is_cut:
        return None
    try:
        return _read_json(_decode(answer)) if answer.is_json else _decode(answer)
    except UnreadableBodyError:
        return decode_loosely(answer)


def decode_loosely(answer: Answer) -> str:
    """Return as text what there is of a body, whatever it is."""
    return answer.content.decode("utf-8", "replace")


def is_web_page(text: str) -> bool:
    """Whether a text begins as HTML does, whatever its type says."""
    return bool(_PAGE.match(text[:1_000]))


def _decode(answer: Answer) -> str:
    content = answer.content.removeprefix(_BOM)
    try:
        if codecs.lookup(answer.charset).name in _NO_CHARSETS:
            raise LookupError
        return content.decode(answer.charset)
    except LookupError:
        pass
    except (UnicodeDecodeError, ValueError):
        raise UnreadableBodyError(f"not valid {answer.charset}") from None
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise UnreadableBodyError(f"in the unknown charset {answer.charset!r}") from None


def _read_json(text: str, most_containers: int = MOST_CONTAINERS) -> Any:
    opened = text.count("{") + text.count("[")
    try:
        value = read_json(text, _watch_containers(most_containers) if opened > most_containers else None)
    except BrokenJSONError as error:
        raise UnreadableBodyError(str(error)) from None
    if opened > MAX_DEPTH and not _is_shallow(value):
        raise UnreadableBodyError(f"nested deeper than {MAX_DEPTH} levels")
    # A text cut in the middle of an emoji.
    return replace_surrogates(value) if "\\ud" in text or "\\uD" in text else value


def _watch_containers(most: int) -> Callable[[Any], None]:
    """Make a watcher of JSON being read that stops it at too many lists and objects."""
    left = most

    def watch(part: Any) -> None:
        nonlocal left
        waiting: list[Any] = [part]
        while waiting:
            node = waiting.pop()
            left -= isinstance(node, (dict, list))
            waiting += _children(node)
        if left < 0:
            raise BrokenJSONError(
                f"JSON of more than {most:,} lists and objects; ask for less or raise max_bytes="
            )

    return watch


def _is_shallow(value: Any) -> bool:
    """Whether everything that goes through the value may recurse; looks without recursion."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in _children(node)]
        if not level:
            return True
    return False


def _children(node: Any) -> list[Any]:
    if isinstance(node, dict):
        return list(cast("dict[str, Any]", node).values())
    return cast("list[Any]", node) if isinstance(node, list) else []
