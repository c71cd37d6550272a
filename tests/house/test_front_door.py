"""The front door is a docstring, imports and a sorted `__all__`, and every name of it is there."""

import ast

import charter
from tests.house.sources import SOURCES, Source, read_source

ALLOWED = (ast.Import, ast.ImportFrom)


def find_strangers(source: Source) -> list[str]:
    """Return every statement of a front door that is neither docstring, import nor `__all__`."""
    strangers: list[str] = []
    for at, node in enumerate(source.tree.body):
        is_docstring = at == 0 and isinstance(node, ast.Expr) and bool(source.docstring)
        is_all = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        if not (is_docstring or is_all or isinstance(node, ALLOWED)):
            strangers.append(ast.unparse(node))
    return strangers


def find_front_door() -> Source:
    return next(source for source in SOURCES if source.name == "__init__.py")


def test_the_front_door_holds_nothing_but_names() -> None:
    assert find_strangers(find_front_door()) == []


def test_its_names_are_sorted_and_unique() -> None:
    names = list(charter.__all__)
    assert names == sorted(set(names))


def test_every_name_is_there_and_none_is_private() -> None:
    assert [name for name in charter.__all__ if name.startswith("_") or not hasattr(charter, name)] == []


def test_every_name_imported_is_offered() -> None:
    imported = {
        alias.asname or alias.name
        for node in find_front_door().tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert imported == set(charter.__all__)


def test_code_in_a_front_door_is_caught() -> None:
    source = read_source("__init__.py", '"""Doc."""\nfrom x import y\n__all__ = ["y"]\nz = y()\n')
    assert find_strangers(source) == ["z = y()"]
