"""The Gmail-shaped API keeps state and reads the searches and mails of the real one."""

import base64
import json
from email.message import EmailMessage
from typing import Any
from urllib.parse import quote

import pytest

from charter.cli.demo.gmail_api import GmailApi
from charter.cli.demo.routes import Reply, read_request

USER = "/gmail/v1/users/me"
LETTER = "19cb000000000002"


def get(api: GmailApi, target: str) -> Reply:
    return api.answer(read_request("GET", USER + target, {}, b""))


def post(api: GmailApi, target: str, body: Any) -> Reply:
    return api.answer(read_request("POST", USER + target, {}, json.dumps(body).encode()))


def write(to: str, answers: str = "") -> str:
    mail = EmailMessage()
    if to:
        mail["To"] = to
    mail["Subject"] = "Re: Charged twice for order 1042"
    if answers:
        mail["In-Reply-To"] = answers
    mail.set_content("Grüße")
    return base64.urlsafe_b64encode(mail.as_bytes()).decode().rstrip("=")


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", 3),
        ("is:unread", 3),
        ("from:nadia", 1),
        ('"order 1042" charged', 1),
        ("order", 3),
        ("-order", 0),
        ("subject:(charged twice)", 1),
        ("from:ola is:unread", 1),
        ("from:ola from:nadia", 0),
        ("is:starred", 0),
    ],
)
def test_a_search_finds_by_its_terms(query: str, count: int) -> None:
    found = get(GmailApi(), f"/messages?q={quote(query)}").body
    assert found["resultSizeEstimate"] == count
    assert len(found.get("messages", [])) == count


def test_a_message_comes_in_each_format() -> None:
    api = GmailApi()
    full = get(api, f"/messages/{LETTER}").body
    assert [part["mimeType"] for part in full["payload"]["parts"]] == ["text/plain", "text/html"]
    assert "parts" not in get(api, f"/messages/{LETTER}?format=metadata").body["payload"]
    assert "payload" not in get(api, f"/messages/{LETTER}?format=minimal").body
    raw = base64.urlsafe_b64decode(get(api, f"/messages/{LETTER}?format=raw").body["raw"])
    assert b"Subject: Charged twice for order 1042" in raw


def test_an_answer_joins_the_thread_it_answers_in() -> None:
    api = GmailApi()
    raw = write("nadia.petrova@example.com", "<letter-2@mail.example.com>")
    assert post(api, "/messages/send", {"raw": raw, "threadId": LETTER}).body["threadId"] == LETTER
    thread = get(api, f"/threads/{LETTER}").body
    assert [message["labelIds"] for message in thread["messages"]] == [["INBOX", "UNREAD"], ["SENT"]]
    assert api.sent[0].text == "Grüße\n"


def test_a_mail_that_answers_nothing_starts_a_thread() -> None:
    sent = post(GmailApi(), "/messages/send", {"raw": write("a@example.com"), "threadId": LETTER}).body
    assert sent["threadId"] == sent["id"] != LETTER


@pytest.mark.parametrize("body", [{}, {"raw": write("")}, {"raw": 5}])
def test_a_mail_that_cannot_be_sent_is_refused(body: Any) -> None:
    api = GmailApi()
    assert post(api, "/messages/send", body).status == 400
    assert api.sent == []


def test_labels_change() -> None:
    api = GmailApi()
    post(api, f"/messages/{LETTER}/modify", {"addLabelIds": ["STARRED"], "removeLabelIds": ["UNREAD"]})
    assert api.letters[LETTER].labels == {"INBOX", "STARRED"}
    post(api, f"/messages/{LETTER}/trash", {})
    assert api.letters[LETTER].labels == {"STARRED", "TRASH"}


def test_a_draft_is_sent_once() -> None:
    api = GmailApi()
    draft = post(api, "/drafts", {"message": {"raw": write("a@example.com")}}).body
    assert api.sent == []
    assert post(api, "/drafts/send", {"id": draft["id"]}).body["labelIds"] == ["SENT"]
    assert post(api, "/drafts/send", {"id": draft["id"]}).status == 404
    assert len(api.sent) == 1


def test_threads_labels_and_profile_are_listed() -> None:
    api = GmailApi()
    assert len(get(api, "/threads").body["threads"]) == 3
    assert {"id": "INBOX", "name": "INBOX", "type": "system"} in get(api, "/labels").body["labels"]
    assert get(api, "/profile").body["emailAddress"] == "hello@harbourlamps.example"


@pytest.mark.parametrize("target", ["/messages/0", "/threads/0", "/settings"])
def test_what_is_unknown_gets_a_404(target: str) -> None:
    assert get(GmailApi(), target).status == 404
