"""The index with meaning beside words: word vectors, fused with the ranking by words.

The ranking by words is `index.py`'s; the vectors come from `vectors.py`.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from charter.discovery.concepts import MAX_TEXT, read_request
from charter.discovery.entry import Entry
from charter.discovery.fit import fits
from charter.discovery.index import SEEN_FOR_FIT, Hit, Index, Selection
from charter.discovery.scoring import rank, read_matches
from charter.discovery.vectors import WordVectors, load_vectors
from charter.discovery.words import STOP_WORDS, split_words

__all__ = ["SemanticIndex"]

MEANING = 0.35
"""The share of meaning in the score; the rest is the score by words over the best one."""
POOL = 200
"""Tools ranked by words that are taken into account."""
SURE = 0.4
"""A cosine that is enough, whatever the words say."""
# What each field adds to the direction of a tool.
_FIELDS = (("name", 1.0), ("summary", 1.0), ("hints", 0.7), ("details", 0.2), ("parameters", 0.2))
_MAX_DETAILS = 300


@dataclass(frozen=True, slots=True)
class SemanticIndex:
    """An index that also knows what words mean. Immutable: share it freely."""

    index: Index
    directions: Any
    """One row of length one for each tool."""
    vectors: WordVectors

    @classmethod
    def build(cls, index: Index) -> "SemanticIndex":
        """Compute the direction of every tool of an index.

        Raises:
            DeclarationError: the extra `semantic` is not installed.
        """
        vectors = load_vectors()
        return cls(index, _read_directions(index.entries, vectors), vectors)

    def find(
        self,
        text: str,
        limit: int = 5,
        *,
        among: Collection[str] | None = None,
        required: Sequence[str] = (),
    ) -> list[Hit]:
        """Find the tools that fit one need, best first; [] when nothing fits. See `Index.find`."""
        index = self.index
        places = index.narrow(among, required)
        request = read_request(text, index.tuning, index.postings.rows, index.postings.spellings)
        matches = read_matches(request, index.postings, places)
        scored = rank(matches, request, index.postings, index.tuning, max(limit, POOL))
        direction = self._read_direction(text)
        if direction is None or not index.entries:
            return index.find(text, limit, among=among, required=required)
        scores = self.directions @ direction
        if places is not None:
            allowed = self.vectors.numpy.full(len(scores), fill_value=False)
            allowed[list(places)] = True
            scores = self.vectors.numpy.where(allowed, scores, -1.0)
        closest = float(scores.max())
        must_fit = index.tuning.fit and not required and closest < SURE
        if must_fit and not fits(scored[:SEEN_FOR_FIT], matches, index.postings.documents):
            return []
        fused = MEANING * scores
        for each in scored:
            fused[each.place] += (1 - MEANING) * each.score / scored[0].score
        return self._read_hits(fused, limit)

    def select(self, names: Sequence[str]) -> Selection:
        """Resolve names as a model wrote them. See `Index.select`."""
        return self.index.select(names)

    def _read_direction(self, text: str) -> Any:
        words = [word for word in split_words(text[:MAX_TEXT]) if word not in STOP_WORDS]
        if not words:
            return None
        total = self.vectors.read(words).sum(axis=0)
        length = float(self.vectors.numpy.linalg.norm(total))
        return total / length if length else None

    def _read_hits(self, fused: Any, limit: int) -> list[Hit]:
        names = self.index.entries
        count = min(limit, len(names))
        if count < 1:
            return []
        least = self.vectors.numpy.partition(fused, len(fused) - count)[len(fused) - count]
        best = [(float(fused[at]), int(at)) for at in (fused >= least).nonzero()[0]]
        best.sort(key=lambda pair: (-pair[0], pair[1]))
        return [Hit(names[place].name, round(score, 6)) for score, place in best[:limit] if score > 0]


def _read_directions(entries: Sequence[Entry], vectors: WordVectors) -> Any:
    numpy = vectors.numpy
    texts = [list(_read_weighed(entry)) for entry in entries]
    words = sorted({word for text in texts for word, _ in text})
    places = {word: place for place, word in enumerate(words)}
    table = vectors.read(words)
    rows = numpy.zeros((len(entries), vectors.size), dtype="float32")
    for row, text in zip(rows, texts, strict=True):
        if text:
            weights = numpy.array([weight for _, weight in text], dtype="float32")
            row += weights @ table[[places[word] for word, _ in text]]
    lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
    return rows / numpy.maximum(lengths, 1e-6)


def _read_weighed(entry: Entry) -> Iterator[tuple[str, float]]:
    texts = {
        "name": f"{entry.leaf} {entry.pack}",
        "summary": entry.summary,
        "hints": entry.hints,
        "details": entry.details[:_MAX_DETAILS],
        "parameters": " ".join(islice(entry.parameters, 100)),
    }
    for field, weight in _FIELDS:
        words = [word for word in split_words(texts[field]) if word not in STOP_WORDS]
        # A long field says more than a short one, but not in proportion.
        yield from ((word, weight / len(words) ** 0.5) for word in words)
