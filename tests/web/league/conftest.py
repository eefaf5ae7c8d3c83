"""A league with a season of two races, behind the pages that show it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.leagues.records import do, keep, raced

from companion.league.byhand import race_acts
from companion.league.games import measure
from companion.league.league import League
from companion.league.receiving import LiveFiles
from companion_web.door import Door, listen
from companion_web.guard import Guard, KeeperPin
from companion_web.league.app import ClubKeeper, create_league_app
from companion_web.league.doors import LeagueAccess
from companion_web.league.live import LiveNews

PIN = "31415926"
NASTY = "<b>Zoë & Co</b>"
NAMES = ("Ana", "Bea", NASTY)


@pytest.fixture(scope="session")
def driven() -> list[dict[str, Any]]:
    """The record of a race of three that was driven to its end."""
    return raced("driven", NAMES, seed=5, started="2026-01-05T20:00:00")


def open_league(folder: Path) -> League:
    """The league of a folder, on a day in March."""
    return League(folder, now=lambda: "2026-03-01T12:00:00", measure=measure)


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory, driven: list[dict[str, Any]]) -> Path:
    """A season of two races: one entered by hand, one driven."""
    folder = tmp_path_factory.mktemp("kept")
    keep(folder, driven)
    with open_league(folder) as league:
        season = {"season": "winter", "title": "Winter 2026", "open": True}
        do(league, {"act": "season", **season}, by="t")
        form = {"date": "2026-02-01", "order": ["Bea", "Ana"], "out": {NASTY: "engine"}}
        league.do(*race_acts({**form, "season": "winter", "track": "Monza"}), by="t")
        do(league, {"act": "round", "race": "driven", "season": "winter", "round": 2}, by="t")
    return folder


@contextmanager
def copied(kept: Path, folder: Path) -> Iterator[League]:
    """The same, in another folder: made once, it is copied a hundred times."""
    copytree(kept, folder, dirs_exist_ok=True)
    with open_league(folder) as league:
        yield league


def pages_of(league: League) -> FlaskClient:
    """The pages of a club's league, with a hall."""
    access = LeagueAccess(league.public, league, Guard(KeeperPin(PIN)), has_live_page=True)
    live = LiveFiles(league.storage, tell=league.told)
    return create_league_app(league, live, access).test_client()


@pytest.fixture
def league(tmp_path: Path, kept: Path) -> Iterator[League]:
    """A league of the test's own, to be changed."""
    with copied(kept, tmp_path) as league:
        yield league


@pytest.fixture
def client(league: League) -> FlaskClient:
    """The pages of the test's own league."""
    return pages_of(league)


@pytest.fixture
def site(client: FlaskClient, league: League) -> Iterator[str]:
    """The test's own league over HTTP."""
    with served(league, client) as address:
        yield address


@contextmanager
def served(league: League, client: FlaskClient) -> Iterator[str]:
    """The pages of a league over HTTP."""
    keeper = ClubKeeper(league, Guard(KeeperPin(PIN)), LiveNews(LiveFiles(league.storage)))
    with Door(client.application, listen("127.0.0.1", 0), keeper) as door:
        yield f"http://127.0.0.1:{door.port}"


@pytest.fixture(scope="session")
def kept_league(kept: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[League]:
    """A league that no test changes."""
    with copied(kept, tmp_path_factory.mktemp("league")) as league:
        yield league


@pytest.fixture
def reader(kept_league: League) -> FlaskClient:
    """The pages of the league that no test changes."""
    return pages_of(kept_league)


@pytest.fixture
def by_hand(kept_league: League) -> str:
    """The id of the race that was entered by hand."""
    return next(race.id for race in kept_league.queries.races() if race.source == "hand")
