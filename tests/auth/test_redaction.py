"""Redaction: a secret is found in every spelling, and nothing else is touched."""

import html
import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.auth.redaction import Redactor, find_secrets

SECRET = "sk/live+1234=abcd"
PRINTABLE = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=6, max_size=40)


def escape_json(text: str) -> str:
    return "".join(f"\\u{ord(character):04X}" if not character.isalnum() else character for character in text)


ENCODERS = [str, quote, quote_plus, html.escape, escape_json, lambda text: json.dumps(text)[1:-1]]


@given(
    PRINTABLE,
    st.sampled_from(ENCODERS),
    st.sampled_from(ENCODERS),
    st.text(max_size=20),
    st.text(max_size=20),
)
def test_a_secret_is_taken_out_of_any_text_in_any_two_encodings(
    secret: str, inner: Any, outer: Any, before: str, after: str
) -> None:
    redactor = Redactor([secret])
    assert not redactor.finds(redactor.text(f"{before}{outer(inner(secret))}{after}"))


JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, PRINTABLE, st.booleans())
def test_json_stays_json_and_what_holds_no_secret_stays_as_it_was(
    value: Any, secret: str, ascii_only: bool
) -> None:
    redactor = Redactor([secret])
    body = {"before": value, secret: [f"x {secret} y"], "after": value}
    read = json.loads(redactor.json(json.dumps(body, ensure_ascii=ascii_only)))
    assert not redactor.finds(json.dumps(read))
    if not redactor.finds(json.dumps(value)):
        assert [read["before"], read["after"]] == [value, value]


def test_what_holds_no_secret_is_handed_back_itself() -> None:
    redactor = Redactor([SECRET])
    for text in ("", "an answer", "50%25 \\u003cb\\u003e &#39; sk/live+1235=abcd", '{"a": 1}'):
        assert redactor.text(text) is text
        assert redactor.json(text) == text
        assert redactor.body(text.encode()) == text.encode()


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ('{"a":"x sk\\/live\\u002b1234=abcd y","n":1.10,"n":2}', '{"a":"x [redacted] y","n":1.10,"n":2}'),
        ('{"sk/live+1234=abcd":1e400}', '{"[redacted]":1e400}'),
        ('["a\\nsk/live+1234=abcd\\ud83d\\ude00"]', '["a\\n[redacted]\\ud83d\\ude00"]'),
        ('"sk/live+1234=abcd', '"[redacted]'),
        ("sk/live+1234=abcd", "[redacted]"),
        ('{"a":sk/live+1234=abcd}', '{"a":[redacted]}'),
    ],
)
def test_only_the_strings_that_hold_it_change(written: str, kept: str) -> None:
    assert Redactor([SECRET]).json(written) == kept


def test_a_secret_of_digits_is_known_as_a_number() -> None:
    assert Redactor(["123456789"]).json('{"pin": 123456789, "n": 12}') == '{"pin": "[redacted]", "n": 12}'


def test_an_escape_before_a_secret_is_not_torn() -> None:
    # A line break, and then what is the secret without its first letter.
    written = '["\\nsecret-12345", "nsecret-12345"]'
    assert Redactor(["nsecret-12345"]).json(written) == '["\\nsecret-12345", "[redacted]"]'


def test_the_longest_of_nested_secrets_goes_as_a_whole() -> None:
    assert Redactor(["secret", "my-secret-99"]).text("my-secret-99 secret") == "[redacted] [redacted]"


def test_what_is_too_short_to_be_told_apart_stays() -> None:
    assert Redactor(["an", "", " abc "]).text("an apple abc") == "an apple abc"


def test_a_body_of_bytes_loses_what_was_sent_alone() -> None:
    assert Redactor([SECRET]).body(b"\0\xff" + SECRET.encode() + b"%2B\x80") == b"\0\xff[redacted]%2B\x80"


def test_nothing_of_it_is_shown() -> None:
    assert repr(Redactor([SECRET])) == "Redactor(1 values)"


BASIC = b64encode(b"ann@example.com:pa55word").decode()
KEYED = b64encode(b"sk_live_1234:").decode()


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        ({"X-Team": "blue", "Idempotency-Key": "order-1042", "X-Author": "Ann Smith"}, set()),
        ({"X-Subject-Token": "t0ken-1"}, {"t0ken-1"}),
        ({"X-Upstream": "Bearer t0ken-1"}, {"t0ken-1"}),
        ({"Authorization": "t0ken-1"}, {"t0ken-1"}),
        (
            {"Authorization": f"Basic {BASIC}"},
            {BASIC, "ann@example.com:pa55word", "pa55word"},
        ),
        ({"Authorization": f"basic {KEYED}"}, {KEYED, "sk_live_1234:", "sk_live_1234"}),
        ({"Authorization": "Basic no-base64!"}, {"no-base64!"}),
        (
            {"Cookie": "lang=english; session=abc123; t=0123456789abcdef0"},
            {"lang=english; session=abc123; t=0123456789abcdef0", "abc123", "0123456789abcdef0"},
        ),
        ({"X-Key": None, "X-Token": ""}, set()),
    ],
)
def test_what_is_secret_in_headers_is_told_by_name_or_scheme(
    headers: Mapping[str, str | None], found: set[str]
) -> None:
    assert set(find_secrets(headers)) == found


def test_a_reference_of_thousands_of_digits_is_no_reason_to_fail() -> None:
    redactor = Redactor([SECRET])
    hostile = f"&#{'9' * 5_000}; {quote(SECRET, safe='')}"
    assert not redactor.finds(redactor.text(hostile))
    assert redactor.finds(hostile)
