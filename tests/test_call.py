"""A call from arguments to result: what is sent on whose behalf, and what each answer becomes."""

import asyncio
import json
import logging
import threading
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import BaseModel, field_validator

import charter.call
from charter import (
    Api,
    APIError,
    ApiKey,
    Bearer,
    CharterError,
    CredentialError,
    Envelope,
    Header,
    Tool,
    ToolValidationError,
    TransportError,
    Unsent,
    keep,
    pass_through,
)
from charter.auth import Credentials
from tests.counterparties.loopback import Loopback

pytestmark = pytest.mark.anyio


class ThingsGet(BaseModel):
    """Read a thing."""

    id: str = "x"
    trace: Annotated[str | None, Header("X-Trace")] = None


class ThingsCreate(BaseModel):
    """Make a thing."""

    name: str = "tea"


def make_tool(loopback: Loopback, method: str = "get", **options: Any) -> Tool:
    of_api = ("auth", "headers", "envelope", "timeout", "max_bytes")
    api = Api(
        "shop", base_url=loopback.url, **{name: options.pop(name) for name in of_api if name in options}
    )
    return (
        api.get("things/{id}", ThingsGet, **options)
        if method == "get"
        else api.post("things", ThingsCreate, **options)
    )


async def fail(tool: Tool, arguments: Mapping[str, Any] | None = None, **options: Any) -> Any:
    with pytest.raises(CharterError) as raised:
        await tool.ainvoke(arguments or {}, **options)
    return raised.value


# Headers


@pytest.mark.parametrize(
    ("headers", "received"),
    [
        (None, {"authorization": "Bearer t0ken", "x-team": "api", "accept": "application/json"}),
        ({"X-TEAM": "mine"}, {"x-team": "mine"}),
        ({"x-team": None}, {"x-team": None}),
        ({"authorization": "Bearer other"}, {"authorization": "Bearer other"}),
        ({"AUTHORIZATION": None}, {"authorization": None}),
        ({"Accept": "text/csv"}, {"accept": "text/csv"}),
        ({"X-New": "1", "X-None": None}, {"x-new": "1", "x-none": None}),
        ({"x-trace": "host"}, {"x-trace": "host"}),
        ({"User-Agent": "mine/1"}, {"user-agent": "mine/1"}),
    ],
)
async def test_headers_of_one_call_have_the_last_word(
    loopback: Loopback, headers: dict[str, str | None] | None, received: dict[str, str | None]
) -> None:
    tool = make_tool(loopback, auth=Bearer("t0ken"), headers={"X-Team": "api"})
    await tool.ainvoke({"trace": "model"}, headers=headers)
    [asked] = loopback.asked
    assert {name: asked.header(name) for name in received} == received


async def test_a_host_that_brings_its_own_credentials_needs_none(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOP_KEY", raising=False)
    tool = make_tool(loopback, auth=Bearer(env="SHOP_KEY"))
    assert isinstance(await fail(tool), CredentialError)
    await tool.ainvoke(headers={"Authorization": "Bearer mine"})
    assert loopback.asked[0].header("authorization") == "Bearer mine"


async def test_a_key_in_the_query_comes_after_the_arguments(loopback: Loopback) -> None:
    tool = make_tool(loopback, auth=ApiKey("k&y", query="key"), static_query={"alt": "json"})
    await tool.ainvoke()
    assert loopback.asked[0].pairs == [("alt", "json"), ("key", "k&y")]


async def test_no_credential_header_is_ever_sent_twice(loopback: Loopback) -> None:
    tool = make_tool(loopback, auth=ApiKey("api", header="x-api-key"), headers={"X-API-KEY": "static"})
    await tool.ainvoke()
    assert loopback.asked[0].header("x-api-key") == "api"


@pytest.mark.parametrize(
    "headers",
    [
        {"X A": "b"},
        {"X-A": "b\r\nX-B: c"},
        {"X-A": "b\n"},
        {"X-A": "b\0"},
        {"": "b"},
        {"X-A": "ä"},
        {"X-A": 3},
    ],
)
async def test_a_host_header_that_cannot_be_sent_is_refused(loopback: Loopback, headers: Any) -> None:
    error = await fail(make_tool(loopback), headers=headers)
    assert isinstance(error, ToolValidationError)
    assert loopback.asked == []


# Answers


@pytest.mark.parametrize("status", [200, 201, 202, 203, 299])
async def test_a_success_is_its_body(loopback: Loopback, status: int) -> None:
    loopback.reply({"id": "th_1"}, status=status)
    assert await make_tool(loopback).ainvoke() == {"id": "th_1"}


@pytest.mark.parametrize("status", [204, 205, 304])
@pytest.mark.parametrize("envelope", [None, Envelope(ok="ok"), Envelope(error="errors", data="data")])
async def test_no_content_is_a_success_that_no_envelope_or_handler_sees(
    loopback: Loopback, status: int, envelope: Envelope | None
) -> None:
    loopback.reply(b"", status=status)
    tool = make_tool(loopback, envelope=envelope, response_handler=keep("id"))
    assert await tool.ainvoke() == {"status": status}


async def test_a_handler_trims_and_passing_through_does_not(loopback: Loopback) -> None:
    loopback.reply({"id": 1, "x": 2})
    assert await make_tool(loopback, response_handler=keep("id")).ainvoke() == {"id": 1}
    assert await make_tool(loopback, response_handler=pass_through).ainvoke() == {"id": 1, "x": 2}


async def test_a_handler_may_be_awaited(loopback: Loopback) -> None:
    async def read_id(data: Any) -> Any:
        await asyncio.sleep(0)
        return data["id"]

    class Reader:
        def __call__(self, data: Any) -> Any:
            return read_id(data)

    loopback.reply({"id": 1})
    assert await make_tool(loopback, response_handler=read_id).ainvoke() == 1
    assert await make_tool(loopback, response_handler=Reader()).ainvoke() == 1


async def test_a_handlers_own_bug_is_its_own(loopback: Loopback) -> None:
    def trim(data: Any) -> Any:
        return data["gone"]

    with pytest.raises(KeyError, match="gone"):
        await make_tool(loopback, response_handler=trim).ainvoke()


async def test_a_large_answer_is_read_whole_while_the_loop_goes_on(loopback: Loopback) -> None:
    rows = [{"id": at, "name": "ä" * 20} for at in range(20_000)]
    loopback.reply(rows)
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    assert await make_tool(loopback).ainvoke() == rows
    counting.cancel()
    assert turns > 100


@pytest.mark.parametrize(
    ("status", "body", "text", "advice"),
    [
        (
            400,
            {"error": {"message": "No such field"}},
            "No such field",
            "Correct the arguments and try again.",
        ),
        (
            403,
            {"message": "Not yours"},
            "Not yours",
            "The credentials lack permission for this; do not retry.",
        ),
        (404, {"detail": "Gone?"}, "Gone?", "Check the identifiers; list or search for the right one."),
        (409, {"errors": ["a", "b"]}, "a; b", "It conflicts with the current state; read that first."),
        (410, {}, "no reason given", "It is gone."),
        (
            412,
            {"message": "Not as it was."},
            "Not as it was.",
            "It has changed since it was read: read it again first.",
        ),
        (
            422,
            {"message": "type and visibility"},
            "type and visibility",
            "Correct the arguments and try again.",
        ),
        (418, {"message": "teapot"}, "teapot", "Do not repeat it unchanged."),
        (500, {"message": "oops"}, "oops", "It is safe to try again."),
    ],
)
async def test_a_failure_says_what_the_api_said_and_what_to_do(
    loopback: Loopback, status: int, body: Any, text: str, advice: str
) -> None:
    loopback.reply(body, status=status, x_request_id="req_7")
    error = await fail(make_tool(loopback))
    assert isinstance(error, APIError)
    assert (error.status_code, error.body, error.request_id) == (status, body, "req_7")
    assert str(error) == f"shop__things_get: {status}: {text}"
    end = "" if text.endswith((".", "?")) else "."
    assert error.for_model() == f"shop__things_get failed ({status}): {text}{end} {advice}".strip()
    assert not error.may_have_taken_effect


@pytest.mark.parametrize(
    ("method", "status", "unclear"),
    [
        ("get", 500, False),
        ("post", 500, True),
        ("post", 503, True),
        ("post", 400, False),
        ("post", 429, False),
        ("post", 300, True),
        ("post", 307, True),
        ("post", 308, True),
        ("get", 308, False),
        ("post", 408, True),
        ("get", 408, False),
        ("post", 499, True),
    ],
)
async def test_what_a_server_gave_up_on_may_have_taken_effect_unless_it_was_a_read(
    loopback: Loopback, method: str, status: int, unclear: bool
) -> None:
    loopback.reply({"message": "oops"}, status=status)
    error = await fail(make_tool(loopback, method))
    assert error.may_have_taken_effect is unclear
    assert ("check before repeating" in error.for_model()) is unclear


async def test_an_error_of_megabytes_is_told_short_and_not_kept(loopback: Loopback) -> None:
    for size, is_kept in ((60_000, True), (3_000_000, False)):
        loopback.reply({"message": "x" * size}, status=400)
        error = await fail(make_tool(loopback))
        assert len(error.for_model()) <= 2_000
        assert len(str(error)) < 2_100
        assert error.for_model().endswith("Correct the arguments and try again.")
        assert "xxx" in str(error)
        assert error.body == ({"message": "x" * size} if is_kept else None)


@pytest.mark.parametrize("status", [429, 503, 403])
async def test_a_wait_the_server_asks_for_is_passed_on(loopback: Loopback, status: int) -> None:
    loopback.reply({"message": "slow down"}, status=status, retry_after="120")
    error = await fail(make_tool(loopback))
    assert error.retry_after == 120
    assert error.for_model().endswith("slow down. Wait 120 seconds before trying again.")


async def test_a_wait_does_not_hide_that_a_write_may_have_taken_effect(loopback: Loopback) -> None:
    loopback.reply({"message": "busy"}, status=503, retry_after="5")
    error = await fail(make_tool(loopback, "post"))
    assert error.may_have_taken_effect
    assert error.for_model().endswith(
        "busy. Wait 5 seconds before trying again. It may have taken effect: check before repeating it."
    )


@pytest.mark.parametrize("body", [{"error": {"message": "Expired"}}, b"", b"<html>", b"\xff"])
async def test_a_401_is_about_the_credentials(loopback: Loopback, body: Any) -> None:
    loopback.reply(body, status=401)
    error = await fail(make_tool(loopback, auth=Bearer("t0ken")))
    assert isinstance(error, CredentialError)
    assert (error.provider, error.status_code, error.reauthorize) == ("shop", 401, True)
    assert error.for_model() == "shop rejected the credentials. Ask the user to renew them; do not retry."


@pytest.mark.parametrize(
    ("location", "told"),
    [
        ("https://other.example/x?token=s3cret#s3cret", "https://other.example/x"),
        ("https://user:s3cret@other.example/", "https://other.example/"),
        ("/elsewhere", "/elsewhere"),
        ("http://[bad", "a place that is no URL"),
        ("", "nowhere"),
        ("javascript:alert(1)", "javascript:alert(1)"),
    ],
)
async def test_a_redirect_is_an_error_that_names_its_target(
    loopback: Loopback, location: str, told: str
) -> None:
    loopback.reply(b"", status=302, location=location)
    error = await fail(make_tool(loopback, auth=Bearer("t0ken")))
    assert str(error) == f"shop__things_get: 302: redirects to {told}, and redirects are off"
    assert len(loopback.asked) == 1


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (b"{broken", "application/json"),
        (b"<!doctype html><p>Sign in", "text/plain"),
        (b"<html>", "text/html"),
    ],
)
async def test_a_write_whose_answer_cannot_be_read_may_have_taken_effect(
    loopback: Loopback, content: bytes, media_type: str
) -> None:
    loopback.reply(content, content_type=media_type)
    error = await fail(make_tool(loopback, "post"))
    assert isinstance(error, TransportError)
    assert error.may_have_taken_effect
    assert str(error).startswith("shop__things_create: the answer (200) is not JSON ")
    assert error.for_model().endswith("It may have taken effect: check before repeating it.")
    error = await fail(make_tool(loopback))
    assert not error.may_have_taken_effect
    assert error.for_model().endswith("It is safe to try again.")


@pytest.mark.parametrize("blank", [b"", b" ", b" \r\n", b"\xef\xbb\xbf\n"])
async def test_json_of_white_space_alone_is_no_content(loopback: Loopback, blank: bytes) -> None:
    loopback.reply(blank, content_type="application/json")
    assert await make_tool(loopback, "post", envelope=Envelope(ok="ok")).ainvoke() == {"status": 200}


# Envelopes


SLACK = Envelope(
    ok="ok", error="error", credential_errors=frozenset({"invalid_auth"}), retry_after="retry_after"
)


async def test_a_failure_inside_a_200_is_a_failure(loopback: Loopback) -> None:
    loopback.reply({"ok": False, "error": "channel_not_found"})
    error = await fail(make_tool(loopback, "post", envelope=SLACK))
    assert isinstance(error, APIError)
    assert (error.status_code, error.body["error"]) == (200, "channel_not_found")
    assert error.may_have_taken_effect
    assert error.for_model() == (
        "shop__things_create failed (200): channel_not_found. It may have taken effect: check before repeating it."
    )
    error = await fail(make_tool(loopback, envelope=SLACK))
    assert not error.may_have_taken_effect
    assert error.for_model().endswith("channel_not_found. It is safe to try again.")


async def test_bad_credentials_inside_a_200_are_bad_credentials(loopback: Loopback) -> None:
    loopback.reply({"ok": False, "error": "invalid_auth"})
    assert isinstance(await fail(make_tool(loopback, envelope=SLACK)), CredentialError)


@pytest.mark.parametrize(
    ("inside", "header", "wait"),
    [
        (30, None, 30),
        (None, "7", 7),
        (30, "7", 30),
        ("30s", None, 30),
        (-5, "7", 7),
        ("soon", None, None),
        (int("9" * 400), None, None),
    ],
)
async def test_a_wait_inside_a_200_is_passed_on(
    loopback: Loopback, inside: Any, header: str | None, wait: int | None
) -> None:
    headers = {"retry_after": header} if header else {}
    loopback.reply({"ok": False, "error": "ratelimited", "retry_after": inside}, **headers)
    assert (await fail(make_tool(loopback, envelope=SLACK))).retry_after == wait


async def test_partial_data_is_kept_with_its_errors(loopback: Loopback) -> None:
    graphql = Envelope(error="errors", data="data")
    body = {"data": {"issue": {"id": 1}, "team": None}, "errors": [{"message": "Too deep", "path": ["team"]}]}
    loopback.reply(body)
    assert await make_tool(loopback, "post", envelope=graphql).ainvoke() == body
    loopback.reply({"data": {"issue": {"id": 1}}})
    assert await make_tool(loopback, "post", envelope=graphql).ainvoke() == {"issue": {"id": 1}}
    loopback.reply({"data": None, "errors": [{"message": "Syntax"}]})
    assert "Syntax" in str(await fail(make_tool(loopback, "post", envelope=graphql)))


async def test_a_tools_envelope_goes_before_the_apis(loopback: Loopback) -> None:
    loopback.reply({"ok": True, "failed": "yes"})
    assert await make_tool(loopback, envelope=SLACK).ainvoke() == {"ok": True, "failed": "yes"}
    api = Api("shop", base_url=loopback.url, envelope=SLACK)
    tool = api.get("things/{id}", ThingsGet, envelope=Envelope(error="failed"))
    assert "yes" in str(await fail(tool))


async def test_a_tool_turns_its_apis_envelope_off(loopback: Loopback) -> None:
    loopback.reply({"ok": False, "error": "none"})
    api = Api("shop", base_url=loopback.url, envelope=SLACK)
    tool = api.get("things/{id}", ThingsGet, envelope=Envelope(error=()))
    assert await tool.ainvoke() == {"ok": False, "error": "none"}


@pytest.mark.parametrize("envelope", [SLACK, Envelope(error="error", data="result")])
@pytest.mark.parametrize(
    ("body", "media_type", "result"),
    [
        (b"Service down", "text/plain", {"text": "Service down"}),
        (b"\x89PNG", "image/png", {"base64": "iVBORw==", "media_type": "image/png", "bytes": 4}),
        (b"[]", "application/json", []),
        (b'["a"]', "application/json", ["a"]),
        (b"5", "application/json", 5),
        (b'"done"', "application/json", "done"),
    ],
)
async def test_an_envelope_judges_json_objects_alone(
    loopback: Loopback, envelope: Envelope, body: bytes, media_type: str, result: Any
) -> None:
    loopback.reply(body, content_type=media_type)
    assert await make_tool(loopback, "post", envelope=envelope).ainvoke() == result


# Arguments


@pytest.mark.parametrize("arguments", [None, {}, "{}", b"{}", '{"id": "y"}', {"id": "y"}])
async def test_arguments_are_a_mapping_or_its_json(loopback: Loopback, arguments: Any) -> None:
    await make_tool(loopback).ainvoke(arguments)
    assert loopback.asked[0].path == ("/things/y" if arguments and "y" in str(arguments) else "/things/x")


@pytest.mark.parametrize("arguments", [None, {"id": "z"}, '{"id": "z"}', {"id": "z", "trace": "no"}])
async def test_keyword_arguments_add_to_them(loopback: Loopback, arguments: Any) -> None:
    await make_tool(loopback).ainvoke(arguments, id="y", trace="yes")
    assert (loopback.asked[0].path, loopback.asked[0].header("x-trace")) == ("/things/y", "yes")


@pytest.mark.parametrize("arguments", ["{", "[]", "null!", "7", [], 7, [{"id": "x"}], '"x"'])
@pytest.mark.parametrize("more", [{}, {"id": "y"}])
async def test_arguments_that_are_no_object_are_refused(
    loopback: Loopback, arguments: Any, more: Any
) -> None:
    with pytest.raises(ToolValidationError, match=r"^shop__things_get: arguments must be an object, got "):
        await make_tool(loopback).ainvoke(arguments, **more)
    assert loopback.asked == []


class Odd:
    """Credentials of a user's own making."""

    header_names = frozenset[str]()

    async def credentials(self, provider: str) -> Credentials:
        return Credentials()


async def test_any_object_that_gives_credentials_will_do(loopback: Loopback) -> None:
    await make_tool(loopback, auth=Odd()).ainvoke()
    assert loopback.asked[0].header("authorization") is None


async def test_a_call_logs_nothing_of_its_own(loopback: Loopback, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="charter"):
        await make_tool(loopback, auth=Bearer("s3cret-token")).ainvoke()
    assert [record for record in caplog.records if record.name.startswith("charter")] == []


# Arguments that stay here


class TextsGet(BaseModel):
    """Read a text, from a character on."""

    id: str
    start: Annotated[int | None, Unsent()] = None


def read_from(answer: Any, arguments: TextsGet) -> Any:
    return answer["text"][arguments.start or 0 :]


@pytest.mark.parametrize(
    ("arguments", "read"), [({}, "abcdef"), ({"start": 4}, "ef"), ({"start": "4"}, "ef")]
)
async def test_an_unsent_argument_reaches_the_handler_and_no_request(
    loopback: Loopback, arguments: dict[str, Any], read: str
) -> None:
    loopback.reply({"text": "abcdef"})
    tool = Api("texts", base_url=loopback.url).get("texts/{id}", TextsGet, response_handler=read_from)
    assert await tool.ainvoke(arguments, id="t") == read
    [asked] = loopback.asked
    assert (asked.path, asked.query, asked.body) == ("/texts/t", "", b"")


# Much of anything: counted first, then refused or done off the event loop


class Leaf(BaseModel):
    kind: Literal["leaf"]
    value: int


class Branch(BaseModel):
    kind: Literal["branch"]
    twigs: "list[Branch | Leaf]" = []


class MuchCreate(BaseModel):
    """Make much of something."""

    numbers: list[int] = []
    text: str = ""
    options: dict[str, Any] = {}
    tree: Branch | Leaf | None = None


MUCH: dict[str, tuple[dict[str, Any] | str, bool]] = {
    "9,000 numbers": ({"numbers": list(range(9_000))}, True),
    "9,000 wrong items": ({"numbers": ["x"] * 9_000}, False),
    "9,000 unknown keys": ({f"key{at}": at for at in range(9_000)}, False),
    "9,000 members": ({"options": {f"key{at}": at for at in range(9_000)}}, True),
    "3,000 leaves of a union": (
        {"tree": {"kind": "branch", "twigs": [{"kind": "leaf", "value": 1}] * 3_000}},
        True,
    ),
    "3,000 leaves that fit no option": (
        {"tree": {"kind": "branch", "twigs": [{"kind": "thorn"}] * 3_000}},
        False,
    ),
    "1 MB of text": ({"text": "x" * 1_000_000}, True),
    "1 MB of JSON": (json.dumps({"text": "\n" * 500_000}), True),
    "1 MB of JSON inside a text": (
        {"tree": json.dumps({"kind": "leaf", "value": 1}) + " " * 1_000_000},
        True,
    ),
    "a small call": ({"numbers": [1]}, True),
}
TOO_MUCH: dict[str, dict[str, Any] | str] = {
    "10^6 wrong items": {"numbers": ["x"] * 1_000_000},
    "10^6 unknown keys": {str(at): at for at in range(1_000_000)},
    "33,000 leaves of a union": {
        "tree": {"kind": "branch", "twigs": [{"kind": "leaf", "value": 1}] * 33_000}
    },
    "1 MB of JSON numbers": json.dumps({"numbers": [1] * 330_000}),
}
ANSWERED = {
    "a list of numbers": list(range(150_000)),
    "small objects": [{"id": at, "name": "x"} for at in range(30_000)],
    "lists of lists": [[at] for at in range(100_000)],
    "one map": {f"key{at}": at for at in range(60_000)},
    "one long text": "x" * 1_000_000,
}


class Threads:
    """Where pieces of work were done: `True` for the event loop's own thread."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.on_loop: dict[str, bool] = {}
        self._loop_thread = threading.get_ident()
        for name in ("validate_received", "build_request", "read_answer"):
            monkeypatch.setattr(charter.call, name, self.watch(name, getattr(charter.call, name)))

    def watch(self, name: str, work: Any) -> Any:
        def watched(*args: Any) -> Any:
            self.on_loop[name] = threading.get_ident() == self._loop_thread
            return work(*args)

        return watched


@pytest.mark.parametrize(("arguments", "is_valid"), MUCH.values(), ids=MUCH)
async def test_large_arguments_are_worked_on_in_a_thread(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch, arguments: Any, is_valid: bool
) -> None:
    threads = Threads(monkeypatch)
    tool = Api("shop", base_url=loopback.url).post("much", MuchCreate)
    on_loop = arguments == {"numbers": [1]}
    if is_valid:
        await tool.ainvoke(arguments)
        assert threads.on_loop["build_request"] is on_loop
    else:
        assert isinstance(await fail(tool, arguments), ToolValidationError)
    assert threads.on_loop["validate_received"] is on_loop


@pytest.mark.parametrize("arguments", TOO_MUCH.values(), ids=TOO_MUCH)
async def test_more_than_a_call_may_hold_is_refused_before_any_work(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch, arguments: Any
) -> None:
    threads = Threads(monkeypatch)
    error = await fail(Api("shop", base_url=loopback.url).post("much", MuchCreate), arguments)
    assert isinstance(error, ToolValidationError)
    assert "more than 10,000 values" in error.for_model()
    assert threads.on_loop == {}
    assert loopback.asked == []


@pytest.mark.parametrize("body", [*ANSWERED.values(), {"id": 1}], ids=[*ANSWERED, "a small answer"])
async def test_large_answers_are_read_and_handled_in_a_thread(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch, body: Any
) -> None:
    threads = Threads(monkeypatch)
    loopback.reply(body)
    tool = make_tool(loopback, response_handler=threads.watch("handler", lambda answer: answer))
    assert await tool.ainvoke() == body
    on_loop = body == {"id": 1}
    assert (threads.on_loop["read_answer"], threads.on_loop["handler"]) == (on_loop, on_loop)


async def test_an_answer_of_too_many_lists_and_objects_is_refused_until_its_api_takes_more(
    loopback: Loopback,
) -> None:
    body = [[at] for at in range(150_000)]
    loopback.reply(body)
    error = await fail(make_tool(loopback))
    assert "JSON of more than 104,857 lists and objects; ask for less or raise max_bytes=" in str(error)
    assert await make_tool(loopback, max_bytes=20_000_000).ainvoke() == body


@pytest.mark.parametrize("size", [1, 1_000])
@pytest.mark.parametrize("kind", [TimeoutError, ValueError])
async def test_what_a_handler_raises_comes_out_as_it_is_from_any_thread(
    loopback: Loopback, kind: type[Exception], size: int
) -> None:
    def handle(_answer: Any) -> Any:
        raise kind("mine")

    loopback.reply(["x" * 100] * size)
    with pytest.raises(kind, match="^mine$"):
        await make_tool(loopback, response_handler=handle).ainvoke()


class SlowCreate(BaseModel):
    """Make something that takes its time to be looked at."""

    text: str

    released: ClassVar = threading.Event()

    @field_validator("text")
    @classmethod
    def _wait(cls, text: str) -> str:
        cls.released.wait(20)
        return text


async def test_the_deadline_holds_while_arguments_are_worked_on(loopback: Loopback) -> None:
    tool = Api("shop", base_url=loopback.url, timeout=0.2).post("things", SlowCreate)
    try:
        error = await fail(tool, {"text": "x" * 100_000})
    finally:
        SlowCreate.released.set()
    assert isinstance(error, TransportError)
    assert not error.may_have_taken_effect
    assert str(error).startswith("shop__slow_create: the request was not built within 0.2 s.")
    assert error.for_model() == (
        "shop__slow_create: the request was not built in time; send less. It is safe to try again."
    )
    assert loopback.asked == []


@pytest.mark.parametrize(("method", "unclear"), [("get", False), ("post", True)])
async def test_the_deadline_holds_while_an_answer_is_worked_on(
    loopback: Loopback, method: str, unclear: bool
) -> None:
    released = threading.Event()
    loopback.reply(["x" * 100] * 1_000)
    tool = make_tool(loopback, method, timeout=2, response_handler=lambda _answer: released.wait(20))
    try:
        error = await fail(tool)
    finally:
        released.set()
    assert isinstance(error, TransportError)
    assert error.may_have_taken_effect is unclear
    assert ": the answer was not read within 2 s. Raise timeout= or ask for less." in str(error)
    assert ("check before repeating" in error.for_model()) is unclear


@pytest.mark.parametrize("more", [{}, {"trace": "yes"}])
async def test_an_instance_of_the_args_class_is_taken(loopback: Loopback, more: dict[str, str]) -> None:
    await make_tool(loopback).ainvoke(ThingsGet(id="y"), **more)
    assert (loopback.asked[0].path, loopback.asked[0].header("x-trace")) == ("/things/y", more.get("trace"))
