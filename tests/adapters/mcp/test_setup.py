"""What a server is built from."""

from charter import ToolSession
from charter.adapters.mcp import build_server
from tests.adapters.mcp.samples import PlainTool, make_things


def test_resident_tools_are_known_and_described_once() -> None:
    setup = build_server(ToolSession(make_things(), resident={"shop__things_list"})).setup
    assert setup.resident == ("shop__things_list",)
    assert setup.describe("shop__things_list") is setup.describe("shop__things_list")
    assert setup.describe("shop__things_create").meta is None


def test_the_whole_session_holds_every_tool_in_the_order_given() -> None:
    session = ToolSession([PlainTool("echo"), *make_things()])
    setup = build_server(session).setup
    assert list(setup.whole.tools) == list(session.tools)
    assert not setup.whole.searchable


def test_the_name_of_the_server_leaves_room_for_its_tools() -> None:
    long = PlainTool("a" * 50)
    shown = [
        build_server([long], name=name).setup.names.publish(f"plain__{long.name}")
        for name in ("charter", "a_server_of_a_team")
    ]
    assert [
        len(f"mcp__{name}__{one}") for name, one in zip(("charter", "a_server_of_a_team"), shown, strict=True)
    ] == [
        64,
        64,
    ]
