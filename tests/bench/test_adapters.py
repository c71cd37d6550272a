"""The figures of docs/frameworks.md are those that `python -m bench adapters` measures, within a twentieth."""

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest

from bench.adapters import (
    MODES,
    TOOLS,
    Figures,
    find_repeated,
    make_script,
    measure_all,
    price,
    render_page_table,
)
from charter import ToolSession
from tests.house.sources import PACKAGE, ROOT

pytestmark = pytest.mark.anyio

PAGE = (ROOT / "docs" / "frameworks.md").read_text(encoding="utf-8")
HEAD = "| adapter | first request |"


def read_table(page: str) -> dict[str, list[float]]:
    """Return the figures of each row."""
    lines = page[page.index(HEAD) :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {name: [float(figure.strip("%").replace(",", "")) for figure in rest] for name, *rest in cells}


@pytest.fixture(scope="module")
async def measured() -> list[Figures]:
    return await measure_all()


async def test_the_pages_table_holds(measured: Sequence[Figures]) -> None:
    told, found = read_table(PAGE), read_table(render_page_table(measured))
    assert told.keys() == found.keys()
    wrong = {
        name: (told[name], found[name])
        for name in told
        if any(abs(one - other) > other / 20 for one, other in zip(told[name], found[name], strict=True))
    }
    assert wrong == {}


async def test_native_modes_repeat_every_byte_and_growing_ones_most(measured: Sequence[Figures]) -> None:
    assert {it.mode: it.repeated for it in measured if it.native and it.repeated != 1} == {}
    assert {it.mode: it.repeated for it in measured if not 0.85 < it.repeated <= 1} == {}


async def test_a_run_loads_three_tools_in_six_turns() -> None:
    for mode in MODES[:2]:
        session = ToolSession(TOOLS)
        texts = await mode.send(session, searching=True)
        assert len(texts) == len(make_script(searching=True)) == 6
        assert len(session.loaded) == 3
        assert all(len(earlier) < len(later) for earlier, later in pairwise(texts))


def test_what_is_repeated_is_counted_from_the_beginning() -> None:
    assert find_repeated(["abc", "abd", "x"]) == [0, 2, 0]
    assert price(["a" * 400, "a" * 400 + "b" * 40]) == 100 + 10 + 10


def test_every_adapter_has_a_section_and_examples_of_ten_lines() -> None:
    named = {path.stem for path in (PACKAGE / "adapters").glob("[!_]*.py")}
    assert {name for name in named if f"charter.adapters.{name} import" not in PAGE} == set()
    blocks = re.findall(r"^```python.*?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert [block for block in blocks if len(block.strip().splitlines()) > 10] == []
