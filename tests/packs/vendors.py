"""What each vendor documents of its objects and operations, read the same way for the rules that every pack keeps.

Not here: the rules (`test_contract`), and the sources themselves: each pack's `vendor` and `answers`.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, Literal, get_args, get_origin

import httpx2
from graphql import GraphQLInputObjectType, GraphQLNonNull, GraphQLObjectType, get_named_type
from stripe._object_classes import OBJECT_CLASSES
from typing_extensions import is_typeddict

from charter import Tool
from charter.packs import gcalendar, gmail, linear, stripe
from tests.packs import google_answers
from tests.packs.gcalendar.vendor import GCALENDAR
from tests.packs.gmail.vendor import GMAIL
from tests.packs.google import GoogleClient
from tests.packs.linear import answers as linear_answers
from tests.packs.linear.vendor import SCHEMA
from tests.packs.stripe import answers as stripe_answers
from tests.packs.stripe.vendor import hints_of, options_of, params_of

Coin = Callable[[str], bool]
"""Whether a member that may be missing is there."""


@dataclass(frozen=True)
class Vendor:
    """What a vendor documents, asked by tool."""

    tools: tuple[Tool, ...]
    answer: Callable[[Tool, httpx2.Request, Coin], Any]
    """What it answers to a call."""
    find_uncleared: Callable[[Tool], list[str]]
    """What an update lets clear and the tool does not."""
    is_id: Callable[[str], bool]
    """Whether an argument of this name is the id of something."""
    throttled: tuple[tuple[int, dict[str, str], Any], ...]
    """How it says that there were too many requests: status, headers, body."""
    stored_as: Callable[[str], tuple[str, ...]] = field(default=lambda name: (name,))
    """Under which names an object may show what an argument of this name writes."""


def options_within(node: Mapping[str, Any], defs: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield what a node of a JSON Schema allows, references followed and unions parted."""
    if "$ref" in node:
        node = defs[node["$ref"].rpartition("/")[2]]
    if "anyOf" in node:
        for option in node["anyOf"]:
            yield from options_within(option, defs)
    else:
        yield node


# Stripe: the types of its own client.


def _may_be_empty(options: list[Mapping[str, Any]]) -> bool:
    return any(
        "" in option.get("enum", ())
        or option.get("const") == ""
        or (option.get("type") == "string" and not {"enum", "const", "format"} & set(option))
        for option in options
    )


def _find_uncleared_by_text(node: Any, defs: Any, hints: Mapping[str, Any], path: str) -> Iterator[str]:
    for name, child in node.get("properties", {}).items():
        if name not in hints:
            continue
        mine, theirs = list(options_within(child, defs)), list(options_of(hints[name]))
        literals = [value for one in theirs if get_origin(one) is Literal for value in get_args(one)]
        if "" in literals and not _may_be_empty(mine):
            yield f"{path}{name}"
        for inner in theirs:
            if get_origin(inner) is list:
                inner = get_args(inner)[0]
            for option in mine:
                for item in options_within(option.get("items", option), defs):
                    if is_typeddict(inner):
                        yield from _find_uncleared_by_text(item, defs, hints_of(inner), f"{path}{name}.")


def _find_uncleared_of_stripe(tool: Tool) -> list[str]:
    schema = tool.to_json_schema()["parameters"]
    hints = hints_of(params_of(tool.name))
    return sorted(set(_find_uncleared_by_text(schema, schema.get("$defs", {}), hints, "")))


@cache
def _names_of_ids() -> frozenset[str]:
    """Return the members under which Stripe's objects name others."""

    def walk(kind: type) -> Iterator[str]:
        for name, annotation in vars(kind).get("__annotations__", {}).items():
            options = [] if isinstance(annotation, str) else get_args(annotation)
            if str in options and any(hasattr(option, "__forward_arg__") for option in options):
                yield name
        for inner in vars(kind).values():
            if isinstance(inner, type) and inner.__qualname__.startswith(f"{kind.__qualname__}."):
                yield from walk(inner)

    kinds = [getattr(import_module(module), name) for module, name in OBJECT_CLASSES.values()]
    return frozenset(name for kind in kinds for name in walk(kind)) | {"id", "ids"}


# Linear: its schema.


def _stored_in_linear(name: str) -> tuple[str, ...]:
    single = re.sub(r"Ids?$", "", name)
    return (name, single, f"{single}s") if single != name else (name,)


def _find_uncleared_of_linear(tool: Tool) -> list[str]:
    """Return what an update may leave out, and its object may be without, that null does not clear."""
    assert tool.document is not None
    assert tool.document.root is not None
    mutation = SCHEMA.mutation_type
    assert mutation is not None
    given = mutation.fields[tool.document.root].args.get("input")
    written = get_named_type(given.type) if given else None
    if not isinstance(written, GraphQLInputObjectType) or not written.name.endswith("UpdateInput"):
        return []
    kind = SCHEMA.type_map[written.name.removesuffix("UpdateInput")]
    assert isinstance(kind, GraphQLObjectType)
    uncleared: list[str] = []
    for name, schema in tool.to_json_schema()["parameters"]["properties"].items():
        stored = next((kind.fields[one].type for one in _stored_in_linear(name) if one in kind.fields), None)
        if name in written.fields and stored is not None and not isinstance(stored, GraphQLNonNull):
            uncleared += [] if '"null"' in json.dumps(schema) else [name]
    return uncleared


# Google: discovery documents, which say nothing of null. What the guides say is listed.

_CLEARED_IN_GOOGLE = {"events_patch": ("conferenceData", "source", "colorId")}


def _find_uncleared_of_google(tool: Tool) -> list[str]:
    properties = tool.to_json_schema()["parameters"]["properties"]
    names = _CLEARED_IN_GOOGLE.get(tool.name, ())
    return [name for name in names if '"null"' not in json.dumps(properties[name])]


def _make_google(tools: tuple[Tool, ...], google: GoogleClient) -> Vendor:
    def answer(tool: Tool, request: httpx2.Request, is_given: Coin) -> Any:
        return google_answers.make_answer(google, tool.name, request, is_given)

    errors = {"errors": [{"domain": "usageLimits", "reason": "userRateLimitExceeded"}], "code": 403}
    return Vendor(
        tools=tools,
        answer=answer,
        find_uncleared=_find_uncleared_of_google,
        is_id=lambda name: re.search(r"^ids?$|Ids?$|destination", name) is not None,
        throttled=(
            (403, {}, {"error": {**errors, "message": "User Rate Limit Exceeded"}}),
            (
                403,
                {},
                {
                    "error": {
                        "errors": [{"domain": "usageLimits", "reason": "rateLimitExceeded"}],
                        "code": 403,
                        "message": "Rate Limit Exceeded",
                    }
                },
            ),
            (
                429,
                {},
                {"error": {"code": 429, "message": "Too many requests", "status": "RESOURCE_EXHAUSTED"}},
            ),
        ),
    )


VENDORS = {
    "stripe": Vendor(
        tools=tuple(stripe.TOOLS),
        answer=lambda tool, request, is_given: stripe_answers.make_answer(tool.name, is_given),
        find_uncleared=_find_uncleared_of_stripe,
        is_id=lambda name: name in _names_of_ids(),
        throttled=(
            (429, {}, {"error": {"type": "invalid_request_error", "code": "rate_limit", "message": "Slow."}}),
            (
                429,
                {},
                {"error": {"type": "invalid_request_error", "code": "lock_timeout", "message": "Locked."}},
            ),
        ),
    ),
    "linear": Vendor(
        tools=tuple(linear.TOOLS),
        answer=lambda tool, request, is_given: linear_answers.make_answer(tool, is_given),
        find_uncleared=_find_uncleared_of_linear,
        is_id=lambda name: re.search(r"^ids?$|Ids?$", name) is not None,
        stored_as=_stored_in_linear,
        throttled=tuple(
            (
                status,
                headers,
                {"errors": [{"message": "Rate limit exceeded", "extensions": {"code": "RATELIMITED"}}]},
            )
            for status in (400, 200)
            for headers in ({}, {"X-RateLimit-Requests-Remaining": "0"})
        ),
    ),
    "gmail": _make_google(tuple(gmail.TOOLS), GMAIL),
    "gcalendar": _make_google(tuple(gcalendar.TOOLS), GCALENDAR),
}
