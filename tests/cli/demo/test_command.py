"""`charter demo --live`: the real openai package, and what is said when it cannot be."""

import json
import subprocess
import sys

import pytest

from charter.cli.demo.errand import make_model
from tests.cli.demo.model_server import serve_model
from tests.cli.terminal import run_charter


def test_a_real_client_runs_the_same_errand_over_http() -> None:
    with serve_model(make_model()) as (url, seen):
        env = {"OPENAI_API_KEY": "sk-1234567890", "OPENAI_BASE_URL": url}
        done = run_charter("demo", "--live", "some-model", "--json", env=env)
    told = json.loads(done.stdout)
    assert len(told["state"]["refunds"]) == len(told["state"]["sent"]) == 1
    assert {request["model"] for request in seen} == {told["model"]} == {"some-model"}
    assert [turn["request"]["tools"] for turn in told["turns"]] == [request["tools"] for request in seen]
    searches = [turn for turn in told["turns"] if {call["name"] for call in turn["calls"]} == {"ToolSearch"}]
    assert told["with_everything"]["turns"] == len(told["turns"]) - len(searches)


def test_a_provider_that_fails_is_told_of_in_one_line() -> None:
    env = {"OPENAI_API_KEY": "sk-1234567890", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
    done = run_charter("demo", "--live", "some-model", env=env)
    assert done.returncode == 1
    assert done.stderr.startswith("charter: demo: the model failed: Connection error.")
    assert "sk-1234567890" not in done.stderr


def test_without_a_key_nothing_is_asked() -> None:
    done = run_charter("demo", "--live", "some-model", env={"OPENAI_API_KEY": ""})
    assert (done.returncode, done.stdout) == (1, "")
    assert "OPENAI_API_KEY is not set" in done.stderr


def test_without_the_openai_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import sys; sys.modules['openai'] = None; sys.argv = ['charter', 'demo', '--live', 'm']\n"
        "from charter.cli import main; main()"
    )
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1234567890")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "Run pip install openai." in done.stderr
