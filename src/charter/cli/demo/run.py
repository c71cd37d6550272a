"""One run of the errand: the real loop, the real tools, a model, and both APIs on loopback.

Not here: the screen.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from charter import aclose
from charter.adapters.openai import run, to_openai_tools
from charter.auth import Bearer
from charter.cli.demo.errand import MESSAGES, make_model
from charter.cli.demo.recording import Recorder, Turn, count_input
from charter.cli.demo.server import TOKEN, World, serve
from charter.discovery.session import ToolSession
from charter.tool import Tool

__all__ = ["Bill", "Run", "run_errand", "run_with_everything"]

MAX_TURNS = 25


@dataclass(frozen=True, slots=True)
class Bill:
    """What a run's requests cost in input tokens."""

    turns: int
    first_turn: int
    """The tools of the first request."""
    total: int
    """Tools and messages of all requests."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run that ended."""

    turns: Sequence[Turn]
    answer: str
    world: World

    @property
    def bill(self) -> Bill:
        """What was sent."""
        return Bill(len(self.turns), self.turns[0].tool_tokens, count_input(self.turns))

    def bill_with(self, tools: Sequence[Tool]) -> Bill:
        """What the same requests would have been with every schema in each; those that only searched fall away."""
        whole = to_openai_tools(tools)
        turns = [
            turn for turn in self.turns if not turn.calls or not all(call.is_search for call in turn.calls)
        ]
        return Bill(len(turns), Turn((), whole).tool_tokens, count_input(turns, whole))


async def run_errand(
    tools: Sequence[Tool],
    tell: Callable[[int, Turn], None] | None = None,
    *,
    client: Any = None,
    model: str = "scripted",
    progressive: bool = True,
    listing: str = "auto",
) -> Run:
    """Run the errand in a new world; `client` is the model's, the scripted one's unless given.

    Raises:
        Exception: whatever the client raises.
    """
    with serve() as world, _pointed_at(world.url, tools):
        session = ToolSession(tools, progressive=progressive, listing=listing)
        recorder = Recorder(client or make_model(), session, world.log, tell)
        try:
            result = await run(recorder, model=model, messages=MESSAGES, session=session, max_turns=MAX_TURNS)
        finally:
            await aclose()
        recorder.finish(result.messages)
        return Run(recorder.turns, result.content, world)


async def run_with_everything(tools: Sequence[Tool]) -> Run:
    """Run the scripted errand with every schema in every request, and no search."""
    return await run_errand(tools, progressive=False)


@contextmanager
def _pointed_at(url: str, tools: Sequence[Tool]) -> Generator[None]:
    """Point the tools' APIs at `url` with the demo's token until the block ends."""
    apis = {id(tool.api): tool.api for tool in tools}.values()
    before = [(api, api.base_url, api.auth) for api in apis]
    for api in apis:
        api.base_url, api.auth = url, Bearer(TOKEN)
    try:
        yield
    finally:
        for api, base_url, auth in before:
            api.base_url, api.auth = base_url, auth
