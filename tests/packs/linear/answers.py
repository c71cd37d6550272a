"""Answers as Linear documents them, made from its schema for what a tool's document selects.

Not here: what a tool keeps of them.
"""

from collections.abc import Callable
from typing import Any

from graphql import (
    FieldNode,
    GraphQLEnumType,
    GraphQLNonNull,
    GraphQLObjectType,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    is_list_type,
    parse,
)

from charter import Tool
from tests.packs.linear.vendor import SCHEMA

Coin = Callable[[str], bool]
"""Whether a member that may be null is given."""

INNER = 2
"""Items of the lists within an item, such as an issue's labels."""

_TEXTS = {
    "id": "9cfb482a-81e3-4154-b5b9-2c805e70a02d",
    "identifier": "ENG-2703",
    "key": "ENG",
    "title": "Checkout charges twice when the card is slow",
    "name": "Ann Miller",
    "displayName": "ann",
    "email": "ann.miller@shop.example",
    "url": "https://linear.example/shop/issue/ENG-2703/checkout-charges-twice-when-the-card-is-slow",
    "description": "Some customers press the button again while they wait, and both payments go through.",
    "body": "I can see it in the log of the payment service: two requests within a second, with keys of their own.",
    "content": "The plan of the project, in a few words of its own, as long as plans are.",
    "branchName": "ann/eng-2703-checkout-charges-twice",
    "color": "#5e6ad2",
    "timezone": "Europe/Zurich",
    "type": "blocks",
}
_SCALARS: dict[str, Any] = {
    "Boolean": True,
    "Int": 3,
    "Float": 3.0,
    "DateTime": "2026-03-31T09:30:00.000Z",
    "TimelessDate": "2026-03-31",
}


def make_answer(tool: Tool, is_given: Coin = lambda _: True) -> Any:
    """Return what Linear answers to a tool's call that says nothing of how long a page may be."""
    assert tool.document is not None
    (operation,) = parse(tool.document.text).definitions
    assert isinstance(operation, OperationDefinitionNode)
    kind = SCHEMA.get_root_type(operation.operation)
    assert kind is not None
    sizes = {
        each.variable.name.value: int(each.default_value.value)
        for each in operation.variable_definitions or ()
        if isinstance(each.default_value, IntValueNode)
    }
    return {"data": _make_object(operation.selection_set, kind, "", is_given, sizes)}


def _make_object(
    chosen: SelectionSetNode, kind: GraphQLObjectType, path: str, is_given: Coin, sizes: dict[str, int]
) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for node in chosen.selections:
        assert isinstance(node, FieldNode)
        name = node.name.value
        below = f"{path}.{name}"
        known = kind.fields[name].type
        if not isinstance(known, GraphQLNonNull) and not is_given(below):
            made[name] = None
            continue
        named = get_named_type(known)
        many = is_list_type(get_nullable_type(known))
        if isinstance(named, GraphQLObjectType):
            assert node.selection_set is not None
            count = sizes.get("nodes", INNER) if many else 1
            inner = _find_size(node, sizes)
            items = [
                _make_object(node.selection_set, named, f"{at}{below}" if many else below, is_given, inner)
                for at in range(count)
            ]
            made[name] = items if many else items[0]
        else:
            value = next(iter(named.values)) if isinstance(named, GraphQLEnumType) else None
            value = value or _SCALARS.get(named.name, _TEXTS.get(name, "some text"))
            made[name] = [value] if many else value
    return made


def _find_size(node: FieldNode, sizes: dict[str, int]) -> dict[str, int]:
    """Return how many nodes the list under a field has: its page's default, or a few within an item."""
    for argument in node.arguments or ():
        if argument.name.value == "first" and isinstance(argument.value, VariableNode):
            return {"nodes": sizes[argument.value.name.value]}
    return {"nodes": INNER}
