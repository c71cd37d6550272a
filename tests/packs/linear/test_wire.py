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
    body = await send(linear.issue_update, {"id": "ENG-1", "priority": 2, "title": None})
    assert body["variables"] == {"id": "ENG-1", "priority": 2}
    assert body["operationName"] == "issueUpdate"
    assert "variables" not in await send(linear.viewer, {})


@pytest.mark.parametrize("cleared", [None, ""], ids=["null", "an empty text"])
async def test_null_clears_on_an_update_and_so_does_an_empty_text(cleared: Any):
    names = (
        "assigneeId cycleId dueDate estimate description snoozedUntilAt parentId projectId delegateId".split()
    )
    body = await send(linear.issue_update, {"id": "ENG-1"} | dict.fromkeys(names, cleared))
    assert body["variables"] == {"id": "ENG-1"} | dict.fromkeys(names)
    assert find_faults(body) == []
    body = await send(
        linear.cycle_update, {"id": "c", "completedAt": cleared, "endsAt": "2026-02-01T00:00:00Z"}
    )
    assert body["variables"] == {"id": "c", "completedAt": None, "endsAt": "2026-02-01T00:00:00Z"}
    body = await send(
        linear.project_update, {"id": "p", "leadId": cleared, "content": cleared, "icon": cleared}
    )
    assert body["variables"] == {"id": "p", "leadId": None, "content": None, "icon": None}


UPDATES = [one for one in linear.TOOLS if one.name.endswith("_update")]


@pytest.mark.parametrize("tool", UPDATES, ids=lambda one: one.name)
async def test_an_update_of_nothing_is_refused(tool: Tool):
    (named,) = tool.to_json_schema()["parameters"]["required"]
    given = {named: [ID] if named == "ids" else ID}
    for nothing in (
        given,
        {**given, "name": None, "title": None} if tool is linear.project_update else given,
    ):
        with pytest.raises(ToolValidationError, match="something to change"):
            await send(tool, {key: value for key, value in nothing.items() if key in tool.parameters})


ID = "9cfb482a-81e3-4154-b5b9-2c805e70a02d"
OTHERS = [
    ("issue_batch_update", {"ids": [ID, "ENG-123"], "priority": 1}, "ids.1", "issues_list"),
    ("issue_update", {"id": "ENG-1", "stateId": "ENG-123"}, "stateId", "workflow_states_list"),
    ("issue_update", {"id": "ENG-1", "assigneeId": "eng-123"}, "assigneeId", "users_list"),
    ("issue_update", {"id": "ENG-1", "projectMilestoneId": "ENG-123"}, "projectMilestoneId", "project_get"),
    ("issue_create", {"teamId": "ENG-123", "title": "x"}, "teamId", "teams_list"),
    ("issue_add_label", {"id": "ENG-1", "labelId": "ENG-123"}, "labelId", "issue_labels_list"),
    ("comment_update", {"id": "ENG-123", "body": "x"}, "id", "comments_list"),
    ("cycle_get", {"id": "ENG-123"}, "id", "cycles_list"),
    ("project_get", {"id": "ENG-123"}, "id", "projects_list"),
    ("issue_relation_delete", {"id": "ENG-123"}, "id", "issue_get"),
]


@pytest.mark.parametrize(("tool", "arguments", "field", "shown_by"), OTHERS)
async def test_an_identifier_is_refused_where_only_an_id_will_do(
    tool: str, arguments: dict[str, Any], field: str, shown_by: str
):
    with pytest.raises(ToolValidationError) as caught:
        await send(getattr(linear, tool), arguments)
    assert f"{field}: is an issue's identifier. Take the id from {shown_by}" in str(caught.value)
    assert shown_by in caught.value.for_model()


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("issue_get", {"id": "ENG-123"}),
        ("issue_create", {"teamId": ID, "title": "x", "parentId": "ENG-123"}),
        ("issue_batch_update", {"ids": [ID], "parentId": "ENG-123"}),
        ("comment_create", {"issueId": "ENG-123", "body": "x"}),
        ("issue_relation_create", {"issueId": "ENG-1", "relatedIssueId": "ENG-2", "type": "blocks"}),
        ("project_get", {"id": "checkout-1f2e3d4c5b6a"}),
    ],
)
async def test_an_identifier_is_sent_and_said_where_linear_takes_it(tool: str, arguments: dict[str, Any]):
    body = await send(getattr(linear, tool), arguments)
    assert body["variables"] == arguments
    told = getattr(linear, tool).to_json_schema()["parameters"]["properties"]
    for name, value in arguments.items():
        assert ("Or ENG-123." in told[name].get("description", "")) == str(value).startswith("ENG-")


def test_blockers_come_with_their_state():
    assert linear.issue_get.document is not None
    text = linear.issue_get.document.text
    assert "relatedIssue { id identifier title state { name type } }" in text
    assert "nodes { id type issue { id identifier title state { name type } } }" in text


def test_a_teams_visibility_is_read_and_filtered_by():
    assert linear.team_get.document is not None
    assert " visibility " in linear.team_get.document.text
    with pytest.raises(ToolValidationError, match="private"):
        linear.teams_list.invoke({"filter": {"private": {"eq": True}}})


@pytest.mark.parametrize("tool", ["issue_create", "comment_create", "project_create", "issue_label_create"])
async def test_an_empty_text_is_refused_where_there_is_nothing_to_clear(tool: str):
    made = getattr(linear, tool)
    with pytest.raises(
        ToolValidationError,
        match=r"nothing to clear yet in .*\. Leave it out|(title|name|body) empty: give it a text",
    ):
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
        known = SCHEMA.type_map[name].fields  # type: ignore[attr-defined]
        members = {key: one for key, one in known.items() if not one.deprecation_reason}
        assert set(node["properties"]) == set(members), name
        for key, member in members.items():
            inner = str(member.type).strip("[]!")
            child = node["properties"][key]
            if hasattr(SCHEMA.type_map[inner], "fields"):
                compare(child["items"] if str(member.type).startswith("[") else child, inner)

    compare(parameters["properties"]["filter"], "IssueFilter")
    assert len(seen) == 85
