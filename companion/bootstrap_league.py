"""Puts the league together, for the command line and the pages; imports its database with it.

A running table does not import this before its league is asked for.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from companion.bootstrap_club import wall_clock
from companion.closing import Closing
from companion.config import CONFIG_FILE, Config, advice_of, read_hosts
from companion.idle_reviews import IdleReviews
from companion.kept_reviews import KeptReviews
from companion.league.errors import LeagueError
from companion.league.folder import LeagueFolder
from companion.league.hooks.receiver import Receiver
from companion.league.hooks.teller import Club, Teller
from companion.league.league import League
from companion.league.live import LiveFiles
from companion.league.numbers.measure import measure
from companion.league.push.outbox import Outbox
from companion.league.settings import read_settings
from companion.league.storage import PIN, FolderStorage, Storage, all_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask

    from companion_web.guard import Guard
    from companion_web.league.access import LeagueAccess

DRAWS = ("matplotlib", "fpdf")
"""The libraries of the extra `league`: without them there are no charts and no reports."""
SOLVED = "solved"
"""The folder of solved boards and of reviews, in that of the data."""
PIN_DIGITS = 8
WRONG_PIN = "wrong-pin"


def open_league(data: Path, database: str | None = None, *, caught_up: bool = True) -> League:
    """The league of a data folder.

    Args:
        caught_up: with what has come since; not wanted by who makes it again anyway.

    Raises:
        LeagueError: its files or its database cannot be opened.
    """
    league = League(data, url=database, now=wall_clock, measure=measure)
    try:
        if caught_up:
            league.catch_up()
    except BaseException:
        league.close()
        raise
    return league


def files_of_club(data: Path, database: str) -> Iterator[tuple[str, bytes]]:
    """The files of a club that lie in its database, by their names in a folder of data.

    Raises:
        LeagueError: the database cannot be opened.
    """
    with open_league(data, database) as league:
        if league.is_hosted:
            with league.storage.held():  # a name and the record that has its key are of one moment
                files = list(all_of(league.storage))
            yield from files


def serve_league(
    data: Path, database: str | None, host: str, port: int, *, workers: int | None = None
) -> None:
    """Serve a club until a signal says stop.

    Raises:
        LeagueError: the league cannot be opened.
        OSError: the address is taken or not ours.
    """
    # Imported here: the command line needs no web server to show standings.
    from companion_web.guard import Guard
    from companion_web.hosts import Hosts
    from companion_web.keeper_pin import KeeperPin
    from companion_web.league.app import create_league_app
    from companion_web.league.live_page import LiveNews
    from companion_web.league.server import ClubKeeper, serve_club

    receiver = _receiver(data)
    # Made once before the processes are: what it gives to a browser is good in all of them.
    guard = Guard(KeeperPin(keeper_pin(data, database)), Hosts(read_hosts(data / CONFIG_FILE)))

    def make_club() -> tuple[Flask, ClubKeeper]:
        league = open_league(data, database)
        share_wrong_pins(league, guard)
        live = LiveFiles(league.storage, tell=league.told)
        reviews = KeptReviews(data / SOLVED)
        IdleReviews(league, reviews, data / SOLVED)
        if receiver is not None:
            club = Club(league.public, league.public, live, league.catch_up)
            Teller(club, receiver, league.folder.acts)
        access = make_access(league, guard, has_live_page=True, reviews=reviews)
        return create_league_app(league, live, access), ClubKeeper(league, guard, LiveNews(live))

    # Opened once before: what is wrong with it is told here, and the tables are made by one.
    open_league(data, database).close()
    serve_club(make_club, host, port, workers=workers)


def _receiver(data: Path) -> Receiver | None:
    """Who is told what happens; None where companion.toml names nobody."""
    settings = read_settings(Config(data=data).file)
    if settings.webhook is None or settings.webhook_secret is None:
        return None
    return Receiver(settings.webhook, settings.webhook_secret)


class LeaguePages(Closing):
    """The league's pages at a table, changed by whoever its guard knows; a WSGI app.

    Raises:
        LeagueError: the league cannot be opened.
    """

    def __init__(self, data: Path, database: str | None, guard: Guard) -> None:
        from companion_web.league.app import create_league_app

        self._league = open_league(data, database)
        self._reviews = KeptReviews(data / SOLVED)
        self._idle: IdleReviews | None = None
        if advice_of(Config(data).file):
            self._idle = IdleReviews(self._league, self._reviews, data / SOLVED)
        access = make_access(
            self._league,
            guard,
            has_table=True,
            not_taken=_not_taken(data),
            reviews=self._reviews if self._idle is not None else None,
        )
        self._app = create_league_app(access=access)

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        return self._app(environ, start)

    def close(self) -> None:
        """Let go of the database. May be called twice."""
        if self._idle is not None:
            self._idle.close()
        self._reviews.close()
        self._league.close()


def make_access(
    league: League,
    guard: Guard,
    *,
    has_table: bool = False,
    has_live_page: bool = False,
    not_taken: Callable[[], Sequence[tuple[str, str]]] = tuple,
    reviews: KeptReviews | None = None,
) -> LeagueAccess:
    """The league as its pages are given it."""
    from companion_web.league.access import LeagueAccess

    return LeagueAccess(
        league.public,
        league.public,
        league,
        guard,
        draws=all(find_spec(name) is not None for name in DRAWS),
        has_table=has_table,
        has_live_page=has_live_page,
        not_taken=not_taken,
        reviews=reviews,
    )


def share_wrong_pins(league: League, guard: Guard) -> None:
    """Have a PIN that is wrong count in all processes of all hosts, where there are several."""
    if not league.is_hosted:
        return
    wrong: SimpleQueue[None] = SimpleQueue()

    def tell() -> None:
        while True:
            wrong.get()
            with suppress(LeagueError):  # the database is away: it counts here, at least
                league.storage.announce(WRONG_PIN)

    def share() -> bool:
        wrong.put(None)
        return True

    Thread(target=tell, name="wrong PINs", daemon=True).start()
    league.storage.watch(WRONG_PIN, guard.pins.count)
    guard.pins.share = share


def pin_file(data: Path) -> Path:
    """Where the PIN of a club's keeper is."""
    return data / PIN


def _not_taken(data: Path) -> Callable[[], Sequence[tuple[str, str]]]:
    """What the club of a table refuses; nothing where companion.toml names none."""
    settings = read_settings(Config(data=data).file)
    if settings.club is None:
        return tuple
    return Outbox(LeagueFolder(data), settings.club, wall_clock).refused


def keeper_pin(data: Path, database: str | None = None) -> str:
    """The PIN of a club's keeper: made once, kept where only its user reads it.

    Of several hosts the database has it, and each has it in its folder for people to read.

    Raises:
        LeagueError: it can be neither read nor written.
    """
    own = FolderStorage(data)
    if database is None:
        return _pin_in(own)
    with open_league(data, database, caught_up=False) as league:
        pin = _pin_in(league.storage, own.read(PIN))
    if own.read(PIN) is None or _pin_in(own) != pin:
        own.write(PIN, f"{pin}\n".encode())
    return pin


def _pin_in(storage: Storage, first: bytes | None = None) -> str:
    if storage.read(PIN) is None:
        fresh = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}\n"
        storage.write_once(PIN, first or fresh.encode())
    return (storage.read(PIN) or b"").decode("ascii", "replace").strip()
