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
MOST_AGAINST = 2.0
IN_NAME = 1.5
ELSEWHERE = 0.6
FOR_ANOTHER_WORD = 0.6
SMALL = 0.4
"""What an action, or a word that most requests have, tells for a tool."""
PHRASE = 0.8
OTHER_WORD_KNOWN = 0.3
LONG = 3.0
MISSING = 0.1
"""What a word tells against a tool that lacks it, while others have it."""


def fits(scored: Sequence[Scored], matches: Sequence[Match], documents: Sequence[Document]) -> bool:
    """Return whether at least one of the best tools has enough of what is asked for.

    A word tells for a tool that has it, most of all in its name. A word that names a subject or a
    service which no tool knows tells against all of them, any other word that a tool lacks a little.
    """
    return any(_find_signs(each, matches, documents[each.place]) >= ENOUGH for each in scored)


def _find_signs(scored: Scored, matches: Sequence[Match], document: Document) -> float:
    run = set(document.run)
    signs = 0.0
    against = 0.0
    things = 0
    for match in matches:
        concept = match.concept
        if concept.kind == "moment":
            continue
        if concept.term in scored.gains:
            signs += _weigh(concept) * max(
                (_place(term, document, run) * (1.0 if term == concept.term else FOR_ANOTHER_WORD))
                for term in concept.variants
            )
        elif concept.kind == "thing" and concept.weight == 1:
            things += 1
            against += (
                MISSING if match.is_known else concept.foreign * (OTHER_WORD_KNOWN if match.rows else 1.0)
            )
    return signs - min(MOST_AGAINST, against * min(1.0, LONG / max(1, things)))


def _weigh(concept: Concept) -> float:
    if concept.kind == "phrase":
        return PHRASE / FOR_ANOTHER_WORD
    return SMALL if concept.kind == "action" or concept.weight < 1 else 1.0


def _place(term: str, document: Document, run: set[str]) -> float:
    if term in document.name:
        return IN_NAME
    return 1.0 if term in run else ELSEWHERE
