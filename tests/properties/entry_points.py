"""What a model or a transcript may hold, and the four places where it comes in: each raises a CharterError or nothing.

`make test` tries a few of each (test_entry_points.py here); `make fuzz` tries as many as it takes (tests/fuzz/).
"""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from charter import CharterError, ToolSession
from charter.discovery.turn import Call, answer_calls
from charter.packs import gcalendar, gmail, linear, stripe
from tests.discovery.samples import Plain

PACKS = [*gmail.TOOLS, *gcalendar.TOOLS, *stripe.TOOLS, *linear.TOOLS]
SESSION = ToolSession([*PACKS, Plain("shop", "buy")])
NAMES = [*SESSION.tools, "ToolSearch"]


class Odd:
    """An object that says nothing, and fails when it is asked."""

    def __repr__(self) -> str:
        raise ZeroDivisionError

    @property
    def content(self) -> Any:
        raise ZeroDivisionError


def nest(depth: int, inside: Any = 1, *, by_name: bool = False) -> Any:
    """Return lists, or objects, in each other."""
    for _ in range(depth):
        inside = {"a": inside} if by_name else [inside]
    return inside


def within_itself() -> Any:
    held: list[Any] = []
    held.append({"a": held})
    return held


# Not sampled_from, whose repr would hold every name wherever it is used.
known_names = st.integers(0, len(NAMES) - 1).map(lambda at: NAMES[at])
texts = st.one_of(
    st.text(),
    st.text(st.characters(categories=["Cs", "Cc", "Lu"])),
    known_names,
    known_names.map(lambda name: f"select:{name}"),
    st.sampled_from(
        ["refund", "+stripe refund; send email", "rest:1:5", "select:", "{", '{"a":', "[1", "null", ""]
    ),
    st.lists(st.sampled_from("refund send email \ud83d ; + select: , \0 é".split()), max_size=8).map(
        " ".join
    ),
)
numbers = st.one_of(
    st.integers(),
    st.floats(),
    st.sampled_from([1, -1]).map(lambda sign: sign * 10**4400),
    st.sampled_from([2**64, float("nan"), float("-inf")]),
)
plain = st.one_of(st.none(), st.booleans(), numbers, texts)
foreign = st.one_of(
    st.binary(max_size=8),
    st.builds(Odd),
    st.sampled_from(
        [
            {1, 2},
            (1, "\ud83d"),
            1j,
            Decimal("NaN"),
            datetime(2030, 1, 1, tzinfo=UTC),
            int,
            len,
            range(3),
            Exception(),
        ]
    ),
    st.builds(within_itself),
    st.builds(nest, st.integers(150, 3_000), by_name=st.booleans()),
)
keys = st.one_of(texts, st.sampled_from(["id", "query", "max_results", "name", "type", "content", "text"]))
json_values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)
values = st.recursive(
    plain | foreign,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(keys | st.sampled_from([1, None, b"a", (1, 2), 2.5]), inner, max_size=4)
        | st.tuples(inner, inner)
    ),
    max_leaves=12,
)


def write(value: Any) -> str:
    """Return JSON as a model writes it, halves of characters and all, or something that is nearly JSON."""
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return '{"a": ' * 300


arguments = st.one_of(values, json_values.map(write), texts, st.dictionaries(keys, values, max_size=4))
names = st.one_of(known_names, texts, values)
calls = st.lists(st.builds(Call, st.one_of(texts, values), names, arguments), max_size=4)
_tags = ["type", "role", "id", "call_id", "tool_call_id", "tool_use_id", "name", "namespace", "execution"]
_kinds = """tool tool_use tool_result function_call function_call_output tool_search_call tool_search_output
    tool_reference function namespace client assistant user""".split()
_holders = "content tool_calls function parts function_call function_response response output tools input args".split()
blocks = st.recursive(
    st.dictionaries(st.sampled_from(_tags), st.sampled_from(_kinds) | names | values, max_size=6),
    lambda inner: st.builds(
        lambda tags, held: {**tags, **held},
        st.dictionaries(st.sampled_from(_tags), st.sampled_from(_kinds) | names, max_size=4),
        st.dictionaries(
            st.sampled_from([*_holders, "arguments", "text"]), inner | st.lists(inner, max_size=3), max_size=4
        ),
    ),
    max_leaves=8,
)
messages = st.lists(blocks | values, max_size=4) | values


def check(act: Callable[[], Any]) -> None:
    """Do what a model asks for: it returns what can be sent, or raises an error that can be told."""
    try:
        json.dumps(act(), ensure_ascii=False, default=str).encode()
    except CharterError as error:
        assert error.for_model()
        error.for_model().encode()


def try_answer_calls(loop: asyncio.AbstractEventLoop, asked: Any) -> None:
    session = SESSION.fork()
    answers = loop.run_until_complete(answer_calls(session, asked, max_result_tokens=100))
    assert len(answers) == len(asked)
    for answer in answers:
        answer.text.encode()


def try_search(loop: asyncio.AbstractEventLoop, asked: Any) -> None:
    check(lambda: SESSION.fork().search(*asked))


def try_dispatch(loop: asyncio.AbstractEventLoop, asked: Any) -> None:
    session, (name, given) = SESSION.fork(), asked
    if isinstance(name, str):
        session.load([name])
    with suppress(CharterError):
        loop.run_until_complete(session.dispatch(name, given))


def try_replay(loop: asyncio.AbstractEventLoop, asked: Any) -> None:
    check(lambda: SESSION.fork().replay(asked))


ENTRY_POINTS: dict[str, tuple[Callable[[asyncio.AbstractEventLoop, Any], None], st.SearchStrategy[Any]]] = {
    "answer_calls": (try_answer_calls, calls),
    "search": (try_search, st.tuples(arguments, st.none() | plain | values)),
    "dispatch": (try_dispatch, st.tuples(names, arguments)),
    "replay": (try_replay, messages),
}


def try_many(name: str, examples: int) -> None:
    """Try one entry point with so many values, each another."""
    attempt, inputs = ENTRY_POINTS[name]
    loop, tried = asyncio.new_event_loop(), [0]

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(inputs)
    def attempt_each(value: Any) -> None:
        attempt(loop, value)
        tried[0] += 1

    try:
        attempt_each()
        loop.run_until_complete(loop.shutdown_default_executor())
    finally:
        loop.close()
    assert tried[0] >= examples
