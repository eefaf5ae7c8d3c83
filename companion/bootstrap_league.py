"""Puts the league together, for the command line and the pages; imports its database with it.

A running table does not import this before its league is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion.address import wall_clock
from companion.closing import Closing
from companion.config import Config, advice_of
from companion.idle_reviews import IdleReviews
from companion.kept_reviews import KeptReviews
from companion.league.folder import LeagueFolder
from companion.league.league import League
from companion.league.numbers.measure import measure
from companion.league.push.outbox import Outbox
from companion.league.settings import read_settings
from companion.league.storage import all_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

    from companion_web.guard import Guard
    from companion_web.league.access import LeagueAccess

DRAWS = "resvg_py"
"""The library of the extra `league` without which there are no pictures to send around."""
SOLVED = "solved"
"""The folder of solved boards and of reviews, in that of the data."""


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
        draws=find_spec(DRAWS) is not None,
        has_table=has_table,
        has_live_page=has_live_page,
        not_taken=not_taken,
        reviews=reviews,
    )


def _not_taken(data: Path) -> Callable[[], Sequence[tuple[str, str]]]:
    """What the club of a table refuses; nothing where companion.toml names none."""
    settings = read_settings(Config(data=data).file)
    if settings.club is None:
        return tuple
    return Outbox(LeagueFolder(data), settings.club, wall_clock).refused
