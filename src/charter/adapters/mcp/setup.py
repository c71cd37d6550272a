"""What a server is built from, read once and shared by all of its clients.

What is kept of each client is in `store.py`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version

from mcp_types import Tool as McpTool

from charter.adapters.mcp.definitions import describe_tool
from charter.adapters.mcp.modes import Mode, read_mode
from charter.adapters.mcp.published import PublishedNames
from charter.adapters.mcp.store import MemoryStore, Store
from charter.discovery.catalogue import ToolLike
from charter.discovery.qualified import SEPARATOR
from charter.discovery.session import ToolSession, as_session
from charter.errors import DeclarationError

__all__ = ["Settings", "Setup", "Tools", "build_setup"]

Tools = ToolSession | Iterable[ToolLike]
_SERVER = re.compile(r"[A-Za-z0-9_-]{1,24}")


def _read_version() -> str:
    try:
        return version("charter")
    except PackageNotFoundError:
        return "0"


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server behaves. Every field has a default that suits most."""

    name: str = "charter"
    """What hosts put before each tool's name, as in `mcp__charter__`."""
    version: str = field(default_factory=_read_version)
    mode: Mode | None = None
    """One mode for every client that can have it; None lets the client's protocol and name decide."""
    separator: str = SEPARATOR
    """Between pack and tool in the names that clients see; `_` for hosts that reject `__`."""
    max_result_tokens: int = 20_000
    page_size: int = 500
    """Tools in one page of a list. Some clients read the first page only."""
    progress_seconds: float = 5.0
    """Between two signs of life of a long call, for clients that asked for them."""


@dataclass(frozen=True)
class Setup:
    """The tools, their names and the settings."""

    template: ToolSession
    """What every client's session is a copy of."""
    settings: Settings
    names: PublishedNames
    store: Store
    _described: dict[str, McpTool] = field(default_factory=dict[str, McpTool], repr=False)

    @cached_property
    def whole(self) -> ToolSession:
        """The same tools as a session that sends every schema; one that cannot be built is left out."""
        catalogue = self.template.catalogue
        tools = [tool for name, tool in catalogue.tools.items() if catalogue.prepare(name)]
        return ToolSession(tools, progressive=False)

    @cached_property
    def resident(self) -> tuple[str, ...]:
        """Names of what every client is sent from the start, ToolSearch not among them."""
        fresh = self.template.fork().visible()
        return tuple(name for name in fresh if name in self.template.tools)

    def describe(self, name: str) -> McpTool:
        """Return one tool as it is listed; built once."""
        known = self._described.get(name)
        if known is None:
            catalogue = self.template.catalogue
            known = self._described[name] = describe_tool(
                catalogue.define(name), catalogue.tools[name], self.names, resident=name in self.resident
            )
        return known


def build_setup(tools: Tools, settings: Settings, store: Store | None = None) -> Setup:
    """Check the settings and read the names.

    Raises:
        DeclarationError: a setting makes no sense, or two tools would share a name.
    """
    if not _SERVER.fullmatch(settings.name):
        raise DeclarationError(
            f"mcp server: name {settings.name!r} is not 1 to 24 letters, digits, '_' or '-'. Give such a name."
        )
    for option in ("max_result_tokens", "page_size", "progress_seconds"):
        if getattr(settings, option) <= 0:
            raise DeclarationError(
                f"mcp server: {option}={getattr(settings, option)!r} is not above zero. Give more."
            )
    read_mode(settings.mode)
    template = as_session(tools)
    names = PublishedNames(template.tools, server=settings.name, separator=settings.separator)
    return Setup(template, settings, names, store or MemoryStore())
