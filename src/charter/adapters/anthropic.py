"""Anthropic Messages: a session's tools in that shape, the loop that runs them, and tools for the SDK's own runner.

The anthropic package is needed for its runner only: any client with `messages.create` will do.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal, overload

from charter.adapters._anthropic_blocks import Blocks
from charter.adapters._extra import extra
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
from charter.discovery.finish import read_finish
from charter.discovery.qualified import TOOL_SEARCH
from charter.discovery.revealing import read_revealed, read_shown
from charter.discovery.session import ToolSession, as_session
from charter.discovery.transcript import read_messages
from charter.discovery.turn import MAX_PARALLEL, Answer, Call, answer_calls
from charter.schema.strictness import StrictBudget

__all__ = [
    "Event",
    "RunResult",
    "TextDelta",
    "ToolCalled",
    "ToolReturned",
    "run",
    "to_anthropic_tools",
    "to_runner_tools",
]

Tools = ToolSession | Iterable[ToolLike]

MAX_TOKENS = 8_192
"""What `max_tokens` is unless it is given: the longest answer of one turn."""


def to_anthropic_tools(
    session: Tools, *, native: bool = False, strict: bool = False, messages: Iterable[Any] = ()
) -> list[dict[str, Any]]:
    """Return what to send as `tools`. It is a copy the caller may edit.

    Without `native` it is what can be called this turn; the list of a later turn begins with it. With
    `native` it is every tool, those that are not loaded marked `defer_loading`, the same on every
    turn; a search's result then has to hold `tool_reference` blocks, as in `run`. The end of what
    stays the same is a cache breakpoint.

    Args:
        session: a session, or a plain list of tools, which sends every schema.
        native: let the provider load tools inside the conversation.
        strict: mark the tools whose schema Anthropic can enforce, as many as one request may hold.
        messages: the conversation so far; a tool that they show is not sent outright.

    Raises:
        DeclarationError: the tools cannot be sent together, or Anthropic would refuse a schema.
    """
    held = as_session(session)
    shown = frozenset(read_shown(messages)) if native else frozenset[str]()
    now = [tool for tool in held.definitions("anthropic") if tool.name not in shown]
    known = {tool.name for tool in now}
    later: list[Definition] = []
    if native and held.searchable:
        deferred = (name for name in held.tools if name not in known and held.catalogue.prepare(name))
        later = [held.catalogue.define(name, "anthropic") for name in deferred]
    budget = StrictBudget() if strict else None
    rendered = [_render(tool, budget) for tool in now]
    if rendered:
        steady = now if later or not held.searchable else now[: _find_search(now) + 1]
        rendered[len(steady) - 1]["cache_control"] = {"type": "ephemeral"}
    return rendered + [{**_render(tool, budget), "defer_loading": True} for tool in later]


def _find_search(definitions: Sequence[Definition]) -> int:
    return next(place for place, tool in enumerate(definitions) if tool.name == TOOL_SEARCH)


def _render(tool: Definition, budget: StrictBudget | None) -> dict[str, Any]:
    schema = tool.parameters
    rendered: dict[str, Any] = {"name": tool.name, "description": tool.description, "input_schema": schema}
    if budget is not None and budget.take(schema):
        rendered["strict"] = True
    return rendered


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
    native: bool = True,
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
    native: bool = True,
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
    native: bool = True,
    **kwargs: Any,
) -> RunResult | AsyncIterator[Event]:
    """Ask the model and run the tools it calls, until it answers or `max_turns` is reached.

    `messages` is not modified. A `CharterError` becomes that tool's result; whatever else a tool or
    the client raises comes out as it is, and calls that run beside it are cancelled. Calls of an answer
    that was cut off are not made, and the model is told. The calls of the last turn allowed are still
    run, so that `messages` can be sent again. `cache_control`, unless it is given, lets the provider
    cache the conversation up to its last block.

    Args:
        client: anything with `await client.messages.create(model=, messages=, tools=, max_tokens=)`.
        model: passed on.
        messages: the conversation so far.
        session: a session, or a plain list of tools, which sends every schema.
        max_turns: how often the model is asked at most.
        max_result_tokens: a longer result is cut, with a note that says how to read on.
        max_parallel: how many calls of one turn run at the same time.
        headers: the host's headers for every call of a tool, as in `Tool.ainvoke`.
        stream: return an async iterator of `TextDelta`, `ToolCalled` and `ToolReturned`, and the
            `RunResult` last.
        native: send every tool once, deferred, and load by reference. False for models and gateways
            without it: the list of tools then grows.
        **kwargs: passed on to the client; `max_tokens` is 8,192 unless given. Only `strict=True` is
            not: it marks the tools whose schema Anthropic can enforce.

    Raises:
        DeclarationError: a limit is not 1 or more, `messages` is no list of messages, or Anthropic would
            refuse a schema.
        ModelError: the provider failed, or its stream ended before the answer did.
    """
    limits = Limits(max_turns, max_result_tokens, max_parallel)
    held, so_far = as_session(session), read_messages("run", messages)
    sending = _Sending(native and held.searchable, bool(kwargs.pop("strict", False)))
    options = {"max_tokens": MAX_TOKENS, "cache_control": {"type": "ephemeral"}, **kwargs}
    if options["cache_control"] is None:
        del options["cache_control"]
    dialogue = _Dialogue(client, model, so_far, held, sending, options)
    return await converse(dialogue, held, limits, stream=stream, headers=headers)


@dataclass(frozen=True, slots=True)
class _Sending:
    native: bool
    strict: bool


@dataclass(slots=True)
class _Dialogue:
    """The messages of one run, and what it takes to make the next one."""

    client: Any
    model: str
    messages: list[Any]
    session: ToolSession
    sending: _Sending
    options: Mapping[str, Any]
    usage: dict[str, Any] = field(default_factory=dict[str, Any])
    _tools: list[dict[str, Any]] | None = None
    _shown: set[str] = field(default_factory=set[str])

    def _list_tools(self) -> list[dict[str, Any]]:
        native, strict = self.sending.native, self.sending.strict
        if not native:
            return to_anthropic_tools(self.session, strict=strict)
        if self._tools is None:
            self._tools = to_anthropic_tools(self.session, native=True, strict=strict, messages=self.messages)
            outright = (tool["name"] for tool in self._tools if "defer_loading" not in tool)
            self._shown.update(outright, read_shown(self.messages))
        return self._tools

    async def ask(self, *, stream: bool) -> AsyncGenerator[TextDelta | Reply]:
        """Yield the pieces of one answer's text, and the answer last."""
        answer = Blocks()
        if stream:
            async with aclosing(read_stream(await self._create(stream=True))) as events:
                async for event in events:
                    if text := answer.add(event):
                        yield TextDelta(text)
        else:
            answer.take(await self._create())
        add_usage(self.usage, answer.usage)
        word = answer.stop_reason
        finish = None if stream and word is None else read_finish(word)
        is_paused = word == "pause_turn"
        calls, content = answer.read(
            is_whole=finish is not None and finish.reason == "stop", is_paused=is_paused
        )
        kept = [{"role": "assistant", "content": content}] if content else []
        yield Reply(answer.text(), calls, finish, kept, unfinished=is_paused)

    async def _create(self, **more: Any) -> Any:
        tools = self._list_tools()
        offered = {"tools": tools} if tools else {}
        create = self.client.messages.create
        return await create(model=self.model, messages=list(self.messages), **offered, **self.options, **more)

    def tell(self, calls: Sequence[Call], answers: Sequence[Answer]) -> None:
        """Add one message with every result; what a search has to say beside its references comes last."""
        results: list[dict[str, Any]] = []
        remarks: list[dict[str, Any]] = []
        for call, answer in zip(calls, answers, strict=True):
            content: Any = answer.text
            if self.sending.native and call.name == TOOL_SEARCH:
                content, remark = _refer(answer, self._shown)
                remarks.extend([{"type": "text", "text": remark}] if remark else [])
            result = {"type": "tool_result", "tool_use_id": call.id, "content": content}
            results.append({**result, "is_error": True} if answer.is_error else result)
        self.messages.append({"role": "user", "content": [*results, *remarks]})


def _refer(answer: Answer, shown: set[str]) -> tuple[Any, str]:
    """Return a search's answer as references to what it newly shows, and what is left to say."""
    revealed = read_revealed(answer, shown)
    if not revealed.names:
        return answer.text, ""
    shown.update(revealed.names)
    return [{"type": "tool_reference", "tool_name": name} for name in revealed.names], revealed.remark


def to_runner_tools(session: Tools, *, strict: bool = False) -> list[Any]:
    """Return tools for `AsyncAnthropic().beta.messages.tool_runner(tools=...)`, which runs the loop itself.

    Every tool is sent once, deferred, and loaded by reference. A `CharterError` becomes the result.

    Raises:
        DeclarationError: the tools cannot be sent together, or Anthropic would refuse a schema.
        ImportError: the anthropic package is not installed.
    """
    with extra("anthropic"):
        from anthropic.lib.tools import BetaAsyncBuiltinFunctionTool, ToolError  # noqa: PLC0415

    held = as_session(session)
    shown = set(held.visible())

    class RunnerTool(BetaAsyncBuiltinFunctionTool):
        def __init__(self, rendered: dict[str, Any]) -> None:
            self._rendered = rendered

        @property
        def name(self) -> str:
            return self._rendered["name"]

        def to_dict(self) -> Any:
            return self._rendered

        async def call(self, input: object) -> Any:  # noqa: A002
            [answer] = await answer_calls(held, [Call("", self.name, input)])
            if answer.is_error:
                raise ToolError(answer.text)
            return _refer(answer, shown)[0] if self.name == TOOL_SEARCH else answer.text

    return [RunnerTool(rendered) for rendered in to_anthropic_tools(held, native=True, strict=strict)]
