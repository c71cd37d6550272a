"""What a call sent: kept out of every part of an answer, and the rest of it left alone."""

from typing import Any

import httpx
import httpx2
import pytest

from charter.auth import Credentials
from charter.echoes import Sent
from charter.secret import Secret
from charter.wire.response import Answer

KEY = "s3cret/key+1"


def clean(content: bytes, content_type: str = "application/json", status: int = 200) -> bytes:
    sent = Sent(Credentials(headers={"X-Key": ("", Secret(KEY))}), {})
    return sent.clean(Answer(status, {"content-type": content_type}, content)).content


def test_an_answer_without_a_secret_is_handed_back_itself() -> None:
    sent = Sent(Credentials(headers={"X-Key": ("", Secret(KEY))}), {"X-Upstream": "Bearer t0ken-1"})
    answer = Answer(200, {"content-type": "application/json", "x-id": "7"}, b'{"a": "50%25 \\u003cb"}')
    assert sent.clean(answer) is answer
    assert sent.clean(Answer(204, {}, b"")).content == b""


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize(
    ("content", "content_type", "kept"),
    [
        (f'{{"a": "{KEY}", "n": 1.10}}'.encode(), "application/json", b'{"a": "[redacted]", "n": 1.10}'),
        (f"caf\xe9 {KEY}".encode("latin-1"), "text/plain; charset=latin-1", b"caf\xe9 [redacted]"),
        (f"caf\xe9 {KEY}".encode(), "text/plain", "caf\xe9 [redacted]".encode()),
        (f'["{KEY}"]'.encode("utf-16"), "application/json; charset=utf-16", b'"[redacted]"'),
        (f'["{KEY}"]'.encode("utf-16"), "application/json", b'"[redacted]"'),
        (f'["{KEY}"]'.encode("cp500"), "application/json; charset=cp500", b'"[redacted]"'),
        (f'["{KEY}"]'.encode(), "application/json; charset=\x00nonsense", b'["[redacted]"]'),
        (b"\xff\x80" + KEY.encode(), "application/octet-stream", b"\xff\x80[redacted]"),
    ],
)
def test_a_body_loses_the_secret_and_nothing_else(
    content: bytes, content_type: str, kept: bytes, status: int
) -> None:
    assert clean(content, content_type, status) == kept


def test_a_download_loses_the_secret_as_it_was_sent_and_no_byte_else() -> None:
    content = b"\x00\x89PNG%73%65" + bytes(range(256)) * 8
    assert clean(content, "image/png") == content
    assert clean(content + KEY.encode(), "image/png") == content + b"[redacted]"


def test_a_header_of_the_answer_loses_it() -> None:
    sent = Sent(Credentials(query={"key": Secret(KEY)}), {})
    headers = {"location": "https://x.example/?key=s3cret%2Fkey%2B1", "x-id": "7"}
    cleaned = sent.clean(Answer(302, headers, b"")).headers
    assert cleaned == {"location": "https://x.example/?key=[redacted]", "x-id": "7"}


@pytest.mark.parametrize("library", [httpx, httpx2], ids=["httpx", "httpx2"])
def test_what_a_lent_client_adds_is_secret_by_its_name_or_scheme(library: Any) -> None:
    client = library.AsyncClient(
        headers={"X-Api-Key": "client-key", "X-Team": "blue-team"},
        params={"access_token": "client-token", "page": "second"},
        cookies={"session": "client-session"},
    )
    sent = Sent(Credentials(), {})
    sent.request = client.build_request("GET", "https://ann:url-password@x.example/a")
    answer = Answer(200, {}, b"client-key blue-team client-token second client-session url-password")
    assert sent.clean(answer).content == b"[redacted] blue-team [redacted] second [redacted] [redacted]"
    assert "client" not in repr(sent)
