"""Answers as Google's discovery documents describe them: every member, or those an item often has.

Not here: what a tool keeps of them.
"""

import base64
from collections.abc import Callable
from typing import Any

import httpx2

from tests.packs.google import GoogleClient

_BODY = base64.urlsafe_b64encode(
    b"Both payments went through. I am sending the first one back today."
).decode()
_HEADERS = {
    "From": "Ann Miller <ann.miller@shop.example>",
    "To": "Bo Berg <bo@customer.example>",
    "Cc": "Team <team@shop.example>",
    "Bcc": "log@shop.example",
    "Reply-To": "help@shop.example",
    "Subject": "Re: charged twice",
    "Message-ID": "<2@shop.example>",
    "In-Reply-To": "<1@customer.example>",
    "References": "<0@customer.example> <1@customer.example>",
    "Date": "Tue, 31 Mar 2026 09:30:00 +0200",
}
_MAIL = {
    "mimeType": "multipart/mixed",
    "headers": [{"name": name, "value": value} for name, value in _HEADERS.items()],
    "parts": [
        {"partId": "0", "mimeType": "text/plain", "filename": "", "body": {"size": 66, "data": _BODY}},
        {
            "partId": "1",
            "mimeType": "application/pdf",
            "filename": "receipt.pdf",
            "body": {"size": 9, "attachmentId": "A1"},
        },
    ],
}
"""A mail as it is often parsed: a text and a file."""

Coin = Callable[[str], bool]
"""Whether a member is given."""

_DEEPEST = 7
_TEXTS = {
    "id": "18c2f3a4b5d6e7f8",
    "threadId": "18c2f3a4b5d6e7f0",
    "data": _BODY,
    "raw": _BODY,
    "mimeType": "text/plain",
    "snippet": "Both payments went through. I am sending the first one back today.",
    "summary": "Checkout charges twice: what we do",
    "description": "The log of the payment service, and who calls the customers.",
    "email": "ann.miller@shop.example",
    "backgroundColor": "#fb4c2f",
    "textColor": "#ffffff",
    "labelListVisibility": "labelShow",
    "messageListVisibility": "show",
    "responseStatus": "accepted",
    "visibility": "default",
    "transparency": "opaque",
    "displayName": "Ann Miller",
    "dateTime": "2026-03-31T09:30:00+02:00",
    "date": "2026-03-31",
    "timeZone": "Europe/Zurich",
    "autoDeclineMode": "declineNone",
    "chatStatus": "doNotDisturb",
    "conferenceSolutionKey.type": "hangoutsMeet",
    "workingLocationProperties.type": "homeOffice",
    "eventType": "default",
    "method": "popup",
    "recurrence": "RRULE:FREQ=WEEKLY;COUNT=4",
    "source.url": "https://shop.example/tickets/2703",
    "status": "confirmed",
    "htmlLink": "https://www.google.example/calendar/event?eid=NmI3ZzhoOWkwajFrMmwzbTRuNW82cDdx",
}


def make_answer(
    google: GoogleClient, tool: str, request: httpx2.Request, is_given: Coin = lambda _: True
) -> Any:
    """Return what Google answers to a call, pages as long as the request, or Google itself, makes them."""
    described = google.describe(tool)
    default = described.get("parameters", {}).get("maxResults", {}).get("default", "1")
    size = int(request.url.params.get("maxResults", default))
    maker = _Maker(google.document["schemas"], is_given, size, request.url.params.get("format", ""))
    return maker.make(described["response"], "", 0)


class _Maker:
    def __init__(self, schemas: dict[str, Any], is_given: Coin, size: int, mail: str) -> None:
        self._schemas, self._is_given, self._size, self._format = schemas, is_given, size, mail

    def make(self, node: dict[str, Any], path: str, depth: int) -> Any:
        node = self._schemas.get(node.get("$ref"), node)
        name = path.rpartition(".")[2]
        if name == "payload":
            return _MAIL
        match node.get("type"):
            case "any":
                return {}
            case "object" if "properties" in node:
                members = dict(node["properties"])
                left_out = "date" if "dateTime" in members else "raw" if self._format != "raw" else "payload"
                members.pop(left_out, None)  # a time is one or the other, and so is a mail
                return {
                    key: self.make(child, f"{path}.{key}", depth + 1)
                    for key, child in members.items()
                    if depth < _DEEPEST and (key == "id" or depth == 0 or self._is_given(f"{path}.{key}"))
                }
            case "object":
                return {"key": "value"}
            case "array":
                count = self._size if depth == 1 else 1
                return [self.make(node["items"], f"{at}{path}", depth + 1) for at in range(count)]
            case "boolean":
                return name != "useDefault"
            case "integer":
                return 3
            case "number":
                return 3.5
            case _:
                named = ".".join(path.split(".")[-2:])
                return _TEXTS.get(named, _TEXTS.get(name, (node.get("enum") or ["some text"])[0]))
