"""The Linear pack as a whole: its tools, their cost, their words, and what is kept of any answer."""

import json
import re
import time
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from charter import APIError, CredentialError, Tool, ToolSession, schema_tokens
from charter.adapters.mcp.definitions import annotate
from charter.packs import linear
from charter.schema.narrow import list_paths
from tests.packs.linear.arguments import make_arguments

pytestmark = pytest.mark.anyio

ASKED = {
    "my open tickets": "issues_list",
    "file a bug": "issue_create",
    "current sprint": "cycles_list",
    "close a ticket": "issue_update",
    "reply to the discussion on a ticket": "comment_create",
    "board columns": "workflow_states_list",
    "current user account": "viewer",
    "mark as duplicate": "issue_relation_create",
    "tag a ticket": "issue_add_label",
    "epics at risk": "projects_list",
    "teammates": "users_list",
    "watch an issue": "issue_subscribe",
}
READS = re.compile(r".*_(list|get)$|viewer|organization|search_issues")


def test_the_tools_are_the_operations_of_the_resources():
    names = [tool.name for tool in linear.TOOLS]
    assert len(names) == len(set(names)) == 56
    assert "issues_list_full" not in names
    assert linear.issues_list_full.name == "issues_list_full"
    assert all(getattr(linear, name).qualified_name == f"linear__{name}" for name in names)


def test_queries_read_and_mutations_do_not():
    for tool in linear.TOOLS:
        assert tool.is_read_only == bool(READS.fullmatch(tool.name)), tool.name
        assert annotate(tool).read_only_hint is tool.is_read_only
        assert tool.scopes == ("read",) if tool.is_read_only else "read" not in tool.scopes


def test_schemas_cost_little_and_none_is_recursive():
    sizes = {tool.name: schema_tokens(tool) for tool in linear.TOOLS}
    assert sizes["issues_list"] <= 1_500
    assert sum(sizes.values()) <= 8_000
    assert schema_tokens(linear.issues_list_full) <= 30_000
    for tool in linear.TOOLS:
        defs = tool.to_json_schema()["parameters"].get("$defs", {})
        links = {name: set(re.findall(r"#/\$defs/(\w+)", json.dumps(body))) for name, body in defs.items()}
        while links:
            leaves = [name for name, to in links.items() if not to & links.keys()]
            assert leaves, f"{tool.name}: {sorted(links)} go round"
            for name in leaves:
                del links[name]


def test_paths_of_the_whole_filter_come_at_once():
    twin = linear.issues_list_full
    began = time.process_time()
    assert twin.paths() == ["first", "after", "orderBy", "includeArchived", "filter", "sort"]
    assert time.process_time() - began <= 1
    assert list_paths(twin.plan) == twin.paths()  # what the compiled catalogue says is what the plan says
    began = time.process_time()
    assert len(twin.paths("filter")) == 70
    assert time.process_time() - began <= 1
    began = time.process_time()
    assert twin.paths(by_cost=True)[0].path == "filter"
    assert time.process_time() - began <= 10


def test_a_narrowed_twin_is_small():
    narrow = linear.issues_list_full.derived(
        name="issues_by_customer",
        keep=["filter.needs.some.customer.name", "filter.state.type", "first", "after"],
    )
    assert schema_tokens(narrow) <= 500


@pytest.mark.parametrize(("asked", "tool"), ASKED.items())
def test_people_find_a_tool_by_their_own_words(asked: str, tool: str):
    assert f"linear__{tool}" in ToolSession(linear.TOOLS).search(asked, 5)["loaded"]


def test_priorities_say_what_their_numbers_mean():
    for tool in linear.TOOLS:
        priority = tool.to_json_schema()["parameters"].get("properties", {}).get("priority")
        assert priority is None or "1 urgent" in priority["description"], tool.name


# What is kept of answers.

names = st.sampled_from(
    "data errors nodes pageInfo hasNextPage id labels issue success message extensions code".split()
)
answers = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=5),
    max_leaves=20,
)
ARGUMENTS = {tool.name: next(iter(make_arguments(tool, 1))) for tool in linear.TOOLS}


async def answer_with(tool: Tool, body: Any) -> Any:
    reply = httpx2.Response(
        200, content=json.dumps(body).encode(), headers={"Content-Type": "application/json"}
    )
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(lambda _: reply)) as client:
        return await tool.ainvoke(ARGUMENTS[tool.name], client=client, headers={"Authorization": "lin_api_1"})


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(answers)
async def test_any_result_gives_every_tool_something(result: Any):
    for tool in linear.TOOLS:
        assert tool.document is not None
        try:
            kept = await answer_with(tool, {"data": {tool.document.root: result}})
        except APIError:
            assert not tool.is_read_only and (result.get("errors") or not result["success"])
        else:
            assert kept or not result


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(answers)
async def test_any_answer_is_a_result_or_an_error_of_the_api(body: Any):
    for tool in linear.TOOLS[:8]:
        try:
            await answer_with(tool, body)
        except (APIError, CredentialError) as error:
            assert str(error)


async def test_a_page_keeps_ids_and_marks_and_inner_lists_are_flat():
    info = {"hasNextPage": True, "endCursor": "c1"}
    labels = {"nodes": [{"id": "l", "name": "Bug"}], "pageInfo": {"hasNextPage": False, "endCursor": "x"}}
    issue = {"id": "1", "identifier": "ENG-1", "url": "u", "cycle": None, "labels": labels}
    kept = await answer_with(linear.issues_list, {"data": {"issues": {"nodes": [issue], "pageInfo": info}}})
    assert kept == {
        "nodes": [{"id": "1", "identifier": "ENG-1", "url": "u", "labels": [{"id": "l", "name": "Bug"}]}],
        "pageInfo": info,
    }
    labels["pageInfo"]["hasNextPage"] = True
    kept = await answer_with(linear.issue_get, {"data": {"issue": issue}})
    assert kept["labels"] == labels


async def test_a_change_without_success_is_an_error():
    with pytest.raises(APIError, match=r"data\.issueUpdate\.success: false"):
        await answer_with(linear.issue_update, {"data": {"issueUpdate": {"success": False, "issue": None}}})


async def test_success_flags_stay_and_an_empty_page_is_a_page():
    kept = await answer_with(linear.issue_update, {"data": {"issueUpdate": {"success": True, "issue": None}}})
    assert kept == {"success": True}
    page = {"nodes": [], "pageInfo": {"hasNextPage": False, "endCursor": None}}
    kept = await answer_with(linear.issues_list, {"data": {"issues": page}})
    assert kept == {"nodes": [], "pageInfo": {"hasNextPage": False}}


async def test_the_key_is_sent_as_it_is(monkeypatch: pytest.MonkeyPatch):
    seen: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.headers["authorization"])
        return httpx2.Response(200, json={"data": {"viewer": {"id": "u"}}})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        monkeypatch.delenv("LINEAR_API_KEY", raising=False)
        with pytest.raises(CredentialError, match="LINEAR_API_KEY"):
            await linear.viewer.ainvoke({}, client=client)
        monkeypatch.setenv("LINEAR_API_KEY", "lin_api_12345678")
        await linear.viewer.ainvoke({}, client=client)
    assert seen == ["lin_api_12345678"]
