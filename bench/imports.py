"""How long `import charter` takes, and importing all of it, over what it cannot do without: pydantic and httpx2.

Each import runs in a fresh process that measures itself, so the interpreter's own start is not in it.
"""

import statistics
import subprocess
import sys

from bench.table import Row

ROUNDS = 25
STATEMENTS = {
    "base": "import pydantic, httpx2",
    "charter": "import charter",
    "all": "from charter import *",
    "packs": "import charter.packs.gmail, charter.packs.stripe",
}


def measure(statement: str) -> float:
    """Return the seconds that a statement takes in a fresh interpreter."""
    program = f"import time; began = time.perf_counter(); {statement}; print(time.perf_counter() - began)"
    return float(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout)


def rows() -> list[Row]:
    """Measure each statement many times, alternating, and compare the medians."""
    seconds: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    for at in range(ROUNDS + 1):
        for name, statement in STATEMENTS.items():
            taken = measure(statement)
            if at:  # the first round fills the disk cache
                seconds[name].append(taken)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    return [
        Row("import charter / import pydantic and httpx2", medians["charter"] / medians["base"], 1.3, "x"),
        Row("import every name of charter / the same", medians["all"] / medians["base"], unit="x"),
        Row("import charter", medians["charter"] * 1000, unit="ms"),
        Row("import every name of charter", medians["all"] * 1000, unit="ms"),
        Row("import the Gmail and Stripe packs", medians["packs"] * 1000, unit="ms"),
    ]
