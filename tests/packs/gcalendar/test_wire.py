"""Every tool's request equals the one that Google's own client builds for the same call."""

from typing import Any

import pytest

from charter import Bearer, Tool
from charter.packs import gcalendar
from charter.packs.gcalendar.api import api
from tests.packs.gcalendar.arguments import variants
from tests.packs.gcalendar.vendor import GCALENDAR
from tests.packs.google import Request, names_in
from tests.packs.sending import send_one

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("google_token")]

CASES = [(tool, arguments) for tool in gcalendar.TOOLS for arguments in variants(tool)]

DERIVED = {
    "conferenceData": ("conferenceDataVersion", 1),
    "eventLabelId": ("eventLabelVersion", 1),
    "attachments": ("supportsAttachments", True),
}
"""What Google's client is told beside a member; the pack says it by itself."""

LEFT_OUT = {
    "alwaysIncludeEmail": "deprecated and ignored",
    "sendNotifications": "deprecated for sendUpdates",
    "anyoneCanAddSelf": "deprecated",
    "gadget": "deprecated",
    "privateCopy": "immutable, for other clients' copies",
    "asyncOperation": "the server's",
    "attendees.id": "the server's",
    "attendees.organizer": "the server's",
    "attendees.self": "the server's",
    "attachments.fileId": "the server's",
    "birthdayProperties": "the server's but for the default",
    "created": "the server's",
    "creator": "the server's",
    "endTimeUnspecified": "the server's",
    "etag": "the server's; goes into If-Match",
    "hangoutLink": "the server's",
    "htmlLink": "the server's",
    "kind": "the server's",
    "locked": "the server's",
    "organizer.id": "the server's",
    "organizer.self": "the server's",
    "recurringEventId": "the server's",
    "updated": "the server's",
}
"""What Google describes and no tool offers, and why."""

LEFT_OUT_OF: dict[str, set[str]] = {
    "events_insert": {
        "maxAttendees",
        "attendeesOmitted",
        "sequence",
        "iCalUID",
        "organizer",
        "originalStartTime",
    },
    "events_update": {"maxAttendees", "id", "iCalUID", "organizer", "originalStartTime"},
    "events_patch": {"maxAttendees", "id", "iCalUID", "organizer", "originalStartTime", "eventType"},
    "events_import": {
        *("id", "attendeesOmitted", "eventType"),
        *("focusTimeProperties", "outOfOfficeProperties", "workingLocationProperties"),
    },
}
"""What one tool leaves out: the answer is trimmed, the id is in the path, it never changes, another kind has it."""


PAGES = {"events_list": 10, "events_instances": 10, "calendar_list_list": 30}
"""What is asked for where Google's own page is more than a model should be sent."""


def as_vendor_takes_it(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The same call for Google's client: everything explicit, and no headers."""
    given = {name: value for name, value in arguments.items() if name not in ("ifMatch", "attendeesFrom")}
    if tool in PAGES:
        given.setdefault("maxResults", PAGES[tool])
    if given.get("conferenceData") == {}:
        del given["conferenceData"]  # what is there of a conference stays as it is
    if given.get("eventType") == "workingLocation":
        given |= {"transparency": "transparent", "visibility": "public"}
    for name in ("start", "end") if tool == "events_patch" else ():
        if name in given:  # a patch must say which of the two an event no longer has
            given[name] = {"dateTime" if "date" in given[name] else "date": None, **given[name]}
    for member, (name, value) in DERIVED.items():
        if member in given:
            given[name] = value
    if "calendarId" in GCALENDAR.describe(tool).get("parameters", {}):
        given.setdefault("calendarId", "primary")
    return given


@pytest.mark.parametrize(
    ("tool", "arguments"), CASES, ids=[f"{tool.name}-{number}" for number, (tool, _) in enumerate(CASES)]
)
async def test_a_request_equals_googles(tool: Tool, arguments: dict[str, Any]):
    sent = await send_one(tool, arguments)
    ours = Request.of(sent.method, str(sent.url), sent.content)
    assert ours == GCALENDAR.build(tool.name, as_vendor_takes_it(tool.name, arguments))
    assert sent.headers["Authorization"] == "Bearer ya29.test"
    assert sent.headers.get("If-Match") == arguments.get("ifMatch")
    assert sent.url.host == "www.googleapis.com"
    assert sent.headers.get("Content-Type") == ("application/json" if ours.body is not None else None)


def test_every_tool_is_compared_many_times():
    assert len(gcalendar.TOOLS) == len({tool.name for tool in gcalendar.TOOLS}) == 13
    assert {tool.name for tool, _ in CASES} == {tool.name for tool in gcalendar.TOOLS}
    assert len(CASES) >= 250


def is_left_out(path: str) -> bool:
    if path in LEFT_OUT or path.rpartition(".")[2] in LEFT_OUT:
        return True
    return path.startswith("conferenceData.") and is_of_another(path)


def is_of_another(path: str) -> bool:
    """Whether it is a member of a conference that exists already, which is the server's."""
    return not path.startswith("conferenceData.createRequest") or path.endswith("createRequest.status")


@pytest.mark.parametrize("tool", gcalendar.TOOLS, ids=lambda tool: tool.name)
def test_every_parameter_that_google_describes_is_compared(tool: Tool):
    described = GCALENDAR.describe(tool.name)
    wanted = set(described.get("parameters", {})) - set(LEFT_OUT)
    wanted |= GCALENDAR.writable(tool.name, is_left_out)
    left_out = LEFT_OUT_OF.get(tool.name, set())
    wanted = {name for name in wanted if name.split(".")[0] not in left_out}
    given: set[str] = set()
    for each, arguments in CASES:
        if each is tool:
            given |= names_in(as_vendor_takes_it(tool.name, arguments))
    maps = ("extendedProperties.private.", "extendedProperties.shared.")
    assert {name for name in given if not name.startswith(maps)} == wanted


async def test_configure_sets_credential_and_address(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(api, "auth", api.auth)
    monkeypatch.setattr(api, "base_url", api.base_url)
    gcalendar.configure(auth=Bearer("mine"), base_url="http://127.0.0.1:9")
    sent = await send_one(gcalendar.calendars_get, {})
    assert str(sent.url) == "http://127.0.0.1:9/calendar/v3/calendars/primary"
    assert sent.headers["Authorization"] == "Bearer mine"
