"""The loop that the adapters share: ask the model, run what it calls, tell it the answers, ask again.

How a provider writes messages is its adapter's; how the calls of a turn are run is `turn.py`'s.
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Literal, Protocol

from charter.discovery.given import is_mapping
from charter.discovery.session import ToolSession
from charter.discovery.turn import Answer, Call, answer_calls
from charter.errors import DeclarationError

__all__ = [
    "Dialogue",
    "Event",
    "Limits",
    "Reply",
    "RunResult",
    "TextDelta",
    "ToolCalled",
    "ToolReturned",
    "add_usage",
    "read_stream",
    "converse",
]


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended. `messages` is the whole conversation and can be sent again."""

    messages: list[Any]
    content: str
    """The text of the last answer; what a refusal says, when it refused."""
    turns: int
    """How often the model was asked."""
    stop: Literal["end", "max_turns"]
    usage: dict[str, Any]
    """What the provider counted, summed over the turns; empty when it counted nothing."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """The model asked for a tool; `arguments` is as it wrote them."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolReturned:
    """What the model is told that a call returned."""

    id: str
    name: str
    content: str


Event = TextDelta | ToolCalled | ToolReturned | RunResult


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of a model: its text, and what it calls."""

    content: str
    calls: Sequence[Call] = ()
    unfinished: bool = False
    """The model stopped in the middle and goes on when it is asked again."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds a run.

    Raises:
        DeclarationError: a limit is not 1 or more.
    """

    max_turns: int
    max_result_tokens: int | None

    def __post_init__(self) -> None:
        for name in ("max_turns", "max_result_tokens"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise DeclarationError(f"run: {name}={value!r} is not 1 or more. Give a larger number.")


class Dialogue(Protocol):
    """A conversation with one provider: how to ask it, and how to tell it what calls returned."""

    @property
    def messages(self) -> list[Any]:
        """The conversation so far, in the provider's shape."""
        ...

    @property
    def usage(self) -> dict[str, Any]:
        """What the provider counted so far."""
        ...

    def ask(self, *, stream: bool) -> AsyncGenerator[TextDelta | Reply]:
        """Ask once, keep the answer in `messages`, and yield pieces of text and the reply last."""
        ...

    def tell(self, calls: Sequence[Call], answers: Sequence[Answer]) -> None:
        """Keep what the calls returned in `messages`."""
        ...


async def converse(
    dialogue: Dialogue, session: ToolSession, limits: Limits, *, stream: bool
) -> RunResult | AsyncIterator[Event]:
    """Run a dialogue to its end and return the result; with `stream`, an iterator of what happens."""
    events = _go_on(dialogue, session, limits, stream=stream)
    if stream:
        return events
    result: Event | None = None
    async for event in events:
        result = event
    assert isinstance(result, RunResult)
    return result


async def _go_on(
    dialogue: Dialogue, session: ToolSession, limits: Limits, *, stream: bool
) -> AsyncIterator[Event]:
    turns, reply = 0, Reply("")
    while turns < limits.max_turns and (turns == 0 or reply.calls or reply.unfinished):
        turns += 1
        async with aclosing(dialogue.ask(stream=stream)) as pieces:
            async for piece in pieces:
                if isinstance(piece, TextDelta):
                    yield piece
                else:
                    reply = piece
        for call in reply.calls:
            yield ToolCalled(call.id, call.name, _write_arguments(call.arguments))
        answers = await answer_calls(session, reply.calls, max_result_tokens=limits.max_result_tokens)
        if reply.calls:
            dialogue.tell(reply.calls, answers)
        for call, answer in zip(reply.calls, answers, strict=True):
            yield ToolReturned(call.id, call.name, answer.text)
    stop = "max_turns" if reply.calls or reply.unfinished else "end"
    yield RunResult(dialogue.messages, reply.content, turns, stop, dialogue.usage)


def _write_arguments(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments or {}, default=str)


def add_usage(total: dict[str, Any], usage: Any) -> None:
    """Add what one answer was counted at, in depth; what is no number is left out.

    >>> total = {"tokens": 1}
    >>> add_usage(total, {"tokens": 2, "details": {"cached": 3}, "tier": "x"})
    >>> total
    {'tokens': 3, 'details': {'cached': 3}}
    """
    dump = getattr(usage, "model_dump", None)
    counted = dump() if dump is not None else usage if is_mapping(usage) else getattr(usage, "__dict__", {})
    for name, value in counted.items():
        if is_mapping(value):
            add_usage(total.setdefault(name, {}), value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            total[name] = total.get(name, 0) + value


async def read_stream(stream: Any) -> AsyncGenerator[Any]:
    """Yield what a client streams and close it, also when the reader stops early."""
    try:
        async for piece in stream:
            yield piece
    finally:
        close = getattr(stream, "close", None) or getattr(stream, "aclose", None)
        closed = None if close is None else close()
        if isawaitable(closed):
            await closed
