"""No argument adds a header, a line, or a cookie to a request."""

from typing import Annotated

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import create_model

from charter import Api, ApiKey, DeclarationError, Header
from tests.properties.echo import PLACEMENTS, Caught, make_tool

ATTACKS = [
    "a\r\nX-Evil: 1",
    "a\nb",
    "a\rb",
    "\r\n\r\n",
    "a\0b",
    "a\r\n folded",
    "\x0b",
    "\x85",
    "\u2028",
    "é",
    "\ud800",
    " a ",
    "\t",
]
NAMES = {
    "host",
    "accept",
    "accept-encoding",
    "connection",
    "user-agent",
    "authorization",
    "x-value",
    "content-type",
    "content-length",
}
SETTINGS = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
TEXT = st.text(st.characters(exclude_categories=()), max_size=20) | st.sampled_from(ATTACKS)


def assert_whole(request: httpx2.Request) -> None:
    names = [name.lower().decode("ascii") for name, _ in request.headers.raw]
    assert len(names) == len(set(names))
    assert set(names) <= NAMES
    for name, value in request.headers.raw:
        assert not set(b"\r\n\0") & set(name + value)
    assert request.headers["authorization"] == "Bearer token-1"


@pytest.mark.parametrize("placement", PLACEMENTS)
@SETTINGS
@given(value=TEXT)
def test_a_value_adds_no_header_and_no_line(caught: Caught, placement: str, value: str) -> None:
    outcome = caught.call(make_tool(str, placement), {"value": value})
    if isinstance(outcome, httpx2.Request):
        assert_whole(outcome)


@pytest.mark.parametrize("value", ATTACKS[:6])
def test_a_header_value_with_a_break_is_refused(caught: Caught, value: str) -> None:
    assert not isinstance(caught.call(make_tool(str, "header"), {"value": value}), httpx2.Request)


@SETTINGS
@given(values=st.lists(TEXT, min_size=1, max_size=4))
def test_a_list_in_a_header_is_one_header(caught: Caught, values: list[str]) -> None:
    outcome = caught.call(make_tool(list[str], "header"), {"value": values})
    if isinstance(outcome, httpx2.Request):
        assert_whole(outcome)


RESERVED = [
    "Host", "content-length", "Transfer-Encoding", "CONNECTION", "Cookie", "Authorization", "X-Forwarded-For", "TE",
    "X-HTTP-Method-Override", "Proxy-Authorization", "Upgrade", "Content-Type", "X-Key", "X-Fixed", "a b", "a:b",
    "a\r\nb", "é",
]  # fmt: skip


@pytest.mark.parametrize("name", RESERVED)
def test_a_model_may_not_set_this_header(name: str) -> None:
    api = Api(
        "keyed", base_url="https://api.example/", auth=ApiKey("k", header="X-Key"), headers={"X-Fixed": "1"}
    )
    args = create_model("Ask", __doc__="Ask.", value=(Annotated[str, Header(name)], ...))
    with pytest.raises(DeclarationError):
        api.get("things", args)
