"""What a tool reads of its own API before it writes: what is sent, in which order, on whose behalf."""

import asyncio
import pickle
from typing import Annotated, Any

import httpx2
import pytest
from pydantic import BaseModel

from charter import (
    Api,
    APIError,
    Bearer,
    CallRecord,
    CredentialError,
    DeclarationError,
    Format,
    Found,
    Mode,
    Reader,
    ReadsFirst,
    Tool,
    ToolSession,
    ToolValidationError,
    TransportError,
    Unsent,
    egress_map,
    keep,
)
from charter.egress import render_egress
from tests.counterparties.loopback import Asked, Loopback, Reply

pytestmark = pytest.mark.anyio


class GuestsGet(BaseModel):
    """Read who comes."""

    event: str
    page: int | None = None


class GuestsAdd(BaseModel):
    """Invite somebody beside those who come."""

    event: str
    guests: list[str] | None = None
    add: Annotated[str | None, Unsent()] = None
    note: Annotated[str | None, Mode("pro")] = None


async def add_guest(arguments: GuestsAdd, read: Reader) -> GuestsAdd:
    if arguments.add is None:
        return arguments
    event = await read(guests_get, event=arguments.event)
    return arguments.model_copy(update={"guests": [*event["guests"], arguments.add]})


async def add_guest_anyhow(arguments: GuestsAdd, read: Reader) -> Any:
    if arguments.add == "nobody":
        return Found({"guests": [], "seen": True})
    return {"of no class": 1} if arguments.add == "wrong" else arguments


async def read_undeclared(arguments: GuestsAdd, read: Reader) -> Any:
    return await read(guests_list, event="e")


async def read_once_then_wait(arguments: GuestsAdd, read: Reader) -> Any:
    await read(guests_get, event="e")
    return await read(guests_get, event="slow")


api = Api("party", base_url="https://api.example.com/", auth=Bearer("t0ken"))
guests_get = api.get("events/{event}", GuestsGet, response_handler=keep("id"))
guests_list = api.get("lists/{event}", GuestsGet, name="guests_list")
guests_add = api.put("events/{event}", GuestsAdd, reads_first=ReadsFirst(add_guest, guests_get))

EVENT = {"id": "e", "guests": ["ann", "bob"], "more": "x" * 1000}


@pytest.fixture
def party(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Loopback:
    monkeypatch.setattr(api, "base_url", loopback.url)
    monkeypatch.setattr(api, "auth", Bearer("t0ken"))
    loopback.answer = lambda asked: Reply(EVENT if asked.method == "GET" else {"ok": True})
    return loopback


def asked_of(loopback: Loopback) -> list[tuple[str, str]]:
    return [(asked.method, asked.path) for asked in loopback.asked]


async def test_a_tool_reads_before_its_request_is_built(party: Loopback) -> None:
    assert await guests_add.ainvoke(event="e", add="cid") == {"ok": True}
    assert asked_of(party) == [("GET", "/events/e"), ("PUT", "/events/e")]
    assert party.asked[1].json == {
        "guests": ["ann", "bob", "cid"]
    }  # of the whole answer, which the handler would have cut


async def test_a_tool_that_needs_no_reading_sends_one_request(party: Loopback) -> None:
    await guests_add.ainvoke(event="e", guests=["dan"])
    assert asked_of(party) == [("PUT", "/events/e")]


async def test_a_read_has_the_calls_credentials_headers_and_client(party: Loopback) -> None:
    hosts: list[str] = []

    async def note(request: Any) -> None:
        hosts.append(request.method)

    async with httpx2.AsyncClient(event_hooks={"request": [note]}) as client:
        await guests_add.ainvoke(event="e", add="cid", headers={"X-Host": "h"}, client=client)
    assert hosts == ["GET", "PUT"]
    for asked in party.asked:
        assert (asked.header("authorization"), asked.header("x-host")) == ("Bearer t0ken", "h")


async def test_arguments_are_validated_before_anything_is_read(party: Loopback) -> None:
    with pytest.raises(ToolValidationError):
        await guests_add.ainvoke(event="e", add=["cid"])
    assert party.asked == []


async def test_a_read_that_fails_is_the_calls_failure_and_nothing_is_written(party: Loopback) -> None:
    party.answer = lambda _: Reply({"error": "no such event"}, 404)
    with pytest.raises(APIError) as caught:
        await guests_add.ainvoke(event="e", add="cid")
    assert asked_of(party) == [("GET", "/events/e")]
    assert "party__guests_get" in caught.value.for_model()
    assert not caught.value.may_have_taken_effect


async def test_without_credentials_nothing_is_read(party: Loopback) -> None:
    api.auth = Bearer(env="NO_SUCH_TOKEN_ANYWHERE")
    with pytest.raises(CredentialError):
        await guests_add.ainvoke(event="e", add="cid")
    assert party.asked == []


async def test_reads_and_write_share_one_deadline(party: Loopback) -> None:
    tool = api.put(
        "events/{event}",
        GuestsAdd,
        name="slow",
        timeout=0.3,
        reads_first=ReadsFirst(read_once_then_wait, guests_get),
    )

    def answer(_: Asked) -> Reply:
        party.hold()  # the next one
        return Reply(EVENT)

    party.answer = answer
    with pytest.raises(TransportError, match=r"no complete answer within 0\.3 s"):
        await tool.ainvoke(event="e")
    party.release()
    assert {asked.method for asked in party.asked} == {"GET"}


async def test_a_read_larger_than_its_apis_cap_is_refused(
    party: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "max_bytes", 500)
    with pytest.raises(TransportError, match="larger than 500 bytes"):
        await guests_add.ainvoke(event="e", add="cid")
    assert asked_of(party) == [("GET", "/events/e")]


async def test_each_read_has_a_record_of_its_own(party: Loopback) -> None:
    records: list[CallRecord] = []
    tool = api.put(
        "events/{event}",
        GuestsAdd,
        name="watched",
        on_call=records.append,
        reads_first=ReadsFirst(add_guest, guests_get),
    )
    await tool.ainvoke(event="e", add="cid")
    read, write = records
    assert (read.tool, read.method, read.outcome) == ("party__guests_get", "GET", "ok")
    assert (write.tool, write.method, write.outcome) == ("party__watched", "PUT", "ok")
    assert write.seconds >= read.seconds > write.build_seconds >= 0
    party.answer = lambda _: Reply({}, 500)
    with pytest.raises(APIError):
        await tool.ainvoke(event="e", add="cid")
    assert [(record.tool, record.outcome, record.status) for record in records[2:]] == [
        ("party__guests_get", "api_error", 500),
        ("party__watched", "api_error", None),
    ]


async def test_what_is_found_already_is_the_answer(party: Loopback) -> None:
    tool = api.put(
        "events/{event}",
        GuestsAdd,
        name="anyhow",
        reads_first=ReadsFirst(add_guest_anyhow, guests_get),
        response_handler=keep("seen"),
    )
    assert await tool.ainvoke(event="e", add="nobody") == {"seen": True}
    assert party.asked == []
    with pytest.raises(TypeError, match="returned dict"):
        await tool.ainvoke(event="e", add="wrong")


async def test_only_tools_that_are_named_can_be_read(party: Loopback) -> None:
    tool = api.put(
        "events/{event}", GuestsAdd, name="sly", reads_first=ReadsFirst(read_undeclared, guests_get)
    )
    with pytest.raises(DeclarationError, match="party__guests_list"):
        await tool.ainvoke(event="e")
    assert party.asked == []


async def test_derived_tools_modes_sessions_and_copies_read_first_too(party: Loopback) -> None:
    derived = guests_add.derived(name="guests_add_cid", pin={"add": "cid"}, drop=["guests"])
    copied: Tool = pickle.loads(pickle.dumps(guests_add))
    copied.api.base_url, copied.api.auth = party.url, Bearer("t0ken")
    for tool, given in (
        (derived, {}),
        (guests_add.with_mode("pro"), {"add": "cid"}),
        (copied, {"add": "cid"}),
    ):
        party.asked.clear()
        await ToolSession([tool], progressive=False).dispatch(tool.qualified_name, {"event": "e", **given})
        assert [asked.method for asked in party.asked] == ["GET", "PUT"]
        assert b"cid" in party.asked[1].body


def test_a_sync_call_reads_first_too(party: Loopback) -> None:
    guests_add.invoke(event="e", add="cid")
    assert asked_of(party) == [("GET", "/events/e"), ("PUT", "/events/e")]


class NotesPut(BaseModel):
    """Write a note."""

    event: str
    note: Annotated[str, Format(lambda text: f"{text} off the loop" if not is_in_loop() else text)]


def is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def add_note(arguments: NotesPut, read: Reader) -> NotesPut:
    event = await read(guests_get, event=arguments.event)
    return arguments.model_copy(update={"note": event["id"]})


async def test_a_body_made_of_what_was_read_is_built_off_the_event_loop(party: Loopback) -> None:
    tool = api.put("notes/{event}", NotesPut, reads_first=ReadsFirst(add_note, guests_get))
    await tool.ainvoke(event="e", note="x")
    assert party.asked[1].json == {"note": "e off the loop"}


def test_the_egress_map_tells_what_is_read_first() -> None:
    mapped = egress_map([guests_add, guests_get])
    assert mapped["party__guests_add"]["reads_first"] == ["party__guests_get"]
    assert "reads_first" not in mapped["party__guests_get"]
    assert "  reads party__guests_get first\n" in render_egress(mapped)


async def write_nothing(arguments: GuestsAdd, read: Reader) -> GuestsAdd:
    del read
    return arguments


@pytest.mark.parametrize(
    ("reads_first", "problem"),
    [
        (lambda: ReadsFirst(lambda arguments, read: arguments, guests_get), "no async function"),
        (lambda: write_nothing, "reads_first"),
        (lambda: ReadsFirst(write_nothing), "names no tool"),
        (lambda: ReadsFirst(write_nothing, guests_add), "party__guests_add is no read"),
        (
            lambda: ReadsFirst(
                write_nothing, Api("b", base_url="https://b.example.com").get("x/{event}", GuestsGet)
            ),
            "of another Api",
        ),
    ],
)
def test_what_cannot_be_read_first_is_refused_at_declaration(reads_first: Any, problem: str) -> None:
    with pytest.raises(DeclarationError, match=problem):
        api.put("events/{event}", GuestsAdd, name="wrong", reads_first=reads_first())
