"""Requests are read and routed by method and path."""

import pytest

from charter.cli.demo.routes import Reply, Request, Routes, read_form, read_request


def test_a_route_fits_by_method_and_whole_path() -> None:
    routes = Routes()
    routes.add("GET", "/a/{name}", lambda request, name: Reply(name))
    assert routes.answer(Request("GET", "/a/x%2Fy", [], {})) == Reply("x/y")
    for method, path in (("POST", "/a/x"), ("GET", "/a/x/b"), ("GET", "/a/")):
        assert routes.answer(Request(method, path, [], {})) is None


def test_a_request_is_read_off_the_wire() -> None:
    request = read_request("GET", "/a?x=1&x=2&y=", {"Content-Type": "t"}, b"")
    assert (request.path, request.values("x"), request.value("y", "z"), request.value("w", "z")) == (
        "/a",
        ["1", "2"],
        "",
        "z",
    )
    assert request.headers == {"content-type": "t"}


@pytest.mark.parametrize("body", [b"", b"[1]", b"{", b"\xff"])
def test_a_body_that_is_no_object_is_an_empty_one(body: bytes) -> None:
    assert Request("POST", "/", [], {}, body).json() == {}


def test_a_form_is_read_with_its_brackets() -> None:
    assert read_form(b"a=1&b[c]=2&b[d]=%20") == {"a": "1", "b": {"c": "2", "d": " "}}
