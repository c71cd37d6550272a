"""The LangChain middleware: what was loaded is the thread's, calls of others are left alone, and errors are told."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio.to_thread
import httpx2
import pytest
from langchain.agents import create_agent
from langchain.tools import tool
from langchain_core.messages import AIMessage, ToolMessage
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.errors import GraphRecursionError
from langgraph.graph import START, StateGraph
from langgraph.prebuilt import ToolNode
from pydantic import ValidationError

from charter import APIError, CharterError, ToolSession
from charter.adapters.langchain import CharterMiddleware, CharterState, to_langchain_tools
from tests.adapters.langchain_agent import ask, in_thread, look, make_agent, make_session, said
from tests.counterparties.chat import Chat, chat_message
from tests.counterparties.loopback import Loopback
from tests.discovery.samples import Plain, make_tools
from tests.house.sources import ROOT

pytestmark = pytest.mark.anyio


async def invoke(agent: Any, way: str, state: Any, config: Any = None) -> Any:
    """Invoke an agent in one of its two ways; the sync one has a thread without a loop."""
    if way == "sync":
        return await anyio.to_thread.run_sync(lambda: agent.invoke(state, config))
    return await agent.ainvoke(state, config)


def told(state: Any) -> list[ToolMessage]:
    return [message for message in state["messages"] if isinstance(message, ToolMessage)]


both_ways = pytest.mark.parametrize("way", ["sync", "async"])


@both_ways
async def test_a_tool_is_found_called_and_its_result_read(way: str) -> None:
    shop = Plain("shop", "buy", result={"id": 7})
    session = ToolSession([shop])
    agent, model = make_agent(
        session, said("", look("select:shop__buy")), said("", ("shop__buy", {"what": "tea"})), said("Bought.")
    )
    state = await invoke(agent, way, ask())
    assert [message.type for message in state["messages"]] == ["human", "ai", "tool", "ai", "tool", "ai"]
    assert [message.status for message in told(state)] == ["success", "success"]
    assert told(state)[1].content == '{"id":7}'
    assert shop.called == [({"what": "tea"}, {})]
    assert model.sent == [["ToolSearch"], *[["ToolSearch", "shop__buy"]] * 2]
    assert session.loaded == []
    assert "charter_loaded" not in state


@both_ways
async def test_two_threads_of_one_agent_interleaved_do_not_share_what_they_load(way: str) -> None:
    agent, model = make_agent(
        make_session(),
        *[said("", look("select:shop__sell")), said("a")],
        *[said("", look("select:shop__buy")), said("b")],
        *[said("", look("select:shop__rent")), said("a")],
        said("b"),
        checkpointer=InMemorySaver(),
    )
    for name in "abab":
        await invoke(agent, way, ask(), in_thread(name))
    assert model.sent[::2] == [
        ["ToolSearch"],
        ["ToolSearch"],
        ["ToolSearch", "shop__sell"],
        ["ToolSearch", "shop__buy"],
    ]
    assert model.sent[5] == ["ToolSearch", "shop__sell", "shop__rent"]


@both_ways
async def test_a_checkpointer_brings_back_what_another_process_loaded(way: str, tmp_path: Path) -> None:
    path = str(tmp_path / "threads.db")
    child = [sys.executable, "-m", "tests.adapters.langchain_agent", path]
    await asyncio.to_thread(subprocess.run, child, check=True, cwd=ROOT)
    answers = [said("", ("shop__sell", {})), said("a"), said("", ("shop__sell", {})), said("b")]
    if way == "sync":
        with SqliteSaver.from_conn_string(path) as saver:
            agent, model = make_agent(make_session(), *answers, checkpointer=saver)
            states = [await invoke(agent, way, ask(), in_thread(name)) for name in "ab"]
    else:
        async with AsyncSqliteSaver.from_conn_string(path) as saver:
            agent, model = make_agent(make_session(), *answers, checkpointer=saver)
            states = [await invoke(agent, way, ask(), in_thread(name)) for name in "ab"]
    assert model.sent == [*[["ToolSearch", "shop__sell"]] * 2, *[["ToolSearch", "shop__buy"]] * 2]
    assert told(states[0])[-1].content == "sell done"
    assert "select:shop__sell" in told(states[1])[-1].text


@tool
def weather(city: str) -> str:
    """Tell the weather."""
    return f"sun in {city}"


@both_ways
async def test_the_agents_own_tools_stay_and_unknown_calls_are_left_alone(way: str) -> None:
    agent, model = make_agent(
        make_session(), said("", ("weather", {"city": "Rome"}), ("nothing", {})), said("ok"), tools=[weather]
    )
    state = await invoke(agent, way, ask())
    assert model.sent[0] == ["weather", "ToolSearch"]
    assert told(state)[0].content == "sun in Rome"
    assert "nothing is not a valid tool" in told(state)[1].text


async def test_a_tool_of_the_agent_that_is_called_like_one_of_ours_is_not_taken_over() -> None:
    @tool("shop__buy")
    def buy() -> str:
        """Buy."""
        return "mine"

    agent, _ = make_agent(make_session(), said("", ("shop__buy", {})), said("ok"), tools=[buy])
    assert told(await agent.ainvoke(ask()))[0].content == "mine"


@both_ways
async def test_a_charter_error_becomes_a_message_with_status_error(way: str) -> None:
    error = APIError("shop__buy: 402 from the API.", status_code=402, model_text="The card was declined.")
    agent, _ = make_agent([Plain("shop", "buy", result=error)], said("", ("shop__buy", {})), said("ok"))
    [message] = told(await invoke(agent, way, ask()))
    assert (message.content, message.status, message.tool_call_id) == (
        "The card was declined.",
        "error",
        "c0",
    )


@both_ways
async def test_another_exception_propagates_as_itself(way: str) -> None:
    agent, _ = make_agent(
        [Plain("shop", "buy", result=ZeroDivisionError("bug"))], said("", ("shop__buy", {}))
    )
    with pytest.raises(ZeroDivisionError, match="bug"):
        await invoke(agent, way, ask())


async def test_a_tool_that_is_not_loaded_is_told_to_the_model() -> None:
    agent, _ = make_agent(make_session(), said("", ("shop__buy", {})), said("ok"))
    [message] = told(await agent.ainvoke(ask()))
    assert message.status == "error" and "select:shop__buy" in message.text


@both_ways
async def test_what_a_search_loads_can_be_called_beside_it(way: str) -> None:
    asked = said("", ("shop__sell", {}), look("select:shop__sell"), look("select:shop__buy"))
    agent, model = make_agent(make_session(), asked, said("ok"))
    state = await invoke(agent, way, ask())
    assert told(state)[0].content == "sell done"
    assert model.sent[1] == ["ToolSearch", "shop__sell", "shop__buy"]


async def test_calls_of_one_turn_run_at_the_same_time() -> None:
    meeting = asyncio.Barrier(2)

    class Meeting(Plain):
        async def ainvoke(self, arguments: Any, **options: Any) -> Any:
            async with asyncio.timeout(10):
                await meeting.wait()
            return self.name

    asked = said("", ("shop__buy", {}), ("shop__sell", {}))
    agent, _ = make_agent([Meeting("shop", "buy"), Meeting("shop", "sell")], asked, said("ok"))
    assert [message.content for message in told(await agent.ainvoke(ask()))] == ["buy", "sell"]


async def test_cancelling_the_agent_cancels_its_calls() -> None:
    begun, cancelled = asyncio.Event(), asyncio.Event()

    class Waiting(Plain):
        async def ainvoke(self, arguments: Any, **options: Any) -> Any:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()

    agent, _ = make_agent([Waiting("shop", "buy")], said("", ("shop__buy", {})))
    task = asyncio.create_task(agent.ainvoke(ask()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cancelled.is_set()


@pytest.mark.parametrize(
    ("result", "text"), [(None, "null"), ([1, {"a": "é"}], '[1,{"a":"é"}]'), (b"\xff", '"_w=="')]
)
async def test_a_result_that_is_no_text_is_told_as_json(result: Any, text: str) -> None:
    agent, _ = make_agent([Plain("shop", "buy", result=result)], said("", ("shop__buy", {})), said("ok"))
    assert told(await agent.ainvoke(ask()))[0].content == text


async def test_the_limit_of_steps_is_langgraphs() -> None:
    agent, model = make_agent([Plain("shop", "buy")], *[said("", ("shop__buy", {}))] * 9)
    with pytest.raises(GraphRecursionError):
        await agent.ainvoke(ask(), {"recursion_limit": 6})
    assert 1 <= len(model.sent) <= 3


async def test_no_tools_means_none_are_bound() -> None:
    for nothing in ([], ToolSession([])):
        agent, model = make_agent(nothing, said("ok"))
        await agent.ainvoke(ask())
        assert model.sent == [[]]


async def test_sync_invoke_inside_a_running_loop_is_refused_before_the_model_is_called() -> None:
    agent, model = make_agent(make_session(), said("ok"))
    with pytest.raises(CharterError, match="Await ainvoke instead"):
        agent.invoke(ask())
    assert model.sent == []


async def talk(session: Any, chat: Chat) -> Any:
    async with httpx2.AsyncClient() as http:
        model = ChatOpenAI(model="m", base_url=chat.url, api_key="x", max_retries=0, http_async_client=http)
        agent = create_agent(model, middleware=[CharterMiddleware(session)])
        return await agent.ainvoke(ask())


@pytest.mark.parametrize("arguments", ["{}", "null"])
async def test_no_arguments_are_none_however_they_are_written(loopback: Loopback, arguments: str) -> None:
    shop = Plain("shop", "buy")
    state = await talk(
        [shop], Chat(loopback, chat_message(None, ("shop__buy", arguments)), chat_message("ok"))
    )
    assert (told(state)[0].content, shop.called) == ("done", [({}, {})])


@pytest.mark.parametrize("arguments", ['{"a": 1', "tea", '{"a":\n tea}'])
async def test_malformed_arguments_are_told_and_the_model_is_asked_again(
    loopback: Loopback, arguments: str
) -> None:
    asked = chat_message(None, ("shop__buy", arguments))
    chat = Chat(loopback, asked, chat_message(None, ("shop__buy", "{}")), chat_message("ok"))
    state = await talk([Plain("shop", "buy")], chat)
    broken, good = told(state)
    assert broken.status == "error" and "the arguments are not JSON" in broken.text
    assert (good.content, state["messages"][-1].content) == ("done", "ok")


async def test_empty_arguments_are_told_or_none(loopback: Loopback) -> None:
    chat = Chat(loopback, chat_message(None, ("shop__buy", "")), chat_message("ok"))
    state = await talk([Plain("shop", "buy")], chat)
    assert len(told(state)) == 1 and state["messages"][-1].content == "ok"


@pytest.mark.parametrize("arguments", ["[1]", "5", '"tea"'])
async def test_arguments_that_are_no_object_end_in_the_clients_own_error(
    loopback: Loopback, arguments: str
) -> None:
    with pytest.raises(ValidationError, match="valid dictionary"):
        await talk([Plain("shop", "buy")], Chat(loopback, chat_message(None, ("shop__buy", arguments))))


async def test_malformed_arguments_beside_good_ones_are_told_too(loopback: Loopback) -> None:
    asked = chat_message(None, ("shop__buy", "{"), ("shop__buy", "{}"), ("shop__buy", "{}"))
    chat = Chat(loopback, asked, chat_message("ok"))
    state = await talk([Plain("shop", "buy")], chat)
    assert sorted(message.status for message in told(state)) == ["error", "success", "success"]
    assert len(chat.told()) == 3


async def test_malformed_arguments_of_an_unknown_tool_are_left_alone(loopback: Loopback) -> None:
    state = await talk([Plain("shop", "buy")], Chat(loopback, chat_message("Hm.", ("nothing", "{"))))
    assert told(state) == []


@both_ways
async def test_a_graph_of_ones_own_runs_them_in_its_tool_node(way: str) -> None:
    middleware = CharterMiddleware(make_session())
    node = ToolNode([], wrap_tool_call=middleware.wrap_tool_call, awrap_tool_call=middleware.awrap_tool_call)
    graph = StateGraph(CharterState)
    graph.add_node("tools", node)
    graph.add_edge(START, "tools")
    asked = said("", look("select:shop__sell"))
    state = await invoke(graph.compile(), way, {"messages": [asked]})
    assert state["charter_loaded"] == ["shop__sell"]
    again = {"messages": [said("", ("shop__sell", {}))], "charter_loaded": state["charter_loaded"]}
    state = await invoke(graph.compile(), way, again)
    assert told(state)[0].content == "sell done"


@both_ways
async def test_the_tools_alone_work_in_a_tool_node(way: str) -> None:
    error = APIError("shop__sell: 402.", status_code=402, model_text="Declined.")
    odd = {"self": 1, "config": 2, "run_manager": 3, "callbacks": 4, "input": 5}
    shop = [Plain("shop", "buy"), Plain("shop", "sell", result=error)]
    graph = StateGraph(CharterState)
    graph.add_node("tools", ToolNode(to_langchain_tools(shop)))
    graph.add_edge(START, "tools")
    asked = said("", ("shop__buy", odd), ("shop__sell", {}))
    good, bad = told(await invoke(graph.compile(), way, {"messages": [asked]}))
    assert (good.content, good.status, bad.content, bad.status) == ("done", "success", "Declined.", "error")
    assert shop[0].called == [(odd, {})]


async def test_the_tools_alone_are_what_can_be_called_this_turn() -> None:
    session = ToolSession(make_tools())
    [search] = to_langchain_tools(session)
    answer = json.loads(await search.ainvoke({"query": "select:stripe__refunds_create"}))
    assert answer["loaded"] == ["stripe__refunds_create"]
    rendered = to_langchain_tools(session)
    assert [tool.name for tool in rendered] == ["ToolSearch", "stripe__refunds_create"]
    assert rendered[1].args_schema == session.tools["stripe__refunds_create"].to_json_schema()["parameters"]
    with pytest.raises(CharterError, match="Await ainvoke instead"):
        search.invoke({"query": "refund"})


async def test_a_session_with_tools_loaded_gives_them_to_every_thread() -> None:
    session = make_session()
    session.load(["shop__rent"])
    agent, model = make_agent(session, said("", look("select:shop__buy")), said("ok"))
    await agent.ainvoke(ask())
    assert model.sent == [["ToolSearch", "shop__rent"], ["ToolSearch", "shop__rent", "shop__buy"]]
    assert session.loaded == ["shop__rent"]


async def test_an_answer_without_calls_passes_unchanged() -> None:
    agent, _ = make_agent(make_session(), AIMessage("Hello."))
    assert [message.content for message in (await agent.ainvoke(ask("Hi.")))["messages"]] == ["Hi.", "Hello."]


ODD = {"type": "object", "properties": {"$top": {"type": "integer"}}, "additionalProperties": False}


async def test_schemas_are_in_a_dialect_and_arguments_come_back_in_the_tools_own_spelling() -> None:
    shop = Plain("shop", "buy", schema=ODD)
    schema: Any = to_langchain_tools([shop])[0].args_schema
    [written] = schema["properties"]
    assert written != "$top"
    assert to_langchain_tools([shop], dialect=None)[0].args_schema == ODD
    agent, _ = make_agent([shop], said("", ("shop__buy", {written: 5})), said("ok"))
    await agent.ainvoke(ask())
    assert shop.called == [({"$top": 5}, {})]
