"""Running a server: over stdio, or over HTTP with uvicorn.

What the server is is in `server.py` and `http.py`.
"""

import socket
import sys
from collections.abc import Iterable
from typing import Any, Unpack

import uvicorn

from charter.adapters.mcp.calls import find_missing_variable
from charter.adapters.mcp.config import Config
from charter.adapters.mcp.http import HttpSettings, build_app, read_address
from charter.adapters.mcp.redis_store import RedisStore
from charter.adapters.mcp.server import CharterServer, ServerOptions, build_server
from charter.adapters.mcp.setup import Setup, Tools
from charter.adapters.mcp.stdio import run_stdio
from charter.adapters.mcp.store import MemoryStore, Store
from charter.discovery.catalogue import ToolLike
from charter.discovery.session import ToolSession
from charter.errors import DeclarationError
from charter.schema.cost import json_tokens

__all__ = ["describe_start", "listen", "run_http", "serve", "serve_config"]


KEEP_ALIVE = 75
"""Seconds that an idle connection is kept: longer than clients keep theirs, or a request may meet a closed door."""


def serve(
    tools: Tools,
    *,
    http: HttpSettings | None = None,
    store: Store | None = None,
    **options: Unpack[ServerOptions],
) -> None:
    """Serve a session to MCP clients until they are gone: over stdio, or over HTTP when `http` is given.

    Over stdio nothing but the protocol reaches stdout; whatever else is printed goes to stderr.

    Raises:
        DeclarationError: an option makes no sense, or two tools would share a name.
    """
    server = build_server(tools, store=store, **options)
    if http is None:
        run_stdio(server, lambda: _tell(describe_start(server, "stdio")))
        return
    with listen(http) as listener:
        host, port = listener.getsockname()[:2]
        _tell(describe_start(server, f"http://{f'[{host}]' if ':' in host else host}:{port}{http.path}"))
        run_http(server, http, listener)


def _tell(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def serve_config(session: ToolSession, config: Config) -> None:
    """Serve a session as a `charter.toml` says.

    Raises:
        DeclarationError: the configuration makes no sense.
    """
    table, http = config.http, None
    store: Store | None = None
    if table is not None:
        limits: dict[str, Any] = {"max_sessions": table.max_sessions, "idle_seconds": table.idle_seconds}
        store = RedisStore(table.store, **limits) if table.store else MemoryStore(**limits)
        host, port = read_address(table.address)
        http = HttpSettings(
            host,
            port,
            auth=table.rules(),
            hosts=tuple(table.hosts),
            origins=tuple(table.origins),
            max_body=table.max_body,
            shutdown_seconds=table.shutdown_seconds,
        )
    serve(
        session,
        http=http,
        store=store,
        name=config.name,
        mode=config.mode,
        separator=config.separator,
        max_result_tokens=config.max_result_tokens,
        page_size=config.page_size,
        progress_seconds=config.progress_seconds,
    )


def listen(settings: HttpSettings) -> socket.socket:
    """Return a socket that takes connections; with port 0 it has one that is free.

    Raises:
        DeclarationError: the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except OSError as error:
        raise DeclarationError(
            f"http: cannot listen on {settings.host}:{settings.port} ({error.strerror}). Choose another address."
        ) from None


def run_http(server: CharterServer, settings: HttpSettings, listener: socket.socket) -> None:
    """Serve over HTTP until the process is told to stop; calls under way get some seconds to end."""
    config = uvicorn.Config(
        build_app(server, settings),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=max(1, round(settings.shutdown_seconds)),
    )
    uvicorn.Server(config).run(sockets=[listener])


def describe_start(server: CharterServer, where: str) -> str:
    """Return one line on what is served: packs, tools, mode and what the first list costs.

    A pack without credentials is in it with the variable that has to be set.
    """
    setup = server.setup
    mode = server.choose_mode(None, is_modern=False)
    tokens = json_tokens([tool.model_dump(by_alias=True, exclude_none=True) for tool in server.first_list()])
    forced = "" if setup.settings.mode or mode == "all" else " or steady, by client"
    packs = ", ".join(_describe_packs(setup)) or "none"
    return (
        f"{setup.settings.name}: {packs}; {len(setup.template.tools)} tools; mode {mode}{forced};"
        f" first list {tokens} tokens; on {where}"
    )


def _describe_packs(setup: Setup) -> Iterable[str]:
    packs: dict[str, ToolLike] = {}
    for tool in setup.template.tools.values():
        packs.setdefault(tool.pack, tool)
    for pack, tool in packs.items():
        missing = find_missing_variable(getattr(tool, "api", None))
        yield f"{pack} (no credentials: set {missing})" if missing else pack
