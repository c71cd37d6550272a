"""Costs: one rule for every value."""

from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel, Field

from charter import Api, json_tokens, schema_tokens
from charter.schema.cost import write_compact


class ThingsGet(BaseModel):
    """Read a thing."""

    id: str = Field(description="Größe.")


@pytest.mark.parametrize(
    ("value", "tokens"),
    [
        ({"id": "x"}, 2),
        ({}, 0),
        ("", 0),
        ("ab", 1),
        ("abcdef", 2),
        ("äöüß12", 2),
        ([1, 2, 3, 4], 2),
        ({"a": {"b": [None, True]}}, 5),
    ],
    ids=str,
)
def test_tokens_are_characters_of_compact_json_over_four(value: Any, tokens: int) -> None:
    assert json_tokens(value) == tokens == len(write_compact(value)) // 4


def test_a_value_is_written_without_spaces_or_escapes() -> None:
    assert write_compact({"a": ["ä", 1.5, None]}) == '{"a":["ä",1.5,null]}'


def test_what_json_has_not_is_counted_as_its_text() -> None:
    assert json_tokens({"on": date(2026, 3, 1)}) == len('{"on":"2026-03-01"}') // 4


def test_a_tool_costs_what_its_parameters_do() -> None:
    tool = Api("shop", base_url="https://shop.example").get("things/{id}", ThingsGet)
    parameters = tool.to_json_schema()["parameters"]
    assert schema_tokens(tool) == json_tokens(parameters) == len(write_compact(parameters)) // 4


def test_anything_that_renders_a_schema_has_a_price() -> None:
    class Other:
        def to_json_schema(self) -> dict[str, Any]:
            return {"name": "x", "description": "y" * 1_000, "parameters": {"type": "object"}}

    assert schema_tokens(Other()) == len('{"type":"object"}') // 4
