"""An Api: what every tool of one vendor shares, and the methods that make its tools.

Not here: the tool itself.
"""

import warnings
from collections.abc import Mapping
from typing import Any, TypedDict, Unpack

from pydantic import BaseModel

from charter.auth import Auth
from charter.base_url import read_base_url
from charter.checking import check_kinds
from charter.errors import DeclarationError, DeclarationWarning
from charter.failures import Failures
from charter.markers import Case, QueryStyle
from charter.plan import BodyEncoding
from charter.record import OnCall
from charter.secret import Secret, hide_secrets
from charter.settings import (
    API_KINDS,
    ApiSettings,
    ToolOptions,
    check_auth,
    check_client,
    check_headers,
    check_name,
)
from charter.tool import Tool
from charter.wire.envelope import Envelope

__all__ = ["Api", "ApiOptions"]


class ApiOptions(TypedDict, total=False):
    """The conventions of a vendor's API."""

    auth: Auth | None
    headers: Mapping[str, str | Secret]
    """Sent with every call, such as the API's version; no model can change them. What is a `Secret`, or named like one,
    is shown nowhere."""
    case: Case | None
    """How fields are spelled on the wire; as written unless given."""
    body: BodyEncoding
    """`json`, or `form` with brackets."""
    query_style: QueryStyle
    envelope: Envelope | None
    """How answers say inside a 200 that they failed."""
    failures: Failures
    """Which codes mean to wait, and what of an error the model is told."""
    timeout: float
    """Seconds for a whole call; 30 unless given."""
    max_bytes: int
    """Of an answer's decompressed body; 10 MiB unless given."""
    graphql: str
    """The route of GraphQL operations; `graphql` unless given."""
    static_query: Mapping[str, Any]
    """Sent in every query, such as an `api-version`."""
    static_body: Mapping[str, Any]
    """Members of every body that is an object of fields."""
    on_call: OnCall | None
    """Told of every call of the Api's tools, after the tool's own."""
    public_only: bool
    """Whether calls may connect to addresses of the internet alone: not to loopback, private or link-local ones.

    Judged on the address that is connected to; the environment's proxies are then not used."""
    client: Any


_CALL_KEYWORDS = frozenset({"client", "headers"})
"""Keyword arguments of a call that are the host's and never the tool's."""
_CHANGEABLE = frozenset({"auth", "base_url", "client", "max_bytes", "on_call", "timeout"})
"""What each call looks up; everything else is read when a tool is declared."""


class Api(ApiSettings):
    """One vendor's API.

    >>> class EventsGet(BaseModel):
    ...     "Read one event."
    ...
    ...     event: str
    >>> calendar = Api("calendar", base_url="https://api.example.com/v1")
    >>> calendar.get("events/{event}", EventsGet)
    <Tool calendar__events_get GET events/{event}>
    """

    __slots__ = ()

    def __init__(self, name: str, *, base_url: str, **options: Unpack[ApiOptions]) -> None:
        """Describe an API.

        Raises:
            DeclarationError: the name or the base URL cannot be used.
        """
        check_kinds({"name": name, **options}, API_KINDS, f"Api {name!r}")
        super().__init__(check_name(name, "pack", hyphens=True), base_url, **options)
        check_headers(self.headers, name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Change what calls look up; the rest its tools have read already.

        Raises:
            DeclarationError: there is no such option, it is no longer looked up, or it is of the wrong kind.
        """
        where = getattr(self, "name", "Api")
        if name not in _CHANGEABLE and (hasattr(self, name) or name not in ApiSettings.__annotations__):
            raise DeclarationError(f"{where}: {name} cannot be set on an Api. Give it where the Api is made.")
        check_kinds({name: value}, API_KINDS, where)
        match name:
            case "auth":
                check_auth(value, where)
            case "base_url":
                value = read_base_url(value, where)
            case "client":
                check_client(value, self.public_only, where)
            case "headers" | "static_query" | "static_body":
                value = hide_secrets(value)
            case _:
                pass
        object.__setattr__(self, name, value)
        if name in _CHANGEABLE and hasattr(self, "is_configured"):  # it has been made
            object.__setattr__(self, "is_configured", True)

    def configure(
        self,
        *,
        auth: Auth | None = None,
        base_url: str | None = None,
        client: Any = None,
        on_call: OnCall | None = None,
    ) -> None:
        """Change, for the whole process, whose credentials are used, where calls go, what sends them or is told."""
        if base_url is not None:
            self.base_url = base_url
        self.auth = auth if auth is not None else self.auth
        self.client = client if client is not None else self.client
        self.on_call = on_call if on_call is not None else self.on_call

    def get(self, route: str, args: type[BaseModel], **options: Unpack[ToolOptions]) -> Tool:
        """Declare a tool that reads: its fields fill the route's holes and the query."""
        return self._declare("GET", route, args, options)

    def post(self, route: str, args: type[BaseModel], **options: Unpack[ToolOptions]) -> Tool:
        """Declare a tool that creates or acts: its fields fill the route's holes and the body."""
        return self._declare("POST", route, args, options)

    def put(self, route: str, args: type[BaseModel], **options: Unpack[ToolOptions]) -> Tool:
        """Declare a tool that replaces: its fields fill the route's holes and the body."""
        return self._declare("PUT", route, args, options)

    def patch(self, route: str, args: type[BaseModel], **options: Unpack[ToolOptions]) -> Tool:
        """Declare a tool that changes: its fields fill the route's holes and the body."""
        return self._declare("PATCH", route, args, options)

    def delete(self, route: str, args: type[BaseModel], **options: Unpack[ToolOptions]) -> Tool:
        """Declare a tool that deletes: its fields fill the route's holes and the query."""
        return self._declare("DELETE", route, args, options)

    def query(self, document: str, /, args: type[BaseModel], **options: Unpack[ToolOptions]) -> Tool:
        """Declare a GraphQL tool that reads: its fields are the variables of the document, a constant of the tool.

        Raises:
            DeclarationError: the document is no query, or its variables and the fields are not the same.
        """
        return self._graphql_tool("query", document, args, options)

    def mutation(self, document: str, /, args: type[BaseModel], **options: Unpack[ToolOptions]) -> Tool:
        """Declare a GraphQL tool that changes something: its fields are the variables of the document.

        Raises:
            DeclarationError: the document is no mutation, or its variables and the fields are not the same.
        """
        return self._graphql_tool("mutation", document, args, options)

    def _declare(self, method: str, route: str, args: type[BaseModel], options: ToolOptions) -> Tool:
        tool = Tool(method=method, route=route, args=args, api=self, **options)
        for name in sorted(_CALL_KEYWORDS & {field.name for field in tool.plan.root.visible()}):
            warnings.warn(
                f"{args.__name__}.{name}: calls have a keyword {name} of their own. "
                f"Give it in a dict, as in ainvoke({{{name!r}: ...}}), or rename the field and add WireName({name!r}).",
                DeclarationWarning,
                stacklevel=3,
            )
        return tool

    def _graphql_tool(self, kind: str, document: str, args: type[BaseModel], options: ToolOptions) -> Tool:
        given: ToolOptions = {**options, "document": document}
        tool = self._declare("POST", self.graphql, args, given)
        if tool.document is None or tool.document.kind != kind:
            raise DeclarationError(
                f"{args.__name__}: the GraphQL document is no {kind}. Use the Api's other method for it."
            )
        return tool
