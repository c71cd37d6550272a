"""What a model is told when a call goes wrong."""

import logging
from typing import Any

import pytest
from mcp import Client

from charter import Api, Bearer, ToolSession
from charter.adapters.mcp import build_server
from charter.errors import TransportError
from tests.adapters.mcp.samples import PlainTool, ThingsList, make_things

pytestmark = pytest.mark.anyio


async def call(tools: Any, name: str, arguments: Any = None, **options: Any) -> Any:
    async with Client(build_server(tools, **options), mode="legacy") as client:
        return await client.call_tool(name, arguments or {})


async def test_missing_credentials_name_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOP_TOKEN", raising=False)
    shop = Api("shop", base_url="http://127.0.0.1:9/", auth=Bearer(env="SHOP_TOKEN"))
    result = await call([shop.get("things", ThingsList)], "shop__things_list")
    assert result.is_error
    assert result.content[0].text.endswith("The server needs SHOP_TOKEN.")


async def test_an_error_names_tools_as_the_client_sees_them() -> None:
    failing = PlainTool("fail", TransportError("plain__fail: timed out. Try again."))
    result = await call([failing], "plain_fail", separator="_")
    assert result.content[0].text == "plain_fail: timed out. Try again."


async def test_a_bug_is_logged_with_its_trace_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, logger="charter.adapters.mcp.calls"):
        result = await call([PlainTool("fail", KeyError("sk_live_secret"))], "plain__fail")
    assert "sk_live_secret" not in result.content[0].text
    assert any(record.exc_info for record in caplog.records)


async def test_a_server_that_is_not_there_is_an_error_of_the_call() -> None:
    result = await call(make_things(), "shop__things_list")
    assert result.is_error
    assert "Nothing was sent" in result.content[0].text


async def test_in_all_an_error_does_not_repeat_the_schema() -> None:
    result = await call(ToolSession(make_things()), "shop__things_create", {"nome": 1}, mode="all")
    assert "JSON Schema" not in result.content[0].text
