"""Run every benchmark and print one table; exit 1 when a figure is past its bar.

`python -m bench call imports` runs those only. What is measured is in the modules beside this one.
"""

import importlib
import pkgutil
import sys

import bench
from bench.table import Row, render_table


def find_modules() -> list[str]:
    """Return the names of the modules here, in alphabetical order."""
    return [found.name for found in pkgutil.iter_modules(bench.__path__) if not found.name.startswith("_")]


def main(chosen: list[str]) -> int:
    """Run the chosen benchmarks, or all, and print their rows together."""
    known = find_modules()
    unknown = [name for name in chosen if name not in known]
    if unknown:
        print(f"bench: no benchmark {unknown[0]!r}. Choose among {', '.join(known)}.", file=sys.stderr)
        return 2
    rows: list[Row] = []
    for name in chosen or known:
        module = importlib.import_module(f"bench.{name}")
        if hasattr(module, "rows"):
            print(f"measuring {name} ...", file=sys.stderr, flush=True)
            rows += module.rows()
    print(render_table(rows))
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
