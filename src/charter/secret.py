"""A string that no repr, log, pickle or traceback shows, and which names say that a value is one.

Not here: where credentials come from (`auth.credentials`), and taking them out of answers (`auth.redaction`).
"""

import re
from collections.abc import Mapping
from typing import Any, cast

__all__ = ["REDACTED", "HiddenHeaders", "Secret", "hide_secrets", "is_secret_name", "reveal_secrets"]

REDACTED = "[redacted]"

_SENDABLE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SECRET_WORDS = frozenset(
    "apikey apitoken accesstoken auth authentication authorization authtoken bearer cookie credential credentials "
    "jwt key passphrase passwd password pwd secret session sessionid sid sig signature token".split()
)
_OPEN_KEYS = frozenset(
    "cache foreign group idempotency natural order partition primary public publishable range row search sort "
    "unique".split()
)
"""What a key that opens nothing is called."""
_OPEN_TOKENS = frozenset("continuation cursor next page pagination start sync".split())
_SECRET_END = re.compile(r"(?:apikey|passw(?:or)?d|secret|token)\Z")


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


def is_secret_name(name: str) -> bool:
    """Whether a header or parameter of this name holds a secret: its last word says so.

    >>> [name for name in ("X-Api-Key", "client_secret", "sort_key", "pageToken", "tokenType") if is_secret_name(name)]
    ['X-Api-Key', 'client_secret']
    """
    words = [word.lower() for word in _WORD.findall(name)]
    if words[-1:] == ["id"]:
        words.pop()
        return words[-1:] == ["session"]
    if not words or not (words[-1] in _SECRET_WORDS or _SECRET_END.search(words[-1])):
        return False
    before = words[-2] if len(words) > 1 else ""
    return not (
        (words[-1] == "key" and before in _OPEN_KEYS) or (words[-1] == "token" and before in _OPEN_TOKENS)
    )


def hide_secrets(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy with a `Secret` for each text whose name says that it is one, in objects and lists at any depth.

    >>> hide_secrets({"grant": {"client_id": "c1", "client_secret": "s3cret"}})
    {'grant': {'client_id': 'c1', 'client_secret': Secret(…)}}
    """
    return {name: _hide(name, value) for name, value in values.items()}


def reveal_secrets(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy with the value of each `Secret`, in objects and lists at any depth: what goes on the wire."""
    return {name: _reveal(value) for name, value in values.items()}


def _hide(name: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        return hide_secrets(cast("Mapping[str, Any]", value))
    if isinstance(value, list):
        return [_hide(name, item) for item in cast("list[Any]", value)]
    return Secret(value) if isinstance(value, str) and is_secret_name(name) else value


def _reveal(value: Any) -> Any:
    if isinstance(value, Mapping):
        return reveal_secrets(cast("Mapping[str, Any]", value))
    if isinstance(value, list):
        return [_reveal(item) for item in cast("list[Any]", value)]
    return value.reveal() if isinstance(value, Secret) else value
