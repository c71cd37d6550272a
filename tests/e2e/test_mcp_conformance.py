"""The official conformance suite, in both eras, against Charter as it is served by default.

Everything runs. What cannot pass is named below with its reason, and a reason that no longer holds fails here.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.counterparties.charter_mcp import HttpServer, run_server
from tests.counterparties.node import NotInstallable, find_node, install

SERVER = Path(__file__).with_name("conformance_server.py")
FEATURES = {
    "no prompts: Charter serves tools": [
        "prompts-list",
        "prompts-get-simple",
        "prompts-get-with-args",
        "prompts-get-embedded-resource",
        "prompts-get-with-image",
    ],
    "no resources: Charter serves tools": [
        "resources-list",
        "resources-read-text",
        "resources-read-binary",
        "resources-templates-read",
        "resources-subscribe",
        "resources-unsubscribe",
        "sep-2549-resources-list-caching-hints",
        "sep-2549-resources-templates-list-caching-hints",
        "sep-2549-prompts-list-caching-hints",
    ],
    "no completion: there are no prompts or resources to complete": ["completion-complete"],
    "no log messages to clients: what happens is in the result": [
        "logging-set-level",
        "tools-call-with-logging",
    ],
    "asks clients for nothing: no sampling, elicitation or roots": [
        "tools-call-sampling",
        "tools-call-elicitation",
        "elicitation-sep1034-defaults",
        "elicitation-sep1330-enums",
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "input-required-result-basic-elicitation",
        "input-required-result-basic-sampling",
        "input-required-result-basic-list-roots",
        "input-required-result-request-state",
        "input-required-result-multiple-input-requests",
        "input-required-result-multi-round",
        "input-required-result-non-tool-request",
        "input-required-result-result-type",
        "input-required-result-tampered-state",
        "input-required-result-capability-check",
    ],
    "one answer of an API is one content": ["tools-call-mixed-content"],
}
INAPPLICABLE = {name: reason for reason, names in FEATURES.items() for name in names}
PASSED = {"2025-11-25": 53, "2026-07-28": 108}
"""The least that has to pass, so that a run that tries little cannot look good."""


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    slow = threading.Event()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        status, kind, body = {
            "/text": (200, "text/plain", b"This is a simple text response for testing."),
            "/image": (200, "image/png", b"\x89PNG\r\n\x1a\n"),
            "/audio": (200, "audio/wav", b"RIFF$\x00\x00\x00WAVE"),
            "/file": (200, "application/octet-stream", b"\x00\x01"),
            "/slow": (200, "text/plain", b"done"),
            "/error": (400, "application/json", b'{"message": "This tool fails on purpose."}'),
        }[self.path]
        if self.path == "/slow":
            self.slow.wait(0.6)  # nothing sets it: the call has to last for several signs of life
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def server() -> Iterator[HttpServer]:
    api = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    thread = threading.Thread(target=api.serve_forever)
    thread.start()
    try:
        env = {"CONFORMANCE_API": f"http://127.0.0.1:{api.server_port}/"}
        with run_server([sys.executable, str(SERVER)], env) as running:
            yield running
    finally:
        api.shutdown()
        thread.join()
        api.server_close()


@pytest.fixture(scope="module")
def suite() -> list[str]:
    try:
        script = install() / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
        return [str(find_node()), str(script)]
    except NotInstallable as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


def run_suite(suite: list[str], url: str, version: str, folder: Path) -> dict[tuple[str, str], list[str]]:
    """Run every scenario of one era and return (scenario, check) -> what each of its checks came to."""
    subprocess.run(
        [*suite, "server", "--url", url, "--suite", "all", "--spec-version", version, "-o", str(folder)],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=240,
        check=False,
    )
    found: dict[tuple[str, str], list[str]] = {}
    for path in folder.glob("server-*/checks.json"):
        scenario = path.parent.name.removeprefix("server-")[: -len("-2026-11-30T19-54-59-963Z")]
        for check in json.loads(path.read_text()):
            found.setdefault((scenario, check["id"]), []).append(check["status"])
    return found


Runs = dict[str, dict[tuple[str, str], list[str]]]


@pytest.fixture(scope="module")
def runs(server: HttpServer, suite: list[str], tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return {
        version: run_suite(suite, server.url, version, tmp_path_factory.mktemp("run")) for version in PASSED
    }


@pytest.mark.parametrize("version", PASSED)
def test_every_applicable_check_passes(runs: Runs, version: str) -> None:
    failed = {key for key, states in runs[version].items() if "FAILURE" in states}
    assert {key for key in failed if INAPPLICABLE.keys().isdisjoint(key)} == set()
    passed = sum(states.count("SUCCESS") for states in runs[version].values())
    scenarios = len({scenario for scenario, _ in runs[version]})
    print(f"{version}: {scenarios} scenarios, {passed} checks passed, {len(failed)} inapplicable")
    assert passed >= PASSED[version]


def test_no_reason_outlives_what_it_excuses(runs: Runs) -> None:
    failed = {
        name for run in runs.values() for key, states in run.items() if "FAILURE" in states for name in key
    }
    assert INAPPLICABLE.keys() - failed == set()
