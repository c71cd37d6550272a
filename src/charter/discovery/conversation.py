"""The loop that the adapters share: ask the model, run what it calls, tell it the answers, ask again.

How a provider writes messages is its adapter's; how the calls of a turn are run is `turn.py`'s.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from inspect import isawaitable
from typing import Any, Literal, Protocol

from charter.discovery.finish import STOP, Finish, FinishReason, say_cut
from charter.discovery.given import clean_text, is_mapping, say_value
from charter.discovery.session import ToolSession
from charter.discovery.turn import MAX_PARALLEL, Answer, Call, answer_calls, write_any
from charter.errors import DeclarationError, ModelError
from charter.secret import HiddenHeaders

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
    "converse",
    "read_stream",
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
    finish_reason: FinishReason
    """How the last answer ended; `"stop"` when it is whole."""
    usage: dict[str, Any]
    """What the provider counted, summed over the turns; empty when it counted nothing."""
    provider_finish_reason: str = ""
    """The provider's own word for `finish_reason`; empty when it said none."""


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
    """One answer of a model: its text, what it calls, how it ended."""

    content: str
    calls: Sequence[Call] = ()
    finish: Finish | None = STOP
    """None: it broke off, without a word of how it ended."""
    kept: Sequence[Any] = ()
    """What to keep of it in `messages`, so that they can be sent again."""
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
    max_parallel: int = MAX_PARALLEL

    def __post_init__(self) -> None:
        for name in ("max_turns", "max_result_tokens", "max_parallel"):
            value = getattr(self, name)
            if value is None and name == "max_result_tokens":
                continue
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise DeclarationError(
                    f"run: {name}={say_value(value)} is not 1 or more. Give a larger number."
                )


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
        """Ask once, and yield pieces of text and the reply last.

        Raises:
            ModelError: the provider says that it failed.
        """
        ...

    def tell(self, calls: Sequence[Call], answers: Sequence[Answer]) -> None:
        """Keep what the calls returned in `messages`."""
        ...


async def converse(
    dialogue: Dialogue,
    session: ToolSession,
    limits: Limits,
    *,
    stream: bool,
    headers: Mapping[str, str | None] | None = None,
) -> RunResult | AsyncIterator[Event]:
    """Run a dialogue to its end and return the result; with `stream`, an iterator of what happens.

    Raises:
        DeclarationError: `headers` are no names with texts.
        ModelError: the provider failed, or its stream ended before the answer did.
    """
    events = _Run(dialogue, session, limits, _read_headers(headers)).go_on(stream=stream)
    if stream:
        return events
    result: Event | None = None
    async for event in events:
        result = event
    assert isinstance(result, RunResult)
    return result


def _read_headers(headers: object) -> HiddenHeaders:
    if headers is None:
        return HiddenHeaders(None)
    if not is_mapping(headers) or not all(isinstance(name, str) for name in headers):
        raise DeclarationError("run: headers= is no dict of names and texts. Give one.")
    return HiddenHeaders(headers)


@dataclass(slots=True)
class _Run:
    dialogue: Dialogue
    session: ToolSession
    limits: Limits
    headers: HiddenHeaders
    ran_tools: bool = False

    async def go_on(self, *, stream: bool) -> AsyncGenerator[Event]:
        turns, reply = 0, Reply("")
        while turns < self.limits.max_turns and (turns == 0 or reply.calls or reply.unfinished):
            turns += 1
            async with aclosing(self._ask(stream=stream)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, TextDelta):
                        yield piece
                    else:
                        reply = piece
            self.dialogue.messages.extend(reply.kept)
            if reply.calls:
                async with aclosing(self._call(reply)) as events:
                    async for event in events:
                        yield event
        stop = "max_turns" if reply.calls or reply.unfinished else "end"
        finish = reply.finish or Finish("error")
        yield RunResult(
            self.dialogue.messages,
            reply.content,
            turns,
            stop,
            finish.reason,
            self.dialogue.usage,
            finish.word,
        )

    async def _ask(self, *, stream: bool) -> AsyncGenerator[TextDelta | Reply]:
        said: list[str] = []
        try:
            async with aclosing(self.dialogue.ask(stream=stream)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, TextDelta):
                        said.append(piece.text)
                    elif piece.finish is None and not piece.calls:
                        raise ModelError(
                            "run: the stream ended before the answer did. Ask again.", content=piece.content
                        )
                    yield piece
        except ModelError as error:
            error.add_run("".join(said), list(self.dialogue.messages), ran_tools=self.ran_tools)
            raise

    async def _call(self, reply: Reply) -> AsyncGenerator[ToolCalled | ToolReturned]:
        """Make the calls of an answer; of one that was cut off none is made, and the model is told."""
        cut = say_cut(reply.finish)
        calls = [replace(call, broken=cut) if cut else call for call in reply.calls]
        for call in calls:
            yield ToolCalled(call.id, call.name, _write_arguments(call.arguments))
        limits = self.limits
        answers = await answer_calls(
            self.session,
            calls,
            max_result_tokens=limits.max_result_tokens,
            max_parallel=limits.max_parallel,
            headers=self.headers or None,
        )
        self.ran_tools = self.ran_tools or any(answer.ran for answer in answers)
        self.dialogue.tell(calls, answers)
        for call, answer in zip(calls, answers, strict=True):
            yield ToolReturned(call.id, call.name, answer.text)


def _write_arguments(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else write_any(arguments or {})


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
    """Yield what a client streams and close it, also when the reader stops early.

    Raises:
        ModelError: the client raised something in the middle, which is the `__cause__`.
    """
    try:
        async for piece in stream:
            yield piece
    except ModelError:
        raise
    except Exception as error:
        said = clean_text(f"{type(error).__name__}: {error}"[:200])
        raise ModelError(f"run: the stream broke off: {said}. Ask again.") from error
    finally:
        close = getattr(stream, "close", None) or getattr(stream, "aclose", None)
        closed = None if close is None else close()
        if isawaitable(closed):
            await closed
