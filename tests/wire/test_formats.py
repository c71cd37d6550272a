"""Formats: values as the wire carries them."""

from base64 import urlsafe_b64decode
from datetime import UTC, date, datetime, timedelta, timezone
from email import message_from_bytes
from typing import Any

import pytest

from charter import CharterError, EmailContent, Format, ToolValidationError, TransformError
from charter.plan import FORMAT_STEPS
from charter.wire.formats import _STEPS, encode_format

NOON = datetime(2026, 3, 1, 12, 0, 0, 500_000, tzinfo=UTC)
BERLIN = datetime(2026, 3, 1, 13, 0, tzinfo=timezone(timedelta(hours=1)))


def shout(value: str) -> str:
    return value.upper()


@pytest.mark.parametrize(
    ("steps", "value", "written"),
    [
        (("unix-time",), NOON, 1772366400),
        (("unix-time",), BERLIN, 1772366400),
        (("unix-time",), datetime(2026, 3, 1, 12), 1772366400),
        (("unix-time",), date(2026, 3, 1), 1772323200),
        (("unix-time",), "2026-03-01T12:00:00Z", 1772366400),
        (("unix-time",), datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), -1),
        (("unix-time-ms",), NOON, 1772366400500),
        (("rfc3339",), NOON, "2026-03-01T12:00:00.500000Z"),
        (("rfc3339",), BERLIN, "2026-03-01T13:00:00+01:00"),
        (("rfc3339",), datetime(2026, 3, 1, 12), "2026-03-01T12:00:00Z"),
        (("rfc3339",), date(2026, 3, 1), "2026-03-01T00:00:00Z"),
        (("base64url",), "ä?>", "w6Q_Pg=="),
        (("base64url",), b"\xff\xfe", "__4="),
        (("base64url",), "", ""),
        (("base64",), b"\xff\xfe\xfd\xfc", "//79/A=="),
        (("base64-unpadded",), b"\xff\xfe\xfd\xfc", "//79/A"),
        (("base64url-unpadded",), b"\xff\xfe\xfd\xfc", "__79_A"),
        (("base64-mime",), b"a" * 58, "YWFh" * 19 + "\r\nYQ=="),
        (("base64-mime",), "", ""),
        (("field-mask",), ["user_name", "address.post_code"], "userName,address.postCode"),
        (("field-mask",), "user_name, address.postCode", "userName,address.postCode"),
        (("field-mask",), [], ""),
        (
            ("protobuf-value",),
            {"a": [1, "x", True, None]},
            {
                "structValue": {
                    "fields": {
                        "a": {
                            "listValue": {
                                "values": [
                                    {"numberValue": 1},
                                    {"stringValue": "x"},
                                    {"boolValue": True},
                                    {"nullValue": None},
                                ]
                            }
                        }
                    }
                }
            },
        ),
        (("protobuf-value",), [0.5], {"listValue": {"values": [{"numberValue": 0.5}]}}),
        ((shout,), "abc", "ABC"),
        ((shout, "base64url"), "abc", "QUJD"),
        ((), "abc", "abc"),
        (("base64url",), ["a", "b"], ["YQ==", "Yg=="]),
        (("unix-time",), (NOON, BERLIN), [1772366400, 1772366400]),
    ],
    ids=str,
)
def test_a_value_is_written_step_by_step(steps: Any, value: Any, written: Any) -> None:
    assert encode_format(Format(*steps), value, "tool: at") == written


def test_mail_becomes_base64url_of_rfc_822() -> None:
    content = EmailContent(to=["a@x.org"], subject="Hi", text="Hello")
    written = encode_format(Format("rfc822", "base64url"), content, "send: raw")
    mail = message_from_bytes(urlsafe_b64decode(written))
    assert (mail["To"], mail["Subject"]) == ("a@x.org", "Hi")


@pytest.mark.parametrize(
    ("step", "value"),
    [("unix-time", "soon"), ("unix-time", None), ("unix-time", {}), ("rfc3339", "13/13/2026"), ("rfc822", 3)],
)
def test_a_value_that_does_not_fit_is_a_transform_error(step: str, value: Any) -> None:
    with pytest.raises(TransformError, match=r"^tool: at: "):
        encode_format(Format(step), value, "tool: at")


def look_up(value: str) -> str:
    return {"a": "1"}[value]


def divide(value: int) -> float:
    return 1 / value


def read_name(value: Any) -> Any:
    return value.name


@pytest.mark.parametrize(("step", "value"), [(look_up, "b"), (divide, 0), (read_name, "x")])
def test_what_an_authors_own_step_fails_on_is_a_transform_error(step: Any, value: Any) -> None:
    with pytest.raises(TransformError, match=rf"^tool: at: cannot be written as {step.__name__} ") as raised:
        encode_format(Format(step), value, "tool: at")
    assert raised.value.__cause__


def refuse(value: str) -> str:
    raise ToolValidationError("tool: at: is refused")


def test_an_authors_own_charter_error_stays_as_it_is() -> None:
    with pytest.raises(CharterError, match=r"^tool: at: is refused$") as raised:
        encode_format(Format(refuse), "x", "tool: at")
    assert type(raised.value) is ToolValidationError


def test_the_steps_that_a_declaration_may_name_are_the_steps_there_are() -> None:
    assert set(_STEPS) == set(FORMAT_STEPS)
