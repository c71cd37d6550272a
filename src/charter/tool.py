"""A tool: one operation of one API, declared by an args class and a route, and callable.

Not here: how a call is made (`call`) and what an Api gives its tools (`api`).
"""

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal, Unpack, cast, overload

from pydantic import BaseModel
from pydantic_core import from_json, to_json

from charter.auth import Credentials
from charter.background import is_in_loop, run_sync
from charter.call import CallSpec, Outcome, call
from charter.checking import read_modes
from charter.errors import CharterError, DeclarationError, ToolValidationError
from charter.locks import Lock
from charter.markers import split_words
from charter.plan import Conventions, Plan, read_plan
from charter.projection import WHOLE, Projection
from charter.reading import check_reads
from charter.schema.dialects import Dialect, render_in_dialect
from charter.schema.json_schema import SchemaSource, render_parameters
from charter.schema.narrow import PathCost, list_paths, narrow, price_paths
from charter.schema.receiving import merge_arguments
from charter.schema.view import build_view_model
from charter.secret import HiddenHeaders
from charter.settings import (
    ApiSettings,
    ToolOptions,
    check_name,
    check_needs,
    check_options,
    find_pages,
    read_description,
)
from charter.statics import hide_static_secrets, split_secrets
from charter.transport import Limits
from charter.wire.envelope import Envelope
from charter.wire.graphql import Document, GraphQLEnvelope, check_variables, read_document
from charter.wire.request import Statics
from charter.wire.trim import Handler, pass_through

__all__ = ["NAME_LIMIT", "SEPARATOR", "Tool"]

SEPARATOR = "__"
"""Between pack and tool in a qualified name."""
NAME_LIMIT = 64
"""Characters of a qualified name; every provider takes this many."""


class Tool:
    """One operation of one API. Make one with `Api.get`, `post`, `put`, `patch` or `delete`."""

    def __init__(
        self,
        *,
        method: str,
        route: str,
        args: type[BaseModel],
        api: ApiSettings,
        projection: Projection = WHOLE,
        **options: Unpack[ToolOptions],
    ) -> None:
        """Read the declaration.

        Raises:
            DeclarationError: it cannot work; the text names class, field and fix.
        """
        check_options(args, method, route, options)
        self.method, self.route, self.args_schema, self.api = method.upper(), route, args, api
        self._options = options = hide_static_secrets(options)
        self.pack = api.name
        self.name = check_name(
            options.get("name") or "_".join(split_words(args.__name__)), f"{self.pack}: tool"
        )
        self.qualified_name = f"{self.pack}{SEPARATOR}{self.name}"
        if len(self.qualified_name) > NAME_LIMIT:
            raise DeclarationError(
                f"{self.qualified_name}: is longer than {NAME_LIMIT} characters. Give a shorter name=."
            )
        self.description = read_description(args, options.get("description"))
        self.hints = options.get("hints", "")
        self.needs = dict(options.get("needs") or {})
        self.scopes = tuple(options.get("scopes") or ())
        self.modes = read_modes(options.get("mode"), args.__name__)
        self.reads_first = check_reads(options.get("reads_first"), args.__name__, api)
        text = options.get("document")
        self.document: Document | None = None if text is None else read_document(text, args.__name__)
        self.static_body = self._read_static_body()
        whole = read_plan(self.qualified_name, self.method, route, args, self._conventions())
        if self.document:
            check_variables(self.document, whole, args)
        self.plan: Plan = replace(whole, projection=projection)
        self._statics, self._static_secrets = self._read_statics()
        check_needs(self.needs, whole.root, args.__name__)
        self.pagination = find_pages(options.get("pagination"), self.plan, args.__name__)
        self._parameters: bytes | None = None
        self._view: type[BaseModel] | None = None
        self._graphql_envelope: GraphQLEnvelope | None = None
        self._in_modes: dict[tuple[str, ...], Tool] = {}
        self._lock = Lock()  # the last: from here on the tool stays as it is

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse what would change nothing, or half of the tool: sessions share it, and its calls are prepared.

        Raises:
            DeclarationError: the tool is made already.
        """
        if not name.startswith("_") and "_lock" in self.__dict__:
            raise DeclarationError(
                f"{self.qualified_name}: {name} cannot be set on a tool. Give it where the tool is declared, "
                "or use derived() or with_mode()."
            )
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"<Tool {self.qualified_name} {self.method} {self.route}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return self._made_with(self.plan.projection, self._options), ()

    async def ainvoke(
        self,
        arguments: Any = None,
        /,
        *,
        headers: Mapping[str, str | None] | None = None,
        client: Any = None,
        **more: Any,
    ) -> Any:
        """Validate the arguments, make the call and return what a model needs of the answer.

        `arguments` is a mapping, its JSON text or an instance of the args class; keyword arguments add to it. `headers`
        are the host's: the last word, and None removes one. `client` is an `httpx.AsyncClient` or `httpx2.AsyncClient`.

        Raises:
            ToolValidationError: the arguments do not fit; nothing was sent.
            TransformError: a value cannot be written in its format; nothing was sent.
            CredentialError: credentials are missing or rejected.
            APIError: the API answered with a failure.
            TransportError: there is no usable answer.
        """
        headers = HiddenHeaders(headers)
        outcome = await self._call(merge_arguments(arguments, more, self.args_schema), headers, client)
        return outcome.result

    def invoke(
        self,
        arguments: Any = None,
        /,
        *,
        headers: Mapping[str, str | None] | None = None,
        client: Any = None,
        **more: Any,
    ) -> Any:
        """Do as `ainvoke` does, outside any event loop.

        Raises:
            CharterError: the caller runs inside an event loop; or as `ainvoke`.
        """
        headers = HiddenHeaders(headers)
        if is_in_loop():
            raise CharterError(
                f"{self.qualified_name}: invoke blocks a running event loop. Await ainvoke instead."
            )
        try:
            return run_sync(lambda: self.ainvoke(arguments, headers=headers, client=client, **more))
        except CharterError as error:
            caught = error
        raise caught.with_traceback(None)

    async def pages(
        self,
        arguments: Any = None,
        /,
        *,
        headers: Mapping[str, str | None] | None = None,
        client: Any = None,
        **more: Any,
    ) -> AsyncIterator[Any]:
        """Yield the result of each page until the API has no more, repeats a cursor, or counts on with the same page.

        Raises:
            DeclarationError: the tool declares no paging; or as `ainvoke`.
        """
        headers = HiddenHeaders(headers)
        if self.pagination is None:
            raise DeclarationError(f"{self.qualified_name}: declares no pagination. Call ainvoke instead.")
        field = self.plan.root.find(self.pagination.parameter)
        assert field is not None
        merged = merge_arguments(arguments, more, self.args_schema)
        if not (merged is None or isinstance(merged, Mapping)):
            problem = f"pages() takes a mapping, got {type(merged).__name__}. Give the arguments by name."
            raise ToolValidationError(f"{self.qualified_name}: {problem}")
        given = dict(cast("Mapping[str, Any]", merged or {}))
        at = next((given.pop(key) for key in list(given) if self.plan.root.find(key) is field), None)
        seen: set[str] = set() if at is None else {str(at)}
        before: Any = None
        while True:
            page = given if at is None else {**given, field.wire: at}
            outcome = await self._call(page, headers, client)
            if self.pagination.is_counted and outcome.body == before:
                return
            before = outcome.body
            yield outcome.result
            at = self.pagination.find_next(outcome.body, outcome.headers, wire=field.wire, given=at)
            if at is None or str(at) in seen:
                return
            seen.add(str(at))

    def derived(
        self,
        *,
        name: str | None = None,
        keep: Iterable[str] = (),
        drop: Iterable[str] = (),
        pin: Mapping[str, Any] | None = None,
        description: str | None = None,
        response_handler: Handler | None = None,
    ) -> "Tool":
        """Return a narrower copy: fewer fields, some of them pinned. It can only remove.

        Selectors are dotted paths by any spelling, such as `start.timeZone`, or the ending of one path alone; lists,
        maps and unions take no step. What is pinned is always sent, also where the object around it is left out.
        `pass_through` turns the handler off.

        Raises:
            DeclarationError: a selector is unknown or ambiguous, a required field would be lost, or a pin is no
                valid value.
        """
        options: ToolOptions = {**self._options, "name": name or self.name}
        if description is not None:
            options["description"] = description
        if response_handler is not None:
            options["response_handler"] = response_handler
        narrowed = narrow(self.plan, keep, drop, pin)
        return self._made_with(narrowed.projection, options)()

    def with_mode(self, mode: str | tuple[str, ...] | None) -> "Tool":
        """Return the tool in a mode beside those it is in already; None takes it out of all of them.

        Fields marked with other modes are withheld. The same modes give the same tool.

        Raises:
            DeclarationError: a label is empty, or one that no tool can be in, such as `disabled`.
        """
        added = read_modes(mode, self.qualified_name)
        modes = tuple(dict.fromkeys((*self.modes, *added))) if mode is not None else ()
        if set(modes) == set(self.modes):
            return self
        with self._lock:
            if modes not in self._in_modes:
                self._in_modes[modes] = self._made_with(
                    self.plan.projection, {**self._options, "mode": modes}
                )()
            return self._in_modes[modes]

    @overload
    def paths(self, under: str = "", depth: int = 1, *, by_cost: Literal[False] = False) -> list[str]: ...
    @overload
    def paths(self, under: str = "", depth: int = 1, *, by_cost: Literal[True]) -> list[PathCost]: ...
    def paths(self, under: str = "", depth: int = 1, *, by_cost: bool = False) -> list[str] | list[PathCost]:
        """List what a projection can name below `under`, `depth` levels deep.

        With `by_cost` each path comes with the tokens that dropping it saves, dearest first, measured by writing the
        schema without it.

        Raises:
            DeclarationError: `under` is unknown or ambiguous.
        """
        if by_cost:
            return price_paths(self.plan, SchemaSource(self.plan), under, depth)
        return list_paths(self.plan, under, depth)

    def llm_schema(self) -> type[BaseModel]:
        """Return the Pydantic model that a model fills in: it accepts what a call accepts, in every spelling."""
        with self._lock:
            if self._view is None:
                self._view = build_view_model(self.plan)
            return self._view

    def to_json_schema(self, dialect: Dialect | None = None) -> dict[str, Any]:
        """Return name, description and parameters (JSON Schema 2020-12); a copy the caller may edit.

        With a dialect they are as that provider takes them; arguments written by them are accepted as they are.

        Raises:
            DeclarationError: a type of the args class has no JSON Schema, or the dialect cannot say something; the
                text names the path and the projection that helps.
        """
        parameters = from_json(self._render())
        if dialect is not None:
            return render_in_dialect(self.name, self.description, parameters, dialect)
        return {"name": self.name, "description": self.description, "parameters": parameters}

    @property
    def parameters(self) -> dict[str, str]:
        """Wire names to descriptions of what the model may fill in. Builds no schema; the search reads it."""
        fields = self.args_schema.model_fields
        return {field.wire: fields[field.name].description or "" for field in self.plan.root.visible()}

    @property
    def is_read_only(self) -> bool:
        """Whether a call changes nothing: a GET, a HEAD or a GraphQL query."""
        return self.plan.is_read_only

    @property
    def response_handler(self) -> Handler:
        """What makes a result of an answer; `pass_through` where nothing does."""
        return self._options.get("response_handler") or pass_through

    def prepare(self) -> "Tool":
        """Build what is built lazily, now. May be called twice and from any thread."""
        self._render()
        return self

    def _render(self) -> bytes:
        with self._lock:
            if self._parameters is None:
                self._parameters = to_json(render_parameters(self.plan))
            return self._parameters

    def _made_with(self, projection: Projection, options: ToolOptions) -> "partial[Tool]":
        one = {"method": self.method, "route": self.route, "args": self.args_schema, "api": self.api}
        return partial(Tool, projection=projection, **one, **options)

    async def _call(self, arguments: Any, headers: Mapping[str, str | None] | None, client: Any) -> Outcome:
        return await call(self.call_spec(), arguments, headers=headers, client=client)

    def call_spec(self) -> CallSpec:
        """Return everything that a call needs to know of the tool and its Api, as they are now."""
        api, handler = self.api, self.response_handler
        timeout = self._options.get("timeout") or api.timeout
        return CallSpec(
            tool=self.qualified_name,
            provider=self.pack,
            plan=self.plan,
            base_url=api.base_url,
            statics=self._statics,
            static_secrets=self._static_secrets,
            limits=Limits(timeout, api.max_bytes, public_only=api.public_only),
            auth=api.auth,
            envelope=self._read_envelope(),
            failures=api.failures,
            handler=None if handler is pass_through else handler,
            reads_first=self.reads_first,
            on_call=tuple(told for told in (self._options.get("on_call"), api.on_call) if told),
            client=api.client,
        )

    def _read_envelope(self) -> Envelope | None:
        own = self._options.get("envelope")
        if own is None and self.document:
            if self._graphql_envelope is None:
                self._graphql_envelope = GraphQLEnvelope.of(self.document, self.api.envelope)
            return self._graphql_envelope
        return own or self.api.envelope

    def _conventions(self) -> Conventions:
        api, options = self.api, self._options
        static = {**api.headers, **(options.get("static_headers") or {})}
        credential = api.auth.header_names if api.auth else frozenset[str]()
        return Conventions(
            case=options.get("case") or api.case,
            modes=self.modes,
            query_style=api.query_style,
            body=options.get("body") or api.body,
            closed_headers=credential | {name.lower() for name in static},
            has_static_body=bool(self._options.get("static_body")) or self.document is not None,
            shares_body=bool(self.api.static_body),
            body_under="variables" if self.document else "",
            is_query=self.document is not None and self.document.kind == "query",
            also=tuple(options.get("also") or ()),
        )

    def _read_static_body(self) -> dict[str, Any]:
        shared = self.document.body if self.document else self.api.static_body
        return {**shared, **(self._options.get("static_body") or {})}

    def _read_statics(self) -> tuple[Statics, Credentials]:
        query = {**self.api.static_query, **(self._options.get("static_query") or {})}
        body = self.static_body
        in_body = body if self.plan.body.kind == "object" and not self.document else ()
        for name in (*query, *in_body):
            if self.plan.root.find(name):
                raise DeclarationError(
                    f"{self.args_schema.__name__}: {name!r} is both an argument and static. Remove one of them."
                )
        return split_secrets(query, (self.api.headers, self._options.get("static_headers") or {}), body)
