"""Arguments for every Stripe tool, made from its args model: between them they give every leaf it has.

Not here: what is done with them. What no declared rule says of values that go together is in `_FITTERS`.
"""

import random
import re
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import MaxLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from charter import AtMostOneOf, ExactlyOneOf, Requires, Tool

TURNS = 300
"""Sets of arguments that are drawn for a tool at most; those that give no new leaf are not kept."""

Arguments = dict[str, Any]


def make_variants(tool: Tool) -> list[Arguments]:
    """Make sets of arguments for a tool that together give every leaf it has, always the same ones."""
    schema = tool.to_json_schema()["parameters"]
    holes = frozenset(re.findall(r"{(\w+)}", tool.route))
    missing, kept = leaves_of(schema), list[Arguments]()
    for turn in range(TURNS):
        arguments = _Maker(random.Random(f"{tool.name} {turn}"), holes).model(tool.args_schema)
        given = leaves_given(schema, arguments)
        if not kept or given & missing:
            kept.append(arguments)
            missing -= given
        if not missing:
            break
    return kept


def leaves_given(schema: dict[str, Any], arguments: Arguments) -> set[str]:
    """Return the leaves of a JSON Schema that arguments fill, as `items[].price`."""
    return set(_given(schema, arguments, "", schema.get("$defs", {})))


def leaves_of(schema: dict[str, Any]) -> set[str]:
    """Return every leaf of a JSON Schema; each option of a union is one of its own."""
    return set(_leaves(schema, "", schema.get("$defs", {})))


def _leaves(node: dict[str, Any], path: str, defs: dict[str, Any]) -> Iterator[str]:
    node = _resolve(node, defs)
    for option in node.get("anyOf", []):
        yield from _leaves(option, f"{path}|{_kind(_resolve(option, defs))}", defs)
    if "anyOf" in node:
        return
    if "properties" in node:
        for name, child in node["properties"].items():
            yield from _leaves(child, f"{path}.{name}".lstrip("."), defs)
    elif node.get("type") == "array":
        yield from _leaves(node["items"], f"{path}[]", defs)
    elif isinstance(node.get("additionalProperties"), dict):
        yield from _leaves(node["additionalProperties"], f"{path}{{}}", defs)
    elif path:
        yield path


def _given(node: dict[str, Any], value: Any, path: str, defs: dict[str, Any]) -> Iterator[str]:
    node = _resolve(node, defs)
    if "anyOf" in node:
        for option in node["anyOf"]:
            option = _resolve(option, defs)
            if _fits(option, value):
                yield from _given(option, value, f"{path}|{_kind(option)}", defs)
    elif "properties" in node:
        for name, child in value.items():
            yield from _given(node["properties"][name], child, f"{path}.{name}".lstrip("."), defs)
    elif isinstance(value, list):
        for item in value:
            yield from _given(node["items"], item, f"{path}[]", defs)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _given(node["additionalProperties"], item, f"{path}{{}}", defs)
    else:
        yield path


def _resolve(node: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    return defs[node["$ref"].removeprefix("#/$defs/")] if "$ref" in node else node


def _kind(node: dict[str, Any]) -> str:
    if "const" in node:
        return repr(node["const"])
    return "enum" if "enum" in node else node["type"]


def _fits(node: dict[str, Any], value: Any) -> bool:
    if "const" in node:
        return value == node["const"]
    if "enum" in node:
        return value in node["enum"]
    kinds = {
        "object": dict,
        "array": list,
        "string": str,
        "boolean": bool,
        "integer": int,
        "number": (int, float),
    }
    return isinstance(value, kinds[node["type"]]) and (node["type"] == "boolean") == isinstance(value, bool)


@dataclass
class _Maker:
    """Makes one variant: all that the rules between fields allow, and one option wherever there are several."""

    dice: random.Random
    holes: frozenset[str]
    count: int = field(default=0)

    def model(self, model: type[BaseModel]) -> Arguments:
        made = {name: self.field(name, model.model_fields[name]) for name in _choose(model, self.dice)}
        fit = _FITTERS.get(model.__name__)
        return fit(made, self.dice) if fit else made

    def field(self, name: str, info: FieldInfo) -> Any:
        value = self.value(name, info.annotation)
        most = min((mark.max_length for mark in info.metadata if isinstance(mark, MaxLen)), default=None)
        return value[:most] if isinstance(value, list | str) else value

    def value(self, name: str, annotation: Any) -> Any:
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            return self.value(name, arguments[0])
        if origin in (Union, types.UnionType):
            options = [option for option in arguments if option is not type(None)]
            return self.value(name, self.dice.choice(options))
        if origin is Literal:
            return self.dice.choice(arguments)
        if origin is list:
            return [self.value(name, arguments[0]) for _ in range(self.dice.choice((1, 2)))]
        if origin is dict:
            return {f"key {self._next()}": self.value(name, arguments[1])}
        if issubclass(annotation, BaseModel):
            return self.model(annotation)
        return self._scalar(name, annotation)

    def _scalar(self, name: str, annotation: type) -> Any:
        if annotation is bool:
            return self.dice.choice((True, False))
        if annotation is datetime:
            return f"2026-01-31T09:00:{self._next() % 60:02}+01:00"
        if annotation is int:
            return 1 + self._next() % 3
        if annotation is float:
            return 1 + self._next() % 9 + 0.5
        assert annotation is str, annotation
        # Stripe's client writes a space in a path as "+", which a server reads as a plus sign.
        return f"{name[:8]}{'_' if name in self.holes else ' '}é&=[{self._next()}]"

    def _next(self) -> int:
        self.count += 1
        return self.count


def _choose(model: type[BaseModel], dice: random.Random) -> list[str]:
    """Choose the fields of a variant: all but those that lose by a rule."""
    rules = getattr(model, "wire_rules", ())
    chosen = set(model.model_fields)
    for rule in rules:
        if isinstance(rule, ExactlyOneOf | AtMostOneOf):
            winner = dice.choice([name for name in rule.fields if name in chosen] or rule.fields)
            chosen -= {name for name in rule.fields if name != winner}
    for rule in rules:
        if isinstance(rule, Requires) and not set(rule.fields) <= chosen:
            chosen.discard(rule.fields[0])
    return [name for name in model.model_fields if name in chosen]


def _drop(made: Arguments, *names: str) -> Arguments:
    return {name: value for name, value in made.items() if name not in names}


def _fit_party(made: Arguments, dice: random.Random) -> Arguments:
    return made if made["type"] == "account" else _drop(made, "account")


def _fit_metered(made: Arguments, dice: random.Random) -> Arguments:
    return made if made["usage_type"] == "metered" else _drop(made, "meter")


def _fit_price(made: Arguments, dice: random.Random) -> Arguments:
    if "tiers" in made:
        return {**made, "billing_scheme": "tiered"}
    return {**_drop(made, "tiers_mode"), "billing_scheme": "per_unit"}


def _fit_payment(made: Arguments, dice: random.Random) -> Arguments:
    if not made["confirm"]:
        made = _drop(made, "error_on_requires_action", "mandate", "mandate_data", "off_session", "return_url")
    made = _drop(made, dice.choice(("payment_method_types", "automatic_payment_methods")))
    return _drop(made, dice.choice(("application_fee_amount", "transfer_data")))


def _fit_subscription(made: Arguments, dice: random.Random) -> Arguments:
    made = {**made, "cancel_at_period_end": False, "trial_from_plan": False}
    return made if made["collection_method"] == "send_invoice" else _drop(made, "days_until_due")


def _fit_invoice(made: Arguments, dice: random.Random) -> Arguments:
    return made if made["collection_method"] == "send_invoice" else _drop(made, "days_until_due", "due_date")


def _fit_currency(made: Arguments, dice: random.Random) -> Arguments:
    return _drop(made, dice.choice(("unit_amount", "unit_amount_decimal")))


def _fit_period(made: Arguments, dice: random.Random) -> Arguments:
    return dict(zip(("start", "end"), sorted(made.values()), strict=True))


def _fit_question(made: Arguments, dice: random.Random) -> Arguments:
    return made if made["type"] == "dropdown" else _drop(made, "dropdown")


_OTHER_MODES = {
    "payment": ("setup_intent_data", "subscription_data", "payment_method_collection"),
    "setup": (
        "payment_intent_data",
        "subscription_data",
        "payment_method_collection",
        "invoice_creation",
        "phone_number_collection",
        "saved_payment_method_options",
        "submit_type",
    ),
    "subscription": ("payment_intent_data", "setup_intent_data", "invoice_creation", "customer_creation"),
}
_OTHER_PAGES = {
    "hosted_page": ("redirect_on_completion",),
    "form": ("redirect_on_completion",),
    "embedded_page": ("success_url", "cancel_url"),
    "elements": ("success_url", "cancel_url", "redirect_on_completion", "after_expiration", "submit_type"),
}


def _fit_checkout(made: Arguments, dice: random.Random) -> Arguments:
    made = _drop(made, *_OTHER_MODES[made["mode"]], *_OTHER_PAGES[made["ui_mode"]])
    return _drop(made, "discounts") if made["allow_promotion_codes"] else made


_FITTERS: dict[str, Callable[[Arguments, random.Random], Arguments]] = {
    "CheckoutSessionsCreate": _fit_checkout,
    "ExtraField": _fit_question,
    "InvoicesCreate": _fit_invoice,
    "InvoicesUpdate": _fit_invoice,
    "Party": _fit_party,
    "PaymentIntentsCreate": _fit_payment,
    "PricesCreate": _fit_price,
    "SubscriptionsCreate": _fit_subscription,
    "SubscriptionsUpdate": _fit_subscription,
    "_CurrencyPrice": _fit_currency,
    "_Period": _fit_period,
    "_Recurring": _fit_metered,
}
"""What validators, beyond the declared rules, want of values that are given together, by name of the model."""
