"""The formats that a value may take on the wire: base64url, RFC 822 mail, RFC 3339 and Unix time.

Not here: mail itself. `mail` composes it.
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from charter.errors import CharterError, TransformError
from charter.markers import Format
from charter.wire.mail import EmailContent, encode_mail

__all__ = ["encode_format"]


def encode_format(mark: Format, value: Any, where: str) -> Any:
    """Run a value through the steps of a format; a list is encoded item by item.

    Raises:
        TransformError: a step cannot encode the value.
    """
    if isinstance(value, (list, tuple)):
        return [encode_format(mark, item, where) for item in cast("list[Any]", value)]
    for step in mark.steps:
        encode = _STEPS[step] if isinstance(step, str) else step
        try:
            value = encode(value)
        except TransformError as error:
            raise TransformError(f"{where}: {error}") from None
        except CharterError:
            raise
        except Exception as error:  # a step is the author's, but the value it fails on is the model's
            raise TransformError(f"{where}: cannot be written as {_name(step)} ({error}).") from error
    return _text_of(value) if isinstance(value, bytes) else value


def _text_of(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data  # a raw body carries it


def _name(step: str | Callable[[Any], Any]) -> str:
    return step if isinstance(step, str) else getattr(step, "__name__", "the custom format")


def _base64url(value: Any) -> str:
    data = value if isinstance(value, bytes) else str(value).encode()
    return urlsafe_b64encode(data).decode()


def _moment(value: Any) -> datetime:
    """Read a moment; one without a zone is taken as UTC."""
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time())
    if not isinstance(value, datetime):
        try:
            value = TypeAdapter(datetime).validate_python(value)
        except ValidationError:
            raise ValueError(f"{value!r} is no date and time") from None
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def _unix_time(value: Any) -> int:
    return int(_moment(value).timestamp())


def _unix_time_ms(value: Any) -> int:
    return round(_moment(value).timestamp() * 1000)


def _rfc3339(value: Any) -> str:
    moment = _moment(value)
    text = moment.isoformat()
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


def _rfc822(value: Any) -> Any:
    return encode_mail(value if isinstance(value, EmailContent) else EmailContent.model_validate(value))


_STEPS: dict[str, Callable[[Any], Any]] = {
    "base64url": _base64url,
    "rfc822": _rfc822,
    "rfc3339": _rfc3339,
    "unix-time": _unix_time,
    "unix-time-ms": _unix_time_ms,
}
