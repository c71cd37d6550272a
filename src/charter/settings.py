"""What every tool of one vendor shares, changeable with `Api.configure`, and what one tool may say for itself.

Not here: making tools. `api` does that.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict
from urllib.parse import urlsplit

from charter.auth import Auth
from charter.errors import DeclarationError
from charter.markers import Case, QueryStyle
from charter.plan import BodyEncoding
from charter.record import OnCall
from charter.wire.envelope import Envelope
from charter.wire.pages import Pages
from charter.wire.trim import Handler

__all__ = ["ApiSettings", "ToolOptions", "check_name", "read_base_url"]

DEFAULT_TIMEOUT = 30.0
DEFAULT_MAX_BYTES = 10 * 1024 * 1024

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")


@dataclass(slots=True)
class ApiSettings:
    """Base URL, credentials and conventions of one vendor's API."""

    name: str
    base_url: str
    auth: Auth | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    case: Case | None = None
    body: BodyEncoding = "json"
    query_style: QueryStyle = "repeat"
    envelope: Envelope | None = None
    timeout: float = DEFAULT_TIMEOUT
    max_bytes: int = DEFAULT_MAX_BYTES
    client: Any = field(default=None, repr=False)


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


def check_name(name: str, what: str) -> str:
    """Return the name of a pack or tool if it can be part of a qualified name.

    Raises:
        DeclarationError: it is not lower-case words joined by single underscores.
    """
    if not _NAME.fullmatch(name):
        raise DeclarationError(
            f"{what} {name!r}: is no name. Use lower-case words joined by single underscores."
        )
    return name


def read_base_url(url: str, where: str) -> str:
    """Normalise a base URL to end in one slash.

    >>> read_base_url("https://api.example.com/v1", "calendar")
    'https://api.example.com/v1/'

    Raises:
        DeclarationError: it is not an http(s) URL of host and path alone.
    """
    parts = urlsplit(url)
    plain = not (
        parts.query or parts.fragment or "@" in parts.netloc or "\\" in url or "?" in url or "#" in url
    )
    if parts.scheme not in ("http", "https") or not parts.hostname or not plain:
        raise DeclarationError(
            f"{where}: base_url is not an http(s) URL of host and path alone. Write https://host/path/."
        )
    return url.rstrip("/") + "/"
