"""A screen as lines of a terminal: two rows of dots to a line."""

from __future__ import annotations

from companion.drawing.bitmap import HEIGHT, WIDTH

_HALVES = " ▀▄█"


def screen_lines(bitmap: bytes) -> list[str]:
    """The 32 lines of a screen, 128 letters each.

    >>> screen_lines(bytes([0b1101]) + bytes(1023))[:2] == ["▀" + 127 * " ", "█" + 127 * " "]
    True
    """

    def dot(x: int, y: int) -> int:
        return bitmap[y // 8 * WIDTH + x] >> y % 8 & 1

    return [
        "".join(_HALVES[dot(x, y) | dot(x, y + 1) << 1] for x in range(WIDTH))
        for y in range(0, HEIGHT, 2)
    ]
