"""OpenAI Responses with the tool search that a client runs, which aimock does not speak, on the loopback API.

It answers the items of a script, streaming or not, and refuses what the provider refuses: a search
or a call without its output, and a call of a function that no list and no search has shown.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tests.counterparties.loopback import Asked, Loopback, Reply


class Responses:
    """One conversation: the first request is answered with the first list of items, and so on."""

    def __init__(self, loopback: Loopback, script: Sequence[Sequence[dict[str, Any]]]) -> None:
        self._loopback, self._script = loopback, list(script)
        self.url = f"{loopback.url}v1"
        loopback.answer = self._answer

    @staticmethod
    def reasoning(key: str) -> dict[str, Any]:
        return {"type": "reasoning", "id": key, "summary": [], "encrypted_content": "c2VjcmV0"}

    @staticmethod
    def search(arguments: Any, call_id: str = "search") -> dict[str, Any]:
        return {
            "type": "tool_search_call",
            "id": f"tsc_{call_id}",
            "call_id": call_id,
            "execution": "client",
            "arguments": arguments,
            "status": "completed",
        }

    @staticmethod
    def call(
        name: str, arguments: Any, call_id: str = "call", namespace: str | None = None
    ) -> dict[str, Any]:
        sent = arguments if isinstance(arguments, str) else json.dumps(arguments)
        item = {"type": "function_call", "id": f"fc_{call_id}", "call_id": call_id, "name": name}
        more = {} if namespace is None else {"namespace": namespace}
        return {**item, "arguments": sent, "status": "completed", **more}

    @staticmethod
    def text(said: str) -> dict[str, Any]:
        part = {"type": "output_text", "text": said, "annotations": []}
        return {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        }

    def bodies(self) -> list[str]:
        """Return the text of every request."""
        return [asked.body.decode() for asked in self._loopback.asked]

    def _answer(self, asked: Asked) -> Reply:
        refusal = find_refusal(asked.json)
        if refusal:
            return Reply({"error": {"message": refusal, "type": "invalid_request_error"}}, 400)
        whole = {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "model": asked.json["model"],
            "status": "completed",
            "output": list(self._script.pop(0)),
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": {"input_tokens": 5, "output_tokens": 2, "total_tokens": 7},
        }
        if not asked.json.get("stream"):
            return Reply(whole)
        events = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _stream(whole))
        return Reply(events.encode(), 200, {"content-type": "text/event-stream"})


def _stream(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}}
    for place, item in enumerate(whole["output"]):
        at = {"output_index": place, "item_id": item["id"]}
        yield {"type": "response.output_item.added", "item": item, **at}
        for part in item.get("content", ()):
            for word in part["text"].partition(" "):
                yield {"type": "response.output_text.delta", "content_index": 0, "delta": word, **at}
        yield {"type": "response.output_item.done", "item": item, **at}
    yield {"type": "response.completed", "response": whole}


def find_refusal(body: dict[str, Any]) -> str:
    """Return what the provider would refuse the request for, or nothing."""
    items = [item for item in body["input"] if isinstance(item, dict)]
    outputs = [item for item in items if str(item.get("type")).endswith("_output")]
    shown = {
        (scope.get("name"), tool["name"])
        for output in outputs
        for scope in output.get("tools", ())
        for tool in scope.get("tools", ())
    }
    shown |= {(None, tool["name"]) for tool in body.get("tools", ()) if tool["type"] == "function"}
    answered = [(output["type"], output["call_id"]) for output in outputs]
    for item in items:
        kind = item.get("type")
        if kind in ("function_call", "tool_search_call"):
            wanted = (f"{kind.removesuffix('_call')}_output", item["call_id"])
            wanted = ("function_call_output", item["call_id"]) if kind == "function_call" else wanted
            if wanted not in answered:
                return f"No tool output found for {kind} {item['call_id']}."
            answered.remove(wanted)
        if kind == "function_call" and (item.get("namespace"), item["name"]) not in shown:
            return f"Missing namespace for function_call '{item['name']}'."
    return ""
