"""Tests mirror the source: `wire/path.py` is tried by `tests/wire/test_path.py`, and no test is an orphan."""

import ast
from pathlib import PurePosixPath

from tests.house.sources import PACKAGE, SOURCES, TESTS, Source, read_source

# Folders whose tests are about the whole, not about one module.
WHOLE = ("counterparties", "e2e", "faults", "front_door", "fuzz", "house", "properties")

# Modules that another test tries wholly, with that test.
TRIED_ELSEWHERE: dict[str, str] = {}


def has_behaviour(source: Source) -> bool:
    """Return whether a module holds a function of more than three statements."""
    return any(len(list(ast.walk(function))) > 60 for function in source.functions())


def find_twin(name: str) -> str:
    """Return the test file of a module, below tests/."""
    path = PurePosixPath(name)
    stem = path.parent.name if path.name == "__init__.py" else path.stem
    folder = path.parent.parent if path.name == "__init__.py" else path.parent
    return (folder / f"test_{stem.strip('_')}.py").as_posix()


def is_tried(source: Source) -> bool:
    """Return whether a module has its own test; the modules of one pack may share a test of the pack."""
    if source.name.startswith("packs/"):
        pack = source.name.split("/")[1]
        return any((TESTS / "packs" / pack).rglob("test_*.py"))
    return (TESTS / TRIED_ELSEWHERE.get(source.name, find_twin(source.name))).exists()


def test_every_module_with_behaviour_has_a_test() -> None:
    untried = [source.name for source in SOURCES if has_behaviour(source) and not is_tried(source)]
    assert untried == []


def test_every_test_has_a_module() -> None:
    twins = {find_twin(source.name) for source in SOURCES}
    orphans = [
        name
        for path in TESTS.rglob("test_*.py")
        if (name := path.relative_to(TESTS).as_posix()).split("/")[0]
        not in (*WHOLE, "packs", "bench", "tools")
        and name not in twins
    ]
    assert orphans == []


def test_the_exceptions_are_real() -> None:
    assert [name for name in TRIED_ELSEWHERE if not (PACKAGE / name).exists()] == []


def test_a_module_without_a_test_is_caught() -> None:
    body = "\n".join(f"    x{at} = [value for value in range({at}) if value]" for at in range(9))
    source = read_source("wire/nowhere.py", f"def read():\n{body}\n")
    assert has_behaviour(source)
    assert not is_tried(source)
