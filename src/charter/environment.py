"""What the environment says of connections: the certificates that are trusted, and the proxies.

Not here: the connections (`network`, `pool`).
"""

import ipaddress
import os
import ssl
import urllib.request
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec

import httpx2

__all__ = ["UnusableSettingError", "read_exempt", "read_proxies", "read_trust"]


class UnusableSettingError(Exception):
    """A setting of the environment with which no client can be opened: what is wrong, and the fix."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem)
        self.problem, self.fix = problem, fix


@cache
def read_trust() -> ssl.SSLContext:
    """Read the trusted certificates, once. It takes time, so a thread does it.

    Raises:
        UnusableSettingError: the environment names certificates that cannot be read.
    """
    try:
        return httpx2.create_ssl_context()
    except OSError as error:
        problem = str(error)
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE"):
        if path := os.environ.get(name):
            raise UnusableSettingError(
                f"the certificates of {name}={path!r} cannot be read: {problem}", f"Mend or unset {name}"
            )
    raise UnusableSettingError(
        f"the trusted certificates cannot be read: {problem}", "Set SSL_CERT_FILE to a file of them"
    )


def read_proxies() -> Iterator[tuple[str, httpx2.Proxy]]:
    """Yield `http`, `https` and `all` with their proxies, as far as there are such.

    Raises:
        UnusableSettingError: a proxy variable names what is no proxy.
    """
    found = urllib.request.getproxies()  # the system's settings too, where there are such
    if "*" in _split(found.get("no", "")):
        return
    for scheme in ("http", "https", "all"):
        if text := found.get(scheme):
            yield scheme, _read_proxy(scheme, text if "://" in text else f"http://{text}")


def _read_proxy(scheme: str, text: str) -> httpx2.Proxy:
    """Read a proxy's URL, which may hold a password: none of it is told."""
    try:
        proxy = httpx2.Proxy(text)
        problem = "" if proxy.url.host else "names no host"
        if proxy.url.scheme.startswith("socks") and not find_spec("socksio"):
            problem = "is a SOCKS proxy, which needs the package socksio"
    except (ValueError, httpx2.InvalidURL):
        problem = "is no http, https or socks5 URL"
    else:
        if not problem:
            return proxy
    name = f"{scheme}_proxy"
    name = name if os.environ.get(name) else name.upper()
    raise UnusableSettingError(f"the proxy of {name} {problem}", f"Mend or unset {name}")


def _split(text: str) -> list[str]:
    return [entry.strip() for entry in text.split(",") if entry.strip()]


def read_exempt() -> Iterator[str]:
    """Yield what no proxy is for as patterns of httpx2; an entry that cannot be read is ignored, as by curl."""
    for entry in _split(urllib.request.getproxies().get("no", "")):
        pattern = _write_pattern(entry)
        try:
            httpx2.URL(pattern)
        except httpx2.InvalidURL:
            continue
        if pattern:
            yield pattern


def _write_pattern(entry: str) -> str:
    if "://" in entry:
        return entry
    try:
        network = ipaddress.ip_network(entry.replace("[", "").replace("]", ""), strict=False)
    except ValueError:
        if "/" in entry:
            return ""
        exact = entry.lower() == "localhost" or entry.startswith(("*.", "["))
        return f"all://{entry}" if exact else f"all://*{entry}"
    address = str(network.network_address)
    host = f"[{address}]" if network.version == 6 else address
    return f"all://{host}/{network.prefixlen}" if "/" in entry else f"all://{host}"
