"""Packs by name, module, file and entry point; tools by any spelling of their names."""

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from charter import CharterError
from charter.cli import registry
from charter.cli.registry import find_modules, find_tool, is_pack, load_packs, load_tools
from charter.packs import PACKS, __path__

PACK = '''"""Rooms of a hotel."""
from pydantic import BaseModel
from charter import Api

booking = Api("booking", base_url="https://api.example.com/v1/")

class RoomsList(BaseModel):
    """List rooms."""

rooms_list = booking.get("rooms", RoomsList)
TOOLS = (rooms_list,)
'''


@pytest.fixture
def own_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "own_rooms.py"
    path.write_text(PACK)
    yield path
    sys.modules.pop("own_rooms", None)


def offer(monkeypatch: pytest.MonkeyPatch, **packs: str) -> None:
    """Have a distribution name these packs."""
    entries = EntryPoints(EntryPoint(name, module, "charter.packs") for name, module in packs.items())
    monkeypatch.setattr(registry, "entry_points", lambda group: entries.select(group=group))


def test_every_folder_of_packs_is_listed() -> None:
    folders = {path.parent.name for path in Path(__path__[0]).glob("*/__init__.py")}
    assert set(PACKS) == folders


def test_all_packs_are_loaded_when_none_is_named() -> None:
    assert {pack.name for pack in load_packs()} >= set(PACKS)


def test_packs_are_parted_by_commas_and_loaded_once() -> None:
    assert [pack.name for pack in load_packs(["stripe,gmail", "stripe"])] == ["stripe", "gmail"]


def test_a_file_is_a_pack(own_pack: Path) -> None:
    assert [tool.qualified_name for tool in load_tools([str(own_pack)])] == ["booking__rooms_list"]
    assert load_packs(["own_rooms.py"])[0].summary == "Rooms of a hotel."


def test_a_module_in_the_working_folder_is_a_pack(own_pack: Path) -> None:
    assert find_tool("rooms_list", ["own_rooms"]).qualified_name == "booking__rooms_list"


def test_a_distribution_adds_a_pack_but_does_not_take_a_name(
    monkeypatch: pytest.MonkeyPatch, own_pack: Path
) -> None:
    offer(monkeypatch, hotel="own_rooms", stripe="own_rooms")
    assert find_modules()["hotel"] == "own_rooms"
    assert find_modules()["stripe"] == "charter.packs.stripe"


def test_a_pack_named_like_one_that_comes_along_is_said(
    monkeypatch: pytest.MonkeyPatch, own_pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    offer(monkeypatch, stripe="own_rooms")
    load_packs(["gmail"])
    assert capsys.readouterr().err == ""
    load_packs(["stripe"])
    assert capsys.readouterr().err == (
        "charter: own_rooms: is installed as stripe, but the pack of that name that comes along counts. "
        "Name it by module: --pack own_rooms.\n"
    )
    own_pack.write_text(PACK.replace('Api("booking"', 'Api("gmail"'))
    load_packs(["own_rooms.py"])
    assert "own_rooms.py: its tools are named gmail__..., as those of the pack" in capsys.readouterr().err


def test_a_broken_pack_of_a_distribution_does_not_take_the_others_along(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken_pack.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    offer(monkeypatch, broken="broken_pack")
    assert {pack.name for pack in load_packs()} == set(PACKS)
    assert "broken: its import failed: ZeroDivisionError" in capsys.readouterr().err
    with pytest.raises(CharterError, match="broken: its import failed"):
        load_packs(["broken"])


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("no_tools.py", "x = 1\n", "has no TOOLS"),
        ("strange.py", "TOOLS = [1]\n", "has no TOOLS"),
        ("lacking.py", "import no_such_package_anywhere\n", "No module named 'no_such_package_anywhere'"),
        ("wrong.py", "def\n", "SyntaxError"),
    ],
)
def test_a_file_that_is_no_pack_is_told_of(tmp_path: Path, name: str, text: str, problem: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(CharterError, match=problem):
        load_packs([str(tmp_path / name)])


@pytest.mark.parametrize("name", ["no_such_pack_at_all", "no_such.module_at_all", "no_such_file.py"])
def test_a_pack_that_is_not_there_is_told_of(name: str) -> None:
    with pytest.raises(CharterError, match="there is no such"):
        load_packs([name])


@pytest.mark.parametrize("name", ["stripe__refunds_create", "refunds_create", "Stripe__Refunds_Create"])
def test_a_tool_is_found_by_any_spelling(name: str) -> None:
    assert find_tool(name).qualified_name == "stripe__refunds_create"


def test_a_tool_that_is_not_there_is_answered_with_close_names() -> None:
    with pytest.raises(CharterError, match=r"Use one of .*gmail__messages_list"):
        find_tool("gmail__message_lists")


def test_a_module_with_an_underscore_is_a_pack_where_it_is_there(own_pack: Path) -> None:
    assert [name for name in ("own_rooms", "own_rooms.py", "stripe", "refunds_create") if is_pack(name)] == [
        "own_rooms",
        "own_rooms.py",
        "stripe",
    ]
