"""What a run sent and got, turn by turn: read off the client's requests and the APIs' log.

Not here: how it is shown. `transcript` does that.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from charter.cli.demo.server import Exchange
from charter.discovery.qualified import TOOL_SEARCH
from charter.discovery.session import ToolSession
from charter.schema.cost import json_tokens

__all__ = ["Call", "Recorder", "Turn", "count_input"]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the model's, and what came of it. ToolSearch sends nothing."""

    name: str
    arguments: str
    result: str
    exchange: Exchange | None = None
    loaded: Mapping[str, int] = field(default_factory=dict[str, int])
    """What a search loaded, with the tokens of each schema."""

    @property
    def is_search(self) -> bool:
        """Whether it is a call of ToolSearch."""
        return self.name == TOOL_SEARCH


@dataclass(slots=True)
class Turn:
    """One request to the model, and what it did then."""

    messages: Sequence[Any]
    tools: Sequence[Any]
    calls: list[Call] = field(default_factory=list[Call])
    answer: str = ""
    """What the model said, beside its calls or as its last word."""
    is_done: bool = False

    @property
    def tool_tokens(self) -> int:
        """Tokens of the tools as they were sent."""
        return json_tokens(self.tools)

    @property
    def message_tokens(self) -> int:
        """Tokens of the messages as they were sent."""
        return json_tokens(self.messages)


def count_input(turns: Sequence[Turn], tools: Sequence[Any] | None = None) -> int:
    """Count what the turns sent; with `tools`, what they would have sent with these."""
    return sum(
        turn.message_tokens + (turn.tool_tokens if tools is None else json_tokens(tools)) for turn in turns
    )


class Recorder:
    """A client that passes requests on and keeps them; `tell` is called with each turn, once when it starts
    and once when its calls are back.
    """

    def __init__(
        self,
        client: Any,
        session: ToolSession,
        log: Sequence[Exchange],
        tell: Callable[[int, Turn], None] | None,
    ) -> None:
        self._client, self._session, self._log, self._tell = client, session, log, tell
        self._logged = 0
        self.turns: list[Turn] = []
        self.chat = SimpleNamespace(completions=self)

    async def create(self, **request: Any) -> Any:
        """Keep the request, pass it on, and return the answer."""
        self.finish(request["messages"])
        self.turns.append(Turn(request["messages"], list(request.get("tools", ()))))
        self._announce()
        return await self._client.chat.completions.create(**request)

    def finish(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Read what the last turn did off the messages that follow it."""
        if not self.turns:
            return
        turn = self.turns[-1]
        answer, *results = messages[len(turn.messages) :]
        exchanges = list(self._log[self._logged :])
        self._logged = len(self._log)
        for call, result in zip(answer.get("tool_calls") or (), results, strict=True):
            function = call.get("function") or {}
            name, arguments = function.get("name") or "", function.get("arguments") or ""
            turn.calls.append(self._read_call(name, arguments, result["content"], exchanges))
        turn.answer, turn.is_done = answer.get("content") or "", True
        self._announce()

    def _announce(self) -> None:
        if self._tell:
            self._tell(len(self.turns), self.turns[-1])

    def _read_call(self, name: str, arguments: str, result: str, exchanges: list[Exchange]) -> Call:
        if name == TOOL_SEARCH:
            return Call(name, arguments, result, loaded=self._read_loaded(result))
        tool = self._session.tools.get(name)
        sent = next((each for each in exchanges if tool and _is_of(tool, each)), None)
        if sent:
            exchanges.remove(sent)
        return Call(name, arguments, result, sent)

    def _read_loaded(self, result: str) -> dict[str, int]:
        try:
            names = json.loads(result)["loaded"]
        except (ValueError, KeyError, TypeError):
            return {}
        return {name: self._session.catalogue.define(name).tokens for name in names}


def _is_of(tool: Any, exchange: Exchange) -> bool:
    """Whether a request went to a tool's route."""
    pattern = re.sub(r"\\\{\w+\\\}", "[^/?]+", re.escape(f"/{tool.route}"))
    return tool.method == exchange.method and bool(re.fullmatch(pattern, exchange.target.partition("?")[0]))
