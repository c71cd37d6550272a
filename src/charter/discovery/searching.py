"""One call of ToolSearch: what its query finds, what a budget leaves out, and what is answered.

What is loaded by it is `session.py`'s; how words are ranked is `index.py`'s.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from charter.discovery.catalogue import Catalogue
from charter.discovery.index import MAX_UNKNOWN
from charter.discovery.query import Need, Query
from charter.discovery.ranking import Finder

__all__ = ["ALL_IS_WELL", "MAX_CLOSE", "Found", "find_tools", "leave_out", "show", "write_answer"]

ALL_IS_WELL = "Call these by name."
"""The note of a search that found all it was asked for."""
MAX_CLOSE = 10
"""Names told at most where names are told that were not asked for."""
MAX_SHOWN = 80
"""Characters of a query or a name that are repeated in an answer."""


@dataclass(slots=True)
class Found:
    """What one query matched, before anything is loaded."""

    names: list[str] = field(default_factory=list[str])
    unknown: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    missed: list[str] = field(default_factory=list[str])
    broken: list[str] = field(default_factory=list[str])


def find_tools(catalogue: Catalogue, finder: Finder, query: Query, limit: int) -> Found:
    """Find the tools that a query asks for, best first, and build what it takes to send them.

    A tool that cannot be built is told of under `broken`; it never fails the query.
    """
    selection = catalogue.index.select(query.names)
    unknown = islice(selection.unknown.items(), MAX_UNKNOWN)
    found = Found(unknown={show(name): list(close) for name, close in unknown})
    matched: dict[str, None] = {}
    for part in query.parts:
        if isinstance(part, Need):
            hits = finder.find(part.text, limit, required=part.required)
            matched.update((hit.name, None) for hit in hits)
            found.missed.extend([] if hits else [part.text])
        else:
            matched.update((real, None) for name in part.names for real in selection.meant.get(name, ()))
    for name in matched:
        (found.names if catalogue.prepare(name) else found.broken).append(name)
    return found


def leave_out(
    catalogue: Catalogue, held: Iterable[str], fresh: Iterable[str], budget: int | None
) -> dict[str, int]:
    """Return what does not fit beside `held`, with its cost; a small tool may fit after a large one."""
    if budget is None:
        return {}
    spent = sum(catalogue.define(name).tokens for name in held)
    left_out: dict[str, int] = {}
    for name in fresh:
        cost = catalogue.define(name).tokens
        if spent + cost > budget:
            left_out[name] = cost
        else:
            spent += cost
    return left_out


def write_answer(
    catalogue: Catalogue,
    found: Found,
    visible: Mapping[str, Any],
    left_out: Mapping[str, int],
    budget: int | None,
) -> dict[str, Any]:
    """Write what ToolSearch answers. Its size depends on what was asked, never on the tools held."""
    loaded = [name for name in found.names if name not in left_out]
    parts = [ALL_IS_WELL] if loaded else []
    if left_out:
        parts.append(f"Left out, over the budget of {budget} tokens: {_list_costs(left_out)}.")
    if found.broken:
        parts.append(f"Cannot be loaded: {', '.join(found.broken[:MAX_CLOSE])}.")
    if found.missed:
        parts.append(f"Nothing fits {'; '.join(show(text) for text in found.missed[:5])}. Try other words.")
        close = [] if loaded else _find_close(catalogue, found.missed)
        parts.extend([f"Close names: {', '.join(close)}."] if close else [])
    if found.unknown:
        parts.append("No tool has the names under unknown.")
    answer: dict[str, Any] = {
        "loaded": loaded,
        "note": " ".join(parts) or "Nothing was asked for. Send words, or select: and names.",
    }
    if found.unknown:
        answer["unknown"] = found.unknown
    if needs := _read_needs(catalogue, loaded, visible):
        answer["needs"] = needs
    return answer


def _find_close(catalogue: Catalogue, missed: Sequence[str]) -> list[str]:
    names = [name for text in missed[:5] for name in catalogue.index.find_close(text[:200], MAX_CLOSE)]
    return list(dict.fromkeys(names))[:MAX_CLOSE]


def _read_needs(catalogue: Catalogue, loaded: Sequence[str], visible: Mapping[str, Any]) -> dict[str, str]:
    """Return arguments of these tools to the tools that produce them and cannot be called yet."""
    needs: dict[str, str] = {}
    for name in loaded:
        for argument, producer in catalogue.entry(name).needs.items():
            if producer in catalogue.tools and producer not in visible and len(needs) < MAX_CLOSE:
                taken = needs.get(argument, producer) != producer
                needs[f"{name}.{argument}" if taken else argument] = producer
    return needs


def _list_costs(costs: Mapping[str, int]) -> str:
    named = [f"{name} ({cost})" for name, cost in list(costs.items())[:MAX_CLOSE]]
    more = len(costs) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")


def show(text: str) -> str:
    """Return text that is safe to repeat: short, and without lone surrogates.

    >>> len(show("x" * 1000))
    80
    """
    clean = text[:MAX_SHOWN].encode("utf-8", "replace").decode()
    return clean if len(text) <= MAX_SHOWN else clean[:-1] + "…"
