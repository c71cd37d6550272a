"""Arguments as they come in: JSON read, counted, and refused before any work where there is too much of them.

Not here: what they mean (`arguments`), or whether they are valid (`view`).
"""

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from charter.errors import FieldProblem, ToolValidationError
from charter.schema.telling import join_path, tell_key, tell_kind
from charter.strict_json import BrokenJSONError, RepeatedKeyError, read_json

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = [
    "MAX_DEPTH",
    "MAX_ITEMS",
    "MAX_PATH",
    "MAX_TEXT",
    "Received",
    "Volume",
    "find_unsendable",
    "merge_arguments",
    "read_set_fields",
    "read_text",
    "receive_arguments",
    "unpack_json",
]

MAX_DEPTH = 64
"""Levels of nesting in arguments; a request deeper than this is an error or an attack."""
MAX_ITEMS = 10_000
"""Items of all lists and members of all objects in one call's arguments."""
MAX_TEXT = 50_000_000
"""Characters of all texts in one call's arguments: a file of 35 MB fits as base64."""
MAX_PATH = 2_000
"""Characters of all keys on the way to one value: a form and an error write them again for each value."""

_OPENING = re.compile(r"\s*[\[{]")
_LARGE_ITEMS = 200
_LARGE_TEXT = 65_536
"""What is read in a few milliseconds whatever it is; more is worth a thread."""


class _TooMuchError(Exception):
    """There is more than one call may hold."""


@dataclass(slots=True)
class Volume:
    """How much one call's arguments hold, what lies in the JSON of their texts included, as far as they were read."""

    items: int = 0
    text: int = 0

    @property
    def is_large(self) -> bool:
        """Whether working on them would hold up an event loop."""
        return self.items > _LARGE_ITEMS or self.text > _LARGE_TEXT

    @property
    def excess(self) -> str:
        """What there is too much of, or an empty text."""
        for found, most, what in ((self.items, MAX_ITEMS, "values"), (self.text, MAX_TEXT, "characters")):
            if found > most:
                return f"too much for one call: more than {most:,} {what}; send less at a time"
        return ""


@dataclass(frozen=True, slots=True)
class Received:
    """One call's arguments: an object whose texts and numbers can all be sent."""

    values: Mapping[str, Any]
    volume: Volume


def receive_arguments(tool: str, model: "type[BaseModel]", arguments: Any) -> Received:
    """Receive a mapping, its JSON text, an instance of `model`, or None, which is no arguments.

    The work is bounded by `MAX_ITEMS` and `MAX_TEXT`, whatever comes.

    Raises:
        ToolValidationError: they are no object, broken, nested too deeply, or too much for one call.
    """
    volume = Volume()
    value, problem = arguments, ""
    if isinstance(arguments, (str, bytes)):
        value, problem = unpack_json(arguments, volume)
    if isinstance(value, model):
        value = read_set_fields(value)
    elif value is None:
        value = {}
    if problem:
        problem = f"arguments must be an object, got text that {problem}"
        problems: list[FieldProblem] = [{"field": "", "problem": problem}]
    elif not isinstance(value, Mapping):
        problems = [{"field": "", "problem": f"arguments must be an object, got {tell_kind(value)}"}]
    else:
        problems = find_unsendable(value, volume)
    if problems:
        raise ToolValidationError.of_fields(tool, problems)
    return Received(cast("Mapping[str, Any]", value), volume)


def merge_arguments(arguments: Any, more: Mapping[str, Any], model: "type[BaseModel]") -> Any:
    """Add keyword arguments to arguments in any form that is taken; what is no object stays as it is, to be refused.

    >>> from pydantic import BaseModel
    >>> merge_arguments('{"a": 1}', {"b": 2}, BaseModel)
    {'a': 1, 'b': 2}
    """
    if isinstance(arguments, model):
        return {**read_set_fields(arguments), **more}
    if not more:
        return arguments
    given = unpack_json(arguments, Volume())[0] if isinstance(arguments, (str, bytes)) else arguments
    if given is None:
        return more
    return {**cast("Mapping[str, Any]", given), **more} if isinstance(given, Mapping) else given


def unpack_json(text: str | bytes, volume: Volume) -> tuple[Any, str]:
    """Return the object or list that a text is JSON for, else the text; and what is wrong where it looks like one."""
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError:
            return text, ""
    if volume.excess or not _OPENING.match(text):
        return text, ""
    value, problem = read_text(text)
    return value, f"is {problem}" if problem else ""


def read_text(text: str) -> tuple[Any, str]:
    """Read the JSON text of arguments, or of a part of them; where that fails, return the text and what it is instead.

    >>> read_text('{"to": "ann", "to": "bob"}')[1]
    "JSON that gives the key 'to' twice"
    """
    if len(text) > MAX_TEXT:
        return text, Volume(text=len(text)).excess
    try:
        return read_json(text, _watch_items()), ""
    except RepeatedKeyError as error:
        return text, f"JSON that gives the key {tell_key(error.key)!r} twice"
    except BrokenJSONError as error:
        return text, str(error)
    except _TooMuchError as error:
        return text, str(error)


def find_unsendable(value: Any, volume: Volume, depth: int = 0) -> list[FieldProblem]:
    """Count what a value holds and find, without recursion, what no walk survives and what no wire carries.

    That is nesting too deep, half a character, a number that is not finite, and too much of anything.
    """
    problems: list[FieldProblem] = []
    waiting = [_Place(value, depth, "", 0)]
    while waiting and not volume.excess:
        node, depth, path, _ = place = waiting.pop()
        if depth > MAX_DEPTH:
            top = path.split(".")[0]
            return [*problems, {"field": top, "problem": f"is nested deeper than {MAX_DEPTH} levels"}]
        if isinstance(node, str):
            volume.text += len(node)
            if not (node.isascii() or _is_encodable(node)):
                problems.append({"field": path, "problem": "holds a broken character (a lone surrogate)"})
        elif isinstance(node, (dict, Mapping)):
            volume.items += len(cast("Mapping[Any, Any]", node))
            if not volume.excess:
                waiting += _look_at_members(place, volume, problems)
        elif isinstance(node, (list, tuple)):
            items = cast("list[Any]", node)
            volume.items += len(items)
            if not volume.excess:
                waiting += [
                    _Place(child, depth + 1, path, place.above)
                    for child in items
                    if not isinstance(child, (int, bool))
                ]
        elif isinstance(node, float) and not math.isfinite(node):
            problems.append({"field": path, "problem": "must be a finite number"})
        elif isinstance(node, bytes):
            volume.text += len(node)
    if volume.excess:
        return [{"field": "", "problem": f"what was given is {volume.excess}"}]
    return problems


class _Place(NamedTuple):
    """A value that is yet to be looked at, how deep it lies, its path, and the characters of the keys above it."""

    value: Any
    depth: int
    path: str
    above: int


def _look_at_members(place: _Place, volume: Volume, problems: list[FieldProblem]) -> Iterator[_Place]:
    """Count the members of an object, and yield keys and values that want a closer look."""
    members, depth, path, above = place
    for key, child in members.items():
        is_plain = type(key) is str and key.isascii()
        size = len(key) if isinstance(key, str) else 0
        volume.text += size
        if above + size > MAX_PATH:
            problem = f"lies below names of more than {MAX_PATH:,} characters; write shorter ones"
            problems.append({"field": join_path(path, tell_key(key)), "problem": problem})
            continue
        if not is_plain:
            yield _Place(key, depth + 1, join_path(path, tell_key(key)), above)
        if type(child) is str and child.isascii():
            volume.text += len(child)
        elif child is not None and type(child) not in (bool, int):
            yield _Place(child, depth + 1, join_path(path, tell_key(key)), above + size)


def read_set_fields(instance: "BaseModel") -> dict[str, Any]:
    """Return what was given to a model, by Python name; what lies below stays as it is."""
    return {name: getattr(instance, name) for name in instance.model_fields_set}


def _watch_items() -> Callable[[Any], None]:
    """Make a watcher of JSON being read that stops it soon after `MAX_ITEMS`."""
    volume = Volume()

    def watch(part: Any) -> None:
        volume.items += 1
        waiting = [part]
        while waiting:
            node = waiting.pop()
            if isinstance(node, (dict, list)):
                children = cast("Collection[Any]", node.values() if isinstance(node, dict) else node)
                volume.items += len(children)
                if volume.excess:
                    raise _TooMuchError(volume.excess)
                waiting += [child for child in children if isinstance(child, (dict, list))]

    return watch


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
