"""Which schemas may be strict, and how many in one request."""

from typing import Any

import pytest

from charter.schema.strictness import StrictBudget

TEXT = {"type": "string"}


def closed(required: bool = True, **properties: Any) -> dict[str, Any]:
    known = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**known, "required": list(properties)} if required else known


@pytest.mark.parametrize(
    "node",
    [
        TEXT,
        {"type": "string", "enum": ["a"], "description": "x"},
        {"type": "string", "format": "date-time"},
        {"type": "array", "items": closed(a=TEXT)},
        {"anyOf": [TEXT, {"type": "integer"}]},
        {"const": 1},
        closed(a=closed(b=TEXT)),
    ],
)
def test_what_can_be_enforced_is_taken(node: dict[str, Any]) -> None:
    assert StrictBudget().take(closed(a=node))


@pytest.mark.parametrize(
    "node",
    [
        {"type": "integer", "minimum": 1},
        {"type": "string", "maxLength": 5},
        {"type": "string", "pattern": "a"},
        {"type": "string", "format": "binary"},
        {"type": "array", "items": TEXT, "maxItems": 5},
        {"$ref": "#/$defs/x"},
        {"type": "object", "additionalProperties": TEXT},
        {"type": "object", "properties": {}},
        {"type": "array", "items": {"type": "object"}},
        {"anyOf": [TEXT, {"allOf": [TEXT]}]},
        {},
    ],
)
def test_what_cannot_be_enforced_is_left(node: dict[str, Any]) -> None:
    budget = StrictBudget()
    assert not budget.take(closed(a=node))
    assert budget == StrictBudget()


def test_a_request_holds_twenty_strict_tools() -> None:
    budget = StrictBudget()
    assert [budget.take(closed(a=TEXT)) for _ in range(21)] == [True] * 20 + [False]


def test_a_request_holds_twenty_four_optional_parameters_and_a_smaller_tool_still_fits() -> None:
    budget = StrictBudget()
    ten = closed(required=False, **{f"p{at}": TEXT for at in range(10)})
    assert [budget.take(ten) for _ in range(3)] == [True, True, False]
    assert budget.take(closed(required=False, **{f"p{at}": TEXT for at in range(4)}))
    assert not budget.take(closed(required=False, a=TEXT))


def test_a_request_holds_sixteen_parameters_of_several_types() -> None:
    budget = StrictBudget()
    several = {"type": ["string", "null"]}
    assert budget.take(closed(**{f"p{at}": several for at in range(16)}))
    assert not budget.take(closed(a={"anyOf": [TEXT, {"type": "integer"}]}))
    assert budget.take(closed(a=TEXT))
