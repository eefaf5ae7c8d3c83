"""`companion boot`: the lines of the Pi's config.txt, a block of ours at its end."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import click

from companion.cli import tools
from companion.system.host import write_whole
from race_companion_wired.pinmap import SPI_OFF, Layout, layouts
from race_companion_wired.pinmap import light as light_place

NONE = "none"


@tools.command("boot", tools.AS_JSON)
@click.argument("layout", help="pair, header or expanded, as the seats are wired; none: no lines")
@click.option(
    "--light",
    is_flag=True,
    help="with lights on SPI; beside a seat 4 on the header they need no line",
)
@click.option("--file", type=tools.PATH, help="another config.txt than this machine's")
def lay_lines(layout: str, light: bool, file: Path | None, as_json: bool) -> None:
    """Write the lines that a layout of wired seats needs into the Pi's config.txt.

    They are a block of their own, which another layout replaces; what is there already is not
    written twice. The file as it was before the first time lies beside it.
    """
    known = {name: _lines(one, light) for name, one in layouts().items()}
    known[NONE] = _lines(None, light)
    if layout not in known:
        raise tools.Failure(f"layout is one of {', '.join(known)}, not {layout!r}")
    path = file or find()
    if path is None:
        raise tools.Failure(
            "this machine has no config.txt, it is no Raspberry Pi; name one with --file"
        )
    # Writing anew would replace a link, or a device, by a file of its own.
    target = Path(os.path.realpath(path))
    if os.path.exists(target) and not os.path.isfile(target):
        raise tools.Failure(f"{path} is no file; name a config.txt with --file")
    old = tools.read(path)
    # Bytes that are no UTF-8 go back as they were.
    new = with_block(old.decode("utf-8", "surrogateescape"), known[layout])
    content = new.encode("utf-8", "surrogateescape")
    if content != old:
        _keep(target, old, content)
    says = f"{path} has them now; sudo reboot" if content != old else f"{path} is as it should be"
    tools.answer(as_json, {"file": str(path), "changed": content != old}, says)


def _lines(layout: Layout | None, with_light: bool) -> tuple[str, ...]:
    """What a layout needs, with lights on SPI or without."""
    config = layout.config if layout else ()
    if not with_light:
        return config
    return (*(one for one in config if one != SPI_OFF), f"dtoverlay={light_place().overlay}")


def _keep(path: Path, old: bytes, content: bytes) -> None:
    """Write config.txt whole: a Pi with half of it might not start."""
    before = path.with_name(path.name + ".before-companion")
    try:
        if not before.exists():
            write_whole(before, old)
        write_whole(path, content)
    except OSError as error:
        raise tools.Failure(f"{path} cannot be written: {error.strerror}") from error


def open_command() -> click.Command:
    """`companion boot`."""
    return lay_lines


# -- the file -------------------------------------------------------------------------------------

PLACES = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
"""Where the file is, and where it was before Debian 12."""
BEGIN, END = "# race-companion begin", "# race-companion end"
_BLOCK = re.compile(rf"\n*^{BEGIN}$.*?^{END}$\n*", re.MULTILINE | re.DOTALL)


def with_block(text: str, lines: Sequence[str]) -> str:
    r"""The content of config.txt with these lines as our block; without any, none is left.

    The block begins with `[all]`, or a section for another model that stands before it would hold
    its lines back, and lies between two comments by which it is found again.

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
        # A file without our block stays as it is, to the last line end.
        return rest if _BLOCK.search(text) else text
    return "\n".join(part for part in (rest, BEGIN, "[all]", *lines, END, "") if part) + "\n"


def find() -> Path | None:
    """The config.txt of this machine; None: it is no Raspberry Pi."""
    return next((place for place in PLACES if place.is_file()), None)
