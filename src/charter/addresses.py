"""Connections to public addresses alone: judged on the address that is connected to, not on the name that led there.

Not here: connecting itself (the backend within), or which calls are so bound (`Api(public_only=True)`).
"""

import asyncio
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import httpcore2

__all__ = ["NotPublicError", "PublicBackend", "is_public"]

_CARRIES_IPV4 = {
    IPv6Network("::ffff:0:0/96"): 0,  # IPv4-mapped
    IPv6Network("64:ff9b::/96"): 0,  # NAT64
    IPv6Network("2002::/16"): 80,  # 6to4
}
"""Networks whose addresses hold an IPv4 address, and the bits that follow it: such a packet ends there."""
_LOCAL_USE = (IPv6Network("64:ff9b:1::/48"), IPv6Network("::/96"), IPv6Network("fec0::/10"))
"""Never public, whatever the version of Python says of them: local NAT64, IPv4-compatible, site-local."""


class NotPublicError(httpcore2.ConnectError):
    """A host has no public address; nothing was sent, nor a connection opened."""

    mend = "Mend base_url or drop public_only"


def is_public(address: str) -> bool:
    """Whether an IP address is one of the internet's: not loopback, private, link-local, shared or reserved.

    >>> [is_public(one) for one in ("93.184.215.14", "127.0.0.1", "169.254.169.254", "::ffff:10.0.0.1")]
    [True, False, False, False]
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return _is_public_v4(parsed) if isinstance(parsed, IPv4Address) else _is_public_v6(parsed)


def _is_public_v4(address: IPv4Address) -> bool:
    return address.is_global and not address.is_multicast and not address.is_reserved


def _is_public_v6(address: IPv6Address) -> bool:
    for network, bits_after in _CARRIES_IPV4.items():
        if address in network:
            return _is_public_v4(IPv4Address(int(address) >> bits_after & 0xFFFFFFFF))
    if any(address in network for network in _LOCAL_USE):
        return False
    return address.is_global and not address.is_multicast


class PublicBackend(httpcore2.AsyncNetworkBackend):
    """Resolves a name once, leaves out what is not public, and connects to an address of the rest, not to the name.

    So the name cannot lead elsewhere between the look and the connection.
    """

    def __init__(self, inner: httpcore2.AsyncNetworkBackend) -> None:
        self._inner = inner

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first public address of a host that accepts.

        Raises:
            NotPublicError: it has none.
            ConnectTimeout: it took longer than `timeout` seconds.
            ConnectError: the host is unknown, or none of its addresses accepts a connection.
        """
        loop = asyncio.get_running_loop()
        ends = None if timeout is None else loop.time() + timeout
        addresses = await _resolve(host, port, timeout)
        problem: Exception = NotPublicError(f"{host} is at no public address, and public_only is set")
        for place, address in enumerate(addresses):
            left = None if ends is None else max(ends - loop.time(), 0.001) / (len(addresses) - place)
            try:
                return await self._inner.connect_tcp(address, port, left, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                problem = error
        raise problem

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Refuse: a socket of this machine is no public address.

        Raises:
            NotPublicError: always.
        """
        raise NotPublicError("a Unix socket is no public address, and public_only is set")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._inner.sleep(seconds)


async def _resolve(host: str, port: int, timeout: float | None) -> list[str]:
    """Return the public addresses of a host, in the order in which the system would try them."""
    try:
        async with asyncio.timeout(timeout):
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except TimeoutError:
        raise httpcore2.ConnectTimeout(f"{host} was not resolved in time") from None
    except (OSError, UnicodeError) as error:
        raise httpcore2.ConnectError(f"{host} is not known: {error}") from None
    return [address for address in dict.fromkeys(str(one[4][0]) for one in found) if is_public(address)]
