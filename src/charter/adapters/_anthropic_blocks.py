"""One answer of Anthropic Messages: its blocks, whole or put together from the events of a stream.

When the model is asked is `anthropic.py`'s.
"""

from collections.abc import Iterator
from typing import Any

from charter.discovery.given import clean_text, get, to_plain
from charter.discovery.history import clean, fill_ids, is_blank, keep_name, keep_object
from charter.discovery.pieces import add_piece
from charter.discovery.turn import Call
from charter.errors import ModelError

__all__ = ["Blocks"]

_THOUGHTS = ("thinking", "redacted_thinking")
_Block = dict[str, Any]


class Blocks:
    """One answer so far."""

    def __init__(self) -> None:
        self.usage: dict[str, Any] = {}
        self.stop_reason: Any = None
        self._blocks: dict[Any, _Block] = {}
        self._inputs: dict[Any, str] = {}

    def take(self, message: Any) -> None:
        """Take in a whole message, or the beginning of a streamed one."""
        for block in get(message, "content") or ():
            self._blocks[len(self._blocks)] = to_plain(block)
        self._count(get(message, "usage"))
        self.stop_reason = get(message, "stop_reason")

    def add(self, event: Any) -> str:
        """Take in one event and return the text in it.

        Raises:
            ModelError: the event says that the provider failed.
        """
        match get(event, "type"):
            case "message_start":
                self.take(get(event, "message"))
            case "content_block_start":
                self._blocks[get(event, "index")] = to_plain(get(event, "content_block"))
            case "content_block_delta":
                return self._add_delta(get(event, "index"), to_plain(get(event, "delta")) or {})
            case "message_delta":
                self.stop_reason = get(get(event, "delta"), "stop_reason") or self.stop_reason
                self._count(get(event, "usage"))
            case "error":
                said = clean_text(str(get(get(event, "error"), "message") or "no reason")[:200])
                raise ModelError(f"run: the model failed: {said!r}. Ask again.")
            case _:
                pass
        return ""

    def _count(self, usage: Any) -> None:
        """Take in a count; a later one of the same stream counts the whole answer anew."""
        counted: dict[str, Any] = to_plain(usage) or {}
        self.usage |= {name: value for name, value in counted.items() if value is not None}

    def _add_delta(self, index: Any, delta: dict[str, Any]) -> str:
        piece = {name: value for name, value in delta.items() if name != "type"}
        if isinstance(written := piece.pop("partial_json", None), str):
            self._inputs[index] = self._inputs.get(index, "") + written
        if (citation := piece.pop("citation", None)) is not None:
            piece["citations"] = [to_plain(citation)]
        self._blocks[index] = add_piece(self._blocks.get(index, {"type": "text", "text": ""}), piece)
        return clean_text(piece.get("text") or "") if delta.get("type") == "text_delta" else ""

    def read(self, *, is_whole: bool, is_paused: bool) -> tuple[list[Call], list[_Block]]:
        """Return what was called, and the blocks as they can be sent again."""
        asked = [index for index, block in self._blocks.items() if block.get("type") == "tool_use"]
        ids = dict(zip(asked, fill_ids(self._blocks[index].get("id") for index in asked), strict=True))
        calls: list[Call] = []
        content: list[_Block] = []
        for index, block in self._blocks.items():
            given = self._inputs.get(index) or block.get("input")
            kept = {**clean(block), "input": keep_object(given)} if "input" in block else clean(block)
            if index in ids:
                name = str(block.get("name") or "")
                calls.append(Call(ids[index], name, given))
                kept |= {"id": ids[index], "name": keep_name(name)}
            content.append(kept)
        return calls, list(_drop_unsendable(content, is_whole=is_whole, is_paused=is_paused))

    def text(self) -> str:
        """Return the text of the answer."""
        texts = (block.get("text") for block in self._blocks.values() if block.get("type") == "text")
        return clean_text("".join(text for text in texts if isinstance(text, str)))


def _drop_unsendable(content: list[_Block], *, is_whole: bool, is_paused: bool) -> Iterator[_Block]:
    """Leave out what the provider refuses to take back, beside which the whole conversation would be refused."""
    answered = {block.get("tool_use_id") for block in content}
    last = len(content)
    while last and not is_paused and _is_nothing(content[last - 1]):
        last -= 1  # an answer may not end in thoughts
    for block in content[:last]:
        kind = block.get("type")
        is_cut = (kind == "thinking" and is_blank(block.get("signature"))) or (
            kind == "server_tool_use" and block.get("id") not in answered
        )
        if not _is_empty(block) and (is_whole or not is_cut):
            yield block


def _is_empty(block: _Block) -> bool:
    return block.get("type") == "text" and is_blank(block.get("text"))


def _is_nothing(block: _Block) -> bool:
    return _is_empty(block) or block.get("type") in _THOUGHTS
