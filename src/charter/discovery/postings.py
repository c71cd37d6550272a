"""Entries turned into posting lists: for each term, the tools that have it and how much it counts there.

What a query adds up is `scoring.py`'s.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import log

from charter.discovery.entry import Entry
from charter.discovery.synonyms import PACKS
from charter.discovery.tuning import FIELDS, Tuning
from charter.discovery.words import find_chunks, read_chunk, split_words, stem

__all__ = ["Document", "Postings", "Row", "build_postings", "read_fields"]

LONG_ROW = 1_000
"""A term that more tools have is read only where it counts most; the best candidates are then read exactly."""
FEW_TOOLS = 20
"""With fewer tools, parameters that many share still tell them apart."""
BREAK = ""
"""Stands between two fields in a document's run of terms, so that no pair spans them."""


@dataclass(frozen=True, slots=True)
class Row:
    """The tools that have one term, by place, with how much it counts in each (its rarity left out)."""

    places: "array[int]"
    impacts: "array[float]"
    rarity: float
    best: tuple[tuple[int, float], ...] | None
    """Of a long row, the places where it counts most."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is looked at again of a tool that is among the best."""

    name: frozenset[str]
    """Terms of its name."""
    run: tuple[str, ...]
    """Terms of name, pack, summary and hints, in order."""
    hinted: int
    """Where the hints begin in it."""


@dataclass(frozen=True, slots=True)
class Postings:
    """Everything that is searched, as plain data."""

    rows: Mapping[str, Row]
    documents: tuple[Document, ...]
    packs: Mapping[str, frozenset[int]]
    """Term of a pack's name to the places of its tools."""
    spellings: Mapping[str, str]
    """Words as written, to their terms: what a misspelt word may have meant."""


def build_postings(entries: Sequence[Entry], tuning: Tuning) -> Postings:
    """Build the posting lists of entries."""
    shared = _find_shared(entries, tuning.common_share)
    seen: set[str] = set()
    fields = [read_fields(entry, shared, tuning, seen) for entry in entries]
    counts = [{name: Counter(terms) for name, terms in each.items() if terms} for each in fields]
    rows = _build_rows(counts, tuning)
    documents = tuple(_build_document(each, entry) for each, entry in zip(fields, entries, strict=True))
    return Postings(rows, documents, _find_packs(entries), _read_spellings(seen))


def _find_shared(entries: Sequence[Entry], share: float) -> frozenset[str]:
    if len(entries) < FEW_TOOLS:
        return frozenset()
    counts = Counter(name for entry in entries for name in entry.parameters)
    return frozenset(name for name, count in counts.items() if count > share * len(entries))


def read_fields(
    entry: Entry, shared: frozenset[str], tuning: Tuning, seen: set[str] | None = None
) -> dict[str, list[str]]:
    """Read the terms of each field of an entry, without parameters that most tools share.

    The words as they are written are added to `seen`.
    """
    own = {name: text for name, text in entry.parameters.items() if name not in shared}
    texts = {
        "name": entry.leaf,
        "pack": f"{entry.pack} {PACKS.get(entry.pack, '')}" if entry.pack else "",
        "hints": entry.hints,
        "summary": entry.summary,
        "details": entry.details,
        "parameters": " ".join(own),
        "parameter_texts": " ".join(own.values()),
    }
    chunks = {name: find_chunks(text) for name, text in texts.items()}
    if seen is not None:
        seen.update(*chunks.values())
    stems, stops = tuning.stems, tuning.stops
    # Every word of a name is searched: a tool may be called what would be a stop word elsewhere.
    return {
        name: [term for chunk in found for term in read_chunk(chunk, stems, stops and name != "name")]
        for name, found in chunks.items()
    }


def _build_rows(counts: Sequence[Mapping[str, Counter[str]]], tuning: Tuning) -> dict[str, Row]:
    averages = _average_lengths(counts)
    places: dict[str, array[int]] = {}
    impacts: dict[str, array[float]] = {}
    for place, each in enumerate(counts):
        for term, weight in _weigh(each, averages, tuning).items():
            row = places.get(term)
            if row is None:
                row = places[term] = array("I")
                impacts[term] = array("f")
            row.append(place)
            impacts[term].append(weight * (tuning.saturation + 1) / (weight + tuning.saturation))
    total = len(counts)
    return {term: _build_row(row, impacts[term], total) for term, row in places.items()}


def _build_row(places: "array[int]", impacts: "array[float]", total: int) -> Row:
    rarity = log(1 + (total - len(places) + 0.5) / (len(places) + 0.5))
    best = None
    if len(places) > LONG_ROW:
        best = tuple(nlargest(LONG_ROW, zip(places, impacts, strict=True), key=lambda pair: pair[1]))
    return Row(places, impacts, rarity, best)


def _average_lengths(counts: Sequence[Mapping[str, Counter[str]]]) -> dict[str, float]:
    averages: dict[str, float] = {}
    for name in FIELDS:
        lengths = [each[name].total() for each in counts if name in each]
        averages[name] = sum(lengths) / len(lengths) if lengths else 1.0
    return averages


def _weigh(
    counts: Mapping[str, Counter[str]], averages: Mapping[str, float], tuning: Tuning
) -> dict[str, float]:
    weights: dict[str, float] = {}
    for name, terms in counts.items():
        length = tuning.lengths[name]
        scale = tuning.weights[name] / (1 - length + length * terms.total() / averages[name])
        for term, count in terms.items():
            weights[term] = weights.get(term, 0.0) + count * scale
    return weights


def _build_document(fields: Mapping[str, list[str]], entry: Entry) -> Document:
    told = (*fields["name"], BREAK, *fields["pack"], BREAK, *fields["summary"], BREAK)
    name = frozenset(stem(word) for word in split_words(entry.leaf))
    return Document(name, (*told, *fields["hints"]), len(told))


def _find_packs(entries: Sequence[Entry]) -> dict[str, frozenset[int]]:
    places: dict[str, set[int]] = {}
    for place, entry in enumerate(entries):
        if entry.pack:
            places.setdefault(stem(entry.pack.lower()), set()).add(place)
    return {} if len(places) < 2 else {term: frozenset(found) for term, found in places.items()}


def _read_spellings(seen: Iterable[str]) -> dict[str, str]:
    words = {word for chunk in seen for word in split_words(chunk)}
    return {word: stem(word) for word in sorted(words)}
