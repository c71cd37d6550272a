"""Only tokens of the right issuer, for us, signed by its keys, and still good are accepted."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from charter import ToolSession
from charter.adapters.mcp import build_server
from charter.adapters.mcp.auth import JwtVerifier, TokenRules, read_auth
from charter.errors import DeclarationError
from tests.adapters.mcp.samples import PlainTool, make_things, run_http
from tests.adapters.mcp.test_http import ACCEPT, INITIALIZE, ask, names_of, open_session

pytestmark = pytest.mark.anyio

AUDIENCE = "https://mcp.example.test/mcp"
KEY = rsa.generate_private_key(65537, 2048)
OTHER = rsa.generate_private_key(65537, 2048)
CURVE = ec.generate_private_key(ec.SECP256R1())


class Issuer:
    """An authorization server: metadata and keys over HTTP, counted."""

    def __init__(self) -> None:
        self.url, self.asked = "", 0
        self.keys: dict[str, Any] = {"one": KEY}
        self.named: str | None = None

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        path = head.split()[1]
        status, body = 404, {}
        if path == "/.well-known/oauth-authorization-server":
            status, body = 200, {"issuer": self.named or self.url, "jwks_uri": f"{self.url}/keys"}
        elif path == "/keys":
            self.asked += 1
            status, body = 200, {"keys": [render_key(name, key) for name, key in self.keys.items()]}
        data = json.dumps(body).encode()
        writer.write(
            f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\n".encode()
        )
        writer.write(f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
        writer.close()

    def sign(self, key: Any = KEY, kid: str | None = "one", alg: str = "RS256", **claims: Any) -> str:
        held = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": "ada",
            "client_id": "app",
            "exp": int(time.time()) + 600,
            "scope": "tools",
            **claims,
        }
        held = {name: value for name, value in held.items() if value is not None}
        return jwt.encode(held, key, algorithm=alg, headers={"kid": kid} if kid else None)


def render_key(name: str, key: Any) -> dict[str, Any]:
    algorithm: Any = (
        jwt.algorithms.ECAlgorithm
        if isinstance(key, ec.EllipticCurvePrivateKey)
        else jwt.algorithms.RSAAlgorithm
    )
    return {**algorithm.to_jwk(key.public_key(), as_dict=True), "kid": name, "use": "sig"}


@asynccontextmanager
async def run_issuer() -> AsyncIterator[Issuer]:
    issuer = Issuer()
    server = await asyncio.start_server(issuer.answer, "127.0.0.1", 0)
    issuer.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield issuer
    finally:
        server.close()
        await server.wait_closed()


async def test_a_good_token_says_who_asks() -> None:
    async with run_issuer() as issuer:
        found = await JwtVerifier(TokenRules(issuer.url, AUDIENCE)).verify_token(issuer.sign())
        assert found is not None
        assert (found.subject, found.client_id, found.scopes) == ("ada", "app", ["tools"])


WRONG: dict[str, Callable[[Issuer], str]] = {
    "another audience": lambda i: i.sign(aud="https://other.example.test"),
    "no audience": lambda i: i.sign(aud=None),
    "another issuer": lambda i: i.sign(iss="https://evil.example.test"),
    "an issuer with a slash more": lambda i: i.sign(iss=i.url + "/"),
    "expired": lambda i: i.sign(exp=int(time.time()) - 3600),
    "never expires": lambda i: i.sign(exp=None),
    "not yet": lambda i: i.sign(nbf=int(time.time()) + 3600),
    "absurd times": lambda i: i.sign(exp="soon"),
    "another key": lambda i: i.sign(key=OTHER),
    "an unknown key": lambda i: i.sign(key=OTHER, kid="two"),
    "a shared secret": lambda i: jwt.encode(
        {"iss": i.url, "aud": AUDIENCE, "exp": 9e9}, "s" * 32, "HS256", {"kid": "one"}
    ),
    "no signature": lambda i: jwt.encode(
        {"iss": i.url, "aud": AUDIENCE, "exp": 9e9}, None, "none", {"kid": "one"}
    ),
    "cut": lambda i: i.sign()[:-5],
    "no token": lambda i: "hello",
    "nothing": lambda i: "",
    "huge": lambda i: i.sign(more="x" * 20_000),
}


@pytest.mark.parametrize("kind", WRONG)
async def test_any_other_token_is_refused(kind: str) -> None:
    async with run_issuer() as issuer:
        assert await JwtVerifier(TokenRules(issuer.url, AUDIENCE)).verify_token(WRONG[kind](issuer)) is None


async def test_keys_on_a_curve_are_read_and_new_keys_are_found() -> None:
    async with run_issuer() as issuer:
        verifier = JwtVerifier(TokenRules(issuer.url, AUDIENCE))
        assert await verifier.verify_token(issuer.sign())
        issuer.keys = {"curve": CURVE}
        verifier._read_at -= 60  # as if a minute had gone by
        assert await verifier.verify_token(issuer.sign(key=CURVE, kid="curve", alg="ES256"))
        assert await verifier.verify_token(issuer.sign(key=CURVE, kid=None, alg="ES256"))


async def test_made_up_keys_do_not_make_us_ask_without_end() -> None:
    async with run_issuer() as issuer:
        verifier = JwtVerifier(TokenRules(issuer.url, AUDIENCE))
        for at in range(20):
            assert await verifier.verify_token(issuer.sign(key=OTHER, kid=f"made up {at}")) is None
        assert issuer.asked == 1


async def test_metadata_that_names_another_issuer_is_not_believed() -> None:
    async with run_issuer() as issuer:
        issuer.named = "https://id.example.test"
        assert await JwtVerifier(TokenRules(issuer.url, AUDIENCE)).verify_token(issuer.sign()) is None
        issuer.named = None
        direct = JwtVerifier(TokenRules(issuer.url, AUDIENCE, jwks=f"{issuer.url}/keys"))
        assert await direct.verify_token(issuer.sign())


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ({"issuer": "https://id.test"}, "issuer and audience are both needed"),
        ({"issuer": "http://id.test", "audience": AUDIENCE}, "is no https URL"),
        ({"issuer": "javascript:x", "audience": AUDIENCE}, "is no https URL"),
        ({"issuer": "https://id.test", "audience": "api"}, "'api' is no URL"),
        ({"issuer": "https://id.test", "audience": AUDIENCE, "isuer": "x"}, "'isuer' is unknown"),
    ],
)
def test_rules_that_make_no_sense_are_refused(pairs: dict[str, str], said: str) -> None:
    with pytest.raises(DeclarationError, match=said):
        read_auth(pairs)


def test_scopes_are_read_with_commas_and_spaces() -> None:
    pairs = {"issuer": "https://id.test", "audience": "api", "resource": AUDIENCE, "scopes": "a,b c"}
    assert read_auth(pairs).scopes == ("a", "b", "c")


@asynccontextmanager
async def run_protected(issuer: Issuer, **rules: Any) -> AsyncIterator[str]:
    server = build_server(ToolSession([PlainTool("echo"), *make_things()]))
    async with run_http(server, auth=TokenRules(issuer.url, AUDIENCE, **rules)) as url:
        yield url


def authorize(token: str) -> dict[str, str]:
    return {**ACCEPT, "Authorization": f"Bearer {token}"}


async def test_without_a_token_one_is_told_where_to_get_it() -> None:
    async with run_issuer() as issuer, run_protected(issuer) as url, httpx2.AsyncClient() as client:
        refused = await client.post(url, json=INITIALIZE, headers=ACCEPT)
        assert refused.status_code == 401
        metadata = "/.well-known/oauth-protected-resource/mcp"
        assert (
            f'resource_metadata="https://mcp.example.test{metadata}"' in refused.headers["www-authenticate"]
        )
        told = (await client.get(url.removesuffix("/mcp") + metadata)).json()
        assert told["resource"] == AUDIENCE
        assert told["authorization_servers"] == [issuer.url]
        assert (await client.get(url.removesuffix("/mcp") + "/healthz")).status_code == 200


async def test_a_token_without_the_scope_is_not_enough() -> None:
    async with (
        run_issuer() as issuer,
        run_protected(issuer, scopes=("admin",)) as url,
        httpx2.AsyncClient() as client,
    ):
        refused = await client.post(url, json=INITIALIZE, headers=authorize(issuer.sign()))
        assert refused.status_code == 403
        allowed = await client.post(url, json=INITIALIZE, headers=authorize(issuer.sign(scope="tools admin")))
        assert allowed.status_code == 200


async def test_a_session_of_another_principal_is_not_there() -> None:
    async with (
        run_issuer() as issuer,
        run_protected(issuer) as url,
        httpx2.AsyncClient(base_url=url, headers=authorize(issuer.sign())) as ada,
        httpx2.AsyncClient(base_url=url, headers=authorize(issuer.sign(sub="bob"))) as bob,
    ):
        session = await open_session(ada)
        assert (await bob.post("", json=ask("tools/list"), headers=session)).status_code == 404
        assert (await bob.delete("", headers=session)).status_code == 404
        assert await names_of(ada, session) == ["ToolSearch"]


async def test_in_the_newer_era_a_principal_needs_no_handle_and_shares_none() -> None:
    call = {"name": "plain__echo", "arguments": {"text": "hi"}}
    async with run_issuer() as issuer, run_protected(issuer) as url:

        @asynccontextmanager
        async def connect(who: str) -> AsyncIterator[Client]:
            async with (
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {issuer.sign(sub=who)}"}) as http,
                Client(streamable_http_client(url, http_client=http)) as client,
            ):
                yield client

        async with connect("ada") as ada, connect("bob") as bob:
            listed = {tool.name: tool for tool in (await ada.list_tools()).tools}
            assert "handle" not in listed["ToolCall"].input_schema["properties"]
            found = (await ada.call_tool("ToolSearch", {"query": "select:plain__echo"})).structured_content
            assert "handle" not in found
            assert (await ada.call_tool("ToolCall", call)).structured_content == {"text": "hi"}
            assert (await bob.call_tool("ToolCall", call)).is_error
