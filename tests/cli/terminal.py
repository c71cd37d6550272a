"""The `charter` command as a person or a pipe runs it.

Not here: what it should print. Each command's own test says that.
"""

import importlib
import json
import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from charter import Tool
from charter.cli.app import app
from charter.packs import PACKS

CHARTER = str(Path(sys.executable).with_name("charter"))


def read_all_tools() -> list[Tool]:
    """Return the tools of every pack that comes with Charter, in the order the command line lists them."""
    return [tool for module in PACKS.values() for tool in importlib.import_module(module).TOOLS]


def run_charter(
    *arguments: str, stdin: str = "", env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the console script with its output in pipes."""
    return subprocess.run(
        [CHARTER, *arguments],
        input=stdin,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def ask(*arguments: str, stdin: str | None = None) -> str:
    """Run a command in this process and return what it printed; it must succeed."""
    done = CliRunner().invoke(app, arguments, input=stdin, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def ask_json(*arguments: str, stdin: str | None = None) -> Any:
    """Run a command with `--json` and return what it printed, parsed."""
    return json.loads(ask(*arguments, "--json", stdin=stdin))


def show_on_terminal(*arguments: str, columns: int = 80) -> str:
    """Run the console script on a terminal of this width and return what it wrote, control sequences included."""
    leader, follower = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "50"}
    env.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [CHARTER, *arguments], stdout=follower, stderr=follower, stdin=follower, env=env
    )
    os.close(follower)
    written = bytearray()
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # how Linux tells that the other end closed
            break
        if not part:
            break
        written += part
    process.wait(timeout=60)
    os.close(leader)
    return written.decode()
