"""The blocks of one answer: put together from events, and what of them cannot be sent back."""

from typing import Any

import pytest

from charter import ModelError
from charter.adapters._anthropic_blocks import Blocks

TEXT = {"type": "text", "text": "Yes."}
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
CALL = {"type": "tool_use", "id": "c0", "name": "shop__buy", "input": {}}


def read(*blocks: Any, is_whole: bool = True, is_paused: bool = False) -> Any:
    answer = Blocks()
    answer.take({"content": list(blocks)})
    return answer.read(is_whole=is_whole, is_paused=is_paused)[1]


def test_text_that_says_nothing_is_left_out() -> None:
    for blank in ("", " ", "\n\n"):
        assert read({"type": "text", "text": blank}, CALL) == [CALL]
        assert read(TEXT, {"type": "text", "text": blank}) == [TEXT]
    assert read({"type": "text", "text": " x "}) == [{"type": "text", "text": " x "}]


def test_thoughts_at_the_end_are_left_out_unless_the_model_goes_on() -> None:
    assert read(THOUGHT) == []
    assert read(THOUGHT, TEXT, THOUGHT) == [THOUGHT, TEXT]
    assert read(THOUGHT, CALL) == [THOUGHT, CALL]
    assert read(THOUGHT, is_paused=True) == [THOUGHT]


def test_a_thought_or_a_servers_call_that_was_cut_is_left_out() -> None:
    unsigned = {"type": "thinking", "thinking": "Hm", "signature": ""}
    search = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    found = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
    assert read(unsigned, search, CALL, is_whole=False) == [CALL]
    assert read(search, found, CALL, is_whole=False) == [search, found, CALL]
    assert read(unsigned, search, CALL) == [unsigned, search, CALL]


def test_pieces_of_a_kind_that_is_not_known_are_kept() -> None:
    answer = Blocks()
    answer.add(
        {"type": "content_block_start", "index": 0, "content_block": {"type": "compaction", "content": ""}}
    )
    for piece in ("a", "b"):
        delta = {"type": "compaction_delta", "content": piece}
        assert answer.add({"type": "content_block_delta", "index": 0, "delta": delta}) == ""
    assert answer.read(is_whole=True, is_paused=False)[1] == [{"type": "compaction", "content": "ab"}]


def test_an_error_among_the_events_is_raised() -> None:
    with pytest.raises(ModelError, match="Overloaded"):
        Blocks().add({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
