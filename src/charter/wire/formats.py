"""The formats that a value may take on the wire: base64, RFC 822 mail, moments, field masks and protobuf values.

Not here: mail itself. `mail` composes it.
"""

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from charter.errors import CharterError, TransformError
from charter.markers import Case, Format
from charter.wire.mail import EmailContent, encode_mail

__all__ = ["encode_format"]


def encode_format(mark: Format, value: Any, where: str) -> Any:
    """Run a value through the steps of a format; a list is encoded item by item, unless its first step takes lists.

    Raises:
        TransformError: a step cannot encode the value.
    """
    if isinstance(value, (list, tuple)) and not _WHOLE.intersection(mark.steps[:1]):
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
    return _text_of(value) if isinstance(value, bytes) else cast("Any", value)


def _text_of(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data  # a raw body carries it


def _name(step: str | Callable[[Any], Any]) -> str:
    return step if isinstance(step, str) else getattr(step, "__name__", "the custom format")


def _bytes_of(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def _base64(value: Any) -> str:
    return b64encode(_bytes_of(value)).decode()


def _base64url(value: Any) -> str:
    return urlsafe_b64encode(_bytes_of(value)).decode()


def _base64_mime(value: Any) -> str:
    """Write base64 in lines of 76 characters (RFC 2045, 6.8)."""
    text = _base64(value)
    return "\r\n".join(text[at : at + 76] for at in range(0, len(text), 76))


def _field_mask(value: Any) -> str:
    """Write paths of fields as `google.protobuf.FieldMask` is in JSON: camelCase, parted by commas."""
    paths = cast("list[Any]", value) if isinstance(value, (list, tuple)) else str(value).split(",")
    return ",".join(".".join(map(Case.CAMEL.spell, str(path).strip().split("."))) for path in paths)


def _protobuf_value(value: Any) -> dict[str, Any]:
    """Write any JSON as a `google.protobuf.Value` with its kind named, for APIs that take it so."""
    match value:
        case None:
            return {"nullValue": None}
        case bool():
            return {"boolValue": value}
        case int() | float():
            return {"numberValue": value}
        case str():
            return {"stringValue": value}
        case list() | tuple():
            return {"listValue": {"values": [_protobuf_value(item) for item in cast("list[Any]", value)]}}
        case dict():
            members = cast("dict[str, Any]", value).items()
            return {"structValue": {"fields": {key: _protobuf_value(child) for key, child in members}}}
        case _:
            raise TypeError(f"a {type(value).__name__} is no JSON value")


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
    "base64": _base64,
    "base64-unpadded": lambda value: _base64(value).rstrip("="),
    "base64-mime": _base64_mime,
    "base64url": _base64url,
    "base64url-unpadded": lambda value: _base64url(value).rstrip("="),
    "field-mask": _field_mask,
    "protobuf-value": _protobuf_value,
    "rfc822": _rfc822,
    "rfc3339": _rfc3339,
    "unix-time": _unix_time,
    "unix-time-ms": _unix_time_ms,
}
_WHOLE = frozenset({"field-mask", "protobuf-value"})
"""Steps that take a list as one value."""
