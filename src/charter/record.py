"""What one call was and cost: handed to `on_call` when it ends.

Not here: secrets, header values and answers.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["CallRecord", "OnCall"]


@dataclass(slots=True)
class CallRecord:
    """One call. Sizes in bytes, times in seconds."""

    tool: str
    """Qualified name."""
    outcome: str = "error"
    """`ok`, the `code` of the CharterError raised, `cancelled`, or `error` for any other exception."""
    method: str = ""
    url: str = ""
    """As sent, without credentials."""
    request_body: bytes | None = field(default=None, repr=False)
    status: int | None = None
    received_bytes: int = 0
    seconds: float = 0.0
    build_seconds: float = 0.0
    """Of that, spent validating the arguments and building the request."""


OnCall = Callable[[CallRecord], None]
