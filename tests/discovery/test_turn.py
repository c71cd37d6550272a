"""The calls of one turn, whatever the provider: order, concurrency, and what becomes of errors."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter import APIError, ToolSession, ToolValidationError
from charter.discovery.turn import Answer, Call, answer_calls, read_arguments, write_result
from tests.discovery.samples import Plain

pytestmark = pytest.mark.anyio


async def test_answers_come_in_the_order_asked_and_searches_run_first() -> None:
    session = ToolSession([Plain("shop", "buy", result="tea"), Plain("shop", "sell", result=5)])
    calls = [
        Call("1", "shop__sell", "{}"),
        Call("2", "ToolSearch", {"query": "select:shop__buy"}),
        Call("3", "shop__buy", None),
        Call("4", "ToolSearch", '{"query": "select:shop__sell"}'),
    ]
    answers = await answer_calls(session, calls)
    assert [answers[0], answers[2]] == [Answer("5"), Answer("tea")]
    assert session.loaded == ["shop__buy", "shop__sell"]


async def test_an_error_of_charters_is_an_answer_that_says_so() -> None:
    declined = APIError("shop__buy: 402.", model_text="Declined.")
    session = ToolSession([Plain("shop", "buy", result=declined)], progressive=False)
    calls = [Call("1", "shop__buy", ""), Call("2", "shop__buy", "{"), Call("3", "shop__bye", {})]
    answers = await answer_calls(session, calls)
    assert answers[0] == Answer("Declined.", is_error=True)
    assert [answer.is_error for answer in answers] == [True] * 3


async def test_the_hosts_client_reaches_every_tool_and_a_search_takes_it_too() -> None:
    tool, client = Plain("shop", "buy"), object()
    session = ToolSession([tool])
    calls = [Call("1", "ToolSearch", {"query": "select:shop__buy"}), Call("2", "shop__buy", {})]
    assert [answer.is_error for answer in await answer_calls(session, calls, client=client)] == [False, False]
    assert tool.called == [({}, {"client": client})]


@pytest.mark.parametrize(
    "error", [ZeroDivisionError("bug"), ExceptionGroup("own", [ValueError()]), SystemError()]
)
async def test_another_exception_is_raised_as_itself(error: Exception) -> None:
    session = ToolSession([Plain("shop", "buy", result=error), Plain("shop", "sell")], progressive=False)
    with pytest.raises(type(error)) as raised:
        await answer_calls(session, [Call("1", "shop__sell", {}), Call("2", "shop__buy", {})])
    assert raised.value is error


async def test_calls_that_run_beside_one_that_fails_are_cancelled_before_it_is_raised() -> None:
    ended: list[str] = []

    class Slow(Plain):
        async def ainvoke(self, arguments: Any, **options: Any) -> Any:
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(self.name)

    session = ToolSession(
        [Slow("shop", "buy"), Slow("shop", "sell"), Plain("shop", "fail", result=KeyError("x"))],
        progressive=False,
    )
    with pytest.raises(KeyError):
        await answer_calls(
            session, [Call(str(at), f"shop__{name}", {}) for at, name in enumerate(("buy", "sell", "fail"))]
        )
    assert sorted(ended) == ["buy", "sell"]


async def test_what_a_search_answers_is_never_cut() -> None:
    session = ToolSession([Plain("shop", f"order_{at}", result="x" * 900) for at in range(20)])
    names = ",".join(session.tools)
    calls = [Call("1", "ToolSearch", {"query": f"select:{names}"}), Call("2", "shop__order_1", {})]
    answers = await answer_calls(session, calls, max_result_tokens=50)
    assert "Cut" not in answers[0].text
    assert answers[1].text.startswith("x" * 200 + "\n[Cut: characters 0 to 200 of 900.")


@given(st.text() | st.binary().map(str))
def test_no_text_of_arguments_gets_anything_but_an_object_or_a_validation_error(text: str) -> None:
    try:
        assert isinstance(read_arguments(Call("1", "shop__buy", text)), dict)
    except ToolValidationError as error:
        assert "Send one JSON object." in error.for_model()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"to": "ann", "to": "bob"}', "JSON that gives the key 'to' twice"),
        (
            '{"a": [' + "1," * 1_000_000 + "1]}",
            "too much for one call: more than 10,000 values; send less at a time",
        ),
        ('{"a": NaN}', "JSON with NaN"),
    ],
    ids=["a key given twice", "a million values", "NaN"],
)
def test_a_text_that_no_call_takes_is_refused_for_what_it_is(text: str, problem: str) -> None:
    with pytest.raises(ToolValidationError) as raised:
        read_arguments(Call("1", "shop__buy", text))
    assert str(raised.value) == f"shop__buy: the arguments are {problem}. Send one JSON object."


_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.binary()
    | st.text()
    | st.text(st.characters(categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(_values)
def test_every_result_becomes_text_that_can_be_sent(value: Any) -> None:
    write_result(value).encode()


def test_text_is_told_as_it_is() -> None:
    assert write_result('{"a": 1}') == '{"a": 1}'


class Counted(Plain):
    """A tool that knows how many of its calls were there at once; each waits until it is told to go on."""

    def __init__(self, wanted: int) -> None:
        super().__init__("shop", "buy")
        self.wanted, self.running, self.most = wanted, 0, 0
        self.full, self.go = asyncio.Event(), asyncio.Event()

    async def ainvoke(self, arguments: Any, **options: Any) -> Any:
        self.running += 1
        self.most = max(self.most, self.running)
        if self.running == self.wanted:
            self.full.set()
        await self.go.wait()
        self.running -= 1


@pytest.mark.parametrize(("options", "most"), [({}, 8), ({"max_parallel": 2}, 2)])
async def test_so_many_calls_of_a_turn_run_at_once_and_no_more(options: Any, most: int) -> None:
    tool = Counted(most)
    session = ToolSession([tool], progressive=False)
    calls = [Call(str(at), "shop__buy", {}) for at in range(20)]
    async with asyncio.timeout(10):
        task = asyncio.create_task(answer_calls(session, calls, **options))
        await tool.full.wait()
        tool.go.set()
        assert len(await task) == 20
    assert tool.most == most


async def test_headers_of_the_host_reach_every_tool_and_a_search_does_without() -> None:
    tool, headers = Plain("shop", "buy"), {"Stripe-Account": "acct_1"}
    calls = [Call("1", "ToolSearch", {"query": "select:shop__buy"}), Call("2", "shop__buy", {})]
    answers = await answer_calls(ToolSession([tool]), calls, headers=headers)
    assert tool.called == [({}, {"headers": headers})]
    assert [answer.ran for answer in answers] == [False, True]


@pytest.mark.parametrize(
    "call",
    [
        Call("1", "shop__buy", "{"),
        Call("1", "shop__bye", {}),
        Call("1", "shop__buy", {}, "it was cut."),
        Call("1", ["shop__buy"], {}),
        Call("1", "shop__\ud83d", '{"a": '),
        Call("1", "ToolSearch", {"\ud83d": 1}),
    ],
)
async def test_a_call_that_was_refused_sent_nothing_and_what_is_told_of_it_can_be_sent(call: Any) -> None:
    tool = Plain("shop", "buy")
    [answer] = await answer_calls(ToolSession([tool], progressive=call.name != "shop__buy"), [call])
    assert (answer.is_error, answer.ran, tool.called) == (True, False, [])
    answer.text.encode()


async def test_arguments_that_are_nested_too_deeply_are_refused() -> None:
    deep: Any = []
    for _ in range(3_000):
        deep = [deep]
    session = ToolSession([Plain("shop", "buy")], progressive=False)
    [answer] = await answer_calls(session, [Call("1", "shop__buy", {"a": deep})])
    assert "nested too deeply" in answer.text


def test_a_result_that_no_json_can_hold_is_told_as_what_it_says_of_itself() -> None:
    circle: dict[Any, Any] = {(1, 2): "\ud83d"}
    circle["again"] = circle
    assert "{...}" in write_result(circle)
