"""OpenAI Chat Completions: a session's tools in that shape, and the loop that runs them.

The openai package is not needed: any client with `chat.completions.create` will do.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal, overload

from charter.adapters._openai_chunks import Chunks
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
from charter.discovery.finish import Finish, read_finish
from charter.discovery.given import clean_text, get, is_list, is_mapping, to_plain
from charter.discovery.history import clean, fill_ids, is_blank, keep_arguments, keep_name
from charter.discovery.session import ToolSession, as_session
from charter.discovery.transcript import read_messages
from charter.discovery.turn import MAX_PARALLEL, Answer, Call
from charter.errors import ModelError

__all__ = ["Event", "RunResult", "TextDelta", "ToolCalled", "ToolReturned", "run", "to_openai_tools"]

Tools = ToolSession | Iterable[ToolLike]


def to_openai_tools(session: Tools) -> list[dict[str, Any]]:
    """Return what to send as `tools` this turn; a copy the caller may edit.

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
    max_parallel: int = MAX_PARALLEL,
    headers: Mapping[str, str | None] | None = None,
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
    max_parallel: int = MAX_PARALLEL,
    headers: Mapping[str, str | None] | None = None,
    stream: Literal[True],
    **kwargs: Any,
) -> AsyncIterator[Event]: ...
async def run(  # noqa: PLR0913 - each is the user's own
    client: Any,
    *,
    model: str,
    messages: Iterable[Any],
    session: Tools,
    max_turns: int = 20,
    max_result_tokens: int | None = None,
    max_parallel: int = MAX_PARALLEL,
    headers: Mapping[str, str | None] | None = None,
    stream: bool = False,
    **kwargs: Any,
) -> RunResult | AsyncIterator[Event]:
    """Ask the model and run the tools it calls, until it answers or `max_turns` is reached.

    The list of tools is made anew for each turn, so a tool that was found is there on the next.
    `messages` is not modified. A `CharterError` becomes that tool's result; whatever else a tool or
    the client raises comes out as it is, and calls that run beside it are cancelled. Calls of an answer
    that was cut off are not made, and the model is told. The calls of the last turn allowed are still
    run, so that `messages` can be sent again.

    Args:
        client: anything with `await client.chat.completions.create(model=, messages=, tools=)`.
        model: passed on.
        messages: the conversation so far.
        session: a session, or a plain list of tools, which sends every schema.
        max_turns: how often the model is asked at most.
        max_result_tokens: a longer result is cut, with a note that says how to read on.
        max_parallel: how many calls of one turn run at the same time.
        headers: the host's headers for every call of a tool, as in `Tool.ainvoke`.
        stream: return an async iterator of `TextDelta`, `ToolCalled` and `ToolReturned`, and the
            `RunResult` last.
        **kwargs: passed on to the client.

    Raises:
        DeclarationError: a limit is not 1 or more, or `messages` is no list of messages.
        ModelError: the provider failed, or its stream ended before the answer did.
    """
    limits = Limits(max_turns, max_result_tokens, max_parallel)
    held = as_session(session)
    dialogue = _Chat(client, model, read_messages("run", messages), held, kwargs)
    return await converse(dialogue, held, limits, stream=stream, headers=headers)


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
                yield piece

    def tell(self, calls: Sequence[Call], answers: Sequence[Answer]) -> None:
        """Add one message for each call."""
        for call, answer in zip(calls, answers, strict=True):
            self.messages.append({"role": "tool", "tool_call_id": call.id, "content": answer.text})

    async def _create(self, **more: Any) -> Any:
        tools = to_openai_tools(self.session)
        offered = {"tools": tools} if tools else {}
        create = self.client.chat.completions.create
        return await create(model=self.model, messages=list(self.messages), **offered, **self.options, **more)

    async def _ask(self) -> AsyncGenerator[Reply]:
        completion = await self._create()
        add_usage(self.usage, get(completion, "usage"))
        choices = get(completion, "choices")
        if not choices:
            raise self._fail(get(completion, "error"), "no choices")
        finish = read_finish(get(choices[0], "finish_reason"))
        message = _read_message(get(choices[0], "message"))
        if _has_failed(finish):
            raise self._fail(
                get(choices[0], "error") or get(completion, "error"), finish.word, _read_content(message)
            )
        yield _make_reply(message, finish)

    async def _ask_in_pieces(self) -> AsyncGenerator[TextDelta | Reply]:
        wanted: dict[str, Any] = {"stream": True}
        if "stream_options" not in self.options:
            wanted["stream_options"] = {"include_usage": True}
        answer, finish = Chunks(), None
        async with aclosing(read_stream(await self._create(**wanted))) as chunks:
            async for chunk in chunks:
                add_usage(self.usage, get(chunk, "usage"))
                choice = next((one for one in get(chunk, "choices") or () if not get(one, "index")), None)
                delta = get(choice, "delta")
                answer.add(delta)
                if text := clean_text(_join_text(get(delta, "content"))):
                    yield TextDelta(text)
                if (word := get(choice, "finish_reason")) is not None:
                    finish = read_finish(word)
                error = get(chunk, "error") or get(choice, "error")
                if error is not None or _has_failed(finish):
                    raise self._fail(error, "error")
        yield _make_reply(_read_message(answer.message()), finish)

    def _fail(self, error: Any, otherwise: str, content: str = "") -> ModelError:
        said = clean_text(str(get(error, "message") or error or otherwise)[:200])
        text = f"run: the model {self.model!r} failed: {said!r}. Ask again, or check what serves it."
        return ModelError(text, content=content)


def _has_failed(finish: Finish | None) -> bool:
    return finish is not None and finish.reason == "error"


def _make_reply(message: dict[str, Any], finish: Finish | None) -> Reply:
    calls, rendered = _read_calls(message)
    if rendered:
        message = {**message, "tool_calls": rendered}
    refused = finish is not None and finish.reason == "stop" and not is_blank(message.get("refusal"))
    says = any(_join_text(message.get(name)).strip() for name in ("content", "refusal"))
    # An answer without text and calls, such as one that was cut off in its reasoning, is refused when it comes back.
    kept = [clean(message)] if calls or says or message.get("audio") else []
    return Reply(
        clean_text(_read_content(message)),
        calls,
        Finish("refusal", finish.word) if finish is not None and refused else finish,
        kept,
    )


def _read_message(message: Any) -> dict[str, Any]:
    """Return an answer as a message to send again, with whatever a provider added to it."""
    if is_mapping(message) or hasattr(message, "model_dump"):
        held = to_plain(message)
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


def _read_calls(message: Mapping[str, Any]) -> tuple[list[Call], list[dict[str, Any]]]:
    """Return what an answer calls, and the same as any server takes it back."""
    asked = [to_plain(call) for call in message.get("tool_calls") or ()]
    calls: list[Call] = []
    rendered: list[dict[str, Any]] = []
    for key, call in zip(fill_ids(get(call, "id") for call in asked), asked, strict=True):
        kind = "custom" if get(call, "function") is None and get(call, "custom") is not None else "function"
        function: Any = to_plain(get(call, kind)) or {}
        name, given = (
            str(get(function, "name") or ""),
            get(function, "arguments" if kind == "function" else "input"),
        )
        calls.append(Call(key, name, given))
        kept: dict[str, Any] = {**function, "name": keep_name(name)}
        if kind == "function":
            kept["arguments"] = keep_arguments(given)
        rendered.append({**call, "id": key, "type": kind, kind: kept})
    return calls, rendered
