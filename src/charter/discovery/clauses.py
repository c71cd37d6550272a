"""A long request cut where one thing to do ends and the next begins.

What each part asks for is `concepts.py`'s.
"""

import re

__all__ = ["split_clauses"]

SHORTEST = 3
"""Words below which a part belongs to the one before it."""
_END = re.compile(
    r"(?<=[.!?;:])\s+|\n+|,\s+(?=and\s)|[,\s]\s*(?=(?:then|after that|afterwards|finally|lastly)[,\s])",
    re.IGNORECASE,
)
_AND = re.compile(r"\s+and\s+(?=([a-z]+))", re.IGNORECASE)


def split_clauses(text: str, verbs: frozenset[str]) -> list[str]:
    """Split a request into its clauses: sentences, and what follows "then", or "and" before one of `verbs`.

    >>> split_clauses("Find the new invoice and send it to Ann. Then archive it please.", frozenset({"send"}))
    ['Find the new invoice', 'send it to Ann.', 'Then archive it please.']
    """
    clauses: list[str] = []
    for sentence in _END.split(text):
        for clause in _split_at_verbs(sentence, verbs):
            if clauses and len(clause.split(None, SHORTEST)) < SHORTEST:
                clauses[-1] = f"{clauses[-1]} {clause}"
            elif clause.strip():
                clauses.append(clause)
    return clauses


def _split_at_verbs(sentence: str, verbs: frozenset[str]) -> list[str]:
    parts: list[str] = []
    start = 0
    for match in _AND.finditer(sentence):
        if match.group(1).lower() in verbs:
            parts.append(sentence[start : match.start()])
            start = match.end()
    return [*parts, sentence[start:]]
