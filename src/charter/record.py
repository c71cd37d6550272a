"""What one call was and cost: handed to `on_call` when it ends, by the tool's, the Api's and the session's.

Not here: secrets, header values and answers.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

__all__ = ["CallRecord", "OnCall", "listeners", "listening"]


@dataclass(slots=True)
class CallRecord:
    """One call. Sizes in bytes, times in seconds.

    `url` is the same for every call of a tool; what a call put into it is in `path` and `query`, so that a log or a
    metric that keeps `url` alone keeps no identifier.
    """

    tool: str
    """Qualified name."""
    outcome: str = "error"
    """`ok`, the `code` of the CharterError raised, `cancelled`, or `error` for any other exception."""
    method: str = ""
    url: str = ""
    """The base URL and the tool's route, with its `{holes}` as declared."""
    path: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """What filled each hole."""
    query_string: str = field(default="", repr=False)
    """As sent, without credentials."""
    request_body: bytes | None = field(default=None, repr=False)
    status: int | None = None
    received_bytes: int = 0
    seconds: float = 0.0
    build_seconds: float = 0.0
    """Of that, spent validating the arguments and building the request."""

    @property
    def query(self) -> list[tuple[str, str]]:
        """The query's names and values, decoded, without credentials."""
        return parse_qsl(self.query_string, keep_blank_values=True)


OnCall = Callable[[CallRecord], None]

_listening: ContextVar[tuple[OnCall, ...]] = ContextVar("charter_listening", default=())


def listeners() -> tuple[OnCall, ...]:
    """Return who is told of the calls of this context, beside each tool's own."""
    return _listening.get()


@contextmanager
def listening(on_call: OnCall | None) -> Generator[None]:
    """Have `on_call` told of every call that is made inside, whoever makes it; None changes nothing."""
    if on_call is None:
        yield
        return
    token = _listening.set((*_listening.get(), on_call))
    try:
        yield
    finally:
        _listening.reset(token)
