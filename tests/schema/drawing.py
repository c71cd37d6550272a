"""Args models drawn by hypothesis, and arguments that fit them or almost do.

Not here: what is held of them. What a value is valid for is said when its type is drawn, not read off either side.
"""

import copy
import enum
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, RootModel, create_model

from charter import Format, Gloss, Mode, WireName

Values = st.SearchStrategy[Any]


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Only(enum.Enum):
    CAT = "cat"
    DOG = "dog"


class Leaf(BaseModel):
    leaf_name: str
    leaf_size: int | None = None


class Tree(BaseModel):
    tree_name: str
    sub_trees: list["Tree"] = []
    by_name: dict[str, "Tree"] = {}


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    lives_left: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str] = []


class Kitten(BaseModel):
    kind: Literal[Only.CAT]
    weeks: int


class Puppy(BaseModel):
    kind: Literal[Only.DOG]
    weeks: int


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")

    known: bool


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)

    colour: Colour
    at: datetime | None = None


class Hidden(BaseModel):
    shown: int
    secret: Annotated[str, Mode("response_only")] = "x"


class Leaves(RootModel[list[Leaf]]):
    pass


TEXT = st.text(st.characters(codec="utf-8", categories=["L", "N"]), max_size=4)
# never digits, a truth value or JSON: what a call forgives is not what is tried here
WORDS = TEXT.map(lambda text: f"~{text}")
NUMBERS = st.integers(-99, 99) | st.sampled_from([0.5, -2.25, 1e3])
DATES = st.sampled_from(["2026-03-01T12:00:00Z", "2026-03-01T12:00:00.5+02:00"])
KEYS = st.sampled_from(["a", "b_c", "d-e", "ü"])

trees: Values = st.deferred(
    lambda: st.fixed_dictionaries(
        {"tree_name": WORDS},
        optional={
            "sub_trees": st.lists(trees, max_size=2),
            "by_name": st.dictionaries(KEYS, trees, max_size=1),
        },
    )
)
leaves = st.fixed_dictionaries({"leaf_name": WORDS}, optional={"leaf_size": st.integers(-9, 9)})
cats = st.fixed_dictionaries({"lives_left": st.integers(0, 9)}, optional={"kind": st.just("cat")})
dogs = st.fixed_dictionaries({"kind": st.just("dog")}, optional={"tricks": st.lists(WORDS, max_size=2)})
young = st.fixed_dictionaries({"kind": st.sampled_from(["cat", "dog"]), "weeks": st.integers(0, 9)})

SCALARS: list[tuple[Any, Values]] = [
    (str, WORDS),
    (int, st.integers(-99, 99)),
    (float, NUMBERS),
    (bool, st.booleans()),
    (Decimal, st.integers(-9, 9) | st.sampled_from([0.5, 2.25])),
    (datetime, DATES),
    (Annotated[datetime, Format("unix-time")], DATES),
    (Annotated[str, Format("base64url"), Gloss("Any text.")], WORDS),
    (Literal["a", "b"], st.sampled_from(["a", "b"])),
    (Literal["a", 1, True], st.sampled_from(["a", 1, True])),
    (Literal[2], st.just(2)),
    (Colour, st.sampled_from(["red", "blue"])),
    (Annotated[int, Field(ge=0, lt=5)], st.integers(0, 4)),
    (Annotated[str, Field(min_length=2, max_length=4, pattern="^~")], st.sampled_from(["~a", "~bcd"])),
    (int | str, st.integers(-9, 9) | WORDS),
    (Annotated[datetime, Format("unix-time")] | Literal["now"], DATES | st.just("now")),
    (Any, WORDS | NUMBERS | st.booleans()),
    (set[int], st.lists(st.integers(0, 3), max_size=3)),
]
MODELS: list[tuple[Any, Values]] = [
    (Leaf, leaves),
    (Tree, trees),
    (Cat | Dog, cats | dogs),
    (Annotated[Cat | Dog, Field(discriminator="kind")], (cats | dogs).filter(lambda value: "kind" in value)),
    (Annotated[Kitten | Puppy, Field(discriminator="kind")], young),
    (Open, st.fixed_dictionaries({"known": st.booleans()}, optional={"more": NUMBERS})),
    (Strict, st.fixed_dictionaries({"colour": st.sampled_from(["red", "blue"])}, optional={"at": DATES})),
    (Hidden, st.fixed_dictionaries({"shown": st.integers(0, 9)})),
    (Leaves, st.lists(leaves, max_size=2)),
    (Leaf | list[Leaf], leaves | st.lists(leaves, max_size=2)),
    (str | Leaf, WORDS | leaves),
]


@dataclass(frozen=True)
class Drawn:
    """A type, and the values that fit it, by wire name."""

    annotation: Any
    values: Values


def draw_model(fields: list[tuple[Drawn, str, str]]) -> Drawn:
    """Make a model of these fields, each with its way to be left out and its way to be named."""
    written: dict[str, Any] = {}
    required: dict[str, Values] = {}
    optional: dict[str, Values] = {}
    for at, (drawn, absence, naming) in enumerate(fields):
        name = f"field_{at}"
        annotation = drawn.annotation | None if absence == "null" else drawn.annotation
        default = ... if absence == "required" else None
        written[name] = {
            "as written": (annotation, default),
            "wire name": (Annotated[annotation, WireName(f"Field.{at}")], default),
            "alias": (annotation, Field(default, alias=f"alias-{at}")),
        }[naming]
        wire = {"as written": name, "wire name": f"Field.{at}", "alias": f"alias-{at}"}[naming]
        (required if absence == "required" else optional)[wire] = drawn.values
    model = create_model(f"Drawn{next(_numbers)}", __doc__="Do it.", **written)
    return Drawn(model, st.fixed_dictionaries(required, optional=optional))


_numbers = itertools.count()


def models_of(inner: st.SearchStrategy[Drawn], most: int) -> st.SearchStrategy[Drawn]:
    """Draw models whose fields are of these types."""
    absence = st.sampled_from(["required", "null", "default"])
    naming = st.sampled_from(["as written", "wire name", "alias"])
    return st.lists(st.tuples(inner, absence, naming), min_size=1, max_size=most).map(draw_model)


def contain(inner: st.SearchStrategy[Drawn]) -> st.SearchStrategy[Drawn]:
    """Draw containers and models of these types."""
    return st.one_of(
        inner.map(lambda one: Drawn(list[one.annotation], st.lists(one.values, max_size=2))),
        inner.map(
            lambda one: Drawn(dict[str, one.annotation], st.dictionaries(KEYS, one.values, max_size=2))
        ),
        inner.map(
            lambda one: Drawn(tuple[one.annotation, int], st.tuples(one.values, st.integers()).map(list))
        ),
        models_of(inner, 3),
    )


TYPES = st.recursive(st.sampled_from(SCALARS + MODELS).map(lambda pair: Drawn(*pair)), contain, max_leaves=5)
ARGS_MODELS = models_of(TYPES, 4)

ODD = st.recursive(
    st.booleans() | st.integers(-3, 300) | st.sampled_from([0.25, -7.5]) | WORDS | DATES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS | st.just("kind"), inner, max_size=2),
    max_leaves=4,
)
"""Values of other types than are asked for; none of them a null, digits or JSON in a text, which a call forgives."""


def places_of(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every part of a value, the whole included."""
    yield here
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, child in members:
        yield from places_of(child, (*here, key))


@st.composite
def almost(draw: st.DrawFn, values: Values) -> Any:
    """Draw a value and change one part of it: replaced, removed, or an unknown member added."""
    value = copy.deepcopy(draw(values))
    place = draw(st.sampled_from(list(places_of(value))))
    how = draw(st.sampled_from(["replace", "remove", "add"]))
    parent = value
    for key in place[:-1]:
        parent = parent[key]
    if not place or how == "add":
        target = parent[place[-1]] if place else value
        if isinstance(target, dict):
            target["unknown_member"] = draw(ODD)
    elif how == "replace":
        parent[place[-1]] = draw(ODD)
    else:
        del parent[place[-1]]
    return value
