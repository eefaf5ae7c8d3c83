"""A screen as a PNG picture, for the page: one bit a dot, written by hand with zlib."""

from __future__ import annotations

import struct
import zlib

from companion.drawing.bitmap import HEIGHT, WIDTH

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_FILTER_NONE = b"\0"


def png(bitmap: bytes, scale: int = 1) -> bytes:
    """The screen (1024 bytes in page order) as PNG, each dot `scale` pixels wide and high."""
    header = struct.pack(">IIBBBBB", WIDTH * scale, HEIGHT * scale, 1, 0, 0, 0, 0)
    rows = b"".join((_FILTER_NONE + _row(bitmap, y, scale)) * scale for y in range(HEIGHT))
    return (
        _SIGNATURE
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", zlib.compress(rows, 6))
        + _chunk(b"IEND", b"")
    )


def _row(bitmap: bytes, y: int, scale: int) -> bytes:
    """One row of dots, eight to a byte, the leftmost in the highest bit."""
    page, bit = divmod(y, 8)
    dots = "".join(
        ("1" if byte >> bit & 1 else "0") * scale
        for byte in bitmap[page * WIDTH : (page + 1) * WIDTH]
    )
    return int(dots, 2).to_bytes(WIDTH * scale // 8, "big")


def _chunk(kind: bytes, body: bytes) -> bytes:
    """A chunk of the PNG format: length, kind, body, checksum."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
