"""The maps say what the schemas say, line by line."""

from typing import Annotated, Any, ClassVar

import pytest
from pydantic import BaseModel, Field

from charter import (
    Api,
    AtMostOneOf,
    Case,
    Clearable,
    DeclarationError,
    Mode,
    NotOnly,
    Requires,
    Tool,
    Unsent,
    WireName,
    conflict_map,
    egress_map,
)
from charter.egress import render_egress
from charter.packs import gmail, linear, stripe

api = Api("events", base_url="https://api.example.com/", case=Case.CAMEL)


class Filter(BaseModel):
    and_: Annotated[list["Filter"] | None, WireName("and")] = None
    state: str | None = None


class When(BaseModel):
    date_time: str
    secret: Annotated[str | None, Mode("response_only")] = None


class EventsSend(BaseModel):
    """Send an event."""

    wire_rules: ClassVar = (AtMostOneOf("count", "kind"), Requires("kind", "count"))

    start: When
    end: When | None = None
    filter: Filter | None = None
    count: int | None = Field(None, ge=1, le=9)
    kind: str | None = None
    user: Annotated[str, Mode("disabled")] = "me"


events_send = api.post("events/{user}", EventsSend, scopes=("b", "a"))


def test_each_visible_field_has_its_type_and_limits() -> None:
    assert egress_map([events_send])["events__events_send"] == {
        "method": "POST",
        "route": "events/{user}",
        "scopes": ["a", "b"],
        "visible": {
            "start": "object*",
            "start.dateTime": "string*",
            "end": "(as start)",
            "filter": "object",
            "filter.and": "array of (as filter)",
            "filter.state": "string",
            "count": "integer maximum=9 minimum=1",
            "kind": "string",
        },
        "withheld": {
            "start.secret": "mode 'response_only' withholds it",
            "user": "mode 'disabled' withholds it",
        },
        "pinned": {},
    }


class EventsGet(BaseModel):
    """Read an event."""

    id: str
    text_from: Annotated[int | None, Unsent()] = None


def test_an_argument_that_stays_here_is_told_as_such() -> None:
    tool = api.get("events/{id}", EventsGet)
    assert egress_map([tool])["events__events_get"]["visible"] == {
        "id": "string*",
        "textFrom": "integer, not sent as it is",
    }


def test_a_projection_shows_what_it_drops_and_pins() -> None:
    narrow = events_send.derived(drop=["end"], pin={"filter.state": "open"})
    mapped = egress_map([narrow])["events__events_send"]
    assert mapped["pinned"] == {"filter.state": "open"}
    assert mapped["withheld"]["end"] == "a projection drops it"
    assert "filter.state" not in mapped["visible"]


def test_the_text_is_stable_and_one_line_a_field() -> None:
    narrow = events_send.derived(name="narrow", drop=["end", "filter"], pin={"count": 2})
    assert render_egress(egress_map([narrow])) == (
        "events__narrow POST events/{user}\n"
        "  scope a\n"
        "  scope b\n"
        "  sends start: object*\n"
        "  sends start.dateTime: string*\n"
        "  sends kind: string\n"
        "  pins count = 2\n"
        "  withholds end: a projection drops it\n"
        "  withholds filter: a projection drops it\n"
        "  withholds start.secret: mode 'response_only' withholds it\n"
        "  withholds user: mode 'disabled' withholds it\n"
    )


def test_the_order_of_the_tools_does_not_show() -> None:
    tools = [*stripe.TOOLS, *gmail.TOOLS]
    assert egress_map(tools) == egress_map(list(reversed(tools)))


def test_a_mapping_of_tools_is_taken_too() -> None:
    assert egress_map({"any": events_send}) == egress_map([events_send])


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(DeclarationError, match="events__events_send: two tools share this name"):
        egress_map([events_send, events_send.derived(drop=["end"])])


def _schema_paths(node: dict[str, Any], definitions: dict[str, Any], path: str, seen: set[str]) -> set[str]:
    """Collect property paths, going into each definition once."""
    found: set[str] = set()
    name = str(node.get("$ref", "")).removeprefix("#/$defs/")
    if name:
        if name in seen:
            return found
        seen.add(name)
        node = definitions[name]
    for key, child in node.get("properties", {}).items():
        below = f"{path}.{key}" if path else key
        found |= {below} | _schema_paths(child, definitions, below, seen)
    inner = [
        *node.get("anyOf", ()),
        *node.get("oneOf", ()),
        node.get("items"),
        node.get("additionalProperties"),
    ]
    for child in inner:
        if isinstance(child, dict):
            found |= _schema_paths(child, definitions, path, seen)
    return found


@pytest.mark.parametrize("tool", [*gmail.TOOLS, *stripe.TOOLS], ids=lambda tool: tool.qualified_name)
def test_the_map_shows_exactly_what_the_schema_has(tool: Tool) -> None:
    schema = tool.to_json_schema()["parameters"]
    shown = egress_map([tool])[tool.qualified_name]["visible"]
    assert set(shown) == _schema_paths(schema, schema.get("$defs", {}), "", set())


def test_rules_are_mapped_by_wire_name_and_the_dead_ones_told() -> None:
    [conflict, needs] = conflict_map([events_send])["events__events_send"]
    assert conflict == {"at": "", "rule": "AtMostOneOf", "fields": ["count", "kind"], "can_refuse": True}
    assert needs["can_refuse"]
    dead = conflict_map([events_send.derived(drop=["kind"])])["events__events_send"]
    assert [rule["can_refuse"] for rule in dead] == [False, False]


def test_a_pin_can_make_a_rule_refuse_always() -> None:
    pinned = events_send.derived(pin={"count": 3})
    assert [rule["can_refuse"] for rule in conflict_map([pinned])["events__events_send"]] == [True, False]


def test_a_graphql_tool_tells_its_operation() -> None:
    [line, *_] = render_egress(egress_map([linear.issue_get])).splitlines()
    assert line == "linear__issue_get POST graphql query issue"


class EventsPatch(BaseModel):
    """Change an event."""

    wire_rules: ClassVar = (NotOnly("event"),)

    event: str
    end: Annotated[When | None, Clearable()] = None
    note: Annotated[str | None, Clearable()] = None
    by_key: dict[str, Annotated[str | None, Clearable()]] = {}


def test_what_null_clears_is_told_so() -> None:
    tool = api.patch("events/{event}", EventsPatch)
    mapped = egress_map([tool, tool.derived(name="narrow", drop=["note"], pin={"end.dateTime": "x"})])
    assert mapped["events__events_patch"]["visible"] == {
        "event": "string*",
        "end": "object | null",
        "end.dateTime": "string*",
        "note": "string | null",
        "byKey": "object additionalProperties=string | null",
    }
    assert "null" not in mapped["events__narrow"]["visible"].get("end", "")
    assert [rule["can_refuse"] for rule in conflict_map([tool])["events__events_patch"]] == [True]
    pinned = tool.derived(pin={"note": None})
    assert egress_map([pinned])["events__events_patch"]["pinned"] == {"note": None}
    assert [rule["can_refuse"] for rule in conflict_map([pinned])["events__events_patch"]] == [False]


class Marked(BaseModel):
    """Do."""

    level: Annotated[int | None, Mode("pro", "max")] = None
    key: Annotated[str | None, Mode("staff")] = None


def test_the_modes_of_a_tool_are_shown_with_what_each_field_is_for() -> None:
    tool = api.post("marked", Marked)
    mapped = egress_map([tool, tool.derived(name="topped").with_mode("max").with_mode("b")])
    assert "modes" not in mapped["events__marked"]
    assert mapped["events__marked"]["withheld"]["level"] == "mode 'pro' or 'max' withholds it"
    assert mapped["events__topped"]["modes"] == ["b", "max"]
    assert "events__topped POST marked\n  mode b\n  mode max\n  sends level: integer\n" in render_egress(
        mapped
    )
