"""The index over entries: built once for a set of tools, immutable, shared.

Query forms are `query.py`'s; how tools are ranked is `scoring.py`'s; what is loaded is the session's.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from charter.discovery.concepts import read_request
from charter.discovery.entry import Entry
from charter.discovery.fit import fits
from charter.discovery.names import MAX_NAME, NameTable
from charter.discovery.postings import Postings, build_postings
from charter.discovery.scoring import rank, read_matches
from charter.discovery.tuning import DEFAULT, Tuning
from charter.normalizing import strip_marks

__all__ = ["SEEN_FOR_FIT", "Hit", "Index", "Selection"]

MAX_UNKNOWN = 50
"""Unknown names after which no more names are read."""
MAX_CLOSE = 10
"""Unknown names for which close ones are looked up."""
SEEN_FOR_FIT = 5
"""The best tools of which one must fit."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One tool found, and how well it fits (comparable within one answer only)."""

    name: str
    score: float


@dataclass(frozen=True, slots=True)
class Selection:
    """What names asked for by `select:` stand for."""

    found: tuple[str, ...]
    unknown: Mapping[str, tuple[str, ...]]
    """Name as written to the closest real names."""
    meant: Mapping[str, tuple[str, ...]]
    """Name as written, several with only spaces between them included, to the real names."""


@dataclass(frozen=True, slots=True)
class Index:
    """Entries and their posting lists. Immutable: share it freely."""

    entries: tuple[Entry, ...]
    postings: Postings
    table: NameTable
    places: Mapping[str, int]
    tuning: Tuning = DEFAULT

    @classmethod
    def build(cls, entries: Sequence[Entry], tuning: Tuning = DEFAULT) -> "Index":
        """Build the index over entries with distinct names.

        >>> entry = Entry("stripe__refunds_create", "stripe", "refunds_create", "Refund a charge.")
        >>> [hit.name for hit in Index.build([entry]).find("give the customer her money back")]
        ['stripe__refunds_create']
        """
        return cls(
            tuple(entries),
            build_postings(entries, tuning),
            NameTable.build([(entry.name, entry.leaf) for entry in entries]),
            {entry.name: place for place, entry in enumerate(entries)},
            tuning,
        )

    def find(
        self,
        text: str,
        limit: int = 5,
        *,
        among: Collection[str] | None = None,
        required: Sequence[str] = (),
    ) -> list[Hit]:
        """Find the tools that fit one need, best first; [] when nothing fits.

        `among` narrows to these qualified names, `required` to names in which each term occurs.
        """
        return self._find(text, limit, self.narrow(among, required), fit=self.tuning.fit and not required)

    def select(self, names: Sequence[str]) -> Selection:
        """Resolve names as a model wrote them; close names are looked up for the first ten unknown.

        Reading stops once fifty are unknown, and after fifty more names than there are tools: they cannot all be real.
        """
        found: dict[str, None] = {}
        unknown: dict[str, tuple[str, ...]] = {}
        meant: dict[str, tuple[str, ...]] = {}
        left = len(self.entries) + MAX_UNKNOWN
        for name in names:
            if left <= 0 or len(unknown) >= MAX_UNKNOWN:
                break
            parts = [name] if self.table.resolve(name) else name.split(None, left)[:left]
            left -= len(parts)
            tools = {part: self.table.resolve(part) for part in parts}
            for part in [part for part, tool in tools.items() if tool is None and part not in unknown]:
                unknown[part] = self.find_close(part[:MAX_NAME]) if len(unknown) < MAX_CLOSE else ()
            meant[name] = tuple(tool for tool in tools.values() if tool)
            found.update(dict.fromkeys(meant[name]))
        return Selection(tuple(found), unknown, meant)

    def find_close(self, name: str, limit: int = 5) -> tuple[str, ...]:
        """Find the names closest to one that no tool has, also where nothing really fits."""
        return tuple(hit.name for hit in self._find(name, limit, None, fit=False))

    def _find(self, text: str, limit: int, among: Collection[int] | None, *, fit: bool) -> list[Hit]:
        request = read_request(text, self.tuning, self.postings.rows, self.postings.spellings)
        matches = read_matches(request, self.postings, among)
        scored = rank(matches, request, self.postings, self.tuning, max(limit, SEEN_FOR_FIT))
        if fit and not fits(scored[:SEEN_FOR_FIT], matches, self.postings.documents):
            return []
        return [Hit(self.entries[each.place].name, round(each.score, 6)) for each in scored[:limit]]

    def narrow(self, among: Collection[str] | None, required: Sequence[str]) -> Collection[int] | None:
        """Return the places of the tools that may be found, or None for all."""
        places: Collection[int] | None = (
            None if among is None else {self.places[name] for name in among if name in self.places}
        )
        wanted = [strip_marks(term).lower() for term in required]
        if not wanted:
            return places
        if places is None:
            places = range(len(self.entries))
        names = ((place, self.entries[place].name.lower()) for place in places)
        return {place for place, name in names if all(term in name for term in wanted)}
