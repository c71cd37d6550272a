"""OpenAI Responses: a session's tools in that shape, its own tool search run here, and the loop.

The openai package is not needed: any client with `responses.create` will do.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal, overload

from charter.discovery.catalogue import Definition, ToolLike
from charter.discovery.conversation import (
    Event,
    Limits,
    Reply,
    RunResult,
    TextDelta,
    ToolCalled,
    ToolReturned,
    add_usage,
    converse,
    read_stream,
)
from charter.discovery.given import get, to_plain
from charter.discovery.qualified import SEPARATOR, TOOL_SEARCH, qualify
from charter.discovery.revealing import read_revealed, read_shown
from charter.discovery.session import ToolSession, as_session
from charter.discovery.turn import Answer, Call
from charter.errors import CharterError

__all__ = [
    "Event",
    "RunResult",
    "TextDelta",
    "ToolCalled",
    "ToolReturned",
    "run",
    "to_responses_tools",
]

Tools = ToolSession | Iterable[ToolLike]

_SEARCH_CALL = "tool_search_call"


def to_responses_tools(
    session: Tools, *, native: bool = False, messages: Iterable[Any] = ()
) -> list[dict[str, Any]]:
    """Return what to send as `tools`. Each `parameters` is shared: only read it.

    Without `native` it is what can be called this turn; the list of a later turn begins with it. With
    `native` it is what is sent from the start and the provider's `tool_search`, run by the caller:
    what that loads goes into a `tool_search_output`, as in `run`, and the list stays the same.

    Args:
        session: a session, or a plain list of tools, which sends every schema.
        native: use the provider's tool search.
        messages: the conversation so far; a tool that they define is left out.

    Raises:
        DeclarationError: the tools cannot be sent together, or OpenAI would refuse a schema.
    """
    shown = frozenset(read_shown(messages)) if native else frozenset[str]()
    return [
        _render_search(tool) if native and tool.name == TOOL_SEARCH else _render(tool, tool.name)
        for tool in as_session(session).definitions("openai")
        if tool.name not in shown
    ]


def _render(tool: Definition, name: str) -> dict[str, Any]:
    return {
        "type": "function",
        "name": name,
        "description": tool.description,
        "parameters": tool.parameters,
        "strict": False,
    }


def _render_search(tool: Definition) -> dict[str, Any]:
    return {
        "type": "tool_search",
        "execution": "client",
        "description": tool.description,
        "parameters": tool.parameters,
    }


@overload
async def run(
    client: Any,
    *,
    model: str,
    messages: Iterable[Any],
    session: Tools,
    max_turns: int = 20,
    max_result_tokens: int | None = None,
    stream: Literal[False] = False,
    native: bool = True,
    **kwargs: Any,
) -> RunResult: ...
@overload
async def run(
    client: Any,
    *,
    model: str,
    messages: Iterable[Any],
    session: Tools,
    max_turns: int = 20,
    max_result_tokens: int | None = None,
    stream: Literal[True],
    native: bool = True,
    **kwargs: Any,
) -> AsyncIterator[Event]: ...
async def run(
    client: Any,
    *,
    model: str,
    messages: Iterable[Any],
    session: Tools,
    max_turns: int = 20,
    max_result_tokens: int | None = None,
    stream: bool = False,
    native: bool = True,
    **kwargs: Any,
) -> RunResult | AsyncIterator[Event]:
    """Ask the model and run the tools it calls, until it answers or `max_turns` is reached.

    `messages` is not modified; every item that the model answers, reasoning too, is sent back. A
    `CharterError` becomes that tool's result; whatever else a tool or the client raises comes out as
    it is, and calls that run beside it are cancelled. The calls of the last turn allowed are still
    run, so that `messages` can be sent again.

    Args:
        client: anything with `await client.responses.create(model=, input=, tools=)`.
        model: passed on.
        messages: the conversation so far: what is sent as `input`.
        session: a session, or a plain list of tools, which sends every schema.
        max_turns: how often the model is asked at most.
        max_result_tokens: a longer result is cut, with a note that says how to read on.
        stream: return an async iterator of `TextDelta`, `ToolCalled` and `ToolReturned`, and the
            `RunResult` last.
        native: use the provider's tool search, with packs as namespaces. False for models and
            gateways without it: the list of tools then grows.
        **kwargs: passed on to the client. With `store=False` the reasoning is asked for encrypted,
            unless `include` is given, because it has to come back.

    Raises:
        DeclarationError: a limit is not 1 or more, or OpenAI would refuse a schema.
        CharterError: the provider says that the answer failed.
    """
    limits = Limits(max_turns, max_result_tokens)
    held, so_far = as_session(session), list(messages)
    if kwargs.get("store") is False:
        kwargs = {"include": ["reasoning.encrypted_content"], **kwargs}
    dialogue = _Dialogue(client, model, so_far, held, native and held.searchable, kwargs)
    return await converse(dialogue, held, limits, stream=stream)


@dataclass(slots=True)
class _Dialogue:
    """The items of one run, and what it takes to make the next ones."""

    client: Any
    model: str
    messages: list[Any]
    session: ToolSession
    native: bool
    options: Mapping[str, Any]
    usage: dict[str, Any] = field(default_factory=dict[str, Any])
    _tools: list[dict[str, Any]] | None = None
    _shown: set[str] = field(default_factory=set[str])
    _searches: set[str] = field(default_factory=set[str])

    def _list_tools(self) -> list[dict[str, Any]]:
        if not self.native:
            return to_responses_tools(self.session)
        if self._tools is None:
            self._tools = to_responses_tools(self.session, native=True, messages=self.messages)
            outright = (tool["name"] for tool in self._tools if "name" in tool)
            self._shown.update(outright, read_shown(self.messages))
        return self._tools

    async def ask(self, *, stream: bool) -> AsyncGenerator[TextDelta | Reply]:
        """Yield the pieces of one answer's text, and the answer last."""
        response: Any = None
        if stream:
            async with aclosing(read_stream(await self._create(stream=True))) as events:
                async for event in events:
                    if get(event, "type") in ("response.output_text.delta", "response.refusal.delta"):
                        yield TextDelta(str(get(event, "delta")))
                    response = get(event, "response") or response
        else:
            response = await self._create()
        self._check(response)
        add_usage(self.usage, get(response, "usage"))
        items = [to_plain(item) for item in get(response, "output") or ()]
        self.messages.extend(items)
        yield Reply(_read_text(items), self._read_calls(items))

    async def _create(self, **more: Any) -> Any:
        tools = self._list_tools()
        offered = {"tools": tools} if tools else {}
        create = self.client.responses.create
        return await create(model=self.model, input=list(self.messages), **offered, **self.options, **more)

    def _check(self, response: Any) -> None:
        if response is None or get(response, "status") == "failed":
            said = get(get(response, "error"), "message") or "no answer"
            raise CharterError(
                f"run: the model {self.model!r} failed: {said!r}. Ask again, or check what serves it."
            )

    def _read_calls(self, items: Sequence[Mapping[str, Any]]) -> list[Call]:
        calls: list[Call] = []
        for item in items:
            key, kind = str(item.get("call_id") or item.get("id") or ""), item.get("type")
            if kind == "function_call":
                name, pack = str(item.get("name") or ""), item.get("namespace")
                calls.append(Call(key, qualify(pack, name) if pack else name, item.get("arguments")))
            elif kind == _SEARCH_CALL and item.get("execution") != "server":
                self._searches.add(key)
                calls.append(Call(key, TOOL_SEARCH, item.get("arguments")))
        return calls

    def tell(self, calls: Sequence[Call], answers: Sequence[Answer]) -> None:
        """Add one item for each call; what a search has to say beside its tools comes last."""
        remarks: list[dict[str, Any]] = []
        for call, answer in zip(calls, answers, strict=True):
            if call.name == TOOL_SEARCH and call.id in self._searches:
                self.messages.append(self._show(call, answer, remarks))
            else:
                self.messages.append(
                    {"type": "function_call_output", "call_id": call.id, "output": answer.text}
                )
        self.messages.extend(remarks)

    def _show(self, call: Call, answer: Answer, remarks: list[dict[str, Any]]) -> dict[str, Any]:
        revealed = read_revealed(answer, self._shown)
        self._shown.update(revealed.names)
        if revealed.remark:
            remarks.append({"type": "message", "role": "developer", "content": revealed.remark})
        return {
            "type": "tool_search_output",
            "execution": "client",
            "call_id": call.id,
            "status": "completed",
            "tools": self._render_namespaces(revealed.names),
        }

    def _render_namespaces(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Return the tools by pack, a pack where its first tool stands."""
        packs: dict[str, list[dict[str, Any]]] = {}
        for name in names:
            pack, _, leaf = name.partition(SEPARATOR)
            tool = self.session.catalogue.define(name, "openai")
            packs.setdefault(pack, []).append({**_render(tool, leaf), "defer_loading": True})
        return [
            {"type": "namespace", "name": pack, "description": f"Tools of {pack}.", "tools": tools}
            for pack, tools in packs.items()
        ]


def _read_text(items: Iterable[Mapping[str, Any]]) -> str:
    parts = (part for item in items if item.get("type") == "message" for part in item.get("content") or ())
    texts = (get(part, "text") or get(part, "refusal") for part in parts)
    return "".join(text for text in texts if isinstance(text, str))
