"""A server that answers one request with any bytes at all, written on a raw socket.

What it is told to answer is in faults.py.
"""

import socket
import ssl
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

CHUNK = 65_536


class Connection:
    """One accepted connection, after its request has been read."""

    def __init__(self, sock: socket.socket, request: bytes, ending: threading.Event) -> None:
        self.request = request
        self.sent = 0
        self._sock = sock
        self._ending = ending

    def send(self, data: bytes) -> None:
        """Write all of it, or raise OSError when the peer has gone."""
        for at in range(0, len(data), CHUNK):
            self._sock.sendall(data[at : at + CHUNK])
            self.sent += len(data[at : at + CHUNK])

    def pause(self, seconds: float) -> None:
        """Let time pass, less when the server is being closed."""
        self._ending.wait(seconds)

    def stall(self) -> None:
        """Say nothing more until the peer goes or the server is closed."""
        self._sock.settimeout(0.05)
        while not self._ending.is_set():
            try:
                if not self._sock.recv(1):
                    return
            except TimeoutError:
                continue

    def reset(self) -> None:
        """Abort the connection: the peer gets RST, not an orderly end."""
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._sock.close()

    def read_again(self) -> bytes:
        """Read one more request from the same connection; empty when the peer has gone."""
        return read_request(self._sock)


Answer = Callable[[Connection], None]


def read_request(sock: socket.socket) -> bytes:
    """Read one request: its head, and as much body as Content-Length says."""
    data = b""
    while b"\r\n\r\n" not in data:
        received = sock.recv(CHUNK)
        if not received:
            return data
        data += received
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
    while len(body) < length:
        received = sock.recv(CHUNK)
        if not received:
            break
        body += received
    return head + b"\r\n\r\n" + body


class FaultServer:
    """Answers every connection by `answer`, in threads, until it is closed.

    `requests` holds what arrived, `connections` how many were opened, and `sent` how many bytes
    of the last answer the peer took.
    """

    def __init__(self, answer: Answer, tls: ssl.SSLContext | None = None) -> None:
        self.answer = answer
        self.requests: list[bytes] = []
        self.connections = 0
        self.sent = 0
        self.arrived = threading.Event()
        self._ended = threading.Semaphore(0)
        self._tls = tls
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listener.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        self._accepting = threading.Thread(target=self._accept)
        self._accepting.start()

    def _accept(self) -> None:
        while not self._ending.is_set():
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            if self._ending.is_set():
                sock.close()
                return
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(sock,))
            self._threads.append(thread)
            self._sockets.append(sock)
            thread.start()

    def _serve(self, sock: socket.socket) -> None:
        with suppress(OSError):
            sock.settimeout(30)
            if self._tls:
                sock = self._tls.wrap_socket(sock, server_side=True)
            request = read_request(sock)
            if request:
                self.requests.append(request)
                self.arrived.set()
                connection = Connection(sock, request, self._ending)
                try:
                    self.answer(connection)
                finally:
                    self.sent = connection.sent
        with suppress(OSError):
            sock.shutdown(socket.SHUT_WR)
        self._ended.release()
        with suppress(OSError):
            sock.settimeout(0.1)
            while sock.recv(CHUNK):
                pass
        sock.close()

    def wait_until_ended(self) -> None:
        """Wait until one more connection has been answered to its end, so that the peer can see it."""
        assert self._ended.acquire(timeout=30)

    def close(self) -> None:
        """Stop listening and end every connection."""
        self._ending.set()
        # A blocked accept() does not notice that its socket was closed, so it is given one last peer.
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        self._listener.close()
        self._accepting.join(timeout=10)
        for sock in self._sockets:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(timeout=10)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
