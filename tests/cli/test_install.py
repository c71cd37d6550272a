"""`charter install` prints the entry, or merges it and leaves everything else as it was."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from charter.cli.app import app
from charter.cli.install import CLIENTS, merge_entry
from charter.errors import CharterError

ENTRY = {"command": "/bin/charter", "args": ["serve"]}


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["install", *arguments], catch_exceptions=False)


def read(path: Path) -> Any:
    return tomllib.loads(path.read_text()) if path.suffix == ".toml" else json.loads(path.read_text())


@pytest.mark.parametrize("client", CLIENTS)
def test_what_is_printed_is_what_is_written(client: str, tmp_path: Path) -> None:
    path = tmp_path / "deep" / Path(CLIENTS[client].path).name
    said = run(client, "--pack", "gmail,stripe", "--file", str(path))
    assert not path.exists()
    written = run(client, "--pack", "gmail,stripe", "--file", str(path), "--write")
    assert written.exit_code == 0
    parse = tomllib.loads if path.suffix == ".toml" else json.loads
    assert read(path) == parse(said.stdout)
    entry = read(path)[CLIENTS[client].table]["charter"]
    assert Path(entry["command"]).is_absolute()
    assert entry["args"] == ["serve", "--pack", "gmail,stripe"]


def test_the_rest_of_a_json_file_stays_and_a_backup_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    before = '{\n    "theme": "dürer",\n    "mcpServers": {\n        "other": {"command": "x"}\n    }\n}\n'
    path.write_text(before)
    path.chmod(0o600)
    backup = merge_entry(path, CLIENTS["cursor"], "charter", ENTRY)
    assert backup is not None
    assert backup.read_text() == before
    held = read(path)
    assert held == {"theme": "dürer", "mcpServers": {"other": {"command": "x"}, "charter": ENTRY}}
    assert "dürer" in path.read_text()
    assert '\n    "theme"' in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in sorted(tmp_path.iterdir())] == ["mcp.json", "mcp.json.backup1"]


def test_the_rest_of_a_toml_file_stays_to_the_letter(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    before = (
        '# mine\nmodel = "x"  # the good one\n\n[mcp_servers.charter]\ncommand = "old"\n\n'
        '[mcp_servers.charter.env]\nA = "1"\n\n[mcp_servers.other]\ncommand = "y"\n'
    )
    path.write_text(before)
    merge_entry(path, CLIENTS["codex"], "charter", ENTRY)
    after = path.read_text()
    assert after.startswith('# mine\nmodel = "x"  # the good one\n')
    assert read(path) == {"model": "x", "mcp_servers": {"other": {"command": "y"}, "charter": ENTRY}}


@pytest.mark.parametrize("client", ["cursor", "codex"])
def test_doing_it_again_changes_nothing(client: str, tmp_path: Path) -> None:
    path = tmp_path / Path(CLIENTS[client].path).name
    merge_entry(path, CLIENTS[client], "charter", ENTRY)
    before = path.read_bytes()
    assert merge_entry(path, CLIENTS[client], "charter", ENTRY) is None
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_each_backup_has_a_name_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("{}")
    backups = [merge_entry(path, CLIENTS["cursor"], name, ENTRY) for name in ("a", "b")]
    assert [backup.name for backup in backups if backup] == ["mcp.json.backup1", "mcp.json.backup2"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("mcp.json", "{broken", "is no plain JSON"),
        ("mcp.json", '{"a": 1, // a comment\n}', "is no plain JSON"),
        ("mcp.json", "[]", "mcpServers is no object"),
        ("mcp.json", '{"mcpServers": []}', "mcpServers is no object"),
        ("config.toml", "a = = 1", "is no TOML"),
        ("config.toml", 'mcp_servers = "x"', "cannot be merged"),
        ("config.toml", 'mcp_servers.charter = { command = "old" }', "cannot be merged"),
    ],
)
def test_what_cannot_be_merged_is_left_as_it_was(name: str, text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    client = CLIENTS["codex" if name.endswith(".toml") else "cursor"]
    with pytest.raises(CharterError, match=said):
        merge_entry(path, client, "charter", ENTRY)
    assert path.read_text() == text
    assert len(list(tmp_path.iterdir())) == 1


def test_a_file_behind_a_link_is_written_where_it_is(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "mcp.json"
    real.write_text("{}")
    link.symlink_to(real)
    merge_entry(link, CLIENTS["cursor"], "charter", ENTRY)
    assert link.is_symlink()
    assert read(real)["mcpServers"]["charter"] == ENTRY


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("emacs",), "there is no client 'emacs'"), (("cursor", "--name", "a b"), "name 'a b' is not letters")],
)
def test_wrong_usage_is_said(arguments: tuple[str, ...], said: str) -> None:
    with pytest.raises(CharterError, match=said):
        run(*arguments)
