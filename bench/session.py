"""What a session costs a process and a prompt: Gmail and Stripe together, the catalogue already built.

Searching is measured in another module, and calling too.
"""

import statistics
import time
from collections.abc import Callable

from bench.table import Row
from charter import ToolSession, json_tokens
from charter.adapters.openai import to_openai_tools
from charter.packs import gmail, stripe

TOOLS = [*gmail.TOOLS, *stripe.TOOLS]
NINETY = TOOLS[:90]
LOADED = 40
ROUNDS, REPEATS = 25, 200


def microseconds(act: Callable[[], object]) -> float:
    """Return the median over rounds of the mean time of one act."""

    def time_round() -> float:
        began = time.perf_counter()
        for _ in range(REPEATS):
            act()
        return (time.perf_counter() - began) / REPEATS * 1e6

    return statistics.median(time_round() for _ in range(ROUNDS))


def _use_new_session() -> None:
    to_openai_tools(ToolSession(NINETY))


def rows() -> list[Row]:
    """Measure sessions in microseconds and first turns in tokens of compact JSON."""
    ToolSession(NINETY).search("refund")
    loaded = ToolSession(NINETY)
    names = list(loaded.tools)[:LOADED]
    loaded.load(names)
    assert len(to_openai_tools(loaded)) == LOADED + 1

    def load_and_render() -> None:
        loaded.reset()
        loaded.load(names)
        to_openai_tools(loaded)

    first = json_tokens(to_openai_tools(ToolSession(TOOLS)))
    everything = json_tokens(to_openai_tools(TOOLS))
    return [
        Row("a new session over 90 tools", microseconds(lambda: ToolSession(NINETY)), 50, "us"),
        Row("a new session and its first tool list", microseconds(_use_new_session), unit="us"),
        Row(
            f"tool list with {LOADED} loaded, per turn",
            microseconds(lambda: to_openai_tools(loaded)),
            200,
            "us",
        ),
        Row(f"loading {LOADED} built tools and their tool list", microseconds(load_and_render), unit="us"),
        Row(f"first turn of Gmail and Stripe ({len(TOOLS)} tools)", first, 1_000, "tokens"),
        Row("sending every schema instead", everything, unit="tokens"),
        Row("first turn / sending every schema", first / everything, unit="x"),
    ]
