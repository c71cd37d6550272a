"""What a tool and its Api always send, parted into what may be seen and what is secret.

Not here: sending it. `call` puts the secret part beside the credentials.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from charter.auth import Credentials
from charter.secret import Secret, hide_secrets
from charter.settings import ToolOptions
from charter.wire.request import Statics

__all__ = ["hide_static_secrets", "split_secrets"]


def hide_static_secrets(options: ToolOptions) -> ToolOptions:
    """Return a copy of a tool's options in which no static header or parameter shows its secret."""
    hidden = options.copy()
    for name in ("static_headers", "static_query", "static_body"):
        if given := options.get(name):
            hidden[name] = hide_secrets(cast("Mapping[str, Any]", given))
    return hidden


def split_secrets(
    query: Mapping[str, Any], headers: tuple[Mapping[str, Any], ...], body: Mapping[str, Any]
) -> tuple[Statics, Credentials]:
    """Part statics into what requests are built from and what is added when they are sent; later headers win.

    The body is built as a whole, so its secrets stay in it, hidden, and are only listed.

    >>> seen, secret = split_secrets({"v": "2", "key": Secret("k3y")}, ({"X-Team": "a", "X-Key": Secret("b")},), {})
    >>> seen, secret
    (Statics(query={'v': '2'}, headers={'X-Team': 'a'}), Credentials(X-Key, key))
    """
    seen: dict[str, Any] = {}
    secret: dict[str, tuple[str, tuple[str, Secret]]] = {}
    for name, value in (pair for source in headers for pair in source.items()):
        secret.pop(name.lower(), None)
        if isinstance(value, Secret):
            secret[name.lower()] = (name, ("", value))
        else:
            seen[name] = value
    parts = {name: value for name, value in query.items() if isinstance(value, Secret)}
    plain = {name: value for name, value in query.items() if name not in parts}
    return Statics(plain, seen, body), Credentials(dict(secret.values()), parts, tuple(_find_secrets(body)))


def _find_secrets(value: Any) -> Iterator[Secret]:
    if isinstance(value, Secret):
        yield value
    elif isinstance(value, Mapping):
        for inner in cast("Mapping[str, Any]", value).values():
            yield from _find_secrets(inner)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from _find_secrets(inner)
