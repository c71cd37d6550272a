"""`charter check`."""

from pathlib import Path

import pytest

from tests.cli.terminal import ask, ask_json, run_charter
from tests.counterparties.loopback import Loopback

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


KEEPING = PACK.replace("from charter import Api", "from charter import Api, keep").replace(
    'api.post("things", ThingsSend)', "api.post(\"things\", ThingsSend, response_handler=keep('id', 'titel'))"
)


def test_a_kept_path_that_no_answer_has_is_told(tmp_path: Path, loopback: Loopback) -> None:
    (tmp_path / "odd_things.py").write_text(KEEPING)
    loopback.reply({"id": 1, "title": "x", "size": 2})
    call = ["call", "things_send", "id=1", "--pack", "odd_things.py", "--base-url", loopback.url]
    called = run_charter(*call, "--save", "answers.jsonl", cwd=tmp_path)
    assert (called.returncode, called.stderr, called.stdout.split()) == (0, "", ["{", '"id":', "1", "}"])
    check = ["check", "--dialect", "mcp", "--pack", "odd_things.py", "--answers", "answers.jsonl"]
    done = run_charter(*check, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.split("\t") == [
        "",
        "things__things_send",
        "titel",
        "is kept, but in none of 1 answers",
        "Write 'title'\n",
    ]


@pytest.mark.parametrize("text", ["no json", "[1]", '{"tool": "x"}', None])
def test_a_file_that_holds_no_answers_is_told_of(tmp_path: Path, pack: str, text: str | None) -> None:
    if text is not None:
        (tmp_path / "answers.jsonl").write_text(text)
    done = run_charter("check", "--pack", pack, "--answers", str(tmp_path / "answers.jsonl"))
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "Write them with charter call --save." in done.stderr
