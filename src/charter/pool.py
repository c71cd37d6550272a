"""Opening a client of our own: its pools over `network`, and through which proxy each goes.

Not here: which event loop has which client (`clients`). Importing this module is slow, so a thread does it.
"""

import ssl
from collections.abc import AsyncIterator
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, cast

import anyio
import httpcore2
import httpx2

from charter.addresses import PublicBackend
from charter.environment import read_exempt, read_proxies
from charter.network import Backend

__all__ = ["import_backend", "open_client"]

_CONNECTIONS = 100
_IDLE = 4.0
"""Seconds that a connection is kept unused; many servers close theirs after five, perhaps as a request comes."""


class _PoolTransport(httpx2.AsyncBaseTransport):
    """A pool as httpx2 takes one."""

    def __init__(
        self, trust: ssl.SSLContext, backend: httpcore2.AsyncNetworkBackend, proxy: httpx2.Proxy | None = None
    ) -> None:
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=trust,
            proxy=_write_proxy(proxy) if proxy else None,
            max_connections=_CONNECTIONS,
            max_keepalive_connections=_CONNECTIONS,
            keepalive_expiry=_IDLE,
            network_backend=backend,
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        asked = httpcore2.Request(
            method=request.method,
            url=_read_url(request.url),
            headers=request.headers.raw,
            content=cast("httpx2.AsyncByteStream", request.stream),
            extensions=request.extensions,
        )
        response = await self._pool.handle_async_request(asked)
        return httpx2.Response(
            response.status,
            headers=response.headers,
            stream=_Body(response.stream),
            extensions=cast("Any", response).extensions,
        )

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Body(httpx2.AsyncByteStream):
    """An answer's body as httpx2 takes one."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._stream.__aiter__()

    async def aclose(self) -> None:
        await self._stream.aclose()


def _read_url(url: httpx2.URL) -> httpcore2.URL:
    return httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)


def _write_proxy(proxy: httpx2.Proxy) -> httpcore2.Proxy:
    return httpcore2.Proxy(url=_read_url(proxy.url), auth=proxy.raw_auth, headers=proxy.headers.raw)


def import_backend() -> None:
    """Import what the first call would: httpcore2 locks with anyio, which imports its side of asyncio when asked."""
    anyio.run(anyio.sleep, 0)


def open_client(trust: ssl.SSLContext, *, public_only: bool = False) -> httpx2.AsyncClient:
    """Open a client that keeps no cookie, follows no redirect and goes through the environment's proxies.

    With `public_only` it connects to public addresses alone, and asks no proxy, which would resolve names.

    Raises:
        UnusableSettingError: a proxy variable names what is no proxy.
    """
    backend = PublicBackend(Backend()) if public_only else Backend()
    proxies = () if public_only else read_proxies()
    mounts: dict[str, httpx2.AsyncBaseTransport | None] = {
        f"{scheme}://": _PoolTransport(trust, backend, proxy) for scheme, proxy in proxies
    }
    if mounts:
        mounts |= dict.fromkeys(read_exempt(), None)
    return httpx2.AsyncClient(
        transport=_PoolTransport(trust, backend),
        mounts=mounts,
        trust_env=False,
        timeout=None,
        follow_redirects=False,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    )
