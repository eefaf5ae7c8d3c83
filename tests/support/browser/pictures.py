"""Pictures of pages, kept small and compared with tolerance.

A picture is kept as WebP at a third or so of its size, so that it can be looked at and weighs a few
kilobytes. Two are compared by the mean color of blocks of 8 dots (24 or so on the screen): the
edge of a letter does not count, a panel that has moved, a color, a word that is longer does.
"""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

from PIL import Image, ImageChops

WIDTHS = {320: 160, 390: 195, 1366: 455, 1920: 480}
"""Screens by their width, and how wide their pictures are kept."""
QUALITY = 45
BLOCK = 8
APART = 26
"""So far from one another, of 255, two blocks are not the same."""
MOST = 0.04
"""The share of blocks that may differ."""


def small(shot: bytes) -> Image.Image:
    """A screenshot as it is kept."""
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    width = WIDTHS[image.width]
    return image.resize((width, image.height * width // image.width), Image.Resampling.LANCZOS)


def apart(one: Image.Image, other: Image.Image) -> float:
    """The share of blocks in which two pictures differ; 1.0 where their sizes do."""
    if one.size != other.size:
        return 1.0
    size = (max(1, one.width // BLOCK), max(1, one.height // BLOCK))
    first, second = (each.resize(size, Image.Resampling.BOX) for each in (one, other))
    red, green, blue = ImageChops.difference(first, second).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(most.histogram()[APART:]) / (size[0] * size[1])


def keep(image: Image.Image, file: Path) -> None:
    """Write a picture as the one to compare with."""
    image.save(file, "WEBP", quality=QUALITY, method=6)


def kept(file: Path) -> Image.Image:
    """The picture to compare with.

    Raises:
        FileNotFoundError: none is kept; `make pictures` does.
    """
    return Image.open(file).convert("RGB")


def letters() -> str:
    """The font that a page is set in on this machine."""
    told = ["fc-match", "-f", "%{family} %{style}", "system-ui"]
    return subprocess.run(told, capture_output=True, text=True, check=True).stdout
