"""Steady mode: the list never changes. ToolSearch answers with whole schemas and ToolCall runs what was loaded.

This is the one place where a generic call exists: a client that does not list again leaves no other way.
"""

import json
from collections.abc import Mapping
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp_types import CallToolResult, ToolAnnotations
from mcp_types import Tool as McpTool
from pydantic_core import from_json

from charter.adapters.mcp.calls import run_tool
from charter.adapters.mcp.conversation import Caller, Conversation
from charter.adapters.mcp.definitions import ALWAYS_LOAD
from charter.adapters.mcp.handles import Handles
from charter.adapters.mcp.searching import answer_rest, describe_search, render_answer, run_search, show_tools
from charter.adapters.mcp.setup import Setup
from charter.discovery.given import is_mapping
from charter.discovery.qualified import TOOL_SEARCH
from charter.errors import FieldProblem, ToolValidationError

__all__ = ["INSTRUCTIONS", "TOOL_CALL", "call_steady", "list_steady", "read_handle", "sign_handle"]

TOOL_CALL = "ToolCall"
INSTRUCTIONS = (
    "Few tools are listed. Call ToolSearch with everything the task needs, in one call; it answers with the "
    "schemas of the tools that it loads. Run each of those with ToolCall."
)

_SEARCH = """\
Load the tools that the task needs; only loaded tools can be run. The answer holds their schemas; run them with \
ToolCall. Ask for everything the task needs in one call.
select:a,b - exactly these tools
calendar event - the best matches
+stripe refund - "stripe" must be in the name
a; b - several needs, each searched by itself
"""
_CALL = "Run one tool that ToolSearch has loaded, with arguments that fit its schema."
_CALLED_BY_NAME = "Call these by name."
_HANDLE_OF_SEARCH = {
    "type": "string",
    "description": "The handle of an earlier answer, to keep its tools loaded.",
}
_HANDLE_OF_CALL = {"type": "string", "description": "The handle that ToolSearch returned."}


def list_steady(setup: Setup, *, has_handle: bool) -> list[McpTool]:
    """Return the resident tools and, unless these are all, ToolSearch and ToolCall.

    Only a caller for whom nothing can be kept needs the arguments for the handle.
    """
    resident = [setup.describe(name) for name in setup.resident]
    if not setup.template.searchable:
        return resident
    more = {"handle": _HANDLE_OF_SEARCH} if has_handle else {}
    return [*resident, describe_search(setup, _SEARCH, more), _describe_call(has_handle=has_handle)]


def _describe_call(*, has_handle: bool) -> McpTool:
    properties: dict[str, Any] = {
        "name": {"type": "string", "description": "The tool's name."},
        "arguments": {"type": "object", "description": "The tool's arguments."},
    }
    if has_handle:
        properties["handle"] = _HANDLE_OF_CALL
    return McpTool(
        name=TOOL_CALL,
        title="Run a loaded tool",
        description=_CALL,
        input_schema={
            "type": "object",
            "properties": properties,
            "required": ["name"],
            "additionalProperties": False,
        },
        annotations=ToolAnnotations(read_only_hint=False, open_world_hint=True),
        _meta={ALWAYS_LOAD: True},
    )


async def call_steady(
    setup: Setup, conversation: Conversation, ctx: ServerRequestContext[Any, Any], name: str, arguments: Any
) -> CallToolResult:
    """Search, run a loaded tool, or call a resident one.

    Raises:
        CharterError: the tool is unknown or not loaded, or whatever it raises.
    """
    if setup.template.searchable and name == TOOL_SEARCH:
        return await _search(setup, conversation, arguments)
    if setup.template.searchable and name == TOOL_CALL:
        name, arguments = _read_call(arguments)
    qualified = setup.names.resolve(name) or name
    if qualified in (TOOL_SEARCH, TOOL_CALL):
        raise ToolValidationError(
            f"{TOOL_CALL}: {qualified} runs no tool of its own. Call {qualified} directly."
        )
    if qualified in setup.template.tools and qualified not in conversation.session.visible():
        raise ToolValidationError(_refuse(setup, conversation, qualified))
    is_resident = qualified in setup.resident
    return await run_tool(setup, conversation, ctx, qualified, arguments, has_schema=is_resident)


def _refuse(setup: Setup, conversation: Conversation, name: str) -> str:
    shown = setup.names.publish(name)
    handle = " and the handle that it returns" if conversation.caller.owner is None else ""
    return (
        f"{shown}: the tool is not loaded in this conversation."
        f" Call {TOOL_SEARCH} with the query 'select:{shown}', then {TOOL_CALL} with its schema's arguments{handle}."
    )


async def read_handle(setup: Setup, caller: Caller, arguments: Any) -> tuple[list[str], Any]:
    """Return the tools that a call's handle stands for, and the arguments without it.

    Raises:
        ToolValidationError: the handle was not made for this caller and these tools.
    """
    if not is_mapping(arguments) or "handle" not in arguments:
        return [], arguments
    handle = arguments["handle"]
    rest = {key: value for key, value in arguments.items() if key != "handle"}
    if handle in (None, ""):
        return [], rest
    return (await _handles(setup, caller)).read(handle, caller.principal), rest


async def sign_handle(setup: Setup, conversation: Conversation) -> str:
    """Return the handle for what a conversation has loaded."""
    caller = conversation.caller
    return (await _handles(setup, caller)).write(conversation.session.loaded, caller.principal)


async def _handles(setup: Setup, caller: Caller) -> Handles:
    return Handles(setup.template.tools.keys(), await caller.store.signing_key())


async def _search(setup: Setup, conversation: Conversation, arguments: Any) -> CallToolResult:
    rest = await answer_rest(setup, conversation, arguments)
    if rest is not None:
        return rest
    found = await run_search(setup, conversation, arguments)
    found["note"] = found["note"].replace(_CALLED_BY_NAME, f"Run these with {TOOL_CALL}.")
    found["tools"] = show_tools(setup, found["loaded"])
    await conversation.save()
    if conversation.caller.owner is None:
        found["handle"] = await sign_handle(setup, conversation)
        found["note"] = f"{found['note']} Pass the handle on with each call."
    return render_answer(found)


def _read_call(arguments: Any) -> tuple[str, Any]:
    """Return the name and the arguments of a ToolCall.

    Raises:
        ToolValidationError: there is no name, or there are other members.
    """
    given: Mapping[str, Any] = arguments if is_mapping(arguments) else {}
    name = given.get("name")
    problems: list[FieldProblem] = []
    if not isinstance(name, str) or not name.strip():
        problems.append({"field": "name", "problem": f"got {_show(name)}, wants the name of a loaded tool"})
    problems.extend(
        {"field": str(key)[:60], "problem": "is unknown; a tool's own arguments go under 'arguments'"}
        for key in [key for key in given if key not in ("name", "arguments")][:5]
    )
    inner = _read_object(given.get("arguments"))
    if inner is None:
        problems.append(
            {"field": "arguments", "problem": f"got {_show(given['arguments'])}, wants an object"}
        )
    if problems:
        raise ToolValidationError.of_fields(TOOL_CALL, problems)
    return str(name), inner


def _read_object(value: Any) -> Any:
    if isinstance(value, str):
        try:
            value = from_json(value) if value.strip() else {}
        except ValueError:
            return None
    if value is None:
        return {}
    return value if is_mapping(value) else None


def _show(value: Any) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 40 else text[:39] + "…"
