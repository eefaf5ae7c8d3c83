"""The folder of races: `companion backup|restore|pin`, it in one file and back, the referee's PIN.

And `companion pack list|check|show`, how clubs play, as packs of house rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from companion.cli.tools import AS_JSON, DATA, PATH, Failure, Group, answer, command, sentences
from companion.journal.backups import make_backup, newest_backup, restore
from companion.journal.journal import BACKUPS, FolderLock
from companion.journal.log import file_date
from companion.league.errors import LeagueError, LeagueFolder
from companion.league.push import read_settings
from companion.packs import PackLibrary, read_pack_file
from companion.rules.packs import Pack, read_pack
from companion.system.config import Config, ConfigError, stick_of
from companion.table.ports import StorageError


@command("backup", DATA, AS_JSON)
@click.option("--to", type=PATH, help="the folder for it (else the stick that is named, or DATA)")
@click.option("--database", help="of the league, where that is not what companion.toml says")
@sentences(StorageError, ConfigError, LeagueError)
def keep(data: Path, to: Path | None, database: str | None, as_json: bool) -> None:
    """Pack races, records, league, boards and keys into one file, and check it.

    It may be done while a table runs. What a club has in PostgreSQL is in it too.
    It holds the PIN and all tokens: keep it as you keep them.
    """
    if to is not None and to.resolve() == data.resolve():
        raise Failure(f"{to} is the folder of races itself; name another")
    url = database or read_settings(Config(data=data).file).database
    elsewhere: Iterable[tuple[str, bytes]] = ()
    if url is not None:
        # Only a club with a database needs its library.
        from companion.app.league import files_of_club

        elsewhere = files_of_club(data, url)
    path = make_backup(data, place_of(data, to), file_date(), elsewhere)
    answer(as_json, {"backup": str(path), "bytes": path.stat().st_size}, f"kept in {path}")


def place_of(data: Path, named: Path | None) -> Path:
    """Where backups are: what is named, else the stick of the configuration, else with the data."""
    stick = stick_of(Config(data=data).file)
    return named or (stick if stick and stick.is_dir() else data / BACKUPS)


@command("restore", DATA, AS_JSON)
@click.argument(
    "backup", type=PATH, required=False, help="a file of `companion backup`, or a folder of them"
)
@sentences(StorageError, ConfigError, LeagueError)
def bring_back(data: Path, backup: Path | None, as_json: bool) -> None:
    """Bring back what a backup has; without a name the newest one.

    The table must be closed. What is there now is moved to before-restore-DATE beside it; nothing
    is deleted. Whoever was forgotten since stays forgotten.
    """
    path = backup or place_of(data, None)
    if path.is_dir() or backup is None:
        path = newest_backup(path)
    # A table that is open holds the lock, and then nothing is restored.
    with FolderLock(data):
        before = restore(path, data, file_date(), _forget_again)
    lines = [f"restored from {path}"] + ([f"what was there is in {before}"] if before else [])
    answer(as_json, {"restored": str(path), "before": str(before) if before else None}, *lines)


def _forget_again(here: Path, then: Path) -> None:
    """What a backup has of people who were forgotten since goes before anything of it is used."""
    if LeagueFolder(here).database.exists():
        from companion.league.keeping import forget_again

        forget_again(LeagueFolder(then), LeagueFolder(here))


@command("pin", DATA, AS_JSON)
@click.option("--new", is_flag=True, help="make a new one; the table must be closed")
@sentences(StorageError)
def show(data: Path, new: bool, as_json: bool) -> None:
    """Show the referee's PIN, or make a new one.

    Only whoever may read the folder of races can: root, or the user of the service.
    """
    from companion.app.table import read_pin, renew_pin

    pin = renew_pin(data) if new else read_pin(data)
    if pin is None:
        raise Failure(f"{data} has no PIN yet: it is made when the table opens for the first time")
    answer(as_json, {"pin": pin}, pin)


# -- packs -----------------------------------------------------------------------------------------


PACK = Group(
    "pack",
    {
        "list": ("data", "the packs that a race may be played by"),
        "show": ("data", "one pack: what it says of the race"),
        "check": ("data", "what is wrong with the file of a pack"),
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
