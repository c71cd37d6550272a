"""`charter compile` writes what is stale, and with --check only says so."""

from tests.cli.terminal import run_charter


def test_the_packs_of_the_repo_are_compiled() -> None:
    done = run_charter("compile", "--check", "gmail", "stripe")
    assert (done.returncode, done.stderr) == (0, "")
    assert "gmail/catalogue.jsonl\tup to date" in done.stdout


def test_one_module_is_refused() -> None:
    done = run_charter("compile", "json.decoder")
    assert done.returncode == 1
    assert "is one module. Make it a package" in done.stderr
