"""OpenAI Agents SDK: function tools that the SDK asks, on each turn, whether they are there.

The loop and the messages are the SDK's own.
"""

from collections.abc import Iterable
from typing import Any

from charter.adapters._extra import extra
from charter.discovery.catalogue import ToolLike
from charter.discovery.session import ToolSession, as_session
from charter.discovery.turn import Call, answer_calls

with extra("openai-agents"):
    from agents import FunctionTool
    from agents.tool_context import ToolContext

__all__ = ["charter_agent_tools"]


def charter_agent_tools(
    session: ToolSession | Iterable[ToolLike], *, max_result_tokens: int | None = None
) -> list[Any]:
    """Return tools for `Agent(tools=[...])`, of which the SDK sends, on each turn, the visible ones.

    A session is one conversation: an agent that serves several gets a clone with tools of its own. A
    `CharterError` becomes the result; any other exception ends the run. The SDK ends a run too when
    a model calls a tool that it was not sent, unless
    `RunConfig(tool_not_found_behavior="return_error_to_model")` says otherwise.

    Args:
        session: a session, or a plain list of tools, which sends every schema.
        max_result_tokens: a longer result is cut, with a note that says how to read on.

    Raises:
        DeclarationError: the tools of a plain list cannot be in one session.
    """
    held = as_session(session)
    count = len(held.tools) + held.searchable
    return [_Slot(held, place, max_result_tokens) for place in range(count)]


class _Slot(FunctionTool):
    """The tool that is sent at one place. Which one that is shows when enough has been loaded.

    Slots rather than one object for each tool: the SDK sends tools in the order of the agent's list,
    and a tool that was loaded later must not come before one that was loaded earlier.
    """

    def __init__(self, session: ToolSession, place: int, max_result_tokens: int | None) -> None:
        self._session, self._place, self._max = session, place, max_result_tokens
        super().__init__(
            name=f"unused_{place}",
            description="",
            params_json_schema={},
            on_invoke_tool=self._invoke,
            strict_json_schema=False,
            is_enabled=self._fill,
        )

    def _fill(self, context: Any, agent: Any) -> bool:
        """Become the tool of this place, on each turn before tools are sent; False while there is none."""
        definitions = self._session.definitions("openai")
        if self._place >= len(definitions):
            return False
        tool = definitions[self._place]
        self.name, self.description, self.params_json_schema = tool.name, tool.description, tool.parameters
        return True

    async def _invoke(self, context: ToolContext[Any], arguments: str) -> str:
        calls = [Call(context.tool_call_id, context.tool_name, arguments)]
        [answer] = await answer_calls(self._session, calls, max_result_tokens=self._max)
        return answer.text
