"""One call, in order: validate, credentials, build, send, read, envelope, handler. Only this module knows the order.

Not here: any of the steps.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from inspect import isawaitable
from typing import Any, ParamSpec, TypeVar, cast

from pydantic import BaseModel

from charter.auth import Auth, Credentials, Redactor
from charter.clients import check_loop
from charter.errors import (
    CharterError,
    CredentialError,
    DeclarationError,
    ToolValidationError,
    TransportError,
)
from charter.failures import Failures, Operation, open_answer, read_failure, tell_late, tell_unreadable
from charter.headers import header_problem
from charter.plan import Plan
from charter.reading import Found, Readable, ReadsFirst
from charter.record import CallRecord, OnCall, listeners
from charter.schema.receiving import Received, Volume, merge_arguments, receive_arguments
from charter.schema.view import validate_received
from charter.secret import reveal_secrets
from charter.transport import OFF_LOOP_BYTES, Limits, send
from charter.wire.envelope import Envelope
from charter.wire.request import Statics, WireRequest, build_request
from charter.wire.response import Answer, UnreadableBodyError, read_answer
from charter.wire.trim import Handler, apply_handler

__all__ = ["CallSpec", "Outcome", "call"]

log = logging.getLogger("charter")

P = ParamSpec("P")
T = TypeVar("T")

_BYTES_OF_A_CONTAINER = 100
"""Of an Api's `max_bytes`, for each list and object of an answer: many small ones hold up the whole interpreter."""


@dataclass(frozen=True, slots=True)
class CallSpec:
    """Everything a call needs to know of its tool and Api."""

    tool: str
    provider: str
    plan: Plan
    base_url: str
    statics: Statics
    """What is always sent, but what of it is secret."""
    static_secrets: Credentials
    limits: Limits
    auth: Auth | None = None
    envelope: Envelope | None = None
    failures: Failures = field(default_factory=Failures)
    handler: Handler | None = None
    reads_first: ReadsFirst | None = None
    on_call: tuple[OnCall, ...] = ()
    client: Any = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A call's result, the body it was made of, and the answer's headers by lower-case name."""

    result: Any
    body: Any
    headers: Mapping[str, str] = field(repr=False)


async def call(
    spec: CallSpec, arguments: Any, *, headers: Mapping[str, str | None] | None = None, client: Any = None
) -> Outcome:
    """Make one call. `headers` are the host's: the last word, None removes one.

    Raises:
        CharterError: in one of its kinds, and nothing else but what the author's own handler or validator raises.
    """
    check_loop(spec.tool)
    record = CallRecord(spec.tool, method=spec.plan.method, url=spec.base_url + spec.plan.route.template)
    started = time.perf_counter()
    try:
        outcome = await _call(spec, arguments, headers or {}, client or spec.client, record)
    except CharterError as error:
        record.outcome = error.code
        raise
    except asyncio.CancelledError:
        record.outcome = "cancelled"
        raise
    else:
        record.outcome = "ok"
        return outcome
    finally:
        record.seconds = time.perf_counter() - started
        _tell((*spec.on_call, *listeners()), record)


async def _call(
    spec: CallSpec, arguments: Any, headers: Mapping[str, str | None], client: Any, record: CallRecord
) -> Outcome:
    started = time.perf_counter()
    received = await _receive(spec, arguments, started)
    work = _Work(spec, started, received.volume.is_large)
    instance = await work.do(validate_received, spec.plan, received)
    _check_headers(spec, headers)
    _check_client(spec, client)
    prepared = instance
    if spec.reads_first:
        record.build_seconds = time.perf_counter() - started
        prepared, has_read = await _read_first(spec, instance, headers, client, started)
        if isinstance(prepared, Found):
            result = await _Work(spec, started, has_read).do(_handle, spec, prepared.data, instance)
            return Outcome(await _settle(result), prepared.data, {})
        spec, started = _spend(spec, started), time.perf_counter()
        work = _Work(spec, started, work.is_large or has_read)  # what was read may be large
    credentials = await _credentials(spec, headers)
    request = await work.do(build_request, spec.plan, prepared, _reveal_body(spec), spec.base_url)
    record.url, record.path = spec.base_url + request.template, request.path
    record.query_string = request.url.partition("?")[2]
    record.request_body = _redact_body(request.content, credentials)
    spent = time.perf_counter() - started
    record.build_seconds += spent
    limits = replace(spec.limits, spent=spec.limits.spent + spent)
    answer = await send(request, credentials, headers, limits, client)
    record.status, record.received_bytes = answer.status, len(answer.content)
    if answer.is_failure:
        raise read_failure(_operation(spec), answer)
    work = _Work(spec, started, len(answer.content) > OFF_LOOP_BYTES, was_sent=True)
    result, body = await work.do(_digest, spec, request, answer, instance)
    return Outcome(await _settle(result), body, answer.headers)


@dataclass(frozen=True, slots=True)
class _Work:
    """Work on one call that takes longer the more there is: much of it goes off the event loop, until the deadline."""

    spec: CallSpec
    started: float
    is_large: bool
    was_sent: bool = False

    async def do(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if not self.is_large:
            return work(*args, **kwargs)
        limits = self.spec.limits
        deadline = asyncio.timeout(max(limits.left - (time.perf_counter() - self.started), 0))
        try:
            async with deadline:
                return await asyncio.to_thread(work, *args, **kwargs)
        except TimeoutError:
            if not deadline.expired():
                raise
        raise tell_late(_operation(self.spec), limits.deadline, was_sent=self.was_sent)


async def _receive(spec: CallSpec, arguments: Any, started: float) -> Received:
    is_large = isinstance(arguments, (str, bytes)) and Volume(text=len(arguments)).is_large
    work = _Work(spec, started, is_large)
    return await work.do(receive_arguments, spec.tool, spec.plan.root.model, arguments)


async def _read_first(
    spec: CallSpec, instance: BaseModel, headers: Mapping[str, str | None], client: Any, started: float
) -> tuple[BaseModel | Found, bool]:
    """Let the tool read what its request depends on, and say whether it did. Nothing is written before that is done."""
    reads_first, has_read = cast("ReadsFirst", spec.reads_first), False

    async def read(tool: Readable, arguments: Mapping[str, Any] | None = None, /, **more: Any) -> Any:
        nonlocal has_read
        has_read = True
        declared = reads_first.find(tool)
        if declared is None:
            raise DeclarationError(
                f"{spec.tool}: reads {tool.qualified_name} first, but does not name it. Name it in its ReadsFirst."
            )
        inner = _within(declared.call_spec(), _spend(spec, started))
        given = merge_arguments(arguments, more, inner.plan.root.model)
        return (await call(inner, given, headers=headers, client=client)).result

    prepared = await reads_first.prepare(instance, read)
    if not isinstance(prepared, (type(instance), Found)):
        raise TypeError(f"{spec.tool}: what reads first returned {type(prepared).__name__}, no arguments")
    return prepared, has_read


def _spend(spec: CallSpec, since: float) -> CallSpec:
    """Return the spec with what has passed of its deadline."""
    spent = spec.limits.spent + time.perf_counter() - since
    return replace(spec, limits=replace(spec.limits, spent=spent))


def _within(inner: CallSpec, outer: CallSpec) -> CallSpec:
    """Return the spec of a read within another call: its deadline, its credentials, and the whole answer."""
    is_shorter = inner.limits.deadline <= outer.limits.left
    limits = inner.limits if is_shorter else replace(outer.limits, max_bytes=inner.limits.max_bytes)
    on_call = (*inner.on_call, *(one for one in outer.on_call if one not in inner.on_call))
    return replace(inner, limits=limits, auth=outer.auth, handler=None, on_call=on_call)


def _tell(listeners: Iterable[OnCall], record: CallRecord) -> None:
    for on_call in listeners:
        try:
            on_call(record)
        except Exception:
            log.exception("%s: on_call failed", record.tool)


def _check_headers(spec: CallSpec, headers: Mapping[str, str | None]) -> None:
    for name in headers:
        if problem := header_problem(name, headers[name]):
            raise ToolValidationError(f"{spec.tool}: {problem}. Mend the header or remove it.")


def _check_client(spec: CallSpec, client: Any) -> None:
    if spec.limits.public_only and client is not None:
        raise TransportError(
            f"{spec.tool}: public_only holds for Charter's own connections. Give no client=.",
            may_have_taken_effect=False,
            model_text=f"{spec.tool} is not set up right. Nothing was sent. Tell the user; do not retry.",
        )


def _reveal_body(spec: CallSpec) -> Statics:
    if not spec.static_secrets.body:
        return spec.statics
    return replace(spec.statics, body=reveal_secrets(spec.statics.body))


def _redact_body(content: bytes | None, credentials: Credentials) -> bytes | None:
    if not content or not credentials.body:
        return content
    text = content.decode("utf-8", "surrogateescape")
    return Redactor(credentials.values()).text(text).encode("utf-8", "surrogateescape")


async def _credentials(spec: CallSpec, headers: Mapping[str, str | None]) -> Credentials:
    """Read what is secret of the call: statics, and the credentials unless the host's own headers stand in for them."""
    if not all(spec.static_secrets.secrets):
        raise CredentialError(
            f"{spec.provider}: a static header or parameter has no value: a copy made by pickle has lost it. "
            "Declare the tool in this process.",
            provider=spec.provider,
            model_text=f"{spec.provider}: its credentials are not set up. Tell the user; do not retry.",
        )
    given = {name.lower() for name in headers}
    if spec.auth is None or (spec.auth.header_names and spec.auth.header_names <= given):
        return spec.static_secrets
    own = await _read_auth(spec, spec.auth)
    return own.over(spec.static_secrets) if spec.static_secrets.secrets else own


async def _read_auth(spec: CallSpec, auth: Auth) -> Credentials:
    if not getattr(auth, "may_wait", True):
        return await auth.credentials(spec.provider)
    try:
        async with asyncio.timeout(spec.limits.left):
            return await auth.credentials(spec.provider)
    except TimeoutError:
        raise CredentialError(
            f"{spec.provider}: no token within {spec.limits.deadline:g} s. Mend its function or raise timeout=.",
            provider=spec.provider,
            model_text=f"{spec.provider}: its credentials could not be read in time. Nothing was sent; try again.",
        ) from None


def _digest(spec: CallSpec, request: WireRequest, answer: Answer, arguments: BaseModel) -> tuple[Any, Any]:
    """Return what a model gets of an answer, or an awaitable of it, and the body that is made of."""
    body = _read(spec, request, answer)
    if not answer.has_content:
        return body, body
    opened = open_answer(_operation(spec), answer, body) if spec.envelope else body
    return _handle(spec, opened, arguments), body


def _handle(spec: CallSpec, data: Any, arguments: BaseModel) -> Any:
    return apply_handler(spec.handler, data, arguments) if spec.handler else data


async def _settle(result: Any) -> Any:
    return await result if isawaitable(result) else result


def _read(spec: CallSpec, request: WireRequest, answer: Answer) -> Any:
    accepts = next((value for name, value in request.headers.items() if name.lower() == "accept"), "")
    try:
        return read_answer(answer, accepts, spec.limits.max_bytes // _BYTES_OF_A_CONTAINER)
    except UnreadableBodyError as error:
        problem = str(error)
    raise tell_unreadable(_operation(spec), answer, problem)


def _operation(spec: CallSpec) -> Operation:
    return Operation(spec.tool, spec.provider, spec.plan.is_read_only, spec.envelope, spec.failures)
