"""The server over HTTP: who is let in, sessions of the older era, limits, and a sign of health.

What is kept of a session is in `store.py`; the protocol itself is the SDK's.
"""

import ipaddress
import json
import secrets
from collections.abc import AsyncGenerator, Awaitable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

import anyio
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import (
    RequestBodyLimitMiddleware,
    TransportSecurityMiddleware,
    TransportSecuritySettings,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import AnyHttpUrl
from pydantic_core import from_json
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from charter.adapters.mcp.auth import JwtVerifier, TokenRules
from charter.adapters.mcp.conversation import SESSION_FACTS, SESSION_HEADER, name_principal
from charter.adapters.mcp.server import CharterServer
from charter.adapters.mcp.store import StoreUnreachableError
from charter.discovery.given import get, is_mapping
from charter.discovery.qualified import TOOL_SEARCH
from charter.errors import DeclarationError

__all__ = ["HttpSettings", "build_app", "read_address"]

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """Where the server listens and what it lets in.

    Raises:
        DeclarationError: it would listen beyond this machine without authentication.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    path: str = "/mcp"
    auth: TokenRules | None = None
    hosts: tuple[str, ...] = ()
    """Host headers let in beside those of the address and of the public URL; `name:*` is any port."""
    origins: tuple[str, ...] = ()
    """Origins that browsers may send from."""
    max_body: int = 4 * 1024 * 1024
    shutdown_seconds: float = 10.0
    """How long calls under way may go on after the server was told to stop."""

    def __post_init__(self) -> None:
        if self.auth is None and not is_loopback(self.host):
            raise DeclarationError(
                f"http: {self.host} can be reached from other machines. Give auth, or listen on 127.0.0.1."
            )

    def security(self) -> TransportSecuritySettings:
        """Return the Host and Origin headers that are let in."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        own = ("127.0.0.1", "localhost", "[::1]") if is_loopback(self.host) else (name,)
        hosts = [*own, *(f"{one}:*" for one in own), *self.hosts]
        origins = [f"http://{one}{port}" for one in own for port in ("", ":*")]
        if self.auth is not None:
            public = urlsplit(self.auth.address)
            hosts.append(public.netloc)
            origins.append(f"{public.scheme}://{public.netloc}")
        return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[*origins, *self.origins])


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches an address.

    >>> is_loopback("127.0.0.1"), is_loopback("0.0.0.0")
    (True, False)
    """
    try:
        return host.lower() == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_address(text: str) -> tuple[str, int]:
    """Read HOST:PORT, or a port alone.

    >>> read_address("[::1]:8000"), read_address("9000")
    (('::1', 8000), ('127.0.0.1', 9000))

    Raises:
        DeclarationError: it is neither.
    """
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdigit() or int(port) > 65_535:
        raise DeclarationError(f"http: {text!r} is no address. Write HOST:PORT, such as 127.0.0.1:8000.")
    return host.strip("[]") or "127.0.0.1", int(port)


def build_app(server: CharterServer, settings: HttpSettings) -> Starlette:
    """Return the ASGI application. Its lifespan must run, as uvicorn does."""
    limit = settings.max_body
    manager = StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=limit)
    quick = StreamableHTTPSessionManager(
        server, stateless=True, json_response=True, max_request_body_size=limit
    )
    inner: ASGIApp = RequestBodyLimitMiddleware(_Sessions(server, manager, quick).handle, limit)
    middleware: list[Middleware] = []
    routes: list[BaseRoute] = [Route("/healthz", _Health(server), methods=["GET"])]
    if settings.auth is not None:
        # As texts: a URL object adds a slash, and issuers are compared to the letter.
        address, issuer = cast("AnyHttpUrl", settings.auth.address), cast("AnyHttpUrl", settings.auth.issuer)
        backend = BearerAuthBackend(JwtVerifier(settings.auth))
        middleware = [
            Middleware(AuthenticationMiddleware, backend=backend),
            Middleware(AuthContextMiddleware),
        ]
        scopes = list(settings.auth.scopes)
        inner = RequireAuthMiddleware(inner, scopes, build_resource_metadata_url(address))
        routes += create_protected_resource_routes(
            address, [issuer], scopes or None, server.setup.settings.name
        )
    gate = _Gate(inner, settings.security())
    routes += [Route(settings.path, gate), Route(f"{settings.path.rstrip('/')}/", gate)]

    @asynccontextmanager
    async def run(app: Starlette) -> AsyncGenerator[None]:
        async with manager.run(), quick.run(), anyio.create_task_group() as group:
            group.start_soon(_hear_cancellations, server)
            yield
            group.cancel_scope.cancel()
        await server.setup.store.aclose()

    app = Starlette(routes=routes, middleware=middleware, lifespan=run)
    # A redirect would be made out of the Host header before anybody has looked at it.
    app.router.redirect_slashes = False
    return app


async def _hear_cancellations(server: CharterServer) -> None:
    async with aclosing(server.setup.store.announcements()) as heard:
        async for owner, request in heard:
            server.inflight.cancel(owner, request)


class _Health:
    """Says whether requests can be answered. It tells nothing else, so any Host may ask."""

    def __init__(self, server: CharterServer) -> None:
        self._store = server.setup.store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._store.check()
            response = JSONResponse({"status": "ok"})
        except StoreUnreachableError:
            response = JSONResponse({"status": "the store does not answer"}, status_code=503)
        await response(scope, receive, send)


class _Gate:
    """Lets in requests whose Host and Origin are known."""

    def __init__(self, inner: ASGIApp, security: TransportSecuritySettings) -> None:
        self._inner, self._security = inner, TransportSecurityMiddleware(security)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        refused = await self._security.validate_request(request, is_post=request.method == "POST")
        await (self._inner if refused is None else refused)(scope, receive, send)


class _Sessions:
    """Sessions of the handshake era over the SDK's stateless transport, so that any replica serves any of them.

    `quick` answers with one JSON body instead of a stream, which costs less, where there is nothing to stream.
    """

    def __init__(
        self,
        server: CharterServer,
        manager: StreamableHTTPSessionManager,
        quick: StreamableHTTPSessionManager,
    ) -> None:
        self._server, self._store = server, server.setup.store
        self._manager, self._quick = manager, quick

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        version = request.headers.get("mcp-protocol-version")
        if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            await self._manager.handle_request(scope, receive, send)
            return
        try:
            if request.method == "POST":
                await self._post(request, send)
            elif request.method == "DELETE":
                await self._close(request, send)
            else:
                # No stream but those of requests: what there is to tell is told on the one that caused it.
                await Response(status_code=405, headers={"Allow": "POST, DELETE"})(scope, receive, send)
        except StoreUnreachableError:
            await _refuse(503, "The server's store does not answer. Try again.", {"Retry-After": "2"})(
                scope, receive, send
            )

    async def _post(self, request: Request, send: Send) -> None:
        body = await request.body()
        message = _parse(body)
        method = get(message, "method") if is_mapping(message) else None
        receive = _replay(body, request.receive)
        session = request.headers.get(SESSION_HEADER)
        if session is None:
            if method == "initialize":
                await self._open(request, message, receive, send)
            else:
                refused = _refuse(400, "Missing session ID. Send initialize first.")
                await refused(request.scope, receive, send)
            return
        facts = await self._read(request, session)
        if facts is None:
            await _refuse(404, "Session not found. Send initialize again.")(request.scope, receive, send)
            return
        if is_mapping(message) and not isinstance(message.get("id", ""), str | int | float):
            await _refuse(400, "The id is no text and no number. Send another.")(request.scope, receive, send)
            return
        if is_mapping(message) and isinstance(method, str) and "id" not in message:
            if method == "notifications/cancelled":
                await self._cancel(session, message)
            await Response(status_code=202)(request.scope, receive, send)
            return
        request.scope[SESSION_FACTS] = facts
        if _has_events(message):
            await self._manager.handle_request(request.scope, receive, send)
        else:
            await _until_gone(request.receive, self._quick.handle_request(request.scope, receive, send))

    async def _open(self, request: Request, message: Any, receive: Receive, send: Send) -> None:
        client = get(get(get(message, "params"), "clientInfo"), "name")
        facts = {"client": client if isinstance(client, str) else None, "principal": name_principal(request)}
        session = secrets.token_urlsafe(24)
        if not await self._store.open_session(session, facts):
            await _refuse(503, "Too many open sessions. Try again later.")(request.scope, receive, send)
            return
        status = 0

        async def send_with_session(event: Message) -> None:
            nonlocal status
            if event["type"] == "http.response.start":
                status = event["status"]
                if status < 400:
                    event = {
                        **event,
                        "headers": [*event["headers"], (SESSION_HEADER.encode(), session.encode())],
                    }
            await send(event)

        try:
            await self._manager.handle_request(request.scope, receive, send_with_session)
        finally:
            if not 0 < status < 400:
                await self._store.close_session(session)

    async def _read(self, request: Request, session: str) -> dict[str, Any] | None:
        """Return the facts of a session; of somebody else's there are none."""
        facts = await self._store.read_session(session)
        return facts if facts is not None and facts["principal"] == name_principal(request) else None

    async def _close(self, request: Request, send: Send) -> None:
        session = request.headers.get(SESSION_HEADER)
        known = session is not None and await self._read(request, session) is not None
        if session is not None and known:
            await self._store.close_session(session)
            await self._store.forget(f"session:{session}")
        response = Response(status_code=204) if known else _refuse(404, "Session not found.")
        await response(request.scope, request.receive, send)

    async def _cancel(self, session: str, message: Any) -> None:
        owner, number = f"session:{session}", str(get(get(message, "params"), "requestId"))
        if not self._server.inflight.cancel(owner, number):
            await self._store.announce(owner, number)


def _has_events(message: Any) -> bool:
    """Tell whether something may have to be told before the answer: progress, or that the list has changed."""
    params = get(message, "params")
    asked_for_progress = get(get(params, "_meta"), "progressToken") is not None
    return asked_for_progress or get(params, "name") == TOOL_SEARCH


async def _until_gone(receive: Receive, answering: Awaitable[None]) -> None:
    """Answer, and stop when the client is gone: a stream would notice by itself."""

    async def watch(scope: anyio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        scope.cancel()

    async with anyio.create_task_group() as group:
        group.start_soon(watch, group.cancel_scope)
        await answering
        group.cancel_scope.cancel()


def _parse(body: bytes) -> Any:
    try:
        return from_json(body)
    except ValueError:
        return None  # the SDK says what is wrong with it


def _replay(body: bytes, receive: Receive) -> Receive:
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay


def _refuse(status: int, text: str, headers: dict[str, str] | None = None) -> Response:
    error = {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32600 if status < 500 else -32000, "message": text},
    }
    return Response(json.dumps(error), status, headers, media_type="application/json")
