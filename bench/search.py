"""How well the search finds tools, on data in the form that docs/discovery.md describes, and how fast.

`python -m bench.search --data DIR`, `--packs FILE --groups FILE [--calls FILE]`, `--scale`; `--ablate` with either of
the first two. What the ranking is made of is in charter/discovery.
"""

import argparse
import gzip
import json
import statistics
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.table import Row
from charter.discovery.catalogue import Catalogue
from charter.discovery.entry import Entry, read_entry
from charter.discovery.index import Index
from charter.discovery.query import Need, parse
from charter.discovery.ranking import Finder
from charter.discovery.semantic import SemanticIndex
from charter.discovery.tuning import DEFAULT, Tuning
from charter.packs import PACKS

DEPTHS = (1, 3, 5, 10)
OWN = Path(__file__).parent / "data"
SCALES = (90, 613, 5_000, 40_000)
# The quickest of so many counts: the others were held up by something else on the machine.
ROUNDS = 3

Build = Callable[[Sequence[Entry], Tuning], Finder]
BUILDERS: dict[str, Build] = {
    "core": Index.build,
    "semantic": lambda entries, tuning: SemanticIndex.build(Index.build(entries, tuning)),
}

# Each part of the ranking switched off, by what it is called in docs/discovery.md.
PARTS: dict[str, Callable[[], Tuning]] = {
    "stemming": lambda: replace(DEFAULT, stems=False),
    "stop words": lambda: replace(DEFAULT, stops=False),
    "words for the same": lambda: replace(DEFAULT, same=0.0),
    "general words": lambda: replace(DEFAULT, general=0.0, special=0.0),
    "phrases": lambda: replace(DEFAULT, phrase=0.0),
    "other languages": lambda: replace(DEFAULT, translated=0.0),
    "misspelt words": lambda: replace(DEFAULT, typo=0.0),
    "faint words": lambda: replace(DEFAULT, faint=1.0),
    "actions after things": lambda: replace(DEFAULT, action=1.0),
    "packs named": lambda: replace(DEFAULT, pack=0.0),
    "whole names": lambda: replace(DEFAULT, name_share=0.0),
    "pairs": lambda: replace(DEFAULT, pair=0.0),
    "clauses": lambda: replace(DEFAULT, part=0.0),
    "the usual": lambda: replace(DEFAULT, usual=0.0),
    "hints": lambda: replace(DEFAULT, weights={**DEFAULT.weights, "hints": 0.0}),
    "parameters": lambda: replace(
        DEFAULT, weights={**DEFAULT.weights, "parameters": 0.0, "parameter_texts": 0.0}
    ),
    "nothing fits": lambda: replace(DEFAULT, fit=False),
}


@dataclass(frozen=True, slots=True)
class Query:
    """A request, and every tool that it needs."""

    text: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class DataSet:
    """Tools, with requests as sentences and as keywords."""

    name: str
    entries: tuple[Entry, ...]
    sentences: tuple[Query, ...]
    keywords: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """What one ranking reached on one list of requests."""

    recall: tuple[float, ...]
    rank: float
    milliseconds: tuple[float, float]
    """Median, and what 95 of 100 stay under."""


def read_lines(path: Path) -> Iterator[Any]:
    """Yield the objects of a file with one JSON object a line, gzipped or not."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    yield from (json.loads(line) for line in text.splitlines() if line.strip())


def read_sets(folder: Path) -> list[DataSet]:
    """Read every data set below a folder: each folder that holds tools and queries."""
    found = sorted(path.parent for path in folder.rglob("tools.jsonl*"))
    return [read_set(path) for path in found if find_file(path, "queries")]


def read_set(folder: Path) -> DataSet:
    """Read one data set."""
    tools = read_lines(find_file(folder, "tools") or folder)
    entries = [
        read_entry(tool["name"], tool.get("description") or "", tool.get("parameters")) for tool in tools
    ]
    lists: list[tuple[Query, ...]] = []
    for name in ("queries", "queries_kw"):
        path = find_file(folder, name)
        lists.append(
            tuple(Query(one["query"], frozenset(one["gold"])) for one in read_lines(path)) if path else ()
        )
    return DataSet(folder.name, tuple(entries), *lists)


def find_file(folder: Path, name: str) -> Path | None:
    """Return the file of that name in a folder, gzipped or not, if there is one."""
    paths = (folder / f"{name}.jsonl.gz", folder / f"{name}.jsonl")
    return next((path for path in paths if path.exists()), None)


def measure(finder: Finder, queries: Sequence[Query]) -> Figures:
    """Measure recall at each depth, mean reciprocal rank, and time for each request."""
    recalls = [0.0] * len(DEPTHS)
    ranks = 0.0
    times: list[float] = []
    for query in queries:
        began = time.perf_counter()
        names = [hit.name for hit in finder.find(query.text, DEPTHS[-1])]
        times.append((time.perf_counter() - began) * 1000)
        for at, depth in enumerate(DEPTHS):
            recalls[at] += len(query.gold.intersection(names[:depth])) / len(query.gold)
        first = next((place for place, name in enumerate(names, start=1) if name in query.gold), None)
        ranks += 1 / first if first else 0.0
    count = len(queries)
    return Figures(tuple(recall / count for recall in recalls), ranks / count, read_times(times))


def read_times(times: Sequence[float]) -> tuple[float, float]:
    """Return the median, and what 95 of 100 stay under."""
    ordered = sorted(times)
    return statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


def show_sets(sets: Sequence[DataSet], build: Build, tuning: Tuning = DEFAULT, *, quiet: bool = False) -> str:
    """Measure every set, print a line for each form, and return the line that sums them up."""
    means: dict[str, list[float]] = {"sentences": [], "keywords": []}
    for data in sets:
        finder = build(data.entries, tuning)
        for form, queries in (("sentences", data.sentences), ("keywords", data.keywords)):
            if not queries:
                continue
            figures = measure(finder, queries)
            means[form].append(figures.recall[DEPTHS.index(5)])
            if not quiet:
                print(show_figures(f"{data.name} ({len(data.entries)})", form, figures), flush=True)
    sentences, keywords = (statistics.fmean(found) if found else 0.0 for found in means.values())
    return f"mean recall@5: sentences {sentences:.4f}, keywords {keywords:.4f}"


def show_figures(name: str, form: str, figures: Figures) -> str:
    """Return one line of figures."""
    recalls = "  ".join(
        f"@{depth} {recall:.3f}" for depth, recall in zip(DEPTHS, figures.recall, strict=True)
    )
    median, most = figures.milliseconds
    return f"{name:<26} {form:<10} {recalls}  MRR {figures.rank:.3f}  p50 {median:.2f} ms  p95 {most:.2f} ms"


@dataclass(frozen=True, slots=True)
class Request:
    """A request over our packs: for each need the tools of which one will do; no needs when nothing fits."""

    id: str
    style: str
    text: str
    needs: tuple[frozenset[str], ...]
    calls: tuple[str, ...]


def read_requests(packs: Path, groups: Path, calls: Path | None) -> list[Request]:
    """Read requests over our packs, with what they need and the calls that a model wrote for them."""
    needs = json.loads(groups.read_text(encoding="utf-8"))
    written = {one["id"]: tuple(one["queries"]) for one in read_lines(calls)} if calls else {}
    return [
        Request(
            one["id"],
            one["style"],
            one["query"],
            tuple(frozenset(need) for need in needs.get(one["id"], ())) if one["gold"] else (),
            written.get(one["id"], ()),
        )
        for one in read_lines(packs)
    ]


def read_pack_entries() -> list[Entry]:
    """Read an entry for every tool of every pack that comes with Charter."""
    tools = [tool for module in PACKS.values() for tool in import_module(module).TOOLS]
    return list(Catalogue(tools).entries)


@dataclass(frozen=True, slots=True)
class Shares:
    """How many requests over our packs were served."""

    request: float
    keyword: float
    empty: int
    without: int
    missed: tuple[Request, ...]
    left_out: int


def measure_requests(requests: Sequence[Request], entries: Sequence[Entry], finder: Finder) -> Shares:
    """Measure requests over our packs; those whose tools no pack has are left out."""
    names = {entry.name for entry in entries}
    known = [one for one in requests if all(not need.isdisjoint(names) for need in one.needs)]
    missed: list[Request] = []
    shares: dict[str, float] = {}
    for style in ("request", "keyword"):
        chosen = [one for one in known if one.style == style and one.needs]
        lost = [one for one in chosen if not meets(one, {hit.name for hit in finder.find(one.text, 5)})]
        missed += lost
        shares[style] = 1 - len(lost) / max(1, len(chosen))
    without = [one for one in known if not one.needs]
    empty = sum(not finder.find(one.text, 5) for one in without)
    left_out = len(requests) - len(known)
    return Shares(shares["request"], shares["keyword"], empty, len(without), tuple(missed), left_out)


def show_packs(
    requests: Sequence[Request], entries: Sequence[Entry], finder: Finder, *, quiet: bool = False
) -> str:
    """Measure requests over our packs, print what was missed, and return the line that sums them up."""
    shares = measure_requests(requests, entries, finder)
    if not quiet:
        print(f"{shares.left_out} of {len(requests)} left out: no pack has their tools yet")
        for one in shares.missed:
            print(f"  missed {one.id}: {one.text} -> {[hit.name for hit in finder.find(one.text, 5)]}")
    return (
        f"all needed in five: requests {shares.request:.4f}, keywords {shares.keyword:.4f}; "
        f"nothing returned {shares.empty} of {shares.without}"
    )


def show_calls(requests: Sequence[Request], entries: Sequence[Entry], finder: Finder) -> str:
    """Measure whether the calls that a model wrote load all that a request needs."""
    names = {entry.name for entry in entries}
    called = [
        one
        for one in requests
        if one.calls and one.needs and all(not need.isdisjoint(names) for need in one.needs)
    ]
    shares = [
        sum(meets(one, find_by_calls(finder, one.calls, limit)) for one in called) / max(1, len(called))
        for limit in (2, 3)
    ]
    return f"all needed by calls: two hits a query {shares[0]:.4f}, three {shares[1]:.4f}"


def find_by_calls(finder: Finder, calls: Sequence[str], limit: int) -> set[str]:
    """Return every tool that the queries of one call find."""
    return {
        hit.name
        for part in parse(list(calls)).parts
        if isinstance(part, Need)
        for hit in finder.find(part.text, limit, required=part.required)
    }


def meets(request: Request, names: Collection[str]) -> bool:
    """Tell whether every need is met."""
    return all(not need.isdisjoint(names) for need in request.needs)


def make_entries(count: int) -> list[Entry]:
    """Make as many different entries as wanted, by varying the tools of our packs over made-up vendors."""
    own = read_pack_entries()
    return [
        replace(entry, name=f"v{at // len(own)}{entry.name}", pack=f"v{at // len(own)}{entry.pack}")
        if at >= len(own)
        else entry
        for at in range(count)
        for entry in (own[at % len(own)],)
    ]


def measure_scale(count: int, texts: Sequence[str]) -> tuple[float, tuple[float, float]]:
    """Return the seconds to build an index, and the milliseconds of a search in it."""
    entries = make_entries(count)
    began = time.perf_counter()
    index = Index.build(entries)
    built = time.perf_counter() - began
    times = [min(time_search(index, text) for _ in range(ROUNDS)) for text in texts]
    return built, read_times(times)


def time_search(index: Index, text: str) -> float:
    """Return the milliseconds that one search takes."""
    began = time.perf_counter()
    index.find(text)
    return (time.perf_counter() - began) * 1000


def read_own_texts() -> list[str]:
    """Return the requests of our own small sets."""
    return [query.text for data in read_sets(OWN) for query in (*data.sentences, *data.keywords)]


def rows() -> list[Row]:
    """Measure our own small sets and the speed, for `python -m bench`."""
    sets = read_sets(OWN)
    found: list[Row] = []
    for data in sets:
        finder = Index.build(data.entries)
        for form, queries in (("sentences", data.sentences), ("keywords", data.keywords)):
            recall = measure(finder, queries).recall[DEPTHS.index(5)]
            found.append(Row(f"recall@5, {data.name}, {form}", recall, 0.85, at_least=True))
    found += measure_own_requests()
    texts = read_own_texts()
    for count, bar in ((90, 1.0), (613, 2.0), (5_000, 15.0)):
        built, (_, most) = measure_scale(count, texts)
        found.append(Row(f"search over {count:,} tools, p95", most, bar, "ms"))
        if count == 613:
            found.append(Row("index of 613 tools, build", built * 1000, 150.0, "ms"))
    return found


def measure_own_requests() -> list[Row]:
    """Measure our own requests over our packs."""
    entries = read_pack_entries()
    requests = read_requests(OWN / "packs" / "requests.jsonl", OWN / "packs" / "groups.json", None)
    shares = measure_requests(requests, entries, Index.build(entries))
    return [
        Row("all needed in five, requests over our packs", shares.request, 0.65, at_least=True),
        Row("all needed in five, keywords over our packs", shares.keyword, 0.9, at_least=True),
        Row("nothing returned when nothing fits", shares.empty / max(1, shares.without), 0.7, at_least=True),
    ]


def main(arguments: Sequence[str]) -> int:
    """Measure what the arguments say; the last line sums it up."""
    options = read_options(arguments)
    if options.scale:
        for count in SCALES:
            built, (median, most) = measure_scale(count, read_own_texts())
            print(
                f"{count:>6} tools: build {built:.3f} s, p50 {median:.2f} ms, p95 {most:.2f} ms", flush=True
            )
    build = BUILDERS[options.ranker]
    if options.data:
        show_data(read_sets(options.data), build, ablate=options.ablate)
    if options.packs:
        show_pack_requests(options, build)
    return 0


def show_data(sets: Sequence[DataSet], build: Build, *, ablate: bool) -> None:
    """Print the figures of data sets."""
    last = show_sets(sets, build)
    for name, make in PARTS.items() if ablate else ():
        print(f"without {name:<22} {show_sets(sets, build, make(), quiet=True)}", flush=True)
    print(last)


def show_pack_requests(options: argparse.Namespace, build: Build) -> None:
    """Print the figures of requests over our packs."""
    requests = read_requests(options.packs, options.groups, options.calls)
    entries = read_pack_entries()
    finder = build(entries, DEFAULT)
    last = [show_packs(requests, entries, finder)]
    if options.calls:
        last.append(show_calls(requests, entries, finder))
    for name, make in PARTS.items() if options.ablate else ():
        line = show_packs(requests, entries, build(entries, make()), quiet=True)
        print(f"without {name:<22} {line}", flush=True)
    print("\n".join(last))


def read_options(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.search", description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder with one folder a data set")
    parser.add_argument("--packs", type=Path, help="requests over our packs, one JSON object a line")
    parser.add_argument("--groups", type=Path, help="for each request the tools of which one will do")
    parser.add_argument("--calls", type=Path, help="for each request the queries that a model wrote")
    parser.add_argument("--ranker", choices=sorted(BUILDERS), default="core")
    parser.add_argument("--ablate", action="store_true", help="leave out each part of the ranking in turn")
    parser.add_argument("--scale", action="store_true", help="measure building and searching at four sizes")
    options = parser.parse_args(arguments)
    if options.packs and not options.groups:
        parser.error("--packs needs --groups.")
    if not (options.data or options.packs or options.scale):
        parser.error("nothing to measure. Give --data, --packs or --scale.")
    return options


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
