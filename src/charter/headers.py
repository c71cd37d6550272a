"""Headers of a request: which can be sent at all, and which no model may set.

Not here: their values in one call. `wire.request` merges those.
"""

from typing import Any

from charter.secret import is_secret_name

__all__ = ["header_problem", "is_closed_to_models", "static_header_problem"]

_FRAMING = frozenset(
    "connection content-length keep-alive te trailer transfer-encoding upgrade http2-settings".split()
)
"""What the HTTP client writes itself, for the body at hand."""
_CLOSED = _FRAMING | frozenset(
    # what the body is, and what comes back
    "accept-encoding content-encoding content-type expect set-cookie "
    # where the request goes
    "alt-used forwarded host max-forwards path-info via x-host x-http-host-override x-http-method "
    "x-http-method-override x-method-override x-proxyuser-ip x-url-scheme "
    # where it comes from
    "client-ip fastly-client-ip from origin referer referrer remote-addr true-client-ip x-client-ip "
    "x-cluster-client-ip x-real-ip x-remote-addr x-remote-ip x-requested-with "
    # who asks
    "auth authorization cookie cookie2 remote-user x-act-as x-forwarded x-on-behalf-of x-remote-user x-ssl-cert "
    "x-user x-user-id x-username".split()
)
_CLOSED_BEGINNINGS = (
    "access-control- cf- impersonate- proxy- sec- x-appengine- x-auth- x-authenticated- x-azure- x-client-cert "
    "x-envoy- x-forwarded- x-goog-iap- x-impersonate x-ms-client-principal x-original- x-proxy- x-rewrite- "
    "x-ssl-client- x-waf-"
).split()

_LONGEST = 16_384
"""Characters of one header; few servers take as many of all together."""


def header_problem(name: Any, value: Any) -> str | None:
    """Say why a header cannot be sent, or return None. A value of None removes it.

    >>> header_problem("X-Team", "é")
    'header X-Team takes printable ASCII only, no line break'
    """
    if (
        not isinstance(name, str)
        or not name.isascii()
        or not name.replace("-", "").replace("_", "").isalnum()
    ):
        return f"{name!r} is no header name"
    if value is None:
        return None
    if not (isinstance(value, str) and value.isascii() and value.isprintable()):
        return f"header {name} takes printable ASCII only, no line break"
    if value != value.strip():
        return f"header {name} takes no space at its beginning or end"
    if len(value) > _LONGEST:
        return f"header {name} takes at most {_LONGEST:,} characters"
    return None


def static_header_problem(name: Any, value: Any) -> str | None:
    """Say why a header cannot be sent with every call, or return None.

    >>> static_header_problem("Content-Length", "0")
    'header Content-Length is written anew for each request'
    """
    if isinstance(name, str) and name.lower() in _FRAMING and value is not None:
        return f"header {name} is written anew for each request"
    return header_problem(name, value)


def is_closed_to_models(name: str) -> bool:
    """Whether a header says where a request goes, where it is from or who asks, which no model may.

    >>> [name for name in ("If-Match", "X-Original-URL", "X-Real-IP", "X-Auth-Token") if is_closed_to_models(name)]
    ['X-Original-URL', 'X-Real-IP', 'X-Auth-Token']
    """
    lower = name.lower().replace("_", "-")
    return lower in _CLOSED or lower.startswith(tuple(_CLOSED_BEGINNINGS)) or is_secret_name(name)
