"""How well tools fit what a request asks for: posting lists added up, and the best looked at again.

The words are `concepts.py`'s; whether anything fits at all is `fit.py`'s.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import pairwise

from charter.discovery.concepts import Concept, Request, read_usual
from charter.discovery.postings import Document, Postings, Row
from charter.discovery.tuning import Tuning

__all__ = ["Match", "Scored", "rank", "read_matches"]

MAX_READ = 20_000
"""Places of posting lists that one request reads; the commonest words come last and may be left out."""
WHOLE = 0.5
"""What it counts more when not a word of the name is missing."""
BY_ANOTHER_WORD = 0.6
"""What a word of a name counts that the request has in another word."""
AGAIN = 32
"""Candidates that are looked at again."""

_Weighed = tuple[Row, float]


@dataclass(frozen=True, slots=True)
class Match:
    """One concept of a request, with what each tool gets for it."""

    concept: Concept
    rows: tuple[_Weighed, ...]
    scores: dict[int, float]
    is_whole: bool
    """Whether `scores` holds every tool that has it."""
    is_known: bool
    """Whether some tool has the very word."""

    def read(self, place: int) -> float:
        """Return what one tool gets for this concept."""
        found = self.scores.get(place)
        if found is not None or self.is_whole:
            return found or 0.0
        return max(weight * _find_impact(row, place) for row, weight in self.rows)


@dataclass(frozen=True, slots=True)
class Scored:
    """One of the best tools: its place, its score and what it got for each concept that it has."""

    place: int
    score: float
    gains: dict[str, float]


def read_matches(request: Request, postings: Postings, among: Collection[int] | None = None) -> list[Match]:
    """Read what tools get for each concept, the most telling concepts first."""
    weighed = [(concept, _find_rows(concept, postings)) for concept in request.concepts]
    weighed.sort(key=lambda pair: (-max((weight for _, weight in pair[1]), default=0.0), pair[0].term))
    matches: list[Match] = []
    budget = MAX_READ
    for concept, rows in weighed:
        scores = _read_scores(rows) if budget > 0 else {}
        is_whole = budget > 0 and all(row.best is None for row, _ in rows)
        budget -= sum(len(row.places if row.best is None else row.best) for row, _ in rows)
        if among is not None:
            scores = {place: score for place, score in scores.items() if place in among}
        matches.append(Match(concept, rows, scores, is_whole or not rows, concept.term in postings.rows))
    return matches


def rank(
    matches: Sequence[Match], request: Request, postings: Postings, tuning: Tuning, limit: int
) -> list[Scored]:
    """Return the best tools, best first."""
    held = [match for match in matches if match.rows]
    things = _add([match.scores for match in held if match.concept.kind != "action"])
    actions = _add([match.scores for match in held if match.concept.kind == "action"])
    full = max(things.values(), default=0.0) * tuning.action_full
    named = [postings.packs[match.concept.term] for match in held if match.concept.term in postings.packs]
    rough = _join_all(things, actions, full, tuning)
    for place in {place for pack in named for place in pack if place in rough}:
        rough[place] *= 1 + tuning.pack
    scored: list[Scored] = []
    pairs = _find_pairs(request, held) if tuning.pair else []
    meant = {term for match in held for term in match.concept.variants}
    usual = read_usual()
    for place in _find_best(rough, max(limit, AGAIN if len(request.parts) < 2 else 2 * AGAIN)):
        gains = {match.concept.term: gain for match in held if (gain := match.read(place))}
        done = sum(gains.get(match.concept.term, 0.0) for match in held if match.concept.kind == "action")
        score = _join(sum(gains.values()) - done, done, full, tuning)
        if named and any(place in pack for pack in named):
            score *= 1 + tuning.pack
        document = postings.documents[place]
        score *= 1 + tuning.name_share * _find_share(document, gains, meant)
        score += tuning.pair * _find_gain(document, gains, pairs)
        if not actions and not document.name.isdisjoint(usual):
            score *= 1 + tuning.usual
        scored.append(Scored(place, score, gains))
    if tuning.part:
        scored = _raise_best_of_parts(scored, request.parts, tuning.part)
    scored.sort(key=lambda each: (-each.score, len(postings.documents[each.place].name), each.place))
    return scored[:limit]


def _raise_best_of_parts(
    scored: Sequence[Scored], parts: Sequence[AbstractSet[str]], weight: float
) -> list[Scored]:
    """Raise what serves one clause best, which a request of many clauses would else bury."""
    gains = [
        [sum(each.gains[term] for term in part & each.gains.keys()) for part in parts] for each in scored
    ]
    most = [max(column, default=0.0) for column in zip(*gains, strict=True)]
    if sum(gain > 0 for gain in most) < 2:
        return list(scored)
    raised = weight * max(each.score for each in scored)
    return [
        replace(
            each,
            score=each.score
            + raised * max(gain / best for gain, best in zip(row, most, strict=True) if best) ** 2,
        )
        for each, row in zip(scored, gains, strict=True)
    ]


def _find_best(rough: dict[int, float], count: int) -> list[int]:
    """Return the places with the highest scores; of equal ones those that come first."""
    if len(rough) <= count:
        return list(rough)
    least = nlargest(count, rough.values())[-1]
    above = [place for place, score in rough.items() if score > least]
    equal = sorted(place for place, score in rough.items() if score == least)
    return above + equal[: count - len(above)]


def _find_pairs(request: Request, held: Sequence[Match]) -> list[tuple[str, str]]:
    terms = {match.concept.term for match in held}
    return [pair for pair in request.pairs if pair[0] != pair[1] and pair[0] in terms and pair[1] in terms]


def _join_all(
    things: dict[int, float], actions: dict[int, float], full: float, tuning: Tuning
) -> dict[int, float]:
    joined = dict(things)
    for place, action in actions.items():
        joined[place] = _join(things.get(place, 0.0), action, full, tuning)
    return joined


def _find_rows(concept: Concept, postings: Postings) -> tuple[_Weighed, ...]:
    """Return the posting lists of a concept; no other word counts as rarer than the word itself."""
    own = postings.rows.get(concept.term)
    found: list[_Weighed] = []
    for term, share in concept.variants.items():
        row = postings.rows.get(term)
        if row is not None:
            rarity = row.rarity if own is None else min(row.rarity, own.rarity)
            found.append((row, concept.weight * share * rarity))
    return tuple(found)


def _read_scores(rows: Iterable[_Weighed]) -> dict[int, float]:
    scores: dict[int, float] = {}
    for row, weight in rows:
        pairs = row.best if row.best is not None else zip(row.places, row.impacts, strict=True)
        if not scores:
            scores = {place: weight * impact for place, impact in pairs}
            continue
        for place, impact in pairs:
            score = weight * impact
            if score > scores.get(place, 0.0):
                scores[place] = score
    return scores


def _find_impact(row: Row, place: int) -> float:
    at = bisect_left(row.places, place)
    return row.impacts[at] if at < len(row.places) and row.places[at] == place else 0.0


def _add(parts: Sequence[dict[int, float]]) -> dict[int, float]:
    """Add up what each tool gets, beginning with the longest part."""
    longest = max(range(len(parts)), key=lambda at: len(parts[at]), default=0)
    total = dict(parts[longest]) if parts else {}
    for part in (*parts[:longest], *parts[longest + 1 :]):
        for place, score in part.items():
            total[place] = total.get(place, 0.0) + score
    return total


def _join(things: float, actions: float, full: float, tuning: Tuning) -> float:
    """Add actions to things: an action counts little on a tool that has nothing of the things asked for."""
    if not full:
        return things + actions
    return things + actions * (tuning.action + (1 - tuning.action) * min(1.0, things / full))


def _find_share(document: Document, gains: Mapping[str, float], meant: AbstractSet[str]) -> float:
    """Return how much of a tool's name the request has: the plainest of many tools has most of its name there."""
    if not document.name:
        return 0.0
    own = document.name & gains.keys()
    if len(own) == len(document.name):
        return 1.0 + WHOLE
    return (len(own) + BY_ANOTHER_WORD * len((document.name - own) & meant)) / len(document.name)


def _find_gain(document: Document, gains: Mapping[str, float], pairs: Sequence[tuple[str, str]]) -> float:
    """Return what a tool gains by neighbours of the request that are neighbours in its text too."""
    held = [pair for pair in pairs if pair[0] in gains and pair[1] in gains]
    if not held:
        return 0.0
    beside = set(pairwise(document.run))
    return sum(min(gains[one], gains[two]) for one, two in held if (one, two) in beside)
