"""Tools whose requests are caught before they leave, for properties that hold for every argument.

The request is the one that httpx2 would send; only the socket is left out.
"""

import asyncio
from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar

import httpx2
from pydantic import BaseModel, create_model

from charter import Api, Bearer, Body, CharterError, Header, Path, Query, Tool

T = TypeVar("T")
ORIGIN = "https://api.example:8443"
PREFIX = "/v1/"
PLACEMENTS: dict[str, tuple[str, str, Any]] = {
    "path": ("GET", "things/{value}/parts", Path()),
    "path with slashes": ("GET", "things/{value}/parts", Path(allow_slash=True)),
    "query": ("GET", "things", Query()),
    "deep query": ("GET", "things", Query(style="deep")),
    "header": ("GET", "things", Header("X-Value")),
    "body": ("POST", "things", Body(embed=True)),
    "form": ("POST", "things", Body(embed=True)),
}


def make_tool(annotation: Any, placement: str) -> Tool:
    """Return a tool with one field, `value`, of this type in this place.

    Raises:
        DeclarationError: the type does not go there.
    """
    method, route, mark = PLACEMENTS[placement]
    body = "form" if placement == "form" else "json"
    api = Api("echo", base_url=ORIGIN + PREFIX, auth=Bearer("token-1"), body=body)
    args: type[BaseModel] = create_model("Echo", __doc__="Send it.", value=(Annotated[annotation, mark], ...))
    return api.get(route, args) if method == "GET" else api.post(route, args)


class Caught:
    """Calls tools on one event loop and keeps the requests they made."""

    def __init__(self) -> None:
        self.requests: list[httpx2.Request] = []
        self._runner = asyncio.Runner()
        self._client = httpx2.AsyncClient(transport=httpx2.MockTransport(self._answer))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return httpx2.Response(200, json={"ok": True})

    def run(self, waiting: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(waiting)

    def call(self, tool: Tool, arguments: Any) -> httpx2.Request | CharterError:
        """Return the request that a call makes, or the CharterError that it raises; anything else propagates."""
        self.requests.clear()
        try:
            self.run(tool.ainvoke(arguments, client=self._client))
        except CharterError as error:
            assert str(error)
            assert error.for_model()
            return error
        assert len(self.requests) == 1
        return self.requests[0]

    def close(self) -> None:
        self.run(self._client.aclose())
        self._runner.close()
