"""Names, closed enums, kinds and required members of every tool agree with the types of Stripe's own client."""

from collections.abc import Iterator
from typing import Any, Literal, NotRequired, get_args, get_origin

import pytest
from typing_extensions import is_typeddict

from charter import Tool
from charter.packs import stripe
from tests.packs.stripe.vendor import hints_of, options_of, params_of

KINDS = {str: "string", bool: "boolean", int: "integer", float: "number"}


def resolve(node: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    return defs[node["$ref"].removeprefix("#/$defs/")] if "$ref" in node else node


def check(node: dict[str, Any], annotation: Any, path: str, defs: dict[str, Any]) -> Iterator[str]:
    """Yield each way in which a schema offers what the vendor's annotation does not take."""
    options = list(options_of(annotation))
    for mine in [resolve(one, defs) for one in resolve(node, defs).get("anyOf", [node])]:
        mine = resolve(mine, defs)
        if "properties" in mine:
            yield from check_object(mine, options, path, defs)
        elif mine.get("type") == "object":
            maps = [option for option in options if get_origin(option) is dict]
            yield from [] if maps else [f"{path}: is no map"]
            for option in maps:
                yield from check(mine["additionalProperties"], get_args(option)[1], f"{path}{{}}", defs)
        elif mine.get("type") == "array":
            lists = [option for option in options if get_origin(option) is list]
            yield from [] if lists else [f"{path}: is no list"]
            for option in lists:
                yield from check(mine["items"], get_args(option)[0], f"{path}[]", defs)
        else:
            yield from check_scalar(mine, options, path)


def check_object(mine: dict[str, Any], options: list[Any], path: str, defs: dict[str, Any]) -> Iterator[str]:
    objects = [option for option in options if is_typeddict(option)]
    if len(objects) != 1:
        yield f"{path}: is no object"
        return
    hints = hints_of(objects[0])
    for name, child in mine["properties"].items():
        if name in hints:
            yield from check(child, hints[name], f"{path}.{name}", defs)
        else:
            yield f"{path}.{name}: does not exist"
    for name in required_of(hints) - constants_of(mine) - set(mine.get("required", ())):
        yield f"{path}.{name}: is required"


def required_of(hints: dict[str, Any]) -> set[str]:
    return {name for name, hint in hints.items() if get_origin(hint) is not NotRequired}


def constants_of(mine: dict[str, Any]) -> set[str]:
    """Return members with one possible value, which are sent without being asked for."""
    return {name for name, child in mine["properties"].items() if "const" in child}


def check_scalar(mine: dict[str, Any], options: list[Any], path: str) -> Iterator[str]:
    vendor = {value for option in options if get_origin(option) is Literal for value in get_args(option)}
    own = set(mine.get("enum", [mine["const"]] if "const" in mine else []))
    kinds = {KINDS.get(option, getattr(option, "__name__", "")) for option in options}
    if own == {""}:
        yield from [] if "" in vendor else [f"{path}: cannot be cleared"]
    elif own and own != {True}:
        if own - {""} != vendor - {""}:
            yield f"{path}: {sorted(own ^ vendor)} on one side only"
        if "" in own - vendor:
            yield f"{path}: cannot be cleared"
    else:
        kind = "integer" if mine.get("format") == "date-time" else mine["type"]  # Stripe counts seconds
        if kind not in kinds and not (kind == "string" and "Decimal" in kinds):
            yield f"{path}: is no {kind}, but {sorted(kinds)}"


def problems_of(tool: Tool) -> list[str]:
    schema = tool.to_json_schema()["parameters"]
    hints = hints_of(params_of(tool.name))
    problems: list[str] = []
    for name, child in schema["properties"].items():
        if f"{{{name}}}" not in tool.route:
            known = name in hints
            found = check(child, hints[name], name, schema.get("$defs", {})) if known else ["does not exist"]
            problems += found if known else [f"{name}: does not exist"]
    return problems + [
        f"{name}: is required" for name in required_of(hints) - set(schema.get("required", ()))
    ]


@pytest.mark.parametrize("tool", stripe.TOOLS, ids=lambda tool: tool.name)
def test_a_tool_offers_only_what_stripe_takes(tool: Tool) -> None:
    assert problems_of(tool) == []


def test_a_wrong_name_enum_or_kind_would_be_seen() -> None:
    hints = hints_of(params_of("refunds_create"))
    assert list(check({"enum": ["duplicate"], "type": "string"}, hints["reason"], "reason", {})) == [
        "reason: ['fraudulent', 'requested_by_customer'] on one side only"
    ]
    assert list(check({"type": "string"}, hints["amount"], "amount", {})) == [
        "amount: is no string, but ['integer']"
    ]
    shipping = {"type": "object", "properties": {"nmae": {"type": "string"}}, "required": ["address", "name"]}
    assert list(check(shipping, hints_of(params_of("customers_create"))["shipping"], "shipping", {})) == [
        "shipping.nmae: does not exist"
    ]
