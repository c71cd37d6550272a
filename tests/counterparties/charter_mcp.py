"""`charter serve` in a child process, as clients of MCP meet it, over a pack file of the test's choice.

What is asked of it is in tests/e2e/test_mcp_*.py.
"""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue

CHARTER = str(Path(sys.executable).with_name("charter"))
STRIPE_PACK = """
import os
from charter.packs.stripe import TOOLS

TOOLS[0].api.configure(base_url=os.environ["STRIPE_BASE_URL"])
"""


def write_stripe_pack(folder: Path) -> Path:
    """Write a pack file with the Stripe tools, whose calls go where STRIPE_BASE_URL says."""
    path = folder / "stripe_here.py"
    path.write_text(STRIPE_PACK)
    return path


class HttpServer:
    """One `charter serve --http` on a free port. Its stderr is kept line by line."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(env or {})},
        )
        self.lines: list[str] = []
        self._queue: Queue[str | None] = Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.first_line = self._wait_for_line()
        found = re.search(r"http://\S+", self.first_line)
        assert found, "\n".join(self.lines)
        self.url = found[0]

    def _read(self) -> None:
        assert self._child.stderr is not None
        for line in self._child.stderr:
            self.lines.append(line.rstrip())
            self._queue.put(line)
        self._queue.put(None)

    def _wait_for_line(self) -> str:
        while True:
            try:
                line = self._queue.get(timeout=60)
            except Empty:
                line = None
            if line is None:
                self.kill()
                raise RuntimeError("charter serve did not start:\n" + "\n".join(self.lines))
            if "http://" in line:
                return line.strip()

    @property
    def is_running(self) -> bool:
        return self._child.poll() is None

    @property
    def pid(self) -> int:
        return self._child.pid

    def stop(self) -> int:
        """Ask it to end, wait, and return its exit code."""
        self._child.terminate()
        code = self._child.wait(timeout=30)
        self._finish()
        return code

    def kill(self) -> None:
        """End it without asking."""
        self._child.kill()
        self._child.wait(timeout=30)
        self._finish()

    def _finish(self) -> None:
        self._reader.join(timeout=10)
        for pipe in (self._child.stdout, self._child.stderr):
            if pipe is not None:
                pipe.close()


@contextmanager
def run_charter(arguments: Sequence[str], env: Mapping[str, str] | None = None) -> Iterator[HttpServer]:
    """Start `charter serve --http` with these arguments and end it with the block."""
    with run_server([CHARTER, "serve", "--http", "127.0.0.1:0", *arguments], env) as server:
        yield server


@contextmanager
def run_server(command: Sequence[str], env: Mapping[str, str] | None = None) -> Iterator[HttpServer]:
    """Start a program that serves over HTTP and end it with the block."""
    server = HttpServer(command, env)
    try:
        yield server
    finally:
        if server.is_running:
            server.stop()
