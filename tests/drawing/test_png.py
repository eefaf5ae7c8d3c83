"""The PNG that we write, read by a program that knows PNG."""

from __future__ import annotations

import io
import random

import pytest
from PIL import Image
from support.screens.dots import to_text

from companion.drawing.bitmap import SIZE, png


def pixels(picture: bytes, scale: int) -> str:
    """The picture's dots as `to_text` writes them, one of each block of `scale` × `scale`."""
    image = Image.open(io.BytesIO(picture))
    image.load()
    assert image.mode == "1"
    assert image.size == (128 * scale, 64 * scale)
    rows = (
        "".join("#" if image.getpixel((x, y)) else "." for x in range(0, image.width, scale))
        for y in range(scale - 1, image.height, scale)
    )
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize("scale", [1, 3, 4])
def test_pillow_reads_back_every_dot(scale: int) -> None:
    screen = random.Random(scale).randbytes(SIZE)
    assert pixels(png(screen, scale), scale) == to_text(screen)


def test_a_damaged_picture_is_noticed() -> None:
    picture = bytearray(png(bytes(SIZE)))
    picture[45] ^= 0xFF
    with pytest.raises((OSError, SyntaxError)):
        pixels(bytes(picture), 1)
