"""Tools to discover, for the tests beside this file: real ones, and one that only has the shape of a tool."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, create_model

from charter import Api, Tool

NAMES: Mapping[str, str] = {
    "gmail": "drafts_create drafts_get drafts_send labels_list messages_get messages_list messages_send",
    "stripe": "charges_list customers_list customers_search payment_intents_list refunds_create refunds_list",
}


def make_tool(pack: str, name: str, description: str = "", **options: Any) -> Tool:
    """Return a real tool with one required argument, `id`."""
    args: Any = create_model(
        "Args", __doc__=description or f"Do {name.replace('_', ' ')}.", id=(str, Field(description="An id."))
    )
    return Api(pack, base_url="http://127.0.0.1:9/").post(f"v1/{name}", args, name=name, **options)


def make_tools() -> list[Tool]:
    """Return thirteen tools of two packs, new ones at each call."""
    return [make_tool(pack, name) for pack, names in NAMES.items() for name in names.split()]


class Plain:
    """Not an HTTP tool: what discovery asks of a tool and nothing more. It counts what is asked of it."""

    def __init__(self, pack: str, name: str, *, result: Any = "done", schema: Any = None) -> None:
        self.pack, self.name, self.description = pack, name, f"Run {name}."
        self.result, self.schema = result, schema or {"type": "object", "properties": {}}
        self.rendered = 0
        self.called: list[Any] = []

    def to_json_schema(self) -> dict[str, Any]:
        self.rendered += 1
        if isinstance(self.schema, Exception):
            raise self.schema
        return {"name": self.name, "description": self.description, "parameters": self.schema}

    async def ainvoke(self, arguments: Any, **options: Any) -> Any:
        self.called.append((arguments, options))
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result
