"""GraphQL tools: the document is a constant, its variables are the fields, and an answer's errors are told apart."""

import json
import pickle
from typing import Annotated, Any, ClassVar

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from charter import (
    Api,
    APIError,
    ApiKey,
    Case,
    Clearable,
    CredentialError,
    DeclarationError,
    Envelope,
    Format,
    Mode,
    Pages,
    ToolValidationError,
)
from charter.wire.graphql import GraphQLEnvelope, read_document

pytestmark = pytest.mark.anyio

api = Api(
    "desk",
    base_url="https://desk.example.com/",
    graphql="api/graphql.json",
    auth=ApiKey("key-12345678", header="Authorization"),
    case=Case.CAMEL,
)

LIST = """
# the second line is the first that says something: mutation
query Tickets($filter: TicketFilter, $first: Int = 20, $after: String) {
  tickets(filter: $filter, first: $first, after: $after) { ...Page }
}
fragment Page on TicketConnection { nodes { id } pageInfo { endCursor hasNextPage } }
"""
PAGES = Pages("after", cursor="data.tickets.pageInfo.endCursor", more="data.tickets.pageInfo.hasNextPage")


class TicketFilter(BaseModel):
    due_before: str | None = None
    either: "list[TicketFilter] | None" = None


class TicketsList(BaseModel):
    """List tickets."""

    filter: TicketFilter | None = None
    first: int | None = Field(None, ge=1)
    after: str | None = None


class TicketClose(BaseModel):
    """Close a ticket."""

    id: str
    query: str | None = None


CLOSE = 'mutation($id: ID!, $query: String) { done: close(id: $id, note: "a } \\" {", about: $query) { success } }'

tickets_list = api.query(LIST, TicketsList, pagination=PAGES)
ticket_close = api.mutation(CLOSE, TicketClose)


class Server:
    """Answers one body after the other, and keeps what it was asked."""

    def __init__(self, *answers: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.asked: list[httpx2.Request] = []
        self._answers, self._status, self._headers = list(answers), status, headers or {}
        self.client = httpx2.AsyncClient(transport=httpx2.MockTransport(self._answer))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        return httpx2.Response(self._status, json=self._answers.pop(0), headers=self._headers)

    def body(self, at: int = 0) -> Any:
        return json.loads(self.asked[at].content)


async def test_the_document_is_sent_with_the_arguments_as_its_variables():
    server = Server({"data": {"tickets": {"nodes": []}}})
    given = {"filter": {"dueBefore": "P1D", "either": [{"due_before": "x"}]}, "first": 5, "after": None}
    result = await tickets_list.ainvoke(given, client=server.client)
    assert result == {"nodes": []}
    (request,) = server.asked
    assert (request.method, str(request.url)) == ("POST", "https://desk.example.com/api/graphql.json")
    assert request.headers["content-type"] == "application/json"
    assert server.body() == {
        "query": LIST,
        "operationName": "Tickets",
        "variables": {"filter": {"dueBefore": "P1D", "either": [{"dueBefore": "x"}]}, "first": 5},
    }


async def test_no_arguments_are_no_variables():
    server = Server({"data": {"tickets": None}})
    assert await tickets_list.ainvoke({}, client=server.client) is None
    assert "variables" not in server.body()


async def test_a_model_can_neither_see_nor_write_the_document():
    server = Server({"data": {"done": {"success": True}}})
    assert set(tickets_list.to_json_schema()["parameters"]["properties"]) == {"filter", "first", "after"}
    with pytest.raises(ToolValidationError):
        await tickets_list.ainvoke({"query": "{ secrets }"}, client=server.client)
    assert server.asked == []
    await ticket_close.ainvoke({"id": "T1", "query": "{ secrets }"}, client=server.client)
    assert server.body() == {"query": CLOSE, "variables": {"id": "T1", "query": "{ secrets }"}}


def test_a_query_reads_and_a_mutation_does_not():
    assert tickets_list.is_read_only
    assert not ticket_close.is_read_only
    for copy in (tickets_list.derived(name="some"), pickle.loads(pickle.dumps(tickets_list))):
        assert copy.is_read_only
        assert copy.static_body["query"] == LIST


async def test_a_derived_tool_sends_the_same_document_and_pins_a_variable():
    server = Server({"data": {"tickets": {"nodes": []}}})
    tool = tickets_list.derived(pin={"first": 3}, drop=["filter"])
    await tool.ainvoke({}, client=server.client)
    assert server.body() == {"query": LIST, "operationName": "Tickets", "variables": {"first": 3}}


async def test_pages_go_on_after_the_end_cursor_until_there_are_no_more():
    page = {"nodes": [{"id": 1}], "pageInfo": {"endCursor": "c1", "hasNextPage": True}}
    last = {"nodes": [{"id": 2}], "pageInfo": {"endCursor": "c2", "hasNextPage": False}}
    server = Server({"data": {"tickets": page}}, {"data": {"tickets": last}})
    assert [each async for each in tickets_list.pages({"first": 1}, client=server.client)] == [page, last]
    assert server.body(1)["variables"] == {"first": 1, "after": "c1"}


async def test_partial_data_is_kept_and_flagged():
    error = {
        "message": "No access to T2",
        "path": ["tickets", 1],
        "locations": [{"line": 1, "column": 2}],
        "extensions": {"code": "FORBIDDEN", "stack": "..."},
    }
    server = Server({"data": {"tickets": {"nodes": [{"id": "T1"}, None]}}, "errors": [error]})
    assert await tickets_list.ainvoke({}, client=server.client) == {
        "data": {"nodes": [{"id": "T1"}, None]},
        "errors": [{"message": "No access to T2", "path": ["tickets", 1], "code": "FORBIDDEN"}],
    }


async def test_errors_inside_a_200_are_told_with_the_vendors_sentence_for_people():
    error = {
        "message": "Argument Validation Error",
        "extensions": {"userPresentableMessage": "first is too large."},
    }
    server = Server({"data": {"tickets": None}, "errors": [error]})
    with pytest.raises(APIError) as caught:
        await tickets_list.ainvoke({}, client=server.client)
    assert "Argument Validation Error (first is too large.)" in caught.value.for_model()
    assert caught.value.status_code == 200


@pytest.mark.parametrize("status", [200, 400, 401])
async def test_an_authentication_code_is_a_credential_error_whatever_the_status(status: int):
    error = {"message": "Not logged in", "extensions": {"code": "AUTHENTICATION_ERROR"}}
    server = Server({"errors": [error]}, status=status)
    with pytest.raises(CredentialError, match="Not logged in"):
        await tickets_list.ainvoke({}, client=server.client)


async def test_codes_of_the_apis_own_are_credential_errors_too():
    own = Api(
        "own", base_url="https://x.example/", envelope=Envelope(credential_errors=frozenset({"EXPIRED"}))
    )
    tool = own.query("query A { me { id } }", type("Me", (BaseModel,), {"__doc__": "Who."}))
    for code in ("EXPIRED", "UNAUTHENTICATED"):
        server = Server({"errors": [{"message": "m", "extensions": {"code": code}}]})
        with pytest.raises(CredentialError):
            await tool.ainvoke({}, client=server.client)


@pytest.mark.parametrize(
    "headers",
    [
        {"Retry-After": "30"},
        {
            "Date": "Thu, 01 Jan 2026 00:00:00 GMT",
            "X-RateLimit-Requests-Remaining": "0",
            "X-RateLimit-Requests-Reset": "1767225630000",
            "X-RateLimit-Complexity-Remaining": "9",
            "X-RateLimit-Complexity-Reset": "1767225999000",
        },
    ],
)
@pytest.mark.parametrize("status", [200, 400])
async def test_a_rate_limit_says_how_long_to_wait(status: int, headers: dict[str, str]):
    error = {"message": "Rate limit exceeded", "extensions": {"code": "RATELIMITED"}}
    server = Server({"errors": [error]}, status=status, headers=headers)
    with pytest.raises(APIError) as caught:
        await tickets_list.ainvoke({}, client=server.client)
    assert caught.value.retry_after == 30
    assert "Wait 30 seconds" in caught.value.for_model()


@pytest.mark.parametrize(
    ("body", "status"), [({"errors": "x"}, 503), ({"data": None, "errors": [{"message": "Internal"}]}, 200)]
)
async def test_a_failed_query_changed_nothing_and_a_failed_mutation_may_have(body: Any, status: int):
    for tool, arguments, unclear in ((tickets_list, {}, False), (ticket_close, {"id": "T1"}, True)):
        with pytest.raises(APIError) as caught:
            await tool.ainvoke(arguments, client=Server(body, status=status).client)
        assert caught.value.may_have_taken_effect is unclear


@pytest.mark.parametrize(
    ("payload", "problem"),
    [
        ({"success": False}, "the answer says it failed (data.done.success: false)"),
        ({"success": False, "ticket": {"id": "T1"}}, "the answer says it failed"),
        ({"userErrors": [{"field": ["input", "id"], "message": "is closed"}]}, "input.id: is closed"),
        ({"ticket": None, "errors": ["Not yours"]}, "Not yours"),
    ],
    ids=str,
)
async def test_a_mutation_whose_result_says_that_it_failed_is_an_error(payload: Any, problem: str):
    with pytest.raises(APIError) as caught:
        await ticket_close.ainvoke({"id": "T1"}, client=Server({"data": {"done": payload}}).client)
    assert problem in str(caught.value)
    assert caught.value.may_have_taken_effect


async def test_a_result_that_says_success_or_nothing_is_a_result():
    for payload in ({"success": True}, {"success": None}, {"userErrors": []}, {"ticket": {"id": "T1"}}):
        server = Server({"data": {"done": payload}})
        assert await ticket_close.ainvoke({"id": "T1"}, client=server.client) == payload


async def test_what_a_query_finds_is_data_whatever_its_names():
    for found in ({"success": False}, {"errors": ["a"], "nodes": []}):
        server = Server({"data": {"tickets": found}})
        assert await tickets_list.ainvoke({}, client=server.client) == found


async def test_an_api_says_where_its_results_tell_of_a_failure():
    envelope = Envelope(ok="data.*.state", success=("DONE",), error=("errors", "data.*.problems"))
    api = Api("own", base_url="https://x.example/", envelope=envelope)
    tool = api.query("query A { me { id } }", type("Me", (BaseModel,), {"__doc__": "Who."}))
    for result in ({"state": "FAILED"}, {"problems": ["FAILED"]}):
        with pytest.raises(APIError, match="FAILED"):
            await tool.ainvoke({}, client=Server({"data": {"me": result}}).client)
    assert await tool.ainvoke({}, client=Server({"data": {"me": {"state": "DONE"}}}).client)


async def test_an_answer_that_is_no_graphql_answer_is_an_error():
    for body in ({"id": 1}, [], "text", {"data": None}, {"errors": []}):
        with pytest.raises(APIError):
            await tickets_list.ainvoke({}, client=Server(body).client)


async def test_a_text_in_place_of_a_graphql_answer_is_told_as_what_it_is():
    down = httpx2.MockTransport(lambda _: httpx2.Response(200, text="Service down"))
    async with httpx2.AsyncClient(transport=down) as client:
        with pytest.raises(APIError, match="the answer holds neither data nor errors: Service down"):
            await tickets_list.ainvoke({}, client=client)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["data", "errors", "message", "extensions", "code", "path", "t"]),
            inner,
            max_size=4,
        )
    ),
)


@given(values)
def test_any_answer_has_a_verdict(body: Any):
    verdict = GraphQLEnvelope(root="t", retry_after="errors.0.extensions.code").open(body)
    assert verdict.problem is None or verdict.problem


def declare(document: str, method: str = "query", **fields: Any) -> None:
    namespace = {"__doc__": "Do it.", "__annotations__": {name: one[0] for name, one in fields.items()}}
    namespace |= {name: one[1] for name, one in fields.items() if len(one) > 1}
    args = type("Args", (BaseModel,), namespace)
    getattr(api, method)(document, args)


@pytest.mark.parametrize(
    ("document", "fields", "problem"),
    [
        ("query { a(x: $x) }", {"x": (str,)}, "uses $x but does not declare it"),
        ("query($x: Int) { a }", {"x": (int,)}, "declares $x but does not use it"),
        ("query($x: Int) { a(x: $x) }", {}, "no field is the document's variable $x. Add the field"),
        ("query { a }", {"x_y": (int,)}, "Args.x_y: the document declares no $xY. Declare it"),
        ("query($x: Int!) { a(x: $x) }", {"x": (int | None, None)}, "Args.x: may be left out"),
        ("query($x: Int) { a(x: $x) }", {"x": (str | None, None)}, "Args.x: can never be"),
        (
            'query($x: String! = "a") { a(x: $x) }',
            {"x": (Annotated[str | None, Clearable()], None)},
            "Args.x: is Clearable, but $x: String! takes no null",
        ),
        ("query($x: [ID!]!) { a(x: $x) }", {"x": (list[bool],)}, "Args.x: can never be"),
        ("query($x: String!) { a(x: $x) }", {"x": (list[str],)}, "Args.x: can never be"),
        ("subscription { a }", {}, "is a subscription"),
        ("mutation { a }", {}, "is no query"),
        ("query A { a } query B { b }", {}, "holds 2 operations"),
        ("fragment F on T { a }", {}, "holds 0 operations"),
        ("", {}, "holds 0 operations"),
        ("query { a ", {}, "ends too soon"),
        ("query($x Int) { a }", {}, "gives $x no type"),
        ("query(x: Int) { a }", {}, "does not end its list of variables"),
        ("select a", {}, "starts a definition with 'select'"),
        ("query { a ? }", {}, "holds '?'"),
    ],
)
def test_a_document_that_cannot_work_is_refused_at_import(
    document: str, fields: dict[str, Any], problem: str
):
    with pytest.raises(DeclarationError) as caught:
        declare(document, **fields)
    assert problem in str(caught.value)
    assert str(caught.value).startswith("Args")


def test_a_mutation_is_no_query_and_the_other_way_round():
    with pytest.raises(DeclarationError, match="is no mutation"):
        declare("{ a }", "mutation")


def test_what_fits_is_accepted():
    declare("query($x: Int! = 3) { a(x: $x) }", x=(int | None, None))
    declare(
        "query($x: [String!], $y: ID) { a(x: $x, y: $y) }", x=(list[str] | None, None), y=(int | None, None)
    )
    declare("query($x: [Float!]) { a(x: $x) }", x=(float | None, None))
    declare("query($x: Anything!) { a(x: $x) }", x=(dict[str, Any],))
    declare("query($x: String) @live(if: $y) { a(x: $x) }".replace("$y", "true"), x=(str | None, None))
    declare("query($x: Boolean!) { a @include(if: $x) { b } }", x=(bool,))
    declare("query($x: Int) { a(x: $x) }", x=(Annotated[str, Format(int)] | None, None))
    declare("query($x: Int) { a(x: $x) }", x=(Annotated[int | None, Mode("disabled")], None))


@pytest.mark.parametrize(
    ("document", "name", "roots"),
    [
        ("{ a b: c(x: {y: 1}) { d } }", "", ("a", "b")),
        ("query Q { ... on Query { a } ...F b @skip(if: true) }", "Q", ("...", "...", "b")),
        ('query Q($a: In = {x: [1], y: "$z"}) { # { $z \n a(b: $a) }', "Q", ("a",)),
    ],
)
def test_roots_and_names_are_read(document: str, name: str, roots: tuple[str, ...]):
    read = read_document(document, "Args")
    assert (read.name, read.roots) == (name, roots)
    assert read.used == read.variables.keys()


@given(st.text(alphabet='query{}()$:!="#.@a \n', max_size=40))
def test_any_text_is_read_or_refused(text: str):
    try:
        read_document(text, "Args")
    except DeclarationError as error:
        assert str(error).startswith("Args: ")


async def test_several_results_come_under_their_names():
    class Both(BaseModel):
        """Read both."""

        wire_rules: ClassVar = ()

    tool = api.query("{ a b }", Both)
    assert await tool.ainvoke({}, client=Server({"data": {"a": 1, "b": 2}}).client) == {"a": 1, "b": 2}
    partly = {"data": {"a": 1, "b": None}, "errors": [{"message": "m"}]}
    assert (await tool.ainvoke({}, client=Server(partly).client))["data"] == {"a": 1, "b": None}
    with pytest.raises(APIError, match="m"):
        nothing = {"data": {"a": None, "b": None}, "errors": [{"message": "m"}]}
        await tool.ainvoke({}, client=Server(nothing).client)
