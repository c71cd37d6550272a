"""Base URLs: an http(s) URL of a host and a path that nothing between here and the API reads in two ways.

Not here: routes and what fills them (`route`, `wire.path`).
"""

import re
import unicodedata
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from charter.errors import DeclarationError
from charter.normalizing import LONGEST_WHOLE, normalize_short

__all__ = ["read_base_url"]

_FIX = "Write https://host/path/"
_DOTS = "\u3002\uff0e\uff61"
"""Characters that are read as the dot between the parts of a host."""
_ENCODED = re.compile(r"%(?:2[ef]|5c|00)|%(?![0-9a-f]{2})", re.IGNORECASE)
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+", re.IGNORECASE)
_LABEL_LENGTH = 63


def read_base_url(url: Any, where: str) -> str:
    """Normalise a base URL to end in one slash.

    >>> read_base_url("https://api.example.com/v1", "calendar")
    'https://api.example.com/v1/'

    Raises:
        DeclarationError: it is not an http(s) URL of host and path alone, or one that can be read in two ways.
    """
    if not isinstance(url, str):
        raise DeclarationError(f"{where}: base_url is {type(url).__name__}, no text. {_FIX}.")
    if problem := _find_problem(url):
        raise DeclarationError(f"{where}: base_url {problem}.")
    return url.rstrip("/") + "/"


def _find_problem(url: str) -> str | None:
    """Say what is wrong, and the fix; a URL that may hold a password is not shown."""
    if "{" in url or "}" in url:
        return (
            f"{url!r} has a hole. Fill it in, and make one Api for each host"
            if "@" not in url
            else _unclear()
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # brackets that are no IPv6 address, a port that is no number
        return _unclear()
    is_plain = url.isprintable() and not any(character in url for character in " \\?#")
    if (
        not is_plain
        or "@" in parts.netloc
        or parts.scheme not in ("http", "https")
        or not parts.hostname
        or port == 0
    ):
        return _unclear()
    return _find_host_problem(parts) or _find_path_problem(parts.path)


def _unclear() -> str:
    return f"is not an http(s) URL of host and path alone. {_FIX}"


def _find_host_problem(parts: SplitResult) -> str | None:
    """Say why a host is not one host to everyone who reads it: written otherwise, or an address in odd digits."""
    host = parts.hostname or ""
    if not _is_plain(parts.netloc) or any(dot in host for dot in _DOTS):
        return f"has the host {host!r}, which is read as another. Write it in plain letters and dots"
    if ":" in host:
        return None if _is_address(IPv6Address, host) else f"has {host!r}, no IPv6 address. Write it in full"
    labels = host.removesuffix(".").split(".")
    if _NUMBER.fullmatch(labels[-1]):
        odd = f"has {host!r}, which is read as an address. Write four numbers, as in 127.0.0.1"
        return None if _is_address(IPv4Address, host) else odd
    if not all(map(_is_label, labels)):
        return f"has {host!r}, which is no host. {_FIX}"
    return None


def _is_plain(netloc: str) -> bool:
    return len(netloc) <= LONGEST_WHOLE and normalize_short(netloc) == netloc


def _is_label(label: str) -> bool:
    """Whether a part of a host is letters, digits and hyphens; signs that look like a slash or a dot are none."""
    is_word = all(character in "-_" or unicodedata.category(character)[0] in "LMN" for character in label)
    return is_word and 0 < len(label) <= _LABEL_LENGTH and label.strip("-") == label


def _is_address(kind: type[IPv4Address | IPv6Address], host: str) -> bool:
    try:
        return "%" not in host and bool(str(kind(host)))
    except AddressValueError:
        return False


def _find_path_problem(path: str) -> str | None:
    if found := _ENCODED.search(path):
        return f"has {found[0]!r} in its path. Write the path without it"
    if any(unquote(segment) in (".", "..") for segment in path.split("/")):
        return f"has a step in its path, {path!r}. Write where it leads"
    return None
