"""Files passed on by their ids: what arrives is what was there, and none of it passes through the model."""

import base64
import json
from collections.abc import Iterator
from email.message import EmailMessage, Message
from typing import Any
from unittest.mock import ANY

import pytest

from charter import APIError, Bearer, CharterError, Tool, ToolSession, TransformError, json_tokens
from charter.packs import gmail
from charter.packs.gmail.api import api
from charter.packs.gmail.outgoing import FILES_LIMIT, MAIL_LIMIT
from tests.counterparties.loopback import Loopback
from tests.packs.gmail.mailbox import INLINED, Mailbox, read_upload
from tests.packs.gmail.vendor import GMAIL

pytestmark = pytest.mark.anyio

ANN = ["ann@example.org"]
LARGE = bytes(range(256)) * 20_000  # 5 MB
SMALL = b"\x00\xff small"


@pytest.fixture
def mailbox(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mailbox]:
    for setting in ("auth", "base_url"):
        monkeypatch.setattr(api, setting, getattr(api, setting))
    gmail.configure(base_url=loopback.url, auth=Bearer("ya29.test"))
    yield Mailbox(loopback)


def write(*files: tuple[str, str, bytes], text: str = "see files") -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "bob@example.org", "me@example.org", "Files"
    mail.set_content(text)
    for name, kind, content in files:
        main, sub = kind.split("/")
        mail.add_attachment(content, maintype=main, subtype=sub, filename=name)
    return mail.as_bytes()


def files_of(mail: Message) -> dict[str, tuple[str, Any]]:
    assert isinstance(mail, EmailMessage)
    return {
        part.get_filename() or "": (part.get_content_type(), part.get_payload(decode=True))
        for part in mail.iter_attachments()
    }


async def test_a_file_of_5_mb_is_forwarded_without_a_token_of_it(mailbox: Mailbox):
    name = mailbox.put(write(("plan.pdf", "application/pdf", LARGE), ("übersicht.bin", "image/png", SMALL)))
    session = ToolSession(gmail.TOOLS, progressive=False)
    read = await session.dispatch("gmail__messages_get", {"id": name})
    assert [(file["id"], file["filename"]) for file in read["attachments"]] == [
        ("1", "plan.pdf"),
        ("2", "übersicht.bin"),
    ]
    attachments = [{"messageId": name, "id": file["id"]} for file in read["attachments"]]
    call = {"message": {"to": ANN, "subject": "Fwd", "text": "Here", "attachments": attachments}}
    sent = await session.dispatch("gmail__messages_send", call)
    assert files_of(mailbox.sent[0]) == {
        "plan.pdf": ("application/pdf", LARGE),
        "übersicht.bin": ("image/png", SMALL),
    }
    assert sum(map(json_tokens, (read, call, sent))) < 250


async def test_a_large_mail_is_uploaded_whichever_tool_writes_it(mailbox: Mailbox):
    name = mailbox.put(write(("plan.bin", "image/png", LARGE)))
    reply = {"inReplyTo": "<1@x.org>", "threadId": "t1", "subject": "Re: Plan"}
    mail = {"to": ANN, "text": "--\r\nlooks like a boundary", "attachments": [{"messageId": name, "id": "1"}]}
    draft = await gmail.drafts_create.ainvoke(message={**mail, **reply})
    await gmail.drafts_update.ainvoke(id=draft["id"], message={"to": ANN, "text": "v2"})
    await gmail.messages_send.ainvoke(
        message={**mail, **reply, "classificationLabelValues": [{"labelId": "L"}]}
    )
    written = [asked for asked in mailbox.asked if not asked.startswith("GET")]
    home = "/upload/gmail/v1/users/me"
    assert written == [
        f"POST {home}/drafts",
        f"PUT {home}/drafts/{draft['id']}",
        f"POST {home}/messages/send",
    ]
    assert mailbox.uploaded == [
        {"message": {"threadId": "t1", "raw": ANY}},
        {"message": {"raw": ANY}},
        {"threadId": "t1", "classificationLabelValues": [{"labelId": "L"}], "raw": ANY},
    ]
    for message in (mailbox.read(mailbox.drafts[draft["id"]]), mailbox.sent[0]):
        assert files_of(message) == {"plan.bin": ("image/png", LARGE)}


async def test_an_upload_equals_googles(mailbox: Mailbox):
    """Google's own client, given the same mail as a file, sends the same parts to the same place."""
    content = base64.b64encode(LARGE).decode()
    mail = {"to": ANN, "subject": "Plan", "attachments": [{"filename": "a.bin", "content": content}]}
    await gmail.messages_send.ainvoke(message=mail)
    [asked] = mailbox.loopback.asked
    resource, written = read_upload(asked)
    theirs = GMAIL.upload("messages_send", resource, written, "message/rfc822")
    assert (asked.method, asked.path, asked.pairs) == (theirs.method, theirs.path, theirs.pairs)
    assert read_upload(theirs) == (resource, written)


async def test_a_file_is_fetched_once_and_its_message_once(mailbox: Mailbox):
    name = mailbox.put(
        write(("a.pdf", "application/pdf", b"a" * 99), ("b.pdf", "application/pdf", b"b" * 99))
    )
    files = [{"messageId": name, "id": each} for each in ("1", "2")]
    await gmail.drafts_create.ainvoke(message={"attachments": files})
    assert mailbox.asked == [
        f"GET messages/{name}",
        f"GET messages/{name}/attachments/ANGjdJ8{name}-1",
        f"GET messages/{name}/attachments/ANGjdJ8{name}-2",
        "POST drafts",
    ]


async def test_a_name_and_a_type_that_are_given_go_before_the_files_own(mailbox: Mailbox):
    name = mailbox.put(write(("a.bin", "application/octet-stream", b"a" * 99)))
    renamed = {"messageId": name, "id": "1", "filename": "a.csv", "mediaType": "text/csv"}
    own = {"filename": "b.txt", "content": "SGk="}
    await gmail.messages_send.ainvoke(message={"to": ANN, "attachments": [renamed, own]})
    assert files_of(mailbox.sent[0]) == {"a.csv": ("text/csv", b"a" * 99), "b.txt": ("text/plain", b"Hi")}


async def test_a_part_without_a_name_gets_one(mailbox: Mailbox):
    mail = EmailMessage()
    mail.set_content("Come")
    mail.add_alternative("BEGIN:VCALENDAR\nEND:VCALENDAR\n", subtype="calendar")
    name = mailbox.put(mail.as_bytes())
    await gmail.messages_send.ainvoke(message={"to": ANN, "attachments": [{"messageId": name, "id": "1"}]})
    [(filename, (kind, content))] = files_of(mailbox.sent[0]).items()
    assert (filename, kind) == ("attachment-1.ics", "text/calendar")
    assert content.startswith(b"BEGIN:VCALENDAR")


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (b"a,b", {"bytes": 3, "text": "a,b"}),
        (SMALL, {"bytes": len(SMALL), "content": "AP8gc21hbGw="}),
        (b"x" * (INLINED + 1), {"bytes": INLINED + 1, "text": "x" * (INLINED + 1)}),
    ],
)
async def test_inlined_or_not_a_file_is_read_by_its_place(
    mailbox: Mailbox, content: bytes, shown: dict[str, Any]
):
    name = mailbox.put(write(("data.csv", "application/octet-stream", content)))
    [file] = (await gmail.messages_get.ainvoke(id=name))["attachments"]
    download = gmail.messages_attachments_get
    assert await download.ainvoke(messageId=name, id=file["id"]) == shown
    fetched = f"GET messages/{name}/attachments/ANGjdJ8{name}-1"
    assert (fetched in mailbox.asked) is (len(content) > INLINED)


async def test_gmails_own_id_of_a_file_is_taken_as_it_is(mailbox: Mailbox):
    name = mailbox.put(write(("data.csv", "text/csv", b"x" * 99)))
    await gmail.messages_attachments_get.ainvoke(messageId=name, id=f"ANGjdJ8{name}-1")
    assert mailbox.asked == [f"GET messages/{name}/attachments/ANGjdJ8{name}-1"]


@pytest.mark.parametrize("size", [30_000, 45_000])
async def test_a_long_file_is_read_on_to_its_end(mailbox: Mailbox, size: int):
    text = "".join(chr(97 + n % 26) for n in range(size))
    name = mailbox.put(write(("log.txt", "text/plain", text.encode())))
    read, start = "", None
    while start is not None or not read:
        page = await gmail.messages_attachments_get.ainvoke(messageId=name, id="1", textFrom=start)
        read, start = read + page["text"], page.get("nextTextFrom")
    assert read == text


async def test_a_long_mail_is_read_on_to_its_end(mailbox: Mailbox):
    text = "\n".join(f"line {number}" for number in range(5_000))
    name = mailbox.put(write(text=text))
    first = await gmail.messages_get.ainvoke(id=name)
    rest: dict[str, Any] = first
    read = first["text"]
    while "nextTextFrom" in rest:
        rest = await gmail.messages_get.ainvoke(id=name, textFrom=rest["nextTextFrom"])
        read += rest["text"]
    assert read == text
    assert all(asked.query == "" for asked in mailbox.loopback.asked)


async def test_a_changed_draft_keeps_its_files(mailbox: Mailbox):
    draft = mailbox.draft(write(("plan.pdf", "application/pdf", b"p" * 99), ("s.bin", "image/png", SMALL)))
    await gmail.drafts_update.ainvoke(id=draft, message={"to": ANN, "subject": "v2", "text": "new"})
    changed = mailbox.read(mailbox.drafts[draft])
    assert changed["Subject"] == "v2"
    assert files_of(changed) == {
        "plan.pdf": ("application/pdf", b"p" * 99),
        "s.bin": ("image/png", SMALL),
    }


async def test_a_draft_loses_or_changes_its_files_when_told_so(mailbox: Mailbox):
    draft = mailbox.draft(
        write(("a.pdf", "application/pdf", b"a" * 99), ("b.pdf", "application/pdf", b"b" * 99))
    )
    message = mailbox.drafts[draft]
    kept = [{"messageId": message, "id": "2"}, {"filename": "c.txt", "content": "SGk="}]
    await gmail.drafts_update.ainvoke(id=draft, message={"to": ANN, "attachments": kept})
    assert set(files_of(mailbox.read(mailbox.drafts[draft]))) == {"b.pdf", "c.txt"}
    mailbox.loopback.asked.clear()
    await gmail.drafts_update.ainvoke(id=draft, message={"to": ANN, "attachments": []})
    assert files_of(mailbox.read(mailbox.drafts[draft])) == {}
    assert mailbox.asked == [f"PUT drafts/{draft}"]


async def test_a_draft_is_written_back_as_it_was_read_but_for_one_file(mailbox: Mailbox):
    files = [(f"{name}.pdf", "application/pdf", name.encode() * 99) for name in ("a", "b", "c")]
    draft = mailbox.draft(write(*files))
    read = (await gmail.drafts_get.ainvoke(id=draft))["message"]
    del read["attachments"][1], read["threadId"]
    await gmail.drafts_update.ainvoke(id=draft, message=read)
    changed = mailbox.read(mailbox.drafts[draft])
    assert changed["Subject"] == "Files"
    assert list(files_of(changed)) == ["a.pdf", "c.pdf"]


async def test_a_file_that_is_not_there_is_told_with_those_that_are(mailbox: Mailbox):
    name = mailbox.put(write(("plan.pdf", "application/pdf", LARGE)))
    for tool, arguments in (
        (gmail.messages_send, {"message": {"to": ANN, "attachments": [{"messageId": name, "id": "7"}]}}),
        (gmail.messages_attachments_get, {"messageId": name, "id": "7"}),
    ):
        said = await fail(tool, arguments)
        assert f"message {name} has no attachment '7'; it has 1 (plan.pdf)" in said.for_model()
    assert {asked.split()[0] for asked in mailbox.asked} == {"GET"}


async def test_a_message_that_is_not_there_sends_nothing(mailbox: Mailbox):
    file = {"messageId": "gone", "id": "1"}
    said = await fail(gmail.messages_send, {"message": {"to": ANN, "attachments": [file]}})
    assert isinstance(said, APIError)
    assert (said.status_code, said.may_have_taken_effect, mailbox.sent) == (404, False, [])


async def test_mail_that_cannot_be_written_is_refused_before_anything_is_read(mailbox: Mailbox):
    draft = mailbox.draft(write(("plan.pdf", "application/pdf", LARGE)))
    file = {"messageId": mailbox.drafts[draft], "id": "1"}
    for tool, arguments in (
        (gmail.drafts_update, {"id": draft, "message": {"to": ["nobody"]}}),
        (gmail.messages_send, {"message": {"to": ANN, "inReplyTo": "18c2f3a4", "attachments": [file]}}),
    ):
        assert isinstance(await fail(tool, arguments), TransformError)
    assert mailbox.asked == []


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ({}, "exactly one of content, id"),
        (
            {"content": "SGk=", "filename": "a", "messageId": "m", "id": "1"},
            "exactly one of content, id",
        ),
        ({"messageId": "m", "content": "SGk="}, "messageId needs id"),
        ({"id": "1"}, "attachments: 1 is of no message. Give its messageId too"),
        ({"content": "SGk="}, "content needs filename"),
    ],
)
async def test_a_file_is_given_whole_or_by_reference(mailbox: Mailbox, file: dict[str, Any], says: str):
    said = await fail(gmail.drafts_create, {"message": {"attachments": [file]}})
    assert says in said.for_model()
    assert mailbox.asked == []


async def test_more_than_a_mail_holds_is_refused_before_it_is_fetched(mailbox: Mailbox):
    name = mailbox.put(write(("a.bin", "image/png", b"x" * 99), ("b.bin", "image/png", b"y" * 99)))
    show, half = mailbox.loopback.answer, FILES_LIMIT // 2 + 1

    def answer(asked: Any) -> Any:
        reply = show(asked)
        for part in reply.body["payload"]["parts"][1:]:
            part["body"]["size"] = half
        return reply

    mailbox.loopback.answer = answer
    files = [{"messageId": name, "id": each} for each in ("1", "2")]
    said = await fail(gmail.messages_send, {"message": {"to": ANN, "attachments": files}})
    assert "27 MB do not fit into one mail, which holds 25 MB of files" in said.for_model()
    assert mailbox.asked == [f"GET messages/{name}"]


async def test_a_mail_larger_than_gmail_takes_is_not_sent(mailbox: Mailbox):
    said = await fail(gmail.messages_send, {"message": {"to": ANN, "text": "x" * (MAIL_LIMIT + 1)}})
    assert "38 MB do not fit" in said.for_model()
    assert mailbox.asked == []


async def test_what_a_mail_shows_of_a_file_a_send_accepts(mailbox: Mailbox):
    """The entry itself, with its message's id, is a file to attach."""
    name = mailbox.put(write(("plan.pdf", "application/pdf", b"p" * 99)))
    [file] = (await gmail.messages_get.ainvoke(id=name))["attachments"]
    await gmail.messages_send.ainvoke(
        json.dumps({"message": {"to": ANN, "attachments": [{"messageId": name, **file}]}})
    )
    assert files_of(mailbox.sent[0]) == {"plan.pdf": ("application/pdf", b"p" * 99)}


async def fail(tool: Tool, arguments: dict[str, Any]) -> CharterError:
    with pytest.raises(CharterError) as caught:
        await tool.ainvoke(arguments)
    return caught.value
