"""An Api: its conventions, the methods that make tools, and what may be changed later."""

import pickle
from typing import Annotated, Any

import httpx2
import pytest
from pydantic import BaseModel, create_model

from charter import Api, ApiKey, Bearer, Case, DeclarationError, DeclarationWarning, Header, Tool, WireName
from charter.clients import LeftClient
from tests.counterparties.loopback import Loopback

pytestmark = pytest.mark.anyio


class ThingsGet(BaseModel):
    """Read one thing."""

    thing_id: str
    max_size: int | None = None


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_each_method_makes_a_tool(method: str) -> None:
    tool = getattr(Api("shop", base_url="https://shop.example"), method)(
        "things/{thing_id}", ThingsGet, hints="goods"
    )
    assert isinstance(tool, Tool)
    assert (tool.method, tool.route, tool.args_schema) == (method.upper(), "things/{thing_id}", ThingsGet)
    assert (tool.pack, tool.name, tool.qualified_name) == ("shop", "things_get", "shop__things_get")
    assert (tool.description, tool.hints) == ("Read one thing.", "goods")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://api.example.com", "https://api.example.com/"),
        ("https://api.example.com/", "https://api.example.com/"),
        ("https://api.example.com/v1", "https://api.example.com/v1/"),
        ("https://api.example.com/v1///", "https://api.example.com/v1/"),
        ("http://127.0.0.1:8080/a/b", "http://127.0.0.1:8080/a/b/"),
        ("http://[::1]:8080", "http://[::1]:8080/"),
    ],
)
def test_a_base_url_ends_in_one_slash(given: str, kept: str) -> None:
    api = Api("shop", base_url=given)
    assert api.base_url == kept
    api.configure(base_url=given)
    assert api.base_url == kept


@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.example.com",
        "//api.example.com",
        "ftp://api.example.com",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://",
        "https:///v1",
        "https://user:pass@api.example.com",
        "https://api.example.com?x=1",
        "https://api.example.com?",
        "https://api.example.com#x",
        "https://api.example.com\\@evil.example",
        "https://api.example.com:99999",
        "https://api.example.com:port",
        "https://[bad",
        "https://api.example.com\n",
        "https://api.example.com/a b",
    ],
)
def test_what_is_no_base_url_is_refused_then_and_later(url: str) -> None:
    message = r"^shop: base_url is not an http\(s\) URL of host and path alone. Write https://host/path/.$"
    with pytest.raises(DeclarationError, match=message):
        Api("shop", base_url=url)
    api = Api("shop", base_url="https://api.example.com")
    with pytest.raises(DeclarationError, match=message):
        api.configure(base_url=url)


@pytest.mark.parametrize(
    "name", ["", "Shop", "my--shop", "my__shop", "_shop", "shop_", "9lives", "shöp", "shop!"]
)
def test_what_is_no_pack_name_is_refused(name: str) -> None:
    with pytest.raises(
        DeclarationError,
        match=r"^pack .*: is no name. Use lower-case words joined by single underscores or hyphens.$",
    ):
        Api(name, base_url="https://shop.example")


@pytest.mark.parametrize(
    "limits", [{"timeout": 0}, {"timeout": -1}, {"timeout": float("nan")}, {"max_bytes": 0}]
)
def test_limits_are_above_zero(limits: dict[str, Any]) -> None:
    with pytest.raises(
        DeclarationError,
        match=r"^Api 'shop': (timeout|max_bytes)=.* cannot be. Give a (whole )?number above zero.$",
    ):
        Api("shop", base_url="https://shop.example", **limits)


@pytest.mark.parametrize(
    ("name", "value"), [("X A", "b"), ("X-A", "b\r\nX-B: c"), ("X-A", "b\0"), ("X-A", "é"), ("X-A", 3)]
)
def test_a_header_that_cannot_be_sent_is_refused(name: str, value: Any) -> None:
    with pytest.raises(
        DeclarationError, match=r"^shop: .*(no header name|printable ASCII).* Mend the header or remove it.$"
    ):
        Api("shop", base_url="https://shop.example", headers={name: value})


def test_an_option_that_does_not_exist_is_refused() -> None:
    with pytest.raises(TypeError, match="timout"):
        Api("shop", base_url="https://shop.example", timout=3)  # pyright: ignore[reportCallIssue]
    with pytest.raises(TypeError, match="hint"):
        Api("shop", base_url="https://shop.example").get("things", ThingsGet, hint="goods")  # pyright: ignore[reportCallIssue]


async def test_what_is_configured_later_holds_for_tools_declared_before(loopback: Loopback) -> None:
    api = Api("shop", base_url="https://nowhere.example")
    tool = api.get("things/{thing_id}", ThingsGet)
    client = httpx2.AsyncClient(headers={"X-Client": "mine"})
    api.configure(base_url=loopback.url, auth=Bearer("first-token"), client=client)
    async with client:
        await tool.ainvoke({"thing_id": "a"})
        api.configure(auth=ApiKey("second-token", header="X-Key"))
        await tool.ainvoke({"thing_id": "b"})
    first, second = loopback.asked
    assert (first.path, first.header("authorization"), first.header("x-client")) == (
        "/things/a",
        "Bearer first-token",
        "mine",
    )
    assert (second.header("authorization"), second.header("x-key")) == (None, "second-token")


async def test_conventions_hold_for_every_tool_and_a_tool_may_differ(loopback: Loopback) -> None:
    api = Api("shop", base_url=loopback.url, headers={"Shop-Version": "3"}, case=Case.CAMEL, body="form")
    await api.post("things/{thing_id}", ThingsGet).ainvoke({"thing_id": "a", "max_size": 1})
    await api.post("things/{thing_id}", ThingsGet, case=Case.PASCAL, body="json").ainvoke(
        {"thing_id": "a", "max_size": 1}
    )
    first, second = loopback.asked
    assert (first.body, first.header("shop-version")) == (b"maxSize=1", "3")
    assert (first.header("content-type"), second.header("content-type")) == (
        "application/x-www-form-urlencoded",
        "application/json",
    )
    assert second.json == {"MaxSize": 1}


class Keyed(BaseModel):
    """Read with a key."""

    key: Annotated[str, Header("X-Caller")]
    token: str


async def test_credentials_configured_later_go_before_what_a_model_gives(loopback: Loopback) -> None:
    api = Api("shop", base_url=loopback.url)
    tool = api.get("things", Keyed)
    for auth in (ApiKey("s3cret", header="x-caller"), ApiKey("s3cret", query="token")):
        api.configure(auth=auth)
        await tool.ainvoke({"key": "mine", "token": "mine"})
    first, second = loopback.asked
    assert (first.header("x-caller"), first.pairs) == ("s3cret", [("token", "mine")])
    assert (second.header("x-caller"), second.pairs) == ("mine", [("token", "s3cret")])


def test_a_pickled_api_keeps_its_conventions_but_neither_client_nor_secret() -> None:
    api = Api(
        "shop", base_url="https://shop.example", auth=Bearer("s3cret-token"), case=Case.CAMEL, timeout=3
    )
    api.configure(client=httpx2.AsyncClient())
    written = pickle.dumps(api)
    twin = pickle.loads(written)
    assert (twin.name, twin.base_url, twin.case, twin.timeout) == (
        "shop",
        "https://shop.example/",
        Case.CAMEL,
        3,
    )
    assert isinstance(twin.client, LeftClient), "a call of the copy is refused, not sent to the real address"
    assert b"s3cret" not in written


def test_a_repr_shows_no_secret() -> None:
    assert "s3cret" not in repr(Api("shop", base_url="https://shop.example", auth=Bearer("s3cret-token")))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"body": "xml"}, "body='xml' cannot be. Give one of 'json', 'form'"),
        ({"query_style": "dashes"}, "query_style='dashes' cannot be. Give one of 'repeat', 'comma'"),
        ({"case": "camel"}, "case='camel' cannot be. Give a member of Case, such as Case.CAMEL"),
        ({"case": "shout"}, "case='shout' cannot be"),
        ({"envelope": "data"}, "envelope='data' cannot be. Give an Envelope"),
        ({"timeout": "3"}, "timeout='3' cannot be. Give a number above zero"),
        ({"timeout": True}, "timeout=True cannot be"),
        ({"max_bytes": 1.5}, "max_bytes=1.5 cannot be. Give a whole number above zero"),
        ({"headers": "X-Key: s3cret"}, "headers=str cannot be. Give a mapping"),
        ({"headers": {1: "b"}}, "headers=dict cannot be"),
        ({"graphql": None}, "graphql=None cannot be"),
        ({"static_query": "key=s3cret"}, "static_query=str cannot be"),
        ({"on_call": "print"}, "on_call='print' cannot be. Give a function, or None"),
        ({"client": "https://proxy"}, "client='https://proxy' cannot be. Give an AsyncClient"),
    ],
)
def test_an_option_of_the_wrong_kind_is_refused_by_name_with_the_right_one(options: Any, told: str) -> None:
    with pytest.raises(DeclarationError, match=f"^Api 'shop': {told}"):
        Api("shop", base_url="https://shop.example", **options)


def test_what_calls_look_up_can_be_set_and_what_tools_have_read_cannot() -> None:
    api = Api("shop", base_url="https://shop.example")
    api.timeout = 3
    for name, value in {
        "headers": {},
        "case": None,
        "query_style": "comma",
        "name": "x",
        "mode": "pro",
    }.items():
        with pytest.raises(DeclarationError, match=f"^shop: {name} cannot be set on an Api. Give it where"):
            setattr(api, name, value)
    with pytest.raises(DeclarationError, match="^shop: timeout='3' cannot be"):
        api.timeout = "3"  # type: ignore[assignment]
    assert api.timeout == 3


def test_a_field_with_the_name_of_a_calls_own_keyword_is_told_of_where_it_is_declared() -> None:
    args = create_model(
        "NotesGet", __doc__="Read.", client=(str, ...), headers_=(Annotated[str, WireName("headers")], "")
    )
    api = Api("shop", base_url="https://shop.example")
    with pytest.warns(
        DeclarationWarning, match=r"^NotesGet.client: .* Give it in a dict, as in ainvoke"
    ) as told:
        tool = api.get("notes", args)
    assert [warning.filename for warning in told] == [__file__]
    assert tool.llm_schema().model_validate({"client": "c", "headers": "h"})
