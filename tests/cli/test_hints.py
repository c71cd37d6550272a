"""`charter hints`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from charter import CharterError
from charter.cli.app import app
from tests.cli.terminal import ask, ask_json, run_charter

FOUND = "refund a payment -> stripe__refunds_create\n"
UNFOUND = "wobble the gizmo qqq -> stripe__refunds_create\n"
FOREIGN = "send a mail -> gmail__messages_send\n"


@pytest.fixture
def requests(tmp_path: Path) -> Path:
    path = tmp_path / "requests.txt"
    path.write_text(f"# of ours\n{FOUND}{UNFOUND}{FOREIGN}")
    return path


def test_it_tells_which_tool_a_request_does_not_find(requests: Path) -> None:
    told = ask_json("hints", "stripe", "--queries", str(requests))
    assert told["tried"] == 2
    (weakness,) = told["weaknesses"]
    assert (weakness["name"], weakness["query"]) == ("stripe__refunds_create", "wobble the gizmo qqq")


def test_the_printed_page_names_tool_and_request(requests: Path) -> None:
    text = ask("hints", "stripe", "--queries", str(requests))
    assert "stripe__refunds_create" in text.splitlines()
    assert "wobble the gizmo qqq" in text


def test_tools_of_other_packs_may_compete_but_are_not_judged(requests: Path) -> None:
    told = ask_json("hints", "stripe", "--pack", "gmail", "--queries", str(requests))
    assert {each["name"] for each in told["weaknesses"]} == {"stripe__refunds_create"}


def test_requests_may_come_from_stdin() -> None:
    assert "each finds its tools" in ask("hints", "stripe", "--queries", "-", stdin=FOUND)


def test_requests_as_json_lines_are_read(tmp_path: Path) -> None:
    path = tmp_path / "requests.jsonl"
    path.write_text(json.dumps({"query": "refund a payment", "gold": ["stripe__refunds_create"]}))
    assert ask_json("hints", "stripe", "--queries", str(path))["tried"] == 1


@pytest.mark.parametrize("text", ["no arrow here\n", None])
def test_a_file_that_holds_no_requests_is_told_of(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "requests.txt"
    if text is not None:
        path.write_text(text)
    with pytest.raises(CharterError, match=r"requests\.txt"):
        CliRunner().invoke(app, ["hints", "stripe", "--queries", str(path)], catch_exceptions=False)


def test_bare_names_are_resolved() -> None:
    told = ask_json("hints", "stripe", "--queries", "-", stdin="wobble the gizmo qqq -> Refunds_Create\n")
    assert [each["name"] for each in told["weaknesses"]] == ["stripe__refunds_create"]


@pytest.mark.parametrize("name", ["refund_create", "stripe__refund_create"])
def test_a_name_that_no_tool_has_is_an_error(name: str) -> None:
    done = run_charter("hints", "stripe", "--queries", "-", stdin=f"refund a payment -> {name}\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"names the tool '{name}', which there is not. Use stripe__refunds_create" in done.stderr


@pytest.mark.parametrize("text", ["", FOREIGN], ids=["nothing", "another pack's alone"])
def test_nothing_tried_is_no_pass(text: str) -> None:
    done = run_charter("hints", "stripe", "--queries", "-", stdin=text)
    assert (done.returncode, done.stdout) == (1, "")
    assert "no request names a tool of stripe" in done.stderr
