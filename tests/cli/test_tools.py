"""`charter tools`."""

from charter import schema_tokens
from charter.packs import gmail
from tests.cli.terminal import ask, ask_json, read_all_tools


def test_it_lists_every_tool_with_its_tokens() -> None:
    listed = {tool["name"]: tool["tokens"] for tool in ask_json("tools")}
    assert listed == {tool.qualified_name: schema_tokens(tool) for tool in read_all_tools()}


def test_one_pack_may_be_named_in_two_ways() -> None:
    assert ask("tools", "gmail") == ask("tools", "--pack", "gmail")
    assert len(ask("tools", "gmail").splitlines()) == len(gmail.TOOLS)
