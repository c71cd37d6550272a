"""A string that no repr, log, pickle or traceback shows.

Not here: where secrets come from. `credentials` reads them.
"""

import re
from collections.abc import Mapping
from typing import Any

__all__ = ["REDACTED", "HiddenHeaders", "Secret", "redact"]

REDACTED = "[redacted]"

_SHORTEST = 6
"""Characters below which a value is too common to be looked for in an answer."""
_SENDABLE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")


class Secret:
    """A secret value. Only `reveal()` gives it out; a pickled copy has lost it.

    >>> Secret("sk_test_1234567890")
    Secret(sk_t…)
    """

    __slots__ = ("_value",)

    def __init__(self, value: str | None) -> None:
        self._value = value.strip() if value else None

    def __repr__(self) -> str:
        shown = self._value[:4] + "…" if self._value and len(self._value) >= 12 else "…"
        return f"Secret({shown})"

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> tuple[Any, ...]:
        return Secret, (None,)

    def __copy__(self) -> "Secret":
        return self

    def __deepcopy__(self, memo: Any) -> "Secret":
        return self

    def reveal(self) -> str:
        """Return the value; call it only where it goes on the wire."""
        return self._value or ""

    def is_sendable(self) -> bool:
        """Whether a header can carry the value: printable ASCII."""
        return bool(_SENDABLE.fullmatch(self._value or ""))


class HiddenHeaders(dict[str, str | None]):
    """A host's own headers for one call: a crash report that prints locals shows their names only.

    >>> HiddenHeaders({"X-Token": "t0ken"})
    HiddenHeaders(X-Token)
    """

    def __init__(self, headers: Mapping[str, str | None] | None) -> None:
        super().__init__(headers or {})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self)})"


def redact(content: bytes, secrets: tuple[Secret, ...]) -> bytes:
    """Replace every secret in `content`.

    >>> redact(b"bad key sk_1234567", (Secret("sk_1234567"),))
    b'bad key [redacted]'
    """
    for secret in secrets:
        value = secret.reveal().encode()
        if len(value) >= _SHORTEST and value in content:
            content = content.replace(value, REDACTED.encode())
    return content
