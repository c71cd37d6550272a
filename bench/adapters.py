"""What a scripted run of six turns with three loads sends through each adapter, in each of its modes.

A request is counted as the model reads it: tools first, then the conversation, without the tools that a provider
holds back, with those that a reference brings in. Providers are not asked; calls have the same short result.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import httpx2
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from bench.table import Row
from charter import Tool, ToolSession
from charter.adapters import anthropic, google, openai, openai_responses
from charter.adapters.langchain import CharterMiddleware
from charter.adapters.openai_agents import charter_agent_tools
from charter.adapters.pydantic_ai import CharterToolset
from charter.packs import gmail, stripe

ASK = "Customer mail@example.com wants the last payment back, and a word by mail."
LOADS = ("stripe__payment_intents_list", "stripe__refunds_create", "gmail__messages_send")
RESULT = {"id": "x_1", "status": "succeeded", "amount": 900}
TURNS = 6

Call = tuple[str, dict[str, Any]]


class Canned:
    """A real tool's definition, with a call that sends nothing."""

    def __init__(self, tool: Tool) -> None:
        self._tool = tool
        self.name, self.pack, self.description = tool.name, tool.pack, tool.description
        self.hints, self.needs = tool.hints, tool.needs
        self.to_json_schema = tool.to_json_schema

    async def ainvoke(self, arguments: Any, **options: Any) -> Any:
        return RESULT


TOOLS = [Canned(tool) for tool in [*gmail.TOOLS, *stripe.TOOLS]]


def make_script(*, searching: bool) -> list[Call | None]:
    """Return what the model calls on each turn, None for the last word; without searching it waits as long."""
    look: list[Call] = [("ToolSearch", {"query": f"select:{name}"}) for name in LOADS]
    if not searching:
        look = [(name, {}) for name in LOADS]
    return [look[0], (LOADS[0], {}), look[1], (LOADS[1], {}), look[2], None]


@dataclass(frozen=True)
class Prompt:
    """One request as the model reads it."""

    tools: Sequence[Any]
    conversation: Sequence[Any]

    def text(self) -> str:
        pieces = [*self.tools, *self.conversation]
        return "\n".join(json.dumps(one, separators=(",", ":"), default=str) for one in pieces)


# What each provider is sent, and how its scripted answers are written.


def answer_chat(call: Call | None, turn: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None if call else "Done."}
    if call:
        function = {"name": call[0], "arguments": json.dumps(call[1])}
        message["tool_calls"] = [{"id": f"c{turn}", "type": "function", "function": function}]
    choice = {"index": 0, "finish_reason": "tool_calls" if call else "stop", "message": message}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
        "usage": usage,
    }


def read_chat(sent: dict[str, Any]) -> Prompt:
    return Prompt(sent.get("tools", []), sent["messages"])


def answer_responses(call: Call | None, turn: int, *, native: bool) -> dict[str, Any]:
    item: dict[str, Any] = {"call_id": f"c{turn}"}
    if call is None:
        content = [{"type": "output_text", "text": "Done."}]
        item = {"type": "message", "role": "assistant", "content": content}
    elif native and call[0] == "ToolSearch":
        item |= {"type": "tool_search_call", "execution": "client", "arguments": call[1]}
    else:
        pack, _, leaf = call[0].partition("__") if native else ("", "", call[0])
        item |= {"type": "function_call", "name": leaf, "arguments": json.dumps(call[1])}
        item |= {"namespace": pack} if pack else {}
    return {"status": "completed", "output": [item]}


def read_responses(sent: dict[str, Any]) -> Prompt:
    return Prompt(sent.get("tools", []), sent["input"])


def answer_anthropic(call: Call | None, turn: int) -> dict[str, Any]:
    block = {"type": "text", "text": "Done."}
    if call:
        block = {"type": "tool_use", "id": f"c{turn}", "name": call[0], "input": call[1]}
    return {"content": [block], "stop_reason": "tool_use" if call else "end_turn"}


def read_anthropic(sent: dict[str, Any]) -> Prompt:
    tools = [
        {name: value for name, value in tool.items() if name != "cache_control"} for tool in sent["tools"]
    ]
    held = {tool["name"]: tool for tool in tools if tool.get("defer_loading")}
    conversation = [
        {**message, "content": list(_expand(message["content"], held))} for message in sent["messages"]
    ]
    return Prompt([tool for tool in tools if tool["name"] not in held], conversation)


def _expand(content: Any, held: dict[str, Any]) -> Iterator[Any]:
    """Put the definition where a reference stands, as the provider does."""
    for block in [content] if isinstance(content, str) else content:
        if isinstance(block, dict) and isinstance(block.get("content"), list):
            yield {**block, "content": [held.get(one.get("tool_name"), one) for one in block["content"]]}
        else:
            yield block


def answer_google(call: Call | None, turn: int) -> dict[str, Any]:
    part: dict[str, Any] = {"text": "Done."}
    if call:
        part = {"function_call": {"id": f"c{turn}", "name": call[0], "args": call[1]}}
    return {"candidates": [{"content": {"role": "model", "parts": [part]}, "finish_reason": "STOP"}]}


def read_google(sent: dict[str, Any]) -> Prompt:
    [group] = sent["config"]["tools"]
    return Prompt(group["function_declarations"], sent["contents"])


class Scripted:
    """A client of any shape: it keeps what it is sent, and answers by the script."""

    def __init__(self, script: Sequence[Call | None], answer: Callable[[Call | None, int], Any]) -> None:
        self.script, self.answer = list(script), answer
        self.sent: list[dict[str, Any]] = []
        self.completions = self.responses = self.messages = self.models = self
        self.chat = self.aio = self

    async def create(self, **request: Any) -> Any:
        self.sent.append(json.loads(json.dumps(request)))
        return self.answer(self.script.pop(0), len(self.sent))

    generate_content = create

    def transport(self) -> httpx2.MockTransport:
        """Return the same as a transport, for frameworks that bring their own client."""

        async def handle(request: httpx2.Request) -> httpx2.Response:
            return httpx2.Response(200, json=await self.create(**json.loads(request.content)))

        return httpx2.MockTransport(handle)


# How each adapter is run.

Runs = Callable[[Scripted, Any], Awaitable[Any]]


def through(run: Any, ask: Any, **options: Any) -> Runs:
    """Return how an adapter with a loop of its own is run."""
    return lambda client, session: run(client, model="m", messages=[ask], session=session, **options)


async def run_langchain(client: Scripted, session: Any) -> None:
    async with httpx2.AsyncClient(transport=client.transport()) as http:
        model = ChatOpenAI(model="m", base_url="http://x", api_key=lambda: "x", http_async_client=http)
        agent = create_agent(model, middleware=[CharterMiddleware(session)])
        await agent.ainvoke({"messages": [{"role": "user", "content": ASK}]})


async def run_pydantic_ai(client: Scripted, session: Any) -> None:
    async with _connect(client) as http:
        model = OpenAIChatModel("m", provider=OpenAIProvider(openai_client=http))
        await PydanticAgent(model, toolsets=[CharterToolset(session)]).run(ASK)


async def run_openai_agents(client: Scripted, session: Any) -> None:
    async with _connect(client) as http:
        model = OpenAIChatCompletionsModel("m", openai_client=http)
        agent = Agent(name="a", model=model, tools=charter_agent_tools(session))
        await Runner.run(agent, ASK, run_config=RunConfig(tracing_disabled=True))


def _connect(client: Scripted) -> AsyncOpenAI:
    http = httpx2.AsyncClient(transport=client.transport())
    return AsyncOpenAI(base_url="http://x", api_key="x", http_client=http)


@dataclass(frozen=True)
class Mode:
    """One way to send tools through one adapter."""

    name: str
    run: Runs
    answer: Callable[[Call | None, int], Any]
    read: Callable[[dict[str, Any]], Prompt]
    native: bool = False

    async def send(self, session: Any, *, searching: bool) -> list[str]:
        """Return the text of each request of one run."""
        client = Scripted(make_script(searching=searching), self.answer)
        await self.run(client, session)
        assert len(client.sent) == TURNS, f"{self.name}: {len(client.sent)} turns"
        return [self.read(sent).text() for sent in client.sent]


SAID = {"role": "user", "content": ASK}
MODES = [
    Mode("OpenAI Chat", through(openai.run, SAID), answer_chat, read_chat),
    Mode(
        "OpenAI Responses, native",
        through(openai_responses.run, SAID),
        lambda call, turn: answer_responses(call, turn, native=True),
        read_responses,
        native=True,
    ),
    Mode(
        "OpenAI Responses, growing",
        through(openai_responses.run, SAID, native=False),
        lambda call, turn: answer_responses(call, turn, native=False),
        read_responses,
    ),
    Mode("Anthropic, native", through(anthropic.run, SAID), answer_anthropic, read_anthropic, native=True),
    Mode("Anthropic, growing", through(anthropic.run, SAID, native=False), answer_anthropic, read_anthropic),
    Mode(
        "Google",
        through(google.run, {"role": "user", "parts": [{"text": ASK}]}),
        answer_google,
        read_google,
    ),
    Mode("LangChain", run_langchain, answer_chat, read_chat),
    Mode("pydantic-ai", run_pydantic_ai, answer_chat, read_chat),
    Mode("OpenAI Agents", run_openai_agents, answer_chat, read_chat),
]


@dataclass(frozen=True)
class Figures:
    """What one mode sends in six requests, beside the same adapter sending every schema."""

    mode: str
    native: bool
    first: int
    """Tokens of the first request."""
    total: int
    everything: int
    repeated: float
    """How much of a request the next one begins with, byte for byte, over the run."""
    paid: int
    """Tokens when a beginning that repeats the request before costs a tenth."""
    paid_everything: int


def count(text: str) -> int:
    """Return tokens by the rule of `json_tokens`: characters over four."""
    return len(text) // 4


def find_repeated(texts: Sequence[str]) -> list[int]:
    """Return with how many characters of the request before each one begins."""

    def count_same(earlier: str, later: str) -> int:
        pairs = enumerate(zip(earlier, later, strict=False))
        differs = (place for place, (one, other) in pairs if one != other)
        return next(differs, min(len(earlier), len(later)))

    return [0, *(count_same(earlier, later) for earlier, later in pairwise(texts))]


def price(texts: Sequence[str]) -> int:
    """Return what the requests cost when what is repeated costs a tenth."""
    return sum(
        count(text[same:]) + count(text[:same]) // 10
        for text, same in zip(texts, find_repeated(texts), strict=True)
    )


async def measure(mode: Mode) -> Figures:
    """Run one mode, and the same adapter with every schema."""
    texts = await mode.send(ToolSession(TOOLS), searching=True)
    plain = await mode.send(TOOLS, searching=False)
    return Figures(
        mode.name,
        mode.native,
        count(texts[0]),
        sum(map(count, texts)),
        sum(map(count, plain)),
        sum(find_repeated(texts)) / sum(len(text) for text in texts[:-1]),
        price(texts),
        price(plain),
    )


async def measure_all() -> list[Figures]:
    """Run every mode, one after the other."""
    return [await measure(mode) for mode in MODES]


def render_page_table(found: Sequence[Figures]) -> str:
    """Return the table of docs/frameworks.md."""
    lines = [
        "| adapter | first request | six requests | every schema | repeated | paid | every schema, paid |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for it in found:
        cells = [it.mode, f"{it.first:,}", f"{it.total:,}", f"{it.everything:,}", f"{it.repeated:.0%}"]
        lines.append(f"| {' | '.join([*cells, f'{it.paid:,}', f'{it.paid_everything:,}'])} |")
    return "\n".join(lines)


def rows() -> list[Row]:
    """Measure every adapter in every mode; the bars hold what deferral is for."""
    found: list[Row] = []
    for it in asyncio.run(measure_all()):
        found += [
            Row(f"{it.mode}: six turns, three loads", it.total, unit="tokens"),
            Row(f"{it.mode}: over sending every schema", it.total / it.everything, 0.1, "x"),
            Row(f"{it.mode}: the same, repeats at a tenth", it.paid / it.paid_everything, 0.2, "x"),
            Row(
                f"{it.mode}: repeated byte for byte",
                it.repeated,
                1.0 if it.native else 0.85,
                "x",
                at_least=True,
            ),
        ]
    return found
