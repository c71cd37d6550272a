"""What every tool of one vendor shares, changeable with `Api.configure`, and what one tool may say for itself.

Not here: making tools. `api` does that.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypedDict
from urllib.parse import urlsplit

from pydantic import BaseModel

from charter.auth import Auth
from charter.errors import DeclarationError
from charter.failures import Failures
from charter.markers import Case, QueryStyle
from charter.plan import BodyEncoding
from charter.record import OnCall
from charter.wire.envelope import Envelope
from charter.wire.pages import Pages
from charter.wire.request import header_problem
from charter.wire.trim import Handler

__all__ = ["ApiSettings", "ToolOptions", "check_headers", "check_name", "check_options", "read_base_url"]

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
DEFAULT_TIMEOUT = 30.0
DEFAULT_MAX_BYTES = 10 * 1024 * 1024


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
    failures: Failures = field(default_factory=Failures)
    timeout: float = DEFAULT_TIMEOUT
    max_bytes: int = DEFAULT_MAX_BYTES
    graphql: str = "graphql"
    static_query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    static_body: Mapping[str, Any] = field(default_factory=dict[str, Any])
    on_call: OnCall | None = None
    client: Any = field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """A client belongs to one process; a pickled copy has none."""
        return {one.name: getattr(self, one.name) for one in fields(self)} | {"client": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)


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
    """The Api's unless given; `Envelope(error=())` turns that off."""
    timeout: float | None
    """Seconds for the whole call, the Api's unless given."""
    static_query: Mapping[str, Any]
    static_headers: Mapping[str, str | None]
    static_body: Mapping[str, Any]
    document: str | None
    """The GraphQL document whose variables the fields are; `Api.query` and `Api.mutation` give it."""
    case: Case | None
    body: BodyEncoding | None
    mode: str | None
    also: tuple[str, ...]
    """Other routes of the tool: the one whose holes are given is taken."""
    on_call: OnCall | None


def check_name(name: str, what: str, *, hyphens: bool = False) -> str:
    """Return the name of a pack or tool if it can be part of a qualified name.

    Raises:
        DeclarationError: it is not lower-case words joined by single underscores, or hyphens where those may be.
    """
    joints = "_-" if hyphens else "_"
    if not re.fullmatch(rf"[a-z][a-z0-9]*(?:[{joints}][a-z0-9]+)*", name):
        joined = "single underscores or hyphens" if hyphens else "single underscores"
        raise DeclarationError(f"{what} {name!r}: is no name. Use lower-case words joined by {joined}.")
    return name


def check_options(args: Any, method: str, options: ToolOptions) -> None:
    """Check what a tool says for itself, as far as it can be judged without reading its args class.

    Raises:
        DeclarationError: an option cannot work.
        TypeError: there is no such option.
    """
    for unknown in options.keys() - ToolOptions.__annotations__.keys():
        raise TypeError(f"Tool() got an unexpected keyword argument {unknown!r}")
    if not (isinstance(args, type) and issubclass(args, BaseModel)):
        raise DeclarationError(f"{args!r}: is no args class. Declare a Pydantic BaseModel.")
    if method not in METHODS:
        raise DeclarationError(f"{args.__name__}: no method {method!r}. Use one of {', '.join(METHODS)}.")
    timeout = options.get("timeout")
    if timeout is not None and not timeout > 0:
        raise DeclarationError(f"{args.__name__}: timeout is {timeout}. Give seconds above zero.")
    if options.get("mode") == "":
        raise DeclarationError(f"{args.__name__}: a mode needs a label. Give one, such as 'pro'.")
    for option in ("scopes", "also"):
        if isinstance(options.get(option), str):
            raise DeclarationError(f"{args.__name__}: {option} is one text. Write a tuple of texts.")
    check_headers(options.get("static_headers") or {}, args.__name__)


def check_headers(headers: Mapping[str, str | None], where: str) -> None:
    """Check headers that are sent with every call.

    Raises:
        DeclarationError: one of them cannot be sent.
    """
    for name, value in headers.items():
        if problem := header_problem(name, value):
            raise DeclarationError(f"{where}: {problem}. Mend the header or remove it.")


def read_base_url(url: str, where: str) -> str:
    """Normalise a base URL to end in one slash.

    >>> read_base_url("https://api.example.com/v1", "calendar")
    'https://api.example.com/v1/'

    Raises:
        DeclarationError: it is not an http(s) URL of host and path alone.
    """
    if not _is_plain_url(url):
        raise DeclarationError(
            f"{where}: base_url is not an http(s) URL of host and path alone. Write https://host/path/."
        )
    return url.rstrip("/") + "/"


def _is_plain_url(url: str) -> bool:
    if not url.isprintable() or any(character in url for character in " \\?#"):
        return False
    try:
        parts = urlsplit(url)
        return (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0
            and "@" not in parts.netloc
        )
    except ValueError:  # brackets that are no IPv6 address, a port that is no number
        return False
