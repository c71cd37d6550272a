"""The Inspector's command line lists, searches and calls, over stdio and over HTTP."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.counterparties.charter_mcp import CHARTER, run_charter, write_stripe_pack
from tests.counterparties.node import NotInstallable, find_node, install

CREATE = "stripe__customers_create"


@pytest.fixture(scope="module")
def inspector() -> list[str]:
    try:
        script = (
            install() / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"
        )
        return [str(find_node()), str(script), "--cli"]
    except NotInstallable as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture(params=["stdio", "http"])
def target(request: pytest.FixtureRequest, localstripe_url: str, tmp_path: Path) -> Iterator[list[str]]:
    env = {"STRIPE_BASE_URL": localstripe_url, "STRIPE_API_KEY": "sk_test_1"}
    # Each run of the Inspector is a session of its own, so what it calls has to be there from the start.
    arguments = ["--pack", str(write_stripe_pack(tmp_path)), "--resident", CREATE]
    if request.param == "stdio":
        (tmp_path / "mcp.json").write_text(
            json.dumps(
                {"mcpServers": {"charter": {"command": CHARTER, "args": ["serve", *arguments], "env": env}}}
            )
        )
        yield ["--config", str(tmp_path / "mcp.json"), "--server", "charter"]
        return
    with run_charter(arguments, env) as server:
        yield [server.url]


def ask(inspector: list[str], target: list[str], *arguments: str) -> Any:
    node = str(Path(inspector[0]).parent)
    done = subprocess.run(
        [*inspector, *target, *arguments],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PATH": f"{node}{os.pathsep}{os.environ['PATH']}"},
    )
    assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-2000:]
    return json.loads(done.stdout)


def test_it_lists_searches_and_calls(inspector: list[str], target: list[str]) -> None:
    listed = ask(inspector, target, "--method", "tools/list")
    assert [tool["name"] for tool in listed["tools"]][:2] == [CREATE, "ToolSearch"]
    search = ("--method", "tools/call", "--tool-name", "ToolSearch", "--tool-arg", "query=+stripe refund")
    assert "stripe__refunds_create" in ask(inspector, target, *search)["structuredContent"]["loaded"]
    call = ("--method", "tools/call", "--tool-name", CREATE, "--tool-arg", "email=ada@example.com")
    assert ask(inspector, target, *call)["structuredContent"]["email"] == "ada@example.com"
