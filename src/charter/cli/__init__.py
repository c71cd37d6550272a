"""The `charter` command.

Not here: what the commands do. `app` gathers them, one module each.
"""

import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

from charter.errors import CharterError

# A client waits for its server to answer, so `charter serve` loads no other command.
_MODULE = "charter.cli.serve" if sys.argv[1:2] == ["serve"] else "charter.cli.app"

app: Any = None
try:
    app = import_module(_MODULE).app
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in ("rich", "typer"):
        raise

__all__ = ["main"]


def main() -> None:
    """Run the command line. A failure is told on stderr and exits with 1, wrong usage with 2."""
    if app is None:
        sys.exit('charter: the command line is not installed. Run pip install "charter[cli]".')
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that lacks a character shows another
            stream.reconfigure(errors="replace")
    try:
        app()
    except CharterError as error:
        sys.exit(f"charter: {error}{_tell_effect(error)}")


def _tell_effect(error: CharterError) -> str:
    return " It may have taken effect." if error.may_have_taken_effect else ""
