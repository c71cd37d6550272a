"""Why a search found what it found, and which tools their own words do not find: data, and text for a terminal.

The ranking itself is `scoring.py`'s; the commands that print this are the command line's.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from charter.discovery.concepts import Concept, Request, read_request
from charter.discovery.entry import Entry
from charter.discovery.index import Index
from charter.discovery.postings import read_fields
from charter.discovery.query import Need, parse
from charter.discovery.scoring import Match, Scored, rank, read_matches
from charter.discovery.words import stem

__all__ = ["Explanation", "Matched", "Reason", "explain", "render_explanation"]

MAX_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Matched:
    """One word of a request that a tool has, itself or in another word."""

    word: str
    gain: float
    found: Mapping[str, tuple[str, ...]]
    """Word as the tool has it, to the fields that have it."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One tool that was found, and why."""

    name: str
    score: float
    matched: tuple[Matched, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What one need found."""

    text: str
    required: tuple[str, ...]
    reasons: tuple[Reason, ...]
    unknown: tuple[str, ...]
    """Words of the request that no tool has."""
    fits: bool
    """Whether the search answers with these tools; else it answers with nothing, and they are the closest."""


def explain(index: Index, query: object, limit: int = 5) -> list[Explanation]:
    """Explain what each need of a query finds; names asked for by `select:` need no explanation.

    >>> entry = Entry("stripe__refunds_create", "stripe", "refunds_create", "Refund a charge.")
    >>> explain(Index.build([entry]), "money back")[0].reasons[0].matched[0].found
    {'refunds': ('name', 'summary')}
    """
    return [_explain_need(index, need, limit) for need in parse(query).parts if isinstance(need, Need)]


def render_explanation(explanation: Explanation) -> str:
    """Return an explanation as plain text, best tool first."""
    head = " ".join([*(f"+{term}" for term in explanation.required), explanation.text])
    lines = [head[:MAX_SHOWN]]
    if not explanation.fits:
        lines.append("Nothing fits." + (" Closest:" if explanation.reasons else ""))
    for place, reason in enumerate(explanation.reasons, start=1):
        lines.append(f"{place}. {reason.name}  {reason.score:.1f}")
        lines.extend(f"     {line}" for line in _render_matched(reason.matched))
    if explanation.unknown:
        lines.append(f"In no tool: {', '.join(explanation.unknown)}")
    return "\n".join(lines)


def _explain_need(index: Index, need: Need, limit: int) -> Explanation:
    postings = index.postings
    request = read_request(need.text, index.tuning, postings.rows, postings.spellings)
    matches = read_matches(request, postings, index.narrow(None, need.required))
    scored = rank(matches, request, postings, index.tuning, limit)
    reasons = tuple(_explain_tool(index, each, request) for each in scored if each.gains)
    return Explanation(
        need.text,
        need.required,
        reasons,
        tuple(_find_unknown(matches)),
        bool(index.find(need.text, limit, required=need.required)),
    )


def _find_unknown(matches: Sequence[Match]) -> Iterator[str]:
    for match in matches:
        if not match.rows and match.concept.kind in ("thing", "action"):
            yield match.concept.word


def _explain_tool(index: Index, scored: Scored, request: Request) -> Reason:
    entry = index.entries[scored.place]
    words = _read_words(entry, index)
    matched = [
        Matched(concept.word, round(scored.gains[concept.term], 2), _find_words(concept, words))
        for concept in request.concepts
        if concept.term in scored.gains
    ]
    matched.sort(key=lambda each: -each.gain)
    return Reason(entry.name, scored.score, tuple(matched))


def _read_words(entry: Entry, index: Index) -> dict[str, tuple[str, list[str]]]:
    """Return for each term of a tool the word that it has, and the fields that have it, most telling first."""
    found: dict[str, tuple[str, list[str]]] = {}
    for field, terms in read_fields(entry, frozenset(), replace(index.tuning, stems=False)).items():
        for word in dict.fromkeys(terms):
            held = found.setdefault(stem(word) if index.tuning.stems else word, (word, []))[1]
            name = field.replace("_", " ")
            held.extend([] if name in held else [name])
    return found


def _find_words(
    concept: Concept, words: Mapping[str, tuple[str, Sequence[str]]]
) -> dict[str, tuple[str, ...]]:
    """Return the words that stand for a concept, the best first, with the fields that have them."""
    best = sorted(concept.variants, key=lambda term: -concept.variants[term])
    return {words[term][0]: tuple(words[term][1]) for term in best if term in words}


def _render_matched(matched: Sequence[Matched]) -> Iterator[str]:
    for each in matched:
        word, fields = next(iter(each.found.items()), ("", ()))
        said = each.word if word == each.word or not word else f"{each.word} -> {word}"
        yield f"{each.gain:>5.1f}  {said}: {', '.join(fields)}"
