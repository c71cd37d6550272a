"""Records: what `on_call` is told of each call."""

import asyncio
import logging
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, field_validator

from charter import Api, ApiKey, Bearer, CallRecord, CharterError, Envelope, Format, Tool, ToolSession
from tests.counterparties.loopback import Loopback
from tests.faults.calls import find_closed_port

pytestmark = pytest.mark.anyio


def fail(_: Any) -> Any:
    raise KeyError("a bug of the author's")


class ThingsCreate(BaseModel):
    """Make a thing."""

    name: str
    other: str | None = None

    @field_validator("other")
    @classmethod
    def check(cls, value: str) -> str:
        if value == "bug":
            raise LookupError("a bug of the author's")
        return value


class Records(list[CallRecord]):
    """The records of one tool."""

    def tool(self, url: str, **options: Any) -> Tool:
        api_options = {name: options.pop(name) for name in ("auth", "timeout") if name in options}
        return Api("shop", base_url=url, **api_options).post(
            "things", ThingsCreate, on_call=self.append, **options
        )

    async def of(self, tool: Tool, arguments: dict[str, Any], **options: Any) -> CallRecord:
        """Return the one record of a call, whatever comes of it."""
        self.clear()
        try:
            await tool.ainvoke(arguments, **options)
        except Exception as error:
            assert len(self) == 1, error
        [record] = self
        return record


async def test_a_good_call_is_recorded_whole(loopback: Loopback) -> None:
    loopback.reply({"id": "th_1"}, status=201)
    records = Records()
    record = await records.of(records.tool(loopback.url), {"name": "tea"})
    assert (record.tool, record.outcome, record.method, record.status) == (
        "shop__things_create",
        "ok",
        "POST",
        201,
    )
    assert (record.url, record.request_body) == (loopback.url + "things", b'{"name":"tea"}')
    assert (record.path, record.query) == ({}, [])
    assert record.received_bytes == len(b'{"id": "th_1"}')
    assert 0 < record.build_seconds < record.seconds


@pytest.mark.parametrize(
    ("status", "answer", "outcome"),
    [
        (404, {"message": "No."}, "api_error"),
        (500, b"oops", "api_error"),
        (302, b"", "api_error"),
        (401, {"message": "Who?"}, "credential_error"),
        (200, b"{", "transport_error"),
        (200, {"ok": False, "error": "no_such_thing"}, "api_error"),
    ],
)
async def test_a_failure_is_recorded_by_its_code(
    loopback: Loopback, status: int, answer: Any, outcome: str
) -> None:
    loopback.reply(answer, status=status, content_type="application/json")
    records = Records()
    record = await records.of(records.tool(loopback.url, envelope=Envelope(ok="ok")), {"name": "tea"})
    assert (record.outcome, record.status) == (outcome, status)


def refuse(_: Any) -> Any:
    raise ValueError("cannot be")


class Formatted(BaseModel):
    """Make a thing."""

    name: Annotated[str, Format(refuse)]


async def test_what_was_never_sent_is_recorded_too(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOP_KEY", raising=False)
    records = Records()
    cases = [
        (records.tool(loopback.url), {}, "validation_error"),
        (records.tool(loopback.url, auth=Bearer(env="SHOP_KEY")), {"name": "tea"}, "credential_error"),
        (
            Api("shop", base_url=loopback.url).post("things", Formatted, on_call=records.append),
            {"name": "tea"},
            "transform_error",
        ),
    ]
    for tool, arguments, outcome in cases:
        record = await records.of(tool, arguments)
        assert (record.outcome, record.status, record.received_bytes) == (outcome, None, 0)
    assert loopback.asked == []


async def test_a_call_without_an_answer_is_recorded_without_a_status() -> None:
    records = Records()
    record = await records.of(records.tool(f"http://127.0.0.1:{find_closed_port()}"), {"name": "tea"})
    assert (record.outcome, record.status) == ("transport_error", None)
    assert record.url.endswith("/things")


@pytest.mark.parametrize(("options", "arguments"), [({"response_handler": fail}, {}), ({}, {"other": "bug"})])
async def test_an_authors_own_bug_is_an_error_and_no_transport_error(
    loopback: Loopback, options: Any, arguments: Any
) -> None:
    records = Records()
    tool = records.tool(loopback.url, **options)
    with pytest.raises(LookupError, match="a bug of the author's"):
        await tool.ainvoke({"name": "tea", **arguments})
    assert [record.outcome for record in records] == ["error"]


async def test_a_cancelled_call_is_recorded(loopback: Loopback) -> None:
    records = Records()
    loopback.hold()
    task = asyncio.create_task(records.tool(loopback.url).ainvoke({"name": "tea"}))
    await asyncio.to_thread(loopback.arrived.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    loopback.release()
    assert [record.outcome for record in records] == ["cancelled"]


async def test_a_record_holds_no_credential(loopback: Loopback) -> None:
    records = Records()
    for auth in (Bearer("s3cret-token"), ApiKey("s3cret-token", query="key")):
        record = await records.of(records.tool(loopback.url, auth=auth), {"name": "tea"})
        told = repr([getattr(record, name) for name in CallRecord.__slots__])
        assert "s3cret" not in told
    assert loopback.asked[1].query == "key=s3cret-token"


class ThingsGet(BaseModel):
    """Read a thing."""

    owner: str
    thing: int
    expand: list[str] = []


async def test_the_url_is_the_same_for_every_call_and_what_fills_it_is_apart(loopback: Loopback) -> None:
    told: list[CallRecord] = []
    api = Api("shop", base_url=loopback.url, auth=ApiKey("s3cret-token", query="key"))
    tool = api.get("owners/{owner}/things/{thing}", ThingsGet, on_call=told.append)
    await tool.ainvoke(owner="a/b@example.com", thing=7, expand=["x y", "&"])
    with pytest.raises(CharterError):
        await tool.ainvoke(owner="", thing=8)
    assert [record.url for record in told] == [f"{loopback.url}owners/{{owner}}/things/{{thing}}"] * 2
    assert told[0].path == {"owner": "a/b@example.com", "thing": "7"}
    assert told[0].query == [("expand", "x y"), ("expand", "&")]
    assert "example.com" not in repr(told[0])


async def test_a_call_is_told_to_the_tool_the_api_and_the_session_in_this_order(loopback: Loopback) -> None:
    told: list[tuple[str, str]] = []

    def tell(who: str) -> Any:
        return lambda record: told.append((who, record.tool))

    api = Api("shop", base_url=loopback.url, on_call=tell("api"))
    things_create = api.post("things", ThingsCreate, on_call=tell("tool"))
    session = ToolSession([things_create], progressive=False, on_call=tell("session"))
    await session.dispatch("shop__things_create", {"name": "tea"})
    assert told == [(who, "shop__things_create") for who in ("tool", "api", "session")]
    told.clear()
    api.configure(on_call=tell("configured"))
    await session.fork().dispatch("shop__things_create", {"name": "tea"})
    await things_create.ainvoke({"name": "tea"})
    assert [who for who, _ in told] == ["tool", "configured", "session", "tool", "configured"]


async def test_sessions_side_by_side_hear_of_their_own_calls_alone(loopback: Loopback) -> None:
    tool = Api("shop", base_url=loopback.url).post("things", ThingsCreate)
    heard: list[list[CallRecord]] = [[], []]
    sessions = [ToolSession([tool], progressive=False, on_call=one.append) for one in heard]
    calls = [one.dispatch("shop__things_create", {"name": "tea"}) for one in (*sessions, sessions[0])]
    await asyncio.gather(*calls)
    assert [len(one) for one in heard] == [2, 1]


async def test_an_on_call_that_fails_is_logged_and_changes_nothing(
    loopback: Loopback, caplog: pytest.LogCaptureFixture
) -> None:
    tool = Api("shop", base_url=loopback.url).post("things", ThingsCreate, on_call=fail)
    with caplog.at_level(logging.ERROR, logger="charter"):
        assert await tool.ainvoke({"name": "tea"}) == {}
        with pytest.raises(CharterError):
            await tool.ainvoke({})
    assert [record.message for record in caplog.records] == ["shop__things_create: on_call failed"] * 2
