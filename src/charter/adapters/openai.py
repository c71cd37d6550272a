"""OpenAI Chat Completions: a session's tools in that shape, and the loop that runs them.

The openai package is not needed: any client with `chat.completions.create` will do.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal, overload

from charter.discovery.catalogue import ToolLike
from charter.discovery.conversation import (
    Event,
    Limits,
    Reply,
    RunResult,
    TextDelta,
    ToolCalled,
    ToolReturned,
    add_usage,
    converse,
    read_stream,
)
from charter.discovery.given import get, is_list, is_mapping
from charter.discovery.session import ToolSession, as_session
from charter.discovery.turn import Answer, Call
from charter.errors import CharterError

__all__ = ["Event", "RunResult", "TextDelta", "ToolCalled", "ToolReturned", "run", "to_openai_tools"]

Tools = ToolSession | Iterable[ToolLike]


def to_openai_tools(session: Tools) -> list[dict[str, Any]]:
    """Return what to send as `tools` this turn. Each `parameters` is shared: only read it.

    A plain list of tools sends every schema.

    Raises:
        DeclarationError: the tools cannot be sent together, or OpenAI would refuse a schema.
    """
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
        }
        for tool in as_session(session).definitions("openai")
    ]


@overload
async def run(
    client: Any,
    *,
    model: str,
    messages: Iterable[Any],
    session: Tools,
    max_turns: int = 20,
    max_result_tokens: int | None = None,
    stream: Literal[False] = False,
    **kwargs: Any,
) -> RunResult: ...
@overload
async def run(
    client: Any,
    *,
    model: str,
    messages: Iterable[Any],
    session: Tools,
    max_turns: int = 20,
    max_result_tokens: int | None = None,
    stream: Literal[True],
    **kwargs: Any,
) -> AsyncIterator[Event]: ...
async def run(
    client: Any,
    *,
    model: str,
    messages: Iterable[Any],
    session: Tools,
    max_turns: int = 20,
    max_result_tokens: int | None = None,
    stream: bool = False,
    **kwargs: Any,
) -> RunResult | AsyncIterator[Event]:
    """Ask the model and run the tools it calls, until it answers or `max_turns` is reached.

    The list of tools is made anew for each turn, so a tool that was found is there on the next.
    `messages` is not modified. A `CharterError` becomes that tool's result; whatever else a tool or
    the client raises comes out as it is, and calls that run beside it are cancelled. The calls of the
    last turn allowed are still run, so that `messages` can be sent again.

    Args:
        client: anything with `await client.chat.completions.create(model=, messages=, tools=)`.
        model: passed on.
        messages: the conversation so far.
        session: a session, or a plain list of tools, which sends every schema.
        max_turns: how often the model is asked at most.
        max_result_tokens: a longer result is cut, with a note that says how to read on.
        stream: return an async iterator of `TextDelta`, `ToolCalled` and `ToolReturned`, and the
            `RunResult` last.
        **kwargs: passed on to the client.

    Raises:
        DeclarationError: `max_turns` or `max_result_tokens` is not 1 or more.
    """
    limits = Limits(max_turns, max_result_tokens)
    held = as_session(session)
    return await converse(_Chat(client, model, list(messages), held, kwargs), held, limits, stream=stream)


@dataclass(slots=True)
class _Chat:
    """The messages of one run, and what it takes to make the next one."""

    client: Any
    model: str
    messages: list[Any]
    session: ToolSession
    options: Mapping[str, Any]
    usage: dict[str, Any] = field(default_factory=dict[str, Any])

    async def ask(self, *, stream: bool) -> AsyncGenerator[TextDelta | Reply]:
        """Yield the pieces of one answer's text, and the answer last."""
        async with aclosing(self._ask_in_pieces() if stream else self._ask()) as pieces:
            async for piece in pieces:
                if isinstance(piece, TextDelta):
                    yield piece
                else:
                    self.messages.append(piece)
                    yield Reply(_read_content(piece), _read_calls(piece))

    def tell(self, calls: Sequence[Call], answers: Sequence[Answer]) -> None:
        """Add one message for each call."""
        for call, answer in zip(calls, answers, strict=True):
            self.messages.append({"role": "tool", "tool_call_id": call.id, "content": answer.text})

    async def _create(self, **more: Any) -> Any:
        tools = to_openai_tools(self.session)
        offered = {"tools": tools} if tools else {}
        create = self.client.chat.completions.create
        return await create(model=self.model, messages=list(self.messages), **offered, **self.options, **more)

    async def _ask(self) -> AsyncGenerator[TextDelta | dict[str, Any]]:
        completion = await self._create()
        add_usage(self.usage, get(completion, "usage"))
        choices = get(completion, "choices")
        if not choices:
            raise CharterError(
                f"run: the model {self.model!r} answered without choices. Check what serves it."
            )
        yield _read_message(get(choices[0], "message"))

    async def _ask_in_pieces(self) -> AsyncGenerator[TextDelta | dict[str, Any]]:
        wanted: dict[str, Any] = {"stream": True}
        if "stream_options" not in self.options:
            wanted["stream_options"] = {"include_usage": True}
        answer = _Answer()
        async with aclosing(read_stream(await self._create(**wanted))) as chunks:
            async for chunk in chunks:
                add_usage(self.usage, get(chunk, "usage"))
                for choice in (get(chunk, "choices") or ())[:1]:
                    if text := answer.add(get(choice, "delta")):
                        yield TextDelta(text)
        yield answer.message()


class _Answer:
    """An answer put together from the pieces of a stream."""

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {}
        self._calls: dict[Any, dict[str, Any]] = {}
        self._last: Any = None

    def add(self, delta: Any) -> str:
        """Take in one piece and return the text of the answer in it."""
        for name in ("content", "refusal", "reasoning_content"):
            if text := get(delta, name):
                self._texts.setdefault(name, []).append(_join_text(text))
        for piece in get(delta, "tool_calls") or ():
            self._add_call(piece)
        return _join_text(get(delta, "content"))

    def _add_call(self, piece: Any) -> None:
        identity, function = get(piece, "id"), get(piece, "function")
        # Some gateways number every call 0, or not at all: a new id under a known number is a new call.
        key = get(piece, "index")
        if key is None:
            key = identity or self._last
        elif identity and key in self._calls and self._calls[key]["id"] not in (None, identity):
            key = identity
        elif not identity and self._last in self._calls and get(self._calls[self._last], "index") == key:
            key = self._last
        self._last = key
        call = self._calls.setdefault(
            key, {"id": None, "index": get(piece, "index"), "name": "", "arguments": ""}
        )
        call["id"] = call["id"] or identity
        call["name"] += get(function, "name") or ""
        call["arguments"] += get(function, "arguments") or ""

    def message(self) -> dict[str, Any]:
        """Return the answer as a message."""
        message: dict[str, Any] = {"role": "assistant", "content": None}
        message.update((name, "".join(texts)) for name, texts in self._texts.items())
        if self._calls:
            message["tool_calls"] = [
                {
                    "id": call["id"],
                    "type": "function",
                    "function": {"name": call["name"], "arguments": call["arguments"]},
                }
                for call in self._calls.values()
            ]
        return message


def _read_message(message: Any) -> dict[str, Any]:
    """Return an answer as a message to send again, with whatever a provider added to it."""
    if is_mapping(message):
        held = dict(message)
    elif hasattr(message, "model_dump"):
        held = message.model_dump(mode="json", exclude_unset=True)
    else:
        content = get(message, "content")
        held = {
            "content": [_render_part(part) for part in content] if is_list(content) else content,
            "refusal": get(message, "refusal"),
            "tool_calls": [_render_call(call) for call in get(message, "tool_calls") or ()],
        }
    kept = {
        name: value for name, value in held.items() if value is not None and (value or name != "tool_calls")
    }
    return {"role": "assistant", "content": None, **kept}


def _render_part(part: Any) -> dict[str, Any]:
    named = {name: get(part, name) for name in ("type", "text", "refusal")}
    return {name: value for name, value in named.items() if value is not None}


def _render_call(call: Any) -> dict[str, Any]:
    function = get(call, "function")
    rendered = {"name": get(function, "name"), "arguments": get(function, "arguments")}
    return {"id": get(call, "id"), "type": "function", "function": rendered}


def _read_content(message: Mapping[str, Any]) -> str:
    return _join_text(message.get("content")) or _join_text(message.get("refusal"))


def _join_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if is_list(content) else ()
    texts = (get(part, "text") or get(part, "refusal") for part in parts)
    return "".join(text for text in texts if isinstance(text, str))


def _read_calls(message: Mapping[str, Any]) -> list[Call]:
    calls: list[Call] = []
    for call in message.get("tool_calls") or ():
        function = get(call, "function") or get(call, "custom")
        calls.append(
            Call(str(get(call, "id") or ""), str(get(function, "name") or ""), get(function, "arguments"))
        )
    return calls
