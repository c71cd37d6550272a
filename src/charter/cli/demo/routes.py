"""Requests, replies and routes of the demo's APIs.

Not here: the socket. `server` has it.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import parse_qsl, unquote, urlsplit

__all__ = ["Handler", "Reply", "Request", "Routes", "read_form", "read_request"]


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it arrived; `query` holds what the target's query says, in order."""

    method: str
    path: str
    query: Sequence[tuple[str, str]]
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes = b""

    def value(self, name: str, default: str = "") -> str:
        """Return the first query value of a name."""
        return next((value for key, value in self.query if key == name), default)

    def values(self, name: str) -> list[str]:
        """Return every query value of a name."""
        return [value for key, value in self.query if key == name]

    def json(self) -> dict[str, Any]:
        """Return the body's JSON object; an empty one when it is no object."""
        try:
            value = json.loads(self.body or b"{}")
        except ValueError:
            return {}
        return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


@dataclass(frozen=True, slots=True)
class Reply:
    """What an API answers, as JSON; None is an empty body."""

    body: Any
    status: int = 200


Handler = Callable[..., Reply]
"""Takes the request and the values of the route's holes."""


@dataclass(frozen=True, slots=True)
class Routes:
    """Which function answers which method and path. `{name}` stands for one segment."""

    known: list[tuple[str, re.Pattern[str], Handler]] = field(
        default_factory=list[tuple[str, re.Pattern[str], Handler]]
    )

    def add(self, method: str, template: str, handler: Handler) -> None:
        """Add one route.

        >>> routes = Routes()
        >>> routes.add("GET", "/v1/refunds/{refund}", lambda request, refund: Reply({"id": refund}))
        >>> routes.answer(Request("GET", "/v1/refunds/re_1", [], {}))
        Reply(body={'id': 're_1'}, status=200)
        """
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template)
        self.known.append((method, re.compile(pattern), handler))

    def answer(self, request: Request) -> Reply | None:
        """Answer a request; None when no route fits."""
        for method, pattern, handler in self.known:
            match = pattern.fullmatch(request.path)
            if match and method == request.method:
                return handler(request, **{name: unquote(value) for name, value in match.groupdict().items()})
        return None


def read_request(method: str, target: str, headers: Mapping[str, str], body: bytes) -> Request:
    """Read a request off its parts as they came over the wire."""
    parts = urlsplit(target)
    query = parse_qsl(parts.query, keep_blank_values=True)
    return Request(method, parts.path, query, {name.lower(): value for name, value in headers.items()}, body)


def read_form(body: bytes) -> dict[str, Any]:
    """Read a bracketed form one level deep, as Stripe takes it.

    >>> read_form(b"charge=ch_1&metadata[order]=1042")
    {'charge': 'ch_1', 'metadata': {'order': '1042'}}
    """
    form: dict[str, Any] = {}
    for name, value in parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True):
        outer, bracket, inner = name.partition("[")
        if bracket:
            form.setdefault(outer, {})[inner.rstrip("]")] = value
        else:
            form[outer] = value
    return form
