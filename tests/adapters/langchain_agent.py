"""A LangChain agent over a model that says what it is told to, for the tests beside this file and their child."""

import sys
from collections.abc import Sequence
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

from charter import ToolSession
from charter.adapters.langchain import CharterMiddleware
from tests.discovery.samples import Plain


class Scripted(BaseChatModel):
    """Answers in order, and keeps the tools and the messages it was sent."""

    answers: list[AIMessage]
    sent: list[list[str]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **options)

    def _generate(self, messages: list[BaseMessage], *ignored: Any, **options: Any) -> ChatResult:
        self.sent.append([tool["function"]["name"] for tool in options.get("tools", ())])
        return ChatResult(generations=[ChatGeneration(message=self.answers.pop(0))])


def said(content: str = "", *asked: tuple[str, Any], **more: Any) -> AIMessage:
    """Return an answer that calls tools by name, their ids c0, c1 and so on."""
    calls = [{"id": f"c{at}", "name": name, "args": args} for at, (name, args) in enumerate(asked)]
    return AIMessage(content, tool_calls=calls, **more)


def look(query: str) -> tuple[str, dict[str, str]]:
    """Return a call of ToolSearch."""
    return "ToolSearch", {"query": query}


def make_session() -> ToolSession:
    return ToolSession([Plain("shop", name, result=f"{name} done") for name in ("buy", "sell", "rent")])


def make_agent(session: Any, *answers: AIMessage, **options: Any) -> tuple[Any, Scripted]:
    model = Scripted(answers=list(answers))
    middleware = [CharterMiddleware(session)]
    return create_agent(model, **{"tools": [], **options}, middleware=middleware), model


def ask(text: str = "Do it.") -> Any:
    return {"messages": [{"role": "user", "content": text}]}


def in_thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


def load_in_two_threads(path: str) -> None:
    """What a first process does: in thread a `sell` is loaded, in thread b `buy`, both kept in a file."""
    from langgraph.checkpoint.sqlite import SqliteSaver

    with SqliteSaver.from_conn_string(path) as saver:
        answers = [said("", look("select:shop__sell")), said("", look("select:shop__buy"))]
        agent, _ = make_agent(
            make_session(), answers[0], said("a"), answers[1], said("b"), checkpointer=saver
        )
        for name in "ab":
            agent.invoke(ask(), in_thread(name))


if __name__ == "__main__":
    load_in_two_threads(sys.argv[1])
