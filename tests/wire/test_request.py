"""Requests: what a plan and validated arguments become, before credentials and without a connection."""

import json
from typing import Annotated, Any
from urllib.parse import parse_qsl

import httpx2
import pytest
from pydantic import Base64Bytes, BaseModel, create_model

import charter.wire.request
from charter import (
    Body,
    Case,
    Clearable,
    EmailContent,
    Format,
    Header,
    Mode,
    Path,
    Query,
    ToolValidationError,
    TransformError,
    WireName,
)
from charter.headers import header_problem
from charter.plan import Conventions, read_plan
from charter.schema.view import validate_arguments
from charter.wire.request import Statics, WireRequest, build_request, merge_headers

BASE = "https://api.example/v1/"


class Inner(BaseModel):
    first_name: str | None = None
    sizes: list[int] = []


def build(
    method: str,
    route: str,
    arguments: dict[str, Any],
    *,
    statics: Statics | None = None,
    conventions: Conventions | None = None,
    **fields: Any,
) -> WireRequest:
    written = {name: field if isinstance(field, tuple) else (field, ...) for name, field in fields.items()}
    args: type[BaseModel] = create_model("Args", **written)
    plan = read_plan("tool", method, route, args, conventions or Conventions())
    return build_request(plan, validate_arguments(plan, arguments), statics or Statics(), BASE)


def test_a_get_fills_path_and_query() -> None:
    request = build(
        "GET",
        "users/{user_id}/mail",
        {"userId": "a b", "q": "is:unread", "max": 3},
        user_id=str,
        q=str,
        max=int,
    )
    assert (request.method, request.url) == ("GET", BASE + "users/a%20b/mail?q=is%3Aunread&max=3")
    assert (request.content, dict(request.headers)) == (None, {"Accept": "application/json"})


def test_a_post_sends_json() -> None:
    request = build("POST", "things", {"name": "ä", "inner": {"sizes": [1]}}, name=str, inner=Inner)
    assert request.content == '{"name":"ä","inner":{"sizes":[1]}}'.encode()
    assert request.headers["Content-Type"] == "application/json"


def test_a_post_sends_a_form_where_the_api_does() -> None:
    form = Conventions(body="form")
    request = build(
        "POST", "things", {"name": "x", "inner": {"sizes": [1]}}, conventions=form, name=str, inner=Inner
    )
    assert request.content == b"name=x&inner%5Bsizes%5D%5B0%5D=1"
    assert request.headers["Content-Type"] == "application/x-www-form-urlencoded"


def test_what_is_unset_or_null_is_not_sent() -> None:
    fields = {"a": (str, "default"), "b": (str | None, None), "c": (int, 3)}
    assert build("GET", "things", {"b": None}, **fields).url == BASE + "things"
    assert build("POST", "things", {"c": 3}, **fields).content == b'{"c":3}'
    assert build("POST", "things", {}, **fields).content == b"{}"


@pytest.mark.parametrize(
    ("annotation", "arguments", "content"),
    [
        (Inner, {"value": {"first_name": "x"}}, b'{"firstName":"x"}'),
        (list[str], {"value": ["a"]}, b'["a"]'),
        (dict[str, int], {"value": {"a_b": 1}}, b'{"a_b":1}'),
        (Annotated[Inner, Body(embed=True)], {"value": {"first_name": "x"}}, b'{"value":{"firstName":"x"}}'),
        (str, {"value": "x"}, b'{"value":"x"}'),
        (Annotated[str, Body(raw="text/plain")], {"value": "ä"}, "ä".encode()),
        (Annotated[bytes, Body(raw="text/plain")], {"value": "w6Q="}, "ä".encode()),
        (Annotated[Base64Bytes, Body(raw="image/png")], {"value": "/wD+"}, b"\xff\x00\xfe"),
    ],
    ids=str,
)
def test_a_lone_field_is_the_body_or_keeps_its_name(
    annotation: Any, arguments: dict[str, Any], content: bytes
) -> None:
    assert (
        build("POST", "things", arguments, conventions=Conventions(Case.CAMEL), value=annotation).content
        == content
    )


def test_an_optional_body_that_is_left_out_sends_none() -> None:
    request = build("POST", "things", {}, inner=(Inner | None, None))
    assert request.content is None
    assert "Content-Type" not in request.headers
    assert (
        build("POST", "things", {}, text=(Annotated[str | None, Body(raw="text/plain")], None)).content
        is None
    )


def test_a_field_that_is_never_seen_changes_nothing_of_the_body() -> None:
    seen = (Annotated[str | None, Mode("response_only")], None)
    assert build("POST", "things", {"inner": {}}, inner=Inner, id=seen).content == b'{"inner":{}}'


def test_a_format_makes_the_raw_body() -> None:
    mail = Annotated[EmailContent, Format("rfc822"), Body(raw="message/rfc822")]
    request = build(
        "POST", "send", {"mail": {"to": ["a@x.org"], "subject": "Hi", "text": "Hello"}}, mail=mail
    )
    assert request.content
    assert b"Subject: Hi" in request.content
    assert request.headers["Content-Type"] == "message/rfc822"


def reverse(data: str) -> bytes:
    return bytes(255 - byte for byte in data.encode())


def test_a_format_may_make_a_raw_body_that_is_no_text_but_nothing_else() -> None:
    raw = Annotated[str, Format(reverse), Body(raw="application/octet-stream")]
    assert build("POST", "things", {"value": "ab"}, value=raw).content == b"\x9e\x9d"
    for method, mark in (("POST", Body()), ("GET", Query()), ("GET", Header("X-Value"))):
        with pytest.raises(TransformError, match=r"^tool: "):
            build(method, "things", {"value": "ab"}, value=Annotated[str, Format(reverse), mark])


def make_object(_: str) -> object:
    return object()


def test_a_format_that_makes_no_json_is_a_transform_error() -> None:
    for method in ("GET", "POST"):
        with pytest.raises(TransformError, match=r"^tool: "):
            build(method, "things", {"value": "x"}, value=Annotated[str, Format(make_object)])


@pytest.mark.parametrize(
    ("annotation", "value", "segment"),
    [
        (str, "a/b", "a%2Fb"),
        (int, "7", "7"),
        (bool, True, "true"),
        (list[str], ["a", "b,c"], "a,b%2Cc"),
        (Annotated[str, Path(allow_slash=True)], "a/b c", "a/b%20c"),
    ],
    ids=str,
)
def test_a_hole_takes_a_scalar_or_a_list(annotation: Any, value: Any, segment: str) -> None:
    assert build("GET", "x/{value}/y", {"value": value}, value=annotation).url == f"{BASE}x/{segment}/y"


def test_a_hole_is_filled_by_a_default_too() -> None:
    me = (Annotated[str, Mode("disabled")], "me")
    assert build("GET", "users/{user}", {}, user=me).url == BASE + "users/me"
    assert build("GET", "users/{user}", {}, user=(str, "me")).url == BASE + "users/me"
    assert build("GET", "users/{user}", {"user": None}, user=(str, "me")).url == BASE + "users/me"


def test_headers_are_written_as_text() -> None:
    request = build(
        "GET",
        "things",
        {"etag": '"x"', "sizes": [1, 2], "dry": True},
        etag=Annotated[str, Header("If-Match")],
        sizes=Annotated[list[int], Header()],
        dry=Annotated[bool, Header("X-Dry")],
        none=(Annotated[str | None, Header("X-None")], None),
    )
    assert dict(request.headers) == {
        "Accept": "application/json",
        "If-Match": '"x"',
        "Sizes": "1, 2",
        "X-Dry": "true",
    }


@pytest.mark.parametrize("value", ["a\r\nX: b", "a\nb", "a\rb", "a\0b", "ä", "\u2028", "a\tb"])
def test_a_header_value_with_a_line_break_is_refused(value: str) -> None:
    with pytest.raises(ToolValidationError) as raised:
        build("GET", "things", {"value": value}, value=Annotated[str, Header("X-Value")])
    assert [problem["field"] for problem in raised.value.errors] == ["value"]


def test_what_is_static_is_always_sent() -> None:
    statics = Statics(
        query={"alt": "json", "gone": None, "deep": {"a": [1]}, "list": [1, 2]},
        headers={"X-Version": "3", "accept": "text/csv"},
        body={"kind": "x"},
    )
    request = build(
        "POST",
        "things",
        {"name": "y"},
        statics=statics,
        conventions=Conventions(has_static_body=True),
        name=str,
    )
    assert request.url == BASE + "things?alt=json&deep%5Ba%5D%5B0%5D=1&list=1&list=2"
    assert dict(request.headers) == {
        "accept": "text/csv",
        "Content-Type": "application/json",
        "X-Version": "3",
    }
    assert request.content == b'{"name":"y","kind":"x"}'


@pytest.mark.parametrize(
    ("sources", "merged"),
    [
        ([{"A": "1"}, {"a": "2"}], {"a": "2"}),
        ([{"A": "1"}, {"a": None}], {}),
        ([{"A": "1"}, {"a": None}, {"A": "3"}], {"A": "3"}),
        ([{"A": "1", "a": "2"}], {"a": "2"}),
        ([{"A": "1"}, {"B": None}], {"A": "1"}),
        ([], {}),
    ],
)
def test_headers_merge_without_regard_to_case(
    sources: list[dict[str, str | None]], merged: dict[str, str]
) -> None:
    assert merge_headers(*sources) == merged


def test_credentials_in_the_query_come_last() -> None:
    request = WireRequest("GET", BASE + "x", {})
    assert request.with_query({}).url == BASE + "x"
    assert request.with_query({"key": "a&b"}).url == BASE + "x?key=a%26b"
    assert request.with_query({"key": "1"}).with_query({"b": "2"}).url == BASE + "x?key=1&b=2"


def test_no_argument_stands_in_for_a_credential_in_the_query() -> None:
    for name in ("key", "k%65y"):
        request = WireRequest("GET", f"{BASE}x?a=1&{name}=mine&key=too&keys=2", {})
        assert request.with_query({"key": "s3cret"}).url == BASE + "x?a=1&keys=2&key=s3cret"


def test_no_member_of_a_map_stands_in_for_a_static_parameter() -> None:
    statics = Statics(query={"filter": {"owner": "me"}, "filter[team]": "mine"})
    deep = Annotated[dict[str, str], Query(style="deep")]
    given = {"filters": {"owner": "you", "team": "yours", "name": "x"}}
    named = Annotated[dict[str, str], Query(style="deep"), WireName("filter")]
    request = build("GET", "things", given, statics=statics, filters=named)
    assert parse_qsl(request.url.partition("?")[2]) == [
        ("filter[name]", "x"),
        ("filter[owner]", "me"),
        ("filter[team]", "mine"),
    ]
    assert "owner%5D=you" in build("GET", "things", given, statics=statics, filters=deep).url


def test_a_requests_repr_shows_neither_headers_nor_body() -> None:
    shown = repr(WireRequest("POST", BASE + "x", {"Authorization": "Bearer t0ken"}, b"s3cret"))
    assert "t0ken" not in shown
    assert "s3cret" not in shown


def test_no_request_leaves_the_base_url() -> None:
    fields = {"id": str, "q": str}
    for value in ("//evil.example", "http://evil.example", "@evil.example", "\\evil.example", "a?b#c"):
        request = build("GET", "things/{id}", {"id": value, "q": value}, **fields)
        assert request.url.startswith(BASE + "things/")
        assert request.url.count("?") == 1


Text = Annotated[str | None, Clearable()]


class Dated(BaseModel):
    day: Text = None


CLEARING: dict[str, Any] = {
    "note": (Text, None),
    "start": (Dated | None, None),
    "keys": (dict[str, Text], {}),
}


def test_a_body_carries_the_null_that_clears() -> None:
    given = {"note": None, "start": {"day": None}, "keys": {"k": None}}
    request = build("PATCH", "things", given, **CLEARING)
    assert request.content == b'{"note":null,"start":{"day":null},"keys":{"k":null}}'
    graphql = build("POST", "things", given, conventions=Conventions(body_under="variables"), **CLEARING)
    assert graphql.content == b'{"variables":{"note":null,"start":{"day":null},"keys":{"k":null}}}'


def test_a_form_says_null_with_an_empty_value() -> None:
    given = {"note": None, "start": {"day": None}, "keys": {"k": None}}
    request = build("POST", "things", given, conventions=Conventions(body="form"), **CLEARING)
    assert request.content == b"note=&start%5Bday%5D=&keys%5Bk%5D="


@pytest.mark.parametrize("encoding", ["json", "form"])
def test_a_patch_that_would_change_nothing_is_refused_by_what_it_can_change(encoding: Any) -> None:
    with pytest.raises(
        ToolValidationError, match="would change nothing; give at least one of note, start, keys"
    ):
        build("PATCH", "things/{id}", {"id": "1"}, conventions=Conventions(body=encoding), id=str, **CLEARING)


def test_a_patch_of_one_whole_object_is_refused_when_it_is_empty() -> None:
    with pytest.raises(
        ToolValidationError, match="would change nothing; give at least one of first_name, sizes"
    ):
        build("PATCH", "things", {"inner": {}}, inner=Inner)


def test_a_patch_whose_change_is_no_argument_is_sent() -> None:
    assert build("PATCH", "things/{id}/start", {"id": "1"}, id=str).content is None
    statics = Statics(body={"archived": True})
    conventions = Conventions(has_static_body=True)
    request = build(
        "PATCH", "things/{id}", {"id": "1"}, statics=statics, conventions=conventions, id=str, **CLEARING
    )
    assert request.content == b'{"archived":true}'


ISSUES = Conventions(also=("orgs/{org}/issues", "issues"))
PLACES: dict[str, Any] = dict.fromkeys(("owner", "repo", "org"), (str | None, None)) | {
    "state": (str | None, None)
}


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ({"owner": "a", "repo": "b"}, "repos/a/b/issues"),
        ({"org": "o/p"}, "orgs/o%2Fp/issues"),
        ({"state": "open", "org": None}, "issues?state=open"),
    ],
    ids=str,
)
def test_the_route_is_taken_whose_holes_are_given(given: dict[str, Any], url: str) -> None:
    request = build("GET", "repos/{owner}/{repo}/issues", given, conventions=ISSUES, **PLACES)
    assert request.url == BASE + url
    assert request.template in ("repos/{owner}/{repo}/issues", *ISSUES.also)


@pytest.mark.parametrize("given", [{"owner": "a"}, {"owner": "a", "repo": "b", "org": "c"}], ids=str)
def test_arguments_that_no_route_takes_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ToolValidationError, match="give owner and repo, or org, or none of these"):
        build("GET", "repos/{owner}/{repo}/issues", given, conventions=ISSUES, **PLACES)


DRAFT: dict[str, Any] = {
    "name": (str | None, None),
    "mime": (Annotated[str | None, Body(raw="message/rfc822")], None),
}


@pytest.mark.parametrize(
    ("given", "content", "media_type"),
    [
        ({"name": "x"}, b'{"name":"x"}', "application/json"),
        ({"mime": "Subject: x\n\ny"}, b"Subject: x\n\ny", "message/rfc822"),
        ({"mime": None}, b"{}", "application/json"),
    ],
    ids=str,
)
def test_a_body_is_an_object_or_text_by_what_is_given(
    given: dict[str, Any], content: bytes, media_type: str
) -> None:
    request = build("POST", "drafts", given, **DRAFT)
    assert (request.content, request.headers["Content-Type"]) == (content, media_type)


def test_an_object_and_a_text_are_not_given_together() -> None:
    with pytest.raises(ToolValidationError, match="mime: is the whole body; give it without name"):
        build("POST", "drafts", {"name": "x", "mime": "y"}, **DRAFT)


@pytest.mark.parametrize("value", [[], ["a", ""], ["..", "a"], ["a", "%2e%2e"]], ids=str)
def test_a_hole_takes_no_list_with_nothing_in_it_and_no_way_out(value: Any) -> None:
    with pytest.raises(ToolValidationError, match="value: (is empty|holds a dot segment)"):
        build("GET", "x/{value}", {"value": value}, value=list[str])


TAGS: dict[str, Any] = {"tags": Annotated[list[str], Header("X-Tags")]}


def test_a_list_in_a_header_reads_back_the_same() -> None:
    for tags in (["a", "b c"], ['"a,b"', 'W/"c"'], ["a;q=1"]):
        assert build("GET", "x", {"tags": tags}, **TAGS).headers["X-Tags"] == ", ".join(tags)
    assert "X-Tags" not in build("GET", "x", {"tags": []}, **TAGS).headers
    for tags in (["a,b"], ["a", ""], [" a"], ["a "], ['"a,b']):
        with pytest.raises(ToolValidationError, match="tags: an item holds a comma"):
            build("GET", "x", {"tags": tags}, **TAGS)


class Filters(BaseModel):
    category: str | None = None
    pages: list[int] = []


SPREAD = Annotated[Filters | None, Query(style="spread")]
FREE = Annotated[dict[str, str | list[str]], Query(style="spread")]


@pytest.mark.parametrize(
    ("annotation", "value", "query"),
    [
        (Annotated[list[str], Query(style="pipe")], ["a", "b c"], "value=a%7Cb%20c"),
        (Annotated[list[int], Query(style="space")], [1, 2], "value=1%202"),
        (Annotated[list[str], Query(style="comma")], ["a,b", "c"], "value=a%2Cb,c"),
        (Annotated[list[str], Query(style="pipe")], [], ""),
        (SPREAD, {"category": "books", "pages": [1, 2]}, "category=books&pages=1&pages=2"),
        (FREE, {"a": "1", "b": ["2", "3"]}, "a=1&b=2&b=3"),
        (Annotated[list[str], Query(style="spread")], ["a", "b"], "value=a&value=b"),
    ],
    ids=str,
)
def test_a_query_is_written_in_each_style(annotation: Any, value: Any, query: str) -> None:
    assert build("GET", "x", {"value": value}, value=annotation).url == BASE + "x" + (
        "?" + query if query else ""
    )


@pytest.mark.parametrize(("style", "item"), [("pipe", "a|b"), ("space", "a b")])
def test_an_item_does_not_hold_the_sign_that_parts_items(style: Any, item: str) -> None:
    with pytest.raises(TransformError, match="which parts the items. Leave it out"):
        build("GET", "x", {"value": [item]}, value=Annotated[list[str], Query(style=style)])


def test_what_is_spread_takes_the_name_of_no_other_parameter() -> None:
    fields: dict[str, Any] = {
        "free": FREE,
        "user": (Annotated[str, Query(), Mode("disabled")], "me"),
        "limit": (int | None, None),
    }
    for key in ("user", "limit"):
        with pytest.raises(ToolValidationError, match=f"free: its key '{key}' is a parameter of its own"):
            build("GET", "x", {"free": {key: "x"}}, **fields)
    nested = Annotated[dict[str, Any], Query(style="spread")]
    with pytest.raises(TransformError, match="its member 'a' is no plain value"):
        build("GET", "x", {"value": {"a": {"b": 1}}}, value=nested)


PNG = b"\x89PNG\xff"
TEXT = "iVBOR/8="


class Blob(BaseModel):
    data: bytes = b""
    own: Base64Bytes = b""


@pytest.mark.parametrize("given", [PNG, TEXT, "iVBOR_8", "iVBOR/8"], ids=str)
def test_bytes_are_base64_for_a_model_and_bytes_on_the_wire(given: Any) -> None:
    raw = Annotated[bytes, Body(raw="image/png")]
    assert build("PUT", "x", {"data": given}, data=raw).content == PNG
    assert build("PUT", "x", {"data": given}, data=(raw | None, None)).content == PNG


@pytest.mark.parametrize("given", [PNG, TEXT], ids=str)
def test_bytes_are_base64_in_json_at_any_depth(given: Any) -> None:
    fields: dict[str, Any] = {
        "data": bytes,
        "each": list[bytes],
        "some": set[bytes],
        "keyed": dict[str, bytes | None],
        "blob": Blob,
        "either": bytes | int,
        "formatted": Annotated[bytes, Format("base64url")],
    }
    arguments = {
        "data": given,
        "each": [given],
        "some": [given],
        "keyed": {"k": given},
        "blob": {"data": given, "own": TEXT},
        "either": given,
        "formatted": given,
    }
    sent = json.loads(build("POST", "x", arguments, **fields).content or b"")
    assert sent == {
        "data": TEXT,
        "each": [TEXT],
        "some": [TEXT],
        "keyed": {"k": TEXT},
        "blob": {"data": TEXT, "own": TEXT},
        "either": TEXT,
        "formatted": "iVBOR_8=",
    }


def test_a_text_that_is_no_base64_is_refused() -> None:
    with pytest.raises(ToolValidationError, match="data: must be base64, got 'not base64!'"):
        build("PUT", "x", {"data": "not base64!"}, data=Annotated[bytes, Body(raw="image/png")])


@pytest.mark.parametrize(
    ("media_type", "content", "sent"),
    [
        ("multipart/related", b"--=7f=\r\nA: b\r\n\r\nx\r\n--=7f=--", 'multipart/related; boundary="=7f="'),
        ("multipart/related; boundary=mine", b"--=7f=\r\n", "multipart/related; boundary=mine"),
        ("multipart/mixed", b'--a"b\r\n', "multipart/mixed"),
        ("multipart/mixed", b"--" + b"a" * 71 + b"\r\n", "multipart/mixed"),
        ("text/plain", b"--=7f=\r\n", "text/plain"),
    ],
)
def test_a_raw_multipart_body_says_its_boundary(media_type: str, content: bytes, sent: str) -> None:
    body = Annotated[bytes, Body(raw=media_type)]
    assert build("POST", "things", {"body": content}, body=body).headers["Content-Type"] == sent


# What no client or server takes


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"q": "x" * 70_000}, "q"),
        ({"q": "ä" * 12_000}, "q"),
        ({"q": "short", "ids": ["x" * 60] * 1_200}, "ids"),
        ({"where": {"name": "x" * 65_000}}, "where"),
        ({"q": "x" * 40_000, "ids": ["y" * 30_000]}, "q"),
    ],
)
def test_a_query_too_long_for_a_url_is_refused_by_the_field_that_is(
    arguments: dict[str, Any], field: str
) -> None:
    fields: dict[str, Any] = {
        "q": (str, ""),
        "ids": (list[str], []),
        "where": (Annotated[dict[str, str], Query(style="deep")], {}),
    }
    with pytest.raises(ToolValidationError) as raised:
        build("GET", "things", arguments, **fields)
    problem = "makes the URL longer than 64,000 characters; send less"
    assert raised.value.errors == [{"field": field, "problem": problem}]


def test_a_query_too_long_is_refused_before_it_is_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def encode(_pairs: Any) -> str:
        raise AssertionError("encoded")

    monkeypatch.setattr(charter.wire.request, "encode_pairs", encode)
    with pytest.raises(ToolValidationError, match="longer than 64,000"):
        build("GET", "things", {"q": "x" * 10_000_000}, q=str)


def test_a_query_that_fits_is_sent_whole() -> None:
    request = build("GET", "things", {"q": "x" * 63_900}, q=str)
    assert len(request.url) > 63_900
    httpx2.URL(request.url)


def test_a_long_path_counts_as_well() -> None:
    values = dict.fromkeys("abcdefgh", "x" * 8000)
    with pytest.raises(ToolValidationError, match="makes the URL longer than 64,000 characters"):
        build("GET", "/".join(f"{{{name}}}" for name in values), values, **dict.fromkeys(values, str))


@pytest.mark.parametrize("value", [" ", "a ", " a", "\t", "a\t", "\u00a0", "a\nb", "x" * 16_385])
def test_a_header_that_no_client_sends_is_refused_before_anything_is_built(value: str) -> None:
    with pytest.raises(ToolValidationError) as raised:
        build("GET", "things", {"team": value}, team=Annotated[str, Header("X-Team")])
    [told] = raised.value.errors
    assert told["field"] == "team"
    assert told["problem"].startswith("header X-Team takes ")
    assert header_problem("X-Team", value) == told["problem"]


@pytest.mark.parametrize("value", ["", "a", "a b", "x" * 16_384])
def test_any_other_header_is_sent_as_it_is(value: str) -> None:
    request = build("GET", "things", {"team": value}, team=Annotated[str, Header("X-Team")])
    assert request.headers["X-Team"] == value
