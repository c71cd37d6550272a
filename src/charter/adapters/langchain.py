"""LangChain: a middleware that gives `create_agent` a session's tools, and the tools by themselves.

What was loaded lives in the agent's state, one list for each thread; the session that is passed is only read.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Annotated, Any, NotRequired

from pydantic import PrivateAttr

from charter.adapters._extra import extra
from charter.background import is_in_loop, run_sync
from charter.discovery.catalogue import Definition, ToolLike
from charter.discovery.finish import read_finish, say_cut
from charter.discovery.given import get, is_mapping
from charter.discovery.qualified import TOOL_SEARCH
from charter.discovery.session import ToolSession, as_session
from charter.discovery.turn import Answer, Call, answer_calls, read_arguments
from charter.errors import CharterError
from charter.schema.dialects import Dialect

with extra("langchain"):
    from langchain.agents.middleware.types import (
        AgentMiddleware,
        AgentState,
        ModelRequest,
        ModelResponse,
        PrivateStateAttr,
        hook_config,
    )
    from langchain.tools import BaseTool
    from langchain_core.messages import AIMessage, ToolMessage
    from langchain_core.tools import ToolException
    from langgraph.prebuilt.tool_node import ToolCallRequest
    from langgraph.types import Command

__all__ = ["CharterMiddleware", "CharterState", "to_langchain_tools"]

Tools = ToolSession | Iterable[ToolLike]
Told = ToolMessage | Command[Any]

STATE_KEY = "charter_loaded"


def _unite(known: list[str] | None, new: list[str] | None) -> list[str]:
    return list(dict.fromkeys([*(known or ()), *(new or ())]))


class CharterState(AgentState[Any]):
    """An agent's state with the qualified names that were loaded in this thread, in load order."""

    charter_loaded: NotRequired[Annotated[list[str], PrivateStateAttr, _unite]]


class CharterTool(BaseTool):
    """One visible tool of a session. A `CharterError` becomes a message with status error."""

    handle_tool_error: Any = True
    _session: ToolSession = PrivateAttr()

    def __init__(self, session: ToolSession, definition: Definition) -> None:
        super().__init__(
            name=definition.name, description=definition.description, args_schema=definition.parameters
        )
        self._session = session

    async def _arun(self, /, *texts: Any, **arguments: Any) -> str:
        given: Any = texts[0] if texts else arguments
        [answer] = await answer_calls(self._session, [Call("", self.name, given)])
        if answer.is_error:
            raise ToolException(answer.text)
        return answer.text

    def _run(self, /, *texts: Any, **arguments: Any) -> str:
        _refuse_in_loop(f"{self.name}: invoke")
        return run_sync(lambda: self._arun(*texts, **arguments))


def to_langchain_tools(session: Tools, *, dialect: Dialect | None = "openai") -> list[BaseTool]:
    """Return what can be called this turn as LangChain tools, bound to the session.

    A plain list of tools gives every tool. Calling `ToolSearch` loads; ask again for the longer list.
    `dialect` is the schemas': LangChain does not say which provider they are for, and what OpenAI
    takes, most others take too.

    Raises:
        DeclarationError: the tools cannot be sent together, or the dialect cannot say something.
    """
    held = as_session(session)
    return [CharterTool(held, definition) for definition in held.definitions(dialect)]


class CharterMiddleware(AgentMiddleware[CharterState, Any, Any]):
    """Gives an agent the tools of a session, loaded as the model asks for them.

    For `create_agent(model, tools=[...], middleware=[CharterMiddleware(session)])`, and for a graph
    of one's own as `ToolNode([], wrap_tool_call=middleware.wrap_tool_call)`, with `CharterState`.
    Every thread begins with what the session has loaded, and loads on its own. Tools of the agent
    stay, and calls of tools that the session does not hold are left alone.

    Args:
        session: a session, or a plain list of tools, which sends every schema.
        dialect: what the schemas are written in, such as "gemini"; most providers take OpenAI's.

    Raises:
        DeclarationError: the tools of a plain list cannot be in one session.
    """

    state_schema = CharterState

    def __init__(self, session: Tools, *, dialect: Dialect | None = "openai") -> None:
        super().__init__()
        self.session = as_session(session)
        self.dialect: Dialect | None = dialect
        self.tools = []

    def _open(self, state: Any) -> ToolSession:
        """Return a session of this thread's own, with what its state says to be loaded."""
        session = self.session.fork()
        session.load([*self.session.loaded, *(get(state, STATE_KEY) or ())])
        return session

    def _offer(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        tools = to_langchain_tools(self._open(request.state), dialect=self.dialect)
        return request.override(tools=[*request.tools, *tools])

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Send the thread's tools after the agent's own.

        Raises:
            CharterError: the agent is invoked inside a running event loop, which its tools would block.
        """
        _refuse_in_loop("CharterMiddleware: agent.invoke")
        return handler(self._offer(request))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Send the thread's tools after the agent's own."""
        return await handler(self._offer(request))

    def _is_ours(self, name: Any) -> bool:
        return name in self.session.tools or (name == TOOL_SEARCH and self.session.searchable)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Told]) -> Told:
        """Run a call of the session's tools, on one background loop; any other call goes on."""
        if request.tool is not None or not self._is_ours(request.tool_call["name"]):
            return handler(request)
        return run_sync(lambda: self._run(request))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Told]]
    ) -> Told:
        """Run a call of the session's tools; any other call goes on."""
        if request.tool is not None or not self._is_ours(request.tool_call["name"]):
            return await handler(request)
        return await self._run(request)

    async def _run(self, request: ToolCallRequest) -> Told:
        asked = request.tool_call
        session = self._open(request.state)
        session.definitions(self.dialect)  # tells it in which spelling the arguments come
        answered = _find_answer(request.state)
        call = Call(asked["id"] or "", asked["name"], asked["args"], _say_cut(answered))
        # Calls of one turn do not see each other's loads, so the searches beside it count as made.
        beside = [] if call.name in (TOOL_SEARCH, *session.visible()) else _read_searches(answered)
        answers = await answer_calls(session, [*beside, call])
        message = _tell(call, answers[-1])
        if call.name != TOOL_SEARCH:
            return message
        return Command(update={"messages": [message], STATE_KEY: session.loaded})

    @hook_config(can_jump_to=["model"])
    def after_model(self, state: CharterState, runtime: Any) -> dict[str, Any] | None:
        """Tell the model which of its calls could not be read, which LangChain would drop."""
        last: Any = state["messages"][-1]
        broken: list[dict[str, Any]] = list(getattr(last, "invalid_tool_calls", ()))
        if not any(self._is_ours(call["name"]) for call in broken):
            return None
        told = [_refuse(call) for call in broken]
        return {"messages": told} if last.tool_calls else {"messages": told, "jump_to": "model"}


def _find_answer(state: Any) -> AIMessage | None:
    messages: list[Any] = list(get(state, "messages") or ())
    return next((message for message in reversed(messages) if isinstance(message, AIMessage)), None)


def _read_searches(answer: AIMessage | None) -> list[Call]:
    searches = [call for call in (answer.tool_calls if answer else []) if call["name"] == TOOL_SEARCH]
    return [Call(call["id"] or "", TOOL_SEARCH, call["args"]) for call in searches]


def _say_cut(answer: AIMessage | None) -> str:
    """Return what a call of an answer that was cut off is refused with; each integration words that its own way."""
    said = answer.response_metadata if answer is not None else {}
    details = said.get("incomplete_details")
    words = [said.get("finish_reason"), said.get("stop_reason"), said.get("status")]
    for word in (details.get("reason") if is_mapping(details) else None, *words):
        if isinstance(word, str) and (cut := say_cut(read_finish(word))):
            return cut
    return ""


def _tell(call: Call, answer: Answer) -> ToolMessage:
    status = "error" if answer.is_error else "success"
    return ToolMessage(answer.text, name=call.name, tool_call_id=call.id, status=status)


def _refuse(broken: Mapping[str, Any]) -> ToolMessage:
    call = Call(broken.get("id") or "", broken.get("name") or "", broken.get("args"))
    try:
        read_arguments(call)
        text = f"{call.name}: the call could not be read. Send the arguments as one JSON object."
    except CharterError as error:
        text = error.for_model()
    return _tell(call, Answer(text, is_error=True))


def _refuse_in_loop(where: str) -> None:
    if is_in_loop():
        raise CharterError(f"{where} blocks a running event loop. Await ainvoke instead.")
