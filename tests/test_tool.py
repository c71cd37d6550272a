"""A tool: its name and texts, its schema, what it always sends, its pages, and what cannot be declared."""

import copy
import json
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, ValidationError, create_model, model_validator

from charter import (
    Api,
    Bearer,
    Body,
    Case,
    DeclarationError,
    Envelope,
    Header,
    Mode,
    Pages,
    Query,
    Tool,
    ToolSession,
    ToolValidationError,
    WireName,
    keep,
)
from charter.background import run_sync
from charter.settings import ToolOptions
from tests.counterparties.loopback import Asked, Loopback, Reply

pytestmark = pytest.mark.anyio
api = Api("shop", base_url="https://shop.example/v1", case=Case.CAMEL)


class Price(BaseModel):
    unit_amount: int


class ThingsList(BaseModel):
    """Find things
    by name.

    Newest   first.
    """

    query: str | None = Field(None, description="Words of the name.")
    max_results: int | None = Field(None, ge=1, le=100)
    page_token: str | None = None
    start_at: Annotated[str | None, WireName("from")] = None


class ThingsCreate(BaseModel):
    """Make a thing."""

    name: str
    price: Price | None = None


class ThingsUpdate(BaseModel):
    """Change a thing."""

    thing_id: str
    name: str | None = None

    @model_validator(mode="after")
    def check(self) -> "ThingsUpdate":
        if self.name == "":
            raise ValueError("name may not be empty")
        return self


things_list = api.get(
    "things",
    ThingsList,
    hints="goods wares",
    pagination=Pages("page_token", cursor="nextPageToken"),
    scopes=("things.read",),
    needs={"start_at": "orders_list"},
    response_handler=keep("items.id", "nextPageToken"),
    envelope=Envelope(error="error"),
)
things_create = api.post("things", ThingsCreate)


# Names and texts


@pytest.mark.parametrize(
    ("class_name", "name"),
    [
        ("RefundsCreate", "refunds_create"),
        ("MessagesBatchModify", "messages_batch_modify"),
        ("HTTPGet", "http_get"),
        ("V2List", "v2_list"),
        ("Get", "get"),
        ("_Hidden", "hidden"),
        ("snake_case", "snake_case"),
    ],
)
def test_a_tool_is_named_after_its_class(class_name: str, name: str) -> None:
    assert api.get("things", create_model(class_name, __doc__="Do it.")).name == name


def test_a_tool_knows_what_it_was_declared_with() -> None:
    assert (things_list.name, things_list.pack, things_list.qualified_name) == (
        "things_list",
        "shop",
        "shop__things_list",
    )
    assert (things_list.method, things_list.route, things_list.args_schema) == ("GET", "things", ThingsList)
    assert (things_list.hints, things_list.scopes, things_list.needs) == (
        "goods wares",
        ("things.read",),
        {"start_at": "orders_list"},
    )
    assert things_list.api is api
    assert repr(things_list) == "<Tool shop__things_list GET things>"


def test_a_description_is_the_docstring_without_its_line_breaks() -> None:
    assert things_list.description == "Find things by name.\n\nNewest first."
    assert api.get("things", ThingsList, description="Look up\n  things.").description == "Look up things."


class Heir(ThingsList):
    pass


BAD_NAMES = ["Refunds", "refunds-create", "refunds__create", "_x", "9", "a b", "ä"]
REFUSED: dict[str, tuple[Any, dict[str, Any], str]] = {
    "no description": (
        create_model("Args", q=(str, ...)),
        {},
        r"^Args: has no description. Write a docstring or give description=.$",
    ),
    "a docstring of its parent's": (Heir, {}, r"^Heir: has no description"),
    "a name that is too long": (
        ThingsList,
        {"name": "x" * 59},
        r"^shop__x{59}: is longer than 64 characters. Give a shorter name=.$",
    ),
    "an argument that is static": (
        ThingsList,
        {"static_query": {"max-results": 3}},
        r"^ThingsList: 'max-results' is both an argument and static. Remove one of them.$",
    ),
    "a cursor that no field takes": (
        ThingsList,
        {"pagination": Pages("cursor", cursor="next")},
        r"^ThingsList: no field takes the cursor 'cursor'. Add it.$",
    ),
    "a need of no argument": (
        ThingsList,
        {"needs": {"customer": "customers_list"}},
        r"^ThingsList: needs names 'customer', which is no argument. Name a field.$",
    ),
    "a header the Api sets": (
        create_model("Args", __doc__="Do it.", version=(Annotated[str, Header("X-Version")], ...)),
        {"static_headers": {"x-version": "3"}},
        r"^Args.version: header 'X-Version' may not be set by a model. Set it on the Api or per call instead.$",
    ),
    **{
        f"the name {name!r}": (
            ThingsList,
            {"name": name},
            r"^shop: tool .*: is no name. Use lower-case words",
        )
        for name in BAD_NAMES
    },
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_tool_that_cannot_work_is_refused_with_its_fix(name: str) -> None:
    args, options, message = REFUSED[name]
    with pytest.raises(DeclarationError, match=message):
        api.get("things", args, **options)


def test_a_header_of_the_credentials_is_closed_to_the_model() -> None:
    args = create_model("Args", __doc__="Do it.", key=(Annotated[str, Header("X-Key")], ...))
    own = Api("shop", base_url="https://shop.example", auth=Bearer("x"), headers={"X-Key": "1"})
    with pytest.raises(DeclarationError, match=r"^Args.key: header 'X-Key' may not be set by a model"):
        own.get("things", args)


def test_a_description_given_stands_in_for_a_docstring() -> None:
    assert api.get("things", Heir, description="Look.").description == "Look."


def test_every_refusal_is_a_value_error_too() -> None:
    with pytest.raises(ValueError, match="no description"):
        api.get("things", create_model("Args"))


# The schema


def test_the_schema_is_a_copy() -> None:
    first = things_list.to_json_schema()
    first["parameters"]["properties"].clear()
    first["name"] = "changed"
    assert things_list.to_json_schema()["name"] == "things_list"
    assert list(things_list.to_json_schema()["parameters"]["properties"]) == [
        "query",
        "maxResults",
        "pageToken",
        "from",
    ]


def test_the_schema_is_json_and_the_same_every_time() -> None:
    assert json.dumps(things_list.to_json_schema()) == json.dumps(copy.deepcopy(things_list).to_json_schema())


def test_preparing_is_idempotent_and_safe_in_threads() -> None:
    for _ in range(20):
        tool = api.get("things", ThingsList)
        barrier = threading.Barrier(8)

        def build(
            tool: Tool = tool, barrier: threading.Barrier = barrier
        ) -> tuple[Tool, dict[str, Any], Any]:
            barrier.wait()
            return tool.prepare(), tool.to_json_schema(), tool.llm_schema()

        with ThreadPoolExecutor(8) as pool:
            built = [future.result() for future in [pool.submit(build) for _ in range(8)]]
        assert {id(one) for one, _, _ in built} == {id(tool)}
        assert all(schema == built[0][1] for _, schema, _ in built)
        assert len({view for _, _, view in built}) == 1


def test_a_type_that_json_has_not_is_refused_when_its_schema_is_asked_for() -> None:
    class Arbitrary:
        pass

    args = create_model(
        "Args", __doc__="Do it.", __config__={"arbitrary_types_allowed": True}, x=(Arbitrary, ...)
    )
    with pytest.raises(
        DeclarationError, match=r"^Args: no JSON Schema can be made of it \(.*\). Use a type that JSON has.$"
    ):
        api.get("things", args).to_json_schema()


async def test_neither_a_declaration_nor_a_call_builds_the_schema(loopback: Loopback) -> None:
    class Arbitrary:
        pass

    config = {"arbitrary_types_allowed": True}
    args = create_model("Args", __doc__="Do it.", __config__=config, x=(Arbitrary | None, None), q=(str, ...))
    tool = Api("shop", base_url=loopback.url).get("things", args)
    await tool.ainvoke(q="tea")
    with pytest.raises(DeclarationError):
        tool.prepare()
    await tool.ainvoke(q="tea")
    assert len(loopback.asked) == 2


def test_the_view_is_a_model_that_takes_what_a_call_takes() -> None:
    view = api.patch("things/{thing_id}", ThingsUpdate).llm_schema()
    assert issubclass(view, ThingsUpdate)
    assert (view.__name__, view.__doc__) == ("ThingsUpdate", "Change a thing.")
    for arguments in ({"thingId": "x", "name": "y"}, {"thing_id": "x", "name": "y"}):
        assert view.model_validate(arguments).model_dump() == {"thing_id": "x", "name": "y"}
    for wrong in ({}, {"thingId": "x", "name": ""}, {"thingId": "x", "other": 1}):
        with pytest.raises(ValidationError):
            view.model_validate(wrong)
    assert (
        view.model_json_schema()
        == api.patch("things/{thing_id}", ThingsUpdate).to_json_schema()["parameters"]
    )


# What is static


async def test_what_is_static_is_sent_and_out_of_reach(loopback: Loopback) -> None:
    own = Api("shop", base_url=loopback.url, headers={"X-Version": "1", "X-Gone": "1"})
    tool = own.post(
        "things",
        ThingsCreate,
        static_query={"alt": "json", "none": None},
        static_headers={"x-version": "2", "x-gone": None},
        static_body={"kind": "thing"},
    )
    await tool.ainvoke({"name": "tea"})
    [asked] = loopback.asked
    assert asked.pairs == [("alt", "json")]
    assert (asked.header("x-version"), asked.header("x-gone")) == ("2", None)
    assert asked.json == {"name": "tea", "kind": "thing"}
    assert set(tool.to_json_schema()["parameters"]["properties"]) == {"name", "price"}
    with pytest.raises(ToolValidationError, match="kind: is no argument"):
        await tool.ainvoke({"name": "tea", "kind": "other"})


class ThingsPut(BaseModel):
    """Replace a thing's text."""

    text: Annotated[str, Body(raw="text/plain")]


class ThingsTouch(BaseModel):
    """Touch a thing."""


async def test_what_an_api_always_sends_goes_into_every_query_and_every_body_of_fields(
    loopback: Loopback,
) -> None:
    own = Api("shop", base_url=loopback.url, static_query={"api-version": "7"}, static_body={"client": "us"})
    await own.post("things", ThingsCreate, static_body={"kind": "thing"}).ainvoke({"name": "tea"})
    await own.post("touch", ThingsTouch).ainvoke({})
    await own.put("text", ThingsPut).ainvoke(text="x")
    await own.get("things", ThingsList, static_query={"api-version": "8"}).ainvoke({})
    assert [asked.query for asked in loopback.asked] == [*["api-version=7"] * 3, "api-version=8"]
    assert [asked.body for asked in loopback.asked] == [
        b'{"name":"tea","client":"us","kind":"thing"}',
        b'{"client":"us"}',
        b"x",
        b"",
    ]
    with pytest.raises(DeclarationError, match="'name' is both an argument and static"):
        Api("shop", base_url=loopback.url, static_body={"name": "x"}).post("things", ThingsCreate)


# Pages


def paged(url: str, **options: Any) -> Tool:
    options.setdefault("pagination", Pages("page_token", cursor="nextPageToken"))
    return Api("shop", base_url=url, case=Case.CAMEL).get("things", ThingsList, **options)


async def walk(tool: Tool, arguments: Any = None, **options: Any) -> list[Any]:
    return [page async for page in tool.pages(arguments, **options)]


async def test_pages_are_walked_to_the_last(loopback: Loopback) -> None:
    def answer(asked: Asked) -> Reply:
        at = int(dict(asked.pairs).get("pageToken", "0"))
        return Reply({"items": [at], "nextPageToken": str(at + 1)} if at < 3 else {"items": [at]})

    loopback.answer = answer
    tool = paged(loopback.url, response_handler=keep("items"))
    assert await walk(tool, {"query": "tea"}) == [{"items": [at]} for at in range(4)]
    assert [asked.query for asked in loopback.asked] == [
        "query=tea",
        *(f"query=tea&pageToken={at}" for at in (1, 2, 3)),
    ]
    assert all(asked.path == "/things" for asked in loopback.asked)
    given = tool.args_schema.model_validate({"query": "tea"})
    assert await walk(tool, given) == [{"items": [at]} for at in range(4)]
    assert loopback.asked[-1].query == "query=tea&pageToken=3"


@pytest.mark.parametrize("spelling", ["page_token", "pageToken", "PageToken"])
async def test_a_walk_may_begin_anywhere_and_never_asks_for_a_page_twice(
    loopback: Loopback, spelling: str
) -> None:
    loopback.reply({"nextPageToken": "b"})
    assert len(await walk(paged(loopback.url), {spelling: "a"})) == 2
    assert [asked.query for asked in loopback.asked] == ["pageToken=a", "pageToken=b"]
    loopback.asked.clear()
    loopback.reply({"nextPageToken": "a"})
    assert len(await walk(paged(loopback.url), {spelling: "a"})) == 1


async def test_a_link_in_place_of_a_cursor_stays_an_argument(loopback: Loopback) -> None:
    loopback.reply({"nextPageToken": "https://evil.example/x?page=2"})
    assert len(await walk(paged(loopback.url))) == 2
    assert [asked.path for asked in loopback.asked] == ["/things", "/things"]
    assert loopback.asked[1].pairs == [("pageToken", "https://evil.example/x?page=2")]


class RoomsList(BaseModel):
    """List rooms."""

    page: int | None = None


async def test_numbered_pages_are_walked_to_the_empty_one(loopback: Loopback) -> None:
    loopback.answer = lambda asked: Reply([asked.query] if asked.query != "page=3" else [])
    rooms = Api("shop", base_url=loopback.url).get(
        "rooms", RoomsList, pagination=Pages("page", by="number", items="")
    )
    assert await walk(rooms) == [[""], ["page=2"], []]
    assert await walk(rooms, {"page": 2}) == [["page=2"], []]


async def test_an_api_that_counts_on_with_the_same_page_is_left(loopback: Loopback) -> None:
    loopback.reply([1])
    pages = Pages("page", by="number", items="")
    assert await walk(Api("shop", base_url=loopback.url).get("rooms", RoomsList, pagination=pages)) == [[1]]
    assert [asked.query for asked in loopback.asked] == ["", "page=2"]


async def test_of_a_link_only_the_argument_is_taken(loopback: Loopback) -> None:
    linked = {"link": '<https://evil.example/x?page=2&admin=1>; rel="next"'}
    loopback.answer = lambda asked: Reply({}, headers={} if asked.query else linked)
    rooms = Api("shop", base_url=loopback.url).get("rooms", RoomsList, pagination=Pages("page", by="link"))
    assert len(await walk(rooms)) == 2
    assert [(asked.path, asked.query) for asked in loopback.asked] == [("/rooms", ""), ("/rooms", "page=2")]


async def test_a_walk_that_fails_keeps_what_came_before(loopback: Loopback) -> None:
    replies = iter([Reply({"nextPageToken": "b"}), Reply({"message": "No."}, 500)])
    loopback.answer = lambda _: next(replies)
    pages: list[Any] = []
    with pytest.raises(Exception, match="500: No"):
        async for page in paged(loopback.url).pages():
            pages.append(page)  # noqa: PERF401
    assert pages == [{"nextPageToken": "b"}]


async def test_headers_and_client_hold_for_every_page(loopback: Loopback) -> None:
    loopback.reply({"nextPageToken": "b"})
    await walk(paged(loopback.url), headers={"X-Team": "a"})
    assert [asked.header("x-team") for asked in loopback.asked] == ["a", "a"]


async def test_a_tool_without_paging_has_no_pages(loopback: Loopback) -> None:
    with pytest.raises(
        DeclarationError, match=r"^shop__things_create: declares no pagination. Call ainvoke instead.$"
    ):
        await walk(things_create)
    narrowed = paged(loopback.url).derived(drop=["pageToken"])
    with pytest.raises(DeclarationError, match="declares no pagination"):
        await walk(narrowed)


ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "a", "b", "c"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["next", "more", "data", "id"]), inner, max_size=4)
    ),
    max_leaves=10,
)
PAGINGS = [
    Pages("page_token", cursor="next"),
    Pages("page_token", cursor="next", more="more"),
    Pages("page_token", cursor="data.-1.id"),
    Pages("page_token", cursor="data.id", more="more"),
]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ANY_JSON, min_size=1, max_size=6), st.sampled_from(PAGINGS))
def test_a_walk_over_any_answers_ends_and_repeats_no_cursor(
    loopback: Loopback, answers: list[Any], pagination: Pages
) -> None:
    loopback.reset()
    # the answers come round and round, so that only a repeated cursor can end the walk
    loopback.answer = lambda _: Reply(answers[(len(loopback.asked) - 1) % len(answers)])
    args = create_model("ThingsList", __doc__="Find.", page_token=(int | str | None, None))
    tool = Api("shop", base_url=loopback.url).get("things", args, pagination=pagination)
    run_sync(lambda: walk(tool))
    cursors = [dict(asked.pairs).get("page_token") for asked in loopback.asked]
    assert len(cursors) == len(set(cursors))


# Other processes


def test_a_pickled_tool_is_the_same_tool() -> None:
    for tool in (things_list, things_list.derived(pin={"maxResults": 5}), things_list.with_mode("pro")):
        twin = pickle.loads(pickle.dumps(tool))
        assert twin.to_json_schema() == tool.to_json_schema()
        assert (twin.qualified_name, twin.hints, twin.scopes, twin.needs, twin.modes) == (
            tool.qualified_name,
            tool.hints,
            tool.scopes,
            tool.needs,
            tool.modes,
        )
        assert twin.pagination == tool.pagination
        assert twin.args_schema is tool.args_schema


async def test_a_pickled_tool_sends_the_same_request(loopback: Loopback) -> None:
    tool = Api("shop", base_url=loopback.url, case=Case.CAMEL).get(
        "things", ThingsList, static_query={"alt": "json"}, response_handler=keep("id")
    )
    loopback.reply({"id": 1, "x": 2})
    for one in (tool, pickle.loads(pickle.dumps(tool)), copy.copy(tool), copy.deepcopy(tool)):
        assert await one.ainvoke({"max_results": 3}) == {"id": 1}
    assert {(asked.path, asked.query) for asked in loopback.asked} == {("/things", "maxResults=3&alt=json")}


# Copies


def test_a_copy_is_made_with_every_option_of_the_tool() -> None:
    """Whatever option is added one day, a derived tool has it too."""
    values: dict[str, Any] = {
        "name": "things",
        "description": "Find.",
        "hints": "h",
        "needs": {"query": "x"},
        "scopes": ("s",),
        "reads_first": None,  # tests/test_reading.py copies a tool that has one
        "response_handler": keep("id"),
        "pagination": Pages("page_token", cursor="n"),
        "envelope": Envelope(error="e"),
        "timeout": 3.0,
        "static_query": {"alt": "json"},
        "static_headers": {"X-A": "b"},
        "static_body": {},
        "case": Case.PASCAL,
        "body": "form",
        "mode": "pro",
        "document": None,
        "also": ("things/{query}",),
        "on_call": print,
    }
    assert values.keys() == ToolOptions.__annotations__.keys()
    tool = api.get("things", ThingsList, **values)
    for made in (
        tool.derived(),
        tool.derived(drop=["From"]),
        pickle.loads(pickle.dumps(tool)),
        copy.copy(tool),
    ):
        assert made._options == values
    assert tool.with_mode("basic")._options == {**values, "mode": ("pro", "basic")}


# Modes


class Account(BaseModel):
    """Read an account."""

    user: Annotated[str, Mode("disabled")] = "me"
    depth: Annotated[int | None, Query(), Mode("pro")] = None


async def test_a_withheld_field_is_neither_seen_nor_taken_and_its_default_fills_the_hole(
    loopback: Loopback,
) -> None:
    tool = Api("shop", base_url=loopback.url).get("users/{user}", Account)
    assert tool.to_json_schema()["parameters"]["properties"] == {}
    await tool.ainvoke()
    assert loopback.asked[0].path == "/users/me"
    for wrong in ({"user": "you"}, {"depth": 3}):
        with pytest.raises(ToolValidationError, match="is no argument"):
            await tool.ainvoke(wrong)
    await tool.with_mode("pro").ainvoke({"depth": 3})
    assert loopback.asked[1].query == "depth=3"


@pytest.mark.parametrize("label", ["disabled", "response_only", "request_only", "", " "])
def test_no_label_reaches_what_is_for_nobody(label: str) -> None:
    class Marked(BaseModel):
        """Do."""

        name: str = ""
        secret: Annotated[str | None, Mode("disabled")] = None
        made: Annotated[str | None, Mode("response_only")] = None

    tool = api.post("things", Marked)
    with pytest.raises(DeclarationError, match="^shop__marked: "):
        tool.with_mode(label)
    with pytest.raises(DeclarationError, match="^shop__marked: "):
        tool.with_mode(("pro", label))
    with pytest.raises(DeclarationError, match="^ToolSession: "):
        ToolSession([tool], mode=label)
    with pytest.raises(DeclarationError, match="^Marked: "):
        api.post("things", Marked, mode=label)
    assert list(tool.with_mode("pro").to_json_schema()["parameters"]["properties"]) == ["name"]
    for name in ("secret", "made"):
        with pytest.raises(ValidationError, match="is no argument"):
            tool.with_mode("pro").llm_schema().model_validate({name: "x"})


class Levels(BaseModel):
    """Do."""

    pro: Annotated[int | None, Mode("pro")] = None
    top: Annotated[int | None, Mode("pro", "max")] = None


def test_modes_add_up_and_none_takes_a_tool_out_of_them() -> None:
    tool = api.post("things", Levels)
    pro, top = tool.with_mode("pro"), tool.with_mode("max")
    assert [list(each.parameters) for each in (tool, pro, top)] == [[], ["pro", "top"], ["top"]]
    assert top.with_mode("pro").modes == ("max", "pro")
    assert tool.with_mode("pro") is pro is pro.with_mode("pro") is pro.with_mode(())
    assert tool.with_mode(("pro", "max")).modes == ("pro", "max")
    assert (pro.with_mode(None).modes, list(pro.with_mode(None).parameters)) == ((), [])
    session = ToolSession([api.post("things", Levels, mode="max")], mode="pro")
    assert list(session.tools["shop__levels"].to_json_schema()["parameters"]["properties"]) == ["pro", "top"]


def test_what_would_change_nothing_cannot_be_set_on_a_tool() -> None:
    tool = api.post("things", Levels)
    for name in ("on_call", "timeout", "description", "mode", "modes", "plan", "response_handler"):
        with pytest.raises(
            DeclarationError, match=f"^shop__levels: {name} cannot be set on a tool. Give it where"
        ):
            setattr(tool, name, None)


async def test_pages_take_keyword_arguments_as_calls_do(loopback: Loopback) -> None:
    loopback.reply({"items": []})
    tool = paged(loopback.url)
    async for _ in tool.pages({"page_token": "t"}, max_results=5):
        pass
    async for _ in tool.pages(max_results=6):
        pass
    assert [dict(parse_qsl(asked.query)) for asked in loopback.asked] == [
        {"pageToken": "t", "maxResults": "5"},
        {"maxResults": "6"},
    ]
    for wrong in (["a"], "text", 5):
        with pytest.raises(ToolValidationError, match=r"pages\(\) takes a mapping"):
            async for _ in tool.pages(wrong):
                pass
