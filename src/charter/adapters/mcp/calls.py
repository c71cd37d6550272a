"""One call of a tool: its signs of life, its errors as results, and what it returned.

Which tools a client may call is decided in `growing.py` and `steady.py`.
"""

import asyncio
import json
import logging
import os
import time
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp_types import CallToolResult

from charter.adapters.mcp.conversation import Conversation
from charter.adapters.mcp.results import render_error, render_result
from charter.adapters.mcp.setup import Setup
from charter.errors import CharterError, CredentialError, ToolValidationError

__all__ = ["answer", "find_missing_variable", "run_tool", "show_schema"]

_log = logging.getLogger(__name__)


async def answer(setup: Setup, make: Callable[[], Awaitable[CallToolResult]]) -> CallToolResult:
    """Turn whatever goes wrong into a result that the model reads; a bug is logged and not shown."""
    try:
        return await make()
    except CharterError as error:
        return render_error(setup.names.rewrite(error.for_model()))
    except Exception:
        _log.exception("a tool failed unexpectedly")
        return render_error("The tool failed unexpectedly. Tell the user; do not retry.")


async def run_tool(
    setup: Setup,
    conversation: Conversation,
    ctx: ServerRequestContext[Any, Any],
    name: str,
    arguments: Any,
    *,
    has_schema: bool,
) -> CallToolResult:
    """Call a visible tool. Without `has_schema` the model may not have seen it, so an error shows it.

    Raises:
        CharterError: whatever the tool or the session raises.
    """
    beating = asyncio.create_task(_beat(setup, ctx, name))
    try:
        value = await conversation.session.dispatch(name, arguments)
    except ToolValidationError as error:
        if has_schema or not _is_about_arguments(error):
            raise
        return render_error(f"{setup.names.rewrite(error.for_model())}\n{show_schema(setup, name)}")
    except CredentialError as error:
        missing = find_missing_variable(getattr(setup.template.tools[name], "api", None))
        return render_error(
            f"{error.for_model()} The server needs {missing}." if missing else error.for_model()
        )
    finally:
        beating.cancel()
    tool = setup.template.tools.get(name)
    return await render_result(
        value,
        conversation.caller,
        max_tokens=setup.settings.max_result_tokens,
        can_read_on=conversation.session.searchable,
        has_output=isinstance(getattr(tool, "output_schema", None), dict),
    )


def find_missing_variable(api: Any) -> str | None:
    """Return the environment variable that an Api's credential should be in and is not."""
    variable = getattr(getattr(api, "auth", None), "env", None)
    return variable if isinstance(variable, str) and not os.environ.get(variable) else None


def show_schema(setup: Setup, name: str) -> str:
    """Return a tool's schema as a line that an error ends with."""
    schema = json.dumps(setup.describe(name).input_schema, ensure_ascii=False, separators=(",", ":"))
    return f"Its arguments, as JSON Schema: {schema}"


def _is_about_arguments(error: ToolValidationError) -> bool:
    return bool(error.errors)


async def _beat(setup: Setup, ctx: ServerRequestContext[Any, Any], name: str) -> None:
    """Tell a client that asked for it how long the call has been going on."""
    began = time.monotonic()
    while True:
        await asyncio.sleep(setup.settings.progress_seconds)
        elapsed = round(time.monotonic() - began, 3)
        await ctx.session.report_progress(
            elapsed, message=f"{setup.names.publish(name)}: waiting for the API"
        )
