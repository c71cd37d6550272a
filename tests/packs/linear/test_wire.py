"""Every Linear tool sends a document and variables that Linear's own schema accepts, for every argument it has."""

import json
from typing import Any

import pytest

from charter import Tool, ToolValidationError
from charter.packs import linear
from tests.packs.linear.arguments import make_arguments, make_one
from tests.packs.linear.vendor import SCHEMA, find_faults
from tests.packs.sending import send_one

pytestmark = pytest.mark.anyio

TOOLS = [*linear.TOOLS, linear.issues_list_full]


async def send(tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the body of the one request that a call makes."""
    headers = {"Authorization": "lin_api_1"}
    request = await send_one(tool, arguments, answer={"data": {"x": 1}}, headers=headers)
    assert (request.method, str(request.url)) == ("POST", "https://api.linear.app/graphql")
    return json.loads(request.content)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
async def test_documents_are_valid_and_variables_fit(tool: Tool):
    for arguments in make_arguments(tool, 25 if tool in linear.TOOLS else 8):
        body = await send(tool, arguments)
        assert find_faults(body) == []
        assert set(body.get("variables", {})) <= set(make_one(tool))


async def test_a_wrong_request_is_seen():
    body = await send(linear.issue_get, {"id": "ENG-1"})
    for wrong in (
        {**body, "query": body["query"].replace("identifier", "identifer")},
        {**body, "query": body["query"].replace("String!", "Int!")},
        {**body, "variables": {"id": ["ENG-1"]}},
        {**body, "variables": {}},
    ):
        assert find_faults(wrong)
    body = await send(linear.issue_create, {"teamId": "t", "title": "x", "dueDate": "2026-01-31"})
    assert find_faults(body) == []
    assert find_faults({**body, "variables": {**body["variables"], "dueDate": "soon"}})


async def test_only_what_was_given_is_sent():
    body = await send(linear.issue_update, {"id": "ENG-1", "priority": 2, "assignee_id": None})
    assert body["variables"] == {"id": "ENG-1", "priority": 2}
    assert body["operationName"] == "issueUpdate"
    assert "variables" not in await send(linear.viewer, {})


async def test_an_empty_text_clears_on_an_update():
    clearing = {
        "id": "ENG-1",
        "assigneeId": "",
        "cycleId": "",
        "dueDate": "",
        "estimate": "",
        "description": "",
        "snoozedUntilAt": "",
    }
    body = await send(linear.issue_update, clearing)
    assert body["variables"] == {"id": "ENG-1"} | dict.fromkeys([*clearing][1:])
    assert find_faults(body) == []
    body = await send(linear.cycle_update, {"id": "c", "completedAt": "", "endsAt": "2026-02-01T00:00:00Z"})
    assert body["variables"] == {"id": "c", "completedAt": None, "endsAt": "2026-02-01T00:00:00Z"}


@pytest.mark.parametrize("tool", ["issue_create", "comment_create", "project_create", "issue_label_create"])
async def test_an_empty_text_is_refused_where_there_is_nothing_to_clear(tool: str):
    made = getattr(linear, tool)
    with pytest.raises(ToolValidationError, match="nothing to clear"):
        await send(
            made,
            {"teamId": "t", "title": "", "description": ""}
            if tool == "issue_create"
            else {
                "comment_create": {"body": "", "issueId": "ENG-1"},
                "project_create": {"name": "", "teamIds": ["t"]},
                "issue_label_create": {"name": ""},
            }[tool],
        )


async def test_dates_have_no_time_and_times_have_a_zone():
    body = await send(
        linear.issue_update,
        {"id": "i", "dueDate": "2026-03-31", "snoozedUntilAt": "2026-03-31T09:00:00+02:00"},
    )
    assert body["variables"] == {
        "id": "i",
        "dueDate": "2026-03-31",
        "snoozedUntilAt": "2026-03-31T09:00:00+02:00",
    }
    for wrong in ({"dueDate": "2026-03-31T09:00:00Z"}, {"snoozedUntilAt": "2026-03-31T09:00:00"}):
        with pytest.raises(ToolValidationError):
            await send(linear.issue_update, {"id": "i", **wrong})


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("issue_create", {"teamId": "t"}, "at least one of title, templateId"),
        ("issue_update", {"id": "i", "labelIds": ["a"], "addedLabelIds": ["b"]}, "at most one of"),
        ("issue_update", {"id": "i", "priority": 5}, "priority"),
        ("issue_subscribe", {"id": "i", "userId": "u", "userEmail": "e"}, "at most one of userId, userEmail"),
        ("comment_create", {"body": "x"}, "at least one of issueId, projectId, parentId"),
        (
            "comment_create",
            {"body": "x", "issueId": "i", "projectId": "p"},
            "at most one of issueId, projectId",
        ),
        ("workflow_state_create", {"teamId": "t", "name": "n", "color": "#fff", "type": "triage"}, "type"),
        ("issue_relation_create", {"issueId": "a", "relatedIssueId": "b", "type": "blocked"}, "type"),
        ("issues_list", {"first": 251}, "first"),
        ("issues_list", {"filter": {"asignee": {}}}, "assignee"),
        ("issues_list", {"query": "{ viewer { id } }"}, "query"),
    ],
)
async def test_what_linear_would_refuse_is_refused_before(tool: str, arguments: dict[str, Any], told: str):
    with pytest.raises(ToolValidationError, match=told):
        await send(getattr(linear, tool), arguments)


@pytest.mark.parametrize(
    "tool", [one for one in linear.TOOLS if one.name.endswith("_update")], ids=lambda one: one.name
)
def test_an_update_demands_nothing_but_what_it_changes(tool: Tool):
    assert tool.to_json_schema()["parameters"]["required"] in (["id"], ["ids"])


def test_closed_enums_are_complete():
    states = linear.issue_relation_create.to_json_schema()["parameters"]["properties"]["type"]["enum"]
    assert set(states) == set(SCHEMA.type_map["IssueRelationType"].values)  # type: ignore[attr-defined]
    order = linear.issues_list.to_json_schema()["parameters"]["properties"]["orderBy"]["enum"]
    assert set(order) == set(SCHEMA.type_map["PaginationOrderBy"].values)  # type: ignore[attr-defined]


def test_the_whole_filter_is_linears_own():
    """Every type and member of Linear's filter, no other, in `issues_list_full`."""
    parameters = linear.issues_list_full.to_json_schema()["parameters"]
    defs = parameters["$defs"]
    seen: set[str] = set()

    def compare(node: dict[str, Any], name: str) -> None:
        node = defs[node["$ref"].rpartition("/")[2]] if "$ref" in node else node
        if name in seen:
            return
        seen.add(name)
        members = SCHEMA.type_map[name].fields  # type: ignore[attr-defined]
        assert set(node["properties"]) == set(members), name
        for key, member in members.items():
            inner = str(member.type).strip("[]!")
            child = node["properties"][key]
            if hasattr(SCHEMA.type_map[inner], "fields"):
                compare(child["items"] if str(member.type).startswith("[") else child, inner)

    compare(parameters["properties"]["filter"], "IssueFilter")
    assert len(seen) == 85
