"""JSON read strictly, whole or in pieces: the same values, the same refusals, and no piece is long."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from charter import strict_json
from charter.strict_json import BrokenJSONError, RepeatedKeyError, read_json, replace_surrogates

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text() | st.sampled_from(['","', '"],["', "\\", '\\"', "[", "},{", "a,b", "\n"])
VALUES = st.recursive(
    SCALARS | TEXTS,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=60,
)
BROKEN = {
    "": "not JSON (Expecting value: line 1 column 1 (char 0))",
    "[1 2]": "not JSON (Expecting ',' delimiter: line 1 column 4 (char 3))",
    '{"a": }': "not JSON (Expecting value: line 1 column 7 (char 6))",
    '{"a" 1}': "not JSON (Expecting ':' delimiter: line 1 column 6 (char 5))",
    "{1: 2}": "not JSON (Expecting property name enclosed in double quotes: line 1 column 2 (char 1))",
    '{"a": "b': "not JSON (Unterminated string starting at: line 1 column 7 (char 6))",
    "[1] 2": "not JSON (Extra data: line 1 column 5 (char 4))",
    '"\n"': "not JSON (Invalid control character at: line 1 column 2 (char 1))",
    "[NaN]": "JSON with NaN",
    "[-Infinity]": "JSON with -Infinity",
    "[1, 1e999]": "JSON with a number too large for a float",
    '[{"a": 1, "b": 2, "a": 3}]': "JSON that gives a key twice",
    f"[{'9' * 5_000}]": "not JSON (a number has too many digits)",
    "[" * 3_000: "not JSON that can be read (it is nested too deeply)",
    "[" * 3_000 + "]" * 3_000: "not JSON that can be read (it is nested too deeply)",
}


@pytest.fixture(params=[1, 7, 60, 65_536])
def piece(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(strict_json, "PIECE", request.param)
    return request.param


@pytest.mark.parametrize("size", [1, 5, 23, 100])
@settings(max_examples=80, deadline=None)
@given(value=VALUES, indent=st.sampled_from([None, 0, 2]), ascii_only=st.booleans())
def test_a_text_is_read_the_same_in_pieces_of_any_size(
    size: int, value: Any, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict_json, "PIECE", size)
        assert read_json(text) == json.loads(text)


@settings(max_examples=200, deadline=None)
@given(
    st.text('[]{},:" \\ue1.-0tn', max_size=30), st.sampled_from([1, 3, 8]), st.sampled_from([-1, 4, 10_000])
)
def test_any_text_is_read_as_json_is_or_refused(text: str, size: int, in_vain: int) -> None:
    def read() -> Any:
        try:
            return read_json(text)
        except BrokenJSONError as error:
            return str(error)

    whole = read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict_json, "PIECE", size)
        patch.setattr(strict_json, "_MOST_IN_VAIN", in_vain)
        pieces = read()
    if isinstance(whole, str) and whole.startswith("not JSON"):
        assert isinstance(pieces, str)
    else:
        assert pieces == whole


@pytest.mark.parametrize(("text", "problem"), BROKEN.items(), ids=lambda value: value[:20])
def test_what_is_not_strict_json_is_refused_and_says_where(piece: int, text: str, problem: str) -> None:
    with pytest.raises(BrokenJSONError) as raised:
        read_json(text)
    assert str(raised.value) == problem


def test_a_key_given_twice_is_named(piece: int) -> None:
    with pytest.raises(RepeatedKeyError) as raised:
        read_json('{"x": [{"to": 1, "cc": 2, "to": 3}]}')
    assert raised.value.key == "to"


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([[at] for at in range(60_000)]),
        json.dumps({"data": [{"id": at, "tags": ["a,b", "],["]} for at in range(20_000)]}, indent=1),
        json.dumps({str(at): {"id": [at]} for at in range(40_000)}),
        json.dumps([[[1, 2], [at]] for at in range(40_000)]),
        "[" + ",".join(["[" * 100 + "[1]," * 9_000 + "1" + "]" * 100] * 20) + "]",
    ],
    ids=["small lists", "objects", "a map", "lists of lists", "long and deep"],
)
def test_no_part_that_is_read_in_one_go_is_longer_than_a_piece(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[int] = []
    scan = strict_json._DECODER.scan_once

    class Counted:
        def scan_once(self, part: str, at: int) -> Any:
            handed.append(len(part) - at)
            return scan(part, at)

    monkeypatch.setattr(strict_json, "_DECODER", Counted())
    assert read_json(text) == json.loads(text)
    assert max(handed) <= strict_json.PIECE + 2
    assert len(handed) < 200_000


def test_reading_stops_where_the_watcher_says_so() -> None:
    class EnoughError(Exception):
        pass

    seen: list[int] = []

    def watch(part: Any) -> None:
        seen.append(len(part) if isinstance(part, list) else 1)
        if sum(seen) > 20_000:
            raise EnoughError

    with pytest.raises(EnoughError):
        read_json("[" + "1," * 3_000_000 + "1]", watch)
    assert sum(seen) < 20_000 + strict_json.PIECE


def test_half_a_surrogate_pair_is_replaced_and_a_whole_one_kept() -> None:
    read = read_json(r'{"a\udc00": ["x\ud83d", {"b": "\ud83d\ude00"}], "c": "\\ud83d", "d": 1}')
    assert replace_surrogates(read) == {"a�": ["x�", {"b": "😀"}], "c": "\\ud83d", "d": 1}
    assert replace_surrogates("\ud800") == "�"
    assert replace_surrogates("\ud800ab" * 50_000) == "�ab" * 50_000
