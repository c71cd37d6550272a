"""Whether the best tools fit a request at all: five unrelated tools are worse than none.

How they are ranked is `scoring.py`'s.
"""

from collections.abc import Sequence

from charter.discovery.concepts import Concept
from charter.discovery.postings import Document
from charter.discovery.scoring import Match, Scored

__all__ = ["fits"]

ENOUGH = 0.6
"""What must be left of the signs for a tool after those against."""
ENOUGH_FOR_FEW = 0.35
FEW = 2
"""A request of so few things cannot give more signs."""
MOST_AGAINST = 2.0
IN_NAME = 1.5
IN_HINTS = 0.5
"""Hints are many, and each of their words is also said of something else."""
ELSEWHERE = 0.3
FOR_ANOTHER_WORD = 0.6
SMALL = 0.4
"""What an action, or a word that most requests have, tells for a tool."""
PHRASE = 0.8
MISSING = 0.1
"""What a word tells against a tool that lacks it, while others have it."""
OTHER_WORD_KNOWN = 0.3
"""How much of what it tells against is left when tools have another word for it."""
LONG = 3.0
"""Of a request that lacks more words than this, the signs against are those of an average so many."""


def fits(scored: Sequence[Scored], matches: Sequence[Match], documents: Sequence[Document]) -> bool:
    """Return whether at least one of the best tools has enough of what is asked for.

    A word tells for a tool that has it, most of all in its name. A word that names a subject or a
    service which no tool knows tells against all of them, any other word that a tool lacks a little.
    Days and hours tell nothing beside other words, but are all there is in "tomorrow?".
    """
    matches = [match for match in matches if match.concept.kind != "moment"] or matches
    asked = sum(match.concept.kind == "thing" for match in matches)
    enough = ENOUGH if asked > FEW else ENOUGH_FOR_FEW
    return any(_find_signs(each, matches, documents[each.place]) >= enough for each in scored)


def _find_signs(scored: Scored, matches: Sequence[Match], document: Document) -> float:
    told = frozenset(document.run[: document.hinted])
    hints = frozenset(document.run[document.hinted :])
    signs = 0.0
    against = 0.0
    lacked = 0
    for match in matches:
        concept = match.concept
        if concept.term in scored.gains:
            signs += _weigh(concept) * max(
                _place(term, document, told, hints) * (1.0 if term == concept.term else FOR_ANOTHER_WORD)
                for term in concept.variants
            )
        elif concept.kind == "thing" and concept.weight == 1:
            lacked += 1
            against += MISSING if match.is_known else _tell_against(match)
    return signs - min(MOST_AGAINST, against * min(1.0, LONG / max(1, lacked)))


def _tell_against(match: Match) -> float:
    return match.concept.foreign * (OTHER_WORD_KNOWN if match.rows else 1.0)


def _weigh(concept: Concept) -> float:
    if concept.kind == "phrase":
        return PHRASE / FOR_ANOTHER_WORD
    return SMALL if concept.kind == "action" or concept.weight < 1 else 1.0


def _place(term: str, document: Document, told: frozenset[str], hints: frozenset[str]) -> float:
    if term in document.name:
        return IN_NAME
    if term in told:
        return 1.0
    return IN_HINTS if term in hints else ELSEWHERE
