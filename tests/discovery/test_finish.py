"""How an answer ended, in one vocabulary, and what a call is refused with that stood in one that was cut off."""

from enum import Enum

import pytest

from charter.discovery.finish import Finish, read_finish, say_cut


class Reason(Enum):
    MAX_TOKENS = "MAX_TOKENS"


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        *[
            (word, "stop")
            for word in ("stop", "STOP", "tool_calls", "end_turn", "tool_use", "pause_turn", "completed")
        ],
        *[
            (word, "length")
            for word in ("length", "MAX_TOKENS", "max_output_tokens", "model_context_window_exceeded")
        ],
        *[
            (word, "content_filter")
            for word in ("content_filter", "SAFETY", "RECITATION", "PROHIBITED_CONTENT")
        ],
        ("refusal", "refusal"),
        *[(word, "error") for word in ("error", "failed", "OTHER", "MALFORMED_FUNCTION_CALL")],
        ("a word of tomorrow", "stop"),
    ],
)
def test_a_providers_word_has_one_meaning_and_is_kept_beside_it(word: str, reason: str) -> None:
    assert read_finish(word) == Finish(reason, word)


def test_no_word_is_a_stop_and_an_enums_member_its_value() -> None:
    assert read_finish(None) == Finish("stop", "")
    assert read_finish(Reason.MAX_TOKENS) == Finish("length", "MAX_TOKENS")
    assert read_finish(["\ud83d"]).reason == "stop"


def test_only_a_call_of_a_whole_answer_is_not_refused() -> None:
    assert say_cut(read_finish("tool_calls")) == ""
    assert "cut off at length" in say_cut(read_finish("length"))
    for finish in (None, read_finish("SAFETY"), read_finish("refusal"), read_finish("OTHER")):
        assert "cut" in say_cut(finish) and "nothing was sent" in say_cut(finish)
