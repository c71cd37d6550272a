"""Headers: which can be sent, and which no model may set."""

from typing import Annotated, Any

import pytest
from pydantic import create_model

from charter import Api, DeclarationError, Header
from charter.headers import header_problem, is_closed_to_models, static_header_problem


@pytest.mark.parametrize(
    ("name", "value", "fine"),
    [
        ("X-A", "b", True),
        ("X_A", "", True),
        ("X-A", None, True),
        ("", "b", False),
        ("X A", "b", False),
        ("X-Ä", "b", False),
        ("X:A", "b", False),
        ("X-A", "b\r\n", False),
        ("X-A", "ä", False),
        ("X-A", 3, False),
        ("X-A", " ", False),
        ("X-A", "a ", False),
        ("X-A", "\ta", False),
        ("X-A", "a b", True),
        (3, "b", False),
        (None, "b", False),
    ],
)
def test_a_header_is_judged_by_name_and_value(name: str, value: Any, fine: bool) -> None:
    assert (header_problem(name, value) is None) is fine


@pytest.mark.parametrize(
    "name", ["Content-Length", "transfer-encoding", "Connection", "Upgrade", "TE", "Trailer", "Keep-Alive"]
)
def test_what_frames_a_request_is_no_static_header(name: str) -> None:
    assert static_header_problem(name, "1") == f"header {name} is written anew for each request"
    assert static_header_problem(name, None) is None
    assert static_header_problem("X-Team", "blue") is None


CLOSED = {
    "where the request goes": "X-Original-URL X-Rewrite-URL X-Original-Host X-Host X-HTTP-Method Forwarded Path-Info "
    "X-Proxy-URL X-Envoy-Original-Path Alt-Used Max-Forwards",
    "where it comes from": "X-Real-IP True-Client-IP X-Client-IP CF-Connecting-IP Fastly-Client-IP Origin Referer "
    "X-Cluster-Client-IP X-Remote-Addr X-Requested-With Access-Control-Request-Method",
    "who asks": "Cookie2 X-Auth-Token X-Auth-User X-Remote-User X-Forwarded-User X-User Impersonate-User "
    "X-On-Behalf-Of X-Api-Key X-Access-Token X-CSRF-Token X-Session-Id X-Amz-Security-Token PRIVATE-TOKEN "
    "X-Goog-IAP-JWT-Assertion X-Ms-Client-Principal-Id",
    "in another spelling": "x_real_ip X_ORIGINAL_URL x-auth_token",
}


@pytest.mark.parametrize("kind", CLOSED)
def test_a_header_that_says_where_from_or_who_is_closed_to_models(kind: str) -> None:
    api = Api("shop", base_url="https://shop.example")
    for name in CLOSED[kind].split():
        args = create_model("Ask", __doc__="Ask.", value=(Annotated[str, Header(name)], ...))
        with pytest.raises(
            DeclarationError, match=rf"^Ask.value: header '{name}' may not be set by a model\. Set it on"
        ):
            api.get("things", args)


@pytest.mark.parametrize(
    "name",
    "If-Match If-None-Match If-Modified-Since Range Prefer Accept Accept-Language Idempotency-Key X-Trace "
    "Stripe-Version Notion-Version X-GitHub-Api-Version Stripe-Account Content-Language Depth".split(),
)
def test_what_an_operation_needs_stays_open(name: str) -> None:
    assert not is_closed_to_models(name)
