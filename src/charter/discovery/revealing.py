"""What a search shows a model for the first time, where a provider loads tools inside the conversation.

How a provider writes that is its adapter's; what a search loads is `session.py`'s.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from charter.discovery.given import is_mapping, read_names
from charter.discovery.searching import ALL_IS_WELL
from charter.discovery.transcript import read_past_calls
from charter.discovery.turn import Answer

__all__ = ["Revealed", "read_revealed", "read_shown"]


@dataclass(frozen=True, slots=True)
class Revealed:
    """The tools that a search loaded and that the model has not been shown, and what else to tell it."""

    names: tuple[str, ...]
    remark: str
    """The answer's text; empty when the tools say it all."""


def read_shown(messages: Iterable[Any]) -> list[str]:
    """Return the tools that the messages themselves show to the model, by reference or definition."""
    return [name for call in read_past_calls(messages) for name in call.references]


def read_revealed(answer: Answer, shown: Collection[str]) -> Revealed:
    """Read off the answer of a search what is new to a model that has been shown `shown`.

    >>> read_revealed(Answer('{"loaded":["a__b"],"note":"Call these by name."}'), ())
    Revealed(names=('a__b',), remark='')
    """
    told = _parse(answer.text)
    loaded = read_names(told.get("loaded")) or []
    fresh = tuple(name for name in dict.fromkeys(loaded) if name not in shown)
    is_plain = told.keys() == {"loaded", "note"} and told["note"] == ALL_IS_WELL
    return Revealed(fresh, "" if is_plain and len(fresh) == len(set(loaded)) else answer.text)


def _parse(text: str) -> dict[str, Any]:
    try:
        told = from_json(text)
    except ValueError:
        return {}
    return dict(told) if is_mapping(told) else {}
