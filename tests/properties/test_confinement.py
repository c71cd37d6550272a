"""No argument changes where a request goes: its origin, its path's prefix, or how many segments the path has."""

import re
import unicodedata
from urllib.parse import unquote

import httpx2
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from charter import CharterError
from tests.properties.echo import ORIGIN, PLACEMENTS, PREFIX, Caught, make_tool

ATTACKS = [
    "..", ".", "%2e%2e", "%252e%252e", "%25252e%25252e", "..%2f", "..%2F..", "..\\", "%5c..", "..%5c",
    "..;", "..;x=y", "a;b=c", "\uff0e\uff0e", "\u2025", "\u2024\u2024", "a\0b", "%00", "a?b", "a#b",
    "//evil", "@evil", "\\evil", "/", "//", "a/b", "a/../../b", "../../admin", " ", " ..", ".. ", "\t..",
    "%20..", "\ud800", "a" * 65_536, "https://evil.example/", "..%c0%af", "%2e%2e%2f%2e%2e%2f", ".%2e",
    "%2e.", "..%00", "..%0a", "....//", "x%2f..%2f..%2fy", "\u2215..\u2215", "\u29f5..", "%", "%2", "%zz",
    "~", "..%3b", ":80", "a:b@c",
]  # fmt: skip
TEXT = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=12),
    st.text("./\\%25eEfF;?#@: \u2025\uff0e", max_size=14),
    st.sampled_from(ATTACKS),
    st.builds("".join, st.lists(st.sampled_from(ATTACKS), max_size=3)),
)
SETTINGS = settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))


def normalise(path: str, separators: str, rounds: int) -> list[str]:
    """Return a path's segments as a server that decodes `rounds` times and resolves dots would see them."""
    for _ in range(rounds):
        path = unquote(path)
    kept: list[str] = []
    for segment in re.split(f"[{re.escape(separators)}]", unicodedata.normalize("NFKC", path)[1:]):
        bare = segment.split(";")[0]
        if bare == "..":
            kept = kept[:-1]
        elif bare != ".":
            kept.append(segment)
    return kept


def assert_confined(request: httpx2.Request, *, spanning: bool) -> None:
    raw = request.url.raw_path.decode("ascii")
    path = raw.split("?")[0]
    assert "?" not in raw
    for separators in ("/", "/\\"):
        for rounds in range(4):
            segments = normalise(path, separators, rounds)
            assert segments[:2] == ["v1", "things"], raw
            assert segments[-1] == "parts", raw
            assert len(segments) >= 4, raw
    if not spanning:
        assert len(path.split("/")) == 5, raw


@pytest.mark.parametrize("placement", ["path", "path with slashes"])
@SETTINGS
@given(value=TEXT)
@example(value="")
def test_a_value_cannot_leave_its_segment(caught: Caught, placement: str, value: str) -> None:
    outcome = caught.call(make_tool(str, placement), {"value": value})
    if value == "":
        assert isinstance(outcome, CharterError)
    if isinstance(outcome, httpx2.Request):
        assert_confined(outcome, spanning=placement != "path")


@pytest.mark.parametrize("placement", ["path", "path with slashes"])
@pytest.mark.parametrize("value", ATTACKS)
def test_known_attacks_stay_in_their_segment(caught: Caught, placement: str, value: str) -> None:
    outcome = caught.call(make_tool(str, placement), {"value": value})
    if isinstance(outcome, httpx2.Request):
        assert_confined(outcome, spanning=placement != "path")


def test_every_plane_of_unicode_stays_in_its_segment(caught: Caught) -> None:
    tool = make_tool(str, "path")
    blocks = [*range(0, 0x3000, 1), *range(0x3000, 0x110000, 0x101)]
    for start in range(0, len(blocks), 64):
        value = "x" + "".join(
            chr(code) for code in blocks[start : start + 64] if not 0xD800 <= code <= 0xDFFF
        )
        outcome = caught.call(tool, {"value": value})
        if isinstance(outcome, httpx2.Request):
            assert_confined(outcome, spanning=False)


def test_plain_values_are_not_refused(caught: Caught) -> None:
    for value in (
        "cus_123",
        "a.b",
        "..a",
        "a..b",
        "primary",
        "me@example.com",
        "a b",
        "ü",
        "2024-01-01",
        "a:b",
        "50%",
    ):
        assert isinstance(caught.call(make_tool(str, "path"), {"value": value}), httpx2.Request), value


@pytest.mark.parametrize("placement", PLACEMENTS)
@SETTINGS
@given(value=TEXT)
def test_the_origin_is_the_declared_one(caught: Caught, placement: str, value: str) -> None:
    outcome = caught.call(make_tool(str, placement), {"value": value})
    if isinstance(outcome, httpx2.Request):
        url = outcome.url
        assert f"{url.scheme}://{url.host}:{url.port}" == ORIGIN
        assert url.path.startswith(PREFIX)
        assert url.userinfo == b""
        assert outcome.headers["host"] == "api.example:8443"


@pytest.mark.parametrize("placement", ["query", "deep query"])
@SETTINGS
@given(value=TEXT)
def test_a_query_value_adds_no_parameter(caught: Caught, placement: str, value: str) -> None:
    outcome = caught.call(make_tool(str, placement), {"value": value})
    if isinstance(outcome, httpx2.Request):
        assert list(outcome.url.params.multi_items()) == [("value", value)]


KEYS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=6) | st.sampled_from(
    ["a&admin=1", "a]", "[a", "a[b]", "][", "a=b", "a#", "a;b", "a%5D"]
)


@SETTINGS
@given(
    value=st.dictionaries(
        KEYS, st.text(st.characters(exclude_categories=("Cs",)), max_size=6), min_size=1, max_size=3
    )
)
def test_a_query_key_stays_below_its_parameter(caught: Caught, value: dict[str, str]) -> None:
    outcome = caught.call(make_tool(dict[str, str], "deep query"), {"value": value})
    if isinstance(outcome, httpx2.Request):
        assert sorted(outcome.url.params.multi_items()) == sorted(
            (f"value[{key}]", one) for key, one in value.items()
        )
