"""Tool calls and their results, read off the messages of a conversation in any provider's shape.

What they mean for a session is `session.py`'s.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from charter.discovery.given import get, is_list, is_mapping, read_json, read_names, say_value
from charter.discovery.qualified import TOOL_SEARCH, qualify
from charter.errors import DeclarationError

__all__ = ["PastCall", "read_loaded", "read_messages", "read_past_calls"]

_RESULT_TYPES = ("tool_result", "function_call_output")
_CALL_TYPES = ("tool_use", "function_call")


@dataclass(frozen=True, slots=True)
class PastCall:
    """One call of a tool: its arguments parsed, and the text of its result."""

    name: str
    arguments: Any
    result: str
    finished: bool
    """Whether the messages hold a result at all."""
    references: tuple[str, ...] = ()
    """Tools that the result itself shows the model (`tool_reference` blocks, `tool_search_output`)."""


def read_past_calls(messages: object) -> list[PastCall]:
    """Read every call in order. Messages may be dicts or a client's own objects; others are skipped.

    OpenAI Chat (`tool_calls`, role `tool`), OpenAI Responses (`function_call`, `function_call_output`), Anthropic
    (`tool_use`, `tool_result`) and Google (`function_call` and `function_response` parts) are understood.

    Raises:
        DeclarationError: they are no list of messages.
    """
    calls: list[tuple[str, Any]] = []
    results: dict[int, Any] = {}
    waiting: dict[str | int, list[int]] = {}  # ids may come again in a later turn
    for message in read_messages("replay", messages):
        for key, name, arguments in _read_calls(message):
            waiting.setdefault(_read_key(key, name), []).append(len(calls))
            calls.append((name, arguments))
        for key, name, content in _read_results(message):
            if places := waiting.get(_read_key(key, name)):
                results[places.pop(0)] = content
    return [
        PastCall(
            name,
            _parse(arguments),
            _read_text(results.get(place)),
            place in results,
            _read_references(results.get(place)),
        )
        for place, (name, arguments) in enumerate(calls)
    ]


def read_messages(where: str, messages: object) -> list[Any]:
    """Return the messages of a conversation as a list of its own.

    Raises:
        DeclarationError: it is one text or one message, which would be read letter by letter or key by key.
    """
    given: Any = messages
    if isinstance(given, str | bytes) or is_mapping(given) or not isinstance(given, Iterable):
        raise DeclarationError(f"{where}: messages={say_value(given)} is no list of messages. Give a list.")
    return list(cast("Iterable[Any]", given))


def _read_key(key: Any, name: Any) -> str | int:
    """Return what a result is matched with its call by: the id, or the name where there is none."""
    return key if isinstance(key, str | int) else f"\0{name if isinstance(name, str) else ''}"


def read_loaded(call: PastCall) -> list[str] | None:
    """Return what a call of ToolSearch loaded, or None when its result says no such thing."""
    names = read_names(get(_parse(call.result), "loaded"))
    return list(call.references) or None if names is None else [*call.references, *names]


def _list(value: Any) -> list[Any]:
    return list(value) if is_list(value) else []


def _read_calls(message: Any) -> Iterator[tuple[Any, str, Any]]:
    for call in _list(get(message, "tool_calls")):
        function = get(call, "function")
        if isinstance(name := get(function, "name"), str):
            yield get(call, "id"), name, get(function, "arguments")
    for part in _list(get(message, "parts")):
        call = get(part, "function_call")
        if isinstance(name := get(call, "name"), str):
            yield get(call, "id"), name, get(call, "args")
    for block in [message, *_list(get(message, "content"))]:
        if get(block, "type") in _CALL_TYPES and isinstance(name := get(block, "name"), str):
            given = get(block, "arguments") if get(block, "input") is None else get(block, "input")
            pack = get(block, "namespace")
            called = qualify(pack, name) if isinstance(pack, str) and pack else name
            yield get(block, "call_id") or get(block, "id"), called, given
        if get(block, "type") == "tool_search_call" and get(block, "execution") == "client":
            yield get(block, "call_id"), TOOL_SEARCH, get(block, "arguments")


def _read_results(message: Any) -> Iterator[tuple[Any, Any, Any]]:
    if get(message, "role") == "tool":
        yield get(message, "tool_call_id"), None, get(message, "content")
    for part in _list(get(message, "parts")):
        if (told := get(part, "function_response")) is not None:
            response = get(told, "response")
            yield get(told, "id"), get(told, "name"), get(response, "output") or get(response, "error")
    for block in [message, *_list(get(message, "content"))]:
        if get(block, "type") in _RESULT_TYPES:
            content = get(block, "output") if get(block, "content") is None else get(block, "content")
            yield get(block, "tool_use_id") or get(block, "call_id"), None, content
        if get(block, "type") == "tool_search_output" and get(block, "execution") == "client":
            yield get(block, "call_id"), TOOL_SEARCH, get(block, "tools")


def _read_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(text for block in _list(content) if isinstance(text := get(block, "text"), str))


def _read_references(content: Any) -> tuple[str, ...]:
    return tuple(name for block in _list(content) for name in _read_shown(block) if isinstance(name, str))


def _read_shown(block: Any) -> Iterator[Any]:
    match get(block, "type"):
        case "tool_reference":
            yield get(block, "tool_name")
        case "function":
            yield get(block, "name")
        case "namespace":
            for tool in _list(get(block, "tools")):
                yield qualify(str(get(block, "name")), str(get(tool, "name")))
        case _:
            return


def _parse(arguments: Any) -> Any:
    if not isinstance(arguments, str):
        return arguments
    try:
        return read_json(arguments)
    except ValueError:
        return None
