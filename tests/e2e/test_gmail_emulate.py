"""The Gmail pack against the real emulate server: what the tools do is seen in the mailbox afterwards."""

import base64
import email
import email.policy
import json
import urllib.request
from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

import pytest

from charter import APIError, Bearer, ToolSession
from charter.packs import gmail
from charter.packs.gmail.api import api
from tests.counterparties.emulate import Emulate

pytestmark = pytest.mark.anyio


@pytest.fixture
def mailbox(emulate: Emulate, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The seeded mailbox, which the pack works on; its address."""
    for setting in ("auth", "base_url", "client"):
        monkeypatch.setattr(api, setting, getattr(api, setting))
    gmail.configure(base_url=emulate.url("google"), auth=Bearer(emulate.token("google")))
    yield emulate.url("google")


def fetch(mailbox: str, path: str) -> Any:
    """Read something with nothing of Charter's."""
    request = urllib.request.Request(f"{mailbox}/gmail/v1/users/me/{path}")
    request.add_header("Authorization", "Bearer google_test_token")
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def parse(mailbox: str, message_id: str) -> EmailMessage:
    """Parse a stored message with Python's own parser."""
    raw = base64.urlsafe_b64decode(fetch(mailbox, f"messages/{message_id}?format=raw")["raw"])
    parsed = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(parsed, EmailMessage)
    return parsed


def body_of(message: EmailMessage, kind: str = "plain") -> str:
    body = message.get_body((kind,))
    assert body is not None
    return body.get_content().replace("\r\n", "\n")


async def test_a_message_is_found_read_and_answered_in_its_thread(mailbox: str):
    session = ToolSession(gmail.TOOLS)
    loaded = session.search("find email; read email; send reply")["loaded"]
    assert {"gmail__messages_list", "gmail__messages_get", "gmail__messages_send"} <= set(loaded)

    found = await session.dispatch("gmail__messages_list", {"q": "subject:Invoice is:unread"})
    [hit] = found["messages"]
    read = await session.dispatch("gmail__messages_get", {"id": hit["id"]})
    assert read["from"] == "Grace Hopper <grace@example.com>"
    assert "charged twice" in read["text"]
    sent = await session.dispatch(
        "gmail__messages_send",
        {
            "message": {
                "to": [read["from"]],
                "subject": f"Re: {read['subject']}",
                "text": "Hallo Grace,\n\nder Betrag kommt zurück — 20 €.\n",
                "threadId": read["threadId"],
                "inReplyTo": read["messageId"],
            }
        },
    )
    assert sent["threadId"] == read["threadId"]

    mail = parse(mailbox, sent["id"])
    [recipient] = mail["To"].addresses
    assert (recipient.display_name, recipient.addr_spec) == ("Grace Hopper", "grace@example.com")
    assert mail["Subject"] == "Re: Invoice 1042"
    assert mail["In-Reply-To"] == mail["References"] == "<invoice-1042@example.com>"
    assert body_of(mail) == "Hallo Grace,\n\nder Betrag kommt zurück — 20 €.\n"
    thread = await gmail.threads_get.ainvoke({"id": read["threadId"]})
    assert [each["id"] for each in thread["messages"]] == [hit["id"], sent["id"]]
    assert thread["messages"][1]["inReplyTo"] == read["messageId"]


async def test_a_mail_with_everything_arrives_whole(mailbox: str):
    pdf = b"%PDF-1.4\x00\xff"
    sent = await gmail.messages_send.ainvoke(
        message={
            "to": ["Zoë Müller <zoe@bücher.example>"],
            "cc": ['"Doe, Jörg" <jd@example.com>'],
            "bcc": ["hidden@example.com"],
            "replyTo": ["answers@example.com"],
            "subject": "Überblick – Größen und Maße " * 4,
            "text": "Siehe Anhang.",
            "html": "<p>Siehe <b>Anhang</b>.</p>",
            "attachments": [{"filename": "maße.pdf", "content": base64.b64encode(pdf).decode()}],
        }
    )
    mail = parse(mailbox, sent["id"])
    assert mail["To"].addresses[0].addr_spec == "zoe@xn--bcher-kva.example"
    assert [each.display_name for each in mail["Cc"].addresses] == ["Doe, Jörg"]
    assert (mail["Bcc"], mail["Reply-To"]) == ("hidden@example.com", "answers@example.com")
    assert mail["Subject"] == "Überblick – Größen und Maße " * 4
    assert (body_of(mail), body_of(mail, "html")) == ("Siehe Anhang.\n", "<p>Siehe <b>Anhang</b>.</p>\n")
    [attachment] = mail.iter_attachments()
    assert (attachment.get_filename(), attachment.get_content()) == ("maße.pdf", pdf)


async def test_raw_and_parsed_reads_agree(mailbox: str):
    # Of mail that was sent: emulate writes an empty line into the headers of mail it was seeded with.
    file = {"filename": "a.bin", "content": "/wA="}
    for message in (
        {"to": ["Zoë <zoe@example.com>"], "subject": "Grüße", "text": "Hallo Zoë,\n\nbis bald\n"},
        {"to": ["a@example.com", "b@example.com"], "text": "Hi", "html": "<p>Hi</p>"},
        {"to": ["a@example.com"], "cc": ["B <b@example.com>"], "html": "<p>Größe</p>", "attachments": [file]},
    ):
        sent = await gmail.messages_send.ainvoke(message=message)
        full = await gmail.messages_get.ainvoke(id=sent["id"])
        raw = await gmail.messages_get.ainvoke(id=sent["id"], format="raw")
        for added in ("from", "date", "messageId"):  # by emulate, to the parsed form alone
            full.pop(added, None)
            raw.pop(added, None)
        assert full == raw
        assert full["text"]


async def test_a_thread_reads_in_order_and_a_list_pages(mailbox: str):
    thread = await gmail.threads_get.ainvoke(id="thr_lunch")
    assert [each["from"] for each in thread["messages"]] == [
        "Zoë Müller <zoe@example.com>",
        "grace@example.com",
    ]
    assert thread["messages"][0]["text"] == "Passt dir zwölf Uhr?"
    pages = [page async for page in gmail.messages_list.pages({"maxResults": 1, "labelIds": ["INBOX"]})]
    ids = [message["id"] for page in pages for message in page["messages"]]
    assert sorted(ids) == ["msg_invoice", "msg_lunch", "msg_lunch_again"]


async def test_labels_are_made_put_on_and_taken_off(mailbox: str):
    colour = {"backgroundColor": "#16A766", "textColor": "#ffffff"}
    label = await gmail.labels_create.ainvoke(name="Tax/2025", color=colour)
    assert label["color"] == {"backgroundColor": "#16a766", "textColor": "#ffffff"}
    await gmail.messages_modify.ainvoke(
        id="msg_invoice", addLabelIds=[label["id"]], removeLabelIds=["UNREAD"]
    )
    assert set(fetch(mailbox, "messages/msg_invoice")["labelIds"]) == {"INBOX", "Label_invoices", label["id"]}
    await gmail.messages_batch_modify.ainvoke(
        ids=["msg_lunch", "msg_sent"], addLabelIds=[label["id"], "STARRED"]
    )
    found = await gmail.messages_list.ainvoke(labelIds=[label["id"], "STARRED"])
    assert {each["id"] for each in found["messages"]} == {"msg_lunch", "msg_sent"}
    await gmail.threads_modify.ainvoke(id="thr_lunch", removeLabelIds=["INBOX"])
    assert "INBOX" not in fetch(mailbox, "messages/msg_lunch_again")["labelIds"]

    patched = await gmail.labels_patch.ainvoke(id=label["id"], labelListVisibility="labelHide")
    assert (patched["name"], patched["labelListVisibility"]) == ("Tax/2025", "labelHide")
    await gmail.labels_update.ainvoke(
        id=label["id"], name="Tax", labelListVisibility="labelShow", messageListVisibility="show"
    )
    assert (await gmail.labels_get.ainvoke(id=label["id"]))["name"] == "Tax"
    listed = await gmail.labels_list.ainvoke()
    assert {"id": label["id"], "name": "Tax", "type": "user"} in listed["labels"]
    await gmail.labels_delete.ainvoke(id=label["id"])
    assert label["id"] not in json.dumps(fetch(mailbox, "labels"))


async def test_a_draft_is_written_changed_and_sent(mailbox: str):
    made = await gmail.drafts_create.ainvoke(
        message={"to": "grace@example.com", "subject": "Plan", "text": "v1"}
    )
    listed = await gmail.drafts_list.ainvoke()
    assert made["id"] in {each["id"] for each in listed["drafts"]}
    await gmail.drafts_update.ainvoke(
        id=made["id"], message={"to": ["grace@example.com"], "subject": "Plan", "text": "v2"}
    )
    draft = await gmail.drafts_get.ainvoke(id=made["id"])
    assert (draft["message"]["text"], draft["message"]["to"]) == ("v2", ["grace@example.com"])
    sent = await gmail.drafts_send.ainvoke(id=made["id"])
    assert "SENT" in sent["labelIds"]
    assert body_of(parse(mailbox, sent["id"])) == "v2\n"

    other = await gmail.drafts_create.ainvoke(message={"text": "never mind"})
    await gmail.drafts_delete.ainvoke(id=other["id"])
    with pytest.raises(APIError) as caught:
        await gmail.drafts_get.ainvoke(id=other["id"])
    assert caught.value.status_code == 404


async def test_mail_is_binned_restored_and_deleted(mailbox: str):
    await gmail.messages_trash.ainvoke(id="msg_sent")
    assert "TRASH" in fetch(mailbox, "messages/msg_sent")["labelIds"]
    await gmail.messages_untrash.ainvoke(id="msg_sent")
    assert "TRASH" not in fetch(mailbox, "messages/msg_sent")["labelIds"]
    await gmail.threads_trash.ainvoke(id="thr_lunch")
    assert "TRASH" in fetch(mailbox, "messages/msg_lunch")["labelIds"]
    await gmail.threads_untrash.ainvoke(id="thr_lunch")
    assert "TRASH" not in fetch(mailbox, "messages/msg_lunch")["labelIds"]
    await gmail.messages_delete.ainvoke(id="msg_sent")
    await gmail.threads_delete.ainvoke(id="thr_lunch")
    found = await gmail.messages_list.ainvoke(includeSpamTrash=True)
    assert [each["id"] for each in found["messages"]] == ["msg_invoice"]
    threads = await gmail.threads_list.ainvoke()
    assert [each["id"] for each in threads["threads"]] == ["thr_invoice"]


async def test_an_attachment_is_downloaded(mailbox: str):
    files = [
        {"filename": "notes.txt", "content": base64.b64encode("Grüße".encode()).decode()},
        {"filename": "x.bin", "content": base64.b64encode(b"\xff\x00").decode()},
    ]
    sent = await gmail.messages_send.ainvoke(
        message={"to": ["a@example.com"], "text": "x", "attachments": files}
    )
    read = await gmail.messages_get.ainvoke(id=sent["id"])
    notes, binary = read["attachments"]
    assert (notes["filename"], binary["filename"]) == ("notes.txt", "x.bin")
    download = gmail.messages_attachments_get
    assert (await download.ainvoke(messageId=sent["id"], id=notes["id"]))["text"] == "Grüße"
    assert (await download.ainvoke(messageId=sent["id"], id=binary["id"]))["content"] == "/wA="


async def test_a_file_is_forwarded_by_its_ids_and_a_changed_draft_keeps_it(mailbox: str):
    pdf = b"%PDF-1.4\x00\xff" * 9_000
    file = {"filename": "plan.pdf", "content": base64.b64encode(pdf).decode()}
    first = await gmail.messages_send.ainvoke(message={"to": ["a@example.com"], "attachments": [file]})
    [shown] = (await gmail.messages_get.ainvoke(id=first["id"]))["attachments"]
    passed_on = {"messageId": first["id"], **shown}
    sent = await gmail.messages_send.ainvoke(message={"to": ["b@example.com"], "attachments": [passed_on]})
    draft = await gmail.drafts_create.ainvoke(message={"text": "v1", "attachments": [passed_on]})
    changed = await gmail.drafts_update.ainvoke(id=draft["id"], message={"text": "v2"})
    for name in (sent["id"], changed["message"]["id"]):
        [attachment] = parse(mailbox, name).iter_attachments()
        assert (attachment.get_filename(), attachment.get_content()) == ("plan.pdf", pdf)
    assert body_of(parse(mailbox, changed["message"]["id"])) == "v2\n"


async def test_history_tells_what_changed(mailbox: str):
    before = (await gmail.messages_get.ainvoke(id="msg_invoice"))["historyId"]
    await gmail.messages_modify.ainvoke(id="msg_invoice", addLabelIds=["STARRED"])
    told = await gmail.history_list.ainvoke(startHistoryId=before, historyTypes=["labelAdded"])
    [change] = [each for each in told["history"] if "labelsAdded" in each]
    assert change["labelsAdded"][0]["message"]["id"] == "msg_invoice"
    assert change["labelsAdded"][0]["labelIds"] == ["STARRED"]


async def test_the_profile_is_read(mailbox: str):
    with pytest.raises(APIError) as caught:  # the one operation that emulate does not have
        await gmail.profile_get.ainvoke()
    assert caught.value.status_code == 404
