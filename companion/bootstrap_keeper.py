"""The PIN of a club's keeper: where it lies, and how all processes and hosts have the same one."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.bootstrap_league import open_league
from companion.league.errors import LeagueError
from companion.league.folder import LeagueFolder
from companion.league.guesses import Guesses
from companion.league.league import League
from companion.league.storage import PIN, FolderStorage, Storage

if TYPE_CHECKING:
    from companion_web.guard import Guard
    from companion_web.keeper_pin import KeeperPin

PIN_DIGITS = 8


def pin_file(data: Path) -> Path:
    """Where the PIN of a club's keeper is."""
    return data / PIN


def keeper_pin(data: Path, database: str | None = None, *, anew: bool = False) -> str:
    """The PIN of a club's keeper: made once, kept where only its user reads it.

    Of several hosts the database has it, and each has it in its folder for people to read.

    Args:
        anew: make another; servers that run take it over.

    Raises:
        LeagueError: it can be neither read nor written.
    """
    own = FolderStorage(data)
    if database is None:
        if anew and own.read(PIN) is not None and not LeagueFolder(data).database.exists():
            raise LeagueError(
                f"the club of {data} is kept in a database, and so is its PIN: name it with "
                "--database, as its server does"
            )
        return _pin_in(own, None, anew=anew)
    with open_league(data, database, caught_up=False) as league:
        pin = _pin_in(league.storage, own.read(PIN), anew=anew)
    _show(own, pin)
    return pin


def follow_pin(league: League, keeper: KeeperPin, guard: Guard) -> Callable[[], None]:
    """Take over a PIN that is renewed while this process serves; what ends it."""
    own = FolderStorage(league.folder.data)

    def look() -> None:
        pin = _read(league.storage)
        if pin and keeper.renew(pin):
            guard.pins.renewed(pin)
            _show(own, pin)

    end = league.storage.watch(PIN.rpartition("/")[0], look)
    look()  # it may have been renewed just before
    return end


def share_wrong_pins(league: League, guard: Guard) -> Guesses:
    """Have a PIN that is wrong count in all processes of all hosts."""
    from companion_web.guard import WRONG_PINS_A_SECOND, WRONG_PINS_AT_ONCE

    rate = {"depth": WRONG_PINS_AT_ONCE, "rate": WRONG_PINS_A_SECOND}
    guesses = Guesses(league.storage, **rate, told=guard.pins.shared)
    guard.pins.share = guesses.count
    return guesses


def _pin_in(storage: Storage, first: bytes | None, *, anew: bool) -> str:
    fresh = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}\n".encode()
    if anew:
        storage.write(PIN, fresh)
    elif storage.read(PIN) is None:
        storage.write_once(PIN, first or fresh)
    return _read(storage)


def _read(storage: Storage) -> str:
    return (storage.read(PIN) or b"").decode("ascii", "replace").strip()


def _show(own: Storage, pin: str) -> None:
    """Write it into the folder of this host, for people to read."""
    if _read(own) != pin:
        own.change(PIN, lambda _: f"{pin}\n".encode())  # all processes of this host do
