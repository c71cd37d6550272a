"""`charter serve` reads its options; what it serves is tried in tests/e2e/test_mcp_*.py."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from charter.adapters.mcp import serving
from charter.cli.app import app
from charter.cli.serve import configure_apis, load_adapter
from charter.errors import CharterError
from charter.packs.stripe import TOOLS


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """What would have been served: session and configuration."""
    seen: list[tuple[Any, Any]] = []
    monkeypatch.setattr(serving, "serve_config", lambda session, config: seen.append((session, config)))
    return seen


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["serve", *arguments], catch_exceptions=False)


def test_options_reach_the_session_and_the_server(served: list[tuple[Any, Any]]) -> None:
    run("--pack", "stripe", "--resident", "stripe__refunds_list", "--mode", "steady", "--separator", "_")
    ((session, config),) = served
    assert {tool.pack for tool in session.tools.values()} == {"stripe"}
    assert list(session.visible()) == ["stripe__refunds_list", "ToolSearch"]
    assert (config.mode, config.separator, config.http) == ("steady", "_", None)


def test_a_file_is_read_and_options_win_over_it(served: list[tuple[Any, Any]], tmp_path: Path) -> None:
    path = tmp_path / "charter.toml"
    path.write_text(
        'packs = ["gmail"]\nmode = "all"\nthreshold = 100000\n[tools.gmail__labels_list]\ndescription = "Labels."\n'
    )
    run("--config", str(path), "--mode", "growing")
    ((session, config),) = served
    assert config.mode == "growing"
    assert not session.searchable
    assert session.tools["gmail__labels_list"].description == "Labels."


def test_http_and_tokens_are_read(served: list[tuple[Any, Any]]) -> None:
    run(
        "--pack",
        "stripe",
        "--http",
        "0.0.0.0:9000",
        "--auth",
        "issuer=https://id.test",
        "--auth",
        "audience=https://mcp.test/mcp",
    )
    ((_, config),) = served
    assert config.http.address == "0.0.0.0:9000"
    assert config.http.rules().issuer == "https://id.test"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--auth", "issuer"), "has no value"),
        (("--auth", "issuer=https://id.test"), "is for HTTP"),
        (("--mode", "shrinking"), "mode 'shrinking'"),
        (("--pack", "nowhere"), "no such pack"),
        (("--config", "nowhere.toml"), "cannot be read"),
        (("--resident", "stripe__nothing"), "resident names no tool"),
    ],
)
def test_what_makes_no_sense_is_said(
    arguments: tuple[str, ...], said: str, served: list[tuple[Any, Any]]
) -> None:
    with pytest.raises(CharterError, match=said):
        run(*arguments)
    assert served == []


def test_an_address_of_a_pack_that_is_not_there_is_refused() -> None:
    with pytest.raises(CharterError, match=r"apis\.nowhere: there is no such pack"):
        configure_apis(TOOLS, {"nowhere": "http://127.0.0.1:9/"})


def test_without_the_extra_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> Any:
        raise ModuleNotFoundError("No module named 'mcp'", name="mcp")

    monkeypatch.setattr("importlib.import_module", fail)
    with pytest.raises(CharterError, match=r"charter\[mcp\]"):
        load_adapter("serving")
