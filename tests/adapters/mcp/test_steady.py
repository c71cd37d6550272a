"""The list stays; searches answer with schemas and ToolCall runs what was loaded."""

from typing import Any

import pytest
from mcp import Client
from mcp_types import Implementation

from charter import ToolSession
from charter.adapters.mcp import build_server
from tests.adapters.mcp.samples import PlainTool, make_things

pytestmark = pytest.mark.anyio

CODEX = Implementation(name="codex-mcp-client", version="1")


def make_session() -> ToolSession:
    return ToolSession([PlainTool("echo"), *make_things()])


def connect(era: Any = "auto", **options: Any) -> Client:
    info = CODEX if era == "legacy" else None
    return Client(
        build_server(options.pop("session", None) or make_session(), **options), mode=era, client_info=info
    )


async def search(client: Client, query: str, **more: Any) -> dict[str, Any]:
    return (await client.call_tool("ToolSearch", {"query": query, **more})).structured_content


async def test_the_list_is_the_same_before_and_after_a_load() -> None:
    async with connect() as client:
        before = (await client.list_tools()).tools
        await search(client, "select:plain__echo")
        assert (await client.list_tools()).tools == before
        assert [tool.name for tool in before] == ["ToolSearch", "ToolCall"]
        assert "schemas arrive with the next turn" not in before[0].description
        assert "plain__echo" in before[0].description


async def test_a_search_answers_with_whole_schemas() -> None:
    async with connect() as client:
        found = await search(client, "select:shop__things_create")
        assert found["loaded"] == ["shop__things_create"]
        assert found["tools"][0]["inputSchema"]["required"] == ["name"]
        assert "ToolCall" in found["note"]
        assert "Call these by name" not in found["note"]


async def test_without_a_session_the_handle_says_what_was_loaded() -> None:
    async with connect() as client:
        found = await search(client, "select:plain__echo")
        call = {"name": "plain__echo", "arguments": {"text": "hi"}}
        refused = await client.call_tool("ToolCall", call)
        assert refused.is_error
        assert "select:plain__echo" in refused.content[0].text
        done = await client.call_tool("ToolCall", {**call, "handle": found["handle"]})
        assert done.structured_content == {"text": "hi"}


async def test_a_handle_that_is_passed_on_keeps_its_tools() -> None:
    async with connect() as client:
        first = await search(client, "select:plain__echo")
        second = await search(client, "select:shop__things_list", handle=first["handle"])
        call = {"name": "plain__echo", "arguments": {}, "handle": second["handle"]}
        assert not (await client.call_tool("ToolCall", call)).is_error
        alone = await search(client, "select:shop__things_list")
        assert (await client.call_tool("ToolCall", {**call, "handle": alone["handle"]})).is_error


async def test_a_handle_of_another_server_is_refused() -> None:
    async with connect() as other:
        handle = (await search(other, "select:plain__echo"))["handle"]
    async with connect() as client:
        for wrong in (handle, "x", 5, ["a"]):
            result = await client.call_tool("ToolCall", {"name": "plain__echo", "handle": wrong})
            assert result.is_error
            assert "Call ToolSearch again" in result.content[0].text


async def test_in_a_session_no_handle_is_needed_or_offered() -> None:
    async with connect("legacy") as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert "handle" not in listed["ToolCall"].input_schema["properties"]
        assert "handle" not in listed["ToolSearch"].input_schema["properties"]
        assert "handle" not in await search(client, "select:plain__echo")
        done = await client.call_tool("ToolCall", {"name": "plain__echo", "arguments": {"text": "hi"}})
        assert done.structured_content == {"text": "hi"}


async def test_wrong_arguments_come_back_with_the_schema() -> None:
    async with connect("legacy") as client:
        await search(client, "select:shop__things_create")
        result = await client.call_tool("ToolCall", {"name": "shop__things_create", "arguments": {"nome": 1}})
        assert result.is_error
        assert "nome" in result.content[0].text
        assert '"required":["name"]' in result.content[0].text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "name: got null"),
        ({"name": 5}, "name: got 5"),
        ({"name": "plain__echo", "arguments": [1]}, "arguments: got [1], wants an object"),
        ({"name": "plain__echo", "arguments": "{broken"}, "wants an object"),
        (
            {"name": "plain__echo", "text": "hi"},
            "text: is unknown; a tool's own arguments go under 'arguments'",
        ),
        ({"name": "ToolCall"}, "Call ToolCall directly"),
        ({"name": "nowhere"}, "there is no such tool"),
    ],
)
async def test_a_call_that_is_written_wrong_is_explained(arguments: dict[str, Any], said: str) -> None:
    async with connect("legacy") as client:
        await search(client, "select:plain__echo")
        result = await client.call_tool("ToolCall", arguments)
        assert result.is_error
        assert said in result.content[0].text


@pytest.mark.parametrize("name", ["plain__echo", "Plain.echo", "echo", "mcp__charter__plain__echo"])
@pytest.mark.parametrize("arguments", [{"text": "hi"}, '{"text": "hi"}'])
async def test_a_call_is_understood_in_any_spelling(name: str, arguments: Any) -> None:
    async with connect("legacy") as client:
        await search(client, "select:plain__echo")
        done = await client.call_tool("ToolCall", {"name": name, "arguments": arguments})
        assert done.structured_content == {"text": "hi"}


async def test_resident_tools_are_listed_and_called_by_name() -> None:
    session = ToolSession([PlainTool("echo"), *make_things()], resident={"plain__echo"})
    async with connect(session=session) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == ["plain__echo", "ToolSearch", "ToolCall"]
        assert (await client.call_tool("plain__echo", {"text": "hi"})).structured_content == {"text": "hi"}


async def test_where_everything_is_resident_there_is_nothing_to_search() -> None:
    session = ToolSession([PlainTool("echo")], resident={"plain__echo"})
    async with connect(session=session) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["plain__echo"]


async def test_a_mode_that_is_asked_for_holds_for_clients_that_would_grow() -> None:
    async with Client(build_server(make_session(), mode="steady"), mode="legacy") as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["ToolSearch", "ToolCall"]
