"""What tools cost in a prompt: the first turn with a search, against every schema sent.

Not here: the rule by which tokens are counted. `charter.schema.cost` has it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from charter.adapters.openai import to_openai_tools
from charter.discovery.session import ToolSession
from charter.schema.cost import json_tokens
from charter.tool import Tool

__all__ = ["Figures", "read_figures"]


@dataclass(frozen=True, slots=True)
class Figures:
    """Tokens of what is sent as `tools`, as it goes to OpenAI's API."""

    tools: int
    """How many there are."""
    first_turn: int
    """What the first turn of a session over them sends."""
    everything: int
    """What every turn sends without a search: each tool with its schema."""


def read_figures(tools: Sequence[Tool]) -> Figures:
    """Count, by rendering both lists as they are sent.

    >>> read_figures([])
    Figures(tools=0, first_turn=0, everything=0)
    """
    return Figures(
        tools=len(tools),
        first_turn=json_tokens(to_openai_tools(ToolSession(tools))),
        everything=json_tokens(to_openai_tools(tools)),
    )
