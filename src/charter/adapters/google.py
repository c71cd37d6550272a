"""Google Gemini: a session's tools as function declarations, and the loop that runs them.

The google-genai package is not needed: any client with `aio.models.generate_content` will do.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Literal, overload

from charter.discovery.catalogue import Definition, ToolLike
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
from charter.discovery.given import clean_text, get, is_mapping
from charter.discovery.history import clean, fill_ids, keep_name, keep_object
from charter.discovery.session import ToolSession, as_session
from charter.discovery.transcript import read_messages
from charter.discovery.turn import MAX_PARALLEL, Answer, Call
from charter.errors import ModelError

__all__ = ["Event", "RunResult", "TextDelta", "ToolCalled", "ToolReturned", "run", "to_google_tools"]

Tools = ToolSession | Iterable[ToolLike]

_MALFORMED = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS")


def to_google_tools(session: Tools) -> list[dict[str, Any]]:
    """Return what to send as `tools` of the config this turn: one dict with every declaration, or nothing.

    It is a copy the caller may edit. A plain list of tools sends every schema.

    Raises:
        DeclarationError: the tools cannot be sent together, or Gemini would refuse a schema.
    """
    declared = [_render(tool) for tool in as_session(session).definitions("gemini")]
    return [{"function_declarations": declared}] if declared else []


def _render(tool: Definition) -> dict[str, Any]:
    # Gemini refuses an object without properties, so a tool without arguments has no schema.
    schema = tool.parameters
    told = {"parameters_json_schema": schema} if schema else {}
    return {"name": tool.name, "description": tool.description, **told}


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

    The declarations are made anew for each turn, so a tool that was found is there on the next.
    `messages` is not modified; the model's contents go back as they came, thought signatures too. A
    `CharterError` becomes that tool's result; whatever else a tool or the client raises comes out as
    it is, and calls that run beside it are cancelled. Calls of an answer that was cut off are not made,
    and the model is told. The calls of the last turn allowed are still run, so that `messages` can be
    sent again.

    Args:
        client: anything with `await client.aio.models.generate_content(model=, contents=, config=)`.
        model: passed on.
        messages: the contents so far.
        session: a session, or a plain list of tools, which sends every schema.
        max_turns: how often the model is asked at most.
        max_result_tokens: a longer result is cut, with a note that says how to read on.
        max_parallel: how many calls of one turn run at the same time.
        headers: the host's headers for every call of a tool, as in `Tool.ainvoke`.
        stream: return an async iterator of `TextDelta`, `ToolCalled` and `ToolReturned`, and the
            `RunResult` last; uses `generate_content_stream`.
        **kwargs: passed on to the client; the tools of `config` stay, before the session's.

    Raises:
        DeclarationError: a limit is not 1 or more, `messages` is no list of messages, or Gemini would
            refuse a schema.
        ModelError: the provider failed, gave no candidate, or its stream ended before the answer did.
    """
    limits = Limits(max_turns, max_result_tokens, max_parallel)
    held, so_far = as_session(session), read_messages("run", messages)
    config = kwargs.pop("config", None)
    dialogue = _Dialogue(client, model, so_far, held, config, kwargs)
    return await converse(dialogue, held, limits, stream=stream, headers=headers)


@dataclass(slots=True)
class _Dialogue:
    """The contents of one run, and what it takes to make the next one."""

    client: Any
    model: str
    messages: list[Any]
    session: ToolSession
    config: Any
    options: Mapping[str, Any]
    usage: dict[str, Any] = field(default_factory=dict[str, Any])
    _ids: list[Any] = field(default_factory=list[Any])

    async def ask(self, *, stream: bool) -> AsyncGenerator[TextDelta | Reply]:
        """Yield the pieces of one answer's text, and the answer last."""
        answer = _Answer()
        models = self.client.aio.models
        asked = {"model": self.model, "contents": list(self.messages), **self._configure(), **self.options}
        if stream:
            async with aclosing(read_stream(await models.generate_content_stream(**asked))) as chunks:
                async for chunk in chunks:
                    if text := answer.add(chunk):
                        yield TextDelta(text)
        else:
            answer.add(await models.generate_content(**asked))
        add_usage(self.usage, answer.usage)
        yield self._read(answer, None if stream and not answer.reason else read_finish(answer.reason))

    def _configure(self) -> dict[str, Any]:
        """Return the config with the session's tools after its own, and nothing when there is nothing to say."""
        tools = to_google_tools(self.session)
        if not tools:
            return {} if self.config is None else {"config": self.config}
        known: Sequence[Any] = get(self.config, "tools") or ()
        # The client would otherwise run calls by itself when one of the user's own tools is a function.
        ours = {"tools": [*known, *tools], "automatic_function_calling": {"disable": True}}
        if self.config is None or is_mapping(self.config):
            return {"config": {**(self.config or {}), **ours}}
        held = {name: getattr(self.config, name) for name in self.config.model_fields_set}
        return {"config": self.config.__class__.model_validate({**held, **ours})}

    def _read(self, answer: "_Answer", finish: Finish | None) -> Reply:
        if not answer.has_candidate:
            said = answer.failure or answer.blocked or "no reason"
            raise ModelError(
                f"run: the model {self.model!r} answered without candidates ({said}). Check what was asked."
            )
        parts, calls = self._read_parts(answer.parts)
        kept: list[Any] = [{"role": "model", "parts": parts}] if parts else []
        if calls or not answer.malformed:
            return Reply(answer.text, calls, finish, kept)
        text = f"The function call could not be read: {answer.malformed}. Send it again."
        return Reply(
            answer.text, (), finish, [*kept, {"role": "user", "parts": [{"text": text}]}], unfinished=True
        )

    def _read_parts(self, given: Sequence[Any]) -> tuple[list[Any], list[Call]]:
        """Return an answer's parts as Gemini takes them back, and what they call."""
        parts = [part for part in given if not _is_nothing(part)]
        asked = [get(part, "function_call") for part in parts]
        # Ids are optional here, and answered where they came; but one that came twice is none.
        made = fill_ids(get(call, "id") for call in asked if call is not None)
        self._ids = []
        kept: list[Any] = []
        calls: list[Call] = []
        for part, call in zip(parts, asked, strict=True):
            if call is None:
                kept.append(clean(part))
                continue
            key = made[len(calls)] if get(call, "id") else None
            name, arguments = str(get(call, "name")), get(call, "args")
            own = {"id": key, "name": keep_name(name), "args": keep_object(arguments)}
            is_same = own == {"id": get(call, "id"), "name": name, "args": arguments or {}}
            kept.append(part if is_same else _replace(part, function_call=_replace(call, **own)))
            calls.append(Call(key or str(len(calls)), name, arguments, _find_pieces(call)))
            self._ids.append(key)
        return kept, calls

    def tell(self, calls: Sequence[Call], answers: Sequence[Answer]) -> None:
        """Add one content with every result."""
        parts: list[dict[str, Any]] = []
        for key, call, answer in zip(self._ids, calls, answers, strict=True):
            told = {"name": call.name, "response": {"error" if answer.is_error else "output": answer.text}}
            parts.append({"function_response": told if key is None else {"id": key, **told}})
        self.messages.append({"role": "user", "parts": parts})


class _Answer:
    """One answer, put together from one chunk or many."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self.text = ""
        self.usage: Any = None
        self.reason = ""
        self.malformed = ""
        self.blocked = ""
        self.failure = ""
        self.has_candidate = False

    def add(self, chunk: Any) -> str:
        """Take in one chunk and return the answer's text in it; thoughts are none of it."""
        # Each chunk counts the whole answer so far.
        self.usage = get(chunk, "usage_metadata") or self.usage
        self.blocked = _name(get(get(chunk, "prompt_feedback"), "block_reason")) or self.blocked
        self.failure = clean_text(str(get(get(chunk, "error"), "message") or self.failure)[:200])
        added = ""
        for candidate in (get(chunk, "candidates") or ())[:1]:
            self.has_candidate = True
            self.reason = _name(get(candidate, "finish_reason")) or self.reason
            if self.reason in _MALFORMED:
                self.malformed = clean_text(str(get(candidate, "finish_message") or self.reason))
            for part in get(get(candidate, "content"), "parts") or ():
                self.parts.append(part)
                if not get(part, "thought"):
                    added += get(part, "text") or ""
        added = clean_text(added)
        self.text += added
        return added


def _is_nothing(part: Any) -> bool:
    """Tell whether a part cannot be sent back: a call without a name, or a text without a letter."""
    call = get(part, "function_call")
    if call is not None:
        return get(call, "name") is None
    held = part if is_mapping(part) else getattr(part, "__dict__", {})
    said = {name: value for name, value in held.items() if value is not None and name != "thought"}
    return said == {"text": ""}


def _find_pieces(call: Any) -> str:
    """Say why a call cannot be made whose arguments come in pieces, which its chunks alone do not tell whole."""
    if get(call, "will_continue") or get(call, "partial_args"):
        return "the arguments came in pieces, and nothing was sent. Send them whole."
    return ""


def _replace(value: Any, **changed: Any) -> Any:
    """Return a dict, or a client's own object, with members changed."""
    if is_mapping(value):
        return {**value, **changed}
    twin = copy(value)
    for name, one in changed.items():
        setattr(twin, name, one)
    return twin


def _name(value: Any) -> str:
    """Return the name of an enum's member, or the text itself."""
    return "" if value is None else str(getattr(value, "value", value))
