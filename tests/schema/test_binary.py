"""Base64 as models write it."""

from base64 import b64encode, urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.schema.binary import read_base64, size_base64


@given(st.binary())
def test_any_bytes_are_read_back_however_they_are_written(data: bytes) -> None:
    for text in (b64encode(data).decode(), urlsafe_b64encode(data).decode()):
        assert read_base64(text) == read_base64(text.rstrip("=")) == data
    text = b64encode(data).decode()
    assert read_base64("\r\n".join(text[at : at + 76] for at in range(0, len(text), 76))) == data
    assert size_base64(len(data), padded=True) == len(text)
    assert size_base64(len(data), padded=False) == len(text.rstrip("="))


@pytest.mark.parametrize("text", ["a", "abcde", "a=bc", "====", "ab!d", "ä", "data:image/png;base64,iVBO"])
def test_what_is_no_base64_is_told_apart(text: str) -> None:
    assert read_base64(text) is None
