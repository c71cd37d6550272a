"""Generated files are what their commands would write, and `--check` notices when they are not."""

import subprocess
import sys

import pytest

from tests.house.sources import ROOT

COMMANDS = {"docs/map.md": ["tools/make_map.py"]}


def run_check(command: list[str]) -> int:
    return subprocess.run(
        [sys.executable, *command, "--check"], cwd=ROOT, capture_output=True, timeout=120, check=False
    ).returncode


@pytest.mark.parametrize("name", COMMANDS)
def test_a_generated_file_is_up_to_date_and_names_its_command(name: str) -> None:
    assert run_check(COMMANDS[name]) == 0
    assert f"python {' '.join(COMMANDS[name])}" in (ROOT / name).read_text().splitlines()[0]
