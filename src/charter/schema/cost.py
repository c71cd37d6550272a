"""What a schema or any other value costs in a prompt, by one rule.

Not here: which tokenizer a provider uses. Four characters to a token is the field's usual estimate.
"""

import json
from typing import Any, Protocol

__all__ = ["json_tokens", "schema_tokens", "write_compact"]

CHARACTERS_PER_TOKEN = 4


class HasSchema(Protocol):
    """Anything that can render the schema a model is sent."""

    def to_json_schema(self) -> dict[str, Any]: ...


def json_tokens(value: Any) -> int:
    """Tokens of `value` as compact JSON: characters over four, rounded down.

    >>> json_tokens({"id": "x"})
    2
    """
    return len(write_compact(value)) // CHARACTERS_PER_TOKEN


def write_compact(value: Any) -> str:
    """Write a value as the compact JSON that is counted; what JSON has no form for is written as its text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def schema_tokens(tool: HasSchema) -> int:
    """Tokens of a tool's parameter schema as it goes on the wire.

    Raises:
        DeclarationError: the tool's schema cannot be built.
    """
    return json_tokens(tool.to_json_schema()["parameters"])
