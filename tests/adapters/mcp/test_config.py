"""`charter.toml` says what it means, and an error says on which line."""

from pathlib import Path
from typing import Any

import pytest

from charter.adapters.mcp.config import Config, find_line, override, project_tools, read_config
from charter.errors import DeclarationError
from tests.adapters.mcp.samples import PlainTool, make_things

WHOLE = """\
packs = ["gmail", "stripe"]
name = "team"
mode = "growing"
separator = "_"
resident = ["gmail__messages_list"]
threshold = 50
budget = 4000
listing = "names"
max_result_tokens = 9000
page_size = 100
progress_seconds = 2

[apis.stripe]
base_url = "http://127.0.0.1:8420/"

[tools.shop__things_list]
pin = { limit = 5 }
description = "List five things."

[http]
address = "0.0.0.0:8000"
hosts = ["mcp.example.com"]
store = "redis://127.0.0.1:6379/0"
max_sessions = 10
idle_seconds = 60

[http.auth]
issuer = "https://id.example.com"
audience = "https://mcp.example.com/mcp"
scopes = ["tools"]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "charter.toml"
    path.write_text(text)
    return path


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    config = read_config(write(tmp_path, WHOLE))
    assert (config.packs, config.name, config.mode) == (["gmail", "stripe"], "team", "growing")
    assert config.http is not None
    rules = config.http.rules()
    assert rules is not None
    assert rules.scopes == ("tools",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("packs = [\n", ":2: is no TOML"),
        ("a = 1\nb = = 2\n", ":2: is no TOML"),
        ('packs = ["gmail"]\nmoed = "all"\n', ":2: moed is unknown. Use packs, name, mode"),
        (
            '\n\nmode = "shrinking"\n',
            ":3: mode: Input should be 'growing', 'steady' or 'all', got 'shrinking'",
        ),
        ("packs = 5\n", ":1: packs: Input should be a valid list, got '5'"),
        ('page_size = "many"\n', ":1: page_size"),
        ("[http]\n\nport = 8000\n", ":3: http.port is unknown. Use address"),
        ("[tools.shop__things_list]\nkept = []\n", ":2: tools.shop__things_list.kept is unknown. Use keep"),
        ('[http.auth]\nissuer = "http://id.test"\naudience = "https://mcp.test"\n', ":1: auth: issuer"),
        ("[apis]\nstripe = 5\n", ":2: apis.stripe"),
    ],
)
def test_an_error_has_the_line(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(DeclarationError) as caught:
        read_config(path)
    assert str(caught.value).startswith(f"{path}{said}")


def test_several_errors_are_told_together(tmp_path: Path) -> None:
    with pytest.raises(DeclarationError) as caught:
        read_config(write(tmp_path, "a = 1\n\nb = 2\n"))
    assert [line.split("charter.toml")[1].split(" ")[0] for line in str(caught.value).splitlines()] == [
        ":1:",
        ":3:",
    ]


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DeclarationError, match="cannot be read"):
        read_config(tmp_path / "nowhere.toml")


def test_quoted_and_dotted_keys_are_found() -> None:
    text = 'name = "x"\n["tools"."a__b"]\nkeep = []\n[http]\nauth.issuer = "y"\n'
    assert find_line(text, ("tools", "a__b", "keep")) == 3
    assert find_line(text, ("http", "auth", "issuer")) == 5
    assert find_line(text, ("nowhere",)) == 1


def test_options_win_over_the_file_and_none_changes_nothing(tmp_path: Path) -> None:
    config = read_config(write(tmp_path, WHOLE))
    changed = override(config, {"mode": "all", "packs": None}, {"address": "127.0.0.1:1", "store": None})
    assert (changed.mode, changed.packs, changed.name) == ("all", ["gmail", "stripe"], "team")
    assert changed.http is not None
    assert (changed.http.address, changed.http.max_sessions) == ("127.0.0.1:1", 10)
    assert override(config, {}, {}) == config


@pytest.mark.parametrize(
    ("given", "over_http", "said"),
    [
        ({"mode": "x"}, {}, "serve: mode 'x'"),
        ({}, {"auth": {"issuer": "x"}}, "auth is for HTTP. Give --http HOST:PORT too"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(given: Any, over_http: Any, said: str) -> None:
    with pytest.raises(DeclarationError, match=said):
        override(Config(), given, over_http)


def test_a_projection_stands_in_for_its_tool(tmp_path: Path) -> None:
    config = read_config(write(tmp_path, WHOLE))
    things = make_things()
    made = project_tools(things, config.tools)
    assert [tool.name for tool in made] == [tool.name for tool in things]
    assert made[0].description == "List five things."
    assert "limit" not in made[0].to_json_schema()["parameters"].get("properties", {})
    assert list(made[1:]) == list(things[1:])


def test_a_projection_of_nothing_is_refused() -> None:
    config = Config.model_validate({"tools": {"shop__nothing": {"keep": ["x"]}}})
    with pytest.raises(DeclarationError, match=r"tools\.shop__nothing names no tool"):
        project_tools(make_things(), config.tools)
    config = Config.model_validate({"tools": {"plain__echo": {"keep": ["x"]}}})
    with pytest.raises(DeclarationError, match="cannot be narrowed"):
        project_tools([PlainTool("echo")], config.tools)
    config = Config.model_validate({"tools": {"shop__things_list": {"keep": ["nowhere"]}}})
    with pytest.raises(DeclarationError, match=r"charter\.toml: tools\.shop__things_list: "):
        project_tools(make_things(), config.tools)


def test_the_example_of_the_page_is_a_file_that_can_be_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text()
    example = page.split("```toml\n")[1].split("```")[0]
    config = read_config(write(tmp_path, example))
    assert set(config.model_dump(exclude_unset=True)) == set(Config.model_fields)
