"""Clients that others wrote find, load and call a Stripe tool on localstripe, over stdio and over HTTP."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests.counterparties.charter_mcp import CHARTER, run_charter, write_stripe_pack
from tests.counterparties.node import NotInstallable
from tests.counterparties.venv import make_venv

WANTED = "stripe__customers_create"
SCRIPTS = Path(__file__).parent.parent / "counterparties" / "clients"


@pytest.fixture
def stripe_env(localstripe_url: str) -> dict[str, str]:
    return {"STRIPE_BASE_URL": localstripe_url, "STRIPE_API_KEY": "sk_test_1"}


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    return [CHARTER, "serve", "--pack", str(write_stripe_pack(tmp_path))]


@pytest.fixture
def url(stripe_env: dict[str, str], command: list[str]) -> Iterator[str]:
    with run_charter(command[2:], stripe_env) as server:
        yield server.url


async def make_customer(client: Client) -> tuple[list[list[str]], Any]:
    """Find and call the tool the way its mode offers it; return the lists before and after, and the result."""
    lists = [[tool.name for tool in (await client.list_tools()).tools]]
    found = (await client.call_tool("ToolSearch", {"query": "create customer"})).structured_content
    assert WANTED in found["loaded"]
    lists.append([tool.name for tool in (await client.list_tools()).tools])
    arguments = {"email": "ada@example.com"}
    if WANTED in lists[-1]:
        made = await client.call_tool(WANTED, arguments)
    else:
        handle = found["handle"]
        made = await client.call_tool("ToolCall", {"name": WANTED, "arguments": arguments, "handle": handle})
    assert not made.is_error
    return lists, made.structured_content


@pytest.mark.anyio
@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize(("mode", "protocol"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
async def test_the_official_client_in_both_eras(
    transport: str, mode: Any, protocol: str, command: list[str], stripe_env: dict[str, str], url: str
) -> None:
    env = {**os.environ, **stripe_env}
    stdio = StdioServerParameters(command=command[0], args=command[1:], env=env)
    async with Client(stdio if transport == "stdio" else url, mode=mode) as client:
        assert client.protocol_version == protocol
        lists, made = await make_customer(client)
    assert made["email"] == "ada@example.com"
    if mode == "legacy":
        assert lists[0] == ["ToolSearch"]
        assert WANTED in lists[1]
    else:
        assert lists[0] == lists[1] == ["ToolSearch", "ToolCall"]


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize(
    ("script", "requirements"),
    [
        ("pydantic_ai_client.py", ("pydantic-ai-slim[mcp]==2.68.0",)),
        ("openai_agents_client.py", ("openai-agents==0.24.0",)),
    ],
)
def test_a_framework_of_its_own_pins(
    transport: str,
    script: str,
    requirements: tuple[str, ...],
    command: list[str],
    stripe_env: dict[str, str],
    url: str,
) -> None:
    try:
        python = make_venv(script.removesuffix("_client.py"), *requirements)
    except NotInstallable as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))
    target = command if transport == "stdio" else [url]
    done = subprocess.run(
        [str(python), str(SCRIPTS / script), *target],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **stripe_env},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["result"]["email"] == "ada@example.com"
    assert said["lists"][0][0] == "ToolSearch"
    print(script, transport, said["lists"])
