"""Projections only remove, at the path they name and nowhere else."""

from typing import Annotated, Any, ClassVar

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel

from charter import (
    Api,
    Case,
    Clearable,
    DeclarationError,
    ExactlyOneOf,
    NotOnly,
    Tool,
    ToolValidationError,
    WireName,
    schema_tokens,
)
from charter.schema.view import validate_arguments

api = Api("events", base_url="https://api.example.com/", case=Case.CAMEL)


class Filter(BaseModel):
    and_: Annotated[list["Filter"] | None, WireName("and")] = None
    state: str | None = None
    team: str | None = None


class When(BaseModel):
    date_time: str
    time_zone: str | None = None


class Card(BaseModel):
    number: str
    note: str | None = None


class Bank(BaseModel):
    iban: str
    note: str | None = None


class EventsSend(BaseModel):
    """Send an event."""

    wire_rules: ClassVar = (ExactlyOneOf("charge", "order"),)

    start: When
    end: When | None = None
    filter: Filter | None = None
    count: int = 3
    moments: list[When] = []
    by_name: dict[str, When] | None = None
    pay: Card | Bank | None = None
    charge: str | None = None
    order: str | None = None


events_send = api.post("events", EventsSend)
START = {"start": {"dateTime": "now"}, "charge": "c"}


def accepts(tool: Tool, arguments: dict[str, Any]) -> bool:
    """Whether execution accepts the arguments; the schema accepts all that execution does."""
    try:
        validate_arguments(tool.plan, arguments)
    except ToolValidationError:
        accepted = False
    else:
        accepted = True
    schema = tool.to_json_schema()["parameters"]
    Draft202012Validator.check_schema(schema)
    assert not accepted or Draft202012Validator(schema).is_valid(arguments), schema
    return accepted


def send(tool: Tool, **more: Any) -> dict[str, Any]:
    """Return what would be sent, by Python name."""
    return validate_arguments(tool.plan, {**START, **more}).model_dump(exclude_unset=True)


@pytest.mark.parametrize(
    ("drop", "refused"),
    [
        ("end", {"end": {"dateTime": "x"}}),
        ("end.timeZone", {"end": {"dateTime": "x", "timeZone": "z"}}),
        ("moments.time_zone", {"moments": [{"dateTime": "x", "timeZone": "z"}]}),
        ("byName.timeZone", {"byName": {"a": {"dateTime": "x", "timeZone": "z"}}}),
        ("pay.note", {"pay": {"iban": "x", "note": "n"}}),
        ("filter.and.state", {"filter": {"and": [{"state": "s"}]}}),
    ],
)
def test_a_dropped_field_is_gone_from_schema_and_execution(drop: str, refused: dict[str, Any]) -> None:
    narrow = events_send.derived(drop=[drop])
    assert accepts(events_send, {**START, **refused})
    assert not accepts(narrow, {**START, **refused})
    assert accepts(narrow, START)
    assert schema_tokens(narrow) != schema_tokens(events_send)


@pytest.mark.parametrize(
    ("ending", "path"), [("iban", "pay.iban"), ("end.time_zone", "end.timeZone"), ("note", "pay.note")]
)
def test_the_ending_of_one_path_alone_stands_for_it(ending: str, path: str) -> None:
    assert events_send.derived(pin={ending: "x"}).plan == events_send.derived(pin={path: "x"}).plan
    assert events_send.paths(ending) == events_send.paths(path)


@pytest.mark.parametrize("ending", ["timeZone", "state"])
def test_an_ending_of_several_paths_is_ambiguous_inside_itself_too(ending: str) -> None:
    with pytest.raises(DeclarationError, match=rf"'{ending}' is ambiguous\. Write one of: .*\.{ending}, "):
        events_send.derived(drop=[ending])


def test_a_path_is_dropped_there_alone() -> None:
    narrow = events_send.derived(drop=["end.timeZone", "filter.and.state"])
    zoned = {"dateTime": "x", "timeZone": "z"}
    assert accepts(narrow, {**START, "start": zoned, "moments": [zoned]})
    assert accepts(narrow, {**START, "filter": {"state": "s", "and": [{"and": [{"state": "s"}]}]}})


def test_keep_leaves_nothing_else_not_even_below_a_cycle() -> None:
    narrow = events_send.derived(keep=["start.dateTime", "filter.and.state", "charge"])
    assert narrow.paths(depth=3) == [
        "start",
        "start.dateTime",
        "filter",
        "filter.and",
        "filter.and.state",
        "charge",
    ]
    assert not accepts(narrow, {**START, "filter": {"state": "s"}})
    assert accepts(narrow, {**START, "filter": {"and": [{"state": "s"}]}})


def test_projections_compose() -> None:
    once = events_send.derived(drop=["end"], pin={"count": 7})
    twice = once.derived(drop=["filter.team"], pin={"start.timeZone": "UTC"})
    assert send(twice) == {"start": {"date_time": "now", "time_zone": "UTC"}, "charge": "c", "count": 7}
    for gone in ("end", "count", "filter.team", "start.timeZone"):
        with pytest.raises(DeclarationError, match="names no field the model sees"):
            twice.derived(drop=[gone])


def test_a_pin_is_always_sent_and_never_given() -> None:
    pinned = events_send.derived(pin={"filter.team": "T", "moments.timeZone": "UTC", "count": "5"})
    assert send(pinned)["filter"] == {"team": "T"}
    assert send(pinned)["count"] == 5
    assert send(pinned, filter={"state": "s"})["filter"] == {"state": "s", "team": "T"}
    assert send(pinned, filter=None)["filter"] == {"team": "T"}
    assert send(pinned, moments=[{"dateTime": "x"}])["moments"] == [{"date_time": "x", "time_zone": "UTC"}]
    assert "moments" not in send(pinned)
    assert not accepts(pinned, {**START, "filter": {"team": "other"}})


def test_an_object_of_which_only_pins_are_left_is_not_asked_for() -> None:
    pinned = events_send.derived(pin={"start.dateTime": "now", "start.timeZone": "UTC"})
    assert "start" not in pinned.to_json_schema()["parameters"]["properties"]
    assert validate_arguments(pinned.plan, {"order": "o"}).model_dump(exclude_unset=True) == {
        "start": {"date_time": "now", "time_zone": "UTC"},
        "order": "o",
    }


def test_a_pinned_field_counts_in_the_rules() -> None:
    pinned = events_send.derived(pin={"charge": "c"})
    assert accepts(pinned, {"start": {"dateTime": "x"}})
    assert not accepts(pinned, {"start": {"dateTime": "x"}, "order": "o"})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"drop": ["start"]}, "start is required and cannot be removed"),
        ({"drop": ["start.dateTime"]}, "start.dateTime is required"),
        ({"keep": ["count"]}, "start is required"),
        ({"drop": ["strat"]}, "Did you mean start"),
        ({"drop": ["start.nope"]}, "Did you mean dateTime, timeZone"),
        ({"drop": ["count.x"]}, "There is nothing below it"),
        ({"drop": ["charge", "order"]}, "one of charge, order must be given"),
        ({"pin": {"count": "many"}}, "pin count='many' is no valid value"),
        ({"pin": {"start": {"nope": 1}}}, "is no valid value"),
    ],
)
def test_what_cannot_work_is_refused_at_once(change: dict[str, Any], told: str) -> None:
    with pytest.raises(DeclarationError, match=told):
        events_send.derived(**change)


def test_two_fields_that_one_spelling_fits_are_told_apart() -> None:
    class Twins(BaseModel):
        """Send twins."""

        a_b: str | None = None
        ab: str | None = None

    tool = Api("twins", base_url="https://x.example/").post("twins", Twins)
    assert tool.derived(drop=["ab"]).paths() == ["a_b"]
    with pytest.raises(DeclarationError, match=r"ambiguous\. Write one of: a_b, ab"):
        tool.derived(drop=["AB"])


def test_a_price_is_what_dropping_saves() -> None:
    prices = {price.path: price.tokens for price in events_send.paths(by_cost=True)}
    assert list(prices) == sorted(prices, key=lambda path: (-prices[path], path))
    assert prices["filter"] == schema_tokens(events_send) - schema_tokens(
        events_send.derived(drop=["filter"])
    )


def test_paths_of_a_recursive_schema_are_listed_level_by_level() -> None:
    assert events_send.paths("filter.and.and") == [
        f"filter.and.and.{name}" for name in ("and", "state", "team")
    ]
    assert events_send.paths("Start") == ["start.dateTime", "start.timeZone"]


def test_a_derived_tool_keeps_everything_else() -> None:
    whole = api.post(
        "events",
        EventsSend,
        name="whole",
        hints="h",
        needs={"charge": "x"},
        scopes=("s",),
        timeout=3,
        mode="pro",
    )
    copy = whole.derived(name="part", drop=["end"], description="Send part.")
    assert (copy.name, copy.description, copy.qualified_name) == ("part", "Send part.", "events__part")
    assert copy._options == {**whole._options, "name": "part", "description": "Send part."}
    for kept in ("hints", "needs", "scopes", "modes", "method", "route", "args_schema", "api"):
        assert getattr(copy, kept) == getattr(whole, kept), kept


class Until(BaseModel):
    date_time: str | None = None
    time_zone: str | None = None


class EventsPatch(BaseModel):
    """Change an event."""

    wire_rules: ClassVar = (NotOnly("event"),)

    event: str
    end: Annotated[Until | None, Clearable()] = None
    note: Annotated[str | None, Clearable()] = None
    title: str | None = None


events_patch = api.post("events/{event}", EventsPatch)


@pytest.mark.parametrize("change", [{"drop": ["end.timeZone"]}, {"pin": {"end.timeZone": "UTC"}}], ids=str)
def test_null_does_not_reach_what_a_projection_withholds(change: dict[str, Any]) -> None:
    tool = events_patch.derived(**change)
    assert "Null" not in str(tool.to_json_schema()["parameters"]["properties"]["end"])
    read = validate_arguments(tool.plan, {"event": "e", "end": None, "note": None})
    assert read.model_dump(exclude_unset=True).get("end", "unset") is not None
    assert "end" in validate_arguments(events_patch.plan, {"event": "e", "end": None}).model_fields_set


def test_what_null_clears_can_be_pinned_to_null() -> None:
    tool = events_patch.derived(pin={"note": None})
    assert validate_arguments(tool.plan, {"event": "e"}).model_dump(exclude_unset=True) == {
        "event": "e",
        "note": None,
    }
    with pytest.raises(DeclarationError, match="pin title=None is no valid value.*mark it Clearable"):
        events_patch.derived(pin={"title": None})


def test_a_projection_leaves_an_update_something_to_change() -> None:
    with pytest.raises(DeclarationError, match="has nothing left to change. Keep or pin"):
        events_patch.derived(keep=["event"])
    assert events_patch.derived(keep=["event"], pin={"title": "x"}).paths() == ["event"]
