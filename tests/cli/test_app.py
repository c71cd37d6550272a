"""The application: every group of commands is there, and the version is the package's."""

import subprocess
import sys
from importlib.metadata import version

import charter
from charter.cli.app import GROUPS, app
from tests.cli.terminal import ask


def test_every_group_registers_a_command() -> None:
    assert len({command.name for command in app.registered_commands}) >= len(GROUPS)


def test_help_lists_the_commands_plainly() -> None:
    text = ask("--help")
    for command in app.registered_commands:
        assert f"\n  {command.name}" in text
    assert text.isascii()


def test_the_version_is_the_packages() -> None:
    assert ask("--version") == f"charter {charter.__version__}\n"
    assert charter.__version__ == version("charter")


def test_it_runs_as_a_module_too() -> None:
    done = subprocess.run([sys.executable, "-m", "charter", "--version"], capture_output=True, check=True)
    assert done.stdout.decode() == ask("--version")
