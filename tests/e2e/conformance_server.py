"""The server that the conformance suite is run against: Charter over HTTP, in its default mode, as a program.

Most tools are declared as any user declares tools, on an API on loopback; two bring a schema of their own.
With the separator `_`, `test__simple_text` is what the suite knows as `test_simple_text`.
"""

import os
from typing import Any

from pydantic import BaseModel

from charter import Api, ToolSession
from charter.adapters.mcp import HttpSettings, serve
from charter.packs.stripe import TOOLS as DEFERRED

test = Api("test", base_url=os.environ["CONFORMANCE_API"])


def read_text(data: Any) -> Any:
    return data["text"] if isinstance(data, dict) and "text" in data else data


class SimpleText(BaseModel):
    """Return a text."""


class ImageContent(BaseModel):
    """Return an image."""


class AudioContent(BaseModel):
    """Return a sound."""


class EmbeddedResource(BaseModel):
    """Return a file."""


class ErrorHandling(BaseModel):
    """Fail."""


class ToolWithProgress(BaseModel):
    """Take a while."""


class SchemaTool:
    """A tool that is no HTTP call: it has a schema of its own and returns its arguments."""

    description = "Return the arguments."

    def __init__(self, pack: str, name: str, parameters: dict[str, Any]) -> None:
        self.pack, self.name, self._parameters = pack, name, parameters

    def to_json_schema(self) -> dict[str, Any]:
        return {"name": self.name, "description": self.description, "parameters": self._parameters}

    async def ainvoke(self, arguments: Any = None, *, client: Any = None) -> Any:
        return arguments


ADDRESS = {
    "$anchor": "addressDef",
    "type": "object",
    "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
}
WHOLE_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": ADDRESS},
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
HEADER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
}

RESIDENT: tuple[Any, ...] = (
    test.get("text", SimpleText, response_handler=read_text),
    test.get("image", ImageContent),
    test.get("audio", AudioContent),
    test.get("file", EmbeddedResource),
    test.get("error", ErrorHandling),
    test.get("slow", ToolWithProgress, response_handler=read_text),
    SchemaTool("json", "schema_2020_12_tool", WHOLE_SCHEMA),
    SchemaTool("test", "custom_headers", HEADER_SCHEMA),
)

if __name__ == "__main__":
    names = {f"{tool.pack}__{tool.name}" for tool in RESIDENT}
    session = ToolSession([*RESIDENT, *DEFERRED], resident=names)
    serve(session, http=HttpSettings(port=0), separator="_", progress_seconds=0.05)
