"""The numbers that the ranking is made of, each with its name, and switches to try it without a part.

What they do is in `postings.py`, `concepts.py` and `scoring.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["DEFAULT", "FIELDS", "Tuning"]

FIELDS = ("name", "pack", "hints", "summary", "details", "parameters", "parameter_texts")
"""The parts of an entry that are searched, most telling first."""


def _weights() -> Mapping[str, float]:
    return {
        "name": 4.0,
        "pack": 1.5,
        "hints": 2.0,
        "summary": 2.0,
        "details": 0.6,
        "parameters": 1.0,
        "parameter_texts": 0.8,
    }


def _lengths() -> Mapping[str, float]:
    return {
        "name": 0.4,
        "pack": 0.0,
        "hints": 0.4,
        "summary": 0.5,
        "details": 0.75,
        "parameters": 0.75,
        "parameter_texts": 0.75,
    }


@dataclass(frozen=True, slots=True)
class Tuning:
    """One setting of the ranking. The default is what every catalogue uses."""

    weights: Mapping[str, float] = field(default_factory=_weights)
    """How much a word counts in each field."""
    lengths: Mapping[str, float] = field(default_factory=_lengths)
    """How much a long field makes its words count less: 0 not at all, 1 in proportion."""
    saturation: float = 2.0
    """How soon a word's repetitions stop adding (the k1 of BM25)."""
    common_share: float = 0.1
    """Parameters that more than this share of the tools have say nothing of any."""
    stems: bool = True
    stops: bool = True
    same: float = 0.35
    """What a word for the same thing counts, beside the word itself."""
    general: float = 0.5
    """What the general word counts for a special one: cryptocurrency for bitcoin."""
    special: float = 0.2
    """What the special word counts for a general one."""
    phrase: float = 0.5
    """What the words count that a phrase stands for."""
    translated: float = 0.8
    """What an English word counts for one of another language."""
    typo: float = 0.8
    """What a known word counts for a misspelt one; 0 corrects nothing."""
    faint: float = 0.7
    """What words count that most requests have: information, latest, provide."""
    action: float = 0.3
    """What an action counts on a tool that has nothing of the things asked for; 1 for as much as on others."""
    action_full: float = 0.5
    """The share of the best match of things from which on actions count whole."""
    pack: float = 0.5
    """How much more the tools of a pack count that the request names."""
    name_share: float = 0.4
    """How much more a tool counts whose whole name is in the request."""
    pair: float = 0.7
    """What two neighbours of the request count that are neighbours in the tool too."""
    usual: float = 0.05
    """How much more a tool counts that does the usual, such as list or create, when no action is asked for."""
    part: float = 0.25
    """What serving one clause best counts, over the best score, in a request of several clauses."""
    fit: bool = True
    """Whether a request that nothing fits is answered with nothing."""


DEFAULT = Tuning()
