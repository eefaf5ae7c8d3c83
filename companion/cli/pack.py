"""`companion pack list|check|show`: how clubs play, as packs of house rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from companion.cli.tools import AS_JSON, DATA, PATH, Failure, Group, answer, command
from companion.race.boards import PackLibrary, read_pack_file
from companion.rules.packs import Pack, read_pack

PACK = Group(
    "pack",
    {
        "list": ("pack", "the packs that a race may be played by"),
        "show": ("pack", "one pack: what it says of the race"),
        "check": ("pack", "what is wrong with the file of a pack"),
    },
    "List, show and check rules packs.",
)


@command("list", DATA, AS_JSON)
def list_packs(data: Path, as_json: bool) -> None:
    """List the packs that ship, and the host's own out of the folder `packs` of its data."""
    packs = [pack for pack, _ in _library(data).packs().values()]
    entries = [{"name": one.name, "game": one.game, "about": one.about} for one in packs]
    answer(as_json, entries, *(f"{one.name:<20} {one.game:<11} {one.about}" for one in packs))


@command("show", DATA, AS_JSON)
@click.argument("name", help="the name of a pack, as it stands in it")
def show_pack(name: str, data: Path, as_json: bool) -> None:
    """Show one pack: laps, optional rules, house switches."""
    packs = _library(data).packs()
    if name not in packs:
        raise Failure(f"there is no pack {name!r:.60}; known are {', '.join(packs)}")
    _tell(packs[name][0], as_json)


def _library(data: Path) -> PackLibrary:
    """Those that ship, and those of the data folder."""
    return PackLibrary((data / "packs",))


@command("check", AS_JSON)
@click.argument("file", type=PATH, help="a pack, as TOML")
def check_pack(file: Path, as_json: bool) -> None:
    """Check the file of a pack; the first fault is said in a sentence."""
    if not file.is_file():
        raise Failure(f"there is no file {file}")
    _tell(read_pack(read_pack_file(file)), as_json)


def _tell(pack: Pack, as_json: bool) -> None:
    parts = {
        "name": pack.name,
        "game": pack.game,
        "about": pack.about,
        "source": pack.source,
        "laps": pack.laps,
        "rules": None if pack.rules is None else list(pack.rules),
        "house": dict(pack.house),
    }
    answer(as_json, parts, *_lines(pack))


def _lines(pack: Pack) -> Iterator[str]:
    yield f"{pack.name} ({pack.game}): {pack.about}".rstrip(": ")
    if pack.laps is not None:
        yield f"laps: {pack.laps}"
    if pack.rules is not None:
        yield f"rules: {', '.join(pack.rules) or 'none'}"
    yield from (f"{name}: {value}" for name, value in pack.house.items())
