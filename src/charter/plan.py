"""The plan of a tool: an args model read once against a route, frozen. Where each field goes and how it is spelled.

Not here: the models' own fields (`fields`) and what is done with a plan (`schema`, `wire`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel, RootModel

from charter.errors import DeclarationError
from charter.fields import FieldPlan, ModelGraph, ModelPlan, Naming, fold, read_models
from charter.headers import header_problem, is_closed_to_models
from charter.markers import Body, Case, Format, Header, Path, Query, QueryStyle, Unsent, split_words
from charter.projection import WHOLE, Projection
from charter.route import Route, find_shared_holes, read_route
from charter.shapes import Shape

__all__ = ["BodyEncoding", "BodyPlan", "Conventions", "Placed", "Plan", "read_plan"]

Placement = Literal["path", "query", "header", "body", "nowhere"]
BodyEncoding = Literal["json", "form"]

BODY_METHODS = ("POST", "PUT", "PATCH")
FORMAT_STEPS = (
    "base64",
    "base64-unpadded",
    "base64-mime",
    "base64url",
    "base64url-unpadded",
    "field-mask",
    "protobuf-value",
    "rfc822",
    "rfc3339",
    "unix-time",
    "unix-time-ms",
)


@dataclass(frozen=True, slots=True)
class Placed:
    """One field of the args model and its place in the request."""

    field: FieldPlan
    where: Placement
    style: QueryStyle = "repeat"
    allow_slash: bool = False
    header: str = ""
    hole: str = ""


@dataclass(frozen=True, slots=True)
class BodyPlan:
    """What the body is: an object of fields, one field's value as a whole, raw text or bytes, or nothing."""

    kind: Literal["none", "object", "whole", "raw"]
    field: str = ""
    encoding: BodyEncoding = "json"
    media_type: str = "application/json"
    under: str = ""
    """The member that holds the fields, where they are not members of the body themselves."""
    instead: str = ""
    """The field whose text or bytes are the body, of type `instead_type`, when it is given in place of the others."""
    instead_type: str = ""


@dataclass(frozen=True, slots=True)
class Conventions:
    """What a plan takes over from the tool and its Api."""

    case: Case | None = None
    modes: tuple[str, ...] = ()
    """The modes that the tool is in."""
    query_style: QueryStyle = "repeat"
    body: BodyEncoding = "json"
    closed_headers: frozenset[str] = frozenset()
    """Lower-case names of static and credential headers."""
    has_static_body: bool = False
    shares_body: bool = False
    """Whether every tool of the Api has members in its body."""
    body_under: str = ""
    """The member of the body that holds the fields, such as GraphQL's `variables`."""
    is_query: bool = False
    """Whether the tool only reads, though its method could do more."""
    also: tuple[str, ...] = ()
    """Templates of the tool's other routes."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An args model read against a route."""

    tool: str
    method: str
    route: Route
    graph: ModelGraph
    root: ModelPlan
    placed: tuple[Placed, ...]
    body: BodyPlan
    projection: Projection = WHOLE
    """What a derived tool withholds and pins. The places of fields and the body are those of the whole."""
    is_read_only: bool = False
    """Whether a call changes nothing: a GET, a HEAD or a GraphQL query."""
    also: tuple[Route, ...] = ()
    """Other routes; of all, the one whose holes are given is taken."""

    @property
    def routes(self) -> tuple[Route, ...]:
        """Every route, the tool's own first."""
        return (self.route, *self.also)

    def at(self, where: Placement) -> Iterator[Placed]:
        """Yield the fields placed there, in declaration order."""
        return (placed for placed in self.placed if placed.where == where)


def read_plan(tool: str, method: str, template: str, args: type[BaseModel], conventions: Conventions) -> Plan:
    """Read an args model once, against a method and a route.

    Raises:
        DeclarationError: the declaration cannot work; the text names class, field and fix.
    """
    if issubclass(args, RootModel):
        raise DeclarationError(
            f"{tool}: {args.__name__} is a RootModel. Declare an args class with named fields."
        )
    route, *also = routes = [read_route(one, tool) for one in (template, *conventions.also)]
    holes = {fold(hole): hole for one in routes for hole in one.holes}
    graph = read_models(args, Naming(conventions.case, conventions.modes, holes))
    root = graph[args]
    placed = tuple(_place(field, method, holes, conventions, args) for field in root.fields.values())
    if root.is_open:
        raise DeclarationError(
            f"{args.__name__}: extra='allow' says not where unknown arguments go. Add a field of type dict instead."
        )
    for one in routes:
        _check_holes(one, placed, args)
    _check_routes(routes, placed, args)
    _check_headers(placed, args)
    _check_formats(graph)
    _check_unsent(graph, args)
    body = _plan_body(placed, method, conventions, args)
    _check_clearable(placed, graph, body, args)
    _check_spread(placed, graph, args)
    reads = conventions.is_query or method in ("GET", "HEAD")
    return Plan(tool, method, route, graph, root, placed, body, is_read_only=reads, also=tuple(also))


def _place(
    field: FieldPlan, method: str, holes: dict[str, str], conventions: Conventions, args: type[BaseModel]
) -> Placed:
    where = f"{args.__name__}.{field.name}"
    places = [kind.__name__ for kind in (Path, Query, Header, Body, Unsent) if field.mark(kind)]
    if len(places) > 1:
        raise DeclarationError(f"{where}: is marked {' and '.join(places)}. Keep one of them.")
    if field.mark(Unsent):
        return Placed(field, "nowhere")
    path, header = field.mark(Path), field.mark(Header)
    if path or (fold(field.wire) in holes and not any(map(field.mark, (Query, Header, Body)))):
        _check_path_field(field, holes, where)
        return Placed(
            field, "path", allow_slash=bool(path and path.allow_slash), hole=holes[fold(field.wire)]
        )
    if header:
        return Placed(field, "header", header=_read_header(header, field, conventions, where))
    in_body = method in BODY_METHODS and not field.mark(Query)
    if field.mark(Body) or in_body:
        if method in ("GET", "HEAD"):
            raise DeclarationError(f"{where}: a {method} has no body. Remove Body() or use post.")
        return Placed(field, "body")
    query = field.mark(Query)
    style = (query and query.style) or conventions.query_style
    takes_objects = style == "deep" or (style == "spread" and field.shape.kind in ("model", "map"))
    if _holds_object(field.shape) and not takes_objects and not field.shape.format and not field.withheld:
        raise DeclarationError(
            f"{where}: an object does not fit query style {style!r}. Use Query(style='deep') or a Format."
        )
    return Placed(field, "query", style=style)


def _holds_object(shape: Shape) -> bool:
    return shape.kind in ("model", "map") or any(_holds_object(item) for item in shape.items)


def _check_path_field(field: FieldPlan, holes: dict[str, str], where: str) -> None:
    if fold(field.wire) not in holes:
        raise DeclarationError(
            f"{where}: Path() field has no hole {{{field.wire}}} in the route. Add the hole or drop Path()."
        )
    if _holds_object(field.shape) and not field.shape.format:
        raise DeclarationError(f"{where}: an object cannot fill a hole. Use a scalar type.")
    if field.is_required and field.is_nullable:
        raise DeclarationError(f"{where}: fills a hole but may be null. Drop None from its type.")


def _check_routes(routes: list[Route], placed: tuple[Placed, ...], args: type[BaseModel]) -> None:
    """Check that what fills a hole is there, or that its absence chooses another route."""
    always = find_shared_holes(routes)
    for one in placed:
        where, field = f"{args.__name__}.{one.field.name}", one.field
        if one.where != "path":
            continue
        if one.hole in always and not field.is_required and field.default is None:
            raise DeclarationError(
                f"{where}: fills a hole but may be absent. Make it required or give a default."
            )
        if one.hole not in always and (field.is_required or field.default is not None):
            raise DeclarationError(
                f"{where}: fills a hole of some routes only, but is always there. Give it the default None."
            )
    if len({frozenset(route.holes) for route in routes}) < len(routes):
        raise DeclarationError(f"{args.__name__}: two routes have the same holes. Keep one of them.")


def _read_header(header: Header, field: FieldPlan, conventions: Conventions, where: str) -> str:
    name = header.name or "-".join(word.capitalize() for word in split_words(field.name))
    if is_closed_to_models(name) or name.lower() in conventions.closed_headers:
        raise DeclarationError(
            f"{where}: header {name!r} may not be set by a model. Set it on the Api or per call instead."
        )
    if problem := header_problem(name, None):
        raise DeclarationError(f"{where}: {problem}. Use letters, digits and hyphens.")
    if _holds_object(field.shape) and not field.shape.format:
        raise DeclarationError(f"{where}: an object cannot be a header. Use a scalar type or a Format.")
    return name


def _check_holes(route: Route, placed: tuple[Placed, ...], args: type[BaseModel]) -> None:
    filled = {one.hole for one in placed if one.where == "path"}
    for hole in route.holes:
        if hole not in filled:
            raise DeclarationError(
                f"{args.__name__}: no field fills the hole {{{hole}}} of {route.template!r}. "
                f"Add a field {'_'.join(split_words(hole))}."
            )


def _check_headers(placed: tuple[Placed, ...], args: type[BaseModel]) -> None:
    owners: dict[str, str] = {}
    for one in placed:
        owner = owners.setdefault(one.header.lower(), one.field.name)
        if one.header and owner != one.field.name:
            raise DeclarationError(
                f"{args.__name__}: {owner} and {one.field.name} share the header {one.header!r}. Remove one of them."
            )


def _check_spread(placed: tuple[Placed, ...], graph: ModelGraph, args: type[BaseModel]) -> None:
    """Check that what is spread over the query is flat, and takes no other parameter's name."""
    owners = {
        one.field.wire: one.field.name for one in placed if one.where == "query" and one.style != "spread"
    }
    for one in placed:
        if one.style != "spread" or not _holds_object(one.field.shape) or one.field.shape.format:
            continue
        where, shape = f"{args.__name__}.{one.field.name}", one.field.shape
        model = graph[shape.model] if shape.kind == "model" and shape.model else None
        members = {field.wire: field.shape for field in model.fields.values()} if model else {}
        for inner in members.values() if model else shape.items:
            if _holds_object(inner) and not inner.format:
                raise DeclarationError(
                    f"{where}: spreads an object with another in it. Use Query(style='deep')."
                )
        for wire in members:
            owner = owners.setdefault(wire, one.field.name)
            if owner != one.field.name:
                raise DeclarationError(
                    f"{where}: spreads a member {wire!r} that {owner} sends too. Give one of them a WireName."
                )


def _check_formats(graph: ModelGraph) -> None:
    for model in graph.values():
        for field in model.fields.values():
            mark = field.mark(Format)
            for step in mark.steps if mark else ():
                if isinstance(step, str) and step not in FORMAT_STEPS:
                    raise DeclarationError(
                        f"{model.model.__name__}.{field.name}: no format {step!r}. "
                        f"Use one of {', '.join(FORMAT_STEPS)}, or a function."
                    )


def _check_clearable(
    placed: tuple[Placed, ...], graph: ModelGraph, body: BodyPlan, args: type[BaseModel]
) -> None:
    for one in placed:
        where = f"{args.__name__}.{one.field.name}"
        if one.where != "body" and _holds_clearable(one.field.shape, graph, set()):
            raise DeclarationError(
                f"{where}: is Clearable, but a {one.where} carries no null. Move it to the body or drop Clearable()."
            )
        if one.field.is_clearable and body.field == one.field.name:
            raise DeclarationError(
                f"{where}: is Clearable, but is the whole body. Use Body(embed=True) or drop Clearable()."
            )


def _holds_clearable(shape: Shape, graph: ModelGraph, seen: set[type[BaseModel]]) -> bool:
    if shape.is_clearable or any(_holds_clearable(item, graph, seen) for item in shape.items):
        return True
    if shape.kind != "model" or not shape.model or shape.model in seen:
        return False
    seen.add(shape.model)
    return any(_holds_clearable(field.shape, graph, seen) for field in graph[shape.model].fields.values())


def _check_unsent(graph: ModelGraph, args: type[BaseModel]) -> None:
    for model in graph.values():
        for field in model.fields.values():
            if field.mark(Unsent) and model.model is not args:
                raise DeclarationError(
                    f"{model.model.__name__}.{field.name}: Unsent() is for arguments alone. "
                    f"Move the field to {args.__name__}."
                )


def _plan_body(
    placed: tuple[Placed, ...], method: str, conventions: Conventions, args: type[BaseModel]
) -> BodyPlan:
    if conventions.has_static_body and method in ("GET", "HEAD"):
        raise DeclarationError(f"{args.__name__}: a {method} has no body. Remove static_body or use post.")
    if conventions.body_under:
        return BodyPlan("object", under=conventions.body_under)
    fields = [one.field for one in placed if one.where == "body"]
    raw = [(field, mark.raw) for field in fields if (mark := field.mark(Body)) and mark.raw]
    if len(raw) == 1 and len(fields) > 1 and not raw[0][0].is_required and raw[0][0].default is None:
        _check_raw(raw[0][0], args)
        others = tuple(one for one in placed if one.field is not raw[0][0])
        rest = _plan_body(others, method, conventions, args)
        return replace(rest, kind="object", field="", instead=raw[0][0].name, instead_type=raw[0][1])
    if raw:
        return _plan_raw(raw[0][0], raw[0][1], len(fields), conventions, args)
    form = conventions.body == "form"
    media_type = "application/x-www-form-urlencoded" if form else "application/json"
    shares = conventions.shares_body and (bool(fields) or method in BODY_METHODS)
    has_static = conventions.has_static_body or shares
    if len(fields) == 1 and not has_static and _becomes_body(fields[0], conventions.body):
        return BodyPlan("whole", fields[0].name, conventions.body, media_type)
    sends_body = bool(fields) or has_static
    return BodyPlan("object" if sends_body else "none", encoding=conventions.body, media_type=media_type)


def _becomes_body(field: FieldPlan, encoding: BodyEncoding) -> bool:
    mark = field.mark(Body)
    named = encoding == "form" and _holds_list(field.shape)  # the items of a form's list need a name
    return field.shape.is_structured and not field.shape.format and not named and not (mark and mark.embed)


def _holds_list(shape: Shape) -> bool:
    return shape.kind == "list" or (shape.kind in ("union", "root") and any(map(_holds_list, shape.items)))


def _plan_raw(
    field: FieldPlan, media_type: str, body_fields: int, conventions: Conventions, args: type[BaseModel]
) -> BodyPlan:
    where = f"{args.__name__}.{field.name}"
    if body_fields > 1 or conventions.has_static_body:
        raise DeclarationError(
            f"{where}: a raw body stands alone. Give it the default None, or move the other fields and static_body."
        )
    _check_raw(field, args)
    return BodyPlan("raw", field.name, media_type=media_type)


def _check_raw(field: FieldPlan, args: type[BaseModel]) -> None:
    if field.shape.is_structured and not field.shape.format:
        raise DeclarationError(
            f"{args.__name__}.{field.name}: a raw body is text or bytes. Give it a Format or drop raw."
        )
