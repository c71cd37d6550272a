"""What every tool of one vendor shares, changeable with `Api.configure`, and what one tool may say for itself.

Not here: making tools. `api` does that.
"""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypedDict, get_args

from pydantic import BaseModel

from charter.auth import Auth
from charter.checking import (
    ANYTHING,
    CASE,
    COUNT,
    FLAG,
    FUNCTION,
    NUMBER,
    TEXT,
    WORDS,
    Kind,
    check_kinds,
    instance_of,
    list_of,
    map_of,
    one_of,
    or_none,
)
from charter.clients import LeftClient
from charter.errors import DeclarationError
from charter.failures import Failures
from charter.fields import ModelPlan
from charter.headers import static_header_problem
from charter.markers import Case, QueryStyle
from charter.plan import BodyEncoding, Plan
from charter.reading import ReadsFirst
from charter.record import OnCall
from charter.secret import Secret
from charter.wire.envelope import Envelope
from charter.wire.pages import Pages
from charter.wire.trim import Handler

__all__ = [
    "API_KINDS",
    "TOOL_KINDS",
    "ApiSettings",
    "ToolOptions",
    "check_auth",
    "check_client",
    "check_headers",
    "check_name",
    "check_needs",
    "check_options",
    "find_pages",
    "read_description",
]

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
DEFAULT_TIMEOUT = 30.0
DEFAULT_MAX_BYTES = 10 * 1024 * 1024


@dataclass(slots=True)
class ApiSettings:
    """Base URL, credentials and conventions of one vendor's API."""

    name: str
    base_url: str
    auth: Auth | None = None
    headers: Mapping[str, str | Secret] = field(default_factory=dict[str, str | Secret])
    case: Case | None = None
    body: BodyEncoding = "json"
    query_style: QueryStyle = "repeat"
    envelope: Envelope | None = None
    failures: Failures = field(default_factory=Failures)
    timeout: float = DEFAULT_TIMEOUT
    max_bytes: int = DEFAULT_MAX_BYTES
    graphql: str = "graphql"
    static_query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    static_body: Mapping[str, Any] = field(default_factory=dict[str, Any])
    on_call: OnCall | None = None
    public_only: bool = False
    client: Any = field(default=None, repr=False)
    is_configured: bool = field(default=False, init=False, repr=False)
    """Whether something of it was changed after it was declared."""

    def __getstate__(self) -> dict[str, Any]:
        """A client belongs to one process: a pickled copy has a sign in its place, with which no call is sent."""
        left = LeftClient() if self.client is not None else None
        return {one.name: getattr(self, one.name) for one in fields(self)} | {"client": left}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)


class ToolOptions(TypedDict, total=False):
    """What a tool may say beside its method, route and args class."""

    name: str | None
    """The class's name in snake case unless given."""
    description: str | None
    """What the model reads; the class's docstring unless given."""
    hints: str
    """Words people use for this that name and description lack. Only the search reads them."""
    needs: Mapping[str, str]
    """Argument -> the tool that produces its identifier, such as `payment_intents_list`."""
    scopes: tuple[str, ...]
    """OAuth scopes, the least that work."""
    reads_first: ReadsFirst | None
    """What is read of the same Api before the request is built."""
    response_handler: Handler | None
    pagination: Pages | None
    envelope: Envelope | None
    """The Api's unless given; `Envelope(error=())` turns that off."""
    timeout: float | None
    """Seconds for the whole call, the Api's unless given."""
    static_query: Mapping[str, Any]
    static_headers: Mapping[str, str | Secret | None]
    """Like `static_query` and `static_body`: what is a `Secret`, or named like one, is shown nowhere."""
    static_body: Mapping[str, Any]
    document: str | None
    """The GraphQL document whose variables the fields are; `Api.query` and `Api.mutation` give it."""
    case: Case | None
    body: BodyEncoding | None
    mode: str | tuple[str, ...] | None
    """The modes it is in: fields marked with another are withheld."""
    also: tuple[str, ...]
    """Other routes of the tool: the one whose holes are given is taken."""
    on_call: OnCall | None


API_KINDS: Mapping[str, Kind] = {
    "name": WORDS,
    "headers": map_of(ANYTHING),
    "case": or_none(CASE),
    "body": one_of(*get_args(BodyEncoding)),
    "query_style": one_of(*get_args(QueryStyle)),
    "envelope": or_none(instance_of(Envelope, "an Envelope")),
    "failures": instance_of(Failures, "a Failures"),
    "timeout": NUMBER,
    "max_bytes": COUNT,
    "graphql": TEXT,
    "static_query": map_of(ANYTHING),
    "static_body": map_of(ANYTHING),
    "on_call": or_none(FUNCTION),
    "public_only": FLAG,
    "client": or_none(Kind("an AsyncClient of httpx or httpx2", lambda value: hasattr(value, "send"))),
}
"""What each option of an Api may be, but for those that are read as they are given: base URL and credentials."""

TOOL_KINDS: Mapping[str, Kind] = {
    "method": Kind(
        f"one of {', '.join(METHODS)}", lambda value: WORDS.fits(value) and value.upper() in METHODS
    ),
    "route": WORDS,
    "name": or_none(WORDS),
    "description": or_none(WORDS),
    "hints": WORDS,
    "needs": or_none(map_of(TEXT)),
    "scopes": or_none(list_of(TEXT)),
    "reads_first": or_none(instance_of(ReadsFirst, "a ReadsFirst")),
    "response_handler": or_none(FUNCTION),
    "pagination": or_none(instance_of(Pages, "a Pages")),
    "envelope": or_none(instance_of(Envelope, "an Envelope")),
    "timeout": or_none(NUMBER),
    "static_query": or_none(map_of(ANYTHING)),
    "static_headers": or_none(map_of(ANYTHING)),
    "static_body": or_none(map_of(ANYTHING)),
    "document": or_none(WORDS),
    "case": or_none(CASE),
    "body": or_none(one_of(*get_args(BodyEncoding))),
    "also": or_none(list_of(WORDS)),
    "on_call": or_none(FUNCTION),
}
"""What each option of a tool may be; a mode is read where it is used."""


def check_name(name: str, what: str, *, hyphens: bool = False) -> str:
    """Return the name of a pack or tool if it can be part of a qualified name.

    Raises:
        DeclarationError: it is not lower-case words joined by single underscores, or hyphens where those may be.
    """
    joints = "_-" if hyphens else "_"
    if not re.fullmatch(rf"[a-z][a-z0-9]*(?:[{joints}][a-z0-9]+)*", name):
        joined = "single underscores or hyphens" if hyphens else "single underscores"
        raise DeclarationError(f"{what} {name!r}: is no name. Use lower-case words joined by {joined}.")
    return name


def check_options(args: Any, method: str, route: str, options: ToolOptions) -> None:
    """Check what a tool says for itself, as far as it can be judged without reading its args class.

    Raises:
        DeclarationError: an option cannot work.
        TypeError: there is no such option.
    """
    for unknown in options.keys() - ToolOptions.__annotations__.keys():
        raise TypeError(f"Tool() got an unexpected keyword argument {unknown!r}")
    if not (isinstance(args, type) and issubclass(args, BaseModel)):
        raise DeclarationError(f"{args!r}: is no args class. Declare a Pydantic BaseModel.")
    check_kinds({"method": method, "route": route, **options}, TOOL_KINDS, args.__name__)
    check_headers(options.get("static_headers") or {}, args.__name__)


def check_headers(headers: Mapping[str, str | Secret | None], where: str) -> None:
    """Check headers that are sent with every call.

    Raises:
        DeclarationError: one of them cannot be sent.
    """
    for name, value in headers.items():
        shown = ("x" if value.is_sendable() or not value else "\n") if isinstance(value, Secret) else value
        if problem := static_header_problem(name, shown):
            raise DeclarationError(f"{where}: {problem}. Mend the header or remove it.")


def read_description(args: type[BaseModel], given: str | None) -> str:
    """Return what the model reads of a tool, a paragraph a line: what is given, or else the docstring.

    Raises:
        DeclarationError: there is neither.
    """
    text = inspect.cleandoc(given or args.__dict__.get("__doc__") or "")
    if not text:
        raise DeclarationError(
            f"{args.__name__}: has no description. Write a docstring or give description=."
        )
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def check_auth(auth: Any, where: str) -> None:
    """Check that something can say which credentials a call carries; what it is not is never shown.

    Raises:
        DeclarationError: it cannot.
    """
    if auth is not None and (isinstance(auth, type) or not callable(getattr(auth, "credentials", None))):
        kind = auth.__name__ if isinstance(auth, type) else type(auth).__name__
        raise DeclarationError(f"{where}: auth={kind} says no credentials. Write Bearer(...) or ApiKey(...).")


def check_client(client: Any, public_only: bool, where: str) -> None:
    """Check that a lent client is not asked for what it cannot promise.

    Raises:
        DeclarationError: calls are bound to public addresses, and nobody knows where the client connects.
    """
    if client is not None and public_only:
        raise DeclarationError(f"{where}: public_only holds for Charter's own connections. Give no client=.")


def check_needs(needs: Mapping[str, str], root: ModelPlan, where: str) -> None:
    """Check that what needs an identifier is an argument.

    Raises:
        DeclarationError: it is none.
    """
    for argument in needs:
        if not root.find(argument):
            raise DeclarationError(f"{where}: needs names {argument!r}, which is no argument. Name a field.")


def find_pages(pages: Pages | None, plan: Plan, where: str) -> Pages | None:
    """Return how pages are asked for; None also where a projection hides the argument that says which one.

    Raises:
        DeclarationError: there is no such argument.
    """
    if pages is None:
        return None
    cursor = plan.root.find(pages.parameter)
    if cursor is None:
        raise DeclarationError(f"{where}: no field takes the cursor {pages.parameter!r}. Add it.")
    return None if plan.projection.hides(cursor.wire) else pages
