"""A secret given to a call is in no text, pickle, log or local variable that a failed or good call leaves behind."""

import html
import io
import json
import logging
import pickle
import re
import traceback
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import httpx2
import pytest

from charter import Api, APIError, ApiKey, Bearer, CallRecord, CharterError, Secret, Tool
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
    "bearer": "canary-bearer/1a2b+3c=",
    "header key": "canary-header/4d5e+6f=",
    "query key": "canary-query/7a8b+9c=",
    "host header": "canary-host/0d1e+2f=",
    "host bearer under another name": "canary-upstream/0a1b+2c=",
    "host basic": "canary-password/3d4e+5f=",
    "function": "canary-function/3a4b+5c=",
    "static header named so": "canary-static/6a7b+8c=",
    "static header given as a secret": "canary-given/9d0e+1f=",
    "a tool's static header": "canary-own/2a3b+4c=",
    "static query": "canary-param/5d6e+7f=",
    "an Api's static query": "canary-shared/8a9b+0c=",
    "static body": "canary-body/1d2e+3f=",
    "lent header": "canary-lent/4a5b+6c=",
    "lent basic": "canary-lentpass/7d8e+9f=",
    "lent parameter": "canary-lentparam/0a1b+2c=",
}
LENT: dict[str, dict[str, Any]] = {
    "lent header": {"headers": {"X-Api-Key": CANARIES["lent header"]}},
    "lent basic": {"auth": ("ann", CANARIES["lent basic"])},
    "lent parameter": {"params": {"access_token": CANARIES["lent parameter"]}},
}
API: dict[str, dict[str, Any]] = {
    "static header named so": {"headers": {"X-Api-Key": CANARIES["static header named so"]}},
    "static header given as a secret": {
        "headers": {"X-Team": Secret(CANARIES["static header given as a secret"])}
    },
    "an Api's static query": {"static_query": {"api_key": CANARIES["an Api's static query"]}},
}
TOOL: dict[str, dict[str, Any]] = {
    "a tool's static header": {"static_headers": {"X-Auth-Token": CANARIES["a tool's static header"]}},
    "static query": {"static_query": {"v": "2", "access_token": CANARIES["static query"]}},
    "static body": {"static_body": {"grant": {"client_secret": CANARIES["static body"]}}},
}
HOST: dict[str, dict[str, str]] = {
    "host header": {"X-Subject-Token": CANARIES["host header"]},
    "host bearer under another name": {"X-Upstream": f"Bearer {CANARIES['host bearer under another name']}"},
    "host basic": {"Authorization": f"Basic {b64encode(b'ann:' + CANARIES['host basic'].encode()).decode()}"},
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
        case "bearer" | "host header":
            return Bearer(CANARIES["bearer"])
        case _:
            return None


@asynccontextmanager
async def options_of(kind: str) -> AsyncIterator[dict[str, Any]]:
    """Yield what the call of a tool is given beside its arguments."""
    if kind not in LENT:
        yield {"headers": HOST[kind]} if kind in HOST else {}
        return
    async with httpx2.AsyncClient(**LENT[kind]) as client:
        yield {"client": client}


def make_tool(url: str, kind: str, method: str, timeout: float = 20.0) -> Tool:
    api = Api("faulty", base_url=url, auth=_auth(kind), timeout=timeout, **API.get(kind, {}))
    if method == "GET":
        return api.get("items/{id}", ItemsGet, **TOOL.get(kind, {}))
    return api.post("items", ItemsCreate, **TOOL.get(kind, {}))


def has_place(kind: str, method: str) -> bool:
    return method == "POST" or kind != "static body"


CALLS = [(kind, method) for kind in CANARIES for method in ("GET", "POST") if has_place(kind, method)]


def read_plainly(text: str) -> str:
    """Undo, a few times over, how JSON, URLs and HTML write characters."""
    for _ in range(4):
        text = re.sub(r"\\+u00([0-9a-fA-F]{2})", lambda found: chr(int(found[1], 16)), text)
        text = html.unescape(unquote(re.sub(r"\\+(?=[/+=\"])", "", text)))
    return text


def find_leaks(text: str) -> list[str]:
    plain = read_plainly(text)
    encoded = {kind: b64encode(b"ann:" + canary.encode()).decode() for kind, canary in CANARIES.items()}
    return [
        kind
        for kind, canary in CANARIES.items()
        if canary in text or canary in plain or encoded[kind] in plain or canary.encode().hex() in text
    ]


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
    body = json.dumps({"error": read_sent(connection)}).encode()
    connection.send(respond(body, "400 Bad", "Content-Type: application/json"))


def read_sent(connection: Connection) -> str:
    """Return a request as text, with what Basic says beside it."""
    sent = connection.request.decode("latin-1")
    basic = re.search(r"(?i)basic (\S+)", sent)
    return sent + (b64decode(basic[1]).decode() if basic else "")


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
        "pickled tool": pickle.dumps(tool).decode("latin-1") + repr(vars(tool)) + repr(tool.call_spec()),
    }
    if isinstance(outcome, CharterError):
        again = pickle.loads(pickle.dumps(outcome))
        assert type(again) is type(outcome)
        assert str(again) == str(outcome)
        texts["for_model"] = outcome.for_model()
        texts["pickle"] = pickle.dumps(outcome).decode("latin-1") + repr(vars(again))
        texts["traceback"] = render_locals(outcome)
    assert {sink: leaks for sink, text in texts.items() if (leaks := find_leaks(text))} == {}


@pytest.mark.parametrize(("kind", "method"), CALLS)
@pytest.mark.parametrize("fault", FAILURES, ids=lambda fault: fault.name)
async def test_no_secret_leaves_a_failed_call(fault: Fault, kind: str, method: str, log: io.StringIO) -> None:
    with FaultServer(fault.answer) as server:
        tool = make_tool(server.url, kind, method, timeout=0.3 if fault.waits else 20.0)
        async with options_of(kind) as options:
            outcome = await outcome_of(tool, **options)
        assert find_leaks(server.requests[0].decode("latin-1")), "the secret must have been sent"
    assert isinstance(outcome, CharterError)
    assert_clean(tool, outcome, hush(log, kind))


def hush(log: io.StringIO, kind: str) -> io.StringIO:
    """A client that a host made itself logs the URLs that the host gave it."""
    return io.StringIO() if kind == "lent parameter" else log


@pytest.mark.parametrize("kind", CANARIES)
async def test_no_secret_leaves_a_call_that_is_refused(kind: str, log: io.StringIO) -> None:
    tool = make_tool(f"http://127.0.0.1:{find_closed_port()}", kind, "POST")
    async with options_of(kind) as options:
        assert_clean(tool, await outcome_of(tool, **options), log)


@pytest.mark.parametrize("kind", CANARIES)
async def test_no_secret_is_logged_by_a_good_call_or_told_in_its_record(kind: str, log: io.StringIO) -> None:
    records: list[CallRecord] = []
    with FaultServer(say(respond_json(OK))) as server:
        tool = make_tool(server.url, kind, "POST")
        tool.api.on_call = records.append
        async with options_of(kind) as options:
            assert_clean(tool, await outcome_of(tool, **options), hush(log, kind))
    [record] = records
    assert find_leaks(repr([getattr(record, one.name) for one in fields(record)]) + repr(record.query)) == []


SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it was sent": str,
    "escaped as JSON may": lambda sent: sent.replace("/", "\\/"),
    "escaped as JSON for a page": lambda sent: sent.replace("+", "\\u002B").replace("=", "\\u003d"),
    "every character escaped": lambda sent: "".join(f"\\u{ord(character):04x}" for character in sent),
    "JSON within JSON": lambda sent: sent.replace("/", "\\\\\\/").replace("+", "\\\\u002b"),
    "percent-encoded": lambda sent: quote(sent, safe=""),
    "percent-encoded twice": lambda sent: quote(quote(sent, safe=""), safe=""),
    "every character percent-encoded": lambda sent: "".join(f"%{ord(character):02x}" for character in sent),
    "as HTML": lambda sent: sent.replace("+", "&#43;").replace("=", "&#x3D;").replace("/", "&sol;"),
    "as HTML within HTML": lambda sent: sent.replace("+", "&amp;#43;"),
    "as HTML within JSON": lambda sent: sent.replace("+", "\\u0026#43;"),
    "percent-encoded within HTML": lambda sent: quote(sent, safe="").replace("%", "&#37;"),
}


def echo_spelled(
    spell: Callable[[str], str], status: str, media_type: str, form: str
) -> Callable[[Connection], None]:
    def answer(connection: Connection) -> None:
        said = "".join(
            spell(canary) for kind, canary in CANARIES.items() if kind in find_leaks(read_sent(connection))
        )
        assert said
        body = form.replace("SAID", said).encode()
        connection.send(respond(body, status, f"Content-Type: {media_type}"))

    return answer


FORMS = {
    "an error": ("400 Bad", "application/json", '{"error": {"message": "bad key SAID."}}'),
    "a key": ("400 Bad", "application/json", '{"error": {"SAID": "is no key"}}'),
    "an error in text": ("400 Bad", "text/plain", "bad key SAID."),
    "an error page": ("400 Bad", "text/html", "<p>bad key SAID.</p>"),
    "what is no JSON": ("400 Bad", "application/json", "bad key SAID."),
    "JSON that is cut": ("400 Bad", "application/json", '{"error": "bad key SAID'),
    "a rejection": ("401 No", "application/json", '{"message": "SAID"}'),
    "a success": ("200 OK", "application/json", '{"items": [{"SAID": ["x SAID y", 1.10, null]}]}'),
    "a success in text": ("200 OK", "text/plain", "SAID"),
    "a success of any bytes": ("200 OK", "application/x-thing; charset=utf-8", "SAID"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_a_secret_is_known_however_it_comes_back(spelling: str, form: str, log: io.StringIO) -> None:
    status, media_type, body = FORMS[form]
    for kind in ("bearer", "static query", "lent basic"):
        with FaultServer(echo_spelled(SPELLINGS[spelling], status, media_type, body)) as server:
            tool = make_tool(server.url, kind, "POST")
            async with options_of(kind) as options:
                outcome = await outcome_of(tool, **options)
            assert_clean(tool, outcome, log)
            assert find_leaks(repr(getattr(outcome, "body", None))) == []
            told = repr(outcome) + repr(getattr(outcome, "body", None))
            assert "[redacted]" in told or status.startswith("401")


@pytest.mark.parametrize(
    "header",
    [
        "Location: https://x.example/?next=SAID",
        "Location: /a/SAID",
        "X-Request-Id: SAID",
        "Content-Type: application/json; charset=SAID",
        "Content-Type: SAID",
        "Retry-After: SAID",
        "Content-Encoding: SAID",
    ],
)
@pytest.mark.parametrize("status", ["200 OK", "307 Moved", "400 Bad", "503 Later"])
async def test_a_secret_in_a_header_of_an_answer_is_told_nowhere(status: str, header: str) -> None:
    said = quote(CANARIES["bearer"], safe="=")

    with FaultServer(say(respond(b'{"a": 1}', status, header.replace("SAID", said)))) as server:
        tool = make_tool(server.url, "bearer", "GET")
        outcome = await outcome_of(tool)
        assert_clean(tool, outcome, io.StringIO())  # what a client logs of an answer at DEBUG is the server's
        assert find_leaks(repr(getattr(outcome, "request_id", None))) == []


async def test_a_secret_in_bytes_of_another_charset_is_told_nowhere(log: io.StringIO) -> None:
    body = json.dumps({"error": CANARIES["bearer"]})
    for charset in ("utf-16", "utf-16-le", "utf-32", "cp037", "cp500", "latin-1"):
        for said in (charset, "utf-8", "nonsense"):
            answer = respond(
                body.encode(charset), "400 Bad", f"Content-Type: application/json; charset={said}"
            )
            with FaultServer(say(answer)) as server:
                tool = make_tool(server.url, "bearer", "GET")
                outcome = await outcome_of(tool)
                assert_clean(tool, outcome, log)
                assert find_leaks(repr(outcome.body).replace("\\x00", "")) == []


def test_a_secret_that_is_in_a_local_is_found() -> None:
    program = compile("def fail(held): raise ValueError(len(held))", "elsewhere.py", "exec")
    names: dict[str, Any] = {}
    exec(program, names)
    with pytest.raises(ValueError) as caught:
        names["fail"](CANARIES["bearer"])
    assert find_leaks(render_locals(caught.value)) == ["bearer"]
