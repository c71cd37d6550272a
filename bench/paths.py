"""What the largest schema costs: the whole issue filter of Linear, its tokens and the time to list and price its paths.

Narrowing it is tried in the tests.
"""

import importlib
import time
from collections.abc import Callable

from bench.table import Row
from charter import schema_tokens
from charter.packs import linear


def milliseconds(act: Callable[[], object], rounds: int = 5) -> float:
    """Return the least time of some rounds, in which nothing but the act is slow."""
    times: list[float] = []
    for _ in range(rounds):
        began = time.perf_counter()
        act()
        times.append((time.perf_counter() - began) * 1e3)
    return min(times)


def rows() -> list[Row]:
    """Measure the twin of `linear.issues_list`, its module already imported."""
    twin = importlib.import_module("charter.packs.linear.whole_filter").issues_list_full
    return [
        Row("schema of linear.issues_list", schema_tokens(linear.issues_list), 1_500, "tokens"),
        Row("schema of its twin with the whole filter", schema_tokens(twin), 30_000, "tokens"),
        Row("schemas of all Linear tools", sum(map(schema_tokens, linear.TOOLS)), unit="tokens"),
        Row("paths() of the twin, first level", milliseconds(twin.paths), 20, "ms"),
        Row("paths('filter') of the twin", milliseconds(lambda: twin.paths("filter")), unit="ms"),
        Row("paths(by_cost=True) of the twin", milliseconds(lambda: twin.paths(by_cost=True)), 2_000, "ms"),
        Row(
            "paths('filter', by_cost=True) of the twin",
            milliseconds(lambda: twin.paths("filter", by_cost=True), 1),
            unit="ms",
        ),
    ]
