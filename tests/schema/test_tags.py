"""Tags: no option of a union is taken silently where another fits as well."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, create_model

from charter import ToolValidationError
from charter.plan import Conventions, read_plan
from charter.projection import WHOLE
from charter.schema.tags import find_untold
from charter.schema.view import validate_arguments
from charter.shapes import Shape


class Mail(BaseModel):
    kind: Literal["mail"] = "mail"
    to: str | None = None


class Call(BaseModel):
    kind: Literal["call"] = "call"
    to: str | None = None
    minutes: int | None = None


class Plain(BaseModel):
    to: str | None = None


def read(annotation: Any, value: Any) -> Any:
    plan = read_plan("tool", "POST", "x", create_model("Args", way=(annotation, ...)), Conventions())
    return validate_arguments(plan, {"way": value}).model_dump()["way"]


@pytest.mark.parametrize(
    "annotation",
    [Mail | Call, Annotated[Mail | Call, Field(discriminator="kind")], Call | Mail],
    ids=["plain", "discriminated", "in another order"],
)
def test_a_tag_that_was_left_out_is_asked_for_where_several_options_fit(annotation: Any) -> None:
    for value in ({"to": "a"}, {}):
        with pytest.raises(
            ToolValidationError,
            match=r"way.kind: is missing, and says which is meant: .*(mail, call|call, mail)",
        ):
            read(annotation, value)
    assert read(annotation, {"minutes": 3})["kind"] == "call"
    assert read(annotation, {"kind": "mail", "to": "a"})["kind"] == "mail"


def test_in_a_list_it_is_asked_for_by_place() -> None:
    with pytest.raises(ToolValidationError, match="way.1.kind: is missing"):
        read(list[Mail | Call], [{"kind": "mail"}, {"to": "a"}])


def test_options_without_tags_are_told_apart_as_before() -> None:
    assert read(Plain | Mail, {"to": "a"}) == {"to": "a"}
    assert read(Mail | str, {"to": "a"}) == {"kind": "mail", "to": "a"}


def test_what_was_told_is_no_longer_untold() -> None:
    graph = read_plan("tool", "POST", "x", Mail, Conventions()).graph
    shape = Shape("model", model=Mail)
    assert find_untold(graph, {}, shape, WHOLE) == {"kind": "mail"}
    assert find_untold(graph, {"Kind": "mail"}, shape, WHOLE) == {}
    assert find_untold(graph, "text", shape, WHOLE) == {}
