import base64
import email
import email.header
import email.policy
import unicodedata
from email.message import EmailMessage
from email.utils import getaddresses
from typing import Any

import idna
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from charter.errors import TransformError
from charter.wire.mail import Attachment, EmailContent, encode_mail

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]))
NAME = TEXT.filter(lambda name: name == name.strip() and not set(name) & set('<>"\\'))


def read(content: EmailContent) -> EmailMessage:
    raw = encode_mail(content)
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def unchecked(fields: dict[str, Any]) -> EmailContent:
    """Content that no validator has seen, as `model_construct` lets anyone make."""
    return EmailContent.model_construct(None, **fields)


def raw_header(content: EmailContent, name: str) -> str:
    """The header as it stands in the bytes, folding included."""
    value = email.message_from_bytes(encode_mail(content), policy=email.policy.compat32)[name]
    assert value is not None
    return str(value)


def test_plain_mail_reads_as_written():
    message = read(EmailContent(to=["ann@example.org"], subject="Lunch", text="At noon?\n"))
    assert (message["To"], message["Subject"], message["MIME-Version"]) == ("ann@example.org", "Lunch", "1.0")
    assert message.get_content_type() == "text/plain"
    assert message.get_content() == "At noon?\r\n"


def test_every_line_is_seven_bit_ends_in_crlf_and_is_short():
    content = EmailContent(
        to=[f"Zoë Übermaß {number} <z{number}@example.org>" for number in range(40)],
        subject="Grüße " * 60,
        text="Ä" * 3000 + "\nplain",
        html="<p>" + "ö" * 3000,
        references=" ".join(f"<{number}-{'x' * 40}@example.org>" for number in range(30)),
        attachments=[Attachment(filename="prüfung " * 30 + ".txt", content="aGk=")],
    )
    lines = encode_mail(content).split(b"\r\n")
    assert max(map(len, lines)) <= 78
    assert b"\n" not in b"".join(lines)
    assert all(byte < 128 for line in lines for byte in line)


def test_only_the_display_name_is_encoded():
    content = EmailContent(to=["Jürgen Groß <jg@example.org>"], cc=["Ann Lee <ann@example.org>"])
    assert raw_header(content, "To").endswith(" <jg@example.org>")
    assert raw_header(content, "To").startswith("=?utf-8?b?")
    assert raw_header(content, "Cc") == "Ann Lee <ann@example.org>"
    [found] = read(content)["To"].addresses
    assert (found.display_name, found.addr_spec) == ("Jürgen Groß", "jg@example.org")


@pytest.mark.parametrize(
    "name", ["Doe, John", 'The "Boss"', "a@b", "Ann (Sales)", "Müller, Jürgen; QA", "x" * 150]
)
def test_a_name_with_punctuation_stays_one_mailbox(name: str):
    escaped = name.replace('"', '\\"')
    for written in (f'"{escaped}" <x@example.org>', f"{name} <x@example.org>"):
        [found] = read(EmailContent(to=[written]))["To"].addresses
        assert (found.display_name, found.addr_spec) == (name, "x@example.org")


@settings(deadline=None)
@given(names=st.lists(NAME, min_size=1, max_size=4))
def test_names_of_any_letters_read_back(names: list[str]):
    mailboxes = [f"{name} <a{number}@example.org>" for number, name in enumerate(names)]
    message = email.message_from_bytes(encode_mail(EmailContent(cc=mailboxes)), policy=email.policy.compat32)
    found = getaddresses([str(message["Cc"])])
    assert [spec for _, spec in found] == [f"a{number}@example.org" for number in range(len(names))]
    decoded = [str(email.header.make_header(email.header.decode_header(name))) for name, _ in found]
    assert decoded == names


@settings(deadline=None)
@given(TEXT)
def test_any_subject_reads_back(subject: str):
    content = EmailContent(subject=subject)
    value = email.header.make_header(
        email.header.decode_header(raw_header(content, "Subject").replace("\r\n", ""))
    )
    assert str(value) == subject


@pytest.mark.parametrize(
    "domain",
    [
        "bücher.example",
        "straße.de",
        "例え.テスト",
        "ΑΣ.gr",
        "Πόλις.gr",
        "EXAMPLE.org",
        "ｅｘ．com",
        "a。b.org",
    ],
)
def test_a_domain_goes_as_idna_2008(domain: str):
    expected = idna.encode(domain, uts46=True).decode()
    assert raw_header(EmailContent(to=[f"x@{domain}"]), "To") == f"x@{expected}"


@pytest.mark.parametrize("local", ["jörg", "用户", "a\u200bb"])
def test_a_local_part_beyond_ascii_is_refused(local: str):
    with pytest.raises(TransformError, match=r"^to: .* non-ASCII name before the @\. \w"):
        encode_mail(EmailContent(to=[f"Jörg <{local}@example.org>"]))


@pytest.mark.parametrize(
    "written",
    [
        "",
        "ann",
        "@example.org",
        "ann@",
        "ann@-x.org",
        "ann@ex ample.org",
        "ann@x..org",
        "ann@😀.org",
        "a b@x.org",
        ".a@x.org",
        "a@x.org, b@y.org",
        "A <a@x.org>, B <b@y.org>",
        "<a@x.org",
        f"{'a' * 65}@x.org",
        f"a@{'x' * 64}.org",
        f"a@{'x.' * 130}org",
        "Ann <>",
    ],
)
def test_what_is_not_one_address_is_refused(written: str):
    with pytest.raises(TransformError, match=r"^bcc: "):
        encode_mail(EmailContent(bcc=[written]))


@pytest.mark.parametrize("bad", ["\r\n", "\n", "\r", "\0", "\x0b", "\x1c", "\x85", "\u2028", "\ud800"])
@pytest.mark.parametrize(
    "field", ["to", "cc", "bcc", "reply_to", "from_", "subject", "in_reply_to", "references"]
)
def test_a_line_break_in_a_header_is_refused(field: str, bad: str):
    written = f"a{bad}Bcc: evil@example.org"
    lists = {"to", "cc", "bcc", "reply_to"}
    content = unchecked({"text": "x", field: [written] if field in lists else written})
    if field in {"in_reply_to", "references"} and bad.isspace():
        written = written.replace(bad, bad + "é")  # whitespace only separates ids there
        content = unchecked({"text": "x", field: written})
    with pytest.raises(TransformError):
        encode_mail(content)


def test_white_space_between_message_ids_never_starts_a_header():
    content = EmailContent(references="<a@x>\r\nBcc:<b@x>", text="x")
    with pytest.raises(TransformError, match="not a Message-ID"):
        encode_mail(content)
    message = read(EmailContent(references="<a@x>\r\n <b@x>", text="x"))
    assert message["References"].split() == ["<a@x>", "<b@x>"]


def test_a_reply_ends_its_references_with_the_mail_answered():
    content = EmailContent(in_reply_to="c@x", references="<a@x> <c@x> <b@x>")
    message = read(content)
    assert message["In-Reply-To"] == "<c@x>"
    assert message["References"].split() == ["<a@x>", "<b@x>", "<c@x>"]
    assert read(EmailContent(in_reply_to="<c@x>"))["References"] == "<c@x>"


@pytest.mark.parametrize("bad", ["18c2f3a4b5d6e7f8", "<18c2f3a4b5d6e7f8>", "<a@x> 18c2f3a4b5d6e7f8"])
def test_an_apis_own_id_is_not_taken_for_a_message_id(bad: str):
    with pytest.raises(
        TransformError, match=r"inReplyTo: .*18c2f3a4b5d6e7f8.* has no @.*Give the mail's messageId"
    ):
        EmailContent(in_reply_to=bad).as_bytes()
    assert read(EmailContent(references="<odd>", in_reply_to="<a@x>"))["References"] == "<odd> <a@x>"


def test_text_and_html_are_alternatives_and_files_follow():
    files = [
        Attachment(filename="bericht über 100 €.pdf", content=base64.b64encode(b"%PDF\x00\xff").decode()),
        Attachment(filename="data.csv", media_type="text/csv; charset=utf-8", content="YSxi\n_-8"),
    ]
    content = EmailContent(to=["a@x.org"], text="Hallo ä", html="<p>Hallo ä</p>", attachments=files)
    message = read(content)
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "application/pdf",
        "text/csv",
    ]
    plain, rich = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None and plain.get_content() == "Hallo ä\r\n"
    assert rich is not None and rich.get_content() == "<p>Hallo ä</p>\r\n"
    first, second = message.iter_attachments()
    assert (first.get_filename(), first.get_content()) == ("bericht über 100 €.pdf", b"%PDF\x00\xff")
    assert (second.get_filename(), second.get_payload(decode=True)) == ("data.csv", b"a,b\xff\xef")


def test_html_alone_stays_html():
    message = read(EmailContent(html="<b>hi</b>"))
    assert message.get_content_type() == "text/html"
    assert message.get_content() == "<b>hi</b>\r\n"


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_reads_back_with_its_line_breaks_normalised(text: str):
    payload = email.message_from_bytes(encode_mail(EmailContent(text=text))).get_payload(decode=True)
    assert isinstance(payload, bytes)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert payload.decode().replace("\r\n", "\n").removesuffix("\n").split("\n") == (
        lines[:-1] if len(lines) > 1 and not lines[-1] else lines
    )


@settings(deadline=None)
@given(TEXT.filter(lambda name: 0 < len(name) < 200), st.binary(max_size=200))
def test_any_file_reads_back(filename: str, data: bytes):
    file = Attachment(filename=filename, content=base64.urlsafe_b64encode(data).decode())
    message = email.message_from_bytes(encode_mail(EmailContent(text="x", attachments=[file])))
    part = list(message.walk())[-1]
    assert part.get_payload(decode=True) == data
    assert part.get_filename() == filename.strip()


@pytest.mark.parametrize("bad", ["a\r\nX: y", "a\0", "\ud83d"])
def test_a_filename_cannot_hold_a_header(bad: str):
    file = Attachment.model_construct(filename=bad, media_type=None, content="")
    content = EmailContent.model_construct(attachments=[file])
    with pytest.raises(TransformError, match=r"^attachments\.0\.filename: "):
        encode_mail(content)


@pytest.mark.parametrize(
    "media_type", ["pdf", "a/b/c", "text/pl ain", "text/plain\r\nX: y", "é/x", "x/" + "y" * 300]
)
def test_a_media_type_must_be_one(media_type: str):
    file = Attachment(filename="x", media_type=media_type, content="")
    with pytest.raises(TransformError, match=r"^attachments\.0\.mediaType: "):
        encode_mail(EmailContent(attachments=[file]))


@pytest.mark.parametrize("content", ["not base64!", "abcde", "é", "=a"])
def test_a_file_must_be_base64(content: str):
    with pytest.raises(TransformError, match=r"^attachments\.0\.content: "):
        encode_mail(EmailContent(attachments=[Attachment(filename="x", content=content)]))


def test_half_a_character_in_a_body_is_refused():
    for field in ("text", "html"):
        with pytest.raises(TransformError, match=f"^{field}: "):
            encode_mail(unchecked({field: "a\ud800"}))


def test_a_forwarded_mail_travels_as_a_file():
    file = Attachment(
        filename="old.eml", media_type="message/rfc822", content=base64.b64encode(b"A: b\n\nc").decode()
    )
    [part] = read(EmailContent(text="see below", attachments=[file])).iter_attachments()
    assert (part.get_content_type(), part.get_filename()) == ("application/octet-stream", "old.eml")
    assert part.get_content() == b"A: b\n\nc"


def test_equal_mail_gives_equal_bytes():
    content = EmailContent(text="a", html="b", attachments=[Attachment(filename="x", content="YQ==")])
    assert encode_mail(content) == encode_mail(content.model_copy(deep=True))


def test_one_address_may_stand_for_a_list_of_one():
    assert EmailContent.model_validate({"to": "a@x.org"}).to == ["a@x.org"]


@pytest.mark.parametrize(
    ("field", "most", "content"),
    [
        ("to", 2_000, EmailContent(to=["a" * 2_000 + "@x.org"])),
        ("from", 2_000, EmailContent(from_="\u0300\u0316" * 50_000 + "@x.org")),
        ("subject", 10_000, EmailContent(subject="s" * 10_001)),
        ("references", 100_000, EmailContent(references="<a@x.org> " * 10_001)),
        ("inReplyTo", 100_000, EmailContent(in_reply_to="a" * 100_001)),
        (
            "attachments.0.filename",
            1_000,
            EmailContent(attachments=[Attachment(filename="f" * 1_001, content="")]),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_too_long_for_a_header_is_refused_unread_with_its_limit(
    field: str, most: int, content: EmailContent
):
    with pytest.raises(TransformError, match=rf"^{field}: has \d+ characters. Write at most {most}\.$"):
        encode_mail(content)


def test_a_refused_value_is_repeated_in_short():
    with pytest.raises(TransformError) as raised:
        encode_mail(EmailContent(to=["<" * 1_900]))
    assert len(str(raised.value)) < 200


def test_a_domain_written_decomposed_is_the_composed_one():
    composed = "ü" * 50
    decomposed = unicodedata.normalize("NFD", composed)
    assert len(decomposed) > 63
    assert [encode_mail(EmailContent(to=[f"a@{each}.org"])) for each in (composed, decomposed)] == [
        encode_mail(EmailContent(to=[f"a@{composed}.org"]))
    ] * 2
