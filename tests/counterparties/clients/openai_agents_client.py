"""openai-agents' MCP client finds, loads and calls a Stripe tool. Prints JSON.

Run in a virtual environment of its own, with the server's URL, or with its command, as arguments.
"""

import asyncio
import json
import os
import sys

from agents.mcp import MCPServerStdio, MCPServerStreamableHttp

WANTED = "stripe__customers_create"


async def main(target: list[str]) -> None:
    if len(target) > 1:
        params = {"command": target[0], "args": target[1:], "env": dict(os.environ)}
        server = MCPServerStdio(params, client_session_timeout_seconds=30)
    else:
        server = MCPServerStreamableHttp({"url": target[0]}, client_session_timeout_seconds=30)
    lists: list[list[str]] = []
    arguments = {"email": "ada@example.com"}
    async with server:
        lists.append([tool.name for tool in await server.list_tools()])
        found = (await server.call_tool("ToolSearch", {"query": f"select:{WANTED}"})).structured_content
        lists.append([tool.name for tool in await server.list_tools()])
        if WANTED in lists[-1]:
            made = await server.call_tool(WANTED, arguments)
        else:
            handle = {"handle": found["handle"]} if "handle" in found else {}
            made = await server.call_tool("ToolCall", {"name": WANTED, "arguments": arguments, **handle})
    print(json.dumps({"lists": lists, "result": json.loads(made.content[0].text)}))


asyncio.run(main(sys.argv[1:]))
