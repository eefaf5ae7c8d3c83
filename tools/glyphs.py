"""Write the glyph files of companion/drawing/glyphs from bitmap fonts installed on the machine.

Run by hand, once, when a character is wanted that is not there yet:

    python tools/glyphs.py TERMINUS_FOLDER MISC_FOLDER

TERMINUS_FOLDER holds `terminus-bold.otb` and `terminus-normal.otb` (Debian: fonts-terminus-otb),
MISC_FOLDER `5x8.pcf.gz` (Debian: xfonts-base). Needs Pillow, which the companion itself does not.

A glyph file has one character a line: its code point and its columns from left to right, each a
hexadecimal number whose bit 0 is the topmost dot.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

LETTERS = [chr(code) for code in (*range(0x20, 0x7F), *range(0xA1, 0x180)) if code != 0xAD]
SIGNS = list("ȘșȚț–—‘’‚“”„†•…‰‹›€™−≤≥≠∞←↑→↓↔✓■●○◆▲▼▶◀")
OWN = {
    ("5x8", "✓"): [0x10, 0x20, 0x18, 0x04, 0x00],
    ("5x8", "."): [0x00, 0x60, 0x60, 0x00, 0x00],
    ("5x8", ":"): [0x00, 0x6C, 0x6C, 0x00, 0x00],
}
"""Drawn by ourselves: what a font lacks, or what is misread at its size (a full stop as +)."""

FONTS = {
    "5x8": ("misc", "5x8.pcf.gz", 8, LETTERS + SIGNS),
    "6x12": ("terminus", "terminus-normal.otb", 12, LETTERS + SIGNS),
    "8x16": ("terminus", "terminus-bold.otb", 16, LETTERS + SIGNS),
    "12x24": ("terminus", "terminus-bold.otb", 24, LETTERS + SIGNS),
    "16x32": ("terminus", "terminus-bold.otb", 32, [c for c in LETTERS if c < "\x7f"] + ["–", "…"]),
}


def columns(font: ImageFont.FreeTypeFont, character: str, width: int, height: int) -> list[int]:
    """The dots of one character, a number a column."""
    image = Image.new("1", (width, height))
    ImageDraw.Draw(image).text((0, 0), character, 1, font=font)
    return [sum(1 << y for y in range(height) if image.getpixel((x, y))) for x in range(width)]


def lines(font: ImageFont.FreeTypeFont, name: str, characters: list[str]) -> list[str]:
    """The lines of a glyph file; characters that the font does not have are left out."""
    width, height = (int(part) for part in name.split("x"))
    absent = columns(font, "\uffff", width, height)
    digits = (height + 3) // 4
    found = []
    for character in sorted(set(characters)):
        dots = OWN.get((name, character)) or columns(font, character, width, height)
        if dots != absent and (any(dots) or character == " "):
            found.append(f"{ord(character):04X} " + " ".join(f"{dot:0{digits}X}" for dot in dots))
        else:
            print(f"{name}: no {character!r}", file=sys.stderr)
    return found


def main(terminus: str, misc: str) -> None:
    """Write every glyph file."""
    folders = {"terminus": Path(terminus), "misc": Path(misc)}
    here = Path(__file__).parents[1] / "companion" / "drawing" / "glyphs"
    for name, (folder, file, size, characters) in FONTS.items():
        font = ImageFont.truetype(str(folders[folder] / file), size)
        text = "\n".join(lines(font, name, characters))
        (here / f"{name}.txt").write_text(text + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
