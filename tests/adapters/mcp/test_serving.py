"""What is said at the start, and where a server listens."""

import pytest

from charter import Api, Bearer, ToolSession
from charter.adapters.mcp import HttpSettings, build_server
from charter.adapters.mcp.serving import describe_start, listen
from charter.errors import DeclarationError
from tests.adapters.mcp.samples import PlainTool, ThingsList, make_things


def test_the_line_names_packs_tools_mode_and_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOP_TOKEN", raising=False)
    shop = Api("shop", base_url="http://127.0.0.1:9/", auth=Bearer(env="SHOP_TOKEN"))
    session = ToolSession([shop.get("things", ThingsList), PlainTool("echo")])
    line = describe_start(build_server(session), "stdio")
    assert line.startswith(
        "charter: shop (no credentials: set SHOP_TOKEN), plain; 2 tools; mode growing or steady, by client; first list "
    )
    assert line.endswith(" tokens; on stdio")
    monkeypatch.setenv("SHOP_TOKEN", "x")
    assert describe_start(build_server(session), "stdio").startswith("charter: shop, plain; ")


@pytest.mark.parametrize("mode", ["growing", "steady", "all"])
def test_the_cost_is_that_of_the_first_list(mode: str) -> None:
    server = build_server(ToolSession(make_things()), mode=mode)  # type: ignore[arg-type]
    assert f"mode {mode};" in describe_start(server, "stdio")
    costs = {"growing": 1, "steady": 2, "all": 4}
    assert len(server.first_list()) == costs[mode]


def test_an_address_that_is_taken_is_said() -> None:
    with listen(HttpSettings(port=0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(DeclarationError, match=f"cannot listen on 127.0.0.1:{port}"):
            listen(HttpSettings(port=port))
