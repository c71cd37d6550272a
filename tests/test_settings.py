"""Settings: names, and what a tool may say for itself. Base URLs are tried in test_api.py."""

from typing import Any

import pytest
from pydantic import BaseModel

from charter import Api, DeclarationError
from charter.settings import ToolOptions, check_name, check_options, read_base_url


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
    "no seconds": ({"timeout": 0}, r"^ThingsGet: timeout is 0. Give seconds above zero.$"),
    "less than none": ({"timeout": -1.5}, r"^ThingsGet: timeout is -1.5"),
    "no number": ({"timeout": float("nan")}, r"^ThingsGet: timeout is nan"),
    "an empty mode": ({"mode": ""}, r"^ThingsGet: a mode needs a label. Give one, such as 'pro'.$"),
    "one text of scopes": (
        {"scopes": "mail.read"},
        r"^ThingsGet: scopes is one text. Write a tuple of texts.$",
    ),
    "one text of routes": ({"also": "x"}, r"^ThingsGet: also is one text. Write a tuple of texts.$"),
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
        DeclarationError, match=r"^ThingsGet: no method .*. Use one of GET, HEAD, POST, PUT, PATCH, DELETE.$"
    ):
        check_options(ThingsGet, method, {})


def test_an_option_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'respons_handler'"):
        check_options(ThingsGet, "GET", {"respons_handler": None})  # pyright: ignore[reportArgumentType]
    check_options(ThingsGet, "GET", ToolOptions(timeout=None, static_headers={"X-A": None}))


def test_a_base_url_may_name_any_host() -> None:
    for url in (
        "http://localhost",
        "http://127.0.0.1:1/",
        "https://例え.example/v1",
        "https://a.b-c.example:8443/x.y/",
    ):
        assert read_base_url(url, "shop") == url.rstrip("/") + "/"


def test_a_pack_may_have_hyphens() -> None:
    assert check_name("my-crm_2", "pack", hyphens=True) == "my-crm_2"
    with pytest.raises(DeclarationError, match="single underscores or hyphens"):
        check_name("my--crm", "pack", hyphens=True)
