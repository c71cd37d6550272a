"""ToolSearch as a model sees it: its text, its schema, and the checks on its own arguments.

What a query finds and what it loads are not here: see `index.py` and `session.py`.
"""

import math
import re
from collections.abc import Awaitable, Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from charter.discovery.given import clean_text, is_list, is_mapping, read_json, read_names, say_value
from charter.discovery.qualified import TOOL_SEARCH
from charter.discovery.query import Query, parse
from charter.errors import FieldProblem, ToolValidationError

__all__ = ["Ask", "ToolSearch", "define_search", "read_arguments", "read_ask"]

ONE_NEED = 5
"""Tools loaded for a query with one need."""
SEVERAL_NEEDS = 3
"""Tools loaded for each need of a query with several."""
MAX_RESULTS = 20
"""Tools loaded for one need at most, whatever is asked."""

_DESCRIPTION = """\
Load the tools that the task needs; only loaded tools can be called, and their schemas arrive with the next turn. \
Ask for everything the task needs in one call.
select:a,b - exactly these tools
calendar event - the best matches
+stripe refund - "stripe" must be in the name
a; b - several needs, each searched by itself
"""
_PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "max_results": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_RESULTS,
            "description": "For each need.",
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}
_WHOLE = re.compile(r"\s*\+?(\d{1,9})(?:\.0*)?\s*")


@dataclass(frozen=True, slots=True)
class Ask:
    """One checked call: what is asked for, and how many tools for each need."""

    query: Query
    limit: int


def define_search(listing: str) -> dict[str, Any]:
    """Return ToolSearch's name, description, which ends with the listing, and parameters: a copy."""
    return _render(_DESCRIPTION + listing)


def _render(description: str) -> dict[str, Any]:
    return {"name": TOOL_SEARCH, "description": description, "parameters": deepcopy(_PARAMETERS)}


def read_ask(query: object, max_results: object = None) -> Ask:
    """Check the two arguments. A list counts as several needs; `None` and `{}` ask for nothing.

    >>> read_ask("+stripe refund; send email").limit
    3
    >>> read_ask("refund", "7").limit
    7

    Raises:
        ToolValidationError: an argument is of the wrong kind; the text says what is wanted.
    """
    problems: list[FieldProblem] = []
    if not _is_query(query):
        problems.append(
            {"field": "query", "problem": f"got {say_value(query)}, wants text or a list of texts"}
        )
    limit = None if max_results is None else _read_count(max_results)
    if max_results is not None and limit is None:
        problems.append(
            {"field": "max_results", "problem": f"got {say_value(max_results)}, wants 1 to {MAX_RESULTS}"}
        )
    if problems:
        raise ToolValidationError.of_fields(TOOL_SEARCH, problems)
    parsed = parse(query)
    return Ask(parsed, limit or (SEVERAL_NEEDS if len(parsed.needs) > 1 else ONE_NEED))


def read_arguments(arguments: object) -> tuple[object, object]:
    """Return `query` and `max_results` as a model wrote them; a bare text or list is the query.

    Raises:
        ToolValidationError: the arguments are no object, or have another member.
    """
    if isinstance(arguments, str) and arguments.lstrip().startswith("{"):
        arguments = _read_json(arguments)
    if arguments is None or isinstance(arguments, str) or is_list(arguments):
        return arguments, None
    if not is_mapping(arguments):
        problem = f"got {say_value(arguments)}, wants an object with query and max_results"
        raise ToolValidationError.of_fields(TOOL_SEARCH, [{"field": "", "problem": problem}])
    unknown = [
        name if isinstance(name, str) else say_value(name)
        for name in arguments
        if name not in _PARAMETERS["properties"]
    ]
    if unknown:
        raise ToolValidationError.of_fields(
            TOOL_SEARCH,
            [
                {"field": clean_text(name[:60]), "problem": "is unknown; there are query and max_results"}
                for name in unknown[:5]
            ],
        )
    return arguments.get("query"), arguments.get("max_results")


def _read_json(text: str) -> object:
    try:
        return read_json(text)
    except ValueError:
        return text


def _is_query(query: object) -> bool:
    if query is None or isinstance(query, str) or (is_mapping(query) and not query):
        return True
    return read_names(query) is not None


def _read_count(value: object) -> int | None:
    """Return a whole number from 1 up, capped; None when `value` says no such thing."""
    if isinstance(value, str):
        match = _WHOLE.fullmatch(value)
        value = int(match[1]) if match else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and (math.isnan(value) or (math.isfinite(value) and not value.is_integer())):
        return None
    return min(int(min(value, MAX_RESULTS)), MAX_RESULTS) if value >= 1 else None


class ToolSearch:
    """The tool that loads tools, bound to one session. To an adapter it is a tool like any other."""

    name = TOOL_SEARCH
    pack = ""

    def __init__(self, description: str, run: Callable[[object], Awaitable[str]]) -> None:
        self.description = description
        self._run = run

    def to_json_schema(self) -> dict[str, Any]:
        """Return the name, description and parameters; a copy the caller may edit."""
        return _render(self.description)

    async def ainvoke(self, arguments: object = None, **options: Any) -> str:
        """Load what the query asks for and return what was loaded, as JSON text. No request is sent.

        `headers` and `client`, which every tool may be given, are of no use to it.
        """
        return await self._run(arguments)
