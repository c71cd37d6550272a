"""The entry point: exit codes, where errors go, and what happens without the extra."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from charter.cli.app import app
from tests.cli.terminal import ask, read_all_tools, run_charter


def test_a_failure_is_one_line_on_stderr_and_exits_with_1() -> None:
    done = run_charter("show", "stripe__refund_create")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("charter: stripe__refund_create: there is no such tool.")
    assert "stripe__refunds_create" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("show",),
        ("tools", "--nonsense"),
        ("search", "refund", "--limit", "0"),
        ("call", "gmail__messages_list", "no-sign"),
    ],
)
def test_wrong_usage_exits_with_2(arguments: tuple[str, ...]) -> None:
    done = CliRunner().invoke(app, arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Error" in done.stderr


def test_a_failed_call_says_that_it_may_have_taken_effect() -> None:
    """A request that no server answered within reach: nothing was sent, so nothing is claimed."""
    done = run_charter(
        "call",
        "stripe__refunds_create",
        "charge=ch_1",
        "--base-url",
        "http://127.0.0.1:1",
        env={"STRIPE_API_KEY": "sk_test_12345678"},
    )
    assert done.returncode == 1
    assert "may have taken effect" not in done.stderr
    assert "sk_test_12345678" not in done.stderr


def test_a_reader_that_leaves_early_gets_no_traceback() -> None:
    done = subprocess.run(
        [
            "bash",
            "-c",
            f"set -o pipefail; {sys.executable} -c 'from charter.cli import main; main()' tools | head -n 1",
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.startswith(f"{read_all_tools()[0].qualified_name}\t")
    assert "Traceback" not in done.stderr


def test_without_the_extra_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['typer'] = None; from charter.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.strip() == (
        'charter: the command line is not installed. Run pip install "charter[cli]".'
    )


def test_help_imports_no_pack() -> None:
    code = (
        "import sys; sys.argv = ['charter', '--help']\n"
        "from charter.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if name.startswith('charter.packs.')], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("command", ["demo", "packs", "tools", "search", "show", "cost", "call"])
def test_the_help_of_each_command_has_an_example_that_fits(command: str) -> None:
    text = ask(command, "--help")
    assert f"  charter {command}" in text.partition("Examples:")[2]
