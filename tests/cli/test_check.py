"""`charter check`."""

from pathlib import Path

import pytest

from tests.cli.terminal import ask, ask_json, run_charter

PACK = '''"""Things."""
from pydantic import BaseModel, Field, JsonValue
from charter import Api
api = Api("things", base_url="https://things.example/")
class ThingsSend(BaseModel):
    """Send a thing."""
    id: str
    data: JsonValue = Field(None, description="Anything.")
TOOLS = (api.post("things", ThingsSend),)
'''


def test_the_packs_that_come_along_can_be_sent_everywhere() -> None:
    assert ask_json("check") == []


@pytest.fixture
def pack(tmp_path: Path) -> str:
    file = tmp_path / "odd_things.py"
    file.write_text(PACK)
    return str(file)


def test_what_would_fail_is_listed_with_its_path_and_fix(pack: str) -> None:
    done = run_charter("check", "--dialect", "gemini", "--pack", pack)
    assert done.returncode == 1
    [row] = done.stdout.splitlines()
    assert row.split("\t") == [
        "gemini",
        "things__things_send",
        "data",
        "leaves the type of its value open",
        "Use tool.derived(drop=['data'])",
    ]


def test_only_the_dialects_asked_for_are_checked(pack: str) -> None:
    assert ask("check", "--dialect", "anthropic", "--dialect", "mcp", "--pack", pack) == ""


def test_an_unknown_dialect_is_refused() -> None:
    done = run_charter("check", "--dialect", "klingon")
    assert done.returncode == 1
    assert "Use one of openai" in done.stderr
