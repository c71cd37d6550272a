"""A calendar on loopback that keeps state: events read whole, patched as JSON is merged, guarded by their etags.

Not here: finding events; emulate does (tests/e2e).
"""

import json
from dataclasses import dataclass, field
from typing import Any

from tests.counterparties.loopback import Asked, Loopback, Reply


@dataclass
class Calendar:
    """Answers as Calendar does, for events of any calendar."""

    loopback: Loopback
    events: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])

    def __post_init__(self) -> None:
        self._version = 0
        self.loopback.answer = self._answer

    def put(self, event: dict[str, Any]) -> None:
        """Keep an event under its id, with an etag of its own."""
        self._version += 1
        self.events[event["id"]] = {**event, "etag": f'"{self._version}"'}

    @property
    def methods(self) -> list[str]:
        return [asked.method for asked in self.loopback.asked]

    def _answer(self, asked: Asked) -> Reply:
        event = self.events.get(asked.path.rpartition("/")[2])
        if event is None:
            return Reply({"error": {"code": 404, "message": "Not Found"}}, 404)
        if asked.header("if-match") not in (None, event["etag"]):
            return Reply({"error": {"code": 412, "message": "Precondition Failed"}}, 412)
        match asked.method:
            case "PATCH":
                self.put(merge(event, asked.json))
            case "PUT":
                self.put({"id": event["id"], **asked.json})
            case _:
                pass
        return Reply(json.loads(json.dumps(self.events[event["id"]])))


def merge(old: Any, new: Any) -> Any:
    """Merge as RFC 7396 says: null removes, lists are replaced."""
    if not isinstance(new, dict):
        return new
    merged = dict(old) if isinstance(old, dict) else {}
    for name, value in new.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge(merged.get(name), value)
    return merged
