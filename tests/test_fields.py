"""Fields: names on the wire, accepted spellings, rules, and what is refused about them."""

from enum import Enum
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.alias_generators import to_camel

from charter.errors import DeclarationError
from charter.fields import FieldPlan, ModelPlan, Naming, fold, read_models
from charter.markers import AtMostOneOf, Case, ConflictsWith, ExactlyOneOf, Gloss, Mode, Requires, WireName


def read(model: type[BaseModel], case: Case | None = None, **naming: Any) -> ModelPlan:
    return read_models(model, Naming(case, **naming))[model]


def model_of(**fields: Any) -> type[BaseModel]:
    return create_model(
        "Args",
        **{name: field if isinstance(field, tuple) else (field, ...) for name, field in fields.items()},
    )


def wires(plan: ModelPlan) -> dict[str, str]:
    return {field.name: field.wire for field in plan.fields.values()}


class Inner(BaseModel):
    postal_code: str


class Own(BaseModel):
    wire_case: ClassVar = Case.KEBAB

    postal_code: str
    inner: Inner


class Named(BaseModel):
    first_one: str
    by_field: Annotated[str, Case.SNAKE]
    by_name: Annotated[str, WireName("by-NAME")]
    by_alias: Annotated[str, Field(alias="ByAlias")]
    by_out_alias: Annotated[str, Field(serialization_alias="out_alias")]
    own: Own
    inner: Inner


class Generated(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)

    max_results: int


def test_a_field_cannot_be_read_only_by_name_as_well() -> None:
    class Both(BaseModel):
        wire_read_only: ClassVar = ("postalCode",)

        postal_code: str

    with pytest.raises(DeclarationError, match="Both: 'postal_code' is a field and read-only"):
        read_models(Both, Naming())


def test_a_name_is_sent_as_it_is_written() -> None:
    assert wires(read(model_of(max_results=int, maxBytes=int))) == {
        "max_results": "max_results",
        "maxBytes": "maxBytes",
    }


def test_the_case_of_the_field_goes_before_the_models_before_the_tools() -> None:
    graph = read_models(Named, Naming(Case.CAMEL))
    assert wires(graph[Named]) == {
        "first_one": "firstOne",
        "by_field": "by_field",
        "by_name": "by-NAME",
        "by_alias": "ByAlias",
        "by_out_alias": "out_alias",
        "own": "own",
        "inner": "inner",
    }
    assert wires(graph[Own]) == {"postal_code": "postal-code", "inner": "inner"}
    assert wires(graph[Inner]) == {"postal_code": "postalCode"}


def test_an_alias_generator_names_fields_on_the_wire() -> None:
    assert wires(read(Generated)) == {"max_results": "maxResults"}


def test_a_field_that_fills_a_hole_takes_the_holes_name_at_the_top_only() -> None:
    class Body(BaseModel):
        user_id: str

    class Args(BaseModel):
        user_id: str
        body: Body

    graph = read_models(Args, Naming(Case.KEBAB, holes={"userid": "userId"}))
    assert wires(graph[Args]) == {"user_id": "userId", "body": "body"}
    assert wires(graph[Body]) == {"user_id": "user-id"}


@pytest.mark.parametrize("key", ["max_results", "maxResults", "MaxResults", "max-results", "MAX_RESULTS"])
def test_every_common_spelling_finds_the_field(key: str) -> None:
    found = read(model_of(max_results=int), Case.CAMEL).find(key)
    assert found
    assert found.name == "max_results"


@pytest.mark.parametrize("key", ["", "max", "max_result", "maxResult", "__class__", "model_fields"])
def test_no_other_key_finds_a_field(key: str) -> None:
    assert read(model_of(max_results=int)).find(key) is None


def test_an_exact_name_goes_before_a_spelling_of_another() -> None:
    plan = read(model_of(a=Annotated[str, WireName("b")], b=Annotated[str, WireName("c")]))
    assert [plan.find(key).name for key in ("b", "c", "a")] == ["a", "b", "a"]  # pyright: ignore[reportOptionalMemberAccess]


def test_an_ambiguous_spelling_finds_nothing_but_the_exact_names_do() -> None:
    plan = read(model_of(max_results=int, maxResults=int))
    assert plan.find("MaxResults") is None
    assert [plan.find(key).name for key in ("max_results", "maxResults")] == ["max_results", "maxResults"]  # pyright: ignore[reportOptionalMemberAccess]


def test_every_model_that_is_reached_is_read() -> None:
    class Node(BaseModel):
        children: "list[Node]" = []
        either: Inner | Own | None = None
        by_key: dict[str, list[Generated]] = {}

    assert set(read_models(Node, Naming())) == {Node, Inner, Own, Generated}


def field_of(annotation: Any, default: Any = ...) -> FieldPlan:
    return read(model_of(value=(annotation, default))).fields["value"]


@pytest.mark.parametrize(
    ("annotation", "default", "required", "nullable"),
    [
        (str, ..., True, False),
        (str | None, ..., True, True),
        (str | None, None, False, True),
        (str, "x", False, False),
        (list[str], Field(default_factory=list), False, False),
        (Annotated[str | None, Field(max_length=3)], None, False, True),
    ],
    ids=str,
)
def test_a_field_knows_whether_it_may_be_left_out_or_null(
    annotation: Any, default: Any, required: bool, nullable: bool
) -> None:
    field = field_of(annotation, default)
    assert (field.is_required, field.is_nullable) == (required, nullable)


class Only(Enum):
    ONE = "one"


@pytest.mark.parametrize(
    ("annotation", "default", "constant"),
    [
        (Literal["a"], "a", True),
        (Literal["a"], ..., False),
        (Literal["a", "b"], "a", False),
        (Literal[Only.ONE], Only.ONE, True),
        (str, "a", False),
        (Literal["a"] | None, None, False),
    ],
    ids=str,
)
def test_a_single_literal_with_a_default_is_a_constant(annotation: Any, default: Any, constant: bool) -> None:
    assert field_of(annotation, default).is_constant is constant


def test_the_last_marker_of_a_kind_wins_and_an_optional_arm_may_hold_them() -> None:
    assert field_of(Annotated[str, WireName("first"), WireName("last")]).wire == "last"
    assert field_of(Annotated[str, Gloss("inside")] | None, None).gloss == "inside"
    assert field_of(str).gloss == ""


@pytest.mark.parametrize(
    ("label", "mode", "visible"),
    [
        ("disabled", None, False),
        ("response_only", None, False),
        ("request_only", None, True),
        ("pro", None, False),
        ("pro", "pro", True),
        ("pro", "basic", False),
        ("request_only", "pro", True),
        ("response_only", "pro", False),
        ("disabled", "disabled", False),
        ("response_only", "response_only", False),
    ],
)
def test_a_mode_says_whether_the_model_sees_a_field(label: str, mode: str | None, visible: bool) -> None:
    plan = read(
        model_of(value=(Annotated[str | None, Mode(label)], None), other=str), modes=(mode,) if mode else ()
    )
    assert [field.name for field in plan.visible()] == (["value", "other"] if visible else ["other"])
    assert bool(plan.find("value")) is visible


# What cannot work, each with class, field and fix.


def test_an_annotation_that_does_not_resolve_is_refused() -> None:
    class Args(BaseModel):
        value: "Missing"  # noqa: F821  # pyright: ignore[reportUndefinedVariable]

    with pytest.raises(
        DeclarationError, match=r"^Args: the annotation 'Missing' does not resolve. Define or import"
    ):
        read(Args)


def test_an_annotation_further_down_that_does_not_resolve_is_refused() -> None:
    class Deep(BaseModel):
        value: "list[Missing]"  # noqa: F821  # pyright: ignore[reportUndefinedVariable]

    with pytest.raises(DeclarationError, match=r"the annotation 'Missing' does not resolve"):
        read(model_of(deep=list[Deep]))


def test_two_fields_with_one_wire_name_are_refused() -> None:
    both = model_of(max_results=int, maxResults=int)
    with pytest.raises(
        DeclarationError, match=r"^Args: max_results and maxResults share the wire name 'maxResults'. Give"
    ):
        read(both, Case.CAMEL)
    with pytest.raises(DeclarationError, match=r"share the wire name 'x'"):
        read(model_of(x=int, y=Annotated[int, WireName("x")]))


def test_two_nested_fields_with_one_wire_name_are_refused() -> None:
    class Twins(BaseModel):
        a_b: int
        aB: int

    with pytest.raises(DeclarationError, match=r"^Twins: a_b and aB share"):
        read(model_of(twins=dict[str, Twins]), Case.CAMEL)


class Ruled(BaseModel):
    wire_rules: ClassVar = (ExactlyOneOf("charge", "payment"),)

    charge: str | None = None


def test_a_rule_that_names_no_field_is_refused() -> None:
    with pytest.raises(
        DeclarationError, match=r"^Ruled: ExactlyOneOf names 'payment', which is no field. Use one of: charge"
    ):
        read(Ruled)


def test_a_conflict_that_names_no_field_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"^Args: AtMostOneOf names 'gone', which is no field"):
        read(model_of(here=Annotated[str, ConflictsWith("gone")]))


def test_a_conflict_is_one_rule_however_often_it_is_said() -> None:
    plan = read(model_of(a=Annotated[str, ConflictsWith("b")], b=Annotated[str, ConflictsWith("a")], c=str))
    assert len(plan.rules) == 1
    assert isinstance(plan.rules[0], AtMostOneOf)


def test_rules_are_inherited() -> None:
    class Base(BaseModel):
        wire_rules: ClassVar = (Requires("a", "b"),)
        a: str | None = None
        b: str | None = None

    class Args(Base):
        c: str

    assert read(Args).rules == (Requires("a", "b"),)


def test_an_empty_mode_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"^Args.value: Mode: a mode needs a label"):
        read(model_of(value=(Annotated[str | None, Mode("")], None)))


def test_a_mode_that_hides_a_required_field_is_refused() -> None:
    with pytest.raises(
        DeclarationError,
        match=r"^Args.value: is required, but mode 'disabled' withholds it. Give it a default",
    ):
        read(model_of(value=Annotated[str, Mode("disabled")]))


def test_folding_joins_the_common_spellings_and_no_others() -> None:
    assert len({fold(name) for name in ("max_results", "maxResults", "Max-Results", "MAXRESULTS")}) == 1
    assert fold("max_result") != fold("max_results")


def test_a_field_may_be_in_several_modes_and_a_tool_too() -> None:
    marked = model_of(value=(Annotated[str | None, Mode("pro", "max")], None), other=str)
    seen = {(): False, ("pro",): True, ("max",): True, ("basic",): False, ("basic", "max"): True}
    for modes, visible in seen.items():
        assert bool(read(marked, modes=modes).find("value")) is visible
    assert read(marked).fields["value"].withheld == "mode 'pro' or 'max' withholds it"
    both = model_of(value=(Annotated[str | None, Mode("pro"), Mode("max")], None), other=str)
    assert [bool(read(both, modes=modes).find("value")) for modes in (("pro",), ("pro", "max"))] == [
        False,
        True,
    ]


@pytest.mark.parametrize("labels", [("disabled", "pro"), ("pro", "request_only"), (), ("pro", ""), (7,)])
def test_labels_that_contradict_each_other_or_say_nothing_are_refused(labels: Any) -> None:
    with pytest.raises(DeclarationError, match="^Args.value: Mode"):
        read(model_of(value=(Annotated[str | None, Mode(*labels)], None)))
