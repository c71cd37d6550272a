"""The view: what validates as arguments, how refusals are spelled, and that a narrower view never takes more."""

import copy
from typing import Annotated, Any, Literal

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    create_model,
    field_validator,
    model_validator,
)

from charter import Api, Case, DeclarationError, Mode, Tool, ToolValidationError
from charter.plan import Conventions, Plan, read_plan
from charter.schema.view import build_view_model, validate_arguments
from tests.schema.drawing import ARGS_MODELS, Drawn, almost

api = Api("shop", base_url="https://shop.example", case=Case.CAMEL)


class Guest(BaseModel):
    first_name: str
    nick_names: list[Annotated[str, Field(max_length=3)]] = []


class Wide(BaseModel):
    min_size: int
    max_size: int

    @model_validator(mode="after")
    def check(self) -> "Wide":
        if self.min_size > self.max_size:
            raise ValueError("minSize is above maxSize")
        return self


class Booking(BaseModel):
    """Book a table."""

    guest_list: list[Guest]
    by_key: dict[str, Guest | Wide] = {}
    table_size: Wide | None = None
    mixed: int | Wide | list[Wide] | None = None
    when: Annotated[
        str, BeforeValidator(lambda value: value.strip() if isinstance(value, str) else value)
    ] = "now"

    @field_validator("when")
    @classmethod
    def check_when(cls, value: str) -> str:
        if value == "never":
            raise ValueError("is never")
        return value

    @model_validator(mode="before")
    @classmethod
    def check_whole(cls, data: Any) -> Any:
        assert set(data) <= set(cls.model_fields), "validators see Python names"
        return data


def plan_of(args: type[BaseModel], **conventions: Any) -> Plan:
    return read_plan("tool", "POST", "things", args, Conventions(Case.CAMEL, **conventions))


def problems(arguments: Any, args: type[BaseModel] = Booking) -> list[tuple[str, str]]:
    with pytest.raises(ToolValidationError) as raised:
        validate_arguments(plan_of(args), arguments)
    return [(problem["field"], problem["problem"]) for problem in raised.value.errors]


def test_arguments_become_an_instance_of_the_authors_own_class() -> None:
    booking = validate_arguments(plan_of(Booking), {"guestList": [{"firstName": "Ann"}], "when": " soon "})
    assert type(booking) is Booking
    assert (booking.guest_list[0].first_name, booking.when) == ("Ann", "soon")
    assert booking.model_fields_set == {"guest_list", "when"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"guestList": [{}]}, [("guestList.0.firstName", "is missing")]),
        (
            {"guestList": [{"firstName": "Ann", "nickNames": ["x", "long"]}]},
            [("guestList.0.nickNames.1", "String should have at most 3 characters, got 'long'")],
        ),
        ({"guestList": [], "when": "never"}, [("when", "is never, got 'never'")]),
        (
            {"guestList": [], "tableSize": {"minSize": 3, "maxSize": 2}},
            [("tableSize", "minSize is above maxSize")],
        ),
        (
            {"guestList": [], "byKey": {"a.b": {"firstName": "x", "maxSize": 1}}},
            [("byKey.a.b.maxSize", "is no argument")],
        ),
        (
            {"guestList": [], "byKey": {"k": {"minSize": "x", "maxSize": 1}}},
            [("byKey.k.minSize", "Input should be")],
        ),
        ({"guestList": "x"}, [("guestList", "Input should be a valid list, got 'x'")]),
        ({"guestList": [], "mixed": [[]]}, [("mixed.0", "Input should be a valid dictionary")]),
        ({"guestList": [], "mixed": {"minSize": 1}}, [("mixed.maxSize", "is missing")]),
        ({"guestList": [], "mixed": {"minSize": 2, "maxSize": 1}}, [("mixed", "minSize is above maxSize")]),
    ],
    ids=str,
)
def test_every_refusal_is_spelled_by_wire_names(arguments: Any, told: list[tuple[str, str]]) -> None:
    found = problems(arguments)
    assert [field for field, _ in found] == [field for field, _ in told]
    for (_, problem), (_, start) in zip(found, told, strict=True):
        assert problem.startswith(start)


def test_no_refusal_names_a_view_or_links_anywhere() -> None:
    with pytest.raises(ToolValidationError) as raised:
        validate_arguments(plan_of(Booking), {"guestList": [3], "tableSize": "x", "when": 5})
    for text in (str(raised.value), raised.value.for_model()):
        assert "http" not in text
        assert "View" not in text


def test_a_validators_own_bug_is_its_own() -> None:
    def fail(_: Any) -> Any:
        raise KeyError("a bug of the author's")

    args = create_model("Args", value=(Annotated[str, BeforeValidator(fail)], ...))
    with pytest.raises(KeyError, match="a bug of the author's"):
        validate_arguments(plan_of(args), {"value": "x"})


def test_an_alias_does_not_stand_in_the_way() -> None:
    class Aliased(BaseModel):
        model_config = ConfigDict(populate_by_name=False)

        inner_id: str = Field(alias="@id")
        either: str = Field(validation_alias="in", serialization_alias="out")

    args = create_model("Args", value=(Aliased, ...), many=(list[Aliased], []))
    for spelling in ({"@id": "x", "out": "y"}, {"inner_id": "x", "either": "y"}):
        validated: Any = validate_arguments(plan_of(args), {"value": spelling, "many": [spelling]})
        assert (validated.value.inner_id, validated.many[0].either) == ("x", "y")


# The view as a Pydantic model


def test_a_view_is_the_class_with_the_calls_own_validation() -> None:
    view = build_view_model(plan_of(Booking))
    assert issubclass(view, Booking)
    assert (view.__name__, view.__doc__, view.__module__) == ("Booking", "Book a table.", __name__)
    assert view.model_fields.keys() == Booking.model_fields.keys()
    for spelling in ("guestList", "guest_list", "GuestList"):
        assert (
            view.model_validate({spelling: [{"first_name": "Ann"}]}).model_dump()["guest_list"][0][
                "first_name"
            ]
            == "Ann"
        )
    assert view.model_validate_json('{"guestList": []}').model_dump(exclude_unset=True) == {"guest_list": []}
    assert view.model_validate(Booking(guest_list=[])) == Booking(guest_list=[])


@pytest.mark.parametrize(
    "arguments", [{}, {"guestList": [], "colour": 1}, {"guestList": [], "when": "never"}, [], "x", 3]
)
def test_a_view_refuses_what_a_call_refuses(arguments: Any) -> None:
    with pytest.raises(ValidationError, match="Booking"):
        build_view_model(plan_of(Booking)).model_validate(arguments)


def test_a_view_writes_the_schema_that_is_sent() -> None:
    tool = api.post("bookings", Booking)
    assert tool.llm_schema().model_json_schema() == tool.to_json_schema()["parameters"]


# Narrower views (P7)


class Address(BaseModel):
    city: str | None = None
    zip_code: str | None = None


class Person(BaseModel):
    name: str
    home: Address | None = None
    offices: list[Address] = []
    friends: "list[Person]" = []
    secret: Annotated[str | None, Mode("response_only")] = None
    level: Annotated[int | None, Mode("pro")] = None


class Wanted(BaseModel):
    """Look for somebody."""

    person: Person | None = None
    kind: Literal["one", "all"] = "one"
    by_role: dict[str, Person] = {}
    depth: Annotated[int | None, Mode("pro")] = None


wanted = api.post("search", Wanted)


def takes(tool: Tool, value: Any) -> bool:
    try:
        validate_arguments(tool.plan, copy.deepcopy(value))
    except ToolValidationError:
        return False
    return True


def sent(tool: Tool, value: Any) -> Any:
    return validate_arguments(tool.plan, value).model_dump(exclude_unset=True)


addresses = st.fixed_dictionaries({}, optional={"city": st.just("Oslo"), "zipCode": st.just("1")})
persons: st.SearchStrategy[Any] = st.deferred(
    lambda: st.fixed_dictionaries(
        {"name": st.just("Ann")},
        optional={
            "home": addresses,
            "offices": st.lists(addresses, max_size=2),
            "friends": st.lists(persons, max_size=1),
            "level": st.integers(0, 3),
            "secret": st.just("x"),
        },
    )
)
searches = st.fixed_dictionaries(
    {},
    optional={
        "person": persons,
        "kind": st.sampled_from(["one", "all", "none"]),
        "byRole": st.dictionaries(st.just("boss"), persons, max_size=1),
        "depth": st.integers(0, 3),
    },
)


@st.composite
def narrowings(draw: st.DrawFn) -> dict[str, Any]:
    paths = wanted.with_mode("pro").paths(depth=3) if draw(st.booleans()) else wanted.paths(depth=3)
    some = st.lists(st.sampled_from(paths), max_size=3, unique=True)
    pins = st.sampled_from([{}, {"kind": "all"}, {"person.home.city": "Rome"}, {"byRole.level": 3}])
    return {"keep": draw(some), "drop": draw(some), "pin": draw(pins)}


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.lists(narrowings() | st.sampled_from(["pro", "basic"]), min_size=1, max_size=3))
def test_a_narrower_view_never_takes_what_its_base_refuses(data: st.DataObject, steps: list[Any]) -> None:
    tool = base = wanted
    for step in steps:
        try:
            if isinstance(step, str):
                tool, base = tool.with_mode(step), base.with_mode(step)
            else:
                tool = tool.derived(**step)
        except DeclarationError:
            assume(False)
    assert set(tool.paths(depth=4)) <= set(base.paths(depth=4))
    value = data.draw(searches)
    if takes(tool, value):
        assert takes(base, value)
    shown = set(tool.to_json_schema()["parameters"]["properties"])
    for name in set(base.to_json_schema()["parameters"]["properties"]) - shown:
        if name in value:
            assert not takes(tool, {name: value[name]})


class Move(BaseModel):
    """Move an issue."""

    issue_id: str
    team_key: str | None = None
    color: Literal["team_key", "red"] = "red"

    @model_validator(mode="after")
    def _check(self) -> "Move":
        if self.issue_id == self.team_key:
            raise ValueError("issue_id and team_key are one; issue_ids are not")
        if self.issue_id == "long":
            raise ValueError("x" * 10_000)
        return self

    @field_validator("issue_id")
    @classmethod
    def _check_id(cls, value: str) -> str:
        if value == "none":
            raise ValueError("issue_id is none")
        return value


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"issueId": "a", "teamKey": "a"}, "issueId and teamKey are one; issue_ids are not"),
        ({"issue_id": "none"}, "issueId: issueId is none, got 'none'"),
        ({"issueId": "b", "color": "blue"}, "color: Input should be 'team_key' or 'red', got 'blue'"),
    ],
)
def test_an_authors_own_sentence_names_arguments_as_the_model_sees_them(
    arguments: dict[str, str], problem: str
) -> None:
    with pytest.raises(ToolValidationError) as raised:
        validate_arguments(api.post("moves", Move).plan, arguments)
    assert str(raised.value) == f"shop__move: {problem}"


def test_an_authors_own_sentence_is_cut_where_it_is_long() -> None:
    with pytest.raises(ToolValidationError) as raised:
        validate_arguments(api.post("moves", Move).plan, {"issueId": "long"})
    assert len(str(raised.value)) < 600


def test_a_hosts_object_cannot_take_the_place_of_what_is_pinned_in_it() -> None:
    class Seat(BaseModel):
        row: str
        price: int = 1

    class SeatsBook(BaseModel):
        """Book a seat."""

        seat: Seat

    tool = api.post("seats", SeatsBook).derived(pin={"seat.price": 5})
    read = validate_arguments(tool.plan, {"seat": Seat(row="a")})
    assert read.model_dump() == {"seat": {"row": "a", "price": 5}}
    for arguments in ({"seat": Seat(row="a", price=9)}, SeatsBook(seat=Seat(row="a", price=9))):
        with pytest.raises(ToolValidationError, match=r"seat\.price: is no argument"):
            validate_arguments(tool.plan, arguments)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), ARGS_MODELS)
def test_any_tool_without_one_of_its_fields_takes_the_rest_and_no_more(
    data: st.DataObject, drawn: Drawn
) -> None:
    tool = Api("shop", base_url="https://shop.example").post("things", drawn.annotation)
    path = data.draw(st.sampled_from(tool.paths()))
    assume("." not in path)
    try:
        narrowed = tool.derived(drop=[path])
    except DeclarationError:
        assert tool.plan.root.find(path).is_required  # pyright: ignore[reportOptionalMemberAccess]
        return
    value = data.draw(almost(drawn.values) | drawn.values)
    assert takes(narrowed, value) == (takes(tool, value) and path not in value)
    assert path not in narrowed.to_json_schema()["parameters"]["properties"]
