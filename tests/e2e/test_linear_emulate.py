"""The Linear pack against the real emulate server: what the tools do is read back with plain GraphQL.

Emulate knows a part of Linear's schema and refuses the rest, so what it does not know is taken out of each document on
the way, by its own introspection. The whole documents are tried on Linear's schema in tests/packs/linear.
"""

import json
import urllib.request
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx2
import pytest
from graphql import (
    REMOVE,
    ArgumentNode,
    FieldNode,
    GraphQLInputObjectType,
    GraphQLObjectType,
    GraphQLSchema,
    Node,
    ObjectFieldNode,
    TypeInfo,
    TypeInfoVisitor,
    VariableDefinitionNode,
    VariableNode,
    Visitor,
    build_client_schema,
    get_introspection_query,
    get_named_type,
    parse,
    parse_type,
    print_ast,
    visit,
)

from charter import APIError, ApiKey, ToolSession
from charter.packs import linear
from tests.counterparties.emulate import Emulate

pytestmark = pytest.mark.anyio


class Narrow(Visitor):
    """Takes out of a document the fields, arguments and members that a schema does not have."""

    def __init__(self, info: TypeInfo) -> None:
        super().__init__()
        self.used: dict[str, str] = {}
        self._info = info

    def enter_field(self, node: FieldNode, *_: Any) -> Any:
        parent = self._info.get_parent_type()
        return None if isinstance(parent, GraphQLObjectType) and node.name.value in parent.fields else REMOVE

    def enter_argument(self, node: ArgumentNode, *_: Any) -> Any:
        return None if self._info.get_argument() else REMOVE

    def enter_object_field(self, node: ObjectFieldNode, *_: Any) -> Any:
        parent = get_named_type(self._info.get_parent_input_type())
        known = isinstance(parent, GraphQLInputObjectType) and node.name.value in parent.fields
        return None if known else REMOVE

    def enter_variable_definition(self, node: VariableDefinitionNode, *_: Any) -> Any:
        return False

    def enter_variable(self, node: VariableNode, *_: Any) -> None:
        self.used[node.name.value] = str(self._info.get_input_type())


class Declare(Visitor):
    """Declares the variables that are used, with the types that they are used for."""

    def __init__(self, used: dict[str, str]) -> None:
        super().__init__()
        self._used = used

    def enter_variable_definition(self, node: VariableDefinitionNode, *_: Any) -> Node | Any:
        name = node.variable.name.value
        if name not in self._used:
            return REMOVE
        return VariableDefinitionNode(
            variable=node.variable, type=parse_type(self._used[name]), directives=()
        )


def narrow_document(schema: GraphQLSchema, text: str) -> str:
    info = TypeInfo(schema)
    narrow = Narrow(info)
    document = visit(parse(text), TypeInfoVisitor(info, narrow))
    return print_ast(visit(document, Declare(narrow.used)))


class Narrowing(httpx2.AsyncBaseTransport):
    """Sends each request on, its document narrowed to the schema."""

    def __init__(self, schema: GraphQLSchema) -> None:
        self._schema = schema
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        body["query"] = narrow_document(self._schema, body["query"])
        headers = {"Authorization": request.headers["authorization"], "Content-Type": "application/json"}
        sent = httpx2.Request("POST", request.url, json=body, headers=headers)
        return await self._inner.handle_async_request(sent)

    async def aclose(self) -> None:
        await self._inner.aclose()


Fetch = Callable[[str], Any]


@pytest.fixture
async def fetch(emulate: Emulate, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Fetch]:
    """The seeded workspace, which the pack works on; asks it with nothing of Charter's."""

    def ask(query: str) -> Any:
        headers = {"Authorization": emulate.token("linear"), "Content-Type": "application/json"}
        data = json.dumps({"query": query}).encode()
        request = urllib.request.Request(f"{emulate.url('linear')}/graphql", data, headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)["data"]

    schema = build_client_schema(ask(get_introspection_query()))
    for setting in ("auth", "base_url", "client"):
        monkeypatch.setattr(linear.issue_get.api, setting, getattr(linear.issue_get.api, setting))
    async with httpx2.AsyncClient(transport=Narrowing(schema)) as client:
        key = ApiKey(emulate.token("linear"), header="Authorization")
        linear.configure(base_url=emulate.url("linear"), auth=key, client=client)
        yield ask


async def test_a_ticket_is_found_read_and_moved_by_a_session(fetch: Fetch):
    session = ToolSession(linear.TOOLS)
    loaded = session.search("list tickets; move ticket to done; board columns")["loaded"]
    assert {"linear__issues_list", "linear__issue_update", "linear__workflow_states_list"} <= set(loaded)

    page = await session.dispatch(
        "linear__issues_list", {"filter": {"title": {"eq": "Checkout charges twice"}}}
    )
    [found] = page["nodes"]
    assert found["identifier"] == "ENG-2"
    assert (found["assignee"]["name"], found["state"]["name"]) == ("Grace Hopper", "Todo")
    assert [label["name"] for label in found["labels"]] == ["Bug"]
    states = await session.dispatch("linear__workflow_states_list", {})
    [done] = [state for state in states["nodes"] if state["type"] == "completed"]
    changed = await session.dispatch("linear__issue_update", {"id": "ENG-2", "stateId": done["id"]})
    assert changed["success"] is True
    assert fetch('{ issue(id: "ENG-2") { state { name } } }')["issue"]["state"]["name"] == "Done"


async def test_an_issue_is_made_changed_and_cleared(fetch: Fetch):
    me = await linear.viewer.ainvoke()
    [team] = (await linear.teams_list.ainvoke(filter={"key": {"eq": "ENG"}}))["nodes"]
    made = await linear.issue_create.ainvoke(
        teamId=team["id"],
        title="Größe “falsch” } $id",
        description="Line 1\n\n* a",
        priority=1,
        assigneeId=me["id"],
        dueDate="2026-03-31",
    )
    identifier = made["issue"]["identifier"]
    assert made["success"] is True
    query = f'{{ issue(id: "{identifier}") {{ title description priority dueDate assignee {{ email }} }} }}'
    assert fetch(query)["issue"] == {
        "title": "Größe “falsch” } $id",
        "description": "Line 1\n\n* a",
        "priority": 1,
        "dueDate": "2026-03-31",
        "assignee": {"email": "ada@example.com"},
    }
    await linear.issue_update.ainvoke(id=identifier, assigneeId=None, dueDate=None, priority=4)
    assert fetch(query)["issue"] == {
        "title": "Größe “falsch” } $id",
        "description": "Line 1\n\n* a",
        "priority": 4,
        "dueDate": None,
        "assignee": None,
    }
    read = await linear.issue_get.ainvoke(id=identifier)
    assert "assignee" not in read
    assert (read["priorityLabel"], read["team"]["key"]) == ("Low", "ENG")


async def test_comments_are_written_listed_changed_and_deleted(fetch: Fetch):
    made = await linear.comment_create.ainvoke(issueId="ENG-2", body="Fixed in **42**.")
    query = '{ issue(id: "ENG-2") { comments { nodes { id body user { email } } } } }'
    identity = made["comment"]["id"]
    user = {"email": "ada@example.com"}
    assert fetch(query)["issue"]["comments"]["nodes"] == [
        {"id": identity, "body": "Fixed in **42**.", "user": user}
    ]
    assert made["comment"]["issue"]["identifier"] == "ENG-2"
    await linear.comment_update.ainvoke(id=identity, body="Fixed in 43.")
    listed = await linear.comments_list.ainvoke()
    assert (identity, "Fixed in 43.") in [(one["id"], one["body"]) for one in listed["nodes"]]
    assert (await linear.comment_delete.ainvoke(id=identity)) == {"success": True, "entityId": identity}
    assert fetch(query)["issue"]["comments"]["nodes"] == []


async def test_labels_are_made_put_on_and_taken_off(fetch: Fetch):
    made = (await linear.issue_label_create.ainvoke(name="Regression", color="#123456"))["issueLabel"]
    query = '{ issue(id: "ENG-2") { labels { nodes { name } } } }'
    await linear.issue_add_label.ainvoke(id="ENG-2", labelId=made["id"])
    names = {label["name"] for label in fetch(query)["issue"]["labels"]["nodes"]}
    assert names == {"Bug", "Regression"}
    await linear.issue_remove_label.ainvoke(id="ENG-2", labelId=made["id"])
    await linear.issue_label_update.ainvoke(id=made["id"], name="Slow")
    assert "Slow" in {label["name"] for label in (await linear.issue_labels_list.ainvoke())["nodes"]}
    await linear.issue_label_delete.ainvoke(id=made["id"])
    assert [label["name"] for label in fetch(query)["issue"]["labels"]["nodes"]] == ["Bug"]


async def test_issues_are_archived_and_lists_page_to_their_end(fetch: Fetch):
    [team] = (await linear.teams_list.ainvoke())["nodes"]
    for number in range(3):
        await linear.issue_create.ainvoke(teamId=team["id"], title=f"T{number}")
    pages = [page async for page in linear.issues_list.pages({"first": 2})]
    titles = [issue["title"] for page in pages for issue in page["nodes"]]
    stored = fetch("{ issues { nodes { title } } }")["issues"]["nodes"]
    assert sorted(titles) == sorted(issue["title"] for issue in stored)
    assert {"Checkout charges twice", "T0", "T1", "T2"} <= set(titles)
    assert len(pages) == (len(titles) + 1) // 2 > 1
    await linear.issue_archive.ainvoke(id="ENG-2")
    assert fetch('{ issue(id: "ENG-2") { archivedAt } }')["issue"]["archivedAt"]
    await linear.issue_unarchive.ainvoke(id="ENG-2")
    assert fetch('{ issue(id: "ENG-2") { archivedAt } }')["issue"]["archivedAt"] is None


async def test_people_teams_and_the_workspace_are_read(fetch: Fetch):
    assert (await linear.organization.ainvoke())["urlKey"] == "analytical"
    users = (await linear.users_list.ainvoke(filter={"email": {"eq": "grace@example.com"}}))["nodes"]
    assert [user["name"] for user in users] == ["Grace Hopper"]
    assert (await linear.user_get.ainvoke(id=users[0]["id"]))["email"] == "grace@example.com"
    [team] = (await linear.teams_list.ainvoke())["nodes"]
    assert [state["name"] for state in (await linear.team_get.ainvoke(id=team["id"]))["states"]] == [
        "Backlog",
        "Todo",
        "In Progress",
        "Done",
    ]


async def test_what_emulate_refuses_is_an_error_of_the_api_with_its_reason(fetch: Fetch):
    with pytest.raises(APIError, match="not found"):
        await linear.issue_update.ainvoke(id="ENG-99", priority=1)
    assert await linear.issue_get.ainvoke(id="ENG-99") is None
