"""Bytes as models write them: base64 in a text, by either alphabet, padded or not.

Not here: what the wire carries of them. `wire.casing` and `wire.request` write that.
"""

import re
from base64 import b64decode

__all__ = ["read_base64", "size_base64"]

_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")


def read_base64(text: str) -> bytes | None:
    r"""Return the bytes that a text is base64 for; None when it is not.

    >>> read_base64("iVBORw=="), read_base64("iVBORw"), read_base64("_-8"), read_base64("a b!")
    (b'\x89PNG', b'\x89PNG', b'\xff\xef', None)
    """
    written = "".join(text.split()).replace("-", "+").replace("_", "/")
    bare = written.rstrip("=")
    if not _BASE64.fullmatch(written) or len(bare) % 4 == 1:
        return None
    return b64decode(bare + "=" * (-len(bare) % 4))


def size_base64(size: int, *, padded: bool) -> int:
    """Return how many characters the base64 of so many bytes has.

    >>> size_base64(4, padded=True), size_base64(4, padded=False)
    (8, 6)
    """
    return -(-size // 3) * 4 if padded else -(-size * 4 // 3)
