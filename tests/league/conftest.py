"""A league in a fresh folder, on SQLite and on a PostgreSQL of the tests' own."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from support.leagues.club import KEYS
from support.leagues.records import do

from companion.league.database import FolderStorage
from companion.league.keeping import digest_of_key
from companion.league.league import League
from companion.league.receiving import LiveFiles
from companion_web.door import Door, listen
from companion_web.league.app import create_league_app

NOBODY = "nobody"
"""Who runs the server where the tests run as root, which PostgreSQL refuses."""
NO_POSTGRES = "PostgreSQL is not installed (Debian: postgresql); its half of the tests is left out"


class Cluster:
    """A PostgreSQL server of our own, reached by a socket in its folder and no other way."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self._folder = folder
        self._programs = programs
        self._numbers = count(1)
        data = str(folder / "data")
        self._run(
            "initdb",
            "-D",
            data,
            "-A",
            "trust",
            "-U",
            NOBODY,
            "--no-sync",
            "--no-locale",
            "-E",
            "UTF8",
        )
        options = f"-k {folder} -c listen_addresses= -c fsync=off -c autovacuum=off"
        self._run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")

    def database(self) -> str:
        """The URL of a new, empty place: a schema, which is made in no time."""
        name = f"league{next(self._numbers)}"
        url = f"postgresql://{NOBODY}@/postgres?host={self._folder}"
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return f"{url}&options=-csearch_path%3D{name}"

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "stop")

    def _run(self, program: str, *words: str) -> None:
        as_nobody = {"user": NOBODY, "group": pwd.getpwnam(NOBODY).pw_gid, "extra_groups": []}
        subprocess.run(
            [self._programs / program, *words],
            check=True,
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            cwd=self._folder,
            env={**os.environ, "LC_ALL": "C", "HOME": str(self._folder)},
            timeout=60,
            **(as_nobody if os.getuid() == 0 else {}),
        )


def programs_of_postgres() -> Path | None:
    """The folder of initdb, which Debian keeps out of the PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    here = shutil.which("initdb")
    return found[-1].parent if found else Path(here).parent if here else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    programs = programs_of_postgres()
    if programs is None:
        pytest.skip(NO_POSTGRES)
    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # a socket's path is short: not in tmp_path
    try:
        if os.getuid() == 0:
            os.chown(folder, pwd.getpwnam(NOBODY).pw_uid, -1)
        cluster = Cluster(folder, programs)
        yield cluster
        cluster.stop()
    finally:
        shutil.rmtree(folder)


TWIN = [pytest.mark.slow, pytest.mark.long]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=TWIN)])
def url(request: pytest.FixtureRequest) -> str | None:
    """A database of each kind; None is SQLite beside the records."""
    if request.param == "sqlite":
        return None
    cluster: Cluster = request.getfixturevalue("postgres")
    return cluster.database()


OpenLeague = Callable[..., League]


@pytest.fixture
def open_league(tmp_path: Path) -> Iterator[OpenLeague]:
    """Opens the league of a folder (the test's own); a clock that goes on a minute an act."""
    opened: list[League] = []

    def open_one(url: str | None = None, data: Path = tmp_path) -> League:
        minutes = count(1)

        def now() -> str:
            return f"2026-03-01T12:{next(minutes) % 60:02}:00"

        opened.append(League(data, url=url, now=now))
        return opened[-1]

    yield open_one
    for league in opened:
        league.close()


@pytest.fixture
def league(open_league: OpenLeague, url: str | None) -> League:
    """An empty league on each kind of database."""
    return open_league(url)


@pytest.fixture
def club(open_league: OpenLeague, url: str | None, tmp_path: Path) -> League:
    """The club's own league, with the keys of two tables."""
    league = open_league(url, tmp_path / "club")
    for table, key in KEYS.items():
        act = {"act": "table", "table": table, "key_sha256": digest_of_key(key)}
        do(league, act, by="t")
    return league


@pytest.fixture
def live(tmp_path: Path) -> LiveFiles:
    return LiveFiles(FolderStorage(tmp_path / "live"), clock=lambda: 1000.0)


@pytest.fixture
def address(club: League, live: LiveFiles) -> Iterator[str]:
    """The club over HTTP."""
    with Door(create_league_app(club, live), listen("127.0.0.1", 0)) as door:
        yield f"http://127.0.0.1:{door.port}"
