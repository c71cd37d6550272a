"""A secret given to a call is in no text, pickle, log or local variable that a failed or good call leaves behind."""

import io
import logging
import pickle
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from charter import Api, APIError, ApiKey, Bearer, CharterError, Tool
from tests.faults.calls import ItemsCreate, ItemsGet, find_closed_port, outcome_of
from tests.faults.faults import (
    BODIES,
    CUT_OFF,
    OK,
    STATUSES,
    Fault,
    respond,
    respond_json,
    say,
    say_and_stall,
)
from tests.faults.server import Connection, FaultServer

pytestmark = pytest.mark.anyio
TESTS = Path(__file__).parent

CANARIES = {
    "bearer": "canary-bearer-1a2b3c",
    "header key": "canary-header-4d5e6f",
    "query key": "canary-query-7a8b9c",
    "host header": "canary-host-0d1e2f",
    "function": "canary-function-3a4b5c",
}


async def _fetch_token() -> str:
    return CANARIES["function"]


def _auth(kind: str) -> Any:
    match kind:
        case "header key":
            return ApiKey(CANARIES[kind], header="X-Api-Key")
        case "query key":
            return ApiKey(CANARIES[kind], query="key")
        case "function":
            return Bearer(_fetch_token)
        case _:
            return Bearer(CANARIES["bearer"])


def _options(kind: str) -> dict[str, Any]:
    return {"headers": {"X-Subject-Token": CANARIES[kind]}} if kind == "host header" else {}


def make_tool(url: str, kind: str, method: str, timeout: float = 20.0) -> Tool:
    api = Api("faulty", base_url=url, auth=_auth(kind), timeout=timeout)
    return api.get("items/{id}", ItemsGet) if method == "GET" else api.post("items", ItemsCreate)


def find_leaks(text: str) -> list[str]:
    return [kind for kind, canary in CANARIES.items() if canary in text or canary.encode().hex() in text]


def render_locals(error: BaseException) -> str:
    """Render an error as a crash reporter would: every frame of every linked error with its locals."""
    seen: set[int] = set()
    parts: list[str] = []
    waiting: list[BaseException | None] = [error]
    while waiting:
        current = waiting.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        waiting += [current.__cause__, current.__context__]
        waiting += list(getattr(current, "exceptions", ()))
        told = traceback.TracebackException.from_exception(current, capture_locals=True)
        # The test's own frames hold the secrets that it gives.
        told.stack[:] = [frame for frame in told.stack if str(TESTS) not in frame.filename]
        parts += told.format(chain=False)
        parts += [repr(current), str(current), repr(vars(current))]
        request = getattr(current, "_request", None)
        parts += [repr(getattr(request, "headers", "")), str(getattr(request, "url", ""))]
    return "".join(parts)


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything logged at DEBUG by any logger, the HTTP client's included."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    names = ("", "charter", "httpx", "httpx2", "httpcore", "httpcore2", "asyncio")
    before = [(logging.getLogger(name), logging.getLogger(name).level) for name in names]
    for logger, _ in before:
        logger.setLevel(logging.DEBUG)
    logging.getLogger().addHandler(handler)
    yield stream
    logging.getLogger().removeHandler(handler)
    for logger, level in before:
        logger.setLevel(level)


def echo(connection: Connection) -> None:
    """Answer 400 with everything that was sent, as some servers do."""
    connection.send(
        respond(b'{"error": ' + repr(connection.request.decode("latin-1")).encode() + b"}", "400 Bad")
    )


FAILURES = [
    Fault("an echo", echo, (APIError,)),
    Fault("a stall", say_and_stall(b""), waits=True),
    next(fault for fault in CUT_OFF if fault.name.startswith("reset before")),
    next(fault for fault in BODIES if fault.name == "a login page as JSON"),
    next(fault for fault in STATUSES if fault.name == "a 401"),
    next(fault for fault in STATUSES if fault.name == "a 307"),
]


def assert_clean(tool: Tool, outcome: Any, log: io.StringIO) -> None:
    texts = {
        "tool": repr(tool) + str(tool) + repr(tool.api) + repr(tool.to_json_schema()),
        "log": log.getvalue(),
        "outcome": repr(outcome) + str(outcome),
    }
    if isinstance(outcome, CharterError):
        again = pickle.loads(pickle.dumps(outcome))
        assert type(again) is type(outcome)
        assert str(again) == str(outcome)
        texts["for_model"] = outcome.for_model()
        texts["pickle"] = pickle.dumps(outcome).decode("latin-1") + repr(vars(again))
        texts["traceback"] = render_locals(outcome)
    assert {sink: leaks for sink, text in texts.items() if (leaks := find_leaks(text))} == {}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("kind", CANARIES)
@pytest.mark.parametrize("fault", FAILURES, ids=lambda fault: fault.name)
async def test_no_secret_leaves_a_failed_call(fault: Fault, kind: str, method: str, log: io.StringIO) -> None:
    with FaultServer(fault.answer) as server:
        tool = make_tool(server.url, kind, method, timeout=0.3 if fault.waits else 20.0)
        outcome = await outcome_of(tool, **_options(kind))
        assert find_leaks(server.requests[0].decode("latin-1")), "the secret must have been sent"
    assert isinstance(outcome, CharterError)
    assert_clean(tool, outcome, log)


@pytest.mark.parametrize("kind", CANARIES)
async def test_no_secret_leaves_a_call_that_is_refused(kind: str, log: io.StringIO) -> None:
    tool = make_tool(f"http://127.0.0.1:{find_closed_port()}", kind, "GET")
    assert_clean(tool, await outcome_of(tool, **_options(kind)), log)


@pytest.mark.parametrize("kind", CANARIES)
async def test_no_secret_is_logged_by_a_good_call(kind: str, log: io.StringIO) -> None:
    with FaultServer(say(respond_json(OK))) as server:
        tool = make_tool(server.url, kind, "GET")
        assert_clean(tool, await outcome_of(tool, **_options(kind)), log)


def test_a_secret_that_is_in_a_local_is_found() -> None:
    program = compile("def fail(held): raise ValueError(len(held))", "elsewhere.py", "exec")
    names: dict[str, Any] = {}
    exec(program, names)
    with pytest.raises(ValueError) as caught:
        names["fail"](CANARIES["bearer"])
    assert find_leaks(render_locals(caught.value)) == ["bearer"]
