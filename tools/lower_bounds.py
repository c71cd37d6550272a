"""Try the oldest releases that pyproject.toml admits, in environments of their own, by the tests that use them.

The installer passes by releases that were yanked, so a bound that names one is tried with the next.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".cache" / "lower-bounds"
LOWEST = ("--resolution", "lowest-direct")
TESTS = {
    "the core": (
        "tests/test_network.py tests/test_transport.py tests/test_clients.py tests/test_pool.py tests/test_call.py "
        "tests/test_tool.py tests/schema/test_arguments.py tests/schema/test_view.py tests/wire/test_mail.py "
        "tests/discovery/test_words.py"
    ),
    "the extras": (
        "tests/test_cli.py tests/cli/test_app.py tests/adapters/test_anthropic.py tests/adapters/test_google.py "
        "tests/adapters/test_langchain.py tests/adapters/test_openai.py tests/adapters/test_openai_agents.py "
        "tests/adapters/test_openai_responses.py tests/adapters/test_pydantic_ai.py tests/adapters/mcp/test_auth.py "
        "tests/adapters/mcp/test_server.py tests/adapters/mcp/test_redis_store.py tests/discovery/test_semantic.py"
    ),
}
"""What is installed -> the tests that use it."""


def install(part: str) -> Path:
    """Make the environment of one part and return its interpreter."""
    folder = HOME / part.replace(" ", "-")
    python = folder / "bin" / "python"
    uv = [sys.executable, "-m", "uv", "--quiet"]
    subprocess.run([*uv, "venv", "--clear", "--python", sys.executable, str(folder)], check=True)
    has_extras = part == "the extras"
    what = ["--editable", ".[all]" if has_extras else ".", "--group", "test" if has_extras else "smoke"]
    subprocess.run([*uv, "pip", "install", "--python", str(python), *LOWEST, *what], cwd=ROOT, check=True)
    return python


def main() -> int:
    """Try each part; the first that fails ends it."""
    for part, tests in TESTS.items():
        python = install(part)
        # The oldest releases warn of what newer interpreters and newer releases beside them deprecate.
        command = [
            str(python),
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-o",
            "filterwarnings=default",
        ]
        print(f"{part}, at its lower bounds", flush=True)
        if subprocess.run([*command, *tests.split()], cwd=ROOT, check=False).returncode:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
