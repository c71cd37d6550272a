"""What Google's own client builds for a call, and what its discovery document says that a call may hold.

Nothing is sent. Not here: which arguments are tried (`arguments`).
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from google.auth.credentials import AnonymousCredentials
from googleapiclient.discovery import build_from_document

RESOURCES = {"calendar_list": "calendarList", "calendars": "calendars", "events": "events"}


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
    text = files("googleapiclient").joinpath("discovery_cache/documents/calendar.v3.json").read_text()
    return json.loads(text)


@cache
def _service() -> Any:
    return build_from_document(json.dumps(document()), credentials=AnonymousCredentials())


def split_name(tool: str) -> tuple[str, str]:
    """`calendar_list_get` -> calendarList, get."""
    resource = next(name for name in RESOURCES if tool.startswith(f"{name}_"))
    first, *words = tool.removeprefix(f"{resource}_").split("_")
    return RESOURCES[resource], first + "".join(word.capitalize() for word in words)


def describe(tool: str) -> dict[str, Any]:
    """The discovery document's description of the operation behind a tool."""
    resource, method = split_name(tool)
    return document()["resources"][resource]["methods"][method]


def build(tool: str, arguments: dict[str, Any]) -> Request:
    """Build the request with Google's client: its parameters by name, everything else as the body."""
    described = describe(tool)
    keywords = {name: value for name, value in arguments.items() if name in described.get("parameters", {})}
    body = {name: value for name, value in arguments.items() if name not in keywords}
    if "request" in described:
        keywords["body"] = body
    else:
        assert not body, f"{tool}: {sorted(body)} have no place"
    resource, method = split_name(tool)
    target = getattr(_service(), resource)()
    request = getattr(target, {"import": "import_"}.get(method, method))(**keywords)
    return Request.of(request.method, request.uri, request.body)
