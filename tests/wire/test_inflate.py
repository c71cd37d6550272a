"""Bodies collected: every encoding, padding, several members, caps."""

import gzip
import zlib

import pytest

from charter.wire.inflate import BrokenBodyError, Inflater

TEXT = b"tea and cake " * 50


def collect(encoding: str, body: bytes, *, step: int = 10_000, max_bytes: int = 10_000) -> bytes:
    inflater = Inflater(encoding, max_bytes)
    for at in range(0, len(body), step):
        inflater.feed(body[at : at + step])
    return inflater.finish()


@pytest.mark.parametrize("encoding", ["", "identity", "none", "None", "identity, none"])
def test_a_body_without_an_encoding_is_taken_as_it_is(encoding: str) -> None:
    assert collect(encoding, TEXT) == TEXT


@pytest.mark.parametrize("step", [1, 7, 10_000])
@pytest.mark.parametrize("padding", [b"", b"\0", b"\0" * 600])
def test_zeros_behind_gzip_are_padding(padding: bytes, step: int) -> None:
    assert collect("gzip", gzip.compress(TEXT) + padding, step=step) == TEXT
    two = gzip.compress(TEXT) + padding + gzip.compress(b"more")
    assert collect("gzip", two, step=step) == TEXT + b"more"


@pytest.mark.parametrize("wbits", [zlib.MAX_WBITS, -zlib.MAX_WBITS])
def test_deflate_comes_with_or_without_its_wrapper(wbits: int) -> None:
    packer = zlib.compressobj(wbits=wbits)
    assert collect("deflate", packer.compress(TEXT) + packer.flush(), step=3) == TEXT


@pytest.mark.parametrize(
    ("encoding", "body", "problem"),
    [
        ("br", b"\x0b", "the body is encoded as 'br'"),
        ("gzip, gzip", b"\x1f", "the body is encoded as 'gzip, gzip'"),
        ("gzip", b"nope", "the compressed body is broken"),
        ("deflate", b"nope nope nope", "the compressed body is broken"),
        ("gzip", gzip.compress(TEXT) + b"tail", "the compressed body is broken"),
        ("gzip", gzip.compress(TEXT)[:-3], "the compressed body is cut short"),
        ("", b"x" * 10_001, "the answer is larger than 10000 bytes"),
        ("gzip", gzip.compress(bytes(10_001)), "the answer is larger than 10000 bytes"),
    ],
)
def test_a_body_that_cannot_be_had_whole_is_told(encoding: str, body: bytes, problem: str) -> None:
    with pytest.raises(BrokenBodyError) as raised:
        collect(encoding, body)
    assert raised.value.problem == problem


def test_what_came_before_the_fault_is_kept_and_no_more_than_the_cap() -> None:
    inflater = Inflater("", max_bytes=5)
    inflater.feed(b"abc")
    with pytest.raises(BrokenBodyError):
        inflater.feed(b"defgh")
    assert inflater.so_far == b"abcde"
