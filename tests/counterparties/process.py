"""One server in a child process: started, waited for until it says where it listens, ended.

Which server and what it is asked is not here: see localstripe.py, aimock.py and emulate.py.
"""

import json
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import Empty, Queue
from types import TracebackType
from typing import Any, Self


class ServerProcess:
    """A child that prints one JSON line when it is ready and takes one command a line on its input.

    It binds port 0 itself and says which port it got, so no two tests can race for one. It ends
    with its input, so it cannot outlive the tests even when they are killed. What it wrote on
    stderr is kept and shown when it fails.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str,
        env: Mapping[str, str] | None = None,
        timeout: float = 60.0,
    ) -> None:
        self.name = name
        self.timeout = timeout
        self.folder = tempfile.TemporaryDirectory(prefix=f"charter-{name}-")
        self._stderr_path = Path(self.folder.name) / "stderr"
        self._lines: Queue[str | None] = Queue()
        with self._stderr_path.open("wb") as stderr:
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                bufsize=1,
                env=env,
                cwd=self.folder.name,
            )
        self._reader = threading.Thread(target=self._read_lines, daemon=True)
        self._reader.start()
        self.ready: dict[str, Any] = self._next_answer()

    def _read_lines(self) -> None:
        assert self._child.stdout is not None
        for line in self._child.stdout:
            if line.startswith("{"):
                self._lines.put(line)
        self._lines.put(None)

    def _next_answer(self) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=self.timeout)
        except Empty:
            line = None
        if line is None:
            said = self.stderr()
            self.close()
            raise RuntimeError(f"{self.name}: no answer within {self.timeout} s. Read what it said:\n{said}")
        return json.loads(line)

    def ask(self, command: str) -> dict[str, Any]:
        """Send one command line and return the JSON line that answers it."""
        assert self._child.stdin is not None
        self._child.stdin.write(command + "\n")
        self._child.stdin.flush()
        return self._next_answer()

    def stderr(self) -> str:
        """Return the last 4,000 characters that the server wrote on stderr."""
        return self._stderr_path.read_text(errors="replace")[-4000:]

    def close(self) -> None:
        """End the child and remove its folder; safe to call twice."""
        if self._child.poll() is None:
            self._child.terminate()
            try:
                self._child.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()
        self._reader.join(timeout=10)
        self.folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
