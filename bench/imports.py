"""How long `import charter` takes, and its first use, over what every caller of an API with typed arguments does.

Each program runs in a fresh process that measures itself, so the interpreter's own start is not in it. Charter's
bytecode is written first, as pip writes that of what it installs.
"""

import compileall
import statistics
import subprocess
import sys
from pathlib import Path

import charter
from bench.table import Row

ROUNDS = 25
MODEL = "from pydantic import BaseModel\nclass Say(BaseModel):\n    'Say it.'\n    text: str\n"
PROGRAMS = {
    "imports": "import pydantic, httpx2",
    "charter": "import charter",
    "plain": f"{MODEL}import httpx2; client = httpx2.AsyncClient()",
    "use": f"{MODEL}from charter import Api, ToolSession\n"
    "session = ToolSession([Api('a', base_url='http://127.0.0.1/').post('say', Say)])",
    "all": f"{MODEL}from charter import *\n"
    "session = ToolSession([Api('a', base_url='http://127.0.0.1/').post('say', Say)])",
    "packs": "import charter.packs.gmail, charter.packs.stripe",
}


def measure(statements: str) -> float:
    """Return the seconds that a program takes in a fresh interpreter."""
    program = f"import time; began = time.perf_counter()\n{statements}\nprint(time.perf_counter() - began)"
    return float(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout)


def rows() -> list[Row]:
    """Measure each program many times, alternating, and compare the medians."""
    compileall.compile_dir(Path(charter.__file__).parent, quiet=1)
    seconds: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for at in range(ROUNDS + 1):
        for name, statements in PROGRAMS.items():
            taken = measure(statements)
            if at:  # the first round fills the disk cache
                seconds[name].append(taken)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    plain = medians["plain"]
    return [
        Row("import charter / import pydantic and httpx2", medians["charter"] / medians["imports"], 1.3, "x"),
        Row("a tool and a session / a model and an HTTP client", medians["use"] / plain, 1.25, "x"),
        Row("the same with every name of charter / the same", medians["all"] / plain, 1.25, "x"),
        Row("import charter", medians["charter"] * 1000, unit="ms"),
        Row("a tool and a session", medians["use"] * 1000, unit="ms"),
        Row("import the Gmail and Stripe packs", medians["packs"] * 1000, unit="ms"),
    ]
