"""A request built from a plan and validated arguments. Pure: no credentials, no connection.

Not here: sending it. `transport` does.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast
from urllib.parse import unquote

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from charter.errors import ToolValidationError, TransformError
from charter.headers import header_problem
from charter.plan import Placed, Plan
from charter.route import Route, find_shared_holes
from charter.wire.body import encode_body
from charter.wire.casing import write_fields, write_value
from charter.wire.path import fill_route
from charter.wire.query import Pair, encode_pairs, flatten, write_scalar

__all__ = ["Statics", "WireRequest", "build_request", "merge_headers"]

_EMPTY = (None, b"", b"{}")
"""Bodies that ask for nothing."""
_READS_BACK = re.compile(r'(?:W/)?"[^"]*"|[^\s,](?:[^,]*[^\s,])?')
"""An item of a header's list that no comma parts: quoted, or without one."""
_NAMED = 20
"""Fields that a refusal names."""

_BOUNDARY = re.compile(rb"--([A-Za-z0-9'()+_,./:=?-]{1,70})\r\n")
"""The first line of a multipart body (RFC 2046, 5.1.1)."""
MAX_URL = 64_000
"""Characters of a URL before a credential is added to it; HTTP clients refuse 65,536."""

Headers = Mapping[str, str | None]
"""Header name -> value; None removes a header that an earlier source set."""


@dataclass(frozen=True, slots=True)
class Statics:
    """What a tool and its Api always send, out of the model's reach."""

    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    headers: Headers = field(default_factory=dict[str, "str | None"])
    body: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)


@dataclass(frozen=True, slots=True)
class WireRequest:
    """One request, ready but for credentials. Its repr shows no header value and no body."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(default=None, repr=False)
    path: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """What fills each hole of the route, not encoded."""
    template: str = ""
    """The route that was taken."""
    is_read_only: bool = False
    """Whether sending it changes nothing, so that it can be sent again whatever became of it."""

    def with_query(self, pairs: Mapping[str, str]) -> "WireRequest":
        """Return a copy with these query parameters, in place of any of the same names.

        >>> WireRequest("GET", "https://a.example/?key=mine&b=2", {}).with_query({"key": "s"}).url
        'https://a.example/?b=2&key=s'
        """
        if not pairs:
            return self
        path, _, query = self.url.partition("?")
        kept = [pair for pair in query.split("&") if pair and unquote(pair.partition("=")[0]) not in pairs]
        added = encode_pairs([(name, (value,)) for name, value in pairs.items()])
        return replace(self, url=f"{path}?{'&'.join([*kept, added])}")


def build_request(plan: Plan, arguments: BaseModel, statics: Statics, base_url: str) -> WireRequest:
    """Build the request for validated arguments.

    Raises:
        ToolValidationError: a value cannot go where it belongs.
        TransformError: a value cannot be written in its format.
    """
    try:
        return _build(plan, arguments, statics, base_url)
    except (PydanticSerializationError, UnicodeError, RecursionError) as error:
        problem = f"the arguments hold what no request can carry ({type(error).__name__})"
    raise TransformError(f"{plan.tool}: {problem}. Send plain text and numbers.")


def _build(plan: Plan, arguments: BaseModel, statics: Statics, base_url: str) -> WireRequest:
    values = write_fields(plan.graph, arguments, plan.tool)
    route = _choose_route(plan, values) if plan.also else plan.route
    filled = _path_texts(plan, route, arguments, values)
    path = fill_route(route, filled, _spanning(plan), plan.tool)
    query = _encode_query(plan, _query_pairs(plan, values, statics), MAX_URL - len(base_url) - len(path) - 1)
    content, media_type = _encode_content(plan, arguments, values, statics)
    if plan.method == "PATCH" and plan.body.kind != "none" and content in _EMPTY:
        raise ToolValidationError.of_fields(plan.tool, [{"field": "", "problem": _tell_changeable(plan)}])
    headers = {"Accept": "application/json"}
    if content is not None:
        headers["Content-Type"] = _add_boundary(media_type, content)
    merged = merge_headers(headers, statics.headers, _model_headers(plan, values))
    url = f"{base_url}{path}{'?' + query if query else ''}"
    told = {hole: ",".join(items) for hole, items in filled.items()}
    return WireRequest(plan.method, url, merged, content, told, route.template, plan.is_read_only)


def _add_boundary(media_type: str, content: bytes) -> str:
    r"""Add the boundary to the type of a raw multipart body, which begins with it.

    >>> _add_boundary("multipart/related", b"--=7=\r\nContent-Type: text/plain\r\n\r\nHi\r\n--=7=--")
    'multipart/related; boundary="=7="'
    """
    if not media_type.startswith("multipart/") or "boundary=" in media_type:
        return media_type
    first = _BOUNDARY.match(content)
    return f'{media_type}; boundary="{first[1].decode()}"' if first else media_type


def _choose_route(plan: Plan, values: Mapping[str, Any]) -> Route:
    """Choose the route whose holes are given; those that all routes have do not count."""
    always = find_shared_holes(plan.routes)
    fields = {one.hole: one.field for one in plan.at("path") if one.hole not in always}
    given = {hole for hole, field in fields.items() if values.get(field.name) is not None}
    for route in plan.routes:
        if set(route.holes) - always == given:
            return route
    wanted = [[fields[hole].wire for hole in route.holes if hole not in always] for route in plan.routes]
    told = ", or ".join(" and ".join(names) or "none of these" for names in wanted)
    raise ToolValidationError.of_fields(plan.tool, [{"field": "", "problem": f"give {told}"}])


def _tell_changeable(plan: Plan) -> str:
    fields, projection = [one.field for one in plan.at("body")], plan.projection
    whole = fields[0].shape.model if plan.body.kind == "whole" else None
    if whole and whole in plan.graph:
        fields, projection = list(plan.graph[whole].fields.values()), projection.under(fields[0].wire)
    left = [one.wire for one in fields if not (one.withheld or projection.hides(one.wire))]
    more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
    return f"would change nothing; give at least one of {', '.join(left[:_NAMED])}{more}"


def merge_headers(*sources: Headers) -> dict[str, str]:
    """Merge headers without regard to case: one of each name, the last writer wins, None removes.

    >>> merge_headers({"accept": "a", "X": "1"}, {"Accept": "b", "x": None})
    {'Accept': 'b'}
    """
    merged: dict[str, tuple[str, str]] = {}
    for source in sources:
        for name, value in source.items():
            merged.pop(name.lower(), None)
            if value is not None:
                merged[name.lower()] = (name, value)
    return dict(merged.values())


def _path_texts(
    plan: Plan, route: Route, arguments: BaseModel, values: Mapping[str, Any]
) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for placed in plan.at("path"):
        if placed.hole not in route.holes:
            continue
        name, where = placed.field.name, f"{plan.tool}: {placed.field.wire}"
        value = values.get(name)
        if value is None:  # a hole is filled with its field's default too
            dumped = arguments.model_dump(mode="json", include={name}, by_alias=False)[name]
            value = write_value(plan.graph, placed.field.shape, getattr(arguments, name), dumped, where)
        texts[placed.hole] = _texts(value)
    return texts


def _texts(value: Any) -> list[str]:
    items = cast("list[Any]", value) if isinstance(value, list) else [value]
    return [write_scalar(item) for item in items]


def _spanning(plan: Plan) -> frozenset[str]:
    return frozenset(placed.hole for placed in plan.at("path") if placed.allow_slash)


def _query_pairs(plan: Plan, values: Mapping[str, Any], statics: Statics) -> list[Pair]:
    pairs: list[Pair] = []
    for placed in plan.at("query"):
        if placed.field.name in values:
            written = flatten(placed.field.wire, values[placed.field.name], placed.style)
            if placed.style == "spread":
                _check_spread(plan, placed, written)
            pairs += written
    static: list[Pair] = []
    for name, value in statics.query.items():
        static += flatten(name, value, "deep" if isinstance(value, dict) else "repeat")
    taken = {
        *statics.query,
        *(name for name, _ in static),
    }  # a member of a map may not stand in for a static one
    return [pair for pair in pairs if pair[0] not in taken] + static


def _check_spread(plan: Plan, placed: Placed, pairs: list[Pair]) -> None:
    """Refuse a key of a map that would stand for another parameter, one that no model may set among them."""
    others = {one.field.wire for one in plan.at("query") if one is not placed}
    for name, _ in pairs:
        if placed.field.shape.kind == "map" and name in others:
            problem = f"its key {name[:60]!r} is a parameter of its own; leave it out"
            raise ToolValidationError.of_fields(plan.tool, [{"field": placed.field.wire, "problem": problem}])


def _encode_query(plan: Plan, pairs: list[Pair], room: int) -> str:
    """Encode the query, unless the URL gets longer than any client sends, which is then seen before any work."""
    sizes: dict[str, int] = {}
    for name, values in pairs:
        field = name.partition("[")[0]
        sizes[field] = sizes.get(field, 0) + len(name) + sum(map(len, values))
    query = encode_pairs(pairs) if sum(sizes.values()) <= room else None
    if query is not None and len(query) <= room:
        return query
    longest = max(sizes, key=lambda field: sizes[field], default="")
    problem = f"makes the URL longer than {MAX_URL:,} characters; send less"
    raise ToolValidationError.of_fields(plan.tool, [{"field": longest, "problem": problem}])


def _model_headers(plan: Plan, values: Mapping[str, Any]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for placed in plan.at("header"):
        value = values.get(placed.field.name)
        if value is None:
            continue
        items = _texts(value)
        if not items:
            continue
        text = ", ".join(items)
        problem = header_problem(placed.header, text)
        if isinstance(value, list) and not all(map(_READS_BACK.fullmatch, items)):
            problem = "an item holds a comma, or space at an end, or nothing, and would not be read as it is"
        if problem:
            raise ToolValidationError.of_fields(plan.tool, [{"field": placed.field.wire, "problem": problem}])
        headers[placed.header] = text
    return headers


def _encode_content(
    plan: Plan, arguments: BaseModel, values: Mapping[str, Any], statics: Statics
) -> tuple[bytes | None, str]:
    """Return the body and its media type."""
    instead = plan.body.instead
    if not instead or values.get(instead) is None:
        return _encode_body(plan, arguments, values, statics), plan.body.media_type
    others = [one.field.wire for one in plan.at("body") if one.field.name in values]
    if len(others) > 1:
        wire = plan.root.wire(instead)
        problem = f"is the whole body; give it without {', '.join(name for name in others if name != wire)}"
        raise ToolValidationError.of_fields(plan.tool, [{"field": wire, "problem": problem}])
    return _encode_raw(plan, instead, arguments, values), plan.body.instead_type


def _encode_body(
    plan: Plan, arguments: BaseModel, values: Mapping[str, Any], statics: Statics
) -> bytes | None:
    body = plan.body
    match body.kind:
        case "none":
            return None
        case "raw":
            return _encode_raw(plan, body.field, arguments, values)
        case "whole":
            return encode_body(values[body.field], body.encoding) if body.field in values else None
        case "object":
            fields = {
                one.field.wire: values[one.field.name] for one in plan.at("body") if one.field.name in values
            }
            if body.under:
                fields = {body.under: fields} if fields else {}
            return encode_body({**fields, **statics.body}, body.encoding)


def _encode_raw(plan: Plan, name: str, arguments: BaseModel, values: Mapping[str, Any]) -> bytes | None:
    value, given = values.get(name), getattr(arguments, name)
    if isinstance(given, bytes) and not plan.root.fields[name].shape.format:
        return given  # Base64Bytes among them: the model writes text, the API gets the bytes
    return None if value is None else _raw_bytes(value, plan.tool)


def _raw_bytes(value: Any, tool: str) -> bytes:
    if isinstance(value, bytes):
        return value
    if not isinstance(value, str):
        raise TransformError(
            f"{tool}: a raw body is text, got {type(value).__name__}. Give the field a Format."
        )
    return value.encode()
