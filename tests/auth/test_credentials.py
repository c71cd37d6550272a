"""Credentials: where a key comes from and what it adds to a call."""

import asyncio
import pickle
from typing import Any

import pytest

from charter import ApiKey, Bearer, CredentialError, DeclarationError
from charter.auth import Credentials
from charter.secret import Secret

pytestmark = pytest.mark.anyio


def revealed(credentials: Credentials) -> dict[str, str]:
    headers = {name: prefix + secret.reveal() for name, (prefix, secret) in credentials.headers.items()}
    return headers | {f"?{name}": secret.reveal() for name, secret in credentials.query.items()}


async def read_token() -> str:
    await asyncio.sleep(0)
    return "from-a-function"


class Source:
    """A callable that is no function, as a token provider often is."""

    async def __call__(self) -> str:
        return "from-a-function"


@pytest.mark.parametrize(
    ("auth", "added"),
    [
        (Bearer("t0ken"), {"Authorization": "Bearer t0ken"}),
        (ApiKey("k3y"), {"X-API-Key": "k3y"}),
        (ApiKey("k3y", header="Api-Key"), {"Api-Key": "k3y"}),
        (ApiKey("k3y", header="Authorization", prefix="Token "), {"Authorization": "Token k3y"}),
        (ApiKey("k3y", query="key"), {"?key": "k3y"}),
        (Bearer(read_token), {"Authorization": "Bearer from-a-function"}),
        (Bearer(lambda: "from-a-function"), {"Authorization": "Bearer from-a-function"}),
        (Bearer(Source()), {"Authorization": "Bearer from-a-function"}),
        (ApiKey(read_token, query="key"), {"?key": "from-a-function"}),
    ],
)
async def test_a_key_goes_where_it_says(auth: ApiKey, added: dict[str, str]) -> None:
    credentials = await auth.credentials("shop")
    assert revealed(credentials) == added
    assert [secret.reveal() for secret in credentials.secrets] == [added[name].split()[-1] for name in added]
    assert auth.header_names == {name.lower() for name in added if not name.startswith("?")}


async def test_a_variable_is_read_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOP_KEY", raising=False)
    auth = ApiKey(env="SHOP_KEY")
    for value in ("first", "second"):
        monkeypatch.setenv("SHOP_KEY", value)
        assert revealed(await auth.credentials("shop")) == {"X-API-Key": value}


@pytest.mark.parametrize("value", [None, "", "  ", "\n"])
async def test_an_unset_variable_is_named(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    monkeypatch.delenv("SHOP_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("SHOP_KEY", value)
    with pytest.raises(CredentialError, match=r"^shop: no credentials. Set SHOP_KEY.$") as raised:
        await Bearer(env="SHOP_KEY").credentials("shop")
    assert (raised.value.provider, raised.value.reauthorize) == ("shop", True)
    assert "SHOP_KEY" not in raised.value.for_model()


@pytest.mark.parametrize("source", ["", lambda: "", lambda: None])
async def test_an_empty_key_is_no_key(source: Any) -> None:
    with pytest.raises(
        CredentialError, match=r"^shop: no credentials. Give shop a key with configure\(auth=...\).$"
    ):
        await Bearer(source).credentials("shop")


@pytest.mark.parametrize("key", ["a\r\nX-Admin: 1", "a\0b", "schlüssel"])
async def test_a_key_that_no_header_carries_is_refused_unseen(key: str) -> None:
    with pytest.raises(
        CredentialError, match=r"^shop: the key holds a line break or a character outside ASCII"
    ) as raised:
        await Bearer(key).credentials("shop")
    assert key not in str(raised.value)


def fail() -> str:
    raise LookupError("s3cret-in-the-message")


@pytest.mark.parametrize("source", [fail, lambda: 7, lambda: b"bytes"])
async def test_a_token_function_that_fails_is_a_credential_error(source: Any) -> None:
    with pytest.raises(CredentialError, match=r"^shop: the token function failed \(\w+\). Mend it") as raised:
        await Bearer(source).credentials("shop")
    assert raised.value.provider == "shop"
    assert "s3cret" not in str(raised.value)
    assert "s3cret" not in raised.value.for_model()


async def test_a_token_function_may_raise_a_credential_error_of_its_own() -> None:
    async def expired() -> str:
        raise CredentialError("shop: the grant is gone.", provider="shop", reauthorize=True)

    with pytest.raises(CredentialError, match=r"^shop: the grant is gone.$"):
        await Bearer(expired).credentials("shop")


async def test_a_cancelled_token_function_stays_cancelled() -> None:
    async def never() -> str:
        await asyncio.Event().wait()
        return ""

    task = asyncio.create_task(Bearer(never).credentials("shop"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("sources", [{}, {"value": "x", "env": "Y"}])
@pytest.mark.parametrize("kind", [ApiKey, Bearer])
def test_a_key_has_one_source(kind: Any, sources: dict[str, str]) -> None:
    with pytest.raises(
        DeclarationError, match=rf"^{kind.__name__}: needs one source. Give either a value or env=.$"
    ):
        kind(**sources)


@pytest.mark.parametrize(
    ("auth", "shown"),
    [
        (Bearer("s3cret-value"), "Bearer(…, header='Authorization')"),
        (ApiKey(env="SHOP_KEY", query="key"), "ApiKey(env='SHOP_KEY', query='key')"),
        (ApiKey(read_token), "ApiKey(…, header='X-API-Key')"),
    ],
)
def test_a_repr_says_where_a_key_is_from_and_where_it_goes(auth: ApiKey, shown: str) -> None:
    assert repr(auth) == shown


async def test_a_pickled_key_has_lost_its_value_but_not_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    written = pickle.dumps(Bearer("s3cret-value"))
    assert b"s3cret" not in written
    with pytest.raises(CredentialError, match="no credentials"):
        await pickle.loads(written).credentials("shop")
    monkeypatch.setenv("SHOP_KEY", "v4lue")
    twin = pickle.loads(pickle.dumps(Bearer(env="SHOP_KEY")))
    assert revealed(await twin.credentials("shop")) == {"Authorization": "Bearer v4lue"}


def test_credentials_show_names_only() -> None:
    credentials = Credentials(
        headers={"X-Key": ("", Secret("s3cret-one"))}, query={"key": Secret("s3cret-two")}
    )
    assert repr(credentials) == "Credentials(X-Key, key)"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"header": "bad name\n"}, r"'bad name\\n' is no header name. Mend header= or prefix="),
        ({"header": ""}, "'' is no header name"),
        ({"header": None}, "None is no header name"),
        ({"header": "Content-Length"}, "header Content-Length is written anew for each request"),
        ({"prefix": "Bearer\r\nX-Admin: "}, "header X-API-Key takes printable ASCII only"),
        ({"prefix": " Bearer "}, "header X-API-Key takes no space at its beginning or end"),
        ({"prefix": "schlüssel"}, "header X-API-Key takes printable ASCII only"),
        ({"prefix": None}, "prefix=None is no text. Write one"),
        ({"query": ""}, "query='' names no parameter. Give the name of one"),
        ({"query": 3}, "query=3 names no parameter"),
        ({"value": None, "env": ""}, "env='' names no variable"),
        ({"value": None, "env": "A=B"}, "env='A=B' names no variable"),
        ({"value": 1234567}, "a key is no int. Give a text, a function that returns one, or env="),
        ({"value": b"s3cret"}, "a key is no bytes"),
    ],
)
def test_a_key_that_cannot_be_sent_is_refused_where_it_is_declared(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(DeclarationError, match=f"^ApiKey: {told}") as raised:
        ApiKey(**{"value": "s3cret", **wrong})
    assert "s3cret" not in str(raised.value)


async def test_a_key_may_be_given_as_a_secret() -> None:
    assert revealed(await Bearer(Secret("t0ken")).credentials("shop")) == {"Authorization": "Bearer t0ken"}


@pytest.mark.parametrize(
    ("auth", "values"),
    [
        (Bearer("t0ken-1"), {"t0ken-1"}),
        (ApiKey("Bearer t0ken-1", header="Authorization"), {"Bearer t0ken-1", "t0ken-1"}),
        (
            ApiKey("YW5uOnMzY3JldA==", header="Authorization", prefix="Basic "),
            {"YW5uOnMzY3JldA==", "ann:s3cret", "s3cret"},
        ),
        (ApiKey("k3y-22", query="key"), {"k3y-22"}),
    ],
)
async def test_what_is_secret_by_itself_is_known(auth: ApiKey, values: set[str]) -> None:
    assert set((await auth.credentials("shop")).values()) == values
