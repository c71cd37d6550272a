"""ToolSearch as clients meet it, with the names that they see."""

import jsonschema
import pytest
from mcp import Client

from charter import ToolSession
from charter.adapters.mcp import build_server
from charter.adapters.mcp.searching import read_listing
from tests.adapters.mcp.samples import PlainTool, make_things

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("era", ["legacy", "auto"])
@pytest.mark.parametrize(
    "query",
    ["things", "select:shop__things_list,no_such", "", "zzzz", ["a", "things"], "+shop list; make a thing"],
)
async def test_every_answer_fits_the_schema_that_is_told(era: str, query: object) -> None:
    async with Client(build_server(ToolSession(make_things())), mode=era) as client:  # type: ignore[arg-type]
        search = next(tool for tool in (await client.list_tools()).tools if tool.name == "ToolSearch")
        answer = await client.call_tool("ToolSearch", {"query": query})
        jsonschema.validate(answer.structured_content, search.output_schema)


async def test_wrong_arguments_are_explained() -> None:
    async with Client(build_server(ToolSession(make_things())), mode="legacy") as client:
        for arguments in ({"query": 5}, {"query": "x", "max_results": "many"}, {"quary": "x"}):
            result = await client.call_tool("ToolSearch", arguments)
            assert result.is_error
            assert result.content[0].text.startswith("ToolSearch: ")


def test_the_listing_is_what_the_session_lists() -> None:
    session = ToolSession([PlainTool("echo"), *make_things()])
    setup = build_server(session).setup
    assert read_listing(setup)
    assert session.visible()["ToolSearch"].description.endswith(read_listing(setup))
    assert "plain_echo" in read_listing(build_server(session, separator="_").setup)


async def test_needs_and_close_names_are_those_that_clients_see() -> None:
    one, two = PlainTool("pay", needs={"card": "cards"}), PlainTool("cards")
    async with Client(build_server(ToolSession([one, two]), separator="_"), mode="legacy") as client:
        found = (
            await client.call_tool("ToolSearch", {"query": "select:plain__pay,plain__card"})
        ).structured_content
        assert found["needs"] == {"card": "plain_cards"}
        assert found["unknown"]["plain__card"][0] == "plain_cards"
