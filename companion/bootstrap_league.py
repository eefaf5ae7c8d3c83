"""Puts the league together, for the command line and the pages; imports its database with it.

A running table does not import this before its league is asked for.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from companion.bootstrap_club import wall_clock
from companion.league.folder import LeagueFolder
from companion.league.league import League
from companion.league.live import LiveFolder
from companion.league.numbers.measure import measure

if TYPE_CHECKING:
    from flask import Flask


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
    from companion_web.league.app import create_league_app
    from companion_web.league.server import serve_club

    def make_app() -> Flask:
        folder = LeagueFolder(data)
        return create_league_app(
            open_league(data, database), LiveFolder(folder.acts / "live", time.time)
        )

    # Opened once before: what is wrong with it is told here, and the tables are made by one.
    open_league(data, database).close()
    serve_club(make_app, host, port, workers=workers)
