"""Tools that call a fault server, and their outcomes as values.

What the server answers is in faults.py.
"""

import socket
from typing import Annotated, Any

from pydantic import BaseModel

from charter import Api, Bearer, CharterError, Header, Tool

TOKEN = "canary-bearer-9f3b"
DEADLINE = 0.75


class ItemsGet(BaseModel):
    """Read one item."""

    id: str = "x1"
    trace: Annotated[str | None, Header("X-Trace")] = None


class ItemsCreate(BaseModel):
    """Make one item."""

    name: str = "tea"
    amount: int = 3


def make_tools(url: str, *, timeout: float = 20.0, **conventions: Any) -> dict[str, Tool]:
    """Return one tool for each method, against a server at `url`."""
    conventions.setdefault("auth", Bearer(TOKEN))
    api = Api("faulty", base_url=url, timeout=timeout, **conventions)
    return {"GET": api.get("items/{id}", ItemsGet), "POST": api.post("items", ItemsCreate)}


async def outcome_of(tool: Tool, arguments: dict[str, Any] | None = None, **options: Any) -> Any:
    """Return what a call returned, or the CharterError it raised; anything else propagates."""
    try:
        return await tool.ainvoke(arguments or {}, **options)
    except CharterError as error:
        return error


def find_closed_port() -> int:
    """Return a port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
