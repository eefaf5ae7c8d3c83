"""`companion boot`: the lines of a Raspberry Pi's config.txt that wired seats need."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.tools import AS_JSON, PATH, Failure, answer, command, read
from companion.files import write_whole

NONE = "none"


@command("boot", AS_JSON)
@click.argument("layout", help="pair, header or expanded, as the seats are wired; none: no lines")
@click.option("--file", type=PATH, help="another config.txt than this machine's")
def lay_lines(layout: str, file: Path | None, as_json: bool) -> None:
    """Write the lines that a layout of wired seats needs into the Pi's config.txt.

    They are a block of their own, which another layout replaces; what is there already is not
    written twice. The file as it was before the first time lies beside it.
    """
    from companion.machine.boot import find, with_block
    from companion.seats.pinmap import layouts

    known = {name: one.config for name, one in layouts().items()} | {NONE: ()}
    if layout not in known:
        raise Failure(f"layout is one of {', '.join(known)}, not {layout!r}")
    path = file or find()
    if path is None:
        raise Failure("this machine has no config.txt, it is no Raspberry Pi; name one with --file")
    old = read(path)
    new = with_block(old.decode("utf-8", "surrogateescape"), known[layout])
    content = new.encode("utf-8", "surrogateescape")
    if content != old:
        _keep(path, old, content)
    says = f"{path} has them now; sudo reboot" if content != old else f"{path} is as it should be"
    answer(as_json, {"file": str(path), "changed": content != old}, says)


def _keep(path: Path, old: bytes, content: bytes) -> None:
    """Write config.txt whole: a Pi with half of it might not start."""
    before = path.with_name(path.name + ".before-companion")
    try:
        if not before.exists():
            write_whole(before, old)
        write_whole(path, content)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}") from error
