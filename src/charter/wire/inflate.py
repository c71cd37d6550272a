"""Bodies collected as they arrive: decompressed step by step and never past a cap.

Not here: what a body means (`response`).
"""

import zlib

__all__ = ["BrokenBodyError", "Inflater"]

_PLAIN = frozenset({"", "identity", "none"})
_KNOWN = frozenset({"gzip", "x-gzip", "deflate"})
_AUTOMATIC = zlib.MAX_WBITS | 32
_RAW = -zlib.MAX_WBITS


class BrokenBodyError(ValueError):
    """A body cannot be had whole: what is wrong, and the fix."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem)
        self.problem, self.fix = problem, fix


class Inflater:
    """Collects one body; `encoding` is its Content-Encoding.

    >>> import gzip
    >>> body = Inflater("gzip", max_bytes=100)
    >>> body.feed(gzip.compress(b"tea"))
    >>> body.finish()
    b'tea'
    """

    def __init__(self, encoding: str, max_bytes: int) -> None:
        self._encoding = encoding
        names = [name.strip().lower() for name in encoding.split(",")]
        self._names = [name for name in names if name not in _PLAIN]
        self._inflate = zlib.decompressobj(_AUTOMATIC) if self._names else None
        self._is_deflate = self._names == ["deflate"]
        self._head = b""  # of a deflate body, until something comes out of it
        self._has_input = False
        self._max_bytes = max_bytes
        self._parts: list[bytes] = []
        self._size = 0

    @property
    def so_far(self) -> bytes:
        """What has been collected."""
        return b"".join(self._parts)

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes.

        Raises:
            BrokenBodyError: the encoding is unknown, the bytes are not in it, or the body is larger than its cap.
        """
        if len(self._names) > 1 or not _KNOWN.issuperset(self._names):
            raise BrokenBodyError(f"the body is encoded as {self._encoding[:40]!r}", "Ask the API for gzip")
        while chunk:
            part, chunk = self._decode(chunk) if self._inflate else (chunk, b"")
            room = self._max_bytes - self._size
            self._parts.append(part[:room])
            self._size += len(part)
            if len(part) > room:
                raise BrokenBodyError(
                    f"the answer is larger than {self._max_bytes} bytes", "Ask for less or raise max_bytes="
                )

    def _decode(self, chunk: bytes) -> tuple[bytes, bytes]:
        """Return what one step decompresses and what of the chunk is left."""
        assert self._inflate is not None
        if self._inflate.eof:
            chunk = chunk.lstrip(b"\0")  # padding behind a member, or else the next member
            if not chunk:
                return b"", b""
            self._inflate = zlib.decompressobj(_AUTOMATIC)
        room = self._max_bytes - self._size + 1
        self._has_input = True
        if self._is_deflate and not self._size:
            self._head += chunk
        try:
            part = self._inflate.decompress(chunk, room)
        except zlib.error:
            part = self._decode_raw(room)
        return part, self._inflate.unconsumed_tail or self._inflate.unused_data

    def _decode_raw(self, room: int) -> bytes:
        """Decompress deflate without its wrapper, as some servers send it."""
        if self._is_deflate and not self._size:
            self._is_deflate = False
            self._inflate = zlib.decompressobj(_RAW)
            try:
                return self._inflate.decompress(self._head, room)
            except zlib.error:
                pass
        raise BrokenBodyError("the compressed body is broken", "Try again")

    def finish(self) -> bytes:
        """Return the whole body.

        Raises:
            BrokenBodyError: a compressed body is cut short.
        """
        if self._inflate and self._has_input and not self._inflate.eof:
            raise BrokenBodyError("the compressed body is cut short", "Try again")
        return self.so_far
