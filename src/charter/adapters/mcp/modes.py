"""Which mode a client gets: by protocol version, then by a dated table of client names, then growing.

What each mode does is in `growing.py` and `steady.py`.
"""

from dataclasses import dataclass
from typing import Literal

from charter.errors import DeclarationError

__all__ = ["CLIENTS", "MODES", "TABLE_DATE", "ClientFacts", "Mode", "choose_mode", "read_mode"]

Mode = Literal["growing", "steady", "all"]
MODES: tuple[Mode, ...] = ("growing", "steady", "all")

TABLE_DATE = "2026-11-30"
"""When the table below was last gone through."""


@dataclass(frozen=True, slots=True)
class ClientFacts:
    """What is known of one client. `names` are how it calls itself in `clientInfo.name`, in lower case."""

    title: str
    names: tuple[str, ...]
    mode: Mode
    why: str


CLIENTS: tuple[ClientFacts, ...] = (
    ClientFacts(
        "Visual Studio Code",
        ("visual studio code", "visual studio code - insiders", "vscode"),
        "growing",
        "lists again when told",
    ),
    ClientFacts("Windsurf", ("windsurf-client", "windsurf"), "growing", "lists again when told"),
    ClientFacts("Cline", ("cline",), "growing", "lists again when told"),
    ClientFacts("goose", ("goose", "goose-cli", "goose-desktop"), "growing", "lists again when told"),
    ClientFacts(
        "GitHub Copilot CLI",
        ("github-copilot-developer", "copilot-cli", "github-copilot-cli"),
        "growing",
        "lists again when told",
    ),
    ClientFacts("Warp", ("warp",), "growing", "lists again when told"),
    ClientFacts("opencode", ("opencode",), "growing", "lists again when told"),
    ClientFacts("pydantic-ai", ("pydantic-ai", "pydantic_ai"), "growing", "lists again when told"),
    ClientFacts("Strands", ("strands", "strands-agents"), "growing", "lists again when told"),
    ClientFacts("Codex", ("codex-mcp-client", "codex"), "steady", "lists once, at the start"),
    ClientFacts("Claude Desktop", ("claude-ai", "claude-desktop"), "steady", "lists once, at the start"),
    ClientFacts(
        "Claude Code",
        ("claude-code",),
        "steady",
        "without a terminal it takes a new list up late; one name for both",
    ),
    ClientFacts(
        "Google ADK",
        ("google-adk", "google_adk", "adk"),
        "steady",
        "takes a new list up only with the next turn of the user",
    ),
)

_MODES: dict[str, Mode] = {name: facts.mode for facts in CLIENTS for name in facts.names}


def choose_mode(client: str | None, *, is_modern: bool, forced: Mode | None = None) -> Mode:
    """Return the mode of one client.

    From protocol 2026-07-28 on (`is_modern`) a list may not change as a side effect, so those are steady.

    >>> choose_mode("codex-mcp-client", is_modern=False)
    'steady'
    >>> choose_mode("one that nobody knows", is_modern=False)
    'growing'
    """
    if forced == "all" or (forced is not None and not is_modern):
        return forced
    if is_modern:
        return "steady"
    return _MODES.get((client or "").strip().lower(), "growing")


def read_mode(mode: str | None) -> Mode | None:
    """Return `mode` when it is one, or None.

    Raises:
        DeclarationError: it is not.
    """
    if mode is None:
        return None
    for known in MODES:
        if known == mode:
            return known
    raise DeclarationError(f"mcp server: mode {mode!r} is unknown. Use one of {', '.join(MODES)}.")
