"""The example of README.md is the file in examples/, has fifteen lines, and runs with the real openai package."""

import ast
import os
import subprocess
import sys
from pathlib import Path

from charter.cli.demo.scripted import ScriptedModel, Step
from tests.cli.demo.model_server import serve_model
from tests.house.echo import serve_echo
from tests.house.sources import ROOT
from tests.house.test_documentation import read_blocks

EXAMPLE = ROOT / "examples" / "weather.py"
ORIGIN = "https://api.open-meteo.com"


def count_statements(text: str) -> int:
    """Count lines of code: each statement, with its decorators and brackets, is one; docstrings are none."""
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    return sum(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in found)


def test_the_readme_shows_the_file() -> None:
    blocks = read_blocks((ROOT / "README.md").read_text(encoding="utf-8"))
    shown = next(block.text for block in blocks if "open-meteo" in block.text)
    docstring = EXAMPLE.read_text(encoding="utf-8").split('"""')[1]
    assert EXAMPLE.read_text(encoding="utf-8") == f'"""{docstring}"""\n\n{shown}'


def test_it_has_fifteen_lines() -> None:
    assert count_statements(EXAMPLE.read_text(encoding="utf-8")) == 15


def test_it_asks_finds_calls_and_answers(tmp_path: Path) -> None:
    asked = {"latitude": 59.9, "longitude": 10.7, "current": "rain"}
    step = Step(("weather", "forecast"), "forecast", lambda memory: asked)
    model = ScriptedModel([step], lambda memory: f"Sent {memory.results['weather__forecast']['request']}.")
    with serve_echo() as origin, serve_model(model) as (url, seen):
        (tmp_path / "weather.py").write_text(EXAMPLE.read_text(encoding="utf-8").replace(ORIGIN, origin))
        done = subprocess.run(
            [sys.executable, "weather.py"],
            cwd=tmp_path,
            env={**os.environ, "OPENAI_API_KEY": "sk-1234567890", "OPENAI_BASE_URL": url},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.stderr == ""
    assert done.stdout == "Sent GET /v1/forecast?latitude=59.9&longitude=10.7&current=rain.\n"
    assert [len(request["tools"]) for request in seen] == [1, 2, 2]
