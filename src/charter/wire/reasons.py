"""What an error body says went wrong: its reason and each field's, in the shapes that APIs use.

Not here: reading the body (`response`), and what a reason means for the next step (`charter.failures`).
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from json import JSONEncoder
from typing import Any, Literal, cast

from charter.wire.response import is_web_page

__all__ = ["collect_codes", "cut", "find_reason", "read_reason"]

REASON_LIMIT = 1_000
"""Characters of a reason at most, with every field's; the advice behind it must still fit."""
_FIELD_LIMIT = 300
_TOLD = 10
"""Things wrong that one reason names at most."""
_NODES = 2_000
"""Values of a body that are looked at."""
_MEMBERS = 200
"""Members of one object that are looked at for what their names say."""

_TEXTS = (
    "message",
    "errormessage",
    "errordescription",
    "errorsummary",
    "faultstring",
    "msg",
    "description",
    "detail",
    "issue",
    "reason",
    "title",
    "text",
)
"""Names whose text says what is wrong, best first; compared in lower case and without punctuation."""
_INNER = (
    "error",
    "err",
    "fault",
    "responsemetadata",
    "contextinfo",
    "reason",
    "message",
    "detail",
    "details",
    "errors",
    "issues",
    "violations",
    "fieldviolations",
    "invalidparams",
    "errormessages",
    "fielderrors",
    "validationerrors",
    "formerrors",
    "usererrors",
    "errorcauses",
    "causes",
    "elements",
    "messages",
)
"""Names under which an error has its parts."""
_ERRORS = frozenset({"error", "err", "fault", "responsemetadata", "contextinfo", "reason"})
"""Those of them under which an object is one error; under the others its members are often fields' names."""
_SURE_TEXTS = frozenset(
    {"message", "errormessage", "errorsummary", "msg", "detail", "reason", "code", "errorcode"}
)
_SURE_PARTS = frozenset({"errors", "issues", "fieldviolations", "causes"})
"""Names that are hardly ever a field's, so that an object that might be a table of fields is an error."""
_CODES = ("code", "errorcode", "type", "status", "tag")
_SURE_CODES = _CODES[:2]
_FIELDS = (
    "loc",
    "field",
    "pointer",
    "path",
    "instancepath",
    "param",
    "parameter",
    "property",
    "attribute",
    "target",
    "location",
    "element",
    "fields",
    "name",
)
"""Where a part names its field, best first; `name` is one only beside a text."""
_OWN_FIELDS = ("param", "field", "parameter", "target")
"""Those that an error itself may carry; beside it `path` is the request's and `name` the error's class."""
_PLACES = frozenset({"body", "query", "path", "header", "cookie"})
"""First steps of a field's path that only say where the field was sent."""
_WHOLE = frozenset({"base", "nonfielderrors", "all", "general", "errors"})
"""Names that stand for no field, but for all of them."""
_TAGGED = re.compile(r"<(?:\w+:)?(?:title|faultstring|message|reason|text)\b[^<>]*>\s*([^<]+)", re.IGNORECASE)

Role = Literal["error", "part", "fields"]


def read_reason(body: Any) -> str:
    """Tell what an error body says went wrong, each field with its own; else the body itself. Empty for an empty one.

    >>> read_reason({"error": {"code": 404, "message": "No such charge"}})
    'No such charge'
    >>> read_reason({"title": "Not valid.", "errors": {"name": ["is taken"], "items": [{}, {"qty": ["is missing"]}]}})
    'Not valid. name: is taken; items.1.qty: is missing'
    """
    if isinstance(body, str):
        return cut(_read_text(body))
    if reason := find_reason(body):
        return reason
    search = _Search()
    if isinstance(body, dict):
        members = cast("dict[str, Any]", body)
        search.read_fields({name: value for name, value in members.items() if _is_listed(value)}, "")
    return search.tell() or cut(_render(body))


def find_reason(body: Any) -> str:
    """Tell what a body says went wrong where its names say that they tell it; empty when none does.

    >>> find_reason({"success": False, "labels": ["a"]}), find_reason({"success": False, "msg": "No such label"})
    ('', 'No such label')
    """
    search = _Search()
    search.read(body, "", "error")
    return search.tell()


def collect_codes(body: Any) -> set[str]:
    """Collect every short text and whole number in an error, among which its code is."""
    codes: set[str] = set()
    pending = [body]
    for _ in range(_NODES):
        if not pending:
            break
        node = pending.pop()
        if isinstance(node, Mapping):
            pending.extend(islice(cast("Mapping[str, Any]", node).values(), _NODES))
        elif isinstance(node, (list, tuple)):
            pending.extend(islice(cast("list[Any]", node), _NODES))
        elif isinstance(node, str):
            codes.add(node)
        elif isinstance(node, int) and -(10**9) < node < 10**12:
            codes.add(str(node))
    return codes


def cut(text: str, limit: int = REASON_LIMIT) -> str:
    """Return the text, of which what is past `limit` is left out and marked."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


class _Search:
    """Goes through an error body and notes what is wrong, in the order in which it is told."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._seen: set[str] = set()
        self._left = _NODES

    def tell(self) -> str:
        """Tell what was found: the first thing whole, the others each cut, and how many more there are."""
        told = [*self.found[:1], *(cut(text, _FIELD_LIMIT) for text in self.found[1:_TOLD])]
        if len(self.found) > _TOLD:
            told.append(f"and {len(self.found) - _TOLD} more")
        return cut(_join(told))

    def read(self, node: Any, at: str, role: Role) -> None:
        """Note what a value says; `at` is the path of the field that it is about."""
        self._left -= 1
        if self._left < 0:
            return
        if isinstance(node, str):
            self._note(at, node)
        elif isinstance(node, list):
            for index, item in enumerate(islice(cast("list[Any]", node), self._left)):
                is_table = isinstance(item, dict) and not _describes(cast("dict[str, Any]", item), "part")
                self.read(item, _step(at, str(index)) if is_table and role == "fields" else at, "part")
        elif isinstance(node, dict):
            self._read_object(cast("dict[str, Any]", node), at, role)

    def _read_object(self, node: dict[str, Any], at: str, role: Role) -> None:
        if role != "error" and not _describes(node, role):
            self.read_fields(node, at)
            return
        members = _fold(node)
        text = _find_text(members, _TEXTS)
        at = _step(
            at, _find_field(members, _OWN_FIELDS if role == "error" else _FIELDS if text else _FIELDS[:-1])
        )
        before = len(self.found)
        if text:
            self._note(at, text)
        for name in _INNER:
            inner = members.get(name)
            is_sentence = isinstance(inner, str) and (not text or (name not in _ERRORS and " " in inner))
            if isinstance(inner, (dict, list)) or is_sentence:
                self.read(inner, at, "error" if name in _ERRORS else "fields")
        if len(self.found) > before or text:
            return
        if role != "error" or (self._left < _NODES - 1 and not self.found):
            self._note(at, _find_text(members, _CODES if at or role == "error" else _SURE_CODES))

    def read_fields(self, node: dict[str, Any], at: str) -> None:
        """Note what a table of fields says of each."""
        for name, value in islice(node.items(), self._left):
            self.read(value, at if _plain(name) in _WHOLE else _step(at, name), "fields")

    def _note(self, at: str, text: str) -> None:
        text = " ".join(text[: 2 * REASON_LIMIT].split())
        if not text or (text in self._seen and (not at or self._has_told(at))):
            return
        self._seen.add(text)
        is_named = not at or re.search(rf"(?<!\w){re.escape(at)}(?!\w)", text)
        self.found.append(text if is_named else f"{cut(at, 100)}: {text}")

    def _has_told(self, at: str) -> bool:
        return any(at in text for text in self.found)


def _describes(node: dict[str, Any], role: Role) -> bool:
    """Whether an object is an error with a text, a code or parts, and not a table of fields.

    In a list it is one sooner than where fields' names may be its members.
    """
    texts, parts = (_SURE_TEXTS, _SURE_PARTS) if role == "fields" else ((*_TEXTS, *_CODES), _INNER)
    return any(
        (name in texts and isinstance(value, str)) or (name in parts and isinstance(value, list))
        for name, value in _fold(node).items()
    )


def _fold(node: dict[str, Any]) -> dict[str, Any]:
    """Return the members by plain name."""
    members: dict[str, Any] = {}
    for name, value in islice(node.items(), _MEMBERS):
        members.setdefault(_plain(name), value)
    return members


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name[:100].lower())


def _find_text(members: Mapping[str, Any], names: tuple[str, ...]) -> str:
    texts = (members.get(name) for name in names)
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")


def _find_field(members: Mapping[str, Any], names: tuple[str, ...]) -> str:
    source: Any = members.get("source")
    if isinstance(source, dict):
        members = {**members, **_fold(cast("dict[str, Any]", source))}
    for name in names:
        if field := _read_field(members.get(name)):
            return field
    return ""


def _read_field(value: Any) -> str:
    if isinstance(value, str):
        steps = value.removeprefix("#").strip("/").split("/") if len(value) <= _FIELD_LIMIT else []
    elif isinstance(value, list):
        steps = [str(step) for step in cast("list[Any]", value)[:20] if isinstance(step, (str, int))]
        steps = steps[1:] if len(steps) > 1 and steps[0] in _PLACES else steps
    else:
        return ""
    return ".".join(step for step in steps if step)


def _is_listed(value: Any) -> bool:
    """Whether a member of an unknown body looks like a field with what is wrong with it."""
    if isinstance(value, dict):
        return any(_is_listed(inner) for inner in islice(cast("dict[str, Any]", value).values(), _TOLD))
    items: list[Any] = cast("list[Any]", value) if isinstance(value, list) else []
    return any(isinstance(item, str) or _is_listed(item) for item in islice(items, _TOLD))


def _step(at: str, name: str) -> str:
    return f"{at}.{name}" if at and name else at or name


def _join(texts: list[str]) -> str:
    joined = ""
    for text in texts:
        joined += f"{'' if not joined else ' ' if joined.endswith(('.', '!', '?', ':')) else '; '}{text}"
    return joined


def _read_text(text: str) -> str:
    """Tell what a text says; of a web page its title, of XML the member that says what is wrong."""
    head = text[: 10 * REASON_LIMIT]
    if head.lstrip("\ufeff \t\r\n").startswith("<"):
        tagged = _TAGGED.search(head)
        head = tagged[1] if tagged else "" if is_web_page(head) else head
    return " ".join(head.split())


def _render(body: Any) -> str:
    """Write the start of a body as JSON; how much there is of it does not matter."""
    if body is None or body in ({}, [], ""):
        return ""
    parts: Iterator[str] = JSONEncoder(ensure_ascii=False, separators=(",", ":")).iterencode(body)
    written = ""
    for part in parts:
        written += part[:REASON_LIMIT]
        if len(written) > REASON_LIMIT:
            break
    return written
