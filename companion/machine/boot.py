"""The lines of the Pi's config.txt that wired seats need: a block of our own at its end.

The block begins with `[all]`, or a section for another model that stands before it would hold its
lines back, and lies between two comments by which it is found again: to write it twice changes
nothing, another layout takes its place, and without lines it goes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

PLACES = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
"""Where the file is, and where it was before Debian 12."""
BEGIN, END = "# race-companion begin", "# race-companion end"
_BLOCK = re.compile(rf"\n*^{BEGIN}$.*?^{END}$\n*", re.MULTILINE | re.DOTALL)


def with_block(text: str, lines: Sequence[str]) -> str:
    r"""The content of config.txt with these lines as our block; without any, none is left.

    >>> once = with_block("[pi4]\nmax_framebuffers=2\n", ["dtparam=i2c_arm=on"])
    >>> print(once, end="")
    [pi4]
    max_framebuffers=2
    <BLANKLINE>
    # race-companion begin
    [all]
    dtparam=i2c_arm=on
    # race-companion end
    >>> with_block(once, ["dtparam=i2c_arm=on"]) == once
    True
    >>> with_block(once, [])
    '[pi4]\nmax_framebuffers=2\n'
    """
    rest = _BLOCK.sub("\n", text).rstrip("\n")
    rest = f"{rest}\n" if rest else ""
    if not lines:
        return rest if _BLOCK.search(text) else text
    return "\n".join(part for part in (rest, BEGIN, "[all]", *lines, END, "") if part) + "\n"


def find() -> Path | None:
    """The config.txt of this machine; None: it is no Raspberry Pi."""
    return next((place for place in PLACES if place.is_file()), None)
