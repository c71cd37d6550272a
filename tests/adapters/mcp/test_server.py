"""One server, both eras, any number of clients."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import Implementation

from charter import ToolSession
from charter.adapters.mcp import build_server
from charter.errors import APIError, DeclarationError
from tests.adapters.mcp.samples import PlainTool, make_things, run_slow_api

pytestmark = pytest.mark.anyio

ERAS = ["legacy", "auto"]


@asynccontextmanager
async def connect(
    tools: Any, era: Any = "legacy", client: str | None = None, **options: Any
) -> AsyncIterator[Client]:
    info = Implementation(name=client, version="1") if client else None
    async with Client(build_server(tools, **options), mode=era, client_info=info) as connected:
        yield connected


async def list_names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


def text_of(result: Any) -> str:
    return result.content[0].text


async def test_the_handshake_says_who_serves_and_how_to_begin() -> None:
    async with connect(ToolSession(make_things())) as client:
        assert client.server_info.name == "charter"
        assert client.server_info.version
        assert client.server_capabilities.tools.list_changed is True
        assert "ToolSearch" in client.instructions
        assert "ToolCall" not in client.instructions


async def test_a_client_that_lists_once_is_told_that_the_list_stays() -> None:
    async with connect(ToolSession(make_things()), client="codex-mcp-client") as client:
        assert client.server_capabilities.tools.list_changed is False
        assert "ToolCall" in client.instructions
        assert await list_names(client) == ["ToolSearch", "ToolCall"]


async def test_a_plain_list_sends_every_schema() -> None:
    async with connect(make_things()) as client:
        assert await list_names(client) == [
            "shop__things_list",
            "shop__things_create",
            "shop__things_delete",
            "shop__things_replace",
        ]
        assert client.instructions is None
        assert client.server_capabilities.tools.list_changed is False


@pytest.mark.parametrize("era", ERAS)
async def test_all_lists_every_schema_of_a_session(era: str) -> None:
    async with connect(ToolSession([*make_things(), PlainTool("echo")]), era, mode="all") as client:
        assert len(await list_names(client)) == 5
        assert text_of(await client.call_tool("plain__echo", {"text": "hi"})) == '{"text":"hi"}'


async def test_a_tool_that_cannot_be_built_is_left_out_of_the_list() -> None:
    class Broken(PlainTool):
        def to_json_schema(self) -> dict[str, Any]:
            raise RuntimeError("no schema")

    async with connect(ToolSession([Broken("bad"), PlainTool("echo")]), mode="all") as client:
        assert await list_names(client) == ["plain__echo"]


@pytest.mark.parametrize("era", ERAS)
async def test_lists_come_in_pages(era: str) -> None:
    async with connect([PlainTool(f"tool{at}") for at in range(7)], era, page_size=3) as client:
        names, cursor, pages = [], None, 0
        while pages == 0 or cursor:
            page = await client.list_tools(cursor=cursor)
            names += [tool.name for tool in page.tools]
            cursor, pages = page.next_cursor, pages + 1
        assert (pages, len(set(names))) == (3, 7)
        for wrong in ("x", "-1", "99", "0", "1" * 30, "²"):
            with pytest.raises(MCPError, match="Unknown cursor"):
                await client.list_tools(cursor=wrong)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (APIError("shop: 402.", model_text="shop: the card was declined."), "shop: the card was declined."),
        (RuntimeError("secret"), "The tool failed unexpectedly. Tell the user; do not retry."),
    ],
)
async def test_failures_are_results_and_a_bug_is_not_shown(
    era: str, error: Exception, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.CRITICAL):
        async with connect([PlainTool("fail", error)], era) as client:
            result = await client.call_tool("plain__fail", {})
    assert result.is_error
    assert text_of(result) == said


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"name": 5, "nome": "x"},
        {"name": {"a": [None] * 50}},
        {"": None},
        {"name": "x" * 100_000, "y": "\ud800"},
        {"limit": 1e300},
    ],
)
async def test_no_arguments_are_an_internal_error(era: str, arguments: dict[str, Any]) -> None:
    async with connect(ToolSession(make_things()), era, mode="all") as client:
        for name in ("shop__things_create", "ToolSearch", "ToolCall", "no\ud800such", ""):
            if "\ud800" in str(arguments) + name:
                continue  # no client can put that on a wire
            assert (await client.call_tool(name, arguments)).is_error


def make_json(random: Random, depth: int = 0) -> Any:
    if depth > 3 or random.random() < 0.5:
        return random.choice(
            [None, True, 1, -1.5, "", "x", "select:", "rest:abcdefgh:0", "select:shop__things_list"]
        )
    if random.random() < 0.5:
        return [make_json(random, depth + 1) for _ in range(3)]
    keys = ["query", "max_results", "name", "arguments", "handle", "limit", ""]
    return {random.choice(keys): make_json(random, depth + 1) for _ in range(3)}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("mode", [None, "steady", "all"])
async def test_whatever_the_arguments_a_call_has_a_result(era: str, mode: Any) -> None:
    random = Random(7)
    names = ["ToolSearch", "ToolCall", "shop__things_create", "plain__echo", "nowhere"]
    async with connect(ToolSession([PlainTool("echo"), *make_things()]), era, mode=mode) as client:
        for _ in range(200):
            given = make_json(random)
            arguments = given if isinstance(given, dict) else {"query": given, "name": given}
            assert (await client.call_tool(random.choice(names), arguments)).content


async def test_a_list_that_cannot_change_may_be_kept_for_a_while() -> None:
    async with connect(ToolSession(make_things()), "auto") as client:
        listed = await client.list_tools()
        assert (listed.ttl_ms, listed.cache_scope) == (300_000, "private")


async def test_names_use_the_separator_that_is_asked_for() -> None:
    async with connect(ToolSession(make_things()), separator="_") as client:
        listed = (await client.list_tools()).tools[0]
        assert "shop_things_list" in listed.description
        assert "shop__" not in listed.description
        found = await client.call_tool("ToolSearch", {"query": "select:shop__things_list"})
        assert found.structured_content["loaded"] == ["shop_things_list"]
        assert await list_names(client) == ["ToolSearch", "shop_things_list"]
        refused = await client.call_tool("shop_things_create", {})
        assert "select:shop_things_create" in text_of(refused)


async def test_two_clients_never_see_each_others_tools() -> None:
    server = build_server(ToolSession(make_things()))
    async with Client(server, mode="legacy") as ada, Client(server, mode="legacy") as bob:
        await ada.call_tool("ToolSearch", {"query": "select:shop__things_list"})
        await bob.call_tool("ToolSearch", {"query": "select:shop__things_create"})
        assert await list_names(ada) == ["ToolSearch", "shop__things_list"]
        assert await list_names(bob) == ["ToolSearch", "shop__things_create"]
        assert (await bob.call_tool("shop__things_list", {})).is_error
    assert server.setup.template.loaded == []


async def test_each_client_starts_with_what_the_template_had_loaded() -> None:
    session = ToolSession(make_things())
    session.search("select:shop__things_list")
    async with connect(session) as client:
        assert await list_names(client) == ["ToolSearch", "shop__things_list"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_long_call_gives_signs_of_life(era: str) -> None:
    heard: list[tuple[float, str | None]] = []
    several = asyncio.Event()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message))
        if len(heard) == 3:
            several.set()

    async with run_slow_api() as api, connect(make_things(api.url), era, progress_seconds=0.01) as client:
        call = asyncio.create_task(client.call_tool("shop__things_list", {}, progress_callback=hear))
        await asyncio.wait_for(several.wait(), 20)
        api.go_on.set()
        assert (await call).structured_content == {"ok": True}
    assert heard == sorted(heard, key=lambda one: one[0])
    assert heard[0][1] == "shop__things_list: waiting for the API"


@pytest.mark.parametrize("era", ERAS)
async def test_a_cancellation_reaches_the_request(era: str) -> None:
    async with run_slow_api() as api, connect(make_things(api.url), era) as client:
        call = asyncio.create_task(client.call_tool("shop__things_list", {}))
        await asyncio.wait_for(api.arrived.wait(), 20)
        call.cancel()
        await asyncio.wait_for(api.gone.wait(), 20)
        with pytest.raises(asyncio.CancelledError):
            await call
        assert len(await list_names(client)) == 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"name": "a b"}, "name 'a b'"),
        ({"mode": "shrinking"}, "mode 'shrinking' is unknown"),
        ({"page_size": 0}, "page_size=0 is not above zero"),
        ({"max_result_tokens": -1}, "max_result_tokens=-1"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: Any, said: str) -> None:
    with pytest.raises(DeclarationError, match=said):
        build_server([], **options)


async def test_many_calls_at_once_get_their_own_answers() -> None:
    async with connect([PlainTool("echo")]) as client:
        texts = [f"text {at}" for at in range(200)]
        results = await asyncio.gather(*(client.call_tool("plain__echo", {"text": text}) for text in texts))
        assert [result.structured_content["text"] for result in results] == texts
