"""OpenAI Chat Completions on the loopback API, for answers that aimock will not give: arguments that are no JSON."""

import json
from collections.abc import Sequence
from typing import Any

from tests.counterparties.loopback import Asked, Loopback, Reply


def chat_message(content: str | None = None, *asked: tuple[str, str]) -> dict[str, Any]:
    """Return an answer that calls tools: `(name, arguments as they are)`; the server gives them ids."""
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if asked:
        message["tool_calls"] = [
            {"type": "function", "function": {"name": name, "arguments": arguments}}
            for name, arguments in asked
        ]
    return message


class Chat:
    """One conversation: the first request is answered with the first message, and so on."""

    def __init__(self, loopback: Loopback, *script: dict[str, Any]) -> None:
        self._loopback, self._script = loopback, list(script)
        self.url = f"{loopback.url}v1"
        loopback.answer = self._answer

    def bodies(self) -> Sequence[Any]:
        """Return what was sent, parsed."""
        return [json.loads(asked.body) for asked in self._loopback.asked]

    def told(self) -> list[str]:
        """Return what the model was told that calls returned, as the last request has it."""
        return [message["content"] for message in self.bodies()[-1]["messages"] if message["role"] == "tool"]

    def _answer(self, asked: Asked) -> Reply:
        message = dict(self._script.pop(0))
        if "tool_calls" in message:
            turn = len(self._loopback.asked)
            calls = enumerate(message["tool_calls"])
            message["tool_calls"] = [{"id": f"c{turn}-{at}", **call} for at, call in calls]
        reason = "tool_calls" if "tool_calls" in message else "stop"
        return Reply(
            {
                "id": "x",
                "object": "chat.completion",
                "created": 1,
                "model": "m",
                "choices": [{"index": 0, "finish_reason": reason, "message": message}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
        )
