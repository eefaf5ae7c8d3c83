"""Puts the league together, for the command line and the pages; imports its database with it.

A running table does not import this before its league is asked for.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion.bootstrap_club import wall_clock
from companion.closing import Closing
from companion.config import CONFIG_FILE, Config, advice_of, read_hosts
from companion.files import write_whole
from companion.idle_reviews import IdleReviews
from companion.kept_reviews import KeptReviews
from companion.league.errors import LeagueError
from companion.league.folder import LeagueFolder
from companion.league.hooks.receiver import Receiver
from companion.league.hooks.teller import Club, Teller
from companion.league.league import League
from companion.league.live import LiveFolder
from companion.league.numbers.measure import measure
from companion.league.push.outbox import Outbox
from companion.league.settings import read_settings

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask

    from companion_web.guard import Guard
    from companion_web.league.access import LeagueAccess

DRAWS = ("matplotlib", "fpdf")
"""The libraries of the extra `league`: without them there are no charts and no reports."""
SOLVED = "solved"
"""The folder of solved boards and of reviews, in that of the data."""
PIN_FILE = "pin"
PIN_DIGITS = 8


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
    from companion_web.league.server import ClubKeeper, serve_club

    receiver = _receiver(data)
    # Made once before the processes are: what it gives to a browser is good in all of them.
    guard = Guard(KeeperPin(keeper_pin(data)), Hosts(read_hosts(data / CONFIG_FILE)))

    def make_club() -> tuple[Flask, ClubKeeper]:
        league = open_league(data, database)
        live = LiveFolder(league.folder.acts / "live", time.time, league.told)
        reviews = KeptReviews(data / SOLVED)
        IdleReviews(league, reviews, data / SOLVED)
        if receiver is not None:
            club = Club(league.public, league.public, live, league.catch_up)
            Teller(club, receiver, league.folder.acts)
        access = make_access(league, guard, has_live_page=True, reviews=reviews)
        return create_league_app(league, live, access), ClubKeeper(league, guard)

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


def pin_file(data: Path) -> Path:
    """Where the PIN of a club's keeper is."""
    return LeagueFolder(data).acts / PIN_FILE


def _not_taken(data: Path) -> Callable[[], Sequence[tuple[str, str]]]:
    """What the club of a table refuses; nothing where companion.toml names none."""
    settings = read_settings(Config(data=data).file)
    if settings.club is None:
        return tuple
    return Outbox(LeagueFolder(data), settings.club, wall_clock).refused


def keeper_pin(data: Path) -> str:
    """The PIN of a club's keeper: made once, kept where only its user reads it.

    Raises:
        LeagueError: it can be neither read nor written.
    """
    path = pin_file(data)
    try:
        if path.is_file():
            return path.read_text(encoding="ascii").strip()
        pin = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
        write_whole(path, f"{pin}\n".encode())
    except OSError as error:
        raise LeagueError(f"{path} cannot be used: {error.strerror}") from error
    return pin
