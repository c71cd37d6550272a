"""ToolSearch over MCP: how it is listed, and what a search answers in either mode.

What a query finds is discovery's.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from mcp_types import CallToolResult, TextContent, ToolAnnotations
from mcp_types import Tool as McpTool

from charter.adapters.mcp.conversation import Conversation
from charter.adapters.mcp.definitions import ALWAYS_LOAD
from charter.adapters.mcp.results import is_reading_on, read_on
from charter.adapters.mcp.setup import Setup
from charter.discovery.given import clean_text
from charter.discovery.qualified import TOOL_SEARCH
from charter.discovery.toolsearch import define_search, read_arguments

__all__ = ["answer_rest", "describe_search", "read_listing", "render_answer", "run_search", "show_tools"]

_OUTPUT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "loaded": {"type": "array", "items": {"type": "string"}},
        "note": {"type": "string"},
        "unknown": {"type": "object"},
        "needs": {"type": "object"},
        "tools": {"type": "array", "items": {"type": "object"}},
        "handle": {"type": "string"},
        "text": {"type": "string"},
    },
    "required": ["loaded", "note"],
}


def read_listing(setup: Setup) -> str:
    """Return the part of ToolSearch's description that lists what it can load."""
    search = setup.template.fork().visible().get(TOOL_SEARCH)
    text = search.description if search is not None else ""
    return setup.names.rewrite(text.removeprefix(define_search("")["description"]))


def describe_search(
    setup: Setup, description: str, more: Mapping[str, Any] | None = None, note: str = ""
) -> McpTool:
    """Return ToolSearch as it is listed, with arguments of a mode's own beside its two."""
    parameters = define_search("")["parameters"]
    parameters["properties"].update(more or {})
    return McpTool(
        name=TOOL_SEARCH,
        title="Find tools",
        description=description + read_listing(setup) + note,
        input_schema=parameters,
        output_schema=_OUTPUT,
        annotations=ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
        _meta={ALWAYS_LOAD: True},
    )


async def answer_rest(setup: Setup, conversation: Conversation, arguments: Any) -> CallToolResult | None:
    """Answer a query that asks for the rest of a long result; None when it asks for something else.

    Raises:
        ToolValidationError: the arguments are of the wrong kind, or nothing is kept under that query.
    """
    query, _ = read_arguments(arguments)
    if not is_reading_on(query):
        return None
    text = await read_on(str(query), conversation.caller, max_tokens=setup.settings.max_result_tokens)
    structured: dict[str, Any] = {"loaded": [], "note": "The text goes on.", "text": text}
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structured)


async def run_search(setup: Setup, conversation: Conversation, arguments: Any) -> dict[str, Any]:
    """Search, load and keep what was loaded. Return the answer with the names that clients see.

    Raises:
        ToolValidationError: an argument is of the wrong kind; nothing was loaded.
    """
    found = json.loads(await conversation.session.dispatch(TOOL_SEARCH, arguments))
    found["loaded"] = [setup.names.publish(name) for name in found["loaded"]]
    found["note"] = setup.names.rewrite(found["note"])
    if "unknown" in found:
        found["unknown"] = {
            name: [setup.names.publish(close) for close in closes]
            for name, closes in found["unknown"].items()
        }
    if "needs" in found:
        found["needs"] = {name: setup.names.publish(made) for name, made in found["needs"].items()}
    return found


def show_tools(setup: Setup, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return tools as an answer shows them to a model whose host will not."""
    tools = [setup.describe(setup.names.resolve(name) or name) for name in names]
    return [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
        for tool in tools
    ]


def render_answer(found: Mapping[str, Any]) -> CallToolResult:
    """Return what a search answers, as text and as structured content."""
    text = clean_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")))
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=dict(found))
