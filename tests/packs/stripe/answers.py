"""Answers as Stripe documents them, made from the types of its own client: every member, or those an item often has.

Not here: what a tool keeps of them.
"""

import re
import sys
import types
from collections.abc import Callable
from typing import Any, ClassVar, ForwardRef, Literal, TypeVar, Union, get_args, get_origin

import stripe
import stripe.checkout

from tests.packs.stripe.vendor import KEY, find_method

PAGE = 10
"""Items of a page that no limit was given for."""

_DEEPEST = 6
_TIME = re.compile(
    r"created|date|start|end|due_by|.*_(at|on|date|anchor|start|end|until|by|attempt|deadline)"
)
_TEXTS = {
    "id": "1PqRsTuVwXyZ0123456789Ab",
    "amount_tax_display": "exclude_tax",
    "currency": "eur",
    "country": "DE",
    "email": "ann.miller@shop.example",
    "name": "Ann Miller",
    "last4": "4242",
    "description": "Order 6735, two months of the team plan",
    "url": "https://pay.stripe.example/i/acct_1PqRsTuVwXyZ/live_YWNjdF8xUHFSc1R1VndYeVosX1BxUnNUdVZ3WHlaMDEyMzQ1Njc4?s=ap",
}
_ID = "xy_1PqRsTuVwXyZ0123456789Ab"

Coin = Callable[[str], bool]
"""Whether a member that may be null is given."""


def make_answer(tool: str, is_given: Coin = lambda _: True) -> Any:
    """Return what Stripe answers to a tool's call, an object or a page of them."""
    returned = find_method(stripe.StripeClient(KEY), tool).__annotations__["return"]
    text = returned if isinstance(returned, str) else getattr(returned, "__forward_arg__", returned.__name__)
    holder, _, item = text.strip("\"'").rstrip("]").partition("[")
    if not item:
        return _Maker(is_given).make(_find_class(holder, tool), "", 0)
    items = [
        _Maker(lambda path, at=at: is_given(f"{at}{path}")).make(_find_class(item, tool), "", 0)
        for at in range(PAGE)
    ]
    marks: dict[str, Any] = {"next_page": _ID} if holder.startswith("Search") else {}
    return {"object": "list", "data": items, "has_more": True, "url": "/v1/things", **marks}


def _find_class(name: str, tool: str = "") -> Any:
    if name == "Session":
        return stripe.checkout.Session
    name = name.removesuffix("Resource")  # how its modules tell a class from an inner one of the same name
    return getattr(stripe, name, None) or _CLASSES[name]


_CLASSES = {
    name: value
    for module_name, module in sorted(sys.modules.items())
    if module_name.startswith("stripe.")
    for name, value in vars(module).items()
    if isinstance(value, type) and issubclass(value, stripe.StripeObject)
}


class _Maker:
    def __init__(self, is_given: Coin) -> None:
        self._is_given = is_given

    def make(self, annotation: Any, path: str, depth: int) -> Any:
        if isinstance(annotation, ForwardRef | str):
            annotation = _find_class(getattr(annotation, "__forward_arg__", annotation))
        origin, arguments = get_origin(annotation), get_args(annotation)
        name = path.rpartition(".")[2]
        if origin in (Union, types.UnionType):
            return self._make_one_of(list(arguments), path, depth)
        if origin is Literal:
            return arguments[0]
        if origin in (list, tuple):
            return [self.make(arguments[0], path, depth + 1)]
        if isinstance(origin, type) and issubclass(origin, stripe.ListObject):
            item = self.make(arguments[0], f"{path}.data", depth + 1)
            return {"object": "list", "data": [item], "has_more": False, "url": "/v1/things"}
        if origin is not None and arguments[-1] is not str:
            return {"eur": self.make(arguments[-1], path, depth + 1)}
        if origin is not None or annotation in (dict, Any) or isinstance(annotation, TypeVar):
            return {"order_id": "6735"}
        if isinstance(annotation, type) and issubclass(annotation, stripe.StripeObject):
            return self._make_object(annotation, path, depth)
        return _make_scalar(annotation, name)

    def _make_one_of(self, options: list[Any], path: str, depth: int) -> Any:
        if type(None) in options:
            options.remove(type(None))
            if depth > _DEEPEST or not self._is_given(path):
                return None
        if str in options and len(options) > 1 and get_origin(options[0]) is not Literal:
            return _ID  # of an object that is not expanded
        return self.make(options[0], path, depth)

    def _make_object(self, kind: Any, path: str, depth: int) -> Any:
        if depth > _DEEPEST:
            return {}
        members = {
            name: annotation
            for base in reversed(kind.__mro__)
            if issubclass(base, stripe.StripeObject)
            for name, annotation in vars(base).get("__annotations__", {}).items()
            if get_origin(annotation) is not ClassVar and not name.startswith("_")
        }
        return {
            name: self.make(annotation, f"{path}.{name}", depth + 1) for name, annotation in members.items()
        }


def _make_scalar(kind: Any, name: str) -> Any:
    if kind is bool:
        return True
    if kind is int:
        return 1_764_547_200 if _TIME.fullmatch(name) else 2_500
    if kind is float:
        return 12.5
    if name.endswith("_decimal"):
        return "2500"
    return _TEXTS.get(name, _TEXTS.get(name.rpartition("_")[2], "some text 42"))
