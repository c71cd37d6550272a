"""Imports point down only: the contracts in pyproject.toml hold, and each catches what it is there for."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT

LINT = Path(sys.executable).with_name("lint-imports")


def run_contracts(source: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts against the package in `source`, away from the one that is installed."""
    return subprocess.run(
        [str(LINT), "--no-cache", "--config", str(ROOT / "pyproject.toml")],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_every_import_points_down(tmp_path: Path) -> None:
    done = run_contracts(ROOT / "src", tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("wire/path.py", "from charter.schema import cost", "Imports point down only"),
        ("markers.py", "from charter import api", "Imports point down only"),
        ("discovery/index.py", "from charter.packs import gmail", "Imports point down only"),
        (
            "packs/stripe/refunds.py",
            "from charter.errors import APIError",
            "Packs import only the front door",
        ),
        ("wire/path.py", "import httpx2", "do no I/O"),
        ("newcomer.py", "x = 1", "Imports point down only"),
    ],
)
def test_a_wrong_import_is_caught(tmp_path: Path, module: str, line: str, contract: str) -> None:
    shutil.copytree(
        ROOT / "src" / "charter", tmp_path / "charter", ignore=shutil.ignore_patterns("__pycache__")
    )
    with (tmp_path / "charter" / module).open("a") as file:
        file.write(f"\n{line}\n")
    done = run_contracts(tmp_path, tmp_path)
    assert done.returncode == 1
    broken = [row for row in done.stdout.splitlines() if " BROKEN" in row]
    assert any(contract in row for row in broken), done.stdout
