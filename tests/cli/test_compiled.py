"""`charter compile` writes what is stale, and with --check only says so."""

from pathlib import Path

import pytest

from tests.cli.terminal import run_charter
from tests.cli.test_registry import PACK


def test_the_packs_of_the_repo_are_compiled() -> None:
    done = run_charter("compile", "--check", "gmail", "stripe")
    assert (done.returncode, done.stderr) == (0, "")
    assert "gmail/catalogue.jsonl\tup to date" in done.stdout


@pytest.mark.parametrize("named", ["todo_pack.py", "todo_pack"])
def test_a_module_of_the_users_own_is_compiled_and_checked(tmp_path: Path, named: str) -> None:
    (tmp_path / "todo_pack.py").write_text(PACK)
    done = run_charter("compile", named, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "todo_pack.catalogue.jsonl").is_file()
    assert run_charter("compile", "--check", named, cwd=tmp_path).returncode == 0
    (tmp_path / "todo_pack.py").write_text(PACK.replace("List rooms", "Show rooms"))
    stale = run_charter("compile", "--check", named, cwd=tmp_path)
    assert (stale.returncode, len(stale.stderr.splitlines())) == (1, 1)
    assert "todo_pack.catalogue.jsonl: not what the tools declare. Run charter compile." in stale.stderr


def test_a_package_with_its_tools_in_init_is_compiled(tmp_path: Path) -> None:
    (tmp_path / "todo_whole").mkdir()
    (tmp_path / "todo_whole" / "__init__.py").write_text(PACK)
    done = run_charter("compile", "todo_whole", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "todo_whole/catalogue.jsonl\twritten\n"


@pytest.mark.parametrize("named", ["json.decoder", "no_such_file.py", "no_such_module_here"])
def test_what_is_no_pack_is_refused_in_one_line(named: str) -> None:
    done = run_charter("compile", named)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert done.stderr.startswith(f"charter: {named}: ")


def test_every_command_says_that_a_catalogue_is_older_than_its_source(tmp_path: Path) -> None:
    shelf = tmp_path / "todo_shelf"
    shelf.mkdir()
    init = '"""Rooms."""\nfrom charter import Pack\n_pack = Pack(__name__)\nTOOLS = _pack.tools\n'
    (shelf / "__init__.py").write_text(f"{init}__getattr__ = _pack.find\n")
    (shelf / "rooms.py").write_text(PACK)
    assert run_charter("compile", "todo_shelf", cwd=tmp_path).returncode == 0
    (shelf / "rooms.py").write_text(PACK.replace("List rooms", "Show rooms"))
    told = "charter: todo_shelf: its compiled catalogue is older than its source. Run charter compile todo_shelf.\n"
    for command in (["tools"], ["search", "rooms"], ["cost"], ["show", "rooms_list"], ["check"]):
        assert told in run_charter(*command, "--pack", "todo_shelf", cwd=tmp_path).stderr, command
    mended = run_charter("compile", "todo_shelf", cwd=tmp_path)
    assert (mended.returncode, mended.stderr) == (0, "")
    assert run_charter("tools", "--pack", "todo_shelf", cwd=tmp_path).stderr == ""
