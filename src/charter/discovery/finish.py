"""How a model's answer ended: one vocabulary for the words of every provider.

What becomes of a run that such an answer ends is `conversation.py`'s.
"""

from dataclasses import dataclass
from typing import Any, Literal

from charter.discovery.given import clean_text

__all__ = ["Finish", "FinishReason", "read_finish", "say_cut"]

FinishReason = Literal["stop", "length", "content_filter", "refusal", "error"]

_WORDS: dict[FinishReason, str] = {
    "length": """length max_tokens max_output_tokens max_completion_tokens model_length token_limit
        model_context_window_exceeded continuation incomplete""",
    "content_filter": """content_filter content_filtered safety recitation language blocklist prohibited_content spii
        image_safety image_prohibited_content image_recitation escalation pup_limited_disabled model_armor
        guardrail_intervened sensitive""",
    "refusal": "refusal",
    "error": """error failed cancelled other malformed_function_call malformed_response unexpected_tool_call
        too_many_tool_calls missing_thought_signature image_other no_image finish_reason_unspecified network_error
        insufficient_system_resource""",
}
_REASONS: dict[str, FinishReason] = {
    word: reason for reason, words in _WORDS.items() for word in words.split()
}


@dataclass(frozen=True, slots=True)
class Finish:
    """Why a model stopped: in the one vocabulary, and in its provider's own word."""

    reason: FinishReason
    word: str = ""


STOP = Finish("stop")


def read_finish(word: Any) -> Finish:
    """Return what a provider's word means, however it writes capitals; one that is not known is a stop.

    >>> read_finish("MAX_TOKENS"), read_finish("tool_calls").reason
    (Finish(reason='length', word='MAX_TOKENS'), 'stop')
    """
    # An enum's member is written as its value.
    text = "" if word is None else clean_text(str(getattr(word, "value", word)))
    return Finish(_REASONS.get(text.lower(), "stop"), text)


def say_cut(finish: Finish | None) -> str:
    """Return what a call is refused with that stood in an answer which was not whole; nothing when it was.

    >>> say_cut(read_finish("max_tokens"))
    'the call was cut off at max_tokens, and nothing was sent. Send it again, shorter.'
    """
    if finish is None:
        return "the answer broke off, so the call was cut and nothing was sent. Send it again."
    if finish.reason == "stop":
        return ""
    if finish.reason == "length":
        return f"the call was cut off at {finish.word}, and nothing was sent. Send it again, shorter."
    return f"the answer was cut off ({finish.word}), and nothing was sent. Send the call again, or do without it."
