"""pydantic-ai: a toolset whose tools are, on each step, what the session shows.

The loop and the messages are pydantic-ai's own.
"""

from collections.abc import Iterable
from typing import Any

from pydantic_core import from_json

from charter.adapters._extra import extra
from charter.discovery.catalogue import Definition, ToolLike
from charter.discovery.finish import read_finish, say_cut
from charter.discovery.given import is_mapping
from charter.discovery.session import ToolSession, as_session
from charter.discovery.turn import Call, answer_calls, read_arguments
from charter.errors import CharterError
from charter.schema.dialects import Dialect

with extra("pydantic-ai"):
    from pydantic_ai.exceptions import ToolFailed
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.tools import RunContext, ToolDefinition
    from pydantic_ai.toolsets import AbstractToolset, ToolsetTool

__all__ = ["CharterToolset"]


class CharterToolset(AbstractToolset[Any]):
    """The tools of one conversation, for `Agent(..., toolsets=[...])` or `agent.run(..., toolsets=[...])`.

    A session is one conversation: an agent that serves several gets one with each run. A
    `CharterError` and arguments that cannot be read become failed results and use up no retries; any
    other exception comes out as it is.

    Args:
        session: a session, or a plain list of tools, which sends every schema.
        max_result_tokens: a longer result is cut, with a note that says how to read on.
        dialect: what the schemas are written in, such as "gemini"; most providers take OpenAI's.
        id: tells it from other toolsets of an agent.

    Raises:
        DeclarationError: the tools of a plain list cannot be in one session.
    """

    def __init__(
        self,
        session: ToolSession | Iterable[ToolLike],
        *,
        max_result_tokens: int | None = None,
        dialect: Dialect | None = "openai",
        id: str | None = None,  # noqa: A002
    ) -> None:
        self.session = as_session(session)
        self.max_result_tokens = max_result_tokens
        self.dialect: Dialect | None = dialect
        self._id = id

    @property
    def id(self) -> str | None:
        """Return what tells it from other toolsets."""
        return self._id

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        """Return what can be called on this step. An earlier step's tools come first, in the same order."""
        return {tool.name: self._render(tool) for tool in self.session.definitions(self.dialect)}

    def _render(self, tool: Definition) -> ToolsetTool[Any]:
        return ToolsetTool(
            toolset=self,
            tool_def=ToolDefinition(
                name=tool.name,
                description=tool.description,
                parameters_json_schema=tool.parameters,
                strict=False,
            ),
            max_retries=0,
            args_validator=_Reader(tool.name),
        )

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        """Run one call and return its text.

        Raises:
            ToolFailed: the call ended in a `CharterError`; the model is told.
        """
        answer = next((one for one in reversed(ctx.messages) if isinstance(one, ModelResponse)), None)
        cut = say_cut(read_finish(None if answer is None else answer.finish_reason))
        calls = [Call(ctx.tool_call_id or "", name, tool_args, cut)]
        [answer] = await answer_calls(self.session, calls, max_result_tokens=self.max_result_tokens)
        if answer.is_error:
            raise ToolFailed(answer.text)
        return answer.text


class _Reader:
    """Reads arguments as every adapter does; the tool itself checks them against its schema."""

    def __init__(self, name: str) -> None:
        self._name = name

    def validate_json(self, input: str | bytes | bytearray, **options: Any) -> Any:  # noqa: A002
        text = input if isinstance(input, str) else bytes(input).decode("utf-8", "replace")
        if options.get("allow_partial", "off") not in (False, "off"):
            try:
                return from_json(text, allow_partial="trailing-strings")
            except ValueError:
                return {}
        return self.validate_python(text)

    def validate_python(self, input: Any, **options: Any) -> Any:  # noqa: A002
        try:
            given = read_arguments(Call("", self._name, input))
        except CharterError as error:
            raise ToolFailed(error.for_model()) from None
        return dict(given) if is_mapping(given) else {"query": given}
