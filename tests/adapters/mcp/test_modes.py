"""Which mode a client gets."""

import re
from pathlib import Path

import pytest

from charter.adapters.mcp.modes import CLIENTS, MODES, TABLE_DATE, choose_mode, read_mode
from charter.errors import DeclarationError


@pytest.mark.parametrize(
    ("client", "mode"),
    [
        ("Visual Studio Code", "growing"),
        ("windsurf-client", "growing"),
        ("Cline", "growing"),
        ("goose", "growing"),
        ("codex-mcp-client", "steady"),
        ("claude-ai", "steady"),
        ("claude-code", "steady"),
        ("never-heard-of", "growing"),
        (None, "growing"),
    ],
)
def test_the_name_decides_in_the_older_era(client: str | None, mode: str) -> None:
    assert choose_mode(client, is_modern=False) == mode


@pytest.mark.parametrize("client", [None, "Visual Studio Code", "codex-mcp-client"])
def test_the_newer_era_is_steady_whoever_asks(client: str | None) -> None:
    assert choose_mode(client, is_modern=True) == "steady"
    assert choose_mode(client, is_modern=True, forced="growing") == "steady"
    assert choose_mode(client, is_modern=True, forced="all") == "all"


@pytest.mark.parametrize("mode", MODES)
def test_a_mode_that_is_asked_for_wins_in_the_older_era(mode: str) -> None:
    assert choose_mode("codex-mcp-client", is_modern=False, forced=read_mode(mode)) == mode


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"'shrinking' is unknown\. Use one of growing, steady, all"):
        read_mode("shrinking")


def test_the_table_is_dated_and_names_each_client_once() -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", TABLE_DATE)
    names = [name for facts in CLIENTS for name in facts.names]
    assert len(names) == len(set(names))
    assert all(name == name.lower() for name in names)


def test_the_page_shows_every_client_of_the_table() -> None:
    page = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text()
    assert TABLE_DATE in page
    assert [
        facts.title for facts in CLIENTS if f"| {facts.title} | {facts.mode} | {facts.why} |" not in page
    ] == []
