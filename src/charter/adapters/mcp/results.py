"""What a tool returned, as MCP content: text and structured, binary as such, and long texts cut with a way on.

How a tool is called is in `calls.py`.
"""

import re
import secrets
from collections.abc import Mapping
from typing import Any, TypeGuard

from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    TextContent,
)
from pydantic_core import from_json, to_json

from charter.adapters.mcp.conversation import Caller
from charter.discovery.given import clean_text, is_mapping
from charter.discovery.qualified import TOOL_SEARCH
from charter.errors import ToolValidationError
from charter.sanitize import strip_invisible, strip_invisible_in_json

__all__ = ["CHARACTERS_PER_TOKEN", "cut_text", "is_reading_on", "read_on", "render_error", "render_result"]

CHARACTERS_PER_TOKEN = 4
MAX_BINARY = 5_000_000
"""Characters of base64 that are sent as an image or a sound; hosts do not count these as text."""
_BINARY = {"base64", "media_type", "bytes"}
_REST = re.compile(r"\s*rest:([A-Za-z0-9_-]{8,40}):(\d{1,9})\s*")


async def render_result(
    value: Any, caller: Caller, *, max_tokens: int, can_read_on: bool, has_output: bool = False
) -> CallToolResult:
    """Render what a tool returned. A text that is cut comes without structured content, which would undo the cut."""
    if _is_binary(value) and (block := _render_binary(value, max_tokens)) is not None:
        return CallToolResult(content=[block])
    if isinstance(value, str):
        text: str = strip_invisible(value)
        structured: Any = None
    else:
        written = to_json(value, bytes_mode="base64", inf_nan_mode="strings", serialize_unknown=True)
        text = strip_invisible_in_json(written.decode())
        plain = from_json(text)
        structured = plain if is_mapping(plain) or has_output else {"result": plain}
    shown = await cut_text(clean_text(text), caller, max_tokens=max_tokens, can_read_on=can_read_on)
    is_whole = len(shown) <= max_tokens * CHARACTERS_PER_TOKEN
    return CallToolResult(
        content=[TextContent(type="text", text=shown)], structured_content=structured if is_whole else None
    )


def render_error(text: str) -> CallToolResult:
    """Render a failure that a model reads and may mend."""
    return CallToolResult(
        content=[TextContent(type="text", text=strip_invisible(clean_text(text)))], is_error=True
    )


def _is_binary(value: Any) -> TypeGuard[Mapping[str, Any]]:
    return is_mapping(value) and set(value) == _BINARY and isinstance(value["base64"], str)


def _render_binary(value: Mapping[str, Any], max_tokens: int) -> ContentBlock | None:
    data, media_type = value["base64"], str(value["media_type"])
    if len(data) > (
        MAX_BINARY if media_type.startswith(("image/", "audio/")) else max_tokens * CHARACTERS_PER_TOKEN
    ):
        return None
    if media_type.startswith("image/"):
        return ImageContent(type="image", data=data, mime_type=media_type)
    if media_type.startswith("audio/"):
        return AudioContent(type="audio", data=data, mime_type=media_type)
    # A resource must have an address; this one is not to be fetched, it is here.
    held = BlobResourceContents(uri="charter://result", blob=data, mime_type=media_type)
    return EmbeddedResource(type="resource", resource=held)


async def cut_text(text: str, caller: Caller, *, max_tokens: int, can_read_on: bool) -> str:
    """Return a text whole, or its beginning with a note that says how to get the rest."""
    size = max_tokens * CHARACTERS_PER_TOKEN
    if len(text) <= size:
        return text
    if not can_read_on:
        return f"{text[:size]}\n[Cut: characters 0 to {size} of {len(text)}. For the rest, ask for less at a time.]"
    key = secrets.token_urlsafe(12)
    await caller.store.keep_text(_text_key(caller, key), text)
    return _page(text, key, 0, size)


def is_reading_on(query: object) -> bool:
    """Tell whether a ToolSearch query asks for the rest of a long result."""
    return isinstance(query, str) and _REST.fullmatch(query) is not None


async def read_on(query: str, caller: Caller, *, max_tokens: int) -> str:
    """Return the part of a long result that `query` asks for, with a note when there is more.

    Raises:
        ToolValidationError: that result is not kept for this caller, or is not that long.
    """
    match = _REST.fullmatch(query)
    key, start = (match[1], int(match[2])) if match else ("", 0)
    text = await caller.store.read_text(_text_key(caller, key))
    if text is None or start >= len(text):
        raise ToolValidationError(
            f"{TOOL_SEARCH}: nothing is kept under {query.strip()!r}. Call the tool again and ask it for less."
        )
    return _page(text, key, start, max_tokens * CHARACTERS_PER_TOKEN)


def _text_key(caller: Caller, key: str) -> str:
    return f"{caller.owner or caller.principal}:{key}"


def _page(text: str, key: str, start: int, size: int) -> str:
    end = min(start + size, len(text))
    if end == len(text):
        return text[start:end]
    return (
        f"{text[start:end]}\n[Cut: characters {start} to {end} of {len(text)}."
        f' For the rest, call {TOOL_SEARCH} with the query "rest:{key}:{end}".]'
    )
