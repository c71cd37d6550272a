"""The MCP server over a session: one for both eras of the protocol and any number of clients.

How it is run is in `serving.py`; what each mode does is in `growing.py` and `steady.py`.
"""

import asyncio
import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypedDict, Unpack, cast

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    DiscoverResult,
    ListToolsResult,
    PaginatedRequestParams,
    RequestParams,
)
from mcp_types import Tool as McpTool
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from charter.adapters.mcp import growing, steady
from charter.adapters.mcp.calls import answer, run_tool
from charter.adapters.mcp.conversation import Caller, Stream, open_conversation, read_caller
from charter.adapters.mcp.inflight import Inflight
from charter.adapters.mcp.modes import Mode, choose_mode
from charter.adapters.mcp.results import render_error
from charter.adapters.mcp.setup import Settings, Setup, Tools, build_setup
from charter.adapters.mcp.store import MemoryStore, Store, StoreUnreachableError
from charter.discovery.given import is_mapping

__all__ = ["CharterServer", "ServerOptions", "build_server"]

Context = ServerRequestContext[Any, Any]
LIST_LIFE = 5 * 60 * 1000
"""Milliseconds that a client of the newer era may keep a list, which cannot change while the server runs."""


class ServerOptions(TypedDict, total=False):
    """What `build_server` and `serve` may be told; see `Settings` for what each means."""

    name: str
    version: str
    mode: Mode | None
    separator: str
    max_result_tokens: int
    page_size: int
    progress_seconds: float


class CharterServer(Server[Any]):
    """A low-level server of the official SDK, so whatever runs one of those runs this.

    Each client has its own loaded set; the session that it was built from is only the template.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.inflight = Inflight()
        self.listed = asyncio.Event()
        """Set when the first list has been made."""
        super().__init__(
            setup.settings.name,
            version=setup.settings.version,
            title="Charter",
            instructions=growing.INSTRUCTIONS,
            lifespan=_keep_stream,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )
        self.add_request_handler("server/discover", RequestParams, self._discover)
        self.middleware.append(self._adapt_initialize)

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> Any:
        """Say that the list may change; what a client is told depends on its mode."""
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, experimental_capabilities, extensions)

    def choose_mode(self, client: str | None, *, is_modern: bool) -> Mode:
        """Return the mode of a client."""
        if not self.setup.template.searchable:
            return "all"
        return choose_mode(client, is_modern=is_modern, forced=self.setup.settings.mode)

    def first_list(self) -> list[McpTool]:
        """Return what a client of which nothing is known is listed at first."""
        mode = self.choose_mode(None, is_modern=False)
        if mode == "all":
            return [self.setup.describe(name) for name in self.setup.whole.tools]
        if mode == "steady":
            return steady.list_steady(self.setup, has_handle=False)
        return growing.list_visible(self.setup, self.setup.template.fork())

    async def _discover(self, ctx: Context, params: RequestParams) -> DiscoverResult:
        mode = self.choose_mode(None, is_modern=True)
        return DiscoverResult(
            supported_versions=list(MODERN_PROTOCOL_VERSIONS),
            capabilities=self.get_capabilities(protocol_version=ctx.protocol_version),
            instructions=_INSTRUCTIONS.get(mode),
        )

    async def _adapt_initialize(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """Tell a client that lists once that the list will not change, and how to go about it."""
        result = await call_next(ctx)
        if ctx.method != "initialize" or not isinstance(result, dict):
            return result
        info = (ctx.params or {}).get("clientInfo")
        client = info.get("name") if is_mapping(info) else None
        mode = self.choose_mode(client if isinstance(client, str) else None, is_modern=False)
        instructions = _INSTRUCTIONS.get(mode)
        capabilities = {**result["capabilities"], "tools": {"listChanged": mode == "growing"}}
        adapted = {**result, "capabilities": capabilities, "instructions": instructions}
        return adapted if instructions else {key: adapted[key] for key in adapted if key != "instructions"}

    async def _list_tools(self, ctx: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        caller = read_caller(ctx, self.setup.store)
        try:
            tools = await self._choose_tools(caller)
        except StoreUnreachableError as error:
            raise MCPError(code=_UNAVAILABLE, message=_STORE_IS_AWAY) from error
        start = _read_cursor(params.cursor if params is not None else None, len(tools))
        end = start + self.setup.settings.page_size
        self.listed.set()
        return ListToolsResult(
            tools=tools[start:end],
            next_cursor=str(end) if end < len(tools) else None,
            ttl_ms=LIST_LIFE if caller.is_modern else 0,
        )

    async def _choose_tools(self, caller: Caller) -> list[McpTool]:
        mode = self.choose_mode(caller.client, is_modern=caller.is_modern)
        if mode == "all":
            return [self.setup.describe(name) for name in self.setup.whole.tools]
        if mode == "steady":
            return steady.list_steady(self.setup, has_handle=caller.owner is None)
        return await growing.list_growing(self.setup, await open_conversation(self.setup.template, caller))

    async def _call_tool(self, ctx: Context, params: CallToolRequestParams) -> CallToolResult:
        caller = read_caller(ctx, self.setup.store)

        async def make() -> CallToolResult:
            try:
                return await self._dispatch(ctx, caller, params.name, params.arguments)
            except StoreUnreachableError:
                return render_error(_STORE_IS_AWAY)

        if ctx.request is None or caller.owner is None:
            return await answer(self.setup, make)
        with self.inflight.track(caller.owner, ctx.request_id) as scope:
            return await answer(self.setup, make)
        assert scope.cancelled_caught
        raise MCPError(code=_UNAVAILABLE, message="The request was cancelled.")

    async def _dispatch(self, ctx: Context, caller: Caller, name: str, arguments: Any) -> CallToolResult:
        setup = self.setup
        mode = self.choose_mode(caller.client, is_modern=caller.is_modern)
        if mode == "all":
            conversation = await open_conversation(setup.whole, replace(caller, owner=None))
            qualified = setup.names.resolve(name) or name
            return await run_tool(setup, conversation, ctx, qualified, arguments, has_schema=True)
        if mode == "growing":
            conversation = await open_conversation(setup.template, caller)
            return await growing.call_growing(setup, conversation, ctx, name, arguments)
        handed: list[str] = []
        if setup.template.searchable and name in ("ToolSearch", steady.TOOL_CALL):
            handed, arguments = await steady.read_handle(setup, caller, arguments)
        conversation = await open_conversation(setup.template, caller, handed)
        return await steady.call_steady(setup, conversation, ctx, name, arguments)


_INSTRUCTIONS = {"growing": growing.INSTRUCTIONS, "steady": steady.INSTRUCTIONS}
_UNAVAILABLE = -32000
_STORE_IS_AWAY = "The server's store does not answer at the moment. Try again in a few seconds."


def build_server(
    tools: Tools, *, store: Store | None = None, **options: Unpack[ServerOptions]
) -> CharterServer:
    """Return an MCP server over a session, unstarted. A plain list of tools sends every schema.

    The session is a template: each client gets its own copy, with whatever was loaded in it.

    >>> build_server([], name="charter").name
    'charter'

    Raises:
        DeclarationError: an option makes no sense, or two tools would share a name.
    """
    settings = Settings(**cast("dict[str, Any]", options))
    return CharterServer(build_setup(tools, settings, store))


@asynccontextmanager
async def _keep_stream(server: Server[Any]) -> AsyncGenerator[Stream]:
    """Hold what a client over stdio or memory has loaded for as long as it is connected."""
    yield Stream(MemoryStore(idle_seconds=math.inf))


def _read_cursor(cursor: str | None, length: int) -> int:
    if cursor is None:
        return 0
    if (
        not cursor.isascii()
        or not cursor.isdigit()
        or len(cursor) > 9
        or not 0 < int(cursor) < max(length, 1)
    ):
        raise MCPError(code=INVALID_PARAMS, message="Unknown cursor. Use the nextCursor of the page before.")
    return int(cursor)
