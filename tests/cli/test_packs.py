"""`charter packs`."""

import pytest

from charter.packs import gmail
from tests.cli.terminal import ask, ask_json


def test_it_tells_size_and_credential_of_each_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_ACCESS_TOKEN", "token-12345678")
    monkeypatch.delenv("STRIPE_API_KEY", raising=False)
    packs = {pack["name"]: pack for pack in ask_json("packs")}
    assert packs["gmail"]["tools"] == len(gmail.TOOLS)
    assert packs["gmail"]["credentials"] == [{"env": "GOOGLE_ACCESS_TOKEN", "set": True}]
    assert packs["stripe"]["credentials"] == [{"env": "STRIPE_API_KEY", "set": False}]
    assert "token-12345678" not in ask("packs")


def test_a_pack_without_credentials_is_shown_too() -> None:
    (row,) = [line.split("\t") for line in ask("packs", "--pack", "examples/weather.py").splitlines()]
    assert row[:2] == ["examples/weather.py", "1"]
    assert row[3] == "-"
