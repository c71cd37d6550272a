"""A tool: one operation of one API, declared by an args class and a route, and callable.

Not here: how a call is made (`call`) and what an Api gives its tools (`api`).
"""

import inspect
import threading
from collections.abc import AsyncIterator, Mapping
from typing import Any, TypedDict, Unpack

from pydantic import BaseModel
from pydantic_core import from_json, to_json

from charter.auth import HiddenHeaders
from charter.background import is_in_loop, run_sync
from charter.call import CallSpec, Outcome, call
from charter.errors import CharterError, DeclarationError
from charter.markers import Case, split_words
from charter.plan import BodyEncoding, Conventions, Plan, read_plan
from charter.record import OnCall
from charter.schema.json_schema import render_parameters
from charter.schema.view import build_view_model
from charter.settings import ApiSettings, check_name
from charter.transport import Limits
from charter.wire.envelope import Envelope
from charter.wire.pages import Pages
from charter.wire.request import Statics
from charter.wire.trim import Handler, pass_through

__all__ = ["NAME_LIMIT", "SEPARATOR", "Tool", "ToolOptions"]

SEPARATOR = "__"
"""Between pack and tool in a qualified name."""
NAME_LIMIT = 64
"""Characters of a qualified name; every provider takes this many."""


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
    response_handler: Handler | None
    pagination: Pages | None
    envelope: Envelope | None
    timeout: float | None
    """Seconds for the whole call, the Api's unless given."""
    static_query: Mapping[str, Any]
    static_headers: Mapping[str, str | None]
    static_body: Mapping[str, Any]
    case: Case | None
    body: BodyEncoding | None
    mode: str | None
    on_call: OnCall | None


class Tool:
    """One operation of one API. Make one with `Api.get`, `post`, `put`, `patch` or `delete`."""

    def __init__(
        self,
        *,
        method: str,
        route: str,
        args: type[BaseModel],
        api: ApiSettings,
        **options: Unpack[ToolOptions],
    ) -> None:
        """Read the declaration.

        Raises:
            DeclarationError: it cannot work; the text names class, field and fix.
        """
        self.method, self.route, self.args_schema, self.api = method.upper(), route, args, api
        self._options = options
        self.pack = api.name
        self.name = check_name(
            options.get("name") or "_".join(split_words(args.__name__)), f"{self.pack}: tool"
        )
        self.qualified_name = f"{self.pack}{SEPARATOR}{self.name}"
        if len(self.qualified_name) > NAME_LIMIT:
            raise DeclarationError(
                f"{self.qualified_name}: is longer than {NAME_LIMIT} characters. Give a shorter name=."
            )
        self.description = _read_description(args, options.get("description"))
        self.hints = options.get("hints", "")
        self.needs = dict(options.get("needs") or {})
        self.scopes = tuple(options.get("scopes") or ())
        self.pagination = options.get("pagination")
        self.mode = options.get("mode")
        self.plan: Plan = read_plan(self.qualified_name, self.method, route, args, self._conventions())
        self._statics = self._read_statics()
        self._parameters: bytes | None = None
        self._view: type[BaseModel] | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"<Tool {self.qualified_name} {self.method} {self.route}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.method, self.route, self.args_schema, self.api, dict(self._options))

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

        `arguments` is a mapping or its JSON text; keyword arguments add to it. `headers` are the host's: the last word,
        and None removes one. `client` is an `httpx.AsyncClient` or `httpx2.AsyncClient`.

        Raises:
            ToolValidationError: the arguments do not fit; nothing was sent.
            TransformError: a value cannot be written in its format; nothing was sent.
            CredentialError: credentials are missing or rejected.
            APIError: the API answered with a failure.
            TransportError: there is no usable answer.
        """
        headers = HiddenHeaders(headers)
        outcome = await self._call({**(arguments or {}), **more} if more else arguments, headers, client)
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
        arguments: Mapping[str, Any] | None = None,
        *,
        headers: Mapping[str, str | None] | None = None,
        client: Any = None,
    ) -> AsyncIterator[Any]:
        """Yield the result of each page until the API has no more or repeats a cursor.

        Raises:
            DeclarationError: the tool declares no paging; or as `ainvoke`.
        """
        headers = HiddenHeaders(headers)
        if self.pagination is None:
            raise DeclarationError(f"{self.qualified_name}: declares no pagination. Call ainvoke instead.")
        field = self.plan.root.find(self.pagination.parameter)
        assert field is not None
        given = dict(arguments or {})
        seen: set[str | int] = set()
        while True:
            outcome = await self._call(given, headers, client)
            yield outcome.result
            cursor = self.pagination.next_cursor(outcome.body)
            if cursor is None or cursor in seen:
                return
            seen.add(cursor)
            given = {key: value for key, value in given.items() if self.plan.root.find(key) is not field}
            given[field.wire] = cursor

    def llm_schema(self) -> type[BaseModel]:
        """Return the Pydantic model that a model fills in: it accepts what a call accepts, in every spelling."""
        with self._lock:
            if self._view is None:
                self._view = build_view_model(self.plan)
            return self._view

    def to_json_schema(self) -> dict[str, Any]:
        """Return name, description and parameters (JSON Schema 2020-12); a copy the caller may edit.

        Raises:
            DeclarationError: a type of the args class has no JSON Schema.
        """
        return {"name": self.name, "description": self.description, "parameters": from_json(self._render())}

    @property
    def parameters(self) -> dict[str, str]:
        """Wire names to descriptions of what the model may fill in. Builds no schema; the search reads it."""
        fields = self.args_schema.model_fields
        return {field.wire: fields[field.name].description or "" for field in self.plan.root.visible()}

    def prepare(self) -> "Tool":
        """Build what is built lazily, now. May be called twice and from any thread."""
        self._render()
        return self

    def _render(self) -> bytes:
        with self._lock:
            if self._parameters is None:
                self._parameters = to_json(render_parameters(self.plan))
            return self._parameters

    async def _call(self, arguments: Any, headers: Mapping[str, str | None] | None, client: Any) -> Outcome:
        return await call(self._spec(), arguments, headers=headers, client=client)

    def _spec(self) -> CallSpec:
        handler = self._options.get("response_handler")
        return CallSpec(
            tool=self.qualified_name,
            provider=self.pack,
            plan=self.plan,
            base_url=self.api.base_url,
            statics=self._statics,
            limits=Limits(self._options.get("timeout") or self.api.timeout, self.api.max_bytes),
            auth=self.api.auth,
            envelope=self._options.get("envelope") or self.api.envelope,
            handler=None if handler is pass_through else handler,
            on_call=self._options.get("on_call"),
            client=self.api.client,
        )

    def _conventions(self) -> Conventions:
        api, options = self.api, self._options
        static = {**api.headers, **(options.get("static_headers") or {})}
        credential = api.auth.header_names if api.auth else frozenset[str]()
        return Conventions(
            case=options.get("case") or api.case,
            mode=self.mode,
            query_style=api.query_style,
            body=options.get("body") or api.body,
            closed_headers=credential | {name.lower() for name in static},
            has_static_body=bool(options.get("static_body")),
        )

    def _read_statics(self) -> Statics:
        options = self._options
        query, body = dict(options.get("static_query") or {}), dict(options.get("static_body") or {})
        for name in (*query, *body):
            if self.plan.root.find(name):
                raise DeclarationError(
                    f"{self.args_schema.__name__}: {name!r} is both an argument and static. Remove one of them."
                )
        if self.pagination and not self.plan.root.find(self.pagination.parameter):
            raise DeclarationError(
                f"{self.args_schema.__name__}: no field takes the cursor {self.pagination.parameter!r}. Add it."
            )
        return Statics(query, {**self.api.headers, **(options.get("static_headers") or {})}, body)


def _read_description(args: type[BaseModel], given: str | None) -> str:
    text = inspect.cleandoc(given or args.__dict__.get("__doc__") or "")
    if not text:
        raise DeclarationError(
            f"{args.__name__}: has no description. Write a docstring or give description=."
        )
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _rebuild(method: str, route: str, args: type[BaseModel], api: ApiSettings, options: ToolOptions) -> Tool:
    return Tool(method=method, route=route, args=args, api=api, **options)
