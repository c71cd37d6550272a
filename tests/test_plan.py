"""Plans: where each field goes, what the body is, and what is refused at declaration."""

from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ConfigDict, RootModel, create_model

from charter.errors import DeclarationError
from charter.markers import Body, Case, Clearable, Format, Header, Mode, Path, Query, Unsent, WireName
from charter.plan import BodyPlan, Conventions, Plan, read_plan


class Inner(BaseModel):
    name: str


class Items(RootModel[list[Inner]]):
    pass


def plan_of(
    method: str = "GET", route: str = "things", conventions: Conventions | None = None, **fields: Any
) -> Plan:
    written = {name: field if isinstance(field, tuple) else (field, ...) for name, field in fields.items()}
    args: type[BaseModel] = create_model("Args", **written)
    return read_plan("shop__things", method, route, args, conventions or Conventions())


def places(plan: Plan) -> dict[str, str]:
    return {placed.field.name: placed.where for placed in plan.placed}


@pytest.mark.parametrize(
    ("method", "where"),
    [
        ("GET", "query"),
        ("HEAD", "query"),
        ("DELETE", "query"),
        ("POST", "body"),
        ("PUT", "body"),
        ("PATCH", "body"),
    ],
)
def test_a_field_goes_where_the_route_and_the_method_say(method: str, where: str) -> None:
    assert places(plan_of(method, "things/{id}", id=str, size=int)) == {"id": "path", "size": where}


@pytest.mark.parametrize("name", ["user_id", "userId", "UserID"])
@pytest.mark.parametrize("hole", ["user_id", "userId", "user-id"])
def test_a_hole_is_filled_by_the_field_of_any_spelling(name: str, hole: str) -> None:
    plan = plan_of(route=f"users/{{{hole}}}", **{name: str})
    assert [(placed.where, placed.hole, placed.field.wire) for placed in plan.placed] == [
        ("path", hole, hole)
    ]


def test_a_marker_goes_before_the_guess() -> None:
    plan = plan_of(
        "POST",
        "things/{key}",
        thing=Annotated[str, Path(), WireName("key")],
        dry=Annotated[bool, Query()],
        etag=Annotated[str, Header("If-Match")],
        name=str,
    )
    assert places(plan) == {"thing": "path", "dry": "query", "etag": "header", "name": "body"}
    assert places(plan_of("DELETE", reason=Annotated[str, Body()])) == {"reason": "body"}


def test_a_header_is_named_after_its_field_unless_it_says_otherwise() -> None:
    plan = plan_of(if_match=Annotated[str, Header()], trace=Annotated[str, Header("X-Trace")])
    assert [placed.header for placed in plan.at("header")] == ["If-Match", "X-Trace"]


def test_a_query_field_has_the_style_of_its_marker_or_of_the_api() -> None:
    plan = plan_of(
        conventions=Conventions(query_style="bracket"),
        a=list[str],
        b=Annotated[list[str], Query(style="comma")],
    )
    assert [placed.style for placed in plan.at("query")] == ["bracket", "comma"]


@pytest.mark.parametrize(
    ("fields", "kind", "field"),
    [
        ({}, "none", ""),
        ({"name": str}, "object", ""),
        ({"name": str, "inner": Inner}, "object", ""),
        ({"inner": Inner}, "whole", "inner"),
        ({"inner": (Inner | None, None)}, "whole", "inner"),
        ({"items": list[str]}, "whole", "items"),
        ({"items": Items}, "whole", "items"),
        ({"values": dict[str, int]}, "whole", "values"),
        ({"either": Inner | list[Inner]}, "whole", "either"),
        ({"either": Inner | str}, "object", ""),
        ({"inner": Annotated[Inner, Body(embed=True)]}, "object", ""),
        ({"items": Annotated[list[str], Body(embed=True)]}, "object", ""),
        ({"inner": Annotated[Inner, Format("rfc822")]}, "object", ""),
        ({"text": Annotated[str, Body(raw="text/plain")]}, "raw", "text"),
        ({"text": Annotated[Inner, Format("rfc822"), Body(raw="message/rfc822")]}, "raw", "text"),
        # what is withheld still counts: a mode or a projection never changes what the body is
        ({"inner": Inner, "seen": (Annotated[str | None, Mode("response_only")], None)}, "object", ""),
    ],
    ids=str,
)
def test_the_declaration_decides_what_the_body_is(fields: dict[str, Any], kind: str, field: str) -> None:
    body = plan_of("POST", **fields).body
    assert (body.kind, body.field) == (kind, field)


class Aside(BaseModel):
    name: Annotated[str, Unsent()] = ""


def test_an_unsent_field_goes_nowhere_and_changes_nothing_of_the_body() -> None:
    plan = plan_of("POST", inner=Inner, offset=(Annotated[int | None, Unsent()], None))
    assert places(plan) == {"inner": "body", "offset": "nowhere"}
    assert (plan.body.kind, plan.body.field) == ("whole", "inner")


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"offset": (Annotated[int, Unsent(), Query()], 0)}, "is marked Query and Unsent"),
        ({"aside": Aside}, r"Aside.name: Unsent\(\) is for arguments alone"),
    ],
)
def test_an_unsent_field_that_cannot_be_one_is_refused(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(DeclarationError, match=problem):
        plan_of("POST", **fields)


def test_a_raw_body_has_the_media_type_it_says() -> None:
    assert plan_of("POST", text=Annotated[str, Body(raw="text/csv")]).body.media_type == "text/csv"


def test_a_static_body_keeps_a_lone_field_under_its_name() -> None:
    plan = plan_of("POST", conventions=Conventions(has_static_body=True), inner=Inner)
    assert plan.body == BodyPlan("object")
    assert plan_of("POST", conventions=Conventions(has_static_body=True)).body == BodyPlan("object")


def test_a_form_names_the_items_of_a_lone_list() -> None:
    form = Conventions(body="form")
    media_type = "application/x-www-form-urlencoded"
    assert plan_of("POST", conventions=form, items=list[str]).body == BodyPlan(
        "object", "", "form", media_type
    )
    assert plan_of("POST", conventions=form, items=Items).body.kind == "object"
    assert plan_of("POST", conventions=form, inner=Inner).body == BodyPlan(
        "whole", "inner", "form", media_type
    )


def test_fields_are_planned_in_the_order_they_are_written() -> None:
    plan = plan_of("POST", "things/{id}", c=str, id=str, a=str, b=Annotated[str, Query()])
    assert [placed.field.name for placed in plan.placed] == ["c", "id", "a", "b"]
    assert [placed.field.name for placed in plan.at("body")] == ["c", "a"]


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a hole with no field": (
        {"route": "things/{thingId}", "name": str},
        r"^Args: no field fills the hole \{thingId\} of 'things/\{thingId\}'. Add a field thing_id.$",
    ),
    "a Path field with no hole": (
        {"id": Annotated[str, Path()]},
        r"^Args.id: Path\(\) field has no hole \{id\} in the route. Add the hole or drop Path\(\).$",
    ),
    "an object in a hole": (
        {"route": "things/{id}", "id": Inner},
        r"^Args.id: an object cannot fill a hole. Use a scalar type.$",
    ),
    "a list of objects in a hole": (
        {"route": "things/{id}", "id": list[Inner]},
        r"^Args.id: an object cannot fill a hole",
    ),
    "a text or an object in a hole": (
        {"route": "things/{id}", "id": str | Inner},
        r"^Args.id: an object cannot fill a hole",
    ),
    "a hole that may stay empty": (
        {"route": "things/{id}", "id": (str | None, None)},
        r"^Args.id: fills a hole but may be absent. Make it required or give a default.$",
    ),
    "a hole that may be null": (
        {"route": "things/{id}", "id": str | None},
        r"^Args.id: fills a hole but may be null. Drop None from its type.$",
    ),
    "a body of a GET": (
        {"name": Annotated[str, Body()]},
        r"^Args.name: a GET has no body. Remove Body\(\) or use post.$",
    ),
    "a static body of a GET": (
        {"conventions": Conventions(has_static_body=True), "name": str},
        r"^Args: a GET has no body. Remove static_body or use post.$",
    ),
    "an object in a flat query": (
        {"inner": Inner},
        r"^Args.inner: an object does not fit query style 'repeat'. Use Query\(style='deep'\) or a Format.$",
    ),
    "a list of objects in a comma query": (
        {"inner": Annotated[list[Inner], Query(style="comma")]},
        r"^Args.inner: an object does not fit query style 'comma'",
    ),
    "an object in a header": (
        {"inner": Annotated[Inner, Header("X-Inner")]},
        r"^Args.inner: an object cannot be a header. Use a scalar type or a Format.$",
    ),
    "what is no header name": (
        {"value": Annotated[str, Header("X Value")]},
        r"^Args.value: 'X Value' is no header name. Use letters, digits and hyphens.$",
    ),
    "a header name with a line break": (
        {"value": Annotated[str, Header("X-A\r\nB")]},
        r"is no header name",
    ),
    "two fields in one header": (
        {"a": Annotated[str, Header("X-Trace")], "b": Annotated[str, Header("x-trace")]},
        r"^Args: a and b share the header 'x-trace'. Remove one of them.$",
    ),
    "two places for one field": (
        {"a": Annotated[str, Query(), Header("X-A")]},
        r"^Args.a: is marked Query and Header. Keep one of them.$",
    ),
    "a format that is not known": (
        {"a": Annotated[str, Format("base65")]},
        r"^Args.a: no format 'base65'. Use one of base64, .*, or a function.$",
    ),
    "a raw body beside another": (
        {"method": "POST", "a": Annotated[str, Body(raw="text/plain")], "b": str},
        r"^Args.a: a raw body stands alone. Give it the default None, or move the other fields and static_body.$",
    ),
    "a raw body that is an object, beside another": (
        {"method": "POST", "a": (Annotated[Inner | None, Body(raw="text/plain")], None), "b": str},
        r"^Args.a: a raw body is text or bytes",
    ),
    "a hole of some routes that is always there": (
        {"route": "a/{b}", "conventions": Conventions(also=("c",)), "b": str},
        r"^Args.b: fills a hole of some routes only, but is always there. Give it the default None.$",
    ),
    "a hole of another route that nothing fills": (
        {"route": "a", "conventions": Conventions(also=("a/{c}",))},
        r"^Args: no field fills the hole \{c\} of 'a/\{c\}'. Add a field c.$",
    ),
    "two routes for the same arguments": (
        {"route": "a/{b}", "conventions": Conventions(also=("c/{b}",)), "b": str},
        r"^Args: two routes have the same holes. Keep one of them.$",
    ),
    "a raw body beside a static one": (
        {
            "method": "POST",
            "conventions": Conventions(has_static_body=True),
            "a": Annotated[str, Body(raw="text/plain")],
        },
        r"^Args.a: a raw body stands alone",
    ),
    "a raw body that is an object": (
        {"method": "POST", "a": Annotated[Inner, Body(raw="text/plain")]},
        r"^Args.a: a raw body is text or bytes. Give it a Format or drop raw.$",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_declaration_that_cannot_work_is_refused_with_its_fix(name: str) -> None:
    declaration, message = REFUSED[name]
    with pytest.raises(DeclarationError, match=message):
        plan_of(**declaration)


@pytest.mark.parametrize(
    "header",
    "Host Content-Length Transfer-Encoding Connection Cookie Set-Cookie Authorization authorization X-Forwarded-For "
    "X-Forwarded-Host Forwarded X-HTTP-Method-Override X-Method-Override Proxy-Authorization Proxy-Connection "
    "Content-Type Content-Encoding Accept-Encoding Upgrade TE Trailer Expect Via Keep-Alive Sec-Fetch-Site".split(),
)
def test_a_model_may_not_set_a_header_that_steers_the_request(header: str) -> None:
    message = (
        rf"^Args.value: header '{header}' may not be set by a model. Set it on the Api or per call instead.$"
    )
    with pytest.raises(DeclarationError, match=message):
        plan_of(value=Annotated[str, Header(header)])


@pytest.mark.parametrize("header", ["X-API-Key", "x-api-key", "Stripe-Version"])
def test_a_model_may_not_set_the_credential_or_a_static_header(header: str) -> None:
    closed = Conventions(closed_headers=frozenset({"x-api-key", "stripe-version"}))
    with pytest.raises(DeclarationError, match=r"may not be set by a model"):
        plan_of(conventions=closed, value=Annotated[str, Header(header)])


def test_an_args_class_has_named_fields() -> None:
    with pytest.raises(
        DeclarationError, match=r"^shop__things: Items is a RootModel. Declare an args class with"
    ):
        read_plan("shop__things", "POST", "things", Items, Conventions())


def test_an_args_class_may_not_be_open_at_the_top() -> None:
    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")

    with pytest.raises(
        DeclarationError, match=r"^Open: extra='allow' says not where unknown arguments go. Add a field"
    ):
        read_plan("shop__things", "POST", "things", Open, Conventions())


def test_case_is_resolved_through_the_whole_model_graph() -> None:
    plan = plan_of("POST", conventions=Conventions(Case.PASCAL), some_thing=dict[str, list[Inner]], other=str)
    assert [field.wire for model in plan.graph.values() for field in model.fields.values()] == [
        "SomeThing",
        "Other",
        "Name",
    ]


Text = Annotated[str | None, Clearable()]


class Noted(BaseModel):
    note: Text = None


@pytest.mark.parametrize(
    ("method", "field", "told"),
    [
        ("GET", (Text, None), "a query carries no null. Move it to the body or drop Clearable"),
        ("DELETE", (Annotated[list[Noted], Query(style="deep")], []), "a query carries no null"),
        ("POST", (Annotated[Text, Header("X-Note")], None), "a header carries no null"),
        ("POST", (Annotated[str | None, Clearable(), Path()], "x"), "a path carries no null"),
        ("PUT", (Annotated[Text, Body(raw="text/plain")], None), "is the whole body"),
        (
            "PATCH",
            (Annotated[list[str] | None, Clearable()], None),
            r"is the whole body. Use Body\(embed=True\)",
        ),
    ],
)
def test_a_field_that_null_clears_is_a_member_of_a_body(method: str, field: Any, told: str) -> None:
    route = "things/{note}" if "path" in told else "things"
    with pytest.raises(DeclarationError, match=rf"Args\.note: is Clearable, but .*{told}"):
        plan_of(method, route, note=field)


class Flat(BaseModel):
    size: int = 0
    inner: Inner | None = None


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"flat": Annotated[Flat, Query(style="spread")]}, "Args.flat: spreads an object with another in it"),
        (
            {"inner": Annotated[Inner, Query(style="spread")], "name": str},
            "Args.inner: spreads a member 'name' that name sends too",
        ),
        (
            {"each": Annotated[list[Inner], Query(style="spread")]},
            "an object does not fit query style 'spread'",
        ),
        ({"inner": Annotated[Inner, Query(style="pipe")]}, "an object does not fit query style 'pipe'"),
    ],
)
def test_what_cannot_be_spread_over_a_query_is_refused(fields: Any, told: str) -> None:
    with pytest.raises(DeclarationError, match=told):
        plan_of("GET", **fields)
