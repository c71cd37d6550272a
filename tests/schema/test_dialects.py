"""Every tool in every dialect: what the provider takes, nothing lost, and arguments that execution accepts."""

import copy
import importlib
import json
from collections.abc import Iterator
from datetime import datetime
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, JsonValue, create_model

from charter import Api, Clearable, DeclarationError, Tool, WireName
from charter.packs import PACKS
from charter.schema.dialects import DIALECTS, find_refusals, is_hoisted, render_in_dialect
from tests.schema.dialect_checks import CHECKS, find_faults
from tests.schema.instances import Instances

api = Api("things", base_url="https://things.example/")


def all_tools() -> Iterator[Any]:
    for module in PACKS.values():
        yield from importlib.import_module(module).TOOLS


def make(**fields: Any) -> Tool:
    args: type[BaseModel] = create_model("ThingsSend", __doc__="Send things.", **fields)
    return api.post("things", args)


def schema_of(tool: Tool, dialect: Any) -> dict[str, Any]:
    return tool.to_json_schema(dialect)["parameters"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_tool_of_every_pack_is_taken_by_every_provider(dialect: Any) -> None:
    faults: dict[str, list[str]] = {}
    for tool in all_tools():
        plain = tool.to_json_schema()
        definition = render_in_dialect(
            tool.qualified_name, plain["description"], plain["parameters"], dialect
        )
        if found := find_faults(definition, dialect):
            faults[tool.qualified_name] = found
        assert tool.to_json_schema() == plain
    assert faults == {}


def test_there_is_a_check_for_each_dialect() -> None:
    assert set(CHECKS) == set(DIALECTS)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_check_finds_what_the_plain_schema_does_wrong(dialect: Any) -> None:
    inner = {"type": "object", "properties": {"a b": {"$ref": "#/$defs/Gone"}}, "required": ["c"]}
    root = {"anyOf": [{"type": "object"}], "properties": {"x": inner}}
    assert find_faults({"name": "a b", "description": "", "parameters": root}, dialect)


class Colour(Enum):
    RED = "red"
    NONE = ""


class Level(IntEnum):
    LOW = 1
    HIGH = 10


class Leaf(BaseModel):
    name: str
    size: int | None = Field(None, ge=0, description="In bytes")
    kind: Literal["leaf"] = "leaf"


class Twig(BaseModel):
    kind: Literal["twig"] = "twig"
    leaves: list[Leaf] = []


class Tree(BaseModel):
    name: str
    children: list["Tree"] = []
    best: "Tree | None" = None


class Open(BaseModel, extra="allow"):
    name: str


class Empty(BaseModel):
    pass


LEAVES: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "datetime": datetime,
    "enum": Colour,
    "integer enum": Level,
    "mixed literal": Literal["a", 1],
    "true": Literal[True],
    "one literal": Literal["only"],
    "bounded": Annotated[int, Field(gt=0, lt=4)],
    "model": Leaf,
    "empty model": Empty,
    "open model": Open,
    "recursive model": Tree,
    "map": dict[str, int],
    "map of models": dict[str, Leaf],
    "union of models": Leaf | Twig,
    "chosen union": Annotated[Leaf | Twig, Field(discriminator="kind")],
    "text or model": Literal["none"] | Leaf,
    "empty or map": Literal[""] | dict[str, str],
    "number or list": int | list[int],
}
ANNOTATIONS = st.recursive(
    st.sampled_from(list(LEAVES.values())),
    lambda inner: inner.map(lambda each: list[each]) | inner.map(lambda each: each | None),
    max_leaves=3,
)
NAMES = st.sampled_from(["name", "$top", "filter[id]", "max_results", "@type", "If-Match", "1st"])
ANNOTATIONS = st.recursive(
    st.sampled_from(list(LEAVES.values())),
    lambda inner: inner.map(lambda each: list[each]) | inner.map(lambda each: each | None),
    max_leaves=3,
)
NAMES = st.sampled_from(["name", "$top", "filter[id]", "max_results", "@type", "If-Match", "1st"])
TEXTS: dict[str, list[Any]] = {
    "another Tree like the one around it": [{"name": "x"}, {"name": "x", "children": [{"name": "y"}]}],
    "an object whose values are each an integer": [{}, {"k": 1}],
    "an object whose values are each a text": [{}, {"k": "v"}],
}


WRITTEN: dict[str, list[Any]] = {
    "another Tree like the one around it": [{"name": "x"}, {"name": "x", "children": [{"name": "y"}]}],
    "an integer": [3],
    "a text": ["v"],
}


def read_texts(told: str) -> list[Any]:
    """Return what a model would write by the description of a JSON text."""
    if told in WRITTEN:
        return WRITTEN[told]
    if told.startswith("a list whose items are each "):
        return [[], [read_texts(told.removeprefix("a list whose items are each "))[-1]]]
    if told.startswith("an object whose values are each "):
        return [{}, {"k": read_texts(told.removeprefix("an object whose values are each "))[-1]}]
    quoted = json.loads(told.removeprefix("what fits the JSON Schema "))
    value = {"name": "y", "size": 3} if "size" in quoted["properties"] else {"name": "y"}
    jsonschema.validate(value, quoted)
    return [value]


@st.composite
def tools(draw: st.DrawFn) -> Tool:
    fields: dict[str, Any] = {}
    for at, wire in enumerate(draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))):
        annotation = Annotated[draw(ANNOTATIONS), WireName(wire)]
        fields[f"f{at}_{'x' * at}"] = (annotation, draw(st.sampled_from([..., None])))
        if fields[f"f{at}_{'x' * at}"][1] is None:
            fields[f"f{at}_{'x' * at}"] = (annotation | None, None)
    return make(**fields)


@pytest.mark.parametrize("dialect", DIALECTS)
@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_arguments_written_by_a_dialects_schema_are_accepted(dialect: Any, data: st.DataObject) -> None:
    tool = data.draw(tools())
    definition = tool.to_json_schema(dialect)
    assert find_faults(definition, dialect) == []
    parameters = definition["parameters"]
    arguments = data.draw(Instances(parameters.get("$defs", {}), read_texts).of(parameters))
    tool.llm_schema().model_validate(arguments)


@pytest.mark.parametrize("dialect", ["openai", "anthropic", "bedrock", "mcp"])
@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_nothing_that_the_tool_takes_is_lost(dialect: Any, data: st.DataObject) -> None:
    fields = {f"f{at}": (data.draw(ANNOTATIONS), ...) for at in range(2)}
    tool = make(**fields)
    plain = schema_of(tool, None)
    arguments = data.draw(Instances(plain.get("$defs", {}), read_texts).of(plain))
    jsonschema.validate(arguments, plain)
    if "JSON text of" not in json.dumps(schema_of(tool, dialect)):
        jsonschema.validate(arguments, schema_of(tool, dialect))


def test_optional_fields_are_nullable_when_everything_is_required() -> None:
    tool = make(a=(str, ...), b=(int | None, None), c=(Literal["x"] | None, None), d=(Leaf | None, None))
    schema = schema_of(tool, "openai-strict")
    assert schema["required"] == ["a", "b", "c", "d"]
    assert schema["properties"]["b"] == {"type": ["integer", "null"]}
    assert schema["properties"]["c"] == {"type": ["string", "null"], "enum": ["x", None]}
    assert schema["properties"]["d"]["type"] == ["object", "null"]
    read = tool.llm_schema().model_validate({"a": "1", "b": None, "c": None, "d": None})
    assert read.model_dump(exclude_unset=True) == {"a": "1"}


def test_when_everything_is_required_what_null_clears_is_named_beside_it() -> None:
    clearable = Annotated[str | None, Clearable(), Field(description="A note.")]
    tool = make(a=(str, ...), note=(clearable, None), size=(int | None, None))
    schema = schema_of(tool, "openai-strict")
    assert schema["required"] == ["a", "note", "size", "set_to_null"]
    assert schema["properties"]["note"] == {"type": ["string", "null"], "description": "A note."}
    assert schema["properties"]["set_to_null"]["items"] == {"type": "string", "enum": ["note"]}
    for named, read in ((None, {}), (["note"], {"note": None})):
        given = {"a": "1", "note": None, "size": None, "set_to_null": named}
        jsonschema.validate(given, schema)
        view = tool.llm_schema().model_validate(given)
        assert view.model_dump(exclude_unset=True) == {"a": "1", **read}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_null_that_clears_may_be_written_in_every_dialect(dialect: Any) -> None:
    class Noted(BaseModel):
        note: Annotated[str | None, Clearable()] = None

    tool = make(noted=(Noted | None, None), twice=(list[Noted], ...))
    assert find_faults(tool.to_json_schema(dialect), dialect) == []
    view = tool.llm_schema().model_validate({"twice": [{"note": None}]})
    assert view.model_dump(exclude_unset=True) == {"twice": [{"note": None}]}
    written = json.dumps(schema_of(tool, dialect))
    assert '["string", "null"]' in written or '"nullable": true' in written


def test_a_field_that_takes_the_name_of_that_list_cannot_be_said() -> None:
    tool = make(note=(Annotated[str | None, Clearable()], None), set_to_null=(str | None, None))
    with pytest.raises(DeclarationError, match="set_to_null has the name that lists what null clears"):
        tool.to_json_schema("openai-strict")


def test_recursion_is_unrolled_to_the_stated_depth_and_goes_on_as_text() -> None:
    schema = schema_of(make(tree=(Tree, ...)), "gemini")
    node, levels = schema["properties"]["tree"], 0
    while node["type"] == "object":
        node, levels = node["properties"]["best"], levels + 1
    assert levels == 3
    assert node == {"type": "string", "description": "JSON text of another Tree like the one around it."}


def test_what_a_schema_cannot_say_is_told_in_its_description() -> None:
    tool = make(
        code=(Annotated[str, Field(max_length=5, description="A code")], ...),
        day=(Annotated[float, Field(multiple_of=0.5, gt=0)], ...),
        pair=(tuple[int, str], ...),
    )
    strict, gemini = schema_of(tool, "openai-strict")["properties"], schema_of(tool, "gemini")["properties"]
    assert strict["code"] == {"type": "string", "description": "A code. At most 5 characters."}
    assert gemini["day"]["description"] == "A multiple of 0.5. More than 0."
    assert gemini["pair"]["description"] == "In this order: an integer; a text."
    assert gemini["pair"]["minItems"] == gemini["pair"]["maxItems"] == 2


REFUSED: list[tuple[Tool, str, str, str]] = [
    (make(data=(JsonValue, None)), "gemini", "data leaves the type of its value open", "drop=['data']"),
    (
        make(data=(dict[str, str] | str | None, None)),
        "gemini",
        "data takes any text or an object",
        "drop=['data']",
    ),
    (make(data=(list[Any], ...)), "openai-strict", "data leaves the type", "pin={'data': ...}"),
    (
        make(twin=(Annotated[str, WireName("a[b]")], ...), other=(Annotated[str, WireName("a.b")], ...)),
        "gemini",
        "has a name with other signs",
        "pin=",
    ),
    (make(long=(Annotated[str, WireName("n" * 65)], ...)), "anthropic", "has a name with other", "pin="),
    (
        make(pick=(Literal[tuple(f"v{n}" for n in range(1001))], ...)),
        "openai-strict",
        "1001 enum values",
        "pick",
    ),
]


@pytest.mark.parametrize(("tool", "dialect", "problem", "fix"), REFUSED)
def test_what_cannot_be_said_is_refused_with_its_path_and_a_projection(
    tool: Tool, dialect: Any, problem: str, fix: str
) -> None:
    with pytest.raises(DeclarationError) as caught:
        tool.to_json_schema(dialect)
    assert problem in str(caught.value)
    assert fix in str(caught.value)
    assert find_refusals(tool.name, tool.to_json_schema()["parameters"], dialect)


def test_the_suggested_projection_mends_it() -> None:
    tool = make(a=(str, ...), data=(JsonValue, None))
    assert find_faults(tool.derived(drop=["data"]).to_json_schema("gemini"), "gemini") == []


def test_a_tool_without_arguments_has_no_parameters_for_gemini_alone() -> None:
    tool = make()
    assert [dialect for dialect in DIALECTS if "parameters" not in tool.to_json_schema(dialect)] == ["gemini"]


def test_a_root_that_is_no_plain_object_is_put_into_a_field() -> None:
    members = {"a": {"type": "string"}, "b": {"type": "string"}}
    root = {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": members}
    assert is_hoisted(root)
    for dialect in DIALECTS:
        definition = render_in_dialect("foreign", "Do.", copy.deepcopy(root), dialect)
        assert find_faults(definition, dialect) == []
        options = definition["parameters"]["properties"]["arguments"]["anyOf"]
        assert [list(option["properties"]) for option in options] == [["a", "b"], ["a", "b"]]
        if dialect != "openai-strict":
            assert [option["required"] for option in options] == [["a"], ["b"]]


def test_a_schema_too_large_to_unroll_is_refused_shortly() -> None:
    names = [f"N{n}" for n in range(12)]
    members = {name.lower(): {"$ref": f"#/$defs/{name}"} for name in names}
    node = {"type": "object", "properties": members}
    parameters = {
        "type": "object",
        "properties": {"filter": {"$ref": "#/$defs/N0"}},
        "$defs": dict.fromkeys(names, node),
    }
    [refusal] = find_refusals("search", parameters, "bedrock")
    assert (refusal.path, refusal.problem) == ("filter", "is recursive and too large to write out")
    assert find_refusals("search", parameters, "anthropic") == []


def test_an_unknown_dialect_is_refused_with_those_there_are() -> None:
    with pytest.raises(DeclarationError, match="Use one of openai, openai-strict"):
        make().to_json_schema("klingon")  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_schema_of_a_dialect_is_itself_valid(dialect: Any) -> None:
    for tool in all_tools():
        parameters = tool.to_json_schema(dialect).get("parameters", {})
        jsonschema.Draft202012Validator.check_schema(parameters)
