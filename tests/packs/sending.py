"""Calls of a tool whose requests are caught before they leave the process.

Not here: what a request ought to be; that is each vendor's.
"""

from typing import Any

import httpx2

from charter import CharterError, Tool


async def send(
    tool: Tool,
    arguments: dict[str, Any],
    *,
    answer: Any = None,
    headers: dict[str, str] | None = None,
) -> list[httpx2.Request]:
    """Call a tool and return the requests that it sent; a call that fails must have sent none."""
    sent: list[httpx2.Request] = []

    def catch(request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        return httpx2.Response(200, json={"id": "1"} if answer is None else answer)

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(catch)) as client:
        try:
            await tool.ainvoke(arguments, headers=headers, client=client)
        except CharterError:
            assert sent == []
            raise
    return sent


async def send_one(tool: Tool, arguments: dict[str, Any], **options: Any) -> httpx2.Request:
    """Call a tool and return its only request."""
    [request] = await send(tool, arguments, **options)
    return request
