"""A session: what it shows, loads, refuses, keeps and gives back."""

import asyncio
import copy
import json
import os
import pickle
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from charter import DeclarationError, Tool, ToolSession, ToolValidationError
from charter.discovery.index import Index
from charter.discovery.session import as_session
from tests.discovery.samples import NAMES, Plain, make_tool, make_tools

pytestmark = pytest.mark.anyio

TOOLS = make_tools()
ALL = [f"{pack}__{name}" for pack, names in NAMES.items() for name in names.split()]


def render(session: ToolSession) -> list[str]:
    """Return what is sent for each tool, as bytes would be."""
    return [json.dumps([tool.name, tool.description, tool.parameters]) for tool in session.definitions()]


def test_the_first_turn_is_tool_search_alone_and_it_lists_every_tool() -> None:
    session = ToolSession(TOOLS)
    assert list(session.visible()) == ["ToolSearch"]
    listed = session.definitions()[0].description.split("Tools:\n")[1].split("\n")
    assert listed == sorted(ALL)
    assert list(session.tools) == ALL


def test_loaded_tools_follow_in_load_order() -> None:
    session = ToolSession(TOOLS)
    session.search("select:stripe__refunds_create")
    session.search("select:gmail__drafts_get")
    assert list(session.visible()) == ["ToolSearch", "stripe__refunds_create", "gmail__drafts_get"]
    assert session.loaded == ["stripe__refunds_create", "gmail__drafts_get"]
    assert session.visible()["gmail__drafts_get"] is TOOLS[1]


_queries = st.lists(
    st.sampled_from(ALL).map("select:{}".format)
    | st.sampled_from(["refunds", "+stripe list; send", "nothing", "select:x", ""]),
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(
    _queries, st.sampled_from([(), ("stripe__refunds_list",), ("gmail__labels_list", "gmail__drafts_get")])
)
def test_each_turn_begins_with_the_turn_before(queries: list[str], resident: Sequence[str]) -> None:
    session = ToolSession(TOOLS, resident=resident)
    before = render(session)
    for query in queries:
        session.search(query)
        after = render(session)
        assert after[: len(before)] == before
        before = after
    assert [tool.name for tool in session.definitions()] == list(session.visible())


def test_tool_search_stays_the_same_when_everything_is_loaded() -> None:
    session = ToolSession(TOOLS)
    first = render(session)
    session.search(f"select:{','.join(ALL)}")
    assert render(session)[:1] == first
    assert session.loaded == ALL


def test_select_is_never_truncated() -> None:
    session = ToolSession(TOOLS)
    assert session.search(f"select:{','.join(ALL)}", 1)["loaded"] == ALL


def test_every_tool_is_deferred_however_small_unless_told() -> None:
    tiny = Plain("shop", "buy")
    assert list(ToolSession([tiny]).visible()) == ["ToolSearch"]


def test_small_tools_are_resident_under_a_threshold_and_the_rest_is_listed() -> None:
    small, large = Plain("shop", "buy"), make_tool("shop", "sell")
    session = ToolSession([large, small], threshold=12)
    assert list(session.visible()) == ["shop__buy", "ToolSearch"]
    assert session.definitions()[1].description.endswith("Tools:\nshop__sell")


def test_resident_tools_come_first_in_the_order_of_the_tools() -> None:
    session = ToolSession(TOOLS, resident={"stripe__refunds_create", "gmail__messages_list"})
    assert list(session.visible()) == ["gmail__messages_list", "stripe__refunds_create", "ToolSearch"]
    session.search("select:stripe__refunds_create,stripe__refunds_list")
    assert session.loaded == ["stripe__refunds_list"]


def test_one_resident_may_be_given_as_text() -> None:
    assert next(iter(ToolSession(TOOLS, resident="gmail__messages_list").visible())) == "gmail__messages_list"


def test_without_progress_every_schema_is_sent_and_no_search_offered() -> None:
    session = ToolSession(TOOLS, progressive=False)
    assert list(session.visible()) == ALL


@pytest.mark.parametrize("options", [{}, {"progressive": False}])
def test_no_tools_are_no_tools(options: Any) -> None:
    assert ToolSession([], **options).visible() == {}


def test_where_everything_is_resident_there_is_nothing_to_search() -> None:
    session = ToolSession(TOOLS, resident=ALL)
    assert list(session.visible()) == ALL
    assert not session.searchable


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": -1},
        {"threshold": True},
        {"threshold": "5"},
        {"budget": -1},
        {"budget": 0.5},
        {"mode": ""},
        {"mode": "disabled"},
        {"mode": 5},
        {"progressive": "yes"},
        {"resident": 5},
        {"listing": "everything"},
        {"resident": ["shop__nothing"]},
        {"search": "fuzzy"},
    ],
)
def test_options_that_make_no_sense_are_refused_at_once(options: Any) -> None:
    with pytest.raises(DeclarationError):
        ToolSession(TOOLS, **options)


def test_the_form_of_the_listing_can_be_chosen() -> None:
    def listed(form: str) -> str:
        return ToolSession(TOOLS, listing=form).definitions()[0].description

    assert "gmail: drafts_{create,get,send}" in listed("folded")
    assert listed("packs_alone").endswith("gmail, stripe")


async def test_a_tool_that_is_not_loaded_is_absent_and_calling_it_says_how_to_load_it() -> None:
    session = ToolSession(TOOLS)
    with pytest.raises(ToolValidationError) as refused:
        await session.dispatch("stripe__refunds_create", {"id": "x"})
    assert "select:stripe__refunds_create" in refused.value.for_model()
    session.search("select:stripe__refunds_create")
    with pytest.raises(ToolValidationError, match="id"):
        await session.dispatch("stripe__refunds_create", {})


@pytest.mark.parametrize(
    ("progressive", "name"), [(True, "stripe__refund_create"), (False, "refunds_create")]
)
async def test_an_unknown_name_gets_close_names_and_not_the_whole_list(progressive: bool, name: str) -> None:
    session = ToolSession(TOOLS, progressive=progressive)
    with pytest.raises(ToolValidationError) as refused:
        await session.dispatch(name, {})
    text = refused.value.for_model()
    assert "stripe__refunds_create" in text
    assert sum(known in text for known in ALL) <= 3
    assert ("ToolSearch" in text) == progressive


@pytest.mark.parametrize(
    "name", ["", "x" * 100_000, "\ud800", "ToolSearch2", "mcp__charter__stripe__refunds_create"]
)
async def test_no_name_gets_anything_but_a_short_refusal(name: str) -> None:
    with pytest.raises(ToolValidationError) as refused:
        await ToolSession(TOOLS).dispatch(name)
    refused.value.for_model().encode()
    assert len(refused.value.for_model()) < 500


async def test_dispatch_passes_arguments_and_the_hosts_client_through() -> None:
    tool, client = Plain("shop", "buy", result={"ok": True}), object()
    session = ToolSession([tool], progressive=False)
    assert await session.dispatch("shop__buy", {"a": 1}, client=client) == {"ok": True}
    assert await session.dispatch("shop__buy") == {"ok": True}
    assert tool.called == [({"a": 1}, {"client": client}), ({}, {})]


async def test_dispatch_of_tool_search_loads_and_returns_json_text() -> None:
    session = ToolSession(TOOLS)
    answer = json.loads(await session.dispatch("ToolSearch", {"query": "+stripe refund", "max_results": "1"}))
    assert answer["loaded"] == session.loaded
    assert len(session.loaded) == 1
    assert json.loads(await session.visible()["ToolSearch"].ainvoke({"query": ["labels"]}))["loaded"] == [
        "gmail__labels_list"
    ]


@pytest.mark.parametrize("arguments", [None, {}, {"query": ""}, {"query": "select:"}, {"query": None}, ""])
async def test_a_search_for_nothing_loads_nothing(arguments: Any) -> None:
    session = ToolSession(TOOLS)
    answer = json.loads(await session.dispatch("ToolSearch", arguments))
    assert answer["loaded"] == session.loaded == []
    assert answer["note"]


async def test_bad_arguments_of_a_search_are_refused_and_load_nothing() -> None:
    session = ToolSession(TOOLS)
    with pytest.raises(ToolValidationError, match="max_results"):
        await session.dispatch("ToolSearch", {"query": "refund", "max_results": True})
    assert session.loaded == []


async def test_other_exceptions_of_a_tool_come_out_as_they_are() -> None:
    with pytest.raises(ZeroDivisionError):
        await ToolSession([Plain("shop", "buy", result=ZeroDivisionError())], progressive=False).dispatch(
            "shop__buy"
        )


async def test_two_sessions_in_two_tasks_never_see_each_others_loads() -> None:
    async def use(name: str) -> list[str]:
        session = ToolSession(TOOLS)
        for _ in range(3):
            await session.dispatch("ToolSearch", {"query": f"select:{name}"})
            await asyncio.sleep(0)
        return session.loaded

    loads = await asyncio.gather(*(use(name) for name in ALL))
    assert loads == [[name] for name in ALL]


async def test_a_search_that_is_cancelled_loads_nothing() -> None:
    session = ToolSession(make_tools())
    task = asyncio.create_task(session.dispatch("ToolSearch", {"query": "refund"}))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert session.loaded == []


def test_a_reset_session_is_as_new() -> None:
    session = ToolSession(TOOLS)
    first = render(session)
    session.search("refund")
    session.reset()
    assert session.loaded == []
    assert render(session) == first


def test_a_fork_has_the_options_and_none_of_the_loads() -> None:
    session = ToolSession(TOOLS, resident=("gmail__labels_list",), budget=10, listing="folded")
    session.search("refund")
    twin = session.fork()
    assert render(twin) == render(ToolSession(TOOLS, resident=("gmail__labels_list",), listing="folded"))
    assert "over the budget of 10" in twin.search("refunds")["note"]


def test_the_state_goes_through_json_and_back() -> None:
    session = ToolSession(TOOLS)
    session.search("select:stripe__refunds_create,gmail__drafts_get")
    restored = ToolSession.restore(TOOLS, json.loads(json.dumps(session.state())))
    assert render(restored) == render(session)


def test_a_tool_that_is_gone_is_left_out_of_a_restored_session() -> None:
    restored = ToolSession.restore(TOOLS[:3], {"loaded": ["stripe__refunds_create", "gmail__drafts_get"]})
    assert restored.loaded == ["gmail__drafts_get"]


@pytest.mark.parametrize(
    "state", [None, {}, [], {"loaded": None}, {"loaded": "gmail__drafts_get"}, {"loaded": [5]}, "x"]
)
def test_what_is_no_state_is_refused(state: Any) -> None:
    with pytest.raises(DeclarationError, match=r"Pass what state\(\) returned"):
        ToolSession.restore(TOOLS, state)


def _talk(*calls: tuple[str, Any, str]) -> list[Any]:
    """Return a conversation in OpenAI's shape: name, arguments and result of each call, one a turn."""
    messages: list[Any] = [{"role": "user", "content": "hi"}]
    for at, (name, arguments, result) in enumerate(calls):
        function = {"name": name, "arguments": json.dumps(arguments)}
        messages.append(
            {"role": "assistant", "tool_calls": [{"id": f"c{at}", "type": "function", "function": function}]}
        )
        messages.append({"role": "tool", "tool_call_id": f"c{at}", "content": result})
    return messages


async def _converse(session: ToolSession, *calls: tuple[str, Any]) -> list[Any]:
    told: list[tuple[str, Any, str]] = []
    for name, arguments in calls:
        try:
            told.append((name, arguments, str(await session.dispatch(name, arguments))))
        except ToolValidationError as error:
            told.append((name, arguments, error.for_model()))
    return _talk(*told)


_CALLS: list[tuple[str, Any]] = [
    ("gmail__drafts_get", {}),  # refused: not loaded
    ("ToolSearch", {"query": "+stripe refund"}),
    ("ToolSearch", {"query": "refund", "max_results": True}),  # refused
    ("stripe__refunds_create", {}),
    ("ToolSearch", {"query": "select:gmail__labels_list; send draft"}),
    ("ToolSearch", {"query": "nothing of the kind"}),
]


async def test_a_transcript_rebuilds_the_session() -> None:
    session = ToolSession(TOOLS)
    messages = await _converse(session, *_CALLS)
    again = ToolSession(TOOLS)
    again.replay(messages)
    assert again.loaded == session.loaded
    again.replay(messages)
    assert render(again) == render(session)


async def test_a_transcript_with_cleared_results_is_rebuilt_by_searching_again() -> None:
    session = ToolSession(TOOLS)
    messages = await _converse(session, *_CALLS[1:])
    cleared = [
        {**message, "content": "[cleared]"} if message["role"] == "tool" else message for message in messages
    ]
    again = ToolSession(TOOLS)
    again.replay(cleared)
    assert again.loaded == session.loaded


def test_a_transcript_without_its_searches_loads_what_was_called() -> None:
    session = ToolSession(TOOLS)
    session.replay(_talk(("stripe__refunds_list", {"id": "x"}, "{}"), ("web__unknown", {}, "{}")))
    assert session.loaded == ["stripe__refunds_list"]


async def test_long_results_are_read_on_through_tool_search() -> None:
    session = ToolSession(TOOLS)
    cut = session.cut("x" * 500 + "y" * 500, 125)
    assert 'ToolSearch with the query "rest:1:500"' in cut
    assert await session.dispatch("ToolSearch", {"query": "rest:1:500"}) == "y" * 500
    again = ToolSession(TOOLS)
    again.replay(_talk(("ToolSearch", {"query": "rest:1:500"}, "y" * 500)))
    assert session.loaded == again.loaded == []


def test_a_plain_list_is_a_session_that_sends_everything() -> None:
    session = ToolSession(TOOLS)
    assert as_session(session) is session
    assert list(as_session(TOOLS).visible()) == ALL


def test_tools_are_taken_from_any_iterable_and_kept_as_they_are() -> None:
    session = ToolSession(tool for tool in TOOLS)
    assert isinstance(session.tools["gmail__drafts_get"], Tool)
    session.tools.clear()
    assert len(session.fork().tools) == len(ALL)


async def test_a_foreign_tool_gets_the_arguments_of_a_rewritten_schema_in_its_own_spelling() -> None:
    tool = Plain("shop", "buy", schema={"type": "object", "properties": {"$top": {"type": "integer"}}})
    session = ToolSession([tool], progressive=False)
    await session.dispatch("shop__buy", {"$top": None})
    [written] = session.definitions("openai")[0].parameters["properties"]
    assert written != "$top"
    await session.dispatch("shop__buy", {written: 5})
    assert [arguments for arguments, _ in tool.called] == [{"$top": None}, {"$top": 5}]


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty_threads")
def test_threads_may_share_a_session() -> None:
    for _ in range(20):
        session = ToolSession(TOOLS)
        start = threading.Barrier(8)

        def work(at: int, session: ToolSession = session, start: threading.Barrier = start) -> None:
            start.wait(10)
            for name in ALL[at::4]:
                session.search(f"select:{name}")
                assert name in [one.name for one in session.definitions()]
                assert name in session.visible()
                assert name in session.loaded
                session.state()

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, [0, 1, 2, 3] * 2))
        assert sorted(session.loaded) == sorted(ALL)
        assert {one.name for one in session.definitions()} == {"ToolSearch", *ALL}


def test_a_session_is_neither_pickled_nor_copied_and_says_what_is_instead() -> None:
    session = ToolSession(TOOLS)
    for refuse in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"Keep state\(\) for restore\(tools, state\), or fork\(\)"):
            refuse(session)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # a fork beside threads is what is tried
def test_a_fork_during_a_first_search_leaves_the_childs_own_search_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session, begun, go_on = ToolSession(make_tools()), threading.Event(), threading.Event()
    parent, build = os.getpid(), Index.build

    def build_slowly(entries: Any) -> Index:
        if os.getpid() == parent:
            begun.set()
            go_on.wait(30)
        return build(entries)

    monkeypatch.setattr(Index, "build", build_slowly)
    searching = threading.Thread(target=session.search, args=("select:gmail__drafts_get",))
    searching.start()
    assert begun.wait(10)
    child = os.fork()
    if not child:
        found = threading.Thread(target=session.search, args=("select:gmail__drafts_get",), daemon=True)
        found.start()
        found.join(20)
        os._exit(1 if found.is_alive() or session.loaded != ["gmail__drafts_get"] else 0)
    go_on.set()
    searching.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
