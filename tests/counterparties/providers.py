"""Model providers on the loopback API, as strict as the strictest server of each shape.

A test says what the model answers and how the answer ends; each provider writes that its own way, whole or streamed,
and refuses a conversation that it would refuse to take back.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import anthropic
import openai
from google import genai

from charter.adapters import anthropic as anthropic_loop
from charter.adapters import google as google_loop
from charter.adapters import openai as chat_loop
from charter.adapters import openai_responses as responses_loop
from tests.counterparties.loopback import Asked, Loopback, Reply

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Said:
    """What a model answers: text, calls as `(name, JSON text)` or `(name, JSON text, id)`, and how it ends."""

    text: str = ""
    calls: tuple[tuple[Any, ...], ...] = ()
    ending: str = "whole"
    """`whole`, `length`, `window`, `filtered`, `refused`, `error`, `failed`, or `nothing`: it breaks off."""
    thought: str = ""

    def ids(self) -> Iterator[tuple[Any, str, str]]:
        """Yield each call's id, name and arguments; an id that is not said is made."""
        for at, (name, arguments, *key) in enumerate(self.calls):
            yield (key[0] if key else f"call_{at}"), name, arguments


class Provider:
    """One provider's shape. `words` are its own for the endings that it has."""

    name = ""
    words: ClassVar[dict[str, str]] = {}
    whole_errors = True
    """Whether it can say inside a 200 that it failed."""
    run: Any = None

    def __init__(self, loopback: Loopback, *script: Said) -> None:
        self.loopback, self.script = loopback, list(script)
        loopback.answer = self._answer

    def _answer(self, asked: Asked) -> Reply:
        refusal = self.find_refusal(asked.json)
        if refusal:
            return Reply({"error": {"type": "invalid_request_error", "message": refusal, "code": 400}}, 400)
        said = self.script.pop(0)
        if not (asked.json.get("stream") or "stream" in asked.path):
            return Reply(self.write_whole(said))
        lines = b"".join(_write_event(event) for event in self.write_events(said))
        return Reply(lines, 200, {"content-type": "text/event-stream"})

    def client(self) -> Any:
        raise NotImplementedError

    def ask(self) -> list[Any]:
        return [{"role": "user", "content": "Do it."}]

    def write_whole(self, said: Said) -> dict[str, Any]:
        raise NotImplementedError

    def write_events(self, said: Said) -> Iterator[Any]:
        raise NotImplementedError

    def find_refusal(self, body: Any) -> str:
        raise NotImplementedError

    def told(self) -> list[str]:
        """Return what the last request says that calls returned."""
        raise NotImplementedError

    @property
    def last(self) -> Any:
        return self.loopback.asked[-1].json


@asynccontextmanager
async def open_openai(loopback: Loopback) -> Any:
    """Open the real client; it reads no certificates, which would take longer than all the rest."""
    http = openai.DefaultAsyncHttpxClient(verify=False)
    url = f"{loopback.url}v1"
    async with openai.AsyncOpenAI(base_url=url, api_key="x", max_retries=0, http_client=http) as client:
        yield client


def _write_event(event: Any) -> bytes:
    if isinstance(event, str):
        return f"data: {event}\n\n".encode()
    kind = event.get("type")
    named = f"event: {kind}\n" if isinstance(kind, str) else ""
    return f"{named}data: {json.dumps(event)}\n\n".encode()


def _halve(text: str) -> list[str]:
    return [piece for piece in (text[: len(text) // 2], text[len(text) // 2 :]) if piece]


def _find_bad_ids(asked: Sequence[Any], answered: Sequence[Any]) -> str:
    if not all(isinstance(key, str) and key for key in asked) or len(set(asked)) < len(asked):
        return f"call ids {asked!r} are not one each"
    return "" if list(asked) == list(answered) else f"calls {asked!r} are answered by {answered!r}"


def _is_object(text: Any) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (TypeError, ValueError):
        return False


class ChatProvider(Provider):
    """OpenAI Chat Completions."""

    name = "chat"
    words: ClassVar = {
        "whole": "stop",
        "length": "length",
        "filtered": "content_filter",
        "refused": "stop",
        "error": "error",
    }
    run = staticmethod(chat_loop.run)

    @asynccontextmanager
    async def client(self) -> Any:
        async with open_openai(self.loopback) as client:
            yield client

    def _frame(self, choice: dict[str, Any], kind: str) -> dict[str, Any]:
        return {"id": "x", "object": kind, "created": 1, "model": "m", "choices": [{"index": 0, **choice}]}

    def write_whole(self, said: Said) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": said.text or None}
        if said.ending == "refused":
            message |= {"content": None, "refusal": said.text}
        if said.thought:
            message["reasoning_content"] = said.thought
        if said.calls:
            message["tool_calls"] = [
                {"id": key, "type": "function", "function": {"name": name, "arguments": arguments}}
                for key, name, arguments in said.ids()
            ]
        choice: dict[str, Any] = {"message": message, "finish_reason": self._reason(said)}
        if said.ending == "error":
            choice["error"] = {"message": "overloaded"}
        return self._frame(choice, "chat.completion")

    def _reason(self, said: Said) -> str:
        return "tool_calls" if said.calls and said.ending == "whole" else self.words[said.ending]

    def write_events(self, said: Said) -> Iterator[Any]:
        def frame(delta: dict[str, Any], reason: str | None = None) -> Any:
            return self._frame({"delta": delta, "finish_reason": reason}, "chat.completion.chunk")

        yield frame({"role": "assistant", "content": ""})
        for piece in _halve(said.thought):
            yield frame({"reasoning_content": piece})
        field = "refusal" if said.ending == "refused" else "content"
        for piece in _halve(said.text):
            yield frame({field: piece})
        for at, (key, name, arguments) in enumerate(said.ids()):
            function = {"name": name, "arguments": ""}
            yield frame({"tool_calls": [{"index": at, "id": key, "type": "function", "function": function}]})
            for piece in _halve(arguments):
                yield frame({"tool_calls": [{"index": at, "function": {"arguments": piece}}]})
        if said.ending != "nothing":
            yield frame({}, self._reason(said))
        yield "[DONE]"

    def find_refusal(self, body: Any) -> str:
        messages = body["messages"]
        for at, message in enumerate(messages):
            calls = message.get("tool_calls")
            if message["role"] != "assistant":
                continue
            if calls == [] or not (calls or message.get("content") or message.get("refusal")):
                return f"messages[{at}] is an assistant's and says nothing"
            functions = [call["function"] for call in calls or ()]
            if not all(
                NAME.fullmatch(one["name"] or "") and _is_object(one["arguments"]) for one in functions
            ):
                return f"messages[{at}] has calls that are no calls: {functions!r}"
            answers = messages[at + 1 : at + 1 + len(functions)]
            bad = _find_bad_ids(
                [one["id"] for one in calls or ()], [one.get("tool_call_id") for one in answers]
            )
            if bad:
                return bad
        return ""

    def told(self) -> list[str]:
        return [message["content"] for message in self.last["messages"] if message["role"] == "tool"]


class ResponsesProvider(Provider):
    """OpenAI Responses."""

    name = "responses"
    words: ClassVar = {
        "whole": "completed",
        "length": "max_output_tokens",
        "filtered": "content_filter",
        "refused": "completed",
        "error": "error",
        "failed": "failed",
    }

    @asynccontextmanager
    async def client(self) -> Any:
        async with open_openai(self.loopback) as client:
            yield client

    @staticmethod
    async def run(client: Any, **options: Any) -> Any:
        return await responses_loop.run(client, native=False, **options)

    def _write_items(self, said: Said) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        status = "completed" if said.ending in ("whole", "refused") else "incomplete"
        if said.thought:
            items.append(
                {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": said.thought}
            )
        if said.text:
            kind = {"type": "output_text", "text": said.text, "annotations": []}
            if said.ending == "refused":
                kind = {"type": "refusal", "refusal": said.text}
            items.append(
                {"type": "message", "id": "msg_1", "role": "assistant", "status": status, "content": [kind]}
            )
        for at, (key, name, arguments) in enumerate(said.ids()):
            call = {"name": name, "arguments": arguments, "call_id": key, "status": status}
            items.append({"type": "function_call", "id": f"fc_{at}", **call})
        return items

    def write_whole(self, said: Said) -> dict[str, Any]:
        cut = said.ending in ("length", "filtered")
        failed = said.ending in ("error", "failed")
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "model": "m",
            "status": "failed" if failed else "incomplete" if cut else "completed",
            "incomplete_details": {"reason": self.words[said.ending]} if cut else None,
            "error": {"code": "server_error", "message": "overloaded"} if failed else None,
            "output": [] if failed else self._write_items(said),
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }

    def write_events(self, said: Said) -> Iterator[Any]:
        begun = {**self.write_whole(Said()), "status": "in_progress"}
        yield {"type": "response.created", "response": begun}
        for place, item in enumerate(self._write_items(said)):
            at = {"output_index": place, "item_id": item["id"]}
            yield {"type": "response.output_item.added", "item": item, **at}
            if item["type"] == "message":
                kind = "refusal" if said.ending == "refused" else "output_text"
                for piece in _halve(said.text):
                    yield {"type": f"response.{kind}.delta", "content_index": 0, "delta": piece, **at}
            if said.ending != "nothing":
                yield {"type": "response.output_item.done", "item": item, **at}
        if said.ending == "error":
            yield {"type": "error", "code": "server_error", "message": "overloaded", "param": None}
        elif said.ending != "nothing":
            whole = self.write_whole(said)
            # some servers leave the output out at the end, having sent each item
            yield {"type": f"response.{whole['status']}", "response": {**whole, "output": []}}

    def find_refusal(self, body: Any) -> str:
        items = body["input"]
        for before, item in zip(items, [*items[1:], {}], strict=True):
            if before.get("type") == "reasoning" and item.get("type") not in ("message", "function_call"):
                return "a reasoning item was provided without its required following item"
        calls = [item for item in items if item.get("type") == "function_call"]
        if not all(NAME.fullmatch(call["name"]) and _is_object(call["arguments"]) for call in calls):
            return f"calls that are no calls: {calls!r}"
        answers = [item["call_id"] for item in items if item.get("type") == "function_call_output"]
        return _find_bad_ids([call["call_id"] for call in calls], answers)

    def told(self) -> list[str]:
        return [item["output"] for item in self.last["input"] if item.get("type") == "function_call_output"]


class AnthropicProvider(Provider):
    """Anthropic Messages."""

    name = "anthropic"
    words: ClassVar = {
        "whole": "end_turn",
        "length": "max_tokens",
        "window": "model_context_window_exceeded",
        "refused": "refusal",
        "error": "error",
    }
    whole_errors = False

    @asynccontextmanager
    async def client(self) -> Any:
        http = anthropic.DefaultAsyncHttpxClient(verify=False)
        url = self.loopback.url
        async with anthropic.AsyncAnthropic(
            base_url=url, api_key="x", max_retries=0, http_client=http
        ) as client:
            yield client

    @staticmethod
    async def run(client: Any, **options: Any) -> Any:
        return await anthropic_loop.run(client, native=False, **options)

    def write_whole(self, said: Said) -> dict[str, Any]:
        content: list[dict[str, Any]] = []
        if said.thought:
            content.append({"type": "thinking", "thinking": said.thought, "signature": "c2ln"})
        if said.text:
            content.append({"type": "text", "text": said.text})
        for key, name, arguments in said.ids():
            given = json.loads(arguments) if _is_object(arguments) else {}
            content.append({"type": "tool_use", "id": key, "name": name, "input": given})
        reason = "tool_use" if said.calls and said.ending == "whole" else self.words.get(said.ending)
        return {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": content,
            "stop_reason": reason,
            "usage": {"input_tokens": 5, "output_tokens": 2},
        }

    def write_events(self, said: Said) -> Iterator[Any]:
        whole = self.write_whole(said)
        yield {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}}
        texts = iter(arguments for _, _, arguments in said.ids())
        for at, block in enumerate(whole["content"]):
            hidden = {"text": "", "thinking": "", "signature": "", "input": {}}
            empty = {name: hidden.get(name, value) for name, value in block.items()}
            yield {"type": "content_block_start", "index": at, "content_block": empty}
            for kind in ("text", "thinking", "signature"):
                for piece in _halve(block.get(kind, "")) if kind != "signature" else [block.get(kind)]:
                    if piece:
                        yield self._delta(at, {"type": f"{kind}_delta", kind: piece})
            for piece in _halve(next(texts)) if "input" in block else ():
                yield self._delta(at, {"type": "input_json_delta", "partial_json": piece})
            yield {"type": "content_block_stop", "index": at}
        if said.ending == "error":
            yield {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}
        elif said.ending != "nothing":
            told = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
            yield {"type": "message_delta", "delta": told, "usage": {"output_tokens": 2}}
            yield {"type": "message_stop"}

    @staticmethod
    def _delta(at: int, delta: dict[str, Any]) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": at, "delta": delta}

    def find_refusal(self, body: Any) -> str:
        messages = body["messages"]
        for at, message in enumerate(messages):
            blocks = message["content"] if isinstance(message["content"], list) else []
            texts = [block["text"] for block in blocks if block["type"] == "text"]
            if not message["content"] or not all(text.strip() for text in texts):
                return f"messages.{at}: text content blocks must contain non-whitespace text"
            if message["role"] != "assistant":
                continue
            if blocks and blocks[-1]["type"] == "thinking":
                return f"messages.{at}: the final block in an assistant message cannot be `thinking`"
            calls = [block for block in blocks if block["type"] == "tool_use"]
            if not all(isinstance(call["input"], dict) and NAME.fullmatch(call["name"]) for call in calls):
                return f"messages.{at}: {calls!r}"
            after = messages[at + 1]["content"] if calls and at + 1 < len(messages) else []
            answers = [block.get("tool_use_id") for block in after if block["type"] == "tool_result"]
            if bad := _find_bad_ids([call["id"] for call in calls], answers):
                return bad
        return ""

    def told(self) -> list[str]:
        blocks = [block for message in self.last["messages"] for block in message["content"]]
        return [block["content"] for block in blocks if isinstance(block, dict) and "tool_use_id" in block]


class GoogleProvider(Provider):
    """Google Gemini."""

    name = "google"
    words: ClassVar = {"whole": "STOP", "length": "MAX_TOKENS", "filtered": "SAFETY", "error": "error"}
    whole_errors = False
    run = staticmethod(google_loop.run)

    @asynccontextmanager
    async def client(self) -> Any:
        options: Any = {"base_url": self.loopback.url}
        with genai.Client(api_key="x", http_options=options) as client:
            try:
                yield client
            finally:
                await client.aio.aclose()

    def ask(self) -> list[Any]:
        return [{"role": "user", "parts": [{"text": "Do it."}]}]

    def _write_parts(self, said: Said) -> Iterator[dict[str, Any]]:
        if said.thought:
            yield {"text": said.thought, "thought": True}
        for piece in _halve(said.text):
            yield {"text": piece}
        for key, name, arguments in said.ids():
            given = json.loads(arguments) if _is_object(arguments) else {}
            call = {"id": key, "name": name, "args": given}
            yield {"functionCall": {field: value for field, value in call.items() if value is not None}}

    def write_whole(self, said: Said) -> dict[str, Any]:
        return {
            "candidates": [
                {
                    "content": {"role": "model", "parts": list(self._write_parts(said))},
                    "finishReason": self.words[said.ending],
                }
            ]
        }

    def write_events(self, said: Said) -> Iterator[Any]:
        for part in self._write_parts(said):
            yield {"candidates": [{"content": {"role": "model", "parts": [part]}}]}
        if said.ending == "error":
            yield {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}
        elif said.ending != "nothing":
            empty = {"role": "model", "parts": [{"text": ""}]}
            yield {"candidates": [{"content": empty, "finishReason": self.words[said.ending]}]}

    def find_refusal(self, body: Any) -> str:
        contents = body["contents"]
        for at, content in enumerate(contents):
            parts = content.get("parts")
            if not parts or any(part == {"text": ""} for part in parts):
                return f"contents[{at}].parts must not be empty"
            calls = [part["functionCall"] for part in parts if "functionCall" in part]
            if not all(NAME.fullmatch(call.get("name", "")) for call in calls):
                return f"contents[{at}]: a function call has no name"
            after = contents[at + 1]["parts"] if calls and at + 1 < len(contents) else []
            answers = [part["functionResponse"] for part in after if "functionResponse" in part]
            asked = [call["id"] for call in calls if "id" in call]
            if bad := _find_bad_ids(asked, [answer["id"] for answer in answers if "id" in answer]):
                return bad
            if len(answers) != len(calls):
                return f"contents[{at}]: {len(calls)} calls have {len(answers)} responses"
        return ""

    def told(self) -> list[str]:
        parts = [part for content in self.last["contents"] for part in content["parts"]]
        answers = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
        return [answer.get("output", answer.get("error")) for answer in answers]


PROVIDERS: dict[str, type[Provider]] = {
    provider.name: provider
    for provider in (ChatProvider, ResponsesProvider, AnthropicProvider, GoogleProvider)
}
