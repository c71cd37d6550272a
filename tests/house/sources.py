"""The package's modules as syntax trees, for the tests of the house rules.

The rules themselves are in the tests beside this file.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "charter"
TESTS = ROOT / "tests"


@dataclass(frozen=True, slots=True)
class Source:
    """One module: its path below the package (`wire/path.py`), its text and its tree."""

    name: str
    text: str
    tree: ast.Module

    @property
    def docstring(self) -> str:
        return ast.get_docstring(self.tree) or ""

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node


def read_source(name: str, text: str) -> Source:
    return Source(name, text, ast.parse(text))


def read_package() -> list[Source]:
    paths = sorted(PACKAGE.rglob("*.py"))
    return [read_source(path.relative_to(PACKAGE).as_posix(), path.read_text()) for path in paths]


SOURCES = read_package()
