"""Tools whose words are not enough to find them, by requests that they should answer.

How to write better words is in docs/discovery.md; why a hit scored is `explain.py`'s.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from charter.discovery.concepts import read_request
from charter.discovery.index import Index
from charter.discovery.postings import read_fields
from charter.discovery.qualified import SEPARATOR

__all__ = ["Trial", "Weakness", "find_weaknesses", "read_trials", "render_weaknesses", "resolve_trials"]


@dataclass(frozen=True, slots=True)
class Trial:
    """A request, and the tools of which each should be found by it."""

    query: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Weakness:
    """A tool that a request should find and does not."""

    name: str
    query: str
    place: int | None
    """Where it came, counted from one; None when it was not found at all."""
    missing: tuple[str, ...]
    """Words of the request that the tool lacks: what its hints could have."""
    before: tuple[str, ...]
    """Tools that came before it."""


def read_trials(text: str) -> list[Trial]:
    """Read requests from text: a line is `request -> tool, tool`, or a JSON object with `query` and `gold`.

    Empty lines and lines that begin with # are left out.

    >>> read_trials("she wants her money back -> stripe__refunds_create")[0].names
    ('stripe__refunds_create',)

    Raises:
        ValueError: a line has neither form; the text says which.
    """
    lines = enumerate(text.splitlines(), start=1)
    return [_read_trial(line, number) for number, line in lines if line.strip() and not line.startswith("#")]


def resolve_trials(index: Index, trials: Sequence[Trial]) -> list[Trial]:
    """Return the trials with the names of their tools as the index has them: a bare or misspelt one is resolved.

    A name of a pack that the index does not hold is left out, and a trial of which no name is left.

    Raises:
        ValueError: a name is no tool of the packs held; the text has the close ones.
    """
    resolved = [Trial(trial.query, tuple(_resolve_names(index, trial))) for trial in trials]
    return [trial for trial in resolved if trial.names]


def _resolve_names(index: Index, trial: Trial) -> Iterator[str]:
    packs = {entry.pack for entry in index.entries}
    for name in trial.names:
        known = index.table.resolve(name)
        if known is not None:
            yield known
        elif SEPARATOR not in name or name.partition(SEPARATOR)[0] in packs:
            close = " or ".join(index.find_close(name, 3)) or "one that charter tools lists"
            raise ValueError(
                f"{trial.query[:60]!r} names the tool {name[:64]!r}, which there is not. Use {close}."
            )


def find_weaknesses(index: Index, trials: Sequence[Trial], limit: int = 5) -> list[Weakness]:
    """Try the requests, and return each tool that one of them does not find among the first `limit`.

    Names that are in no entry are left out; `resolve_trials` tells of them.
    """
    return [weakness for trial in trials for weakness in _try(index, trial, limit)]


def render_weaknesses(weaknesses: Sequence[Weakness], tried: int) -> str:
    """Return weaknesses as plain text, tool by tool."""
    if not weaknesses:
        return f"{tried} requests tried: each finds its tools."
    lines = [f"{tried} requests tried; {len({each.name for each in weaknesses})} tools want other hints:"]
    for name in sorted({each.name for each in weaknesses}):
        lines.append(name)
        for each in (one for one in weaknesses if one.name == name):
            where = "not found" if each.place is None else f"place {each.place}"
            lines.append(f"  {each.query}  ({where})")
            if each.missing:
                lines.append(f"    it lacks: {', '.join(each.missing)}")
            if each.before:
                lines.append(f"    before it: {', '.join(each.before)}")
    return "\n".join(lines)


def _read_trial(line: str, number: int) -> Trial:
    query, arrow, names = line.rpartition("->")
    if arrow and not line.lstrip().startswith("{"):
        wanted = tuple(name.strip() for name in names.split(",") if name.strip())
        if query.strip() and wanted:
            return Trial(query.strip(), wanted)
    try:
        read = json.loads(line)
        return Trial(str(read["query"]), tuple(str(name) for name in read["gold"]))
    except (ValueError, TypeError, KeyError):
        raise ValueError(f"line {number}: {line[:60]!r} is no request. Write `request -> tool`.") from None


def _try(index: Index, trial: Trial, limit: int) -> Iterator[Weakness]:
    found = [hit.name for hit in index.find(trial.query, max(limit, 50))]
    for name in trial.names:
        if name in index.places and name not in found[:limit]:
            place = found.index(name) + 1 if name in found else None
            yield Weakness(name, trial.query, place, _find_missing(index, trial, name), tuple(found[:limit]))


def _find_missing(index: Index, trial: Trial, name: str) -> tuple[str, ...]:
    postings = index.postings
    fields = read_fields(index.entries[index.places[name]], frozenset(), index.tuning)
    held = {term for terms in fields.values() for term in terms}
    request = read_request(trial.query, index.tuning, postings.rows, postings.spellings)
    return tuple(
        concept.word
        for concept in request.concepts
        if concept.kind in ("thing", "action") and held.isdisjoint(concept.variants)
    )
