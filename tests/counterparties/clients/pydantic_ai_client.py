"""pydantic-ai as a client: an agent whose model is scripted finds, loads and calls a Stripe tool. Prints JSON.

Run in a virtual environment of its own, with the server's URL, or with its command, as arguments.
"""

import asyncio
import json
import os
import sys

from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

WANTED = "stripe__customers_create"
ARGUMENTS = {"email": "ada@example.com"}
lists: list[list[str]] = []


def find_returns(messages: list[ModelMessage]) -> list[ToolReturnPart]:
    return [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]


def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Search, then call what was loaded the way that this mode offers it, then end with the result."""
    lists.append([tool.name for tool in info.function_tools])
    returns = find_returns(messages)
    if not returns:
        return ModelResponse([ToolCallPart("ToolSearch", {"query": f"select:{WANTED}"})])
    if len(returns) == 1:
        if WANTED in lists[-1]:
            return ModelResponse([ToolCallPart(WANTED, ARGUMENTS)])
        found = returns[0].content
        found = json.loads(found) if isinstance(found, str) else found
        wanted = {"name": WANTED, "arguments": ARGUMENTS}
        handle = {"handle": found["handle"]} if "handle" in found else {}
        return ModelResponse([ToolCallPart("ToolCall", {**wanted, **handle})])
    made = returns[1].content
    return ModelResponse([TextPart(made if isinstance(made, str) else json.dumps(made))])


async def main(target: list[str]) -> None:
    client = StdioTransport(target[0], target[1:], env=dict(os.environ)) if len(target) > 1 else target[0]
    async with MCPToolset(client) as toolset:
        result = await Agent(FunctionModel(answer), toolsets=[toolset]).run("Make a customer.")
    print(json.dumps({"lists": lists, "result": json.loads(result.output)}))


asyncio.run(main(sys.argv[1:]))
