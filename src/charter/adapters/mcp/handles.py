"""Signed handles: which tools a conversation has loaded, carried by the client where there is no session.

Who needs one is decided in `conversation.py`.
"""

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Iterable

from charter.errors import ToolValidationError

__all__ = ["Handles"]

_FORM = b"\x01"
_MAC = 12
_DIGEST = 4
MAX_HANDLE = 4_096
"""Characters of a handle that are read."""


class Handles:
    """Writes and reads the handles of one set of tools.

    A handle names tools by their place among the sorted names, so it is short; it holds a digest of
    those names, so one made for other tools is refused rather than misread.

    >>> handles = Handles(["a__x", "a__y"], b"key")
    >>> handles.read(handles.write(["a__y"]))
    ['a__y']
    """

    def __init__(self, names: Collection[str], key: bytes) -> None:
        self._names = sorted(names)
        self._places = {name: place for place, name in enumerate(self._names)}
        self._digest = hashlib.sha256("\n".join(self._names).encode()).digest()[:_DIGEST]
        self._key = key

    def write(self, loaded: Iterable[str], principal: str = "") -> str:
        """Return a handle for the tools loaded; only `principal` can use it."""
        places = sorted({self._places[name] for name in loaded if name in self._places})
        content = _FORM + self._digest + _pack(places)
        return urlsafe_b64encode(content + self._sign(content, principal)).rstrip(b"=").decode()

    def read(self, handle: object, principal: str = "") -> list[str]:
        """Return the tools that a handle stands for.

        Raises:
            ToolValidationError: it was not made here, not for this principal, or for other tools.
        """
        content = self._verify(handle, principal)
        if content is None or content[:1] != _FORM or content[1 : 1 + _DIGEST] != self._digest:
            raise ToolValidationError(
                "handle: it is not one that ToolSearch returned here. Call ToolSearch again and pass its new handle."
            )
        return [self._names[place] for place in _unpack(content[1 + _DIGEST :])]

    def _verify(self, handle: object, principal: str) -> bytes | None:
        if not isinstance(handle, str) or len(handle) > MAX_HANDLE:
            return None
        try:
            raw = urlsafe_b64decode(handle.strip().encode("ascii") + b"=" * (-len(handle.strip()) % 4))
        except ValueError:
            return None
        content, mac = raw[:-_MAC], raw[-_MAC:]
        return content if hmac.compare_digest(self._sign(content, principal), mac) else None

    def _sign(self, content: bytes, principal: str) -> bytes:
        # The length keeps a principal's last bytes from being read as the content's first.
        owner = principal.encode("utf-8", "surrogatepass")
        signed = len(owner).to_bytes(8, "big") + owner + content
        return hmac.new(self._key, signed, hashlib.sha256).digest()[:_MAC]


def _pack(places: Iterable[int]) -> bytes:
    """Write increasing numbers as the gaps between them, seven bits to a byte."""
    packed, last = bytearray(), -1
    for place in places:
        gap, last = place - last, place
        while gap > 127:
            packed.append(gap & 127 | 128)
            gap >>= 7
        packed.append(gap)
    return bytes(packed)


def _unpack(packed: bytes) -> list[int]:
    places: list[int] = []
    place, gap, shift = -1, 0, 0
    for byte in packed:
        gap |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            place += gap
            places.append(place)
            gap = shift = 0
    return places
