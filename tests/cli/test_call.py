"""`charter call`, against the demo's APIs on loopback."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from charter.cli.demo.server import TOKEN, World, serve
from tests.cli.terminal import run_charter, show_on_terminal
from tests.faults.faults import respond, say
from tests.faults.server import FaultServer

ENV = {"STRIPE_API_KEY": TOKEN, "GOOGLE_ACCESS_TOKEN": TOKEN}


@pytest.fixture
def world() -> Iterator[World]:
    with serve() as world:
        yield world


def test_a_call_prints_the_trimmed_result_as_json(world: World) -> None:
    done = run_charter(
        "call", "gmail__messages_list", "q=from:nadia is:unread", "--base-url", world.url, env=ENV
    )
    assert done.stderr == ""
    assert json.loads(done.stdout)["messages"][0]["id"] == "19cb000000000002"
    assert unquote(world.log[0].target) == "/gmail/v1/users/me/messages?q=from:nadia is:unread"


def test_nested_listed_and_json_arguments_arrive(world: World) -> None:
    done = run_charter(
        "call",
        "stripe__refunds_create",
        "charge=ch_3RdemoOrder1042b",
        "metadata.order=1042",
        "amount:=100",
        "--base-url",
        world.url,
        env=ENV,
    )
    assert json.loads(done.stdout)["amount"] == 100
    assert world.stripe.refunds[json.loads(done.stdout)["id"]]["metadata"] == {"order": "1042"}


def test_arguments_may_come_from_stdin(world: World) -> None:
    done = run_charter(
        "call",
        "charges_retrieve",
        "-",
        "--base-url",
        world.url,
        stdin='{"charge": "ch_3RdemoOrder1043"}',
        env=ENV,
    )
    assert json.loads(done.stdout)["amount"] == 6400


def test_what_the_api_refuses_is_told_and_exits_with_1(world: World) -> None:
    done = run_charter("call", "stripe__charges_retrieve", "charge=ch_0", "--base-url", world.url, env=ENV)
    assert (done.returncode, done.stdout) == (1, "")
    assert "404: No such charge: 'ch_0'" in done.stderr


def test_a_saved_answer_is_still_read_by_its_arguments(world: World, tmp_path: Path) -> None:
    call = ("call", "gmail__messages_get", "id=19cb000000000002", "textFrom:=5", "--base-url", world.url)
    done = run_charter(*call, "--save", str(tmp_path / "answers.jsonl"), env=ENV)
    assert set(json.loads(done.stdout)) == {"id", "text", "textLength"}
    assert "payload" in json.loads((tmp_path / "answers.jsonl").read_text())["answer"]


def test_without_credentials_it_says_which_variable_to_set(world: World) -> None:
    done = run_charter("call", "stripe__charges_list", "--base-url", world.url, env={"STRIPE_API_KEY": ""})
    assert done.returncode == 1
    assert done.stderr == "charter: stripe: no credentials. Set STRIPE_API_KEY.\n"
    assert world.log == []


def test_wrong_arguments_send_nothing(world: World) -> None:
    done = run_charter("call", "stripe__charges_list", "limt=3", "--base-url", world.url, env=ENV)
    assert done.returncode == 1
    assert "did you mean limit" in done.stderr
    assert world.log == []


@pytest.mark.parametrize("url", ["nonsense", "ftp://127.0.0.1/", "http://user@127.0.0.1/"])
def test_a_base_url_that_is_none_is_told_of(url: str) -> None:
    done = run_charter("call", "stripe__charges_list", "--base-url", url, env=ENV)
    assert done.returncode in (1, 2)
    assert "--base-url" in done.stderr


def test_a_tool_of_ones_own_file_is_called_the_same_way(world: World) -> None:
    done = run_charter(
        "call",
        "weather__forecast",
        "latitude=59.9",
        "longitude=10.7",
        "current=rain",
        "--pack",
        "examples/weather.py",
        "--base-url",
        world.url,
    )
    assert done.returncode == 1
    assert world.log[0].target == "/forecast?latitude=59.9&longitude=10.7&current=rain"


def test_a_terminal_gets_the_result_in_colours(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRIPE_API_KEY", TOKEN)
    written = show_on_terminal("call", "stripe__charges_list", "limit=1", "--base-url", world.url, columns=40)
    assert "\x1b[" in written
    assert "ch_3RdemoOrder1043" in written


FORECAST = "call weather__forecast latitude=1 longitude=1 current=rain --pack examples/weather.py".split()
HOSTILE = "sun\x1b]0;owned\x07\x1b[31m \x9b2J\u202e\u200b"


@pytest.mark.parametrize("status", ["200 OK", "400 Bad"])
def test_what_an_api_writes_commands_no_terminal(status: str) -> None:
    body = json.dumps({"message": HOSTILE, HOSTILE: 1}, ensure_ascii=False).encode()
    with FaultServer(say(respond(body, status, "Content-Type: application/json"))) as server:
        shown = show_on_terminal(*FORECAST, "--base-url", server.url)
    assert "sun" in shown
    assert "\x1b[31m " not in shown
    coloured = re.sub(r"\x1b\[[0-9;]*m", "", shown)  # the colours of JSON are our own
    assert {character for character in coloured if not character.isprintable()} <= {"\r", "\n"}


def test_in_a_file_a_hostile_answer_is_the_same_json_in_escapes() -> None:
    body = json.dumps({"message": HOSTILE}, ensure_ascii=False).encode()
    with FaultServer(say(respond(body, "200 OK", "Content-Type: application/json"))) as server:
        done = run_charter(*FORECAST, "--base-url", server.url, "--json")
    assert json.loads(done.stdout) == {"message": HOSTILE}
    assert {character for character in done.stdout if not character.isprintable()} == {"\n"}
