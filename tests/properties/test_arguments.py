"""No argument that a model can send gets anything but a result or a CharterError out of a call."""

import datetime as dt
import enum
import ipaddress
import json
import math
import time
import uuid
from contextlib import suppress
from decimal import Decimal
from typing import Annotated, Any, Literal

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import AnyUrl, BaseModel, Field, JsonValue, SecretStr

from charter import DeclarationError, Format, Tool, ToolValidationError
from tests.properties.echo import PLACEMENTS, Caught, make_tool


class Colour(enum.Enum):
    """A closed set."""

    RED = "red"
    BLUE = "blue"


class Leaf(BaseModel):
    """A small object."""

    name: str
    size: int | None = None


class Tree(BaseModel):
    """An object of its own kind."""

    name: str
    children: list["Tree"] = []


class Cat(BaseModel):
    """One kind."""

    kind: Literal["cat"] = "cat"
    lives: int


class Dog(BaseModel):
    """Another kind."""

    kind: Literal["dog"] = "dog"
    tricks: list[str] = []


TYPES: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "Decimal": Decimal,
    "datetime": dt.datetime,
    "date": dt.date,
    "time": dt.time,
    "timedelta": dt.timedelta,
    "UUID": uuid.UUID,
    "Enum": Colour,
    "Literal": Literal["a", 1],
    "bytes": bytes,
    "URL": AnyUrl,
    "IP": ipaddress.IPv4Address,
    "short str": Annotated[str, Field(max_length=5, pattern="^[a-z]+$")],
    "small int": Annotated[int, Field(ge=0, le=10)],
    "secret": SecretStr,
    "optional": str | None,
    "int or str": int | str,
    "list of str": list[str],
    "list of models": list[Leaf],
    "set": set[int],
    "pair": tuple[int, str],
    "map": dict[str, int],
    "map of models": dict[str, Leaf],
    "model": Leaf,
    "recursive model": Tree,
    "union of models": Cat | Dog,
    "chosen union": Annotated[Cat | Dog, Field(discriminator="kind")],
    "any JSON": JsonValue,
    "anything": Any,
    "base64url": Annotated[str, Format("base64url")],
    "unix time": Annotated[dt.datetime, Format("unix-time")],
}


def nest(depth: int) -> Any:
    nested: Any = 1
    for at in range(depth):
        nested = [nested] if at % 2 else {"name": "x", "children": nested}
    return nested


def make_cycles() -> list[Any]:
    cyclic_list: list[Any] = []
    cyclic_list.append(cyclic_list)
    cyclic_map: dict[str, Any] = {"name": "x"}
    cyclic_map["children"] = [cyclic_map]
    return [cyclic_list, cyclic_map]


HUGE = "a" * 20_000_000
HARD: dict[str, Any] = {
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "minus zero": -0.0,
    "tiny": 5e-324,
    "big float": 1e308,
    "10,000 digits": 10**10_000,
    "10,000 digits, negative": -(10**10_000),
    "10,000 digits as text": "7" * 10_000,
    "lone surrogate": "\ud800",
    "two lone surrogates": "\udc00\ud800",
    "surrogate key": {"\ud800": 1},
    "surrogate deep": [{"name": "\udfff"}],
    "NUL": "a\0b",
    "line breaks": "a\r\nSet-Cookie: b=c",
    "bidi": "\u202eabc\u200b",
    "tags": "\U000e0041",
    "last code point": "\U0010ffff",
    "empty": "",
    "space": " ",
    "dots": "..",
    "null": None,
    "text null": "null",
    "text object": '{"name": "x"}',
    "text deep": "[" * 10_000 + "]" * 10_000,
    "text NaN": '{"name": NaN}',
    "text twice": '"{\\"name\\": 1}"',
    "text half": '{"name": ',
    "text surrogate": '["\\ud800"]',
    "text digits": '{"size": ' + "7" * 10_000 + "}",
    "depth 100": nest(100),
    "depth 10,000": nest(10_000),
    "20 MB": HUGE,
    "20 MB key": {HUGE: 1},
    "100,000 numbers": [1] * 100_000,
    "wide": {f"k{at}": at for at in range(10_000)},
    "number key": {1: 2},
    "None key": {None: 2},
    "tuple key": {(1, 2): 3},
    "dunder": {"__class__": "x", "__proto__": {}, "model_fields": 1},
    "bytes": b"\xff\xfe",
    "bytearray": bytearray(b"x"),
    "set": {1, 2},
    "tuple": (1, "a"),
    "range": range(3),
    "complex": 1j,
    "Decimal NaN": Decimal("NaN"),
    "Decimal sNaN": Decimal("sNaN"),
    "Decimal huge": Decimal("1e99999"),
    "far date": "9999-12-31T23:59:59-23:59",
    "old date": "0001-01-01T00:00:00+23:59",
    "epoch out of range": 10**30,
    "function": len,
    "class": Leaf,
    "model": Leaf(name="\ud800"),
    "generator": (at for at in range(3)),
    "cyclic list": make_cycles()[0],
    "cyclic map": make_cycles()[1],
}
WHOLE: dict[str, Any] = {
    **{f"arguments are {name}": value for name, value in HARD.items() if name not in ("null", "generator")},
    "arguments are a list": [{"value": 1}],
    "arguments are text": '{"value": "x"}',
    "arguments are half a text": '{"value": "x',
    "arguments are a number": 7,
}


HEAVY = {"20 MB", "20 MB key", "100,000 numbers", "wide"}
HEAVY_KINDS = {"str", "int", "list of str", "model", "any JSON", "base64url"}


def find_tools() -> dict[tuple[str, str], Tool]:
    """Return a tool for each type and place that go together; the others are refused when declared."""
    tools: dict[tuple[str, str], Tool] = {}
    for kind, annotation in TYPES.items():
        for placement in PLACEMENTS:
            with suppress(DeclarationError):
                tools[kind, placement] = make_tool(annotation, placement)
    return tools


TOOLS = find_tools()


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(codec=None, exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMED = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("name", "size", "children", "kind", "lives", "tricks", "Name"), JSON)
)


@pytest.mark.parametrize(("kind", "placement"), TOOLS)
def test_hard_values_are_sent_or_refused(caught: Caught, kind: str, placement: str) -> None:
    tool = TOOLS[kind, placement]
    for name, value in HARD.items():
        if name in HEAVY and kind not in HEAVY_KINDS:
            continue
        began = time.monotonic()
        outcome = caught.call(tool, {"value": value})
        assert time.monotonic() - began < 20, name
        if isinstance(outcome, ToolValidationError):
            assert len(outcome.for_model()) <= 2_100, name


def test_every_type_goes_into_a_body_and_scalars_go_anywhere() -> None:
    assert {kind for kind, placement in TOOLS if placement == "body"} == set(TYPES)
    assert {placement for kind, placement in TOOLS if kind == "str"} == set(PLACEMENTS)


@pytest.mark.parametrize("name", WHOLE)
def test_arguments_that_are_no_object_are_refused(caught: Caught, name: str) -> None:
    outcome = caught.call(make_tool(str, "query"), WHOLE[name])
    if name != "arguments are text":
        assert isinstance(outcome, ToolValidationError)


@pytest.mark.parametrize(("kind", "placement"), TOOLS)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(value=JSON | NAMED | st.lists(NAMED, max_size=3))
def test_any_json_is_sent_or_refused(caught: Caught, kind: str, placement: str, value: Any) -> None:
    tool = TOOLS[kind, placement]
    as_text = json.dumps(value)
    for arguments in ({"value": value}, {"value": as_text}, f'{{"value": {as_text}}}', value):
        outcome = caught.call(tool, arguments)
        if isinstance(outcome, httpx2.Request):
            outcome.url.raw_path.decode("ascii")
