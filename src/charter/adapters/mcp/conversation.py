"""Who asks and what they have loaded: from the connection, the session, the principal or a handle.

What a conversation is shown is in `growing.py` and `steady.py`.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import principal_components
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.requests import Request

from charter.adapters.mcp.store import MemoryStore, Progress, Store
from charter.discovery.given import is_mapping
from charter.discovery.session import ToolSession

__all__ = [
    "SESSION_FACTS",
    "Caller",
    "Conversation",
    "Stream",
    "name_principal",
    "open_conversation",
    "read_caller",
]

SESSION_FACTS = "charter.session"
"""Key of an HTTP request's scope under which the facts of its session are found."""
SESSION_HEADER = "mcp-session-id"


@dataclass(frozen=True, slots=True)
class Stream:
    """One connection over stdio or memory: its own store, which lives as long as it does."""

    store: MemoryStore
    owner: str = "stream"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes one request. Without `owner` nothing can be kept for them: handles travel instead."""

    client: str | None
    is_modern: bool
    owner: str | None
    principal: str
    store: Store


def read_caller(ctx: ServerRequestContext[Any, Any], store: Store) -> Caller:
    """Read who asks off a request. A session is of one client; a principal may have several clients."""
    is_modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    found: Any = ctx.request
    request = cast("Request[Any]", found) if isinstance(found, Request) else None
    client = _read_client(ctx, request)
    if request is None:
        stream = ctx.lifespan_context
        if is_modern or not isinstance(stream, Stream):
            return Caller(client, is_modern, None, "", store)
        return Caller(client, is_modern, stream.owner, "", stream.store)
    principal = name_principal(request)
    session = None if is_modern else request.headers.get(SESSION_HEADER)
    owner = f"session:{session}" if session else f"principal:{principal}" if principal else None
    return Caller(client, is_modern, owner, principal, store)


def _read_client(ctx: ServerRequestContext[Any, Any], request: Request[Any] | None) -> str | None:
    known = ctx.session.client_params
    if known is not None:
        return known.client_info.name
    facts = request.scope.get(SESSION_FACTS) if request is not None else None
    return facts.get("client") if is_mapping(facts) else None


def name_principal(request: Request[Any]) -> str:
    """Return a digest of who an authenticated request is from, and "" for any other."""
    user = request.scope.get("user")
    if not isinstance(user, AuthenticatedUser):
        return ""
    who = json.dumps(principal_components(user.access_token))
    return hashlib.sha256(who.encode()).hexdigest()[:32]


@dataclass(slots=True)
class Conversation:
    """A session over the template's tools with what its client has loaded, and where that is kept."""

    session: ToolSession
    caller: Caller
    progress: Progress

    async def save(self) -> list[str]:
        """Keep what was loaded during this request. Return the names."""
        known = set(self.progress.loaded)
        fresh = [name for name in self.session.loaded if name not in known]
        if fresh and self.caller.owner is not None:
            await self.caller.store.add_loaded(self.caller.owner, fresh)
        return fresh

    async def mark_listed(self) -> None:
        """Note that the client has been sent the list as it is now."""
        count = len(self.session.loaded)
        if self.caller.owner is not None and count != self.progress.listed:
            await self.caller.store.mark_listed(self.caller.owner, count)

    def has_listed(self, name: str) -> bool:
        """Tell whether the client has listed a tool since it was loaded."""
        loaded = self.session.loaded
        return name not in loaded or loaded.index(name) < self.progress.listed


async def open_conversation(
    template: ToolSession, caller: Caller, handed: Iterable[str] = ()
) -> Conversation:
    """Return the caller's conversation: what the template had loaded, what they did, and what a handle says."""
    progress = await caller.store.read_progress(caller.owner) if caller.owner is not None else Progress()
    session = template.fork()
    session.load((*template.loaded, *progress.loaded, *handed))
    return Conversation(session, caller, Progress(session.loaded, progress.listed))
