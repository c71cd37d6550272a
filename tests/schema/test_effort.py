"""Effort: how much work arguments would make, counted without doing it."""

import time
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, RootModel, create_model

from charter.fields import Naming, read_models
from charter.schema.effort import MAX_EFFORT, count_effort
from charter.shapes import Shape


class Left(BaseModel):
    kind: Literal["left"]
    nodes: "list[Left | Right]" = []
    chosen: "list[Annotated[Left | Right, Field(discriminator='kind')]]" = []


class Right(BaseModel):
    kind: Literal["right"]
    nodes: "list[Left | Right]" = []
    chosen: "list[Annotated[Left | Right, Field(discriminator='kind')]]" = []


class Leaves(RootModel[list[str]]):
    pass


def count(annotation: Any, value: Any) -> int:
    args = create_model("Args", value=(annotation, ...))
    return count_effort(read_models(args, Naming()), {"value": value}, Shape("model", model=args))


@pytest.mark.parametrize(
    ("annotation", "value", "effort"),
    [
        (str, "x", 2),
        (Any, [[[]]], 2),
        (list[str], ["a", "b"], 4),
        (dict[str, int], {"a": 1}, 3),
        (tuple[str, int], ["a", 1], 4),
        (tuple[str, int], ["a"], 2),
        (Leaves, ["a"], 4),
        (Left, {"kind": "left", "unknown": [1]}, 3),
        (Left | Right, {"kind": "right"}, 6),
        (Annotated[Left | Right, Field(discriminator="kind")], {"kind": "right"}, 4),
        (list[Left] | dict[str, str], [], 4),
    ],
    ids=str,
)
def test_each_value_counts_as_often_as_it_is_looked_at(annotation: Any, value: Any, effort: int) -> None:
    assert count(annotation, value) == effort


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_unions_within_unions_multiply(depth: int) -> None:
    def nest(via: str) -> int:
        value: Any = {"kind": "right"}
        for _ in range(depth):
            value = {"kind": "right", via: [value]}
        return count(Left | Right, value)

    assert nest("nodes") > 2**depth
    assert nest("chosen") < 10 * (depth + 1)


def test_counting_is_quick_whatever_the_count() -> None:
    value: Any = {"kind": "right"}
    for _ in range(60):
        value = {"kind": "right", "nodes": [value]}
    began = time.process_time()
    assert count(Left | Right, value) > 2**60 > MAX_EFFORT
    assert time.process_time() - began < 5
