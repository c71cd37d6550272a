"""The real aimock server: a model provider whose answers a test writes, and which keeps what it was sent.

One server answers in every shape: `/v1/chat/completions`, `/v1/responses`, `/v1/messages`
(Anthropic) and `/v1beta/models/<model>:generateContent` (Gemini), streaming or not. The fixture
`aimock` in tests/conftest.py starts it once and empties it for each test.
"""

import base64
import json
import tempfile
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.counterparties.node import find_node, install
from tests.counterparties.process import ServerProcess

_SCRIPT = Path(__file__).with_suffix(".mjs")


@dataclass(frozen=True, slots=True)
class WireRequest:
    """One request as it arrived; `body` is its exact bytes, header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the parsed body."""
        return json.loads(self.body)


def text(content: str) -> dict[str, Any]:
    """Return a reply that is text and ends the turn."""
    return {"content": content}


def calls(
    *asked: tuple[str, Mapping[str, Any] | str] | tuple[str, Mapping[str, Any] | str, str],
) -> dict[str, Any]:
    """Return a reply that calls tools: `(name, arguments)` or `(name, arguments, call_id)` each.

    Arguments given as a string go out as they are, so they may be malformed JSON.
    """
    rendered: list[dict[str, Any]] = []
    for name, arguments, *call_id in asked:
        sent = arguments if isinstance(arguments, str) else json.dumps(arguments)
        rendered.append({"name": name, "arguments": sent, **({"id": call_id[0]} if call_id else {})})
    return {"toolCalls": rendered}


class Aimock:
    """A running aimock.

    aimock.script([calls(("ToolSearch", {"query": "+stripe refund"})), text("Done.")])
    client = openai.AsyncOpenAI(base_url=aimock.openai_url, api_key="x")
    ...
    assert [len(body["tools"]) for body in aimock.bodies()] == [1, 2]
    """

    def __init__(self, process: ServerProcess, folder: tempfile.TemporaryDirectory[str]) -> None:
        self._process = process
        self._folder = folder
        self._wire_log = Path(folder.name) / "requests.jsonl"
        self.url: str = process.ready["url"]

    @property
    def openai_url(self) -> str:
        """The base URL for OpenAI clients, Chat Completions and Responses alike."""
        return f"{self.url}/v1"

    @property
    def anthropic_url(self) -> str:
        """The base URL for Anthropic clients, which add `/v1/messages` themselves."""
        return self.url

    @property
    def gemini_url(self) -> str:
        """The base URL for google-genai (`http_options={"base_url": ...}`), which adds the version."""
        return self.url

    def script(self, replies: Sequence[Mapping[str, Any]]) -> None:
        """Answer the first request with the first reply, the second with the second, and so on.

        A request past the last reply is answered 503. Make replies with `text` and `calls`, or
        write aimock's own form (`blocks`, `error`, `usage`, `finishReason`, `reasoning`).
        """
        self.load(
            [{"match": {"sequenceIndex": at}, "response": dict(reply)} for at, reply in enumerate(replies)]
        )

    def load(self, fixtures: Sequence[Mapping[str, Any]]) -> None:
        """Add fixtures in aimock's own form: `{"match": {...}, "response": {...}}`, first match wins.

        For conversations that interleave: match `userMessage`, `turnIndex` or `toolCallId`.
        """
        self._control("POST", "fixtures", {"fixtures": list(fixtures)})

    def fail_next(self, status: int, message: str = "broken") -> None:
        """Answer the next request with this error status, once."""
        self._control("POST", "error", {"status": status, "body": {"message": message}})

    def requests(self) -> list[WireRequest]:
        """Return every request since the last reset, in order, with the bytes that arrived."""
        lines = self._wire_log.read_text().splitlines() if self._wire_log.exists() else []
        entries = [json.loads(line) for line in lines]
        return [WireRequest(**{**entry, "body": base64.b64decode(entry["body"])}) for entry in entries]

    def bodies(self) -> list[Any]:
        """Return the parsed body of every request, as the client sent it."""
        return [request.json() for request in self.requests()]

    def journal(self) -> list[Any]:
        """Return what aimock understood of every request, as a chat completion body in every shape."""
        return [entry["body"] for entry in self._control("GET", "journal")]

    def reset(self) -> None:
        """Forget fixtures, journal and requests."""
        self._control("POST", "reset")
        self._wire_log.unlink(missing_ok=True)

    def _control(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/__aimock/{path}", data=data, method=method)
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def close(self) -> None:
        """End the server."""
        self._process.close()
        self._folder.cleanup()


def start_aimock() -> Aimock:
    """Install aimock if need be and start it.

    Raises:
        NotInstallable: its package cannot be had.
    """
    folder = tempfile.TemporaryDirectory(prefix="aimock-wire-")
    wire_log = Path(folder.name) / "requests.jsonl"
    command = [str(find_node()), str(_SCRIPT), str(install()), str(wire_log)]
    return Aimock(ServerProcess(command, name="aimock"), folder)
