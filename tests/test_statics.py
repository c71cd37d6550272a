"""What is always sent: seen where it may be, and nowhere where it is secret."""

import pickle
from typing import Any

import pytest
from pydantic import BaseModel

from charter import Api, CredentialError, DeclarationError, Secret, Tool
from charter.secret import hide_secrets, is_secret_name, reveal_secrets
from tests.counterparties.loopback import Loopback

pytestmark = pytest.mark.anyio


class ThingsAdd(BaseModel):
    """Add a thing."""

    name: str = "tea"


def add(url: str, *, api: dict[str, Any] | None = None, **options: Any) -> Tool:
    return Api("shop", base_url=url, **(api or {})).post("things", ThingsAdd, **options)


SHARED: dict[str, Any] = {
    "headers": {"X-Api-Key": "s3cret-1", "X-Team": Secret("s3cret-2"), "X-Version": "3"},
    "static_query": {"access_token": "s3cret-3", "v": "2"},
    "static_body": {"client_secret": "s3cret-4", "grant": {"password": "s3cret-5", "kind": "x"}},
}


async def test_static_secrets_are_sent_as_they_are(loopback: Loopback) -> None:
    await add(loopback.url, api=SHARED).ainvoke(name="tea")
    [asked] = loopback.asked
    assert [asked.header(name) for name in SHARED["headers"]] == ["s3cret-1", "s3cret-2", "3"]
    assert sorted(asked.pairs) == [("access_token", "s3cret-3"), ("v", "2")]
    assert asked.json == {"name": "tea", **SHARED["static_body"]}


async def test_a_tools_own_statics_go_before_its_apis_whatever_the_spelling(loopback: Loopback) -> None:
    own = {
        "static_headers": {"x-api-key": None, "X-TEAM": "plain"},
        "static_query": {"access_token": "s3cret-own"},
        "static_body": {"client_secret": Secret("s3cret-body")},
    }
    await add(loopback.url, api=SHARED, **own).ainvoke({})
    [asked] = loopback.asked
    assert (asked.header("x-api-key"), asked.header("x-team"), asked.header("x-version")) == (
        None,
        "plain",
        "3",
    )
    assert dict(asked.pairs)["access_token"] == "s3cret-own"
    assert asked.json["client_secret"] == "s3cret-body"


async def test_credentials_and_a_hosts_headers_go_before_a_static_secret(loopback: Loopback) -> None:
    tool = add(loopback.url, api={"headers": {"X-Token": "s3cret-static"}})
    await tool.ainvoke({}, headers={"x-token": "mine"})
    await tool.ainvoke({}, headers={"X-Token": None})
    assert [asked.header("x-token") for asked in loopback.asked] == ["mine", None]


@pytest.mark.parametrize("copied", ["tool", "derived", "api"])
async def test_a_pickled_copy_has_lost_its_static_secrets_and_says_so(
    loopback: Loopback, copied: str
) -> None:
    tool = add(loopback.url, api=SHARED, static_headers={"X-Auth": "s3cret-6"})
    await tool.derived(pin={"name": "milk"}).ainvoke({})
    written = {
        "tool": lambda: pickle.dumps(tool),
        "derived": lambda: pickle.dumps(tool.derived(pin={"name": "milk"})),
        "api": lambda: pickle.dumps(tool.api),
    }[copied]()
    assert b"s3cret" not in written
    again = pickle.loads(written)
    twin = again if isinstance(again, Tool) else again.post("things", ThingsAdd)
    with pytest.raises(
        CredentialError, match=r"^shop: a static header or parameter has no value: a copy made by pickle"
    ):
        await twin.ainvoke({})
    assert len(loopback.asked) == 1


def test_no_static_secret_is_shown() -> None:
    tool = add(
        "https://shop.example",
        api=SHARED,
        static_headers={"X-Auth": "s3cret-6"},
        static_query={"key": "s3cret-7"},
    )
    shown = repr(tool.api) + repr(vars(tool)) + repr(tool.call_spec())
    assert "s3cret" not in shown
    assert "'X-Version': '3'" in shown


@pytest.mark.parametrize("value", ["a\r\nb", "ä", "a\0"])
def test_a_static_secret_that_no_header_carries_is_refused_unseen(value: str) -> None:
    for headers in ({"X-Team": Secret(f"s3cret{value}")}, {"X-Token": f"s3cret{value}"}):
        with pytest.raises(
            DeclarationError, match=r"^shop: header X-T\w+ takes printable ASCII only"
        ) as raised:
            Api("shop", base_url="https://shop.example", headers=headers)
        assert "s3cret" not in str(raised.value)


@pytest.mark.parametrize("name", ["Content-Length", "Transfer-Encoding", "bad name\n", "", "é"])
def test_a_static_header_that_cannot_be_is_refused(name: str) -> None:
    with pytest.raises(DeclarationError, match=r"Mend the header or remove it.$"):
        add("https://shop.example", static_headers={name: "1"})


@pytest.mark.parametrize(
    "name",
    "X-Api-Key apikey xapikey key X-Auth-Token Authorization Cookie Cookie2 access_token accessToken client_secret "
    "password X-Session-Id DD-APPLICATION-KEY Ocp-Apim-Subscription-Key Private-Token X-Amz-Signature jwt sig "
    "X-Shopify-Access-Token privateKey AUTH_TOKEN".split(),
)
def test_these_names_say_secret(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    "X-Trace If-Match sort_key partitionKey pageToken next_page_token syncToken X-Author author keyword "
    "Idempotency-Key Stripe-Version X-Team publishable_key response_type tokenType key_id design monkey".split(),
)
def test_these_names_do_not(name: str) -> None:
    assert not is_secret_name(name)
    assert hide_secrets({name: "x"}) == {name: "x"}


def test_what_is_hidden_is_revealed_the_same() -> None:
    values = {"token": "a", "list": [{"password": "b"}, 1], "keys": {"api_key": "c", "n": None}, "key": 5}
    assert "Secret" in repr(hide_secrets(values))
    assert reveal_secrets(hide_secrets(values)) == values
