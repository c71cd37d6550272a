"""Casing: an instance written with the names of the wire, at every depth."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar
from uuid import UUID

import pytest
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    SecretStr,
    create_model,
    field_serializer,
    model_serializer,
    model_validator,
)

from charter import Case, Format, ToolValidationError, TransformError, WireName
from charter.fields import Naming, read_models
from charter.wire.casing import write_fields

T = TypeVar("T")


class Colour(Enum):
    RED = "red"


class Address(BaseModel):
    postal_code: str | None = None
    line_one: str | None = None


class Own(BaseModel):
    wire_case: ClassVar = Case.SNAKE

    postal_code: str
    inner_address: Address | None = None


class Node(BaseModel):
    node_name: str
    child_nodes: list["Node"] = []


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    cat_name: str


class Dog(BaseModel):
    kind: Literal["dog"] = "dog"
    dog_name: str


class Addresses(RootModel[list[Address]]):
    pass


class AddressBook(RootModel[dict[str, Address]]):
    pass


class Page(BaseModel, Generic[T]):
    page_items: list[T]


def write(annotation: Any, value: Any, case: Case | None = Case.CAMEL) -> Any:
    args = create_model("Args", the_value=(annotation, ...))
    graph = read_models(args, Naming(case))
    instance = args.model_validate({"the_value": value}, by_name=True, by_alias=False)
    return write_fields(graph, instance, "tool")["the_value"]


@pytest.mark.parametrize(
    ("annotation", "value", "written"),
    [
        (str, "a_b", "a_b"),
        (int, 3, 3),
        (bool, True, True),
        (float, 1.5, 1.5),
        (Decimal, "1.50", "1.50"),
        (UUID, "12345678123456781234567812345678", "12345678-1234-5678-1234-567812345678"),
        (date, "2026-03-01", "2026-03-01"),
        (datetime, "2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z"),
        (Colour, "red", "red"),
        (bytes, b"ab", "YWI="),
        (SecretStr, "hunter2", "hunter2"),
        (str | None, None, None),
        (dict[str, str], {"as_it_is": "x"}, {"as_it_is": "x"}),
        (Any, {"as_it_is": [1]}, {"as_it_is": [1]}),
    ],
    ids=str,
)
def test_a_scalar_is_written_as_json(annotation: Any, value: Any, written: Any) -> None:
    assert write(annotation, value) == written


PLAIN = {"postal_code": "1"}
CAMEL = {"postalCode": "1"}


@pytest.mark.parametrize(
    ("annotation", "value", "written"),
    [
        (Address, PLAIN, CAMEL),
        (Address | None, PLAIN, CAMEL),
        (list[Address], [PLAIN], [CAMEL]),
        (list[list[Address]], [[PLAIN]], [[CAMEL]]),
        (tuple[Address, ...], [PLAIN], [CAMEL]),
        (tuple[str, Address], ["x_y", PLAIN], ["x_y", CAMEL]),
        (dict[str, Address], {"a_b": PLAIN}, {"a_b": CAMEL}),
        (dict[str, list[Address]], {"a_b": [PLAIN]}, {"a_b": [CAMEL]}),
        (Mapping[str, Address], {"a_b": PLAIN}, {"a_b": CAMEL}),
        (dict[int, Address], {3: PLAIN}, {"3": CAMEL}),
        (Addresses, [PLAIN], [CAMEL]),
        (AddressBook, {"a_b": PLAIN}, {"a_b": CAMEL}),
        (Addresses | AddressBook, [PLAIN], [CAMEL]),
        (Addresses | AddressBook, {"a_b": PLAIN}, {"a_b": CAMEL}),
        (list[Addresses], [[PLAIN]], [[CAMEL]]),
        (Page[Address], {"page_items": [PLAIN]}, {"pageItems": [CAMEL]}),
        (Cat | Dog, {"dog_name": "Rex"}, {"dogName": "Rex"}),
        (
            list[Cat | Dog],
            [{"dog_name": "Rex"}, {"cat_name": "Tom"}],
            [{"dogName": "Rex"}, {"catName": "Tom"}],
        ),
        (str | Address, PLAIN, CAMEL),
        (str | list[Address], [PLAIN], [CAMEL]),
        (dict[str, Address] | list[Address], [PLAIN], [CAMEL]),
        (
            Annotated[Cat | Dog, Field(discriminator="kind")],
            {"kind": "cat", "cat_name": "Tom"},
            {"kind": "cat", "catName": "Tom"},
        ),
        (
            Node,
            {"node_name": "a", "child_nodes": [{"node_name": "b", "child_nodes": [{"node_name": "c"}]}]},
            {"nodeName": "a", "childNodes": [{"nodeName": "b", "childNodes": [{"nodeName": "c"}]}]},
        ),
    ],
    ids=str,
)
def test_names_are_spelled_in_any_container(annotation: Any, value: Any, written: Any) -> None:
    assert write(annotation, value) == written


def test_a_models_own_case_holds_for_it_and_not_for_those_inside_it() -> None:
    value = {"postal_code": "1", "inner_address": PLAIN}
    assert write(Own, value) == {"postal_code": "1", "inner_address": CAMEL}


def test_a_wire_name_is_kept_at_any_depth() -> None:
    class Named(BaseModel):
        start_at: Annotated[str, WireName("START")]

    assert write(dict[str, list[Named]], {"a_b": [{"start_at": "x"}]}) == {"a_b": [{"START": "x"}]}


def test_what_is_not_set_is_not_written_at_any_depth() -> None:
    args = create_model("Args", a=(str, "x"), b=(Address | None, None), c=(Address, ...))
    graph = read_models(args, Naming())
    instance = args.model_validate({"c": {"line_one": None}})
    assert write_fields(graph, instance, "tool") == {"c": {"line_one": None}}


UNIX = Format("unix-time")
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("annotation", "value", "written"),
    [
        (Annotated[datetime, UNIX], AT, 1772366400),
        (Annotated[datetime | None, UNIX], AT, 1772366400),
        (Annotated[datetime, UNIX] | None, AT, 1772366400),
        (list[Annotated[datetime, UNIX]], [AT, AT], [1772366400, 1772366400]),
        (dict[str, Annotated[datetime, UNIX]], {"a_b": AT}, {"a_b": 1772366400}),
        (Annotated[datetime, UNIX] | Literal["now"], AT, 1772366400),
        (Annotated[datetime, UNIX] | Literal["now"], "now", "now"),
        (Literal["now"] | Annotated[datetime, UNIX], AT, 1772366400),
        (Annotated[datetime, UNIX] | int, 7, 7),
        (Annotated[datetime, UNIX] | Address, PLAIN, CAMEL),
        (Annotated[datetime, UNIX] | list[Annotated[datetime, UNIX]], [AT], [1772366400]),
    ],
    ids=str,
)
def test_a_format_holds_for_the_part_it_marks(annotation: Any, value: Any, written: Any) -> None:
    assert write(annotation, value) == written


def test_an_authors_serializers_write_their_values() -> None:
    class Money(BaseModel):
        whole_amount: int

        @field_serializer("whole_amount")
        def write_amount(self, value: int) -> str:
            return f"{value}.00"

    class Point(BaseModel):
        x_at: int

        @model_serializer
        def write(self) -> list[int]:
            return [self.x_at]

    assert write(list[Money], [{"whole_amount": 3}]) == [{"wholeAmount": "3.00"}]
    assert write(dict[str, Point], {"a_b": {"x_at": 3}}) == {"a_b": [3]}


def test_a_value_that_a_validator_put_there_is_written_too() -> None:
    class Filled(BaseModel):
        first_name: str | None = None
        last_name: str | None = None

        @model_validator(mode="after")
        def fill(self) -> "Filled":
            self.last_name = self.last_name or self.first_name
            return self

    assert write(Filled, {"first_name": "a"}) == {"firstName": "a", "lastName": "a"}


def test_members_of_an_open_model_keep_their_names() -> None:
    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")

        known_name: str

    assert write(Open, {"known_name": "a", "not_known": 1}) == {"knownName": "a", "not_known": 1}


@pytest.mark.parametrize("value", ["nan", "inf", "-Infinity", "1e999"])
@pytest.mark.parametrize(
    ("annotation", "wrap"),
    [(float, lambda x: x), (list[float], lambda x: [x]), (dict[str, float], lambda x: {"k": x})],
)
def test_a_number_that_json_has_not_is_refused(annotation: Any, wrap: Any, value: str) -> None:
    with pytest.raises(ToolValidationError, match=r"^tool: theValue: must be a finite number$"):
        write(annotation, wrap(value))


def test_a_value_that_json_has_not_is_a_transform_error() -> None:
    class Odd:
        pass

    args = create_model("Args", __config__=ConfigDict(arbitrary_types_allowed=True), odd=(Odd, ...))
    graph = read_models(args, Naming())
    with pytest.raises(TransformError, match=r"^tool: the arguments cannot be written as JSON"):
        write_fields(graph, args.model_validate({"odd": Odd()}), "tool")
