"""OAuth 2 resource server: which bearer tokens are accepted. Tokens are JWTs, verified against the issuer's keys.

Issuing tokens is the authorization server's; how the HTTP server asks for one is in `http.py`.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2
from mcp.server.auth.provider import AccessToken

from charter.discovery.given import is_mapping
from charter.errors import DeclarationError

__all__ = ["JwtVerifier", "TokenRules", "read_auth"]

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures by a key pair. Shared secrets and `none` are not among them."""
LEEWAY = 30
"""Seconds that clocks may differ."""
KEYS_SECONDS = 3_600.0
"""Age at which the issuer's keys are read again."""
COOL_DOWN = 10.0
"""Seconds between two readings, so that made-up key ids cannot make us ask without end."""
MAX_TOKEN = 16_384
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class TokenRules:
    """Which tokens are accepted.

    Raises:
        DeclarationError: an address is no https URL (loopback may be http), or something is missing.
    """

    issuer: str
    """The authorization server, exactly as its tokens name it."""
    audience: str
    """What tokens must be made for."""
    resource: str = ""
    """This server's public URL; the audience unless given."""
    scopes: tuple[str, ...] = ()
    """What every token must be allowed."""
    jwks: str = ""
    """Where the issuer's keys are; read off its metadata unless given."""

    def __post_init__(self) -> None:
        if not self.issuer or not self.audience:
            raise DeclarationError(
                "auth: issuer and audience are both needed. Give issuer=... and audience=..."
            )
        for option in ("issuer", "jwks"):
            if getattr(self, option):
                _check_url(option, getattr(self, option))
        if not urlsplit(self.address).scheme.startswith("http"):
            raise DeclarationError(
                f"auth: the audience {self.audience!r} is no URL. Give this server's public URL as resource=..."
            )

    @property
    def address(self) -> str:
        """This server's public URL."""
        return self.resource or self.audience


def _check_url(option: str, url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        return
    raise DeclarationError(f"auth: {option} {url!r} is no https URL. Give one that begins with https://.")


def read_auth(pairs: Mapping[str, Any]) -> TokenRules:
    """Read rules off names and values, such as those of `--auth issuer=... audience=...`.

    >>> read_auth({"issuer": "https://id.example.com", "audience": "https://mcp.example.com/mcp"}).address
    'https://mcp.example.com/mcp'

    Raises:
        DeclarationError: a name is unknown, or the rules make no sense.
    """
    known = tuple(TokenRules.__dataclass_fields__)
    unknown = [name for name in pairs if name not in known]
    if unknown:
        raise DeclarationError(f"auth: {unknown[0]!r} is unknown. Use {', '.join(known)}.")
    scopes = pairs.get("scopes", ())
    given = {name: str(value) for name, value in pairs.items() if name != "scopes"}
    split = scopes.replace(",", " ").split() if isinstance(scopes, str) else scopes
    return TokenRules(**{"issuer": "", "audience": "", **given}, scopes=tuple(str(scope) for scope in split))


class JwtVerifier:
    """Verifies tokens by the rules; the SDK's `TokenVerifier`. Keys are read when the first token comes."""

    def __init__(self, rules: TokenRules) -> None:
        self.rules = rules
        self._keys: dict[str, Any] = {}
        self._read_at = float("-inf")

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return what an accepted token says, and None for any other."""
        import jwt  # noqa: PLC0415 - it takes a while to load, and only HTTP with authentication needs it

        if len(token) > MAX_TOKEN:
            return None
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") not in ALGORITHMS:
                return None
            key = await self._find_key(header.get("kid"))
            if key is None:
                return None
            claims = jwt.decode(
                token,
                key.key,
                algorithms=[name for name in ALGORITHMS if _fits(key, name)],
                audience=self.rules.audience,
                issuer=self.rules.issuer,
                leeway=LEEWAY,
                options={"require": ["exp", "iss", "aud"]},
            )
        except (jwt.PyJWTError, ValueError, TypeError):
            return None
        return _read_claims(token, claims, self.rules.audience)

    async def _find_key(self, kid: object) -> Any:
        age = time.monotonic() - self._read_at
        if age > KEYS_SECONDS or (self._pick(kid) is None and age > COOL_DOWN):
            self._read_at = time.monotonic()
            self._keys = await self._read_keys() or self._keys
        return self._pick(kid)

    def _pick(self, kid: object) -> Any:
        if kid is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(str(kid))

    async def _read_keys(self) -> dict[str, Any]:
        import jwt  # noqa: PLC0415

        async with httpx2.AsyncClient(timeout=10.0, follow_redirects=False) as client:
            address = self.rules.jwks or await self._find_jwks(client)
            document = await _read_json(client, address) if address else None
        if not is_mapping(document):
            return {}
        try:
            return {str(key.key_id): key for key in jwt.PyJWKSet.from_dict(dict(document)).keys}
        except jwt.PyJWTError:
            return {}

    async def _find_jwks(self, client: httpx2.AsyncClient) -> str | None:
        for address in _metadata_addresses(self.rules.issuer):
            document = await _read_json(client, address)
            # Metadata of another issuer would let that one's keys sign for this one.
            if is_mapping(document) and document.get("issuer") == self.rules.issuer:
                found = document.get("jwks_uri")
                return found if isinstance(found, str) and _is_safe(found) else None
        return None


def _is_safe(url: str) -> bool:
    try:
        _check_url("jwks_uri", url)
    except DeclarationError:
        return False
    return True


def _fits(key: Any, algorithm: str) -> bool:
    """Tell whether a key may have made this kind of signature: its type, and the one it names if it names one."""
    families = {"RSA": ("RS", "PS"), "EC": ("ES",), "OKP": ("Ed",)}
    named = getattr(key, "algorithm_name", None)
    kind = str(getattr(key, "key_type", ""))
    return algorithm.startswith(families.get(kind, ())) and (kind == "RSA" or named in (None, algorithm))


def _metadata_addresses(issuer: str) -> tuple[str, ...]:
    """Return where an issuer may describe itself: RFC 8414, then OpenID Connect, both ways of placing the path."""
    parts = urlsplit(issuer)
    origin, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    return (
        f"{origin}/.well-known/oauth-authorization-server{path}",
        f"{origin}/.well-known/openid-configuration{path}",
        f"{origin}{path}/.well-known/openid-configuration",
    )


async def _read_json(client: httpx2.AsyncClient, address: str) -> Any:
    try:
        response = await client.get(address, headers={"Accept": "application/json"})
        return response.json() if response.status_code == 200 else None
    except (httpx2.HTTPError, ValueError):
        return None


def _read_claims(token: str, claims: Mapping[str, Any], audience: str) -> AccessToken:
    subject = claims.get("sub")
    client = claims.get("client_id") or claims.get("azp") or subject or ""
    scopes = claims.get("scope", claims.get("scp", ()))
    return AccessToken(
        token=token,
        client_id=str(client),
        scopes=scopes.split() if isinstance(scopes, str) else [str(scope) for scope in scopes or ()],
        expires_at=int(claims["exp"]) + LEEWAY,
        resource=audience,
        subject=str(subject) if subject is not None else None,
        claims={"iss": claims["iss"]},
    )
