"""Consistent overhead byte stuffing: bytes without zeros, so that zero can end a frame.

Only for frames of fewer than 254 bytes, as the pod's are: a block never reaches the length
at which its zero is left out.
"""

from __future__ import annotations

LONGEST = 253
"""Bytes that can be stuffed at most."""


def stuff(data: bytes) -> bytes:
    """Replace the zeros: one byte longer, each block led by the distance to the next zero.

    >>> stuff(bytes([7, 0, 8, 9])).hex(" ")
    '02 07 03 08 09'

    Raises:
        ValueError: more than `LONGEST` bytes.
    """
    if len(data) > LONGEST:
        raise ValueError(f"{len(data)} bytes, at most {LONGEST} can be stuffed")
    return b"".join(bytes([len(block) + 1]) + block for block in data.split(b"\0"))


def unstuff(stuffed: bytes) -> bytes:
    """What was stuffed.

    Raises:
        ValueError: this came out of no `stuff`.
    """
    blocks = []
    at = 0
    while at < len(stuffed):
        end = at + stuffed[at]
        block = stuffed[at + 1 : end]
        if not stuffed[at] or end > len(stuffed) or 0 in block:
            raise ValueError(f"no block of {stuffed[at]} at byte {at} of {len(stuffed)}")
        blocks.append(block)
        at = end
    if not blocks:
        raise ValueError("nothing at all")
    return b"\0".join(blocks)
