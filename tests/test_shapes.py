"""Shapes: what an annotation says a value may be."""

import dataclasses
import enum
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, NamedTuple, Optional, TypedDict, TypeVar
from uuid import UUID

import pytest
from pydantic import AnyUrl, BaseModel, Field, JsonValue, RootModel
from typing_extensions import TypeAliasType

from charter.errors import DeclarationError
from charter.markers import Clearable, Format
from charter.shapes import ANY_SCALAR, Shape, is_optional, models_of, read_shape, takes_null

T = TypeVar("T")
UNIX = Format("unix-time")


class Leaf(BaseModel):
    name: str


class Twig(BaseModel):
    size: int


class Page(BaseModel, Generic[T]):
    items: list[T]


class Leaves(RootModel[list[Leaf]]):
    pass


class Tree(RootModel["dict[str, Tree] | str"]):
    pass


class Colour(enum.Enum):
    RED = "red"
    TWO = 2


def read(annotation: Any) -> Shape:
    return read_shape(annotation, "Args.value")


@pytest.mark.parametrize(
    ("annotation", "scalars"),
    [
        (str, {"text"}),
        (bytes, {"text"}),
        (datetime, {"text"}),
        (date, {"text"}),
        (time, {"text"}),
        (timedelta, {"text"}),
        (Annotated[datetime, UNIX], {"text", "number"}),
        (Annotated[datetime, Format("rfc3339")], {"text"}),
        (int, {"number"}),
        (float, {"number"}),
        (Decimal, {"number"}),
        (bool, {"boolean"}),
        (Literal["a", "b"], {"text"}),
        (Literal["a", 1, True], {"text", "number", "boolean"}),
        (Literal[Colour.RED], {"text"}),
        (Colour, {"text", "number"}),
        (int | str, {"text", "number"}),
        (Any, ANY_SCALAR),
        (JsonValue, ANY_SCALAR),
        (UUID, ANY_SCALAR),
        (AnyUrl, ANY_SCALAR),
        (T, ANY_SCALAR),
        (Annotated[int, Field(ge=1)], {"number"}),
        (Leaf | str, {"text"}),
        (list[str], set()),
        (dict[str, str], set()),
        (Leaf, set()),
        (Leaves, set()),
    ],
    ids=str,
)
def test_a_shape_says_which_scalars_a_value_may_be(annotation: Any, scalars: set[str]) -> None:
    assert read(annotation).scalars == scalars


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        (Leaf, "model"),
        (Page[Leaf], "model"),
        (Leaves, "root"),
        (list[Leaf], "list"),
        (set[int], "list"),
        (frozenset[int], "list"),
        (Sequence[Leaf], "list"),
        (tuple[Leaf, ...], "list"),
        (list, "list"),
        (dict[str, Leaf], "map"),
        (Mapping[str, Leaf], "map"),
        (dict, "map"),
        (Leaf | Twig, "union"),
        (str, "scalar"),
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "wrap",
    [lambda a: a, lambda a: a | None, lambda a: Annotated[a, "note"]],
    ids=["bare", "optional", "annotated"],
)
def test_a_shape_says_what_kind_of_value_it_is(annotation: Any, kind: str, wrap: Any) -> None:
    assert read(wrap(annotation)).kind == kind


def test_a_pair_has_a_shape_for_each_place() -> None:
    shape = read(tuple[Leaf, str])
    assert [shape.item(0).kind, shape.item(1).kind] == ["model", "scalar"]
    assert read(list[Leaf]).item(7).kind == "model"


@pytest.mark.parametrize("annotation", [str | None, Optional[str], None | str])
def test_none_makes_a_value_optional_and_is_no_option_of_its_shape(annotation: Any) -> None:
    assert is_optional(annotation)
    assert read(annotation) == read(str)


def test_a_format_stays_where_it_was_written() -> None:
    assert read(Annotated[datetime, UNIX]).format == UNIX
    assert read(Annotated[datetime, UNIX] | None).format == UNIX
    inside = read(list[Annotated[datetime, UNIX]])
    assert inside.format is None
    assert inside.item(0).format == UNIX
    assert read(Annotated[Annotated[str, UNIX], Format("base64url")]).format == Format("base64url")


def test_an_alias_is_what_it_stands_for() -> None:
    leaves = TypeAliasType("leaves", list[Leaf])
    assert read(leaves) == read(list[Leaf])


def test_shapes_that_hold_themselves_end() -> None:
    tree = TypeAliasType("tree", "list[tree] | Leaf")
    tree.__value__  # noqa: B018
    assert read(Tree).kind == "root"


def test_a_shape_names_the_models_in_it_and_not_those_inside_them() -> None:
    assert list(models_of(read(dict[str, list[Leaf | Twig]]))) == [Leaf, Twig]
    assert list(models_of(read(Leaves))) == [Leaf]
    assert list(models_of(read(str))) == []


class Typed(TypedDict):
    name: str


@dataclasses.dataclass
class Data:
    name: str


class Named(NamedTuple):
    name: str


@pytest.mark.parametrize("kind", [Typed, Data, Named])
@pytest.mark.parametrize(
    "wrap", [lambda a: a, lambda a: list[a], lambda a: dict[str, a] | None], ids=["bare", "list", "map"]
)
def test_an_object_that_is_no_model_is_refused(kind: Any, wrap: Any) -> None:
    with pytest.raises(
        DeclarationError, match=rf"^Args.value: {kind.__name__} is not a Pydantic model. Declare"
    ):
        read(wrap(kind))


MaybeText = TypeAliasType("MaybeText", str | None)


class MaybeLeaves(RootModel[list[Leaf] | None]):
    pass


@pytest.mark.parametrize(
    "annotation",
    [
        str | None,
        Optional[Leaf],
        Annotated[int | None, Field(ge=1)],
        Literal["a", None],
        MaybeText,
        MaybeLeaves,
        JsonValue,
        Any,
        None,
    ],
    ids=str,
)
def test_null_is_a_value_however_the_type_says_so(annotation: Any) -> None:
    assert takes_null(annotation)
    assert read_shape(Annotated[annotation, Clearable()], "Args.a").is_clearable


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[str, Clearable()],
        Annotated[list[str | None], Clearable()],
        dict[str, Annotated[str, Clearable()]],
        list[Annotated[Leaf, Clearable()]] | None,
        Annotated[Literal["a", "b"], Clearable()],
        Annotated[Tree, Clearable()],
    ],
    ids=str,
)
def test_what_has_no_null_cannot_be_cleared_by_it(annotation: Any) -> None:
    with pytest.raises(
        DeclarationError, match=r"Args\.a: is Clearable, but its type has no None. Add `| None`"
    ):
        read_shape(annotation, "Args.a")


@pytest.mark.parametrize(
    "annotation",
    [Annotated[str | None, Clearable()], Annotated[str, Clearable()] | None, Annotated[str | int, Clearable()] | None],
    ids=str,
)  # fmt: skip
def test_the_marker_may_stand_beside_none_or_around_it(annotation: Any) -> None:
    assert read_shape(annotation, "Args.a").is_clearable
