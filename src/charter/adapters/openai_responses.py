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
from charter.discovery.finish import Finish, read_finish
from charter.discovery.given import clean_text, get, to_plain
from charter.discovery.history import clean, fill_ids, keep_arguments, keep_name, keep_object
from charter.discovery.qualified import SEPARATOR, TOOL_SEARCH, qualify
from charter.discovery.revealing import read_revealed, read_shown
from charter.discovery.session import ToolSession, as_session
from charter.discovery.transcript import read_messages
from charter.discovery.turn import MAX_PARALLEL, Answer, Call
from charter.errors import ModelError

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
_ENDS = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")


def to_responses_tools(
    session: Tools, *, native: bool = False, messages: Iterable[Any] = ()
) -> list[dict[str, Any]]:
    """Return what to send as `tools`. It is a copy the caller may edit.

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
    max_parallel: int = MAX_PARALLEL,
    headers: Mapping[str, str | None] | None = None,
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
    max_parallel: int = MAX_PARALLEL,
    headers: Mapping[str, str | None] | None = None,
    stream: Literal[True],
    native: bool = True,
    **kwargs: Any,
) -> AsyncIterator[Event]: ...
async def run(  # noqa: PLR0913 - each is the user's own
    client: Any,
    *,
    model: str,
    messages: Iterable[Any],
    session: Tools,
    max_turns: int = 20,
    max_result_tokens: int | None = None,
    max_parallel: int = MAX_PARALLEL,
    headers: Mapping[str, str | None] | None = None,
    stream: bool = False,
    native: bool = True,
    **kwargs: Any,
) -> RunResult | AsyncIterator[Event]:
    """Ask the model and run the tools it calls, until it answers or `max_turns` is reached.

    `messages` is not modified; every item that the model answers, reasoning too, is sent back. A
    `CharterError` becomes that tool's result; whatever else a tool or the client raises comes out as
    it is, and calls that run beside it are cancelled. Calls of an answer that was cut off are not made,
    and the model is told. The calls of the last turn allowed are still run, so that `messages` can be
    sent again.

    Args:
        client: anything with `await client.responses.create(model=, input=, tools=)`.
        model: passed on.
        messages: the conversation so far: what is sent as `input`.
        session: a session, or a plain list of tools, which sends every schema.
        max_turns: how often the model is asked at most.
        max_result_tokens: a longer result is cut, with a note that says how to read on.
        max_parallel: how many calls of one turn run at the same time.
        headers: the host's headers for every call of a tool, as in `Tool.ainvoke`.
        stream: return an async iterator of `TextDelta`, `ToolCalled` and `ToolReturned`, and the
            `RunResult` last.
        native: use the provider's tool search, with packs as namespaces. False for models and
            gateways without it: the list of tools then grows.
        **kwargs: passed on to the client. With `store=False` the reasoning is asked for encrypted,
            unless `include` is given, because it has to come back.

    Raises:
        DeclarationError: a limit is not 1 or more, `messages` is no list of messages, or OpenAI would
            refuse a schema.
        ModelError: the provider failed, or its stream ended before the answer did.
    """
    limits = Limits(max_turns, max_result_tokens, max_parallel)
    held, so_far = as_session(session), read_messages("run", messages)
    if kwargs.get("store") is False:
        kwargs = {"include": ["reasoning.encrypted_content"], **kwargs}
    dialogue = _Dialogue(client, model, so_far, held, native and held.searchable, kwargs)
    return await converse(dialogue, held, limits, stream=stream, headers=headers)


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
        if not stream:
            response = await self._create()
            yield self._read(response, _read_items(response), _read_status(response))
            return
        items, response, finish = _Items(), None, None
        async with aclosing(read_stream(await self._create(stream=True))) as events:
            async for event in events:
                kind = get(event, "type")
                if kind in ("response.output_text.delta", "response.refusal.delta"):
                    yield TextDelta(clean_text(str(get(event, "delta"))))
                elif kind == "error":
                    raise self._fail(get(event, "error") or event)
                items.add(event)
                response = get(event, "response") or response
                if kind in _ENDS:
                    finish = _read_status(response, kind)
        yield self._read(response, _read_items(response) or items.read(), finish)

    async def _create(self, **more: Any) -> Any:
        tools = self._list_tools()
        offered = {"tools": tools} if tools else {}
        create = self.client.responses.create
        return await create(model=self.model, input=list(self.messages), **offered, **self.options, **more)

    def _read(self, response: Any, items: Sequence[dict[str, Any]], finish: Finish | None) -> Reply:
        text = clean_text(_read_text(items))
        if finish is not None and finish.reason == "error":
            raise self._fail(get(response, "error"), text)
        add_usage(self.usage, get(response, "usage"))
        calls, kept = self._read_calls(items)
        if finish is not None and finish.reason == "stop" and any(_read_parts(items, "refusal")):
            finish = Finish("refusal", finish.word)
        return Reply(text, calls, finish, _drop_orphans(kept))

    def _fail(self, error: Any, content: str = "") -> ModelError:
        said = clean_text(str(get(error, "message") or get(error, "code") or "no reason")[:200])
        text = f"run: the model {self.model!r} failed: {said!r}. Ask again, or check what serves it."
        return ModelError(text, content=content)

    def _read_calls(self, items: Sequence[dict[str, Any]]) -> tuple[list[Call], list[dict[str, Any]]]:
        """Return what an answer calls, and its items as the server takes them back."""
        asked = [item for item in items if _is_call(item)]
        ids = dict(zip(map(id, asked), fill_ids(_read_id(item) for item in asked), strict=True))
        calls: list[Call] = []
        kept: list[dict[str, Any]] = []
        for item in items:
            if id(item) not in ids:
                kept.append(clean(item))
                continue
            key, arguments = ids[id(item)], item.get("arguments")
            name, pack = str(item.get("name") or ""), item.get("namespace")
            own: dict[str, Any] = {"call_id": key}
            if item.get("type") == _SEARCH_CALL:
                self._searches.add(key)
                name, own["arguments"] = TOOL_SEARCH, keep_object(arguments)
            else:
                own |= {"name": keep_name(name), "arguments": keep_arguments(arguments)}
                name = qualify(str(pack), name) if pack else name
            calls.append(Call(key, name, arguments))
            kept.append({**clean(item), **own})
        return calls, kept

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


class _Items:
    """The items of a streamed answer, by their place in it."""

    def __init__(self) -> None:
        self._items: dict[Any, dict[str, Any]] = {}
        self._done: set[Any] = set()

    def add(self, event: Any) -> None:
        """Take in one event."""
        kind, item = get(event, "type"), get(event, "item")
        if kind not in ("response.output_item.added", "response.output_item.done") or item is None:
            return
        place = get(event, "output_index")
        place = get(item, "id") if place is None else place
        if place is None:  # nothing says which item is meant before it is done
            if kind.endswith("added"):
                return
            place = f"item {len(self._items)}"
        self._items[place] = to_plain(item)
        self._done |= {place} if kind.endswith("done") else set[Any]()

    def read(self) -> list[dict[str, Any]]:
        """Return them in order; of those that broke off, calls alone, which have to be answered."""
        places = [place for place in self._items if place in self._done or _is_call(self._items[place])]
        numbered = all(isinstance(place, int) for place in places)
        return [self._items[place] for place in (sorted(places) if numbered else places)]


def _read_items(response: Any) -> list[dict[str, Any]]:
    return [to_plain(item) for item in get(response, "output") or ()]


def _read_status(response: Any, event: str = "") -> Finish | None:
    """Return how an answer ended, by its status or its last event; None while the provider is still at it."""
    status = get(response, "status")
    if status in (None, "queued", "in_progress") and event in _ENDS:
        status = event.removeprefix("response.")
    if response is None or status in ("queued", "in_progress"):
        return None
    if status != "incomplete":
        return read_finish(status)
    finish = read_finish(get(get(response, "incomplete_details"), "reason") or status)
    return Finish("length", finish.word) if finish.reason == "stop" else finish


def _is_call(item: Mapping[str, Any]) -> bool:
    is_search = item.get("type") == _SEARCH_CALL and item.get("execution") != "server"
    return is_search or item.get("type") == "function_call"


def _read_id(item: Mapping[str, Any]) -> Any:
    return item.get("call_id") or item.get("id")


def _drop_orphans(items: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out what the provider refuses to take back: messages without content, reasoning that nothing follows."""
    kept = [item for item in items if item.get("type") != "message" or item.get("content")]
    while kept and kept[-1].get("type") == "reasoning":
        kept.pop()
    return kept


def _read_text(items: Iterable[Mapping[str, Any]]) -> str:
    return "".join(_read_parts(items, "text")) or "".join(_read_parts(items, "refusal"))


def _read_parts(items: Iterable[Mapping[str, Any]], name: str) -> list[str]:
    parts = (part for item in items if item.get("type") == "message" for part in item.get("content") or ())
    texts = (get(part, name) for part in parts)
    return [text for text in texts if isinstance(text, str) and text]
