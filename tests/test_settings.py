"""Settings: names, and what a tool may say for itself."""

from dataclasses import fields
from typing import Any

import pytest
from pydantic import BaseModel

from charter import Api, Bearer, DeclarationError
from charter.settings import (
    API_KINDS,
    TOOL_KINDS,
    ApiSettings,
    ToolOptions,
    check_name,
    check_options,
)


class ThingsGet(BaseModel):
    """Read a thing."""

    id: str


@pytest.mark.parametrize("name", ["a", "shop", "shop2", "my_shop", "a_1", "refunds_create"])
def test_a_name_is_words_joined_by_single_underscores(name: str) -> None:
    assert check_name(name, "tool") == name


@pytest.mark.parametrize("name", ["", "A", "1a", "a__b", "a_", "_a", "a-b", "a.b", "a b", "ä", "a\n"])
def test_anything_else_is_no_name(name: str) -> None:
    with pytest.raises(
        DeclarationError, match=r"^tool .*: is no name. Use lower-case words joined by single underscores.$"
    ):
        check_name(name, "tool")


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no seconds": ({"timeout": 0}, r"^ThingsGet: timeout=0 cannot be. Give a number above zero, or None.$"),
    "less than none": ({"timeout": -1.5}, r"^ThingsGet: timeout=-1.5 "),
    "no number": ({"timeout": float("nan")}, r"^ThingsGet: timeout=nan "),
    "an empty mode": ({"mode": ""}, r"^ThingsGet: a mode needs a label, got ''. Give one, such as 'pro'.$"),
    "one text of scopes": (
        {"scopes": "mail.read"},
        r"^ThingsGet: scopes='mail.read' cannot be. Give a list, each of it a text that is not empty, or None.$",
    ),
    "one text of routes": ({"also": "x"}, r"^ThingsGet: also='x' cannot be. Give a list"),
    "hints as a list": ({"hints": ["read"]}, r"^ThingsGet: hints=\['read'\] cannot be. Give a text.$"),
    "no function": (
        {"response_handler": "id"},
        r"^ThingsGet: response_handler='id' cannot be. Give a function",
    ),
    "no such body": (
        {"body": "xml"},
        r"^ThingsGet: body='xml' cannot be. Give one of 'json', 'form', or None.$",
    ),
    "a case as text": ({"case": "camel"}, r"^ThingsGet: case='camel' cannot be. Give a member of Case"),
    "paging as text": (
        {"pagination": "cursor"},
        r"^ThingsGet: pagination='cursor' cannot be. Give a Pages, or None",
    ),
    "an envelope as text": ({"envelope": "data"}, r"^ThingsGet: envelope='data' cannot be. Give an Envelope"),
    "seconds as text": ({"timeout": "3"}, r"^ThingsGet: timeout='3' cannot be"),
    "needs as a list": ({"needs": ["id"]}, r"^ThingsGet: needs=\['id'\] cannot be. Give a mapping"),
    "a name that is none": ({"name": 5}, r"^ThingsGet: name=5 cannot be"),
    "a mode for nobody": ({"mode": "disabled"}, r"^ThingsGet: no tool can be in the mode 'disabled'"),
    "a mode for everybody": ({"mode": ("pro", "request_only")}, r"no tool can be in the mode 'request_only'"),
    "a mode as a number": ({"mode": 5}, r"^ThingsGet: mode=5 is no label"),
    "a header that cannot be sent": (
        {"static_headers": {"X-A": "a\nb"}},
        r"^ThingsGet: header X-A takes printable ASCII only, no line break. Mend the header or remove it.$",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_option_that_cannot_work_is_refused(name: str) -> None:
    options, message = REFUSED[name]
    with pytest.raises(DeclarationError, match=message):
        Api("shop", base_url="https://shop.example").get("things/{id}", ThingsGet, **options)


@pytest.mark.parametrize("args", [dict, ThingsGet(id="x"), "ThingsGet", None, int, list[str]])
def test_an_args_class_is_a_model(args: Any) -> None:
    with pytest.raises(DeclarationError, match=r": is no args class. Declare a Pydantic BaseModel.$"):
        Api("shop", base_url="https://shop.example").get("things/{id}", args)


@pytest.mark.parametrize("method", ["FETCH", "", "TRACE", "CONNECT", "GET POST"])
def test_a_method_is_one_that_apis_have(method: str) -> None:
    with pytest.raises(
        DeclarationError,
        match=r"^ThingsGet: method=.* cannot be. Give one of GET, HEAD, POST, PUT, PATCH, DELETE.$",
    ):
        check_options(ThingsGet, method, "things", {})


def test_an_option_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'respons_handler'"):
        check_options(ThingsGet, "GET", "things", {"respons_handler": None})  # pyright: ignore[reportArgumentType]
    check_options(ThingsGet, "GET", "things", ToolOptions(timeout=None, static_headers={"X-A": None}))


def test_a_pack_may_have_hyphens() -> None:
    assert check_name("my-crm_2", "pack", hyphens=True) == "my-crm_2"
    with pytest.raises(DeclarationError, match="single underscores or hyphens"):
        check_name("my--crm", "pack", hyphens=True)


@pytest.mark.parametrize("route", [("things", "{id}"), None, b"things"])
def test_a_route_is_one_text(route: Any) -> None:
    with pytest.raises(DeclarationError, match="^ThingsGet: route=.* cannot be. Give a text"):
        Api("shop", base_url="https://shop.example").get(route, ThingsGet)


def test_every_option_has_its_kind() -> None:
    """What is added one day cannot be accepted unread."""
    read_elsewhere = {"mode"}
    assert ToolOptions.__annotations__.keys() - TOOL_KINDS.keys() == read_elsewhere
    assert {one.name for one in fields(ApiSettings) if one.init} - API_KINDS.keys() == {"base_url", "auth"}


class Nobody:
    """Has no credentials to say."""


@pytest.mark.parametrize(
    "auth", ["sk_live_s3cret", b"sk_live_s3cret", ("ann", "s3cret"), Nobody(), Bearer, lambda: "s3cret"]
)
def test_what_says_no_credentials_is_no_auth_and_is_not_shown(auth: Any) -> None:
    api = Api("shop", base_url="https://shop.example")
    for declare in (
        lambda: Api("shop", base_url="https://shop.example", auth=auth),
        lambda: api.configure(auth=auth),
    ):
        with pytest.raises(
            DeclarationError, match=r"^shop: auth=\w+ says no credentials. Write Bearer\("
        ) as raised:
            declare()
        assert "s3cret" not in str(raised.value)
