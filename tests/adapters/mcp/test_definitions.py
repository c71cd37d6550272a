"""What MCP is told of a tool."""

import pytest
from pydantic import BaseModel

from charter import Api
from charter.adapters.mcp.definitions import annotate, describe_tool
from charter.adapters.mcp.published import PublishedNames
from charter.discovery.catalogue import Definition
from tests.adapters.mcp.samples import PlainTool, make_things


class IssuesFind(BaseModel):
    """Find issues."""


LIST, CREATE, DELETE, REPLACE = make_things()


@pytest.mark.parametrize(
    ("tool", "hints"),
    [
        (LIST, (True, False, True)),
        (CREATE, (False, None, False)),
        (DELETE, (False, True, True)),
        (REPLACE, (False, None, True)),
    ],
)
def test_the_method_says_what_a_call_may_do(tool: object, hints: tuple[object, ...]) -> None:
    found = annotate(tool)  # type: ignore[arg-type]
    assert (found.read_only_hint, found.destructive_hint, found.idempotent_hint) == hints
    assert found.open_world_hint is True


@pytest.mark.parametrize("reads", [True, False])
def test_a_tool_that_knows_whether_it_reads_is_believed(reads: bool) -> None:
    found = annotate(PlainTool("ask", method="POST", is_read_only=reads))
    assert found.read_only_hint is reads


def test_a_graphql_query_reads_and_a_mutation_does_not() -> None:
    linear = Api("linear", base_url="http://127.0.0.1:9/")
    query = linear.query("query Q { issues { id } }", IssuesFind)
    mutation = linear.mutation("mutation M { x { id } }", IssuesFind, name="x")
    assert annotate(query).read_only_hint is True
    assert annotate(mutation).read_only_hint is False


def test_of_a_tool_without_a_method_nothing_is_claimed() -> None:
    found = annotate(PlainTool("x"))
    assert (found.read_only_hint, found.destructive_hint, found.idempotent_hint) == (None, None, None)


def test_a_tool_is_described_under_the_name_that_clients_see() -> None:
    names = PublishedNames(["shop__things_list"], server="charter", separator="_")
    definition = Definition("shop__things_list", "See shop__things_list.", {"type": "object"}, 1)
    found = describe_tool(definition, LIST, names, resident=True)
    assert (found.name, found.title) == ("shop_things_list", "Shop: things list")
    assert found.description == "See shop_things_list."
    assert found.meta == {"anthropic/searchHint": "inventory stock", "anthropic/alwaysLoad": True}


def test_without_hints_and_not_resident_there_is_no_meta() -> None:
    names = PublishedNames(["shop__things_create"], server="charter")
    definition = Definition("shop__things_create", "Make.", {"type": "object"}, 1)
    assert describe_tool(definition, CREATE, names).meta is None


def test_an_output_schema_is_told_where_it_is_known() -> None:
    names = PublishedNames(["plain__x"], server="charter")
    definition = Definition("plain__x", "X.", {"type": "object"}, 1)
    assert describe_tool(definition, PlainTool("x"), names).output_schema is None
    schema = {"type": "object"}
    assert describe_tool(definition, PlainTool("x", output_schema=schema), names).output_schema == schema
