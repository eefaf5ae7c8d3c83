"""Screens as text, to be read and compared."""

from __future__ import annotations

from companion.drawing.bitmap import HEIGHT, SIZE, WIDTH


def to_text(bitmap: bytes) -> str:
    """A screen as 64 lines of `#` and `.`, to be read and compared; `from_text` reads it back."""
    return "".join(
        "".join("#" if bitmap[y // 8 * WIDTH + x] >> y % 8 & 1 else "." for x in range(WIDTH))
        + "\n"
        for y in range(HEIGHT)
    )


def from_text(text: str) -> bytes:
    """The screen that `to_text` wrote.

    Raises:
        ValueError: the text is not 64 lines of 128 `#` or `.`.
    """
    rows = text.splitlines()
    if len(rows) != HEIGHT or any(len(row) != WIDTH or set(row) - {"#", "."} for row in rows):
        raise ValueError(f"not {HEIGHT} lines of {WIDTH} '#' or '.': {text[:40]!r}…")
    bitmap = bytearray(SIZE)
    for y, row in enumerate(rows):
        for x, dot in enumerate(row):
            if dot == "#":
                bitmap[y // 8 * WIDTH + x] |= 1 << y % 8
    return bytes(bitmap)
