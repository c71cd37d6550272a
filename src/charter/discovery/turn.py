"""The tool calls of one turn of a model: run in the right order, each answered with text.

How a provider writes calls and answers is its adapter's.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from charter.discovery.given import clean_text, is_mapping, read_json, say_value
from charter.discovery.qualified import TOOL_SEARCH
from charter.discovery.session import ToolSession
from charter.errors import CharterError, ToolValidationError, TransformError
from charter.sanitize import strip_invisible, strip_invisible_in_json

__all__ = ["MAX_PARALLEL", "Answer", "Call", "answer_calls", "read_arguments", "write_any", "write_result"]

MAX_PARALLEL = 8
"""Calls of one turn that run at the same time, unless it is said otherwise."""
MAX_ODD = 2_000
"""Characters of a result that are told where no JSON can hold it."""


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call as a model wrote it; `arguments` may be JSON text or parsed."""

    id: str
    name: str
    arguments: Any
    broken: str = ""
    """What makes the call one that must not be run, such as a cut in the middle of it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model is told that a call returned."""

    text: str
    is_error: bool = False
    ran: bool = True
    """Whether a request may have been sent; a search sends none."""


async def answer_calls(
    session: ToolSession,
    calls: Sequence[Call],
    *,
    max_result_tokens: int | None = None,
    max_parallel: int = MAX_PARALLEL,
    headers: Mapping[str, str | None] | None = None,
    client: Any = None,
) -> list[Answer]:
    """Run the searches first, so that what they load can be called beside them, then the rest together.

    Answers come in the order asked. A `CharterError` is an answer; any other exception comes out as
    it is, after the calls beside it were cancelled. A longer result than `max_result_tokens` is cut,
    with a note that says how to read on. `headers` and `client`, the HTTP client, are the host's, for every tool.
    """
    import asyncio  # noqa: PLC0415 - loaded wherever this runs; who only lists tools need not load it

    free = asyncio.Semaphore(max_parallel)

    async def answer(call: Call) -> Answer:
        searches = call.name == TOOL_SEARCH
        try:
            given = read_arguments(call)
            async with free:
                result = await session.dispatch(call.name, given, headers=headers, client=client)
        except CharterError as error:
            ran = not searches and not isinstance(error, ToolValidationError | TransformError)
            return Answer(error.for_model(), is_error=True, ran=ran)
        text = write_result(result)
        if max_result_tokens is None or searches:
            return Answer(text, ran=not searches)
        return Answer(session.cut(text, max_result_tokens))

    found = {place: await answer(call) for place, call in enumerate(calls) if call.name == TOOL_SEARCH}
    rest = [place for place in range(len(calls)) if place not in found]
    try:
        async with asyncio.TaskGroup() as group:
            tasks = {place: group.create_task(answer(calls[place])) for place in rest}
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [found[place] if place in found else tasks[place].result() for place in range(len(calls))]


def read_arguments(call: Call) -> Any:
    """Return a call's arguments parsed; nothing, blanks and `null` are no arguments.

    >>> read_arguments(Call("1", "shop__buy", ""))
    {}

    Raises:
        ToolValidationError: they are no JSON, and the text says where, or no object, or broken.
    """
    name = _say_name(call.name)
    if call.broken:
        raise ToolValidationError(f"{name}: {call.broken}")
    given = call.arguments
    if isinstance(given, str):
        try:
            given = read_json(given) if given.strip() else None
        except ValueError as error:
            raise ToolValidationError(f"{name}: the arguments are {error}. Send one JSON object.") from None
    if given is None:
        return {}
    if not is_mapping(given) and name != TOOL_SEARCH:
        raise ToolValidationError(
            f"{name}: the arguments are a {type(given).__name__}. Send one JSON object."
        )
    return given


def _say_name(name: object) -> str:
    return name if isinstance(name, str) else say_value(name)


def write_result(result: Any) -> str:
    """Return a result as text that can be sent: text as it is, all else as compact JSON, and nothing that is not seen.

    >>> write_result({"id": 1, "raw": b"x"})
    '{"id":1,"raw":"eA=="}'
    """
    if isinstance(result, str):
        return strip_invisible(clean_text(result))
    from pydantic_core import to_json  # noqa: PLC0415 - loaded once a tool was called

    options: Any = {"bytes_mode": "base64", "inf_nan_mode": "strings", "serialize_unknown": True}
    try:
        written = to_json(result, **options).decode()
    except ValueError:  # a lone surrogate somewhere in it, or more levels than are read
        written = write_any(result)
    return strip_invisible_in_json(written)


def write_any(result: Any) -> str:
    """Return a value as JSON in ASCII, and one that JSON cannot hold as what it says of itself."""
    try:
        return json.dumps(result, default=say_value)
    except (ValueError, TypeError, RecursionError):
        return say_value(result, MAX_ODD)
