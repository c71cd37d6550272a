"""Extras: an adapter whose package is not installed says which extra brings it."""

import subprocess
import sys

import pytest

from charter.adapters._extra import extra

MISSING = [
    ("langchain", "langchain", "import charter.adapters.langchain"),
    ("agents", "openai-agents", "import charter.adapters.openai_agents"),
    ("pydantic_ai", "pydantic-ai", "import charter.adapters.pydantic_ai"),
    ("mcp", "mcp", "from charter.adapters.mcp import build_server"),
    ("starlette", "mcp", "import charter.adapters.mcp.server"),
    ("anthropic", "anthropic", "from charter.adapters.anthropic import to_runner_tools; to_runner_tools([])"),
]


@pytest.mark.parametrize(("package", "name", "use"), MISSING, ids=[each[1] for each in MISSING])
def test_an_adapter_without_its_package_names_its_extra(package: str, name: str, use: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.modules[{package!r}] = None; {use}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(f'Run pip install "charter[{name}]".')
    assert done.stderr.splitlines()[-1].startswith(
        f"ImportError: charter.adapters.{name.replace('-', '_')}: "
    )


@pytest.mark.parametrize("adapter", ["openai", "openai_responses", "google", "anthropic"])
def test_an_adapter_that_is_given_its_client_needs_no_package(adapter: str) -> None:
    blocked = "for name in ('openai', 'anthropic', 'google', 'google.genai'): sys.modules[name] = None"
    code = f"import sys\n{blocked}\nimport charter.adapters.{adapter}"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_any_other_error_is_left_as_it_is() -> None:
    with pytest.raises(KeyError), extra("langchain"):
        raise KeyError("a")
