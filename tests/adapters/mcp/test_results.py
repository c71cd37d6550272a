"""What tools return, as MCP content."""

from typing import Any

import pytest
from mcp_types import AudioContent, EmbeddedResource, ImageContent, TextContent
from pydantic_core import to_json

from charter.adapters.mcp.conversation import Caller
from charter.adapters.mcp.results import is_reading_on, read_on, render_error, render_result
from charter.adapters.mcp.store import MemoryStore
from charter.errors import ToolValidationError

pytestmark = pytest.mark.anyio


def make_caller(owner: str | None = "a", store: MemoryStore | None = None) -> Caller:
    return Caller(None, False, owner, "", store or MemoryStore())


async def render(value: Any, *, max_tokens: int = 1000, can_read_on: bool = True, **more: Any) -> Any:
    caller = more.pop("caller", None) or make_caller()
    return await render_result(value, caller, max_tokens=max_tokens, can_read_on=can_read_on, **more)


@pytest.mark.parametrize(
    ("value", "text", "structured"),
    [
        ({"id": 1}, '{"id":1}', {"id": 1}),
        ([1, 2], "[1,2]", {"result": [1, 2]}),
        ("plain", "plain", None),
        (None, "null", {"result": None}),
        ({"x": float("nan")}, '{"x":"NaN"}', {"x": "NaN"}),
        ({"x": b"\x00"}, '{"x":"AA=="}', {"x": "AA=="}),
    ],
)
async def test_a_value_is_text_and_structured(value: Any, text: str, structured: Any) -> None:
    result = await render(value)
    assert result.content == [TextContent(type="text", text=text)]
    assert result.structured_content == structured
    assert not result.is_error


async def test_what_no_eye_sees_is_in_no_content() -> None:
    hidden = "pay\x1b[31m\u200b\u202e\U000e0041\x00 now 👩\u200d🚀"
    result = await render({"text": hidden, "items": [hidden]})
    assert result.structured_content == {"text": "pay now 👩\u200d🚀", "items": ["pay now 👩\u200d🚀"]}
    assert result.content == [TextContent(type="text", text=to_json(result.structured_content).decode())]
    assert (await render(hidden)).content == [TextContent(type="text", text="pay now 👩\u200d🚀")]


async def test_a_declared_output_is_not_wrapped() -> None:
    assert (await render([1], has_output=True)).structured_content == [1]


async def test_text_that_cannot_be_encoded_is_mended() -> None:
    assert (await render("a\ud800")).content[0].text == "a?"
    assert render_error("a\ud800").content[0].text == "a?"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("media_type", "kind"),
    [("image/png", ImageContent), ("audio/wav", AudioContent), ("application/pdf", EmbeddedResource)],
)
async def test_bytes_are_what_they_are(media_type: str, kind: type) -> None:
    result = await render({"base64": "AAEC", "media_type": media_type, "bytes": 3})
    assert isinstance(result.content[0], kind)


async def test_bytes_past_the_cap_are_cut_as_text() -> None:
    value = {"base64": "A" * 8000, "media_type": "application/pdf", "bytes": 6000}
    result = await render(value, max_tokens=100)
    assert isinstance(result.content[0], TextContent)
    assert "[Cut:" in result.content[0].text


async def test_a_long_result_is_cut_and_every_part_can_be_had() -> None:
    caller = make_caller()
    text = "".join(chr(97 + at % 26) for at in range(1000))
    result = await render({"text": text}, max_tokens=100, caller=caller)
    assert result.structured_content is None
    shown, got = result.content[0].text, ""
    for _ in range(10):
        part, _, note = shown.partition("\n[Cut:")
        got += part
        if not note:
            break
        query = note.split('"')[1]
        assert is_reading_on(query)
        shown = await read_on(query, caller, max_tokens=100)
    assert got == '{"text":"' + text + '"}'


async def test_the_rest_is_for_the_one_who_asked() -> None:
    store = MemoryStore()
    result = await render("x" * 1000, max_tokens=100, caller=make_caller("a", store))
    query = result.content[0].text.split('"')[1]
    with pytest.raises(ToolValidationError, match="nothing is kept"):
        await read_on(query, make_caller("b", store), max_tokens=100)
    key = query.split(":")[1]
    with pytest.raises(ToolValidationError, match="nothing is kept"):
        await read_on(f"rest:{key}:99999", make_caller("a", store), max_tokens=100)


async def test_where_nothing_can_be_searched_the_note_says_so() -> None:
    result = await render("x" * 1000, max_tokens=100, can_read_on=False)
    assert "ask for less at a time" in result.content[0].text
