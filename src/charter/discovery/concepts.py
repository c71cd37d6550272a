"""A request in words, read into what it asks for: each word with the words that may stand for it.

Which tools have them is `scoring.py`'s; the words themselves are data in `synonyms.py`.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal

from charter.discovery.clauses import split_clauses
from charter.discovery.spelling import correct
from charter.discovery.synonyms import (
    ACTIONS,
    FAINT,
    KINDS,
    MOMENTS,
    PHRASES,
    PRONOUNS,
    SAME,
    SERVICES,
    SHAPES,
    SUBJECTS,
    USUAL,
)
from charter.discovery.translations import TRANSLATIONS
from charter.discovery.tuning import Tuning
from charter.discovery.words import STOP_WORDS, has_capital, split_chunks, stem
from charter.normalizing import strip_marks

__all__ = ["MAX_TEXT", "Concept", "Kind", "Request", "read_request", "read_usual"]

MAX_TEXT = 4_000
"""Characters of a request that are read."""
MAX_CONCEPTS = 64
"""Different words of a request that are read."""
MAX_CORRECTIONS = 3
"""Words of a request that are looked up as misspelt."""

_GAP = re.compile(r"\s{2,}")

Kind = Literal["thing", "action", "phrase", "moment"]


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing or action that a request speaks of."""

    word: str
    """As the request has it."""
    term: str
    kind: Kind
    weight: float
    variants: Mapping[str, float]
    """Terms that stand for it, itself first, each with how much it counts."""
    foreign: float
    """How much it tells against every tool when no tool has any of it."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a request asks for, word by word, which words stand side by side, and which in one clause."""

    concepts: tuple[Concept, ...]
    pairs: tuple[tuple[str, str], ...]
    parts: tuple[frozenset[str], ...]
    """The terms of each clause."""


@dataclass(frozen=True, slots=True)
class _Table:
    same: Mapping[str, frozenset[str]]
    general: Mapping[str, frozenset[str]]
    special: Mapping[str, frozenset[str]]
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]]
    actions: frozenset[str]
    faint: frozenset[str]
    moments: frozenset[str]
    services: frozenset[str]
    subjects: frozenset[str]
    verbs: frozenset[str]
    translations: Mapping[str, frozenset[str]]


def read_request(text: str, tuning: Tuning, terms: Mapping[str, object], words: Mapping[str, str]) -> Request:
    """Read what a request asks for. `terms` and `words` are those that some tool has.

    A word counts once. When there are only stop words they are read: a tool may be called by one.
    """
    text = _close_gaps(strip_marks(text[:MAX_TEXT]))[:MAX_TEXT]
    clauses = [_read_said(clause, terms) for clause in split_clauses(text, _read_table().verbs)]
    said = [word for clause in clauses for word in clause]
    stops: Collection[str] = STOP_WORDS if tuning.stops and not STOP_WORDS.issuperset(said) else ()
    found = _read_words(text, [word for word in said if word not in stops], tuning, terms, words)
    read = stem if tuning.stems else str
    parts = [[read(word) for word in clause if word not in stops] for clause in clauses]
    for phrase, meant in (*_find_phrases(said), *_find_shapes(text)) if tuning.phrase else ():
        found.setdefault(
            phrase, Concept(phrase, phrase, "phrase", 1.0, dict.fromkeys(meant, tuning.phrase), 0.0)
        )
    pairs = dict.fromkeys(pair for part in parts for pair in pairwise(part) if pair[0] != pair[1])
    return Request(tuple(found.values()), tuple(pairs), tuple(frozenset(part) for part in parts))


def _close_gaps(text: str) -> str:
    """Make each run of white space one character: a pattern that begins with one tries each of its places.

    A line break ends a clause, so it stays one.
    """
    return _GAP.sub(lambda gap: "\n" if "\n" in gap[0] else " ", text)


def _read_said(clause: str, terms: Mapping[str, object]) -> list[str]:
    return [word for pieces in split_chunks(clause) for word in _choose_pieces(pieces, terms)]


def _read_words(
    text: str, telling: Sequence[str], tuning: Tuning, terms: Mapping[str, object], words: Mapping[str, str]
) -> dict[str, Concept]:
    names = has_capital(text)
    found: dict[str, Concept] = {}
    slips = MAX_CORRECTIONS if tuning.typo else 0
    for word in telling:
        term = stem(word) if tuning.stems else word
        if term in found or len(found) >= MAX_CONCEPTS:
            continue
        variants = _find_variants(term, tuning)
        if tuning.translated:
            _add_translations(word, variants, tuning)
        if slips and word not in names and terms.keys().isdisjoint(variants):
            slips -= 1
            variants.update(_correct(word, words, tuning))
        found[term] = _build_concept(word, term, variants, tuning)
    return found


def _correct(word: str, words: Mapping[str, str], tuning: Tuning) -> dict[str, float]:
    meant = correct(word, words)
    if meant is None:
        return {}
    return {term: share * tuning.typo for term, share in _find_variants(words[meant], tuning).items()}


def _choose_pieces(pieces: tuple[str, ...], terms: Mapping[str, object]) -> tuple[str, ...]:
    """Return GitHub as one word when some tool has it as one, else as two."""
    whole = "".join(pieces)
    if len(pieces) != 2 or not (stem(whole) in terms or stem(whole) in _read_table().services):
        return pieces
    return (whole,)


def _add_translations(word: str, variants: dict[str, float], tuning: Tuning) -> None:
    translations = _read_table().translations
    for english in translations.get(word) or translations.get(word.removesuffix("s"), ()):
        for other, share in _find_variants(english, tuning).items():
            variants[other] = max(share * tuning.translated, variants.get(other, 0.0))


def _find_variants(term: str, tuning: Tuning) -> dict[str, float]:
    """Return the terms that stand for one, with what each counts."""
    table = _read_table()
    variants = {term: 1.0}
    for group, weight in (
        (table.same, tuning.same),
        (table.general, tuning.general),
        (table.special, tuning.special),
    ):
        if weight:
            for other in group.get(term, ()):
                variants[other] = max(weight, variants.get(other, 0.0))
    return variants


def _build_concept(word: str, term: str, variants: Mapping[str, float], tuning: Tuning) -> Concept:
    table = _read_table()
    weight = tuning.faint if term in table.faint else 1.0
    if term in table.actions:
        return Concept(word, term, "action", weight, variants, 0.0)
    if term in table.moments or term.isdigit():
        return Concept(word, term, "moment", weight, variants, 0.0)
    foreign = 0.1
    if term in table.services:
        foreign = 2.0
    elif term in table.subjects:
        foreign = 1.0
    return Concept(word, term, "thing", weight, variants, foreign)


def _find_phrases(said: list[str]) -> Iterable[tuple[str, tuple[str, ...]]]:
    phrases = _read_table().phrases
    said = [word for word in said if word not in PRONOUNS]
    stems = [stem(word) for word in said]
    for place, first in enumerate(stems):
        for parts, meant in phrases.get(first, ()):
            if tuple(stems[place : place + len(parts)]) == parts:
                yield " ".join(said[place : place + len(parts)]), meant


def _find_shapes(text: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    for pattern, meant in _read_shapes():
        if pattern.search(text):
            yield " ".join(meant), meant


@cache
def _read_shapes() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    return tuple(
        (re.compile(pattern), tuple(stem(word) for word in meant.split())) for pattern, meant in SHAPES
    )


@cache
def _read_table() -> _Table:
    same: dict[str, set[str]] = {}
    for words in SAME.split("|"):
        group = _stems(words)
        for term in group:
            same.setdefault(term, set()).update(group - {term})
    general, special = _read_pairs(KINDS)
    translations: dict[str, set[str]] = {}
    for line in TRANSLATIONS.split("|"):
        english, _, foreign = line.partition(":")
        for word in foreign.split():  # as written: an ending of one language is another's word
            translations.setdefault(word, set()).add(stem(english.strip()))
    phrases: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for line in PHRASES.split("|"):
        phrase, _, meant = line.partition(":")
        parts = tuple(stem(word) for word in phrase.split())
        phrases.setdefault(parts[0], []).append((parts, tuple(stem(word) for word in meant.split())))
    actions, faint, moments, services = (_stems(words) for words in (ACTIONS, FAINT, MOMENTS, SERVICES))
    return _Table(
        _freeze(same),
        _freeze(general),
        _freeze(special),
        {first: tuple(found) for first, found in phrases.items()},
        actions,
        faint,
        moments,
        services,
        _stems(SUBJECTS) - actions - faint - moments,
        frozenset(ACTIONS.split()),
        _freeze(translations),
    )


def _read_pairs(table: str) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Read lines of `whole: part part` as the wholes of each part, and the parts of each whole."""
    wholes: dict[str, set[str]] = {}
    parts: dict[str, set[str]] = {}
    for line in table.split("|"):
        whole, _, rest = line.partition(":")
        for word in rest.split():
            wholes.setdefault(stem(word), set()).add(stem(whole.strip()))
            parts.setdefault(stem(whole.strip()), set()).add(stem(word))
    return wholes, parts


@cache
def read_usual() -> frozenset[str]:
    """Read the terms of what is most often wanted of a thing."""
    return _stems(USUAL)


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


def _freeze(groups: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {term: frozenset(sorted(group)) for term, group in groups.items()}
