"""Bodies: JSON, a form with brackets, or raw text and bytes.

Not here: which fields are in the body. The plan says that.
"""

from typing import Any, cast

from pydantic_core import to_json

from charter.plan import BodyEncoding
from charter.wire.query import encode_pairs, flatten

__all__ = ["encode_body"]


def encode_body(value: Any, encoding: BodyEncoding) -> bytes:
    """Encode a JSON value as a body. A form says null with an empty value.

    >>> encode_body({"a": {"b": [True]}}, "form"), encode_body({"a": 1}, "json")
    (b'a%5Bb%5D%5B0%5D=true', b'{"a":1}')
    """
    if encoding == "json":
        return to_json(value, inf_nan_mode="constants")
    members = cast("dict[str, Any]", value) if isinstance(value, dict) else {"": value}
    return encode_pairs(
        [pair for name, child in members.items() for pair in flatten(name, child, "deep", null="")]
    ).encode()
