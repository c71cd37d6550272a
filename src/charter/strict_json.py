"""JSON text read strictly, and a long one in pieces: other threads, an event loop's among them, run in between.

Not here: what the value means, or how much of it is too much for whom.
"""

import json
import math
import re
from collections.abc import Callable
from json import JSONDecodeError, decoder
from typing import Any, cast

__all__ = ["BrokenJSONError", "RepeatedKeyError", "read_json", "replace_surrogates"]

PIECE = 65_536
"""Characters that are read in one go, holding the interpreter: a few milliseconds' worth of anything."""

_DEEPEST = 150
"""Levels of objects and lists each of which is longer than a piece."""
_MOST_IN_VAIN = 4
"""How often the length of a text may be read in vain while looking for what fits a piece."""
_HALF = re.compile("[\ud800-\udfff]")
_LONGEST_NUMBER = 8_192
_EXPONENT = 2
"""Characters behind a number that may yet belong to it, such as `e+`: it is whole where more than these follow."""
_GAP = re.compile(r"[ \t\n\r]*")
_COMMA = re.compile(r"[ \t\n\r]*,[ \t\n\r]*()[\[{\"]{0,8}")
"""From one item or member to the next, and how that begins."""
_LONGEST_EDGE = 8
_TRIES = 3
"""How often in one list or object it is tried in vain to read several items in one go."""

Watch = Callable[[Any], None]
_Placed = tuple[Any, int]
"""A value and where the text goes on behind it."""
_Scan = Callable[[str, int], _Placed]
_scan_string: Callable[[str, int], tuple[str, int]] = cast("Any", decoder).scanstring


class BrokenJSONError(ValueError):
    """The text is not JSON, or not of the strict kind. Its text ends a sentence that begins with `it is`."""


class RepeatedKeyError(BrokenJSONError):
    """An object gives a key twice."""

    def __init__(self, key: str) -> None:
        super().__init__("JSON that gives a key twice")
        self.key = key


def read_json(text: str, watch: Watch | None = None) -> Any:
    """Read one JSON text, as RFC 8259 has it: no NaN, no number that is infinite, no key twice in one object.

    `watch` is shown each part of a long text as soon as that is read, with null for what lies around parts. It may
    raise to stop there: a `BrokenJSONError`, or what is no `ValueError`. Half a surrogate pair stays what it is.

    >>> read_json('{"a": [1, 2.5, null]}')
    {'a': [1, 2.5, None]}

    Raises:
        BrokenJSONError: it is not JSON, nested too deeply, or not strict.
    """
    try:
        if len(text) > PIECE:
            return _Pieces(text, watch).read()
        value = _DECODER.decode(text)
    except RecursionError:
        raise BrokenJSONError("not JSON that can be read (it is nested too deeply)") from None
    except BrokenJSONError:
        raise
    except JSONDecodeError as error:
        raise BrokenJSONError(f"not JSON ({error})") from None
    except ValueError:
        raise BrokenJSONError("not JSON (a number has too many digits)") from None
    if watch:
        watch(value)
    return value


def replace_surrogates(value: Any) -> Any:
    r"""Return a JSON value, changed in place, with U+FFFD for each half of a surrogate pair: nothing could write one.

    >>> replace_surrogates(read_json(r'{"a": ["cut \ud83d"]}')) == {"a": ["cut \ufffd"]}
    True
    """
    whole = [value]
    waiting: list[Any] = [whole]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            members = cast("dict[str, Any]", node)
            if not all(map(str.isascii, members)):
                pairs = [(_mend(key), child) for key, child in members.items()]
                members.clear()
                members.update(pairs)
            places: Any = members.items()
        else:
            places = enumerate(node)
        for place, child in places:
            if isinstance(child, (dict, list)):
                waiting.append(child)
            elif isinstance(child, str) and not child.isascii():
                node[place] = _mend(child)
    return whole[0]


def _mend(text: str) -> str:
    return "".join(_HALF.sub("\ufffd", text[at : at + PIECE]) for at in range(0, len(text), PIECE))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        raise RepeatedKeyError(next(key for key, _ in pairs if key in seen or seen.add(key)))
    return members


def _refuse_constant(name: str) -> Any:
    raise BrokenJSONError(f"JSON with {name}")


def _read_float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise BrokenJSONError("JSON with a number too large for a float")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_float=_read_float
)


class _Pieces:
    """Reads a long text: what fits a piece in one go, the objects and lists around that step by step.

    A piece that parses is right wherever it was cut: JSON has one reading, from the front.
    """

    def __init__(self, text: str, watch: Watch | None) -> None:
        self._text = text
        self._watch = watch
        self._scan: _Scan = cast("Any", _DECODER).scan_once
        self._start, self._piece = 0, text[:PIECE]
        self._may_waste = _MOST_IN_VAIN * len(text)

    def read(self) -> Any:
        value, end = self._read_value(self._skip(0), 0)
        end = self._skip(end)
        if end != len(self._text):
            raise JSONDecodeError("Extra data", self._text, end)
        return value

    def _show(self, part: Any) -> None:
        if self._watch:
            self._watch(part)

    def _skip(self, at: int) -> int:
        gap = _GAP.match(self._text, at)
        return gap.end() if gap else at

    def _read_value(self, at: int, depth: int) -> _Placed:
        if found := self._read_whole(at):
            self._show(found[0])
            return found
        self._show(None)
        if depth >= _DEEPEST:
            raise BrokenJSONError("not JSON that can be read (it is nested too deeply)")
        match self._text[at : at + 1]:
            case "[":
                return self._read_list(at, depth + 1)
            case "{":
                return self._read_object(at, depth + 1)
            case '"':
                return _scan_string(self._text, at + 1)
            case _:
                return self._read_short(at)

    def _read_whole(self, at: int) -> _Placed | None:
        """Read a value that fits a piece: the one that the last value lay in, or else one that begins here."""
        if self._may_waste < 0:
            return None
        if self._start <= at < self._start + len(self._piece) and (found := self._scan_piece(at)):
            return found
        if at == self._start:
            return None
        self._start, self._piece = at, self._text[at : at + PIECE]
        return self._scan_piece(at)

    def _scan_piece(self, at: int) -> _Placed | None:
        try:
            value, end = self._scan(self._piece, at - self._start)
            end += self._start
            if end < self._start + len(self._piece) - _EXPONENT or end == len(self._text):
                return value, end
        except (StopIteration, ValueError):
            pass  # it is cut off, or broken, which then shows where it is read step by step
        self._may_waste -= self._start + len(self._piece) - at
        return None

    def _read_short(self, at: int) -> _Placed:
        piece = self._text[at : at + _LONGEST_NUMBER]
        try:
            value, end = self._scan(piece, 0)
        except StopIteration:
            raise JSONDecodeError("Expecting value", self._text, at) from None
        if end >= _LONGEST_NUMBER - _EXPONENT:
            raise JSONDecodeError("Too long a number", self._text, at)
        return value, at + end

    def _read_list(self, at: int, depth: int) -> _Placed:
        items: list[Any] = []
        tries = _TRIES
        at = self._skip(at + 1)
        if self._text[at : at + 1] == "]":
            return items, at + 1
        while True:
            value, at = self._read_value(at, depth)
            items.append(value)
            found = self._read_several(at, "[]") if tries else None
            if found:
                items += found[0]
                at = found[1]
            else:
                tries = max(tries - 1, 0)
            at = self._skip(at)
            if self._text[at : at + 1] == "]":
                return items, at + 1
            at = self._step_over(",", at)

    def _read_object(self, at: int, depth: int) -> _Placed:
        members: dict[str, Any] = {}
        tries = _TRIES
        at = self._skip(at + 1)
        if self._text[at : at + 1] == "}":
            return members, at + 1
        while True:
            if self._text[at : at + 1] != '"':
                raise JSONDecodeError("Expecting property name enclosed in double quotes", self._text, at)
            key, at = _scan_string(self._text, at + 1)
            value, at = self._read_value(self._step_over(":", self._skip(at)), depth)
            _add_members(members, {key: value})
            found = self._read_several(at, "{}") if tries else None
            if found:
                _add_members(members, found[0])
                at = found[1]
            else:
                tries = max(tries - 1, 0)
            at = self._skip(at)
            if self._text[at : at + 1] == "}":
                return members, at + 1
            at = self._step_over(",", at)

    def _read_several(self, at: int, brackets: str) -> _Placed | None:
        """Read, in one go, what follows one item or member: up to the last place in a piece that looks like its end."""
        comma = _COMMA.match(self._text, at)
        if comma is None or self._may_waste < 0:
            return None
        before = self._text[max(at - _LONGEST_EDGE, 0) : at]
        closing = before[len(before.rstrip(']}"')) :]
        first = comma.start(1)
        cut = self._text.rfind(closing + comma[0], first, first + PIECE)
        if cut < 0:
            return None
        end = cut + len(closing)
        found: Any = None
        size = 0
        try:
            found, size = self._scan(f"{brackets[0]}{self._text[first:end]}{brackets[1]}", 0)
        except (StopIteration, ValueError):
            pass  # the place lies deeper than it looked
        if size != end - first + 2:
            self._may_waste -= end - first
            return None
        self._show(found)
        return found, end

    def _step_over(self, mark: str, at: int) -> int:
        if self._text[at : at + 1] != mark:
            raise JSONDecodeError(f"Expecting {mark!r} delimiter", self._text, at)
        return self._skip(at + 1)


def _add_members(members: dict[str, Any], more: dict[str, Any]) -> None:
    repeated = next((key for key in more if key in members), None)
    if repeated is not None:
        raise RepeatedKeyError(repeated)
    members.update(more)
