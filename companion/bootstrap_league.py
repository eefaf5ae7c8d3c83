"""Puts the league together, for the command line and the pages; imports its database with it.

A running table does not import this before its league is asked for.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from companion.league.league import League


def open_league(data: Path, database: str | None = None) -> League:
    """The league of a data folder, caught up with what has come since.

    Raises:
        LeagueError: its files or its database cannot be opened.
    """
    league = League(data, url=database, now=wall_clock)
    try:
        league.catch_up()
    except BaseException:
        league.close()
        raise
    return league


def wall_clock() -> str:
    """The date and time of this place, to the second."""
    return datetime.now().astimezone().isoformat(timespec="seconds")
