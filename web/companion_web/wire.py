"""Reading request bodies off the wire within bounds.

The HTTP server trusts the sizes that a client names: it would hold a chunk of any length in
memory, and read a refused body to its end before it answers. Both are bounded here.
"""

from __future__ import annotations

import socket
import time
from typing import Final, Protocol

DRAIN_BYTES: Final = 32 * 1024 * 1024
DRAIN_S: Final = 5.0
SIZE_LINE_BYTES: Final = 128


class Readable(Protocol):
    """A buffered reader, as the HTTP server has one for each connection."""

    def read(self, size: int) -> bytes: ...

    def readline(self, size: int) -> bytes: ...


class ChunkedBody:
    """A body in the chunked transfer coding, decoded as it is read.

    >>> from io import BytesIO
    >>> ChunkedBody(BytesIO(b"3\\r\\nabc\\r\\n2;x=y\\r\\nde\\r\\n0\\r\\n\\r\\n")).read()
    b'abcde'
    """

    def __init__(self, wire: Readable) -> None:
        self._wire = wire
        self._left_of_chunk = 0
        self._is_at_end = False

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes; fewer only at the end; all for -1.

        Raises:
            ValueError: this is not the chunked coding, or it stops in the middle.
        """
        parts: list[bytes] = []
        wanted = size
        while wanted != 0 and self._has_more():
            part = self._wire.read(min(self._left_of_chunk, wanted if size >= 0 else 65536, 65536))
            if not part:
                raise ValueError("the body ended in the middle of a chunk")
            self._left_of_chunk -= len(part)
            wanted -= len(part) if size >= 0 else 0
            parts.append(part)
            self._end_chunk()
        return b"".join(parts)

    def _has_more(self) -> bool:
        if self._left_of_chunk == 0 and not self._is_at_end:
            self._left_of_chunk = self._read_size()
            self._is_at_end = self._left_of_chunk == 0
            if self._is_at_end:
                self._skip_trailers()
        return not self._is_at_end

    def _read_size(self) -> int:
        line = self._wire.readline(SIZE_LINE_BYTES)
        digits = line.partition(b";")[0].strip()
        # int() alone would take a sign and underscores.
        if not line.endswith(b"\n") or not digits.isalnum():
            raise ValueError(f"{line!r} is not the size of a chunk")
        return int(digits, 16)

    def _end_chunk(self) -> None:
        if self._left_of_chunk == 0 and self._wire.read(2) != b"\r\n":
            raise ValueError("a chunk is longer than it says")

    def _skip_trailers(self) -> None:
        for _ in range(100):
            line = self._wire.readline(SIZE_LINE_BYTES)
            if line in (b"\r\n", b"\n", b""):
                return
        raise ValueError("too many trailers")


def drain(sock: socket.socket) -> None:
    """Say that no more will be sent, and swallow what the client is still sending.

    Closed at once, the kernel would reset the connection, and the client might never see
    the answer. Gives up after 32 MiB or 5 s.
    """
    until = time.monotonic() + DRAIN_S
    left = DRAIN_BYTES
    try:
        sock.shutdown(socket.SHUT_WR)
        while left > 0 and (rest_s := until - time.monotonic()) > 0:
            sock.settimeout(rest_s)
            got = len(sock.recv(65536))
            if got == 0:
                return
            left -= got
    except OSError:
        return
