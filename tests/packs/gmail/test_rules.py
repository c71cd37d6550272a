"""Google's documented limits and rules: what breaks one is refused with a sentence that mends it; nothing is sent."""

from typing import Any

import httpx2
import pytest

from charter import CharterError, Tool, ToolValidationError, TransformError
from charter.packs import gmail
from charter.packs.gmail.labels import PALETTE
from tests.packs.gmail.vendor import GMAIL
from tests.packs.sending import send

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("google_token")]

ANN = ["ann@example.org"]


REFUSED: list[tuple[Tool, dict[str, Any], str]] = [
    (gmail.messages_send, {"message": {"subject": "x", "text": "y"}}, "give to, cc or bcc"),
    (gmail.messages_send, {"message": {"to": [], "text": "y"}}, "give to, cc or bcc"),
    (gmail.messages_send, {"message": {"to": ANN, "threadId": "t"}}, "threadId needs inReplyTo, subject"),
    (gmail.drafts_create, {"message": {"threadId": "t", "subject": "x"}}, "threadId needs inReplyTo"),
    (gmail.drafts_update, {"id": "d"}, "message"),
    (
        gmail.drafts_update,
        {"id": "d", "message": {"threadId": "t", "inReplyTo": "<a@b>"}},
        "threadId needs subject",
    ),
    (gmail.messages_get, {"id": "1", "metadataHeaders": ["To"]}, "metadataHeaders needs format metadata"),
    (gmail.threads_get, {"id": "1", "metadataHeaders": ["To"], "format": "full"}, "needs format metadata"),
    (gmail.threads_get, {"id": "1", "format": "raw"}, "format"),
    (gmail.messages_modify, {"id": "1"}, "at least one of addLabelIds, removeLabelIds"),
    (gmail.messages_modify, {"id": "1", "addLabelIds": []}, "give at least one"),
    (gmail.threads_modify, {"id": "1"}, "at least one of addLabelIds, removeLabelIds"),
    (
        gmail.threads_modify,
        {"id": "1", "addLabelIds": ["A"], "removeLabelIds": ["A"]},
        "A would be added and removed",
    ),
    (gmail.messages_modify, {"id": "1", "addLabelIds": ["SENT"]}, "Gmail alone sets SENT"),
    (gmail.threads_modify, {"id": "1", "removeLabelIds": ["DRAFT"]}, "Gmail alone sets DRAFT"),
    (gmail.messages_modify, {"id": "1", "addLabelIds": ["A"] * 101}, "at most 100"),
    (gmail.threads_modify, {"id": "1", "removeLabelIds": ["A"] * 101}, "at most 100"),
    (gmail.messages_modify, {"id": "1", "addClassificationLabels": [{"labelId": "x"}] * 21}, "at most 20"),
    (gmail.messages_batch_modify, {"ids": [], "addLabelIds": ["A"]}, "at least 1"),
    (gmail.messages_batch_modify, {"ids": ["1"] * 1001, "addLabelIds": ["A"]}, "at most 1000"),
    (gmail.messages_batch_modify, {"ids": ["1"]}, "at least one of"),
    (gmail.messages_list, {"maxResults": 501}, "500"),
    (gmail.threads_list, {"maxResults": 0}, "1"),
    (gmail.history_list, {}, "startHistoryId"),
    (gmail.history_list, {"startHistoryId": "yesterday"}, "startHistoryId"),
    (gmail.history_list, {"startHistoryId": "1", "historyTypes": ["messagesAdded"]}, "messageAdded"),
    (gmail.labels_create, {"name": "x", "color": {"textColor": "#000000"}}, "backgroundColor"),
    (
        gmail.labels_create,
        {"name": "x", "color": {"textColor": "#000000", "backgroundColor": "green"}},
        "pattern",
    ),
    (
        gmail.labels_patch,
        {"id": "L", "color": {"textColor": "#000000", "backgroundColor": "#17a767"}},
        "nearest are #16a766",
    ),
    (gmail.labels_patch, {"id": "L"}, "at least one of name"),
    (gmail.labels_update, {"id": "L", "name": "x"}, "labelListVisibility"),
    (gmail.labels_create, {"name": "x", "labelListVisibility": "show"}, "labelShow"),
    (gmail.messages_get, {"id": "1", "userId": "boss@example.org"}, "userId"),
    (gmail.labels_create, {"name": "x", "type": "system"}, "type"),
]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"), REFUSED, ids=lambda value: getattr(value, "name", None)
)
async def test_what_google_would_refuse_is_refused_before_the_call(
    tool: Tool, arguments: dict[str, Any], says: str
):
    with pytest.raises(ToolValidationError) as caught:
        await send(tool, arguments)
    assert says in caught.value.for_model()


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ({"to": ["Jörg <jörg@example.org>"]}, "non-ASCII"),
        ({"to": ["a@x.org, b@x.org"]}, "Give one address an entry"),
        ({"to": ANN, "subject": "x\r\nBcc: evil@example.org"}, "line break"),
        ({"to": ANN, "attachments": [{"filename": "x", "content": "%"}]}, "base64"),
    ],
)
async def test_mail_that_cannot_be_written_is_refused(message: dict[str, Any], says: str):
    for tool, more in ((gmail.messages_send, {}), (gmail.drafts_update, {"id": "d"})):
        with pytest.raises(TransformError) as caught:
            await send(tool, {**more, "message": message})
        assert says in caught.value.for_model()


@pytest.mark.parametrize("value", ["..", ".", "", "a/../b", "..%2f", "me?x=1", "a#b", "//evil.test"])
async def test_an_id_cannot_leave_its_place_in_the_path(value: str):
    paths: list[bytes] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        paths.append(request.url.raw_path)
        return httpx2.Response(200, json={})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        for tool in (gmail.messages_get, gmail.labels_get, gmail.drafts_get):
            try:
                await tool.ainvoke({"id": value}, client=client)
            except CharterError:
                continue
    assert all(path.count(b"/") == 6 and b"?" not in path for path in paths)


FORGIVEN: list[tuple[Tool, dict[str, Any]]] = [
    (
        gmail.messages_send,
        {"message": {"to": "ann@example.org", "cc": None, "attachments": [], "in_reply_to": "<a@b>"}},
    ),
    (gmail.messages_send, {"message": '{"to": ["ann@example.org"], "text": "hi"}'}),
    (gmail.messages_modify, {"id": "1", "add_label_ids": ["A"], "removeLabelIds": []}),
    (gmail.messages_list, {"maxResults": "20", "q": None}),
    (gmail.labels_create, {"name": "x", "color": {"textColor": "#FFFFFF", "backgroundColor": "#16A766"}}),
    (gmail.drafts_create, {"message": {}}),
]


@pytest.mark.parametrize(("tool", "arguments"), FORGIVEN, ids=lambda value: getattr(value, "name", None))
async def test_what_is_meant_is_understood(tool: Tool, arguments: dict[str, Any]):
    assert len(await send(tool, arguments)) == 1


def test_the_palette_is_googles():
    described = GMAIL.document["schemas"]["LabelColor"]["properties"]
    for name in ("textColor", "backgroundColor"):
        words = described[name]["description"].split("allowed: ")[1].replace("\\", "").split(", ")
        assert {word.strip() for word in words} == PALETTE


def test_the_colours_that_descriptions_name_are_in_the_palette():
    colour = gmail.labels_create.to_json_schema()["parameters"]["properties"]["color"]["properties"]
    named = {
        word.strip(",.") for each in colour.values() for word in each["description"].split() if word[0] == "#"
    }
    assert len(named) == 10
    assert named <= PALETTE
