"""A model that follows a script: it knows what has to be done, and nothing of any tool but what it was sent.

Not here: what it knows of the task at hand. `errand` holds that.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

from charter.discovery.qualified import TOOL_SEARCH
from charter.schema.cost import json_tokens

__all__ = ["Memory", "ScriptedModel", "Step", "fit", "read_memory"]

_NAMES = re.compile(r"\b[a-z][a-z0-9_]*__[a-z0-9_]+\b")
_ONE_OF = re.compile(r"give exactly one of ([\w, ]+)")


@dataclass(frozen=True, slots=True)
class Memory:
    """What a conversation says so far."""

    task: str
    results: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Tool name -> its last result, where that was JSON."""
    refusals: Mapping[str, str] = field(default_factory=dict[str, str])
    """Tool name -> what the last call of it was told instead of a result."""
    tried: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """Tool name -> the arguments of its last call."""
    queries: Sequence[str] = ()
    needed: frozenset[str] = frozenset()
    """Tools that search results named as those that other tools' arguments come from."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do: the tool it takes, by words of its name, and the arguments from what is known by then."""

    words: tuple[str, ...]
    need: str
    """What to search for where no name is listed that has all of the words."""
    write: Callable[[Memory], Mapping[str, Any]]
    by_words: bool = False
    """Whether to ask in words even where the name is listed."""
    is_afterthought: bool = False
    """Whether it is only thought of once a search result names the tool."""

    def pick(self, names: Sequence[str]) -> str | None:
        """Return the shortest name that has all of the words."""
        fits = [name for name in names if all(word in re.split("_+", name) for word in self.words)]
        return min(fits, key=lambda name: (len(name), name), default=None)


class ScriptedModel:
    """A client as the openai package's, whose model takes the steps in order and then answers."""

    def __init__(self, steps: Sequence[Step], conclude: Callable[[Memory], str]) -> None:
        self._steps, self._conclude = steps, conclude
        self.chat = SimpleNamespace(completions=self)

    async def create(
        self, *, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = (), **_: Any
    ) -> dict[str, Any]:
        """Answer one request, from nothing but what is in it."""
        sent = {tool["function"]["name"]: tool["function"] for tool in tools}
        memory = read_memory(messages)
        calls = self._choose(memory, sent)
        message: dict[str, Any] = {"role": "assistant", "content": None if calls else self._conclude(memory)}
        if calls:
            message["tool_calls"] = [_render_call(len(messages), at, *call) for at, call in enumerate(calls)]
        usage = {
            "prompt_tokens": json_tokens(messages) + json_tokens(tools),
            "completion_tokens": json_tokens(message),
        }
        return {"choices": [{"message": message}], "usage": usage}

    def _choose(
        self, memory: Memory, sent: Mapping[str, Mapping[str, Any]]
    ) -> list[tuple[str, dict[str, Any]]]:
        """Return the calls of this turn: a search for what is missing, and the next step if its tool is there."""
        todo = [step for step in self._steps if step.pick(list(memory.results)) is None]
        calls: list[tuple[str, dict[str, Any]]] = []
        query = self._query(memory, todo, sent)
        if query and query not in memory.queries:
            calls.append((TOOL_SEARCH, {"query": query}))
        name = todo[0].pick(list(sent)) if todo else None
        if name:
            arguments = self._repair(memory, name, fit(todo[0].write(memory), sent[name]["parameters"]))
            if arguments != memory.tried.get(name):
                calls.append((name, arguments))
        return calls

    def _query(
        self, memory: Memory, todo: Sequence[Step], sent: Mapping[str, Mapping[str, Any]]
    ) -> str | None:
        """Ask in one query for all that is missing and thought of: by name where the listing has it, else in words."""
        if TOOL_SEARCH not in sent:
            return None
        listed = _NAMES.findall(sent[TOOL_SEARCH]["description"])
        names: list[str] = []
        needs: list[str] = []
        for step in todo:
            if step.pick(list(sent)) or (step.is_afterthought and not step.pick(list(memory.needed))):
                continue
            name = step.pick(listed)
            if name and not (step.by_words and step.need not in " ".join(memory.queries)):
                names.append(name)
            else:
                needs.append(step.need)
        parts = [f"select:{', '.join(names)}"] if names else []
        return "; ".join([*parts, *needs]) or None

    def _repair(self, memory: Memory, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Take back what the last refusal says is too much."""
        told = _ONE_OF.search(memory.refusals.get(name, ""))
        rivals = [part.strip() for part in told[1].split(",")] if told else []
        given = [key for key in arguments if key in rivals]
        return {key: value for key, value in arguments.items() if key not in given[1:]}


def read_memory(messages: Sequence[Mapping[str, Any]]) -> Memory:
    """Read the task, and each tool's last call and what came of it, off a conversation."""
    asked = {call["id"]: call["function"] for message in messages for call in message.get("tool_calls") or ()}
    results: dict[str, Any] = {}
    refusals: dict[str, str] = {}
    tried: dict[str, Mapping[str, Any]] = {}
    queries: list[str] = []
    needed: set[str] = set()
    for message in messages:
        if message["role"] != "tool":
            continue
        call = asked[message["tool_call_id"]]
        name, arguments = call["name"], json.loads(call["arguments"])
        result = _read_json(message["content"])
        if name == TOOL_SEARCH:
            queries.append(arguments["query"])
            found: dict[str, Any] = result or {}
            needed.update(found.get("needs", {}).values())
            continue
        tried[name] = arguments
        if result is None:
            refusals[name] = message["content"]
        else:
            results[name] = result
    task = next((str(message["content"]) for message in messages if message["role"] == "user"), "")
    return Memory(task, results, refusals, tried, queries, frozenset(needed))


def fit(values: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Keep of some values what a schema has a place for.

    >>> fit({"q": "lamp", "color": "red"}, {"properties": {"q": {"type": "string"}}})
    {'q': 'lamp'}
    """
    properties = schema.get("properties", {})
    fitting: dict[str, Any] = {}
    for name, value in values.items():
        if name not in properties or value in (None, "", []):
            continue
        wanted = properties[name]
        if isinstance(value, Mapping):
            fitting[name] = fit(cast("Mapping[str, Any]", value), wanted)
        elif value in wanted.get("enum", [value]):
            fitting[name] = value
    return fitting


def _render_call(turn: int, place: int, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))}
    return {"id": f"call_{turn}_{place}", "type": "function", "function": function}


def _read_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
