"""The front door is a sorted `__all__`, and for each name of it where it is found; nothing else happens there."""

import ast
import subprocess
import sys

import charter
from tests.house.sources import SOURCES, Source, read_source

NAMES = {"__all__", "__version__", "_MODULES"}
FUNCTIONS = {"__getattr__", "__dir__"}


def is_allowed(node: ast.stmt) -> bool:
    """Whether a statement finds names: an import, a table, a hook; or is the version."""
    match node:
        case ast.Import() | ast.ImportFrom():
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in NAMES
        case ast.FunctionDef(name=name):
            return name in FUNCTIONS
        case ast.If(test=ast.Name(id="TYPE_CHECKING"), body=body, orelse=[]):
            return all(isinstance(line, ast.ImportFrom) for line in body)
        case _:
            return False


def find_strangers(source: Source) -> list[str]:
    """Return every statement of a front door that is neither docstring nor a way to find a name."""
    after_docstring = source.tree.body[1 if source.docstring else 0 :]
    return [ast.unparse(node) for node in after_docstring if not is_allowed(node)]


def find_front_door() -> Source:
    return next(source for source in SOURCES if source.name == "__init__.py")


def read_modules_for_type_checkers() -> dict[str, str]:
    """Return name -> module as a type checker reads them."""
    guarded = next(node for node in find_front_door().tree.body if isinstance(node, ast.If))
    return {
        alias.name: str(line.module)
        for line in guarded.body
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
    }


def test_the_front_door_holds_nothing_but_names() -> None:
    assert find_strangers(find_front_door()) == []


def test_its_names_are_sorted_and_unique() -> None:
    names = list(charter.__all__)
    assert names == sorted(set(names))


def test_every_name_is_there_and_none_is_private() -> None:
    assert [name for name in charter.__all__ if name.startswith("_") or not hasattr(charter, name)] == []


def test_a_type_checker_and_a_process_find_each_name_in_the_same_module() -> None:
    assert read_modules_for_type_checkers() == charter._MODULES
    assert set(charter._MODULES) == set(charter.__all__)


def test_importing_it_imports_no_module_of_the_package() -> None:
    program = "import charter, sys; print([name for name in sys.modules if name.startswith('charter.')])"
    shown = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert shown.strip() == "[]"


def test_code_in_a_front_door_is_caught() -> None:
    source = read_source("__init__.py", '"""Doc."""\nfrom x import y\n__all__ = ["y"]\nz = y()\n')
    assert find_strangers(source) == ["z = y()"]
