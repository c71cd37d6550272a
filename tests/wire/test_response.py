"""Answers: read strictly, whatever a server sends. Broken connections are in tests/faults/."""

import codecs
import json
from base64 import b64encode
from typing import Any

import pytest

from charter.wire.reasons import read_reason
from charter.wire.response import (
    MAX_DEPTH,
    Answer,
    UnreadableBodyError,
    read_answer,
    read_error_body,
)

JSON = "application/json"


def answer(content: bytes | str, media_type: str | None = JSON, status: int = 200, **headers: str) -> Answer:
    written = {name.replace("_", "-"): value for name, value in headers.items()}
    if media_type is not None:
        written["content-type"] = media_type
    return Answer(status, written, content.encode() if isinstance(content, str) else content)


def read(content: bytes | str, media_type: str | None = JSON, status: int = 200) -> Any:
    return read_answer(answer(content, media_type, status), "application/json")


@pytest.mark.parametrize(
    "media_type",
    [
        "application/json",
        "application/json; charset=utf-8",
        "APPLICATION/JSON;charset=UTF-8",
        'application/json; charset="utf-8"',
        "application/vnd.api+json",
        "application/problem+json; charset",
        "text/json",
        "application/json; charset=klingon",
        None,
    ],
)
def test_json_is_read_by_its_type_or_by_its_looks(media_type: str | None) -> None:
    assert read('{"a": ["ä", 1]}', media_type) == {"a": ["ä", 1]}


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (codecs.BOM_UTF8 + b'{"a": "\xc3\xa4"}', JSON),
        (codecs.BOM_UTF8 + b'{"a": "\xc3\xa4"}', None),
        ('{"a": "ä"}'.encode("latin-1"), "application/json; charset=latin-1"),
        ('{"a": "ä"}'.encode("utf-16"), "application/json; charset=utf-16"),
        (b' \r\n{"a": "\xc3\xa4"}\n', None),
    ],
)
def test_the_charset_is_kept(content: bytes, media_type: str | None) -> None:
    assert read(content, media_type) == {"a": "ä"}


def test_numbers_are_exact() -> None:
    assert read("[12345678901234567890123, 0.1, -0.0, 1e3]") == [12345678901234567890123, 0.1, -0.0, 1000.0]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "not JSON"),
        ("<html>", "not JSON"),
        ('{"a": 1} trailing', "not JSON"),
        ('{"a": NaN}', "JSON with NaN"),
        ("[Infinity]", "JSON with Infinity"),
        ("[-Infinity]", "JSON with -Infinity"),
        ("[1e999]", "too large for a float"),
        ('{"a": 1, "a": 2}', "gives a key twice"),
        ('{"x": {"a": 1, "a": 1}}', "gives a key twice"),
        ("[" * 200_000 + "]" * 200_000, "nested"),
        ('{"a":' * 200_000 + "1" + "}" * 200_000, "nested"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "nested deeper than"),
        ("9" * 6_000, "not JSON"),
        (b'{"a": "\xff"}', "not valid utf-8"),
        (b'{"a": "\xff"}'.decode("latin-1").encode("utf-16")[:-1], "not valid utf-8"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_json_that_cannot_be_trusted_is_refused(content: bytes | str, problem: str) -> None:
    with pytest.raises(UnreadableBodyError, match=problem):
        read(content)


def test_an_unknown_charset_is_tried_as_utf_8_and_no_further() -> None:
    with pytest.raises(UnreadableBodyError, match="in the unknown charset 'klingon'"):
        read(b'{"a": "\xff"}', "application/json; charset=klingon")


@pytest.mark.parametrize(
    "charset",
    ["hex", "base64", "rot13", "idna", "punycode", "utf-7", "unicode-escape", "undefined", "ä"],
)
def test_a_charset_that_is_none_is_tried_as_utf_8(charset: str) -> None:
    assert read('{"a": "ä"}', f"application/json; charset={charset}") == {"a": "ä"}


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"\ud83d\ude00", "😀"),
        (r"\uD83D\uDE00", "😀"),
        (r"a\ud83d", "a\ufffd"),
        (r"\ude00a", "\ufffda"),
        (r"\ud83d\ud83d\ude00", "\ufffd😀"),
        (r"\\ud83d", r"\ud83d"),
        (r"\\\ud83d", "\\\ufffd"),
        (r"\u00e4", "ä"),
    ],
)
def test_half_a_pair_of_surrogates_is_no_character(written: str, text: str) -> None:
    assert read(f'{{"{written}": "{written}"}}') == {text: text}


def test_as_many_levels_are_read_as_may_be_walked() -> None:
    assert read("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    flat = ["x"] * 10_000
    assert read(json.dumps([{"a": flat}] * 3)) == [{"a": flat}] * 3


@pytest.mark.parametrize(
    ("content", "media_type", "result"),
    [
        ("Hello ä", "text/plain; charset=utf-8", {"text": "Hello ä"}),
        ("a,b", "text/csv", {"text": "a,b"}),
        ("<a/>", "application/xml; charset=utf-8", {"text": "<a/>"}),
        ("<a/>", "application/xml", {"text": "<a/>"}),
        ("<a/>", "application/atom+xml", {"text": "<a/>"}),
        ("<svg/>", "image/svg+xml", {"text": "<svg/>"}),
        ("a: ä", "application/yaml", {"text": "a: ä"}),
        ("a: 1", "application/x-yaml", {"text": "a: 1"}),
        ("a: 1", "application/vnd.oai.openapi+yaml", {"text": "a: 1"}),
        ('{"a":1}\n{"a":2}', "application/x-ndjson", {"text": '{"a":1}\n{"a":2}'}),
        ("{}\n{}", "application/jsonl", {"text": "{}\n{}"}),
        ("f()", "application/javascript", {"text": "f()"}),
        ("a=1&b=2", "application/x-www-form-urlencoded", {"text": "a=1&b=2"}),
        ("a\n", "text/markdown", {"text": "a\n"}),
        (" \n", "text/plain", {"text": " \n"}),
        ("<a>é</a>".encode("latin-1"), "application/xml", None),
        ("ä".encode("latin-1"), "text/plain; charset=latin-1", {"text": "ä"}),
        (b"\xff\xfe\x00", "text/plain", {"base64": "//4A", "media_type": "text/plain", "bytes": 3}),
        (b"\x89PNG", "image/png", {"base64": "iVBORw==", "media_type": "image/png", "bytes": 4}),
        (b"\x89PNG", None, {"base64": "iVBORw==", "media_type": "application/octet-stream", "bytes": 4}),
    ],
)
def test_what_is_no_json_keeps_its_text_or_its_bytes(
    content: Any, media_type: str | None, result: Any
) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    base64 = {"base64": b64encode(data).decode(), "media_type": media_type, "bytes": len(data)}
    assert read(content, media_type) == (result or base64)


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        ("<html>Sign in</html>", "text/html"),
        ("<html>", "text/html; charset=utf-8"),
        ("<html>", "application/xhtml+xml"),
        ("<!DOCTYPE html><p>", None),
        ("\ufeff\n<HTML lang=en>", None),
        ("<?xml version='1.0'?><!-- x --><!doctype html>", "text/plain"),
        ("<html>", "text/plain; charset=utf-8"),
    ],
)
def test_a_web_page_is_no_answer_unless_one_was_asked_for(content: str, media_type: str) -> None:
    with pytest.raises(UnreadableBodyError, match="not JSON but a web page"):
        read(content, media_type)
    assert read_answer(answer(content, "text/html"), "text/html") == {"text": content.removeprefix("\ufeff")}


@pytest.mark.parametrize("content", ["<htmlish>", "a <html>", "&lt;html>", "<!-- <html> -->", "<xml/>"])
def test_a_text_that_only_mentions_html_is_a_text(content: str) -> None:
    assert read(content, "text/plain") == {"text": content}


@pytest.mark.parametrize(
    ("status", "content"),
    [
        (200, b""),
        (201, b""),
        (204, b""),
        (204, b"ignored"),
        (205, b"{}"),
        (304, b""),
        (200, b" "),
        (200, b"\r\n\t"),
        (201, b"\xef\xbb\xbf \n"),
    ],
)
def test_no_content_is_told_as_such(status: int, content: bytes) -> None:
    told = answer(content, JSON, status)
    assert read_answer(told, "") == {"status": status}
    assert not told.has_content


@pytest.mark.parametrize(
    ("content", "media_type", "body"),
    [
        ('{"error": "No."}', JSON, {"error": "No."}),
        ("{broken", JSON, "{broken"),
        (b"\xff{", JSON, "\ufffd{"),
        ("Too many\n  requests", "text/plain", "Too many\n  requests"),
        ("<html>Gateway</html>", "text/html", "<html>Gateway</html>"),
        ("", None, None),
        ("", JSON, None),
    ],
)
def test_a_failed_answer_is_read_as_far_as_it_can_be(content: Any, media_type: str | None, body: Any) -> None:
    assert read_error_body(answer(content, media_type, 500)) == body


@pytest.mark.parametrize(
    "deep", ["[" * 900 + "]" * 900, '{"error":' * 900 + "1" + "}" * 900, '{"errors":[' * 60 + "]}" * 60]
)
def test_a_failed_answer_of_any_depth_is_read(deep: str) -> None:
    body = read_error_body(answer(deep, JSON, 500))
    assert body
    assert len(read_reason(body)) <= 1_000


def test_an_answers_repr_shows_neither_headers_nor_body() -> None:
    assert repr(answer("s3cret", x_token="t0ken")) == "Answer(status=200)"
