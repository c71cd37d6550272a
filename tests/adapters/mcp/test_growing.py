"""A load grows the client's own list, and the client hears of it."""

import asyncio
from typing import Any

import pytest
from mcp import Client
from mcp_types import ToolListChangedNotification

from charter import ToolSession
from charter.adapters.mcp import build_server
from tests.adapters.mcp.samples import PlainTool, make_things

pytestmark = pytest.mark.anyio


async def list_names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


def connect(session: ToolSession, **more: Any) -> Client:
    return Client(build_server(session), mode="legacy", **more)


async def test_a_load_appends_in_load_order_and_changes_nothing_before_it() -> None:
    async with connect(ToolSession(make_things(), resident={"shop__things_delete"})) as client:
        before = (await client.list_tools()).tools
        assert [tool.name for tool in before] == ["shop__things_delete", "ToolSearch"]
        await client.call_tool("ToolSearch", {"query": "select:shop__things_replace"})
        await client.call_tool("ToolSearch", {"query": "select:shop__things_create"})
        after = (await client.list_tools()).tools
        assert after[:2] == before
        assert [tool.name for tool in after[2:]] == ["shop__things_replace", "shop__things_create"]


async def test_the_client_is_told_once_for_each_load_that_adds_something() -> None:
    heard: list[object] = []
    told = asyncio.Event()

    async def hear(message: Any) -> None:
        if isinstance(message, ToolListChangedNotification):
            heard.append(message)
            told.set()

    async with connect(ToolSession(make_things()), message_handler=hear) as client:
        await client.call_tool("ToolSearch", {"query": "select:shop__things_list"})
        await asyncio.wait_for(told.wait(), 20)
        await client.call_tool("ToolSearch", {"query": "select:shop__things_list"})
        await client.call_tool("ToolSearch", {"query": "nothing that anybody has"})
    assert len(heard) == 1


async def test_resident_tools_tell_hosts_not_to_defer_them() -> None:
    async with connect(ToolSession(make_things(), resident={"shop__things_list"})) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert listed["shop__things_list"].meta["anthropic/alwaysLoad"] is True
        assert listed["ToolSearch"].meta == {"anthropic/alwaysLoad": True}
        assert listed["ToolSearch"].annotations.read_only_hint is True


async def test_an_unloaded_tool_is_refused_with_the_query_that_loads_it() -> None:
    async with connect(ToolSession(make_things())) as client:
        result = await client.call_tool("shop__things_list", {})
        assert result.is_error
        assert "select:shop__things_list" in result.content[0].text
        unknown = await client.call_tool("shop__thing_list", {})
        assert "shop__things_list" in unknown.content[0].text


async def test_a_client_that_never_listed_again_is_shown_the_schema_with_the_error() -> None:
    async with connect(ToolSession(make_things())) as client:
        await client.list_tools()
        await client.call_tool("ToolSearch", {"query": "select:shop__things_create"})
        wrong = await client.call_tool("shop__things_create", {"nome": "x"})
        assert '"required":["name"]' in wrong.content[0].text
        await client.list_tools()
        wrong = await client.call_tool("shop__things_create", {"nome": "x"})
        assert "JSON Schema" not in wrong.content[0].text


async def test_a_client_that_never_listed_again_gets_schemas_with_its_next_search() -> None:
    async with connect(ToolSession(make_things())) as client:
        await client.list_tools()
        first = await client.call_tool("ToolSearch", {"query": "select:shop__things_create"})
        assert "tools" not in first.structured_content
        second = await client.call_tool("ToolSearch", {"query": "select:shop__things_delete"})
        assert [tool["name"] for tool in second.structured_content["tools"]] == ["shop__things_delete"]
        await client.list_tools()
        third = await client.call_tool("ToolSearch", {"query": "select:shop__things_list"})
        assert "tools" not in third.structured_content


async def test_a_loaded_tool_can_be_called_before_the_list_is_read_again() -> None:
    async with connect(ToolSession([PlainTool("echo"), *make_things()])) as client:
        await client.call_tool("ToolSearch", {"query": "select:plain__echo"})
        result = await client.call_tool("plain__echo", {"text": "hi"})
        assert result.structured_content == {"text": "hi"}


async def test_the_rest_of_a_long_result_is_read_with_a_search() -> None:
    long = "0123456789" * 1000
    server = build_server(ToolSession([PlainTool("long", long), *make_things()]), max_result_tokens=600)
    async with Client(server, mode="legacy") as client:
        await client.call_tool("ToolSearch", {"query": "select:plain__long"})
        shown = (await client.call_tool("plain__long", {})).content[0].text
        got = ""
        for _ in range(20):
            part, _, note = shown.partition("\n[Cut:")
            got += part
            if not note:
                break
            query = note.split('"')[1]
            answer = await client.call_tool("ToolSearch", {"query": query})
            shown = answer.content[0].text
            assert answer.structured_content["text"] == shown
        assert got == long
        assert [tool.name for tool in (await client.list_tools()).tools] == ["ToolSearch", "plain__long"]
