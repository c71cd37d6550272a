"""Null: what it clears, that it is nothing elsewhere, and what is named to clear where it says nothing."""

import json
from typing import Annotated, Any, ClassVar

import pytest
from pydantic import BaseModel

from charter import Case, Clearable, Mode, NotOnly, ToolValidationError
from charter.plan import Conventions, read_plan
from charter.schema.view import validate_arguments


def validate(arguments: Any, args: type[BaseModel]) -> dict[str, Any]:
    plan = read_plan("tool", "POST", "things", args, Conventions(Case.CAMEL))
    return validate_arguments(plan, arguments).model_dump(exclude_unset=True)


class Moment(BaseModel):
    day: Annotated[str | None, Clearable()] = None
    zone: str | None = None


class EventsPatch(BaseModel):
    wire_rules: ClassVar = (NotOnly("event"),)

    event: str
    note: Annotated[str | None, Clearable()] = None
    start: Annotated[Moment | None, Clearable()] = None
    others: list[Moment] = []
    by_key: dict[str, Annotated[str | None, Clearable()]] = {}
    title: str | None = None
    secret: Annotated[str | None, Clearable(), Mode("staff")] = None


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"note": None}, {"note": None}),
        ({"note": "x", "title": None}, {"note": "x"}),
        ({"start": None}, {"start": None}),
        ({"start": {"day": None, "zone": None}}, {"start": {"day": None}}),
        ({"others": [{"day": None}], "byKey": {"k": None}}, {"others": [{"day": None}], "by_key": {"k": None}}),
        ({"start": '{"day": null}'}, {"start": {"day": None}}),
    ],
)  # fmt: skip
def test_null_clears_what_is_marked_at_any_depth_and_is_nothing_elsewhere(given: Any, read: Any) -> None:
    assert validate({"event": "e", **given}, EventsPatch) == {"event": "e", **read}
    assert validate(json.dumps({"event": "e", **given}), EventsPatch) == {"event": "e", **read}


def test_an_update_that_asks_for_nothing_is_refused() -> None:
    for given in ({}, {"title": None}):
        with pytest.raises(ToolValidationError, match="give something to change beside event"):
            validate({"event": "e", **given}, EventsPatch)


UNSET = {"note": None, "start": None, "others": None, "byKey": None, "title": None}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({**UNSET, "title": "x", "set_to_null": None}, {"title": "x"}),
        ({**UNSET, "set_to_null": ["note", "start"]}, {"note": None, "start": None}),
        ({**UNSET, "set_to_null": '["note"]'}, {"note": None}),
        (
            {**UNSET, "set_to_null": [], "start": {"day": None, "zone": "UTC", "set_to_null": []}},
            {"start": {"zone": "UTC"}},
        ),
        ({"start": {"day": None, "zone": None, "set_to_null": ["day"]}}, {"start": {"day": None}}),
    ],
)
def test_where_null_says_not_given_what_is_named_beside_it_is_cleared(given: Any, read: Any) -> None:
    assert validate({"event": "e", **given}, EventsPatch) == {"event": "e", **read}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"set_to_null": ["title"]}, "title: cannot be set to null"),
        ({"set_to_null": ["secret"]}, "secret: is no argument"),
        ({"set_to_null": ["nte"]}, r"nte: is no argument \(did you mean note\?\)"),
        ({"set_to_null": [7]}, "7: is no argument"),
        ({"set_to_null": ["note"], "note": "x"}, "note: has a value and is set to null"),
        ({"set_to_null": "note"}, "set_to_null: must be a list of names"),
    ],
)
def test_what_cannot_be_cleared_is_told_by_name(given: Any, told: str) -> None:
    with pytest.raises(ToolValidationError, match=told):
        validate({"event": "e", **given}, EventsPatch)
