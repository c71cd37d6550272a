"""An answer of Chat Completions put together from the chunks of a stream, however a gateway cuts and numbers them.

What an answer becomes in the conversation is `openai.py`'s.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from charter.discovery.given import is_mapping, read_json, to_plain
from charter.discovery.pieces import add_piece

__all__ = ["Chunks"]


class Chunks:
    """The pieces of one answer so far."""

    def __init__(self) -> None:
        self._fields: dict[str, Any] = {}
        self._calls: list[_CallInPieces] = []
        self._last: _CallInPieces | None = None

    def add(self, delta: Any) -> None:
        """Take in one piece."""
        piece: dict[str, Any] = to_plain(delta) or {}
        self._fields = add_piece(self._fields, {name: piece[name] for name in piece if name != "tool_calls"})
        for call in piece.get("tool_calls") or ():
            self._add_call(to_plain(call))

    def _add_call(self, piece: Mapping[str, Any]) -> None:
        identity, index = piece.get("id") or None, piece.get("index")
        function: dict[str, Any] = to_plain(piece.get("function")) or {}
        call = self._find(identity, index, function)
        if call is None:
            call = _CallInPieces(index)
            self._calls.append(call)
        call.add(piece, function)
        self._last = call

    def _find(self, identity: Any, index: Any, function: Mapping[str, Any]) -> "_CallInPieces | None":
        """Return the call that a piece is of. Some gateways number every call 0, or not at all, or give no ids."""
        numbered = [call for call in reversed(self._calls) if index is None or call.index == index]
        if identity:
            known = next((call for call in numbered if call.identity == identity), None)
            if known is not None:
                return known
            numbered = [call for call in numbered[:1] if not call.identity]  # its id comes late
        elif index is None or self._last in numbered:
            numbered = [self._last] if self._last else []
        if not numbered or numbered[0].is_before(function):
            return None
        return numbered[0]

    def message(self) -> dict[str, Any]:
        """Return the answer as a message, with every field that a provider added."""
        calls = [call.render() for call in self._calls]
        return {**self._fields, "tool_calls": calls} if calls else dict(self._fields)


@dataclass(eq=False, slots=True)
class _CallInPieces:
    index: Any
    fields: dict[str, Any] = field(default_factory=dict[str, Any])
    function: dict[str, Any] = field(default_factory=dict[str, Any])
    name: str = ""
    arguments: Any = None

    @property
    def identity(self) -> Any:
        return self.fields.get("id")

    def is_before(self, function: Mapping[str, Any]) -> bool:
        """Tell whether a piece without an id begins another call: it names one again when this one is whole."""
        name, arguments = function.get("name"), function.get("arguments")
        if not name or not self.name:
            return False
        if name != self.name:  # the pieces of a name come before any arguments
            return self.arguments is not None and arguments is not None
        return (
            _is_whole(self.arguments) and _is_whole(arguments) and _read(arguments) != _read(self.arguments)
        )

    def add(self, piece: Mapping[str, Any], function: Mapping[str, Any]) -> None:
        own = {name: piece[name] for name in piece if name not in ("index", "function")}
        more = {name: function[name] for name in function if name not in ("name", "arguments")}
        self.fields = add_piece(self.fields, own)
        self.function = add_piece(self.function, more)
        self.name = _join_names(self.name, function.get("name"))
        self.arguments = _join_arguments(self.arguments, function.get("arguments"))

    def render(self) -> dict[str, Any]:
        function = {**self.function, "name": self.name, "arguments": self.arguments}
        return {"id": None, "type": "function", **self.fields, "function": function}


def _join_names(held: str, new: Any) -> str:
    """Join a name; some gateways say it, or what there is of it, with every piece."""
    if not isinstance(new, str):
        return held
    return new if new.startswith(held) else held + new


def _join_arguments(held: Any, new: Any) -> Any:
    """Join arguments; some gateways send them whole at last, or what there is of them with every piece."""
    if new is None or (new == "" and held is not None):
        return held
    if not isinstance(new, str) or not isinstance(held, str):
        return new
    # No object goes on with another one, nor with all that it began with.
    begins = new.lstrip().startswith("{")
    again = begins and (_is_whole(held) or (held.lstrip().startswith("{") and new.startswith(held)))
    return new if again else held + new


def _is_whole(arguments: Any) -> bool:
    return is_mapping(_read(arguments))


def _read(arguments: Any) -> Any:
    if not isinstance(arguments, str):
        return arguments
    try:
        return read_json(arguments)
    except ValueError:
        return None
