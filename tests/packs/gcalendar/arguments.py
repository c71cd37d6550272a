"""Arguments that cover every parameter of a tool: drawn from its schema, the same on every run.

Not here: what the vendor makes of them (`vendor`).
"""

from collections.abc import Iterator
from typing import Any

from charter import Tool

START = {"dateTime": "2026-01-31T09:00:00+01:00", "timeZone": "Europe/Zurich"}
END = {"dateTime": "2026-01-31T10:30:00+01:00", "timeZone": "Europe/Zurich"}

SAMPLES: dict[str, Any] = {
    "calendarId": "team/ü 1?#%2F@group.calendar.google.com",
    "destination": "other+x&y@group.calendar.google.com",
    "eventId": "abc_20260131T080000Z",
    "q": "Zoë & a=b #x +y",
    "text": "Lunch with Zoë & Ann, 12:30",
    "pageToken": "0987/+=&",
    "syncToken": "CPDAlvWDx70C+/=",
    "timeMin": "2026-01-31T09:00:00+01:00",
    "timeMax": "2026-02-01T09:00:00.250000Z",
    "updatedMin": "2026-01-01T00:00:00Z",
    "start": START,
    "end": END,
    "originalStartTime": {"date": "2026-01-31"},
    "recurrence": ["RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10", "EXDATE;TZID=Europe/Zurich:20260207T090000"],
    "id": "abcdefghijklmnopqrstuv0123456789",
    "ifMatch": '"3181161784712000"',
    "url": "https://example.org/ü",
    "private": {"kéy": "välue", "b": ""},
    "shared": {"a": "1"},
    "reminders": {"useDefault": False, "overrides": [{"method": "popup", "minutes": 40320}]},
    "workingLocationProperties": {
        "type": "officeLocation",
        "officeLocation": {
            "buildingId": "B1",
            "floorId": "2",
            "floorSectionId": "2a",
            "deskId": "7",
            "label": "Züri",
        },
    },
    "focusTimeProperties": {
        "autoDeclineMode": "declineNone",
        "chatStatus": "doNotDisturb",
        "declineMessage": "Später",
    },
    "outOfOfficeProperties": {"autoDeclineMode": "declineAllConflictingInvitations", "declineMessage": "weg"},
}

GUESTS = ("addAttendees", "removeAttendees")
"""What becomes of them depends on the guests that there are: tests/packs/gcalendar/test_guests.py."""

KINDS = {
    "focusTimeProperties": "focusTime",
    "outOfOfficeProperties": "outOfOffice",
    "workingLocationProperties": "workingLocation",
}

SYNC_EXCLUDES = (
    *("iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty"),
    *("timeMin", "timeMax", "updatedMin", "minAccessRole", "showOwnOrganizationOnly"),
)

ALL_DAY = {"start": {"date": "2026-12-31"}, "end": {"date": "2027-01-01"}}
ELSEWHERE = [
    {"type": "customLocation", "customLocation": {"label": "Café"}},
    {"type": "homeOffice", "homeOffice": {}},
]
TIMED = {"start": START, "end": END}

ALSO: dict[str, list[dict[str, Any]]] = {
    "events_list": [
        {},
        {"maxResults": 2500, "showDeleted": False, "singleEvents": True, "orderBy": "startTime"},
        {"syncToken": "s", "showDeleted": True, "pageToken": "p"},
        {"eventTypes": ["default", "fromGmail"], "calendarId": "primary"},
    ],
    "events_insert": [
        {**ALL_DAY, "summary": "Silvester"},
        *(
            {**TIMED, "eventType": "workingLocation", "workingLocationProperties": place}
            for place in ELSEWHERE
        ),
        {
            "start": {"dateTime": "2026-06-01T09:00:00", "timeZone": "America/New_York"},
            "end": {"dateTime": "2026-06-01T09:00:00", "timeZone": "America/New_York"},
            "recurrence": ["RDATE:20260701T090000"],
        },
        {"start": START, "end": END, "reminders": {"useDefault": True}},
    ],
    "events_update": [
        {"eventId": "e", **ALL_DAY},
        *(
            {**TIMED, "eventId": "e", "eventType": "workingLocation", "workingLocationProperties": place}
            for place in ELSEWHERE
        ),
    ],
    "events_import": [
        {**ALL_DAY, "iCalUID": "u@x"},
        {**TIMED, "iCalUID": "u@x", "originalStartTime": START},
    ],
    "events_patch": [
        {"eventId": "e", "reminders": {"useDefault": False}},
        {"eventId": "e", "attendees": [{"email": "me@example.org", "responseStatus": "accepted"}]},
        *({"eventId": "e", "workingLocationProperties": place} for place in ELSEWHERE),
        {"eventId": "e", **ALL_DAY},
        {"eventId": "e", "attendees": [], "recurrence": [], "description": ""},
        {"eventId": "e", "extendedProperties": {"private": {"k": None}, "shared": {"k": None, "l": "x"}}},
    ],
}


def variants(tool: Tool) -> Iterator[dict[str, Any]]:
    """Yield the least a call needs, everything at once, and each optional member, nested ones too."""
    schema = tool.to_json_schema()["parameters"]
    walk = _Walk(schema.get("$defs", {}))
    needed = [*schema.get("required", ()), *(["summary"] if tool.method == "PATCH" else [])]
    least = {name: walk.full(schema["properties"][name], name) for name in needed}
    yield least
    yield walk.everything(schema)
    for name in ("syncToken",):
        if name in schema["properties"]:
            yield {**least, name: SAMPLES[name]}
    for name, node in schema["properties"].items():
        if name not in least and name not in ("syncToken", *GUESTS):
            for value in walk.each(node, name):
                yield {**least, **_companions(name, value, schema), name: value}
    yield from ALSO.get(tool.name, [])


def _companions(name: str, value: Any, schema: dict[str, Any]) -> dict[str, Any]:
    if name in KINDS and "eventType" in schema["properties"]:
        return {"eventType": KINDS[name]}
    return {"singleEvents": True} if value == "startTime" else {}


def is_nullable(node: dict[str, Any]) -> bool:
    """Whether null clears it."""
    return "null" in node.get("type", ()) if "type" in node else {"type": "null"} in node.get("anyOf", ())


class _Walk:
    def __init__(self, definitions: dict[str, Any]) -> None:
        self._definitions = definitions

    def _resolve(self, node: dict[str, Any]) -> dict[str, Any]:
        if "$ref" in node:
            return self._definitions[node["$ref"].rsplit("/", 1)[1]]
        if isinstance(node.get("type"), list):
            return {**node, "type": node["type"][0]}
        return node["anyOf"][0] if is_nullable(node) else node

    def everything(self, schema: dict[str, Any]) -> dict[str, Any]:
        """All members that may stand together."""
        left_out = {"syncToken", *KINDS, *GUESTS, "orderBy", "attendeesFrom"}
        whole = {
            name: self.full(node, name)
            for name, node in schema["properties"].items()
            if name not in left_out or (name == "syncToken" and "q" not in schema["properties"])
        }
        if "syncToken" in whole:
            whole = {name: value for name, value in whole.items() if name not in SYNC_EXCLUDES}
        if "eventType" in whole:
            whole |= {"eventType": "focusTime", "focusTimeProperties": SAMPLES["focusTimeProperties"]}
        return whole

    def full(self, node: dict[str, Any], name: str) -> Any:
        """A value with every member."""
        if name in SAMPLES:
            return SAMPLES[name]
        node = self._resolve(node)
        if "enum" in node:
            return node["enum"][-1]
        match node["type"]:
            case "object":
                return {key: self.full(child, key) for key, child in node["properties"].items()}
            case "array":
                return [self.full(node["items"], f"{name} 1"), self.full(node["items"], f"{name} 2")]
            case "integer":
                return node.get("maximum", 7)
            case "boolean":
                return True
            case "string":
                return f"{name} ü"
            case other:
                raise AssertionError(f"no sample for {name}: {other}")

    def each(self, node: dict[str, Any], name: str) -> Iterator[Any]:
        """Every value of an enum; of an object or a list of them, each optional member alone."""
        resolved = self._resolve(node)
        if is_nullable(node):
            yield None
        if name in SAMPLES:
            yield SAMPLES[name]
        elif "enum" in resolved:
            yield from resolved["enum"]
        elif resolved["type"] == "boolean":
            yield from (True, False)
        elif resolved["type"] == "array" and "properties" in self._resolve(resolved["items"]):
            for item in self.each(resolved["items"], f"{name} 1"):
                yield [item]
        elif "properties" in resolved:
            required = {
                key: self.full(resolved["properties"][key], key) for key in resolved.get("required", ())
            }
            yield required
            for key, child in resolved["properties"].items():
                for value in self.each(child, key):
                    yield {**required, key: value}
        else:
            yield self.full(resolved, name)
