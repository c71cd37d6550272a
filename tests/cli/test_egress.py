"""`charter egress` prints the map, and tells what differs from a reviewed one."""

import json
from pathlib import Path

from tests.cli.terminal import run_charter


def test_the_map_is_printed_and_checks_against_itself(tmp_path: Path) -> None:
    reviewed = tmp_path / "egress.txt"
    reviewed.write_text(run_charter("egress", "--pack", "gmail").stdout)
    assert "  sends q: string\n" in reviewed.read_text()
    done = run_charter("egress", "--pack", "gmail", "--check", str(reviewed))
    assert (done.stdout, done.returncode) == ("", 0)


def test_a_widened_field_is_told_with_its_tool(tmp_path: Path) -> None:
    reviewed = tmp_path / "egress.txt"
    text = run_charter("egress", "--pack", "gmail").stdout
    reviewed.write_text(text.replace("maximum=500", "maximum=100", 1))
    done = run_charter("egress", "--pack", "gmail", "--check", str(reviewed))
    assert done.returncode == 1
    changed = [
        line for line in done.stdout.splitlines() if line[0] in "+-" and line[:3] not in ("---", "+++")
    ]
    assert changed == [
        "-gmail__drafts_list sends maxResults: integer maximum=100 minimum=1",
        "+gmail__drafts_list sends maxResults: integer maximum=500 minimum=1",
    ]


def test_json_is_for_programs() -> None:
    mapped = json.loads(run_charter("egress", "--pack", "stripe", "--json").stdout)
    assert mapped["stripe__refunds_create"]["route"] == "v1/refunds"


def test_a_file_that_is_not_there_is_an_error() -> None:
    done = run_charter("egress", "--pack", "gmail", "--check", "nowhere.txt")
    assert done.returncode == 1
    assert "nowhere.txt: cannot be read" in done.stderr
