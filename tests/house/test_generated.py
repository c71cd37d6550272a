"""Generated files are what their commands would write, and `--check` notices when they are not."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT

COMMANDS = {
    "docs/map.md": ["tools/make_map.py"],
    "docs/failures.md": ["tools/make_failures.py"],
    "src/charter/discovery/stems.py": ["tools/make_stems.py"],
    "src/charter/packs/linear/issue_filter.txt": ["tools/linear_schema.py"],
}


def run_check(command: list[str]) -> int:
    return subprocess.run(
        [sys.executable, *command, "--check"], cwd=ROOT, capture_output=True, timeout=120, check=False
    ).returncode


@pytest.mark.parametrize("name", COMMANDS)
def test_a_generated_file_is_up_to_date_and_names_its_command(name: str) -> None:
    assert run_check(COMMANDS[name]) == 0
    assert f"python {' '.join(COMMANDS[name])}" in (ROOT / name).read_text().splitlines()[0]


def test_a_stale_map_is_noticed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    (tmp_path / "src" / "charter").mkdir(parents=True)
    module = tmp_path / "src" / "charter" / "one.py"
    module.write_text('"""What one is."""\n')
    command = [str(tmp_path / "tools" / "make_map.py")]
    assert run_check(command) == 1
    subprocess.run([sys.executable, *command], check=True)
    assert run_check(command) == 0
    module.write_text('"""What one has become."""\n')
    assert run_check(command) == 1
