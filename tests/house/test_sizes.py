"""Modules, functions and parameter lists stay small; what is larger is named here with its reason."""

import ast

from tests.house.sources import SOURCES, Source, read_source

MODULE_LINES = 400
FUNCTION_LINES = 40
PARAMETERS = 8

# The contract spells these out, and each is one keyword argument of the user's.
LARGER: dict[str, str] = {
    "discovery/session.py:__init__": "the options of ToolSession",
    **dict.fromkeys(
        (f"adapters/{name}.py:run" for name in ("anthropic", "google", "openai", "openai_responses")),
        "the limits of a run, the host's headers, and what else goes to the provider's client",
    ),
}


def find_large(source: Source) -> list[str]:
    """Return what of a module is larger than the rule: the module, a function, or a parameter list."""
    lines = source.text.count("\n")
    found = [f"{source.name}: {lines} lines"] if lines > MODULE_LINES else []
    for function in source.functions():
        where = f"{source.name}:{function.name}"
        first = (
            function.body[1]
            if len(function.body) > 1 and is_docstring(function.body[0])
            else function.body[0]
        )
        length = (function.end_lineno or 0) - first.lineno + 1
        count = len(function.args.posonlyargs + function.args.args + function.args.kwonlyargs)
        count -= bool(function.args.args) and function.args.args[0].arg in ("self", "cls")
        if length > FUNCTION_LINES:
            found.append(f"{where}: {length} lines")
        if count > PARAMETERS:
            found.append(f"{where}: {count} parameters")
    return found


def is_docstring(node: object) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def test_nothing_is_larger_than_the_rule() -> None:
    found = [large for source in SOURCES for large in find_large(source)]
    assert [large for large in found if large.split(": ")[0] not in LARGER] == []


def test_no_exception_outlives_its_reason() -> None:
    found = {large.split(": ")[0] for source in SOURCES for large in find_large(source)}
    assert [name for name in LARGER if name not in found] == []


def test_large_things_are_caught() -> None:
    body = "    pass\n" * 41
    many = ", ".join(f"p{at}" for at in range(9))
    source = read_source("x.py", f"def long():\n{body}\ndef wide({many}):\n    pass\n" + "\n" * 400)
    assert find_large(source) == ["x.py: 445 lines", "x.py:long: 41 lines", "x.py:wide: 9 parameters"]
