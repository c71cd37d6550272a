"""Growing mode: a load grows the client's own list, and the client is told to list again.

The mode for clients that never list again is in `steady.py`.
"""

from typing import Any

from mcp.server.context import ServerRequestContext
from mcp_types import CallToolResult, ToolListChangedNotification
from mcp_types import Tool as McpTool

from charter.adapters.mcp.calls import run_tool
from charter.adapters.mcp.conversation import Conversation
from charter.adapters.mcp.searching import answer_rest, describe_search, render_answer, run_search, show_tools
from charter.adapters.mcp.setup import Setup
from charter.discovery.qualified import TOOL_SEARCH
from charter.discovery.session import ToolSession
from charter.discovery.toolsearch import define_search

__all__ = ["INSTRUCTIONS", "call_growing", "list_growing", "list_visible"]

INSTRUCTIONS = (
    "Only some tools are listed at first. Call ToolSearch with everything the task needs, in one call; "
    "the tools that it loads join the list, and are then called by name like any other."
)


async def list_growing(setup: Setup, conversation: Conversation) -> list[McpTool]:
    """Return the resident tools, ToolSearch, and what this client has loaded, in load order."""
    await conversation.mark_listed()
    return list_visible(setup, conversation.session)


def list_visible(setup: Setup, session: ToolSession) -> list[McpTool]:
    """Return what a session shows."""
    return [
        describe_search(setup, define_search("")["description"])
        if name == TOOL_SEARCH
        else setup.describe(name)
        for name in session.visible()
    ]


async def call_growing(
    setup: Setup, conversation: Conversation, ctx: ServerRequestContext[Any, Any], name: str, arguments: Any
) -> CallToolResult:
    """Search, or call a tool that is listed or loaded.

    Raises:
        CharterError: the tool is unknown or not loaded, or whatever it raises.
    """
    if name == TOOL_SEARCH and conversation.session.searchable:
        return await _search(setup, conversation, ctx, arguments)
    qualified = setup.names.resolve(name) or name
    has_schema = conversation.has_listed(qualified)
    return await run_tool(setup, conversation, ctx, qualified, arguments, has_schema=has_schema)


async def _search(
    setup: Setup, conversation: Conversation, ctx: ServerRequestContext[Any, Any], arguments: Any
) -> CallToolResult:
    rest = await answer_rest(setup, conversation, arguments)
    if rest is not None:
        return rest
    never_listed_again = any(not conversation.has_listed(name) for name in conversation.session.loaded)
    found = await run_search(setup, conversation, arguments)
    if never_listed_again and found["loaded"]:
        # This client was told before and did not list again, so its model has no other way to the schemas.
        found["tools"] = show_tools(setup, found["loaded"])
    if await conversation.save():
        # On the request's own stream: over HTTP there may be no other, and this request is the cause.
        await ctx.session.send_notification(ToolListChangedNotification(), ctx.request_id)
    return render_answer(found)
