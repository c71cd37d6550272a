"""Over stdio: nothing but the protocol on stdout, whatever comes in, for ten thousand calls, in flat memory."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

SERVER = Path(__file__).with_name("echo_server.py")
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": "start",
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}


class Child:
    """A server and its pipes; every line that it writes on stdout has to be JSON-RPC."""

    def __init__(self, command: Sequence[str], **env: str) -> None:
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **env},
        )
        self.errors: list[bytes] = []
        self._reader = threading.Thread(target=self._read_errors, daemon=True)
        self._reader.start()

    def _read_errors(self) -> None:
        assert self._child.stderr is not None
        self.errors.extend(self._child.stderr)

    def write(self, *messages: Any) -> None:
        assert self._child.stdin is not None
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self._child.stdin.write(line + b"\n")
        self._child.stdin.flush()

    def read(self) -> Any:
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        assert line, b"".join(self.errors).decode()
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return message

    def ask(self, method: str, params: Any = None, number: Any = 1) -> Any:
        self.write({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}})
        while True:
            message = self.read()
            if message.get("id") == number:
                return message

    def start(self) -> None:
        self.write(INITIALIZE)
        assert self.read()["result"]["protocolVersion"] == "2025-11-25"
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def resident_memory(self) -> float:
        """Return megabytes."""
        for line in Path(f"/proc/{self._child.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise AssertionError

    def end(self) -> int:
        """Close its input, read what it still writes, and return its exit code."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.close()
        for line in self._child.stdout:
            assert json.loads(line)["jsonrpc"] == "2.0"
        code = self._child.wait(timeout=30)
        self._reader.join(timeout=10)
        self._child.stdout.close()
        assert self._child.stderr is not None
        self._child.stderr.close()
        return code


@pytest.fixture
def server() -> Iterator[Child]:
    child = Child([sys.executable, str(SERVER)])
    yield child
    if child._child.poll() is None:
        child.end()


def test_the_first_line_on_stderr_says_what_is_served(server: Child) -> None:
    server.start()
    assert server.end() == 0
    line = b"".join(server.errors).decode().splitlines()[0]
    assert line.startswith(
        "charter: plain, stripe (no credentials: set STRIPE_API_KEY); 71 tools; mode growing"
    )
    assert "first list" in line
    assert line.endswith("on stdio")


def test_what_tools_print_never_reaches_stdout(server: Child) -> None:
    server.start()
    for at in range(3):
        call = {"name": "plain__echo", "arguments": {"noisy": True, "at": at}}
        assert server.ask("tools/call", call, at)["result"]["structuredContent"]["at"] == at
    assert server.end() == 0
    said = b"".join(server.errors)
    assert said.count(b"no protocol") == said.count(b"nor is this") == said.count(b"nor this") == 3


@pytest.fixture(scope="module")
def lasting() -> Iterator[Child]:
    child = Child([sys.executable, str(SERVER)])
    child.start()
    yield child
    assert child.end() == 0


BROKEN, NOT_ONE, NO_SUCH, WRONG = -32700, -32600, -32601, -32602


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"{broken", BROKEN),
        (b"", None),
        (b"null", NOT_ONE),
        (b"[]", NOT_ONE),
        (b'"text"', NOT_ONE),
        (b"\xff\xfe\x00", BROKEN),
        (b"[" * 100_000, BROKEN),
        (b'{"jsonrpc":"2.0","id":9,"method":5}', NOT_ONE),
        (b'{"jsonrpc":"2.0","id":9,"result":{}}', None),
        (b'{"jsonrpc":"2.0","method":"no/such"}', None),
        (b'{"jsonrpc":"2.0","id":9,"method":"no/such"}', NO_SUCH),
        (
            b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"plain__echo","arguments":[1]}}',
            WRONG,
        ),
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"cursor":"x"}}', WRONG),
        (b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":123}}', None),
    ],
    ids=lambda value: value[:30].decode("ascii", "replace") if isinstance(value, bytes) else str(value),
)
def test_no_frame_ends_the_session_and_each_mistake_is_told(
    lasting: Child, frame: bytes, code: int | None
) -> None:
    lasting.write(frame)
    if code is not None:
        assert lasting.read()["error"]["code"] == code
    call = {"name": "plain__echo", "arguments": {"text": "hi"}}
    assert lasting.ask("tools/call", call, "after")["result"]["structuredContent"] == {"text": "hi"}


def test_a_query_of_five_megabytes_is_answered(lasting: Child) -> None:
    call = {"name": "ToolSearch", "arguments": {"query": "x" * 5_000_000}}
    assert lasting.ask("tools/call", call)["result"]["structuredContent"]["loaded"] == []


def test_a_second_handshake_does_no_harm(lasting: Child) -> None:
    assert lasting.ask("initialize", INITIALIZE["params"])["result"]
    assert lasting.ask("tools/list")["result"]["tools"][0]["name"] == "plain__echo"


def test_a_client_that_goes_away_ends_the_server(server: Child) -> None:
    server.start()
    server.write({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert server.end() == 0


def test_ten_thousand_calls_are_answered_in_flat_memory(server: Child) -> None:
    server.start()
    calls, at_once = 10_000, 50
    sizes: list[float] = []
    for start in range(0, calls, at_once):
        numbers = set(range(start, start + at_once))
        server.write(
            *(
                {
                    "jsonrpc": "2.0",
                    "id": number,
                    "method": "tools/call",
                    "params": {"name": "plain__echo", "arguments": {"number": number}},
                }
                for number in numbers
            )
        )
        while numbers:
            answer = server.read()
            assert answer["result"]["structuredContent"] == {"number": answer["id"]}
            numbers.remove(answer["id"])
        if start % 1000 == 0:
            sizes.append(server.resident_memory())
    assert server.end() == 0
    print(f"resident memory, MB: {[round(size) for size in sizes]}")
    assert max(sizes[5:]) - sizes[2] < 5
