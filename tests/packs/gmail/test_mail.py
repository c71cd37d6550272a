"""What a model reads of Gmail's answers, in both forms in which Gmail hands out a mail."""

import base64
import email
import email.policy
import json
from email.message import EmailMessage, Message
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from charter import Attachment, EmailContent
from charter.packs.gmail.mail import (
    CALENDAR_LIMIT,
    LEAST_LIMIT,
    TEXT_LIMIT,
    THREAD_LIMIT,
    read_draft,
    read_message,
    read_thread,
)


def b64(data: str | bytes) -> str:
    data = data.encode() if isinstance(data, str) else data
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def part(
    kind: str, text: str | bytes = "", *, headers: dict[str, str] | None = None, **more: Any
) -> dict[str, Any]:
    body = {"size": len(text), "data": b64(text)} if text else {"size": 0}
    named = [{"name": name, "value": value} for name, value in (headers or {}).items()]
    return {"mimeType": kind, "filename": "", "headers": named, "body": body, **more}


def message(payload: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "m1", "threadId": "t1", "labelIds": ["INBOX"], "payload": payload, **more}


def as_gmail_parses(mail: Message, number: int = 0) -> dict[str, Any]:
    """The payload that Gmail would hand out for a mail, as its reference describes it."""
    headers = [{"name": name, "value": str(value)} for name, value in mail.items()]
    shown: dict[str, Any] = {
        "partId": str(number),
        "mimeType": mail.get_content_type(),
        "filename": mail.get_filename() or "",
        "headers": headers,
        "body": {"size": 0},
    }
    if mail.is_multipart():
        inner: Any = mail.get_payload()
        return shown | {"parts": [as_gmail_parses(each, at) for at, each in enumerate(inner)]}
    data = mail.get_payload(decode=True)
    assert isinstance(data, bytes)
    if shown["filename"]:
        return shown | {"body": {"size": len(data), "attachmentId": f"att{number}"}}
    charset = mail.get_content_charset() or "utf-8"
    return shown | {"body": {"size": len(data), "data": b64(data.decode(charset))}}


def test_a_plain_mail_is_ids_headers_and_text():
    headers = {
        "Delivered-To": "me@x.org",
        "Received": "by x",
        "From": "Ann <ann@x.org>",
        "To": "me@x.org, Bob <bob@x.org>",
        "Subject": "Rent",
        "Date": "Tue, 6 Jan 2026 10:30:00 +0100",
        "Message-Id": "<1@x.org>",
    }
    read = read_message(
        message(
            part("text/plain", "Hi\r\nthere\r\n", headers=headers),
            historyId="9",
            snippet="Hi",
            sizeEstimate=5,
        )
    )
    assert read == {
        "id": "m1",
        "threadId": "t1",
        "labelIds": ["INBOX"],
        "historyId": "9",
        "from": "Ann <ann@x.org>",
        "to": ["me@x.org", "Bob <bob@x.org>"],
        "subject": "Rent",
        "messageId": "<1@x.org>",
        "date": "2026-01-06T10:30:00+01:00",
        "text": "Hi\nthere",
    }


@pytest.mark.parametrize("name", ["CC", "Cc", "cc", "cC"])
def test_a_header_has_one_spelling(name: str):
    assert read_message(message(part("text/plain", "x", headers={name: "a@x.org"})))["cc"] == ["a@x.org"]


def test_a_folded_header_is_unfolded():
    headers = {"Subject": "A long\r\n subject", "References": "<a@x>\r\n\t<b@x>\n <c@x>"}
    read = read_message(message(part("text/plain", "x", headers=headers)))
    assert read["subject"] == "A long subject"
    assert read["references"] == "<a@x> <b@x> <c@x>"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("=?utf-8?B?R3LDvMOfZQ==?=", "Grüße"),
        ("=?iso-8859-1?Q?J=F6rg_?= =?utf-8?q?M=C3=BCller?=", "Jörg Müller"),
        ("Re: =?utf-8?q?caf=C3=A9?= today", "Re: café today"),
        ("=?utf-8?B?R?=", "=?utf-8?B?R?="),
        ("=?no-such-charset?q?abc?=", "abc"),
        ("a =? b", "a =? b"),
        ("Grüße", "Grüße"),
    ],
)
def test_encoded_words_are_decoded(written: str, read: str):
    assert read_message(message(part("text/plain", "x", headers={"Subject": written})))["subject"] == read


def test_a_decoded_name_with_a_comma_stays_one_mailbox():
    headers = {
        "To": "=?utf-8?q?M=C3=BCller=2C_J=C3=B6rg?= <j@x.org>, b@x.org",
        "From": '"Doe, Ann" <a@x.org>',
    }
    read = read_message(message(part("text/plain", "x", headers=headers)))
    assert read["to"] == ["Müller, Jörg <j@x.org>", "b@x.org"]
    assert read["from"] == "Doe, Ann <a@x.org>"


def test_what_is_no_list_of_mailboxes_is_shown_as_it_is():
    headers = {"To": "undisclosed-recipients:;", "Cc": "(" * 5000, "Bcc": "Müller, Jörg <j@x.org>"}
    read = read_message(message(part("text/plain", "x", headers=headers)))
    assert (read["to"], read["cc"]) == (["undisclosed-recipients:;"], ["(" * 5000])
    assert read["bcc"] == ["Müller, Jörg <j@x.org>"]


def test_the_date_falls_back_on_gmails_own():
    assert (
        read_message(message(part("text/plain", "x", headers={"Date": "yesterday"})))["date"] == "yesterday"
    )
    assert read_message(message(part("text/plain", "x"), internalDate="1767691800000"))["date"] == (
        "2026-01-06T09:30:00+00:00"
    )
    for odd in ("x", [], None, "9" * 400):
        assert "date" not in read_message(message(part("text/plain", "x"), internalDate=odd))


def alternative(plain: str, html: str) -> dict[str, Any]:
    return part("multipart/alternative", parts=[part("text/plain", plain), part("text/html", html)])


def test_plain_text_is_preferred_to_html():
    read = read_message(message(alternative("Lunch at noon?", "<p>Lunch at <b>noon</b>?</p>")))
    assert read["text"] == "Lunch at noon?"


@pytest.mark.parametrize(
    "plain",
    [
        "",
        " \r\n ",
        "Your mail client does not support HTML. Please enable HTML to view this message.",
        "To view this email in your browser go to https://x.org/v/1",
        "Hello,",
    ],
)
def test_html_is_read_where_the_plain_text_is_a_stub(plain: str):
    html = "<p>Hello Ada,</p><p>your order 1042 has been sent and arrives on Friday.</p>"
    read = read_message(message(alternative(plain, html)))
    assert read["text"] == "Hello Ada,\n\nyour order 1042 has been sent and arrives on Friday."


def test_html_in_a_plain_part_is_read_as_html():
    assert read_message(message(part("text/plain", "<!DOCTYPE html><p>Hi</p>")))["text"] == "Hi"


def test_bodies_side_by_side_are_all_read():
    parts = [part("text/plain", "Hi"), part("image/png", b"\x89"), part("text/plain", "-- \nlist footer")]
    read = read_message(message(part("multipart/mixed", parts=parts)))
    assert read["text"] == "Hi\n\n-- \nlist footer"
    assert read["attachments"] == [{"id": "1", "mediaType": "image/png", "bytes": 1}]


def test_attachments_are_ids_not_bytes():
    parts = [
        alternative("see file", "<p>see file</p>"),
        part("application/pdf", filename="=?utf-8?q?B=C3=A4r?=.pdf", body={"size": 9, "attachmentId": "A1"}),
        part("text/plain", filename="notes.txt", body={"size": 3, "data": b64("abc")}),
        part("text/plain", "x", headers={"Content-Disposition": "attachment"}),
        part(
            "message/rfc822",
            filename="old.eml",
            body={"size": 4, "attachmentId": "A2"},
            parts=[part("text/plain", "o")],
        ),
    ]
    read = read_message(message(part("multipart/mixed", parts=parts)))
    assert read["text"] == "see file"
    assert read["attachments"] == [
        {"id": "1", "filename": "Bär.pdf", "mediaType": "application/pdf", "bytes": 9},
        {"id": "2", "filename": "notes.txt", "mediaType": "text/plain", "bytes": 3},
        {"id": "3", "mediaType": "text/plain", "bytes": 1},
        {"id": "4", "filename": "old.eml", "mediaType": "message/rfc822", "bytes": 4},
    ]
    assert "YWJj" not in json.dumps(read)


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        (
            "Grüße".encode(),
            "iso-8859-1",
            "Grüße",
        ),  # Gmail hands out UTF-8 under the charset the mail came with
        ("Grüße".encode("latin-1"), "iso-8859-1", "Grüße"),
        ("“x”".encode("cp1252"), "utf-8", "“x”"),
        ("日本".encode("iso-2022-jp"), "iso-2022-jp", "日本"),
        ("日本".encode(), "iso-2022-jp", "日本"),
        (b"\x81\x8d", "no-such", "\x81\x8d"),
        (b"maana-pta", "punycode", "maana-pta"),  # it takes time in the square of a text
        (b"xn--maana-pta", "idna", "xn--maana-pta"),
    ],
)
def test_text_is_decoded_without_replacement_characters(data: bytes, charset: str, text: str):
    headers = {"Content-Type": f'text/plain; charset="{charset}"'}
    assert read_message(message(part("text/plain", data, headers=headers)))["text"] == text


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("a" + " " * 49_000 + "b", "a" + " " * 49_000 + "b"),
        (" \r\n a \r\n\t \r\n b\r\n", "a b"),
        ("=?utf-8?q?a?= " + "=?utf-8?b?x" * 4_000, "a " + "=?utf-8?b?x" * 4_000),
        ("=?utf-8?b?x" * 4_000, "=?utf-8?b?x" * 4_000),
    ],
    ids=["spaces", "folded lines", "words never closed after one that is", "words never closed"],
)
def test_a_header_made_to_be_slow_is_read_as_any_other(written: str, told: str):
    headers = {"Subject": written}
    assert read_message(message(part("text/plain", b"x", headers=headers)))["subject"] == told


def test_a_long_body_is_cut_and_flagged():
    read = read_message(message(part("text/plain", "x" * (TEXT_LIMIT + 1))))
    assert (len(read["text"]), read["textTruncated"], read["textLength"]) == (
        TEXT_LIMIT,
        True,
        TEXT_LIMIT + 1,
    )
    assert "textTruncated" not in read_message(message(part("text/plain", "x" * TEXT_LIMIT)))


def test_a_cut_body_is_read_on_without_its_headers():
    letters = "".join(chr(97 + n % 26) for n in range(TEXT_LIMIT + 30))
    mail = message(part("text/plain", letters, headers={"Subject": "s"}))
    first = read_message(mail)
    assert first["nextTextFrom"] == TEXT_LIMIT
    rest = read_message(mail, start=first["nextTextFrom"])
    assert rest == {"id": "m1", "text": letters[TEXT_LIMIT:], "textLength": TEXT_LIMIT + 30}
    assert first["text"] + rest["text"] == letters
    assert read_message(mail, start=10**9)["text"] == ""
    assert read_message(mail, start=-5)["text"] == first["text"]
    assert read_draft({"id": "d", "message": mail}, start=TEXT_LIMIT)["message"] == rest


INVITATION = "BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nSUMMARY:Rück\nEND:VEVENT\nEND:VCALENDAR\n"


def test_an_invitation_is_shown_once_though_it_came_twice():
    alternatives = [part("text/plain", "Come"), part("text/calendar", INVITATION.replace("\n", "\r\n"))]
    parts = [
        part("multipart/alternative", parts=alternatives),
        part("application/ics", INVITATION, filename="invite.ics"),
        part("text/calendar", INVITATION, filename="again.ics"),
    ]
    read = read_message(message(part("multipart/mixed", parts=parts)))
    assert read["text"] == "Come"
    calendar, file, again = read["attachments"]
    assert (calendar["id"], calendar["mediaType"], calendar["text"]) == ("0.1", "text/calendar", INVITATION)
    assert ("text" in file, again["id"], "text" in again) == (False, "2", False)


def test_a_long_invitation_is_cut_and_flagged():
    [file] = read_message(message(part("text/calendar", "x" * (CALENDAR_LIMIT + 1))))["attachments"]
    assert (file["id"], len(file["text"]), file["nextTextFrom"]) == ("0", CALENDAR_LIMIT, CALENDAR_LIMIT)


def test_without_a_body_the_snippet_stays():
    assert read_message({"id": "m", "snippet": "Ann &amp; Bob"}) == {"id": "m", "snippet": "Ann & Bob"}


def test_headers_that_were_asked_for_are_shown():
    headers = {"Subject": "s", "X-Priority": "1", "Received": "by x"}
    payload = {"mimeType": "text/plain", "headers": [{"name": n, "value": v} for n, v in headers.items()]}
    read = read_message({"id": "m", "payload": payload})
    assert (read["subject"], read["headers"]) == ("s", {"x-priority": "1", "received": "by x"})


def test_of_all_headers_the_mail_systems_own_are_left_out():
    names = ["Received", "X-Received", "DKIM-Signature", "ARC-Seal", *(f"X-{n}" for n in range(20))]
    payload = {"mimeType": "text/plain", "headers": [{"name": name, "value": "v"} for name in names]}
    assert set(read_message({"id": "m", "payload": payload})["headers"]) == {f"x-{n}" for n in range(20)}


RAW = b"""From: =?utf-8?q?J=C3=B6rg?= <j@x.org>
To: =?utf-8?q?Doe=2C_Ann?= <a@x.org>,
 b@x.org
CC: c@x.org
Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=
 und mehr
Date: Tue, 6 Jan 2026 10:30:00 +0100
Message-ID: <1@x.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: multipart/alternative; boundary=c

--c
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe
--c
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: base64

PHA+R3LDvMOfZTwvcD4=
--c--
--b
Content-Type: application/pdf
Content-Disposition: attachment; filename*=utf-8''B%C3%A4r.pdf
Content-Transfer-Encoding: base64

JVBERg==
--b--
"""


def test_a_raw_mail_and_a_parsed_one_read_the_same():
    raw = read_message({"id": "m", "threadId": "t", "raw": b64(RAW)})
    parsed = read_message(
        {"id": "m", "threadId": "t", "payload": as_gmail_parses(email.message_from_bytes(RAW))}
    )
    assert raw == parsed
    assert raw["to"] == ["Doe, Ann <a@x.org>", "b@x.org"]
    assert (raw["subject"], raw["text"], raw["cc"]) == ("Grüße und mehr", "Grüße", ["c@x.org"])
    assert raw["attachments"] == [
        {"id": "1", "filename": "Bär.pdf", "mediaType": "application/pdf", "bytes": 4}
    ]


LETTERS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=40)


@settings(deadline=None)
@given(
    subject=LETTERS.filter(lambda text: text == text.strip()),
    text=LETTERS,
    html=st.none() | LETTERS.map("<p>{}</p>".format),
    files=st.lists(st.binary(min_size=1, max_size=9), max_size=2),
)
def test_both_forms_agree_for_any_mail(subject: str, text: str, html: str | None, files: list[bytes]):
    content = EmailContent(
        to=["Zoë <z@x.org>"],
        subject=subject,
        text=text,
        html=html,
        attachments=[Attachment(filename=f"f{n}.bin", content=b64(data)) for n, data in enumerate(files)],
    )
    mail = email.message_from_bytes(content.as_bytes())
    raw = read_message({"id": "m", "raw": b64(content.as_bytes())})
    parsed = read_message({"id": "m", "payload": as_gmail_parses(mail)})
    assert raw == parsed
    assert raw.get("subject", "") == " ".join(subject.split("\t"))
    assert [each["bytes"] for each in raw.get("attachments", [])] == [len(data) for data in files]


def test_bytes_in_a_raw_header_are_read_as_letters():
    raw = "Subject: Grüße\nFrom: Jörg <j@x.org>\n\nHi".encode()
    read = read_message({"id": "m", "raw": b64(raw)})
    assert (read["subject"], read["from"], read["text"]) == ("Grüße", "Jörg <j@x.org>", "Hi")


NESTED = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3000))


@pytest.mark.parametrize(
    "raw", [b64(NESTED), b64(b"Content-Type: multipart/mixed; boundary*=x; boundary*0*=y\n\nHi"), "%%%"]
)
def test_a_raw_mail_that_cannot_be_read_says_so_and_keeps_its_ids(raw: str):
    assert read_message({"id": "m", "raw": raw}) == {"id": "m", "unreadable": True}


@pytest.mark.parametrize(
    ("disposition", "filename"),
    [
        (b"attachment; filename*=iso-8859-1'de'B%E4r.pdf", "Bär.pdf"),
        (b"attachment; filename*0*=utf-8''B%C3; filename*1*=%A4r.pdf", "Bär.pdf"),
        (b"attachment; filename==?utf-8?q?B=C3=A4r?=.pdf", "Bär.pdf"),
        ("attachment; filename=Bär.pdf".encode(), "Bär.pdf"),
        (b"attachment; filename*=utf-8''B%E4r.pdf", "Bär.pdf"),
        (b"attachment; filename*=x; filename*0*=y", None),
    ],
)
def test_a_filename_is_read_in_every_way_it_is_written(disposition: bytes, filename: str | None):
    raw = b"Content-Type: application/pdf\nContent-Disposition: " + disposition + b"\n\nx"
    [file] = read_message({"id": "m", "raw": b64(raw)})["attachments"]
    assert file.get("filename") == filename


def test_a_draft_is_its_id_and_its_mail():
    draft = {"id": "d", "message": message(part("text/plain", "Hi"))}
    assert read_draft(draft) == {
        "id": "d",
        "message": {"id": "m1", "threadId": "t1", "labelIds": ["INBOX"], "text": "Hi"},
    }


def test_the_messages_of_a_thread_share_one_limit():
    headers = {"Message-ID": "<1@x>", "References": "<0@x>"}
    one = message(part("text/plain", "x" * TEXT_LIMIT, headers=headers))
    read = read_thread({"id": "t1", "historyId": "3", "messages": [one] * 5, "snippet": "x"})
    assert set(read) == {"id", "historyId", "messages"}
    assert {len(each["text"]) for each in read["messages"]} == {THREAD_LIMIT // 5}
    assert all(each["textTruncated"] for each in read["messages"])
    assert [each.get("references") for each in read["messages"]] == [None] * 4 + ["<0@x>"]
    crowd = read_thread({"id": "t1", "messages": [one] * 1000})
    assert len(crowd["messages"][0]["text"]) == LEAST_LIMIT


def test_what_holds_nothing_known_is_returned_as_it_came():
    for read in (read_message, read_draft, read_thread):
        assert read({"error": "x"}) == {"error": "x"}
        assert read({}) == {}
        assert read(["x"]) == ["x"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "id threadId message messages payload raw snippet headers name value body data size attachmentId parts "
                "mimeType filename internalDate labelIds".split()
            )
            | st.text(max_size=3),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)


@settings(deadline=None)
@given(JSON)
def test_any_json_is_read(data: Any):
    for read in (read_message, read_draft, read_thread):
        assert not (isinstance(data, dict) and data) or read(data)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["To", "From", "Subject", "Date", "Content-Type", "Cc"]), st.text()),
        max_size=5,
    ),
    st.sampled_from(["text/plain", "text/html", "multipart/alternative", "multipart/mixed", ""]) | st.text(),
    st.binary() | st.text().map(str.encode),
)
def test_any_headers_and_body_are_read(headers: list[tuple[str, str]], kind: str, data: bytes):
    named = [{"name": name, "value": value} for name, value in headers]
    inner = part("text/html", data)
    payload = {
        "mimeType": kind,
        "headers": named,
        "body": {"data": b64(data), "size": len(data)},
        "parts": [inner],
    }
    assert read_message({"id": "m", "payload": payload})["id"] == "m"


@settings(deadline=None)
@given(st.binary() | st.lists(st.sampled_from(RAW.splitlines(keepends=True))).map(b"".join))
def test_any_bytes_are_read_as_a_raw_mail(data: bytes):
    assert read_message({"id": "m", "raw": b64(data)})["id"] == "m"


def test_a_payload_nested_without_end_is_read():
    payload = part("text/plain", "deep")
    for _ in range(5000):
        payload = {"mimeType": "multipart/mixed", "parts": [payload]}
    assert read_message({"id": "m", "payload": payload}) == {"id": "m"}


def test_what_is_sent_reads_back():
    content = EmailContent(to=["Zoë <z@x.org>"], subject="Grüße", text="Hi\nthere", in_reply_to="<1@x>")
    read = read_message({"id": "m", "raw": b64(content.as_bytes())})
    assert read == {
        "id": "m",
        "to": ["Zoë <z@x.org>"],
        "subject": "Grüße",
        "inReplyTo": "<1@x>",
        "references": "<1@x>",
        "text": "Hi\nthere",
    }
    assert isinstance(email.message_from_bytes(content.as_bytes(), policy=email.policy.default), EmailMessage)
