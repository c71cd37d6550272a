"""Names, docstrings, error texts and imports keep the house rules, and nothing of one machine is in the tree."""

import ast
import re
import subprocess
from collections.abc import Iterator

import pytest

import charter.errors
from tests.house.sources import ROOT, SOURCES, Source, read_source

VAGUE = {"utils", "util", "helpers", "helper", "common", "base", "manager", "core", "misc"}
# Split so that this file does not hold what it looks for.
FOREIGN = [
    re.compile(r"(?<![\w.])" + re.escape("".join(halves)))
    for halves in (
        ("/wo", "rk/"),
        ("/ro", "ot/"),
        ("registry.npm", "js"),
        ("pyp", "i.org"),
        ("pythonhos", "ted"),
    )
]
HOLE = "…"
LIBRARY_ERRORS = set(charter.errors.__all__)


def find_vague_names(source: Source) -> list[str]:
    """Return the parts of a module's path that say nothing."""
    return [part for part in source.name.removesuffix(".py").split("/") if part.strip("_") in VAGUE]


def find_late_imports(source: Source) -> list[str]:
    """Return the package's own imports inside functions."""
    return [
        f"{source.name}:{node.lineno}"
        for function in source.functions()
        for node in ast.walk(function)
        if (
            isinstance(node, ast.ImportFrom)
            and (node.level or (node.module or "").split(".")[0] == "charter")
        )
        or (isinstance(node, ast.Import) and any(name.name.split(".")[0] == "charter" for name in node.names))
    ]


def find_error_texts(source: Source) -> Iterator[tuple[str, str]]:
    """Yield where and the text of each library error raised with a literal text, holes filled with `…`."""
    for node in ast.walk(source.tree):
        if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args):
            continue
        text = render_text(node.exc.args[0])
        if text is not None and ast.unparse(node.exc.func) in LIBRARY_ERRORS:
            yield f"{source.name}:{node.lineno}", text


def render_text(node: ast.expr) -> str | None:
    """Return a literal or an f-string with its holes filled, None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in node.values)
    return None


def is_well_said(text: str) -> bool:
    """Return whether a text is `<where>: <what is wrong>. <one fix>.` in about 30 words."""
    says_where = ": " in text or text.startswith(HOLE)
    return says_where and text.endswith((".", HOLE, "?", "`")) and len(text.split()) <= 45


def test_no_module_has_a_vague_name() -> None:
    assert [source.name for source in SOURCES if find_vague_names(source)] == []


def test_no_function_imports_the_package() -> None:
    assert [late for source in SOURCES for late in find_late_imports(source)] == []


def test_every_module_says_what_lives_there() -> None:
    silent = [
        source.name
        for source in SOURCES
        if not source.docstring or (not source.name.endswith("__init__.py") and "\n" not in source.docstring)
    ]
    assert silent == []


def test_every_error_names_the_place_and_ends_as_a_sentence() -> None:
    texts = [found for source in SOURCES for found in find_error_texts(source)]
    assert texts
    assert [f"{where} {text}" for where, text in texts if not is_well_said(text)] == []


def test_nothing_of_one_machine_is_in_the_tree() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    found = []
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.suffix in {".gz", ".png"} or not path.is_file():
            continue
        text = path.read_text(errors="replace")
        found += [f"{name}: {match.group()}" for pattern in FOREIGN if (match := pattern.search(text))]
    assert found == []


def test_each_rule_catches_its_breach() -> None:
    source = read_source(
        "wire/utils.py", 'def f():\n    from charter import Api\n    raise DeclarationError("bad")\n'
    )
    assert find_vague_names(source) == ["utils"]
    assert find_late_imports(source) == ["wire/utils.py:2"]
    assert [is_well_said(text) for _, text in find_error_texts(source)] == [False]
