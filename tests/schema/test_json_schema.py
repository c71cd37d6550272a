"""The schema a model is sent: how it is written, and that it takes exactly what a call takes."""

import enum
import json
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import Base64Bytes, BaseModel, ConfigDict, Field, RootModel, create_model

from charter import Case, Clearable, Format, Gloss, Mode, Path, ToolValidationError, WireName
from charter.plan import Conventions, Plan, read_plan
from charter.schema.json_schema import render_parameters
from charter.schema.view import validate_arguments
from tests.schema.drawing import ARGS_MODELS, Drawn, almost

T = TypeVar("T")


class Leaf(BaseModel):
    """A small thing.

    More for readers of the code.
    """

    leaf_name: str


class Tree(BaseModel):
    name: str
    children: list["Tree"] = []


class Page(BaseModel, Generic[T]):
    items: list[T]


class Leaves(RootModel[list[Leaf]]):
    pass


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


def plan_of(args: type[BaseModel], **conventions: Any) -> Plan:
    return read_plan("tool", "POST", "things", args, Conventions(**conventions))


def render(args: type[BaseModel], **conventions: Any) -> dict[str, Any]:
    return render_parameters(plan_of(args, **conventions))


def field(annotation: Any, default: Any = ..., **conventions: Any) -> Any:
    return render(create_model("Args", value=(annotation, default)), **conventions)["properties"]["value"]


def nodes_of(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield every schema within a schema, and nothing that is only data."""
    yield schema
    for key in ("properties", "$defs"):
        for child in schema.get(key, {}).values():
            yield from nodes_of(child)
    for key in ("anyOf", "oneOf", "prefixItems"):
        for child in schema.get(key, ()):
            yield from nodes_of(child)
    for key in ("items", "additionalProperties", "propertyNames"):
        if isinstance(schema.get(key), dict):
            yield from nodes_of(schema[key])


# How it is written


@pytest.mark.parametrize(
    ("annotation", "default", "written"),
    [
        (str, ..., {"type": "string"}),
        (str | None, None, {"type": "string"}),
        (str | None, ..., {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (str, "x", {"type": "string", "default": "x"}),
        (str, "", {"type": "string"}),
        (list[str], [], {"type": "array", "items": {"type": "string"}}),
        (list[str] | None, None, {"type": "array", "items": {"type": "string"}}),
        (set[int], ..., {"type": "array", "items": {"type": "integer"}}),
        (frozenset[int], ..., {"type": "array", "items": {"type": "integer"}}),
        (int | str | None, None, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (Literal["a", "b"] | None, None, {"type": "string", "enum": ["a", "b"]}),
        (Literal["a", None], None, {"enum": ["a"]}),
        (Literal["a"], "a", {"type": "string", "const": "a"}),
        (Colour, ..., {"type": "string", "enum": ["red", "blue"]}),
        (Decimal, ..., {"type": "number"}),
        (datetime, ..., {"type": "string", "format": "date-time"}),
        (Annotated[datetime, Format("unix-time")], ..., {"type": "string", "format": "date-time"}),
        (
            Annotated[int, Field(ge=1, description="How many.")],
            ...,
            {"type": "integer", "minimum": 1, "description": "How many."},
        ),
        (Annotated[int, Gloss("Cents.")], ..., {"type": "integer", "description": "Cents."}),
        (
            Annotated[int, Field(description="Price."), Gloss("Cents.")],
            ...,
            {"type": "integer", "description": "Price. Cents."},
        ),
        (Annotated[int, Field(title="Own title")], ..., {"type": "integer", "title": "Own title"}),
        (dict[str, int], ..., {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Any, ..., {}),
    ],
    ids=str,
)
def test_a_field_is_written_without_what_says_nothing(annotation: Any, default: Any, written: Any) -> None:
    assert field(annotation, default) == written


LEAF = {
    "type": "object",
    "description": "A small thing.",
    "properties": {"leaf_name": {"type": "string"}},
    "required": ["leaf_name"],
    "additionalProperties": False,
}


def test_an_object_is_closed_and_in_place_where_it_is_used_once() -> None:
    assert field(Leaf) == LEAF
    assert field(Leaf | None, None) == LEAF
    assert field(list[Leaf]) == {"type": "array", "items": LEAF}
    assert field(Leaves) == {"type": "array", "items": LEAF}
    assert field(Page[Leaf])["properties"]["items"]["items"] == LEAF


def test_a_fields_own_description_goes_before_its_types() -> None:
    assert field(Annotated[Leaf, Field(description="Mine.")])["description"] == "Mine."


def test_what_is_used_twice_is_written_once() -> None:
    schema = render(create_model("Args", a=(Leaf, ...), b=(list[Leaf], ...)))
    assert schema["$defs"] == {"Leaf": LEAF}
    assert schema["properties"] == {
        "a": {"$ref": "#/$defs/Leaf"},
        "b": {"type": "array", "items": {"$ref": "#/$defs/Leaf"}},
    }


def test_what_holds_itself_is_referred_to() -> None:
    schema = render(create_model("Args", tree=(Tree, ...)))
    assert schema["properties"]["tree"] == {"$ref": "#/$defs/Tree"}
    assert schema["$defs"]["Tree"]["properties"]["children"] == {
        "type": "array",
        "items": {"$ref": "#/$defs/Tree"},
    }


def test_the_root_is_a_plain_object_even_where_it_holds_itself() -> None:
    schema = render(Tree)
    assert (schema["type"], set(schema["properties"]), schema["required"]) == (
        "object",
        {"name", "children"},
        ["name"],
    )
    assert set(schema["$defs"]) == {"Tree"}


def test_the_roots_own_docstring_is_the_tools_and_not_the_schemas() -> None:
    assert "description" not in render(Leaf)


def test_names_are_those_of_the_wire_at_every_depth() -> None:
    class Inner(BaseModel):
        wire_case: ClassVar = Case.KEBAB
        max_size: int
        by_name: Annotated[str, WireName("BY.name")]

    class Args(BaseModel):
        user_id: Annotated[str, Path()]
        some_inner: dict[str, list[Inner]]

    schema = render_parameters(read_plan("tool", "POST", "users/{userId}", Args, Conventions(Case.CAMEL)))
    assert list(schema["properties"]) == schema["required"] == ["userId", "someInner"]
    inner = schema["properties"]["someInner"]["additionalProperties"]["items"]
    assert list(inner["properties"]) == inner["required"] == ["max-size", "BY.name"]


def test_a_title_of_the_authors_own_is_kept() -> None:
    class Titled(BaseModel):
        model_config = ConfigDict(title="Own title")

        name: str

    assert field(Titled)["title"] == "Own title"


def test_what_is_withheld_is_withheld_in_every_container_and_cycle() -> None:
    class Node(BaseModel):
        name: str
        secret: Annotated[str | None, Mode("response_only")] = None
        nodes: "list[Node] | dict[str, Node] | None" = None
        pair: "tuple[Node, int] | None" = None

    schema = render(
        create_model(
            "Args", node=(list[dict[str, Node]], ...), pro=(Annotated[Leaf | None, Mode("pro")], None)
        )
    )
    assert "secret" not in json.dumps(schema)
    assert "pro" not in schema["properties"]
    assert "Leaf" not in json.dumps(schema)
    assert (
        "pro"
        in render(create_model("Args", pro=(Annotated[Leaf | None, Mode("pro")], None)), modes=("pro",))[
            "properties"
        ]
    )


def test_an_open_model_stays_open() -> None:
    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")

        name: str

    assert field(Open).get("additionalProperties", True) is True


def test_a_default_that_json_has_not_is_left_out() -> None:
    assert "default" not in field(Any, object())


def test_a_reference_in_an_example_is_data() -> None:
    example = {"$ref": "#/components/schemas/Pet"}
    assert field(dict[str, Any], Field(examples=[example]))["examples"] == [example]


# What holds for every args model. The types are drawn in drawing.py.


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ARGS_MODELS)
def test_every_schema_is_valid_closed_and_without_noise(drawn: Drawn) -> None:
    schema = render(drawn.annotation)
    jsonschema.Draft202012Validator.check_schema(schema)
    for node in nodes_of(schema):
        assert "title" not in node
        assert node.get("default", ...) is not None
        if "properties" in node and "known" not in node["properties"]:
            assert node["additionalProperties"] is False
            for name in node["properties"].keys() - set(node.get("required", ())):
                assert {"type": "null"} not in node["properties"][name].get("anyOf", ())
    text = json.dumps(schema)
    for name, definition in schema.get("$defs", {}).items():
        reference = f'"#/$defs/{name}"'
        assert text.count(reference) > 1 or reference in json.dumps(definition)


FORMATS = jsonschema.FormatChecker(formats=())


@FORMATS.checks("date-time", raises=ValueError)
def is_date_time(value: object) -> bool:
    return not isinstance(value, str) or bool(datetime.fromisoformat(value))


def schema_takes(plan: Plan, value: Any) -> bool:
    return jsonschema.Draft202012Validator(render_parameters(plan), format_checker=FORMATS).is_valid(value)


def call_takes(plan: Plan, value: Any) -> bool:
    try:
        validate_arguments(plan, value)
    except ToolValidationError as error:
        assert error.errors
        return False
    return True


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), ARGS_MODELS)
def test_the_schema_and_a_call_take_what_fits(data: st.DataObject, drawn: Drawn) -> None:
    plan = plan_of(drawn.annotation)
    value = data.draw(drawn.values)
    assert schema_takes(plan, value)
    validate_arguments(plan, value)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), ARGS_MODELS)
def test_the_schema_and_a_call_take_and_refuse_the_same(data: st.DataObject, drawn: Drawn) -> None:
    plan = plan_of(drawn.annotation)
    value = data.draw(almost(drawn.values))
    assert call_takes(plan, value) == schema_takes(plan, value)


class Cleared(BaseModel):
    leaf: Annotated[Leaf | None, Clearable()] = None
    kind: Annotated[Literal["a", "b"] | None, Clearable(), Gloss("Its kind.")] = None
    other: Literal["a"] | None = None
    by_key: dict[str, Annotated[int | None, Clearable()]] = {}


def test_null_stands_in_the_schema_where_it_clears_and_nowhere_else() -> None:
    schema = render_parameters(read_plan("tool", "POST", "things", Cleared, Conventions()))
    leaf = schema["properties"].pop("leaf")
    assert (leaf["anyOf"][1], leaf["description"]) == ({"type": "null"}, "Null clears it.")
    assert schema["properties"] == {
        "kind": {
            "type": ["string", "null"],
            "enum": ["a", "b", None],
            "description": "Its kind. Null clears it.",
        },
        "other": {"type": "string", "const": "a"},
        "by_key": {
            "type": "object",
            "additionalProperties": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        },
    }


class Stored(BaseModel):
    data: Annotated[bytes, Field(min_length=2, max_length=4)] = b"ab"
    own: Base64Bytes | None = None


def test_bytes_are_described_as_base64_by_the_size_of_their_text() -> None:
    data = {"type": "string", "contentEncoding": "base64", "minLength": 3, "maxLength": 8, "default": "YWI="}
    assert field(Stored)["properties"] == {"data": data, "own": {"type": "string", "format": "base64"}}


def test_a_closed_set_names_each_value_once() -> None:
    assert field(Literal["red", Colour.RED, "green"])["enum"] == ["red", "green"]
    assert field(Literal[1, True, "1"])["enum"] == [1, True, "1"]
