"""API keys and bearer tokens: from a value, an environment variable read at each call, or a function.

Not here: OAuth flows. A function that returns a fresh token is the place for those.
"""

import inspect
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from charter.auth.redaction import spell_header
from charter.errors import CharterError, CredentialError, DeclarationError
from charter.headers import static_header_problem
from charter.secret import Secret

__all__ = ["ApiKey", "Auth", "Bearer", "Credentials", "TokenSource"]

TokenSource = str | Secret | Callable[[], str | Awaitable[str]]
"""A token, or a function, sync or async, that returns one for the call at hand."""


@dataclass(frozen=True, slots=True, repr=False)
class Credentials:
    """The headers and query parameters that one call's credentials add, and what of its body is secret."""

    headers: Mapping[str, tuple[str, Secret]] = field(default_factory=dict[str, tuple[str, Secret]])
    """Header name -> what comes before the secret, and the secret."""
    query: Mapping[str, Secret] = field(default_factory=dict[str, Secret])
    body: tuple[Secret, ...] = ()

    def __repr__(self) -> str:
        return f"Credentials({', '.join([*self.headers, *self.query])})"

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """Every secret of this call."""
        return (*(secret for _, secret in self.headers.values()), *self.query.values(), *self.body)

    def over(self, others: "Credentials") -> "Credentials":
        """Return these with those `others` that they do not replace."""
        return Credentials(
            {**others.headers, **self.headers}, {**others.query, **self.query}, (*others.body, *self.body)
        )

    def values(self) -> Iterator[str]:
        """Yield everything that is secret by itself: each value, and what a header's value holds."""
        for secret in (*self.query.values(), *self.body):
            yield secret.reveal()
        for prefix, secret in self.headers.values():
            yield secret.reveal()
            if prefix.strip().lower() == "basic" or " " in secret.reveal():
                yield from spell_header(prefix + secret.reveal())


class Auth(Protocol):
    """Anything that can say, for each call, which credentials it carries."""

    @property
    def header_names(self) -> frozenset[str]:
        """Lower-case names of the headers that it sets."""
        ...

    async def credentials(self, provider: str) -> Credentials:
        """Return the credentials for one call to `provider`."""
        ...


class ApiKey:
    """A key in a header or in the query.

    Give the key itself, `env=` for an environment variable read at each call, or a function that returns it.

    >>> ApiKey(env="CALENDAR_KEY", header="Authorization", prefix="Bearer ")
    ApiKey(env='CALENDAR_KEY', header='Authorization')
    """

    def __init__(
        self,
        value: TokenSource | None = None,
        *,
        env: str | None = None,
        header: str = "X-API-Key",
        prefix: str = "",
        query: str | None = None,
    ) -> None:
        if (value is None) == (env is None):
            raise DeclarationError(f"{type(self).__name__}: needs one source. Give either a value or env=.")
        if problem := _find_problem(value, env, header, prefix, query):
            raise DeclarationError(f"{type(self).__name__}: {problem}.")
        self._source: Secret | Callable[[], Any] | None = Secret(value) if isinstance(value, str) else value
        self._env = env
        self._header = header
        self._prefix = prefix
        self._query = query

    def __repr__(self) -> str:
        source = f"env={self._env!r}" if self._env else "…"
        place = f"query={self._query!r}" if self._query else f"header={self._header!r}"
        return f"{type(self).__name__}({source}, {place})"

    @property
    def env(self) -> str | None:
        """The environment variable it is read from, if it is read from one."""
        return self._env

    @property
    def header_names(self) -> frozenset[str]:
        """Lower-case names of the headers that it sets."""
        return frozenset() if self._query else frozenset({self._header.lower()})

    @property
    def may_wait(self) -> bool:
        """Whether reading the key can take time: a function of the author's does, a value does not."""
        return not (self._env or isinstance(self._source, Secret))

    async def credentials(self, provider: str) -> Credentials:
        """Read the key for one call.

        Raises:
            CredentialError: the key is not set, cannot be sent, or its function failed.
        """
        secret = await self._read(provider)
        if not secret:
            raise CredentialError(
                f"{provider}: no credentials. {self._fix(provider)}",
                provider=provider,
                reauthorize=True,
                model_text=f"{provider}: no credentials are set up. Ask the user to set them; do not retry.",
            )
        if not secret.is_sendable():
            raise CredentialError(
                f"{provider}: the key holds a line break or a character outside ASCII. {self._fix(provider)}",
                provider=provider,
            )
        return (
            Credentials(query={self._query: secret})
            if self._query
            else Credentials(headers={self._header: (self._prefix, secret)})
        )

    def _fix(self, provider: str) -> str:
        return f"Set {self._env}." if self._env else f"Give {provider} a key with configure(auth=...)."

    async def _read(self, provider: str) -> Secret:
        if self._env:
            return Secret(os.environ.get(self._env))
        if isinstance(self._source, Secret):
            return self._source
        assert self._source is not None
        try:
            return await _ask(self._source)
        except CharterError:
            raise
        except Exception as error:
            raise CredentialError(
                f"{provider}: the token function failed ({type(error).__name__}). Mend it or return a token.",
                provider=provider,
            ) from error


def _find_problem(value: Any, env: Any, header: Any, prefix: Any, query: Any) -> str | None:
    """Say what cannot work, and the fix, without a word of the key."""
    if value is not None and not (isinstance(value, str | Secret) or callable(value)):
        return f"a key is no {type(value).__name__}. Give a text, a function that returns one, or env="
    if env is not None and not (isinstance(env, str) and env and env.isprintable() and "=" not in env):
        return f"env={env!r} names no variable. Give the name of one"
    if query is not None and not (isinstance(query, str) and query and query.isprintable()):
        return f"query={query!r} names no parameter. Give the name of one"
    if not isinstance(prefix, str):
        return f"prefix={prefix!r} is no text. Write one, such as 'Bearer '"
    problem = static_header_problem(header, f"{prefix}.")
    return f"{problem}. Mend header= or prefix=" if problem else None


class Bearer(ApiKey):
    """A bearer token (RFC 6750): `Authorization: Bearer <token>`."""

    def __init__(self, value: TokenSource | None = None, *, env: str | None = None) -> None:
        super().__init__(value, env=env, header="Authorization", prefix="Bearer ")


async def _ask(source: Callable[[], Any]) -> Secret:
    answer = source()
    token = await answer if inspect.isawaitable(answer) else answer
    if not isinstance(token, str | None):
        raise TypeError(type(token).__name__)
    return Secret(token)
