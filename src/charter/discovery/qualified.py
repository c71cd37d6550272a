"""Qualified names: how a tool's is made, and which tools may be in one session.

Forgiving spellings of a name are `names.py`'s.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

from charter.errors import DeclarationError

__all__ = [
    "MAX_NAME",
    "SEPARATOR",
    "TOOL_SEARCH",
    "name_tools",
    "qualify",
    "read_qualified_name",
    "read_tools",
]

SEPARATOR = "__"
MAX_NAME = 64
"""Characters of a qualified name; what every provider accepts."""
TOOL_SEARCH = "ToolSearch"

_PACK = re.compile(r"[A-Za-z][A-Za-z0-9-]*(?:_[A-Za-z0-9-]+)*")
_LEAF = re.compile(r"[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*_?")
_WANTED = ("name", "pack", "description", "to_json_schema", "ainvoke")


def qualify(pack: str, leaf: str) -> str:
    """Return the name under which every session shows a tool.

    >>> qualify("stripe", "refunds_create")
    'stripe__refunds_create'
    """
    return f"{pack}{SEPARATOR}{leaf}"


def read_qualified_name(tool: Any) -> str:
    """Return a tool's qualified name, checked.

    Raises:
        DeclarationError: the object is no tool, or its name cannot be sent to a provider.
    """
    missing = [attribute for attribute in _WANTED if not hasattr(tool, attribute)]
    if missing:
        kind = type(tool).__name__
        raise DeclarationError(
            f"ToolSession: {_shorten(repr(tool))} ({kind}) has no {missing[0]!r}. Pass tools, such as [*gmail.TOOLS]."
        )
    name = qualify(tool.pack, tool.name)
    if not isinstance(tool.pack, str) or not _PACK.fullmatch(tool.pack):
        raise DeclarationError(
            f"{name}: the pack {tool.pack!r} is not letters, digits, '-' and single '_' after a letter."
            " Give the tool such a pack."
        )
    if not isinstance(tool.name, str) or not _LEAF.fullmatch(tool.name):
        raise DeclarationError(
            f"{name}: the name {tool.name!r} is not letters, digits, '-' and single '_'. Give the tool such a name."
        )
    if len(name) > MAX_NAME:
        raise DeclarationError(
            f"{name}: {len(name)} characters, {MAX_NAME} at most. Give the tool a shorter name."
        )
    return name


def read_tools(tools: Any) -> tuple[Any, ...]:
    """Return what a session is given, one after the other.

    Raises:
        DeclarationError: it is one tool, a pack or anything else that is no list.
    """
    given: Any = tools
    if isinstance(tools, (str, bytes, Mapping)) or not isinstance(tools, Iterable):
        fix = "Pass its TOOLS" if hasattr(given, "TOOLS") else "Pass tools in a list, such as [*gmail.TOOLS]"
        kind = type(given).__name__
        raise DeclarationError(f"ToolSession: {_shorten(repr(given))} ({kind}) is no list of tools. {fix}.")
    return tuple(cast("Iterable[Any]", tools))


def name_tools(tools: Iterable[Any]) -> Mapping[str, Any]:
    """Return the tools by qualified name, in the order given.

    Raises:
        DeclarationError: two tools share a name, or one would shadow ToolSearch; both are named.
    """
    named: dict[str, Any] = {}
    for tool in tools:
        name = read_qualified_name(tool)
        if tool.name.casefold() == TOOL_SEARCH.casefold():
            raise DeclarationError(
                f"ToolSession: {name} ({_describe(tool)}) would shadow {TOOL_SEARCH}. Give the tool another name."
            )
        if name in named:
            raise DeclarationError(
                f"ToolSession: two tools are called {name}: {_describe(named[name])}, and {_describe(tool)}."
                " Rename one, or leave it out."
            )
        named[name] = tool
    return named


def _describe(tool: Any) -> str:
    method, route = getattr(tool, "method", None), getattr(tool, "route", None)
    if isinstance(method, str) and isinstance(route, str):
        return f"{method} {route}"
    return _shorten(repr(str(tool.description)))


def _shorten(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
