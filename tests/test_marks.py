"""Markers of a field: gathered wherever they stand, and refused where they say nothing or could not be meant."""

from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import BaseModel, create_model
from typing_extensions import TypeAliasType

from charter import (
    Body,
    Case,
    ConflictsWith,
    DeclarationError,
    ExactlyOneOf,
    Format,
    Gloss,
    Header,
    Mode,
    NotOnly,
    Path,
    Query,
    WireName,
)
from charter.fields import Naming, read_models
from charter.marks import check_rules, read_marks

Hidden = TypeAliasType("Hidden", Annotated[str, Mode("disabled")])


def read(annotation: Any, default: Any = None) -> Any:
    model: type[BaseModel] = create_model("Args", value=(annotation, default))
    return read_models(model, Naming())[model].fields["value"]


def wrong(value: Any) -> Any:
    """Return what no type checker lets through."""
    return value


@pytest.mark.parametrize(
    ("mark", "told"),
    [
        (WireName(""), "WireName: name='' cannot be. Give a text that is not empty"),
        (WireName(wrong(5)), "WireName: name=5 cannot be"),
        (Gloss(""), "Gloss: text='' cannot be"),
        (Gloss(" "), "Gloss: text=' ' cannot be"),
        (Query(style=wrong("dots")), "Query: style='dots' cannot be. Give one of 'repeat', 'comma'"),
        (Query(style=wrong("")), "Query: style='' cannot be"),
        (Header(""), "Header: name='' cannot be"),
        (Body(raw=""), "Body: raw='' cannot be. Give a media type"),
        (Body(raw="text"), "Body: raw='text' cannot be"),
        (Body(embed=wrong("yes")), "Body: embed='yes' cannot be. Give True or False"),
        (Path(allow_slash=wrong(1)), "Path: allow_slash=1 cannot be"),
        (Format(), "Format: steps="),
        (Format(wrong(5)), "Format: steps="),
        (ConflictsWith(), "ConflictsWith: fields="),
        (Mode(), "Mode needs a label"),
        (Query, r"Query is the marker's class. Write Query\(...\)"),
        (Mode, r"Mode is the marker's class. Write Mode\(...\)"),
    ],
)
def test_a_marker_that_cannot_be_meant_is_refused_with_class_and_field(mark: Any, told: str) -> None:
    with pytest.raises(DeclarationError, match=f"^Args.value: {told}"):
        read(Annotated[str | None, mark])


@pytest.mark.parametrize(
    "annotation",
    [Annotated[str, Gloss("a"), Gloss("b")], Annotated[Annotated[str, Gloss("a")] | None, Gloss("b")]],
    ids=str,
)
def test_of_two_sentences_none_is_lost(annotation: Any) -> None:
    with pytest.raises(DeclarationError, match="^Args.value: has a Gloss twice.* Write one of both"):
        read(annotation)


@pytest.mark.parametrize(
    "annotation",
    [
        list[Annotated[str, Mode("disabled")]],
        dict[str, Annotated[str, WireName("x")]],
        Annotated[int, Query()] | str,
        list[Hidden],
        tuple[Annotated[int, Header("X")], str],
        list[Annotated[str, ConflictsWith("other")]] | None,
    ],
    ids=str,
)
def test_a_marker_where_it_has_no_effect_is_refused(annotation: Any) -> None:
    with pytest.raises(DeclarationError, match="on a part of the type has no effect. Put it on the field"):
        read(annotation, "x")


def test_markers_within_an_alias_count() -> None:
    assert read(Hidden, "x").withheld
    assert read(Hidden | None).withheld
    marks = read_marks(Annotated[str, Gloss("b")] | None, [Case.CAMEL], "Args.value")
    assert marks == (Case.CAMEL, Gloss("b"))
    assert read_marks(list[Annotated[str, Format("base64url")]], [], "Args.value") == ()


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (ExactlyOneOf("a", "b"), "wire_rules is no tuple"),
        (("a", "b"), "wire_rules holds 'a'. Write rules"),
        ((ExactlyOneOf,), "wire_rules holds"),
        ((ExactlyOneOf(),), "ExactlyOneOf names no field"),
    ],
)
def test_rules_that_are_none_are_refused(rules: Any, told: str) -> None:
    with pytest.raises(DeclarationError, match=f"^Args: {told}"):
        check_rules(rules, "Args")
    assert check_rules((NotOnly(),), "Args") == (NotOnly(),)


def test_a_case_of_a_models_own_is_a_case() -> None:
    class Args(BaseModel):
        wire_case: ClassVar[Any] = "shout"

        value: Literal["a"] = "a"

    with pytest.raises(DeclarationError, match="^Args: wire_case='shout' cannot be. Give a member of Case"):
        read_models(Args, Naming())
