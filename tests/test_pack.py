"""A compiled pack gives the same tools as a live one, and imports none of them to be listed, searched and loaded."""

import multiprocessing
import pickle
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from charter import Bearer, DeclarationError, Pack, Tool, ToolValidationError
from charter.compiling import compile_pack
from charter.pack import CATALOGUE
from charter.packs import gmail, stripe
from charter.packs.stripe.api import api as stripe_api
from tests.counterparties.loopback import Loopback

INIT = """
from charter import Pack

_pack = Pack(__name__, modules=("notes", "api"))
TOOLS = _pack.tools
__getattr__, __dir__ = _pack.find, _pack.names
"""
API = """
from charter import Api

api = Api("shelf", base_url="https://api.example.com/")
configure = api.configure
"""
NOTES = """
from pydantic import BaseModel

from charter import json_tokens
from {package}.api import api


class NotesGet(BaseModel):
    "Read a note."

    note: str


class NotesList(BaseModel):
    "List notes."


notes_get = api.get("notes/{{note}}", NotesGet)
notes_list = api.get("notes", NotesList)
notes_list_full = notes_list.derived(name="notes_list_full")
TOOLS = (notes_get, notes_list)
"""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """The name of a pack of the user's own, importable and not compiled."""
    name = f"shelf_{abs(hash(request.node.name))}"
    folder = tmp_path / name
    folder.mkdir()
    for module, text in {"__init__": INIT, "api": API, "notes": NOTES.format(package=name)}.items():
        (folder / f"{module}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return name


def write(package: str) -> dict[str, str]:
    """Compile a pack; return its files by name."""
    texts = compile_pack(package)
    for path, text in texts.items():
        path.write_text(text)
    return {path.name: text for path, text in texts.items()}


def test_a_pack_without_a_catalogue_works_live(shelf: str) -> None:
    pack = Pack(shelf, modules=("notes",))
    assert [tool.name for tool in pack.tools] == ["notes_get", "notes_list"]
    assert isinstance(pack.find("notes_list_full"), Tool)
    assert pack.names() == ["TOOLS", "configure", "notes_get", "notes_list", "notes_list_full"]


def test_a_compiled_pack_tells_the_same(shelf: str) -> None:
    live = {tool.name: tool for tool in Pack(shelf).tools}
    write(shelf)
    compiled = Pack(shelf)
    assert len(compiled.tools) == len(live)
    for tool in compiled.tools:
        for told in (
            "qualified_name",
            "description",
            "method",
            "route",
            "hints",
            "needs",
            "scopes",
            "parameters",
        ):
            assert getattr(tool, told) == getattr(live[tool.name], told), told
        assert tool.to_json_schema() == live[tool.name].to_json_schema()
        assert repr(tool) == repr(live[tool.name])
        assert isinstance(tool, Tool)
    assert compiled.names() == Pack(shelf, modules=("notes",)).names()


def test_a_name_that_is_not_there_is_an_attribute_error(shelf: str) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nope'"):
        Pack(shelf).find("nope")


def test_a_compiled_tool_pickles_as_the_tool_it_stands_for() -> None:
    tool = gmail.messages_list
    assert pickle.loads(pickle.dumps(tool)).qualified_name == "gmail__messages_list"


@pytest.mark.parametrize("pack", [gmail, stripe], ids=["gmail", "stripe"])
def test_every_tool_of_a_pack_is_compiled_and_found_by_name(pack: object) -> None:
    for tool in pack.TOOLS:  # pyright: ignore[reportAttributeAccessIssue]
        assert getattr(pack, tool.name) is tool


def test_listing_searching_and_loading_import_no_model() -> None:
    program = """
import sys
from charter import ToolSession
from charter.adapters.openai import to_openai_tools
from charter.packs import gmail, stripe
session = ToolSession([*gmail.TOOLS, *stripe.TOOLS])
to_openai_tools(session)
session.search("+stripe refund")
assert len(to_openai_tools(session)) > 1
heavy = {"pydantic", "httpx2", "charter.tool", "charter.packs.stripe.refunds", "charter.packs.gmail.api"}
print(sorted(heavy & set(sys.modules)))
stripe.refunds_create.plan
resources = {f"charter.packs.stripe.{name}" for name in ("customers", "charges", "refunds", "prices")}
print(sorted(resources & set(sys.modules)))
"""
    shown = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert shown.splitlines() == ["[]", "['charter.packs.stripe.refunds']"]


def test_the_catalogue_is_beside_the_package(shelf: str) -> None:
    assert set(write(shelf)) == {CATALOGUE, "__init__.pyi"}


async def call_notes_get(pack: Pack) -> None:
    with pytest.raises(ToolValidationError):
        await pack.find("notes_get").ainvoke({})


@pytest.mark.anyio
async def test_a_catalogue_older_than_its_source_is_warned_of_once(shelf: str) -> None:
    write(shelf)
    notes = Path(sys.modules[f"{shelf}.notes"].__file__ or "")
    notes.write_text(notes.read_text().replace("Read a note.", "Fetch a note.").replace("List", "Show"))
    del sys.modules[f"{shelf}.notes"]
    pack = Pack(shelf)
    with pytest.warns(UserWarning, match=f"{shelf}: its compiled catalogue is older than its source") as told:
        await call_notes_get(pack)
        await call_notes_get(pack)
        with pytest.raises(ToolValidationError):
            await pack.find("notes_list").ainvoke({"x": 1})
    assert [str(one.message).rpartition(". ")[2] for one in told] == [f"Run charter compile {shelf}."]
    assert pack.is_older_than_source()


@pytest.mark.anyio
async def test_a_source_that_declares_the_same_is_not_warned_of(shelf: str) -> None:
    write(shelf)
    notes = Path(sys.modules[f"{shelf}.notes"].__file__ or "")
    notes.write_text(f"# a comment\n{notes.read_text()}")
    pack = Pack(shelf)
    assert pack.has_changed_sources
    assert not pack.is_older_than_source()
    await call_notes_get(pack)


def test_a_new_tool_makes_a_catalogue_old(shelf: str) -> None:
    write(shelf)
    notes = Path(sys.modules[f"{shelf}.notes"].__file__ or "")
    notes.write_text(notes.read_text() + 'notes_more = notes_get.derived(name="notes_more")\n')
    del sys.modules[f"{shelf}.notes"]
    assert Pack(shelf).is_older_than_source()


@pytest.mark.parametrize("text", ["no json", "[]\n[]\n", '{"generated_by":""}\n{"name":"x"}\n'])
def test_a_catalogue_that_cannot_be_read_is_warned_of_and_left_aside(shelf: str, text: str) -> None:
    write(shelf)
    (Path(sys.modules[shelf].__path__[0]) / CATALOGUE).write_text(text)
    with pytest.warns(UserWarning, match="its compiled catalogue cannot be read. Run charter compile"):
        pack = Pack(shelf, modules=("notes",))
    assert [tool.name for tool in pack.tools] == ["notes_get", "notes_list"]


def test_what_would_change_nothing_cannot_be_set_on_a_compiled_tool() -> None:
    with pytest.raises(DeclarationError, match="on_call cannot be set on a tool"):
        setattr(gmail.TOOLS[0], "on_call", print)  # noqa: B010 - no type checker lets it be written otherwise


def call_in_child(pickled: bytes) -> Any:
    return pickle.loads(pickled).invoke({"customer": "cus_1"})


@pytest.fixture
def configured(loopback: Loopback) -> Iterator[Loopback]:
    api, declared = stripe_api, (stripe_api.base_url, stripe_api.auth)
    stripe.configure(base_url=loopback.url, auth=Bearer(env="STRIPE_API_KEY"))
    yield loopback
    api.base_url, api.auth = declared
    object.__setattr__(api, "is_configured", False)


def test_a_pack_that_was_configured_is_so_in_spawned_processes(
    configured: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRIPE_API_KEY", "sk_test_1")
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        pool.submit(call_in_child, pickle.dumps(stripe.customers_retrieve)).result(timeout=60)
    assert [asked.path for asked in configured.asked] == ["/v1/customers/cus_1"]


@pytest.mark.usefixtures("configured")
@pytest.mark.parametrize("tool", stripe.TOOLS, ids=lambda tool: tool.name)
def test_every_tool_of_a_configured_pack_can_be_pickled(tool: Tool) -> None:
    twin = pickle.loads(pickle.dumps(tool))
    assert twin.api.base_url == stripe_api.base_url
    assert twin.to_json_schema() == tool.to_json_schema()


def test_a_pack_that_was_not_configured_is_found_by_name() -> None:
    object.__setattr__(gmail.messages_list.api, "is_configured", False)  # another test may have configured it
    written = pickle.dumps(gmail.TOOLS[0])
    assert b"gmail" in written
    assert b"base_url" not in written
