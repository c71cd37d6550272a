"""A real redis-server on a free port, from the system's packages, keeping nothing on disk.

The binary is Debian's `redis-server`; without it `find_redis` says so.
"""

import contextlib
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator

from tests.counterparties.node import NotInstallable


def find_redis() -> str:
    """Return the binary.

    Raises:
        NotInstallable: there is none.
    """
    found = shutil.which("redis-server")
    if found is None:
        raise NotInstallable("redis-server: not found. Run apt-get install redis-server.")
    return found


class RedisServer:
    """One server that can be ended and started again on its port."""

    def __init__(self) -> None:
        self._binary = find_redis()
        self._folder = tempfile.TemporaryDirectory(prefix="charter-redis-")
        with socket.create_server(("127.0.0.1", 0)) as held:
            self.port = held.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        """Start it and wait until it takes connections."""
        self._child = subprocess.Popen(
            [
                self._binary,
                "--port",
                str(self.port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self._folder.name,
        )
        assert self._child.stdout is not None
        for line in self._child.stdout:
            if "Ready to accept connections" in line:
                return
        raise RuntimeError(f"redis-server: did not start on {self.port}. Look at its log.")

    def stop(self) -> None:
        """End it at once, as a power cut would."""
        self._child.kill()
        self._child.wait(timeout=30)
        assert self._child.stdout is not None
        self._child.stdout.close()

    def close(self) -> None:
        """End it for good."""
        if self._child.poll() is None:
            self.stop()
        self._folder.cleanup()


@contextlib.contextmanager
def run_redis() -> Iterator[RedisServer]:
    """Start a server and end it with the block."""
    server = RedisServer()
    try:
        yield server
    finally:
        server.close()
