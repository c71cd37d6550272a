"""Arguments: what is forgiven, what is refused, and what each refusal says."""

import json
import time
from datetime import UTC, date, datetime
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, JsonValue, RootModel, create_model

import charter.schema.arguments
from charter import (
    AllOrNone,
    AtLeastOneOf,
    Case,
    ConflictsWith,
    ExactlyOneOf,
    Format,
    Mode,
    NotOnly,
    Requires,
    ToolValidationError,
    WireName,
)
from charter.plan import Conventions, read_plan
from charter.schema.receiving import MAX_DEPTH
from charter.schema.view import validate_arguments


class Leaf(BaseModel):
    leaf_name: str
    leaf_size: int | None = None


class Tree(BaseModel):
    name: str
    children: list["Tree"] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str] = []


class Leaves(RootModel[list[Leaf]]):
    pass


def read(arguments: Any, case: Case | None = Case.CAMEL, **fields: Any) -> dict[str, Any]:
    """Return what validating the arguments against these fields set."""
    written = {name: field if isinstance(field, tuple) else (field, ...) for name, field in fields.items()}
    return validate(arguments, create_model("Args", **written), case)


def validate(arguments: Any, args: type[BaseModel], case: Case | None = Case.CAMEL) -> dict[str, Any]:
    plan = read_plan("tool", "POST", "things", args, Conventions(case))
    return validate_arguments(plan, arguments).model_dump(exclude_unset=True)


def problems(arguments: Any, args: Any = None, **fields: Any) -> list[tuple[str, str]]:
    """Return field and problem of everything that is refused."""
    with pytest.raises(ToolValidationError) as raised:
        validate(arguments, args) if args else read(arguments, **fields)
    assert str(raised.value).startswith("tool: ")
    return [(problem["field"], problem["problem"]) for problem in raised.value.errors]


# Forgiven


@pytest.mark.parametrize("key", ["max_results", "maxResults", "MaxResults", "max-results", "MAX_RESULTS"])
def test_a_name_is_taken_in_every_common_spelling(key: str) -> None:
    assert read({key: 3}, max_results=int) == {"max_results": 3}
    assert read({"inner": [{key: "x"}]}, inner=list[create_model("Inner", max_results=(str, ...))]) == {
        "inner": [{"max_results": "x"}]
    }


@pytest.mark.parametrize(
    ("annotation", "text", "value"),
    [
        (Leaf, '{"leafName": "x"}', {"leaf_name": "x"}),
        (Leaf | None, '{"leaf_name": "x"}', {"leaf_name": "x"}),
        (list[str], '["a", "b"]', ["a", "b"]),
        (list[Leaf], '[{"leaf_name": "x"}]', [{"leaf_name": "x"}]),
        (list[Leaf], ['{"leaf_name": "x"}'], [{"leaf_name": "x"}]),
        (dict[str, int], '{"a_b": 1}', {"a_b": 1}),
        (Leaves, '[{"leaf_name": "x"}]', [{"leaf_name": "x"}]),
        (Leaf | list[Leaf], '[{"leaf_name": "x"}]', [{"leaf_name": "x"}]),
        (Cat | Dog, '{"kind": "dog"}', {"kind": "dog"}),
        (Leaf, ' \n{"leaf_name": "x"} ', {"leaf_name": "x"}),
        (
            Tree,
            '{"name": "a", "children": "[{\\"name\\": \\"b\\"}]"}',
            {"name": "a", "children": [{"name": "b"}]},
        ),
    ],
    ids=str,
)
def test_an_object_or_a_list_may_come_as_its_json(annotation: Any, text: Any, value: Any) -> None:
    assert read({"value": text}, value=annotation) == {"value": value}


@pytest.mark.parametrize(
    "annotation", [str, str | None, str | Leaf, Leaf | str, Any, JsonValue, str | list[str]]
)
@pytest.mark.parametrize("text", ['{"leaf_name": "x"}', '["a"]', "[", "null", "3", "true"])
def test_a_text_that_looks_like_json_stays_a_text(annotation: Any, text: str) -> None:
    assert read({"value": text}, value=annotation) == {"value": text}


@pytest.mark.parametrize(
    ("annotation", "given", "value"),
    [
        (int, "7", 7),
        (int, "-7", -7),
        (int, 7.0, 7),
        (float, "1.5", 1.5),
        (float, 7, 7.0),
        (bool, "true", True),
        (list[int], ["7", 8], [7, 8]),
        (dict[str, float], {"a": "1.5"}, {"a": 1.5}),
        (int | None, "7", 7),
        (Literal[1, 2], "2", 2),
    ],
    ids=str,
)
def test_a_number_may_come_as_digits(annotation: Any, given: Any, value: Any) -> None:
    assert read({"value": given}, value=annotation) == {"value": value}


def test_null_for_what_may_be_left_out_leaves_it_out() -> None:
    fields: dict[str, Any] = {"a": (str, "x"), "b": (str | None, None), "c": (list[str], []), "d": str | None}
    assert read({"a": None, "b": None, "c": None, "d": None}, **fields) == {"d": None}
    assert problems({"a": None}, a=str) == [("a", "Input should be a valid string, got None")]


def test_null_inside_a_map_or_list_is_a_value() -> None:
    assert read({"value": {"a": None}}, value=dict[str, str | None]) == {"value": {"a": None}}
    assert read({"value": [None]}, value=list[str | None]) == {"value": [None]}


def test_a_constant_is_sent_with_its_model() -> None:
    class Item(BaseModel):
        kind: Literal["item"] = "item"
        name: str

    assert read({"items": [{"name": "x"}]}, items=list[Item]) == {"items": [{"kind": "item", "name": "x"}]}
    assert problems({"items": [{"name": "x", "kind": "other"}]}, items=list[Item]) == [
        ("items.0.kind", "Input should be 'item', got 'other'")
    ]


def test_objects_of_a_host_are_taken_as_they_are() -> None:
    assert read({"leaf": Leaf(leaf_name="x")}, leaf=Leaf) == {"leaf": {"leaf_name": "x"}}


@pytest.mark.parametrize("arguments", [None, {}, "{}", b"{}"])
def test_nothing_is_an_empty_object(arguments: Any) -> None:
    assert read(arguments, a=(str, "x")) == {}


# Refused


@pytest.mark.parametrize(
    ("annotation", "value", "problem"),
    [
        (int, True, "must be number, got True"),
        (float, False, "must be number, got False"),
        (bool, 1, "must be boolean, got 1"),
        (bool, 0.0, "must be boolean, got 0.0"),
        (int, 1.5, "Input should be a valid integer, got a number with a fractional part, got 1.5"),
        (int, "many", "Input should be a valid integer, unable to parse string as an integer, got 'many'"),
        (str, 3, "must be text, got 3"),
        (str, True, "must be text, got True"),
        (str, ["x"], "Input should be a valid string, got ['x']"),
        (str, {"a": 1}, "Input should be a valid string"),
        (list[str], "x", "Input should be a valid list, got 'x'"),
        (Leaf, "x", "Input should be a valid dictionary or instance of Leaf, got 'x'"),
        (int | str, True, "must be number or text, got True"),
        (Literal["a", "b"], "c", "Input should be 'a' or 'b', got 'c'"),
        (Literal[1], True, "must be number, got True"),
        (float, float("nan"), "must be a finite number"),
        (str, "\ud800", "holds a broken character (a lone surrogate)"),
        (Annotated[int, Field(le=5)], 6, "Input should be less than or equal to 5, got 6"),
    ],
    ids=str,
)
def test_a_wrong_value_is_told_with_what_it_is_and_what_is_wanted(
    annotation: Any, value: Any, problem: str
) -> None:
    assert problems({"value": value}, value=annotation) == [("value", problem)]


def test_a_missing_argument_is_named_as_on_the_wire() -> None:
    assert problems({}, user_id=str, start_at=Annotated[str, WireName("from")]) == [
        ("userId", "is missing"),
        ("from", "is missing"),
    ]


@pytest.mark.parametrize(
    ("key", "advice"),
    [
        ("maxResult", "did you mean maxResults?"),
        ("max_result", "did you mean maxResults?"),
        ("limit", "known: maxResults, q"),
        ("__class__", "known: maxResults, q"),
        ("model_config", "known: maxResults, q"),
    ],
)
def test_an_unknown_argument_is_told_with_the_nearest_real_name(key: str, advice: str) -> None:
    assert problems({key: 1}, max_results=(int, 1), q=(str, "")) == [(key, f"is no argument ({advice})")]


def test_an_unknown_argument_is_refused_at_every_depth() -> None:
    found = problems(
        {"leaf": {"leafName": "x", "colour": 1}, "many": [{"a": {"leafName": "x", "leafSiz": 2}}]},
        leaf=Leaf,
        many=list[dict[str, Leaf]],
    )
    assert [field for field, _ in found] == ["leaf.colour", "many.0.a.leafSiz"]
    assert found[1][1] == "is no argument (did you mean leafSize?)"


def test_an_argument_given_twice_is_refused() -> None:
    assert problems({"max_results": 1, "maxResults": 2}, max_results=int) == [
        ("maxResults", "is given twice, in two spellings")
    ]


def test_a_withheld_field_is_no_argument_by_any_name() -> None:
    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")

        known: str = ""
        hidden_id: Annotated[str | None, Mode("response_only"), WireName("hidden")] = None

    for key in ("hidden_id", "hidden", "hiddenId", "HIDDEN"):
        [(field, _)] = problems(
            {key: "x"}, hidden_id=(Annotated[str | None, Mode("disabled"), WireName("hidden")], None)
        )
        assert field == key
    for key in ("hidden_id", "hidden", "hiddenId"):
        assert problems({"open": {key: "x"}}, open=Open), key
    assert read({"open": {"more": 1}}, open=Open) == {"open": {"more": 1}}


@pytest.mark.parametrize(
    "given", [1772366400, "1772366400", "2026-03-01T12:00:00Z", "2026-03-01T13:00:00+01:00"]
)
def test_a_moment_that_goes_out_as_seconds_may_be_given_as_them(given: Any) -> None:
    moment = datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert read({"at": given}, at=Annotated[datetime, Format("unix-time")]) == {"at": moment}
    if isinstance(given, int):
        assert problems({"at": given}, at=datetime) == [("at", f"must be text, got {given}")]


def test_every_problem_is_told_at_once() -> None:
    class Args(BaseModel):
        wire_rules: ClassVar = (Requires("a", "b"),)

        a: str | None = None
        b: str | None = None
        count: int
        leaf: Leaf

    found = problems({"a": "x", "count": "many", "leaf": {"colour": 1}, "other": 1}, Args)
    assert [field for field, _ in found] == ["leaf.colour", "other", "", "count", "leaf.leafName"]


@pytest.mark.parametrize("arguments", [[], [{}], 3, True, "", "x", "[]", "null", "{", b"\xff", "3"])
def test_arguments_are_an_object(arguments: Any) -> None:
    [(field, problem)] = problems(arguments, a=(str, "x"))
    assert field == ""
    assert problem.startswith("arguments must be an object, got ")


# Rules between fields


class Payment(BaseModel):
    wire_rules: ClassVar = (
        ExactlyOneOf("charge", "payment_intent"),
        AllOrNone("currency", "amount"),
        AtLeastOneOf("amount", "reason_text"),
    )

    charge: str | None = None
    payment_intent: str | None = None
    currency: Annotated[str | None, ConflictsWith("reason_text")] = None
    amount: int | None = None
    reason_text: str | None = None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"charge": "c", "reasonText": "x"}, []),
        ({"reasonText": "x"}, ["give exactly one of charge, paymentIntent"]),
        ({"charge": None, "payment_intent": "p", "reasonText": "x"}, []),
        (
            {"charge": "c", "paymentIntent": "p", "reasonText": "x"},
            ["give exactly one of charge, paymentIntent"],
        ),
        ({"charge": "c", "amount": 0}, ["give all of currency, amount or none"]),
        (
            {"currency": "eur", "reasonText": "x"},
            [
                "give exactly one of charge, paymentIntent",
                "give all of currency, amount or none",
                "give at most one of currency, reasonText",
            ],
        ),
    ],
    ids=str,
)
@pytest.mark.parametrize("depth", ["top", "nested"])
def test_rules_are_judged_by_presence_together_and_by_wire_name(
    arguments: Any, told: list[str], depth: str
) -> None:
    if depth == "top":
        args, given, path = Payment, arguments, ""
    else:
        args, given, path = (
            create_model("Args", items=(list[Payment], ...)),
            {"items": [arguments]},
            "items.0",
        )
    if told:
        assert problems(given, args) == [(path, " or ".join(told))] or problems(given, args) == [
            (path, problem) for problem in told
        ]
    else:
        validate(given, args)


def test_rules_hold_for_fields_that_are_formatted() -> None:
    class Span(BaseModel):
        since: Annotated[datetime | None, Format("unix-time"), ConflictsWith("last_days")] = None
        last_days: int | None = None

    assert problems({"since": "2026-03-01T12:00:00Z", "lastDays": 3}, Span) == [
        ("", "give at most one of since, lastDays")
    ]


# Unions


class Kind(Enum):
    CAT = "cat"
    DOG = "dog"


@pytest.mark.parametrize("discriminator", [None, "kind"])
def test_a_union_is_told_as_the_option_that_its_constant_names(discriminator: str | None) -> None:
    union = Annotated[Cat | Dog, Field(discriminator=discriminator)] if discriminator else Cat | Dog
    assert read({"pet": {"kind": "dog"}}, pet=union) == {"pet": {"kind": "dog"}}
    assert problems({"pet": {"kind": "cat"}}, pet=union) == [("pet.lives", "is missing")]
    assert problems({"pet": {"kind": "dog", "trick": []}}, pet=union) == [
        ("pet.trick", "is no argument (did you mean tricks?)")
    ]


def test_a_union_of_models_and_scalars_takes_each() -> None:
    union = str | int | Leaf | list[Leaf]
    for value in ("x", 3, {"leaf_name": "x"}, [{"leaf_name": "x"}], []):
        assert read({"value": value}, value=union) == {"value": value}
    assert [field for field, _ in problems({"value": {"leafName": "x", "z": 1}}, value=union)] == ["value.z"]


def test_a_member_of_an_enum_is_meant_by_its_value() -> None:
    class Tagged(BaseModel):
        kind: Literal[Kind.CAT]

    assert read({"value": {"kind": "cat"}}, value=Tagged) == {"value": {"kind": Kind.CAT}}
    assert read({"value": "dog"}, value=Kind) == {"value": Kind.DOG}


def test_a_strict_model_takes_what_json_has() -> None:
    class Strict(BaseModel):
        model_config = ConfigDict(strict=True)

        kind: Kind
        size: int

    assert read({"value": {"kind": "cat", "size": 3}}, value=Strict) == {
        "value": {"kind": Kind.CAT, "size": 3}
    }
    assert problems({"value": {"kind": "cat", "size": "3"}}, value=Strict) == [
        ("value.size", "Input should be a valid integer, got '3'")
    ]


# Size and depth: no arguments cost more than reading them once


class Left(BaseModel):
    kind: Literal["left"]
    nodes: "list[Left | Right]" = []
    named: "list[Annotated[Left | Right, Field(discriminator='kind')]]" = []


class Right(BaseModel):
    kind: Literal["right"]
    nodes: "list[Left | Right]" = []
    named: "list[Annotated[Left | Right, Field(discriminator='kind')]]" = []


def nest(depth: int, wrap: Any, inner: Any) -> Any:
    for _ in range(depth):
        inner = wrap(inner)
    return inner


@pytest.mark.parametrize("innermost", [{"kind": "right"}, {"kind": "neither"}])
@pytest.mark.parametrize(("via", "depth"), [("named", MAX_DEPTH // 2 - 2), ("nodes", 6)])
def test_deep_unions_are_read_once(innermost: Any, via: str, depth: int) -> None:
    value = nest(depth, lambda inner: {"kind": "right", via: [inner]}, innermost)
    began = time.process_time()
    if innermost["kind"] == "right":
        assert read({"value": value}, value=Left | Right) == {"value": value}
    else:
        [(field, _)] = problems({"value": value}, value=Left | Right)
        assert field == "value" + f".{via}.0" * depth + ".kind"
    assert time.process_time() - began < 5


def test_unions_within_unions_that_would_be_tried_for_hours_are_refused() -> None:
    value = nest(MAX_DEPTH // 2 - 2, lambda inner: {"kind": "right", "nodes": [inner]}, {"kind": "right"})
    began = time.process_time()
    assert problems({"value": value}, value=Left | Right) == [
        ("", "too many unions lie within each other to be told apart; send less")
    ]
    assert time.process_time() - began < 5


def test_deep_unions_as_json_within_json_are_read_once() -> None:
    value = nest(
        10,
        lambda inner: json.dumps({"kind": "right", "nodes": json.dumps([json.loads(inner)])}),
        '{"kind": "x"}',
    )
    began = time.process_time()
    assert problems({"value": value}, value=Left | Right)
    assert time.process_time() - began < 5


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 150, 10_000])
def test_what_nests_too_deep_is_refused(depth: int) -> None:
    assert problems({"value": nest(depth, lambda inner: [inner], 1)}, value=JsonValue) == [
        ("value", f"is nested deeper than {MAX_DEPTH} levels")
    ]


def test_json_within_json_counts_its_depth() -> None:
    half = nest(30, lambda inner: {"name": "a", "children": [inner]}, {"name": "b"})
    value = nest(
        29, lambda inner: {"name": "a", "children": [inner]}, {"name": "c", "children": json.dumps([half])}
    )
    assert problems({"value": value}, value=Tree)


def test_of_thousands_of_problems_the_first_are_told_and_few_names_looked_up() -> None:
    with pytest.raises(ToolValidationError, match=r"; and 8980 more$") as raised:
        read({"many": [{f"colour{at}": 1} for at in range(4_500)]}, many=list[Leaf])
    assert len(raised.value.errors) == 20
    assert all("known: leafName, leafSize" in each["problem"] for each in raised.value.errors)


def test_close_names_are_looked_up_for_twenty_keys_of_a_call_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_up: list[str] = []

    def look_up(word: str, *_args: Any, **_options: Any) -> list[str]:
        looked_up.append(word)
        return []

    monkeypatch.setattr(charter.schema.arguments, "get_close_matches", look_up)
    many = [{"kind": "right", f"unknown{at}": 1} for at in range(200)]
    assert problems({"many": many}, many=list[Left | Right])
    assert len(looked_up) == 20


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"leafName": }', "is not JSON (Expecting value: line 1 column 14 (char 13))"),
        ('{"leafName": "x"', "is not JSON (Expecting ',' delimiter: line 1 column 17 (char 16))"),
        ("{'leafName': 'x'}", "is not JSON (Expecting property name enclosed in double quotes: line 1"),
        ('[{"leafName": "x"},]', "is not JSON ("),
        ('{"leafName": "x", "leafName": "y"}', "is JSON that gives the key 'leafName' twice"),
        ('{"leafName": NaN}', "is JSON with NaN"),
    ],
)
@pytest.mark.parametrize("annotation", [Leaf, Leaf | None, list[Leaf], Left | Right, dict[str, Leaf]])
def test_a_text_that_is_almost_json_for_an_object_is_told_where_it_breaks(
    annotation: Any, text: str, problem: str
) -> None:
    [(field, told)] = problems({"leaf": text}, leaf=annotation)
    assert field == "leaf"
    assert told.startswith(problem)


@pytest.mark.parametrize("given", ["2026-03-01", " 2026-03-01 ", date(2026, 3, 1)])
def test_a_date_where_a_moment_is_wanted_asks_for_a_time_and_an_offset(given: Any) -> None:
    [(field, problem)] = problems({"start": given}, start=datetime)
    assert field == "start"
    assert problem.startswith(
        "is a date, not a moment; add a time and an offset, such as T09:00:00+02:00, got"
    )
    assert read({"start": "2026-03-01T09:00:00Z"}, start=datetime)


def test_a_date_is_enough_for_a_date_and_for_a_format_that_needs_no_offset() -> None:
    assert read({"day": "2026-03-01"}, day=date) == {"day": date(2026, 3, 1)}
    assert read({"since": "2026-03-01"}, since=Annotated[datetime, Format("unix-time")])
    assert read({"at": "2026-03-01"}, at=date | datetime) == {"at": date(2026, 3, 1)}


def test_an_instance_of_the_model_is_read_as_what_was_given_to_it() -> None:
    class Item(BaseModel):
        kind: Literal["item"] = "item"
        first_name: str
        size: int = 3
        note: str | None = None

    assert validate(Item(first_name="x", note=None), Item) == {"first_name": "x", "kind": "item"}


def test_an_instance_of_another_model_is_no_arguments() -> None:
    assert problems(Leaf(leaf_name="x"), Cat) == [
        ("", "arguments must be an object, got something that JSON has not")
    ]


def test_what_is_withheld_cannot_be_given_inside_an_object_either() -> None:
    class Inner(BaseModel):
        name: str
        internal: Annotated[str | None, Mode("staff")] = None

    assert read({"inner": Inner(name="x")}, inner=Inner) == {"inner": {"name": "x"}}
    [(field, problem)] = problems({"inner": Inner(name="x", internal="y")}, inner=Inner)
    assert (field, problem) == ("inner.internal", "is no argument (known: name)")


# What a model gives back as it read it


class Guest(BaseModel):
    wire_read_only: ClassVar = ("id", "is_self")

    email: str


@pytest.mark.parametrize(
    "given", [{"id": "7"}, {"isSelf": True}, {"is_self": {"any": ["thing"]}}, {"ID": None}]
)
def test_a_read_only_member_is_taken_from_a_model_and_dropped(given: dict[str, Any]) -> None:
    assert read({"guests": [{"email": "a", **given}]}, guests=list[Guest]) == {"guests": [{"email": "a"}]}
    [(field, _)] = problems({"guests": [{"email": "a", **given, "other": 1}]}, guests=list[Guest])
    assert field == "guests.0.other"


class Renaming(BaseModel):
    wire_rules: ClassVar = (NotOnly("thing", "owner"), Requires("colour", "owner"))
    thing: str
    owner: Annotated[str | None, Mode("disabled")] = None
    name: str | None = None
    colour: str | None = None


def test_a_rule_names_no_field_that_the_model_does_not_see() -> None:
    assert problems({"value": {"thing": "t"}}, value=Renaming) == [
        ("value", "give something to change beside thing")
    ]
    assert problems({"value": {"thing": "t", "colour": "red"}}, value=Renaming) == [
        ("value", "colour needs what is withheld here")
    ]
