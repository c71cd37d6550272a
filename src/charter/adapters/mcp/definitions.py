"""Tools as MCP describes them: title, annotations, hints and schemas.

Which of them a client is listed is decided in `growing.py` and `steady.py`.
"""

from typing import Any

from mcp_types import Tool as McpTool
from mcp_types import ToolAnnotations

from charter.adapters.mcp.published import PublishedNames
from charter.discovery.catalogue import Definition, ToolLike
from charter.discovery.given import is_mapping

__all__ = ["ALWAYS_LOAD", "SEARCH_HINT", "annotate", "describe_tool", "make_title"]

SEARCH_HINT = "anthropic/searchHint"
ALWAYS_LOAD = "anthropic/alwaysLoad"

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_REPEATABLE = frozenset({*_READING, "PUT", "DELETE"})


def describe_tool(
    definition: Definition, tool: ToolLike, names: PublishedNames, *, resident: bool = False
) -> McpTool:
    """Return one tool as it is listed. `resident` tells a host that defers tools itself not to defer this one."""
    hints = getattr(tool, "hints", "") or ""
    meta: dict[str, Any] = {SEARCH_HINT: hints} if hints else {}
    if resident:
        meta[ALWAYS_LOAD] = True
    output = getattr(tool, "output_schema", None)
    return McpTool(
        name=names.publish(definition.name),
        title=make_title(tool),
        description=names.rewrite(definition.description),
        input_schema=definition.parameters,
        output_schema=dict(output) if is_mapping(output) else None,
        annotations=annotate(tool),
        _meta=meta or None,
    )


def make_title(tool: ToolLike) -> str:
    """Return what a host may show to a person.

    >>> class Refunds: pack, name = "stripe", "refunds_create"
    >>> make_title(Refunds())
    'Stripe: refunds create'
    """
    pack = tool.pack.replace("_", " ")
    return f"{pack[:1].upper()}{pack[1:]}: {tool.name.replace('_', ' ')}"


def annotate(tool: ToolLike) -> ToolAnnotations:
    """Read the hints off the method: GET and GraphQL queries read, DELETE destroys.

    Of other methods nothing is said of destruction, which hosts take as possible: a POST may cancel or send.
    """
    method = str(getattr(tool, "method", "") or "").upper()
    if not method:
        return ToolAnnotations(open_world_hint=True)
    reads = bool(getattr(tool, "is_read_only", method in _READING))
    return ToolAnnotations(
        read_only_hint=reads,
        destructive_hint=False if reads else (True if method == "DELETE" else None),
        idempotent_hint=reads or method in _REPEATABLE,
        open_world_hint=True,
    )
