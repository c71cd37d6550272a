"""A virtual environment of its own for a package whose pins collide with ours, in a folder that git ignores.

What is run in it is the caller's.
"""

import fcntl
import os
import subprocess
import sys
import venv
from pathlib import Path

from tests.counterparties.node import NotInstallable

_ROOT = Path(__file__).parent.parent.parent
CACHE = Path(os.environ.get("CHARTER_VENV_CACHE", _ROOT / ".cache" / "venvs"))


def make_venv(name: str, *requirements: str) -> Path:
    """Install the requirements once and return the environment's Python.

    Raises:
        NotInstallable: pip failed, with what it said last.
    """
    CACHE.mkdir(parents=True, exist_ok=True)
    folder, stamp = CACHE / name, CACHE / f"{name}.txt"
    python = folder / "bin" / "python"
    wanted = "\n".join([sys.version, *requirements])
    with (CACHE / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_text() == wanted and python.exists():
            return python
        stamp.unlink(missing_ok=True)
        venv.create(folder, clear=True, with_pip=True)
        done = subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
        if done.returncode:
            said = " | ".join(done.stderr.strip().splitlines()[-2:])
            raise NotInstallable(f"pip in {name}: exit code {done.returncode}, {said!r}. Check the network.")
        stamp.write_text(wanted)
    return python
