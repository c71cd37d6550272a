"""Every example in README.md and docs/ runs, and says what really comes out.

Blocks of one page share their names and run in order. `python` blocks are executed, await included; `pycon` blocks are
doctests; the `charter` lines of `console` blocks are run where they only read, and parsed where they do more.
"""

import ast
import asyncio
import doctest
import inspect
import re
import shlex
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from charter.cli.app import app
from tests.house.echo import serve_echo
from tests.house.model import serve_model
from tests.house.sources import ROOT

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
ORIGIN = "https://api.example.com"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
READING = ("demo", "packs", "tools", "search", "show", "cost", "egress")
"""Commands that are run; the lines of all others are only parsed, since they write, wait or need a network."""


@dataclass(frozen=True)
class Block:
    language: str
    text: str
    line: int


def read_blocks(page: str) -> list[Block]:
    return [
        Block(match[1], match[2], page.count("\n", 0, match.start()) + 2) for match in BLOCK.finditer(page)
    ]


def run_python(block: Block, names: dict[str, Any]) -> None:
    code = compile(block.text, "block", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    if code.co_flags & inspect.CO_COROUTINE:
        asyncio.run(eval(code, names))
    else:
        exec(code, names)


def run_doctest(block: Block, names: dict[str, Any]) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(block.text, names, "block", None, block.line)
    said: list[str] = []
    failed = doctest.DocTestRunner(optionflags=flags).run(test, out=said.append, clear_globs=False).failed
    names.update(test.globs)
    assert not failed, "".join(said)


def run_console(block: Block) -> None:
    for line in block.text.splitlines():
        command = line.removeprefix("$ ").partition("#")[0].partition("|")[0].strip()
        program, *arguments = shlex.split(command) or [""]
        if program != "charter":
            continue
        if arguments[0] in READING and "--live" not in arguments:
            done = CliRunner().invoke(app, arguments)
            assert done.exit_code == 0, f"{command}: {done.output}"
        else:
            parse_command(arguments)


def parse_command(arguments: list[str]) -> None:
    """Parse a command line as the command itself would, without running it."""
    group: Any = get_command(app)
    name, command, rest = group.resolve_command(group.make_context("charter", arguments), arguments)
    command.make_context(name, rest)


def run_page(page: str, origin: str) -> int:
    """Run every block of a page and return how many there were."""
    names: dict[str, Any] = {"__name__": "page"}
    count = 0
    for block in read_blocks(page.replace(ORIGIN, origin)):
        if block.language == "python":
            run_python(block, names)
        elif block.language == "pycon":
            run_doctest(block, names)
        elif block.language == "console":
            run_console(block)
        else:
            continue
        count += 1
    return count


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    with serve_echo() as url:
        yield url


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("BOOKING_KEY", "key-12345678")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_example_of_a_page_runs(page: Path, origin: str, request: pytest.FixtureRequest) -> None:
    text = page.read_text(encoding="utf-8")
    has_models = page.name == "frameworks.md"
    with serve_model(request.getfixturevalue("aimock"), origin) if has_models else nullcontext():
        count = run_page(text, origin)
    assert count == len(
        [block for block in read_blocks(text) if block.language in ("python", "pycon", "console")]
    )


def test_the_pages_have_examples() -> None:
    counts = {page.name: len(read_blocks(page.read_text(encoding="utf-8"))) for page in PAGES}
    assert counts["README.md"] >= 2
    assert counts["declaring.md"] >= 10


@pytest.mark.parametrize(
    "page",
    [
        "```python\nraise ValueError\n```\n",
        "```pycon\n>>> 1 + 1\n3\n```\n",
        "```console\n$ charter show no_such_tool\n```\n",
        "```console\n$ charter call no_such_tool --no-such-option\n```\n",
        "```console\n$ charter no_such_command\n```\n",
    ],
)
def test_an_example_that_is_wrong_is_caught(page: str, origin: str) -> None:
    with pytest.raises((ValueError, AssertionError, typer.TyperException)):
        run_page(page, origin)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
