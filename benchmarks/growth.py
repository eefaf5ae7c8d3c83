"""What a club's pages and pushes cost as races come in: `python benchmarks/growth.py` (with
`PYTHONPATH=tests`).

Leagues of 10, 100, 1,000 and 10,000 races (`--races`), 24 to a season, six of a club's 60 drivers
in each. The records are copies of a few that were really driven, with other names, ids and days;
what they came to is copied with them, so that nothing is played again. Each league is looked at by
a process of its own: processor time of every page (the least of fifteen, the first left out:
whoever else is at the machine makes it longer and never shorter), SQL statements, bytes, the memory
of the process at the end, what it costs to open it, to push one more record, and to change what was
long ago, and to fold it from nothing.

`--plot FILE` draws it (matplotlib). `--database URL` takes PostgreSQL on this machine, a schema for
each league; the processor time of its own processes is told as `server`. `--keep FOLDER` keeps the
leagues of SQLite, and takes those that are there.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from support.leagues.records import by_hand, do, ended, raced

from companion.league.acts import PlaceRace, SetSeason
from companion.league.database import Ask
from companion.league.finished import came_of, retold
from companion.league.games import measure
from companion.league.keeping import digest_of
from companion.league.league import League
from companion.league.receiving import LiveFiles
from companion_web.guard import Guard, KeeperPin
from companion_web.league.app import create_league_app
from companion_web.league.doors import LeagueAccess

SIZES = (10, 100, 1000, 10_000)
A_SEASON = 24
DRIVERS = 60
CARS = 6
TRIES = 15
FIRST = datetime(2020, 1, 1, 20)
"""No clock that shows an earlier day is believed."""
APART = timedelta(hours=6)
PAGES = {
    "season": "/league/seasons/s1",
    "driver": "/league/drivers/driver-1",
    "drivers": "/league/drivers",
    "races": "/league/races",
    "race": "/league/races/r1",
    "boards": "/league/boards",
    "seasons": "/league/seasons",
    "enter": "/league/enter",
    "competitions": "/league/competitions",
    "organise": "/league/seasons/s1/organise",
    "amend": "/league/races/r1/amend",
    "a table": "/league/tables/one",
    "ergast seasons": "/ergast/f1/seasons.json",
    "ergast results": "/ergast/f1/2020/1/results.json",
    "ergast standings": "/ergast/f1/current/driverStandings.json",
    "ergast all drivers": "/ergast/f1/drivers.json",
    "ergast all results": "/ergast/f1/results.json?offset=30",
    "ergast a driver's": "/ergast/f1/drivers/driver-1/results.json",
    "ergast wins": "/ergast/f1/results/1/races.json",
    "ergast fates": "/ergast/f1/status.json",
    "ergast champions": "/ergast/f1/driverStandings/1.json",
    "ergast standings of all": "/ergast/f1/driverStandings.json",
    "ergast all races": "/ergast/f1/races.json",
    "ergast circuits": "/ergast/f1/circuits.json",
    "ergast constructors": "/ergast/f1/constructors.json",
    "hall": "/api/league/live",
}


LATE: dict[str, list[dict[str, Any]]] = {
    "late evening": [
        by_hand(f"late{n}", ("Driver 1", f"Guest {n}"), date=f"1989-01-0{n}") for n in range(1, 4)
    ],
    "strike": [{"act": "strike", "race": f"r{n}", "reason": "x"} for n in range(3)],
    "merge": [{"act": "merge", "name": f"Guest {n}", "into": "Driver 59"} for n in range(1, 4)],
}
"""What is done to the beginning of a league."""


def copies(races: int) -> Iterator[tuple[str, list[dict[str, Any]], list[str]]]:
    """Records of so many races, and who drives in each."""
    names = [f"~{n}~" for n in range(CARS)]
    base = [raced("base", names, seed=seed) for seed in (3, 5, 8)]
    for n in range(races):
        random = Random(n)
        drivers = random.sample(range(DRIVERS), CARS) if n else range(CARS)
        people = [f"Driver {one}" for one in drivers]
        yield f"r{n}", base[n % len(base)], people


def make(folder: Path, races: int, url: str | None) -> None:
    """A league of so many races."""
    told: dict[int, str] = {}
    with (
        League(folder, now=lambda: "2026-03-01T12:00:00", url=url, measure=measure) as league,
        league._changing() as change,
    ):
        for n, (race, lines, people) in enumerate(copies(races)):
            day = (FIRST + n * APART).isoformat()
            own = {"id": race, "name": f"Race {n}"}
            seats = [
                {**seat, "name": name} for seat, name in zip(lines[0]["seats"], people, strict=True)
            ]
            content = _bytes([{**lines[0], **own, "started": day, "seats": seats}, *lines[1:]])
            if id(lines) not in told:
                told[id(lines)] = json.dumps(came_of(_bytes(lines), measure))
            text = told[id(lines)]
            told_as = {f"~{seat}~": name for seat, name in enumerate(people)}
            text = retold(text, partial(_named, told_as))
            change.take(digest_of(content), content, {**json.loads(text), **own, "date": day}, None)
            season = f"s{n // A_SEASON + 1}"
            if n % A_SEASON == 0:
                change.do(SetSeason(season=season, title=f"Season {season}"), "t")
            change.do(PlaceRace(race=race, season=season), "t")
        change.do(SetSeason(season=season, is_open=True), "t")


def _named(names: dict[str, str], value: Any) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_named(names, one) for one in value]
    return {k: _named(names, one) for k, one in value.items()} if type(value) is dict else value


def _bytes(lines: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def look(folder: Path, url: str | None) -> dict[str, Any]:
    """What pages, a push and acts of long ago cost in this league."""
    begun = time.process_time() * 1000
    with League(folder, now=lambda: "2026-03-01T12:00:00", url=url, measure=measure) as league:
        access = LeagueAccess(league.public, league, Guard(KeeperPin("1")))
        live = LiveFiles(league.storage)
        client = create_league_app(league, live, access).test_client()
        count, ask = [0], Ask.__call__

        def counted(own: Ask, sql: str, *values: object) -> list[Any]:
            count[0] += 1
            return ask(own, sql, *values)

        Ask.__call__ = counted  # type: ignore[method-assign]  # in a process of its own
        found: dict[str, Any] = {"start": {"ms": round(time.process_time() * 1000 - begun, 1)}}
        for name, path in PAGES.items():
            costs = []
            for _ in range(TRIES + 1):
                count[0], begun = 0, _processor_ms(league)
                reply = client.get(path)
                asked = count[0]
                costs.append(_since(begun, league))
                assert reply.status_code == 200, (path, reply.status_code)
            found[name] = {**_least(costs[1:]), "statements": asked, "bytes": len(reply.data)}
        costs = []
        for content in _new_records():
            count[0], begun = 0, _processor_ms(league)
            assert league.receive(content, table=None).status == "taken"
            asked = count[0]
            costs.append(_since(begun, league))
        found["push"] = {**_least(costs), "statements": asked}
        for name, acts in LATE.items():
            costs = []
            for act in acts:
                now = _processor_ms(league)
                do(league, act, by="t")
                costs.append(_since(now, league))
            found[name] = _least(costs)
            now = _processor_ms(league)
            client.get("/league/drivers")
            found[f"ratings after {name}"] = _least([_since(now, league)])
        found["memory"] = {"mib": round(most_memory_kib() / 1024, 1)}  # a rebuild holds two leagues
        now = _processor_ms(league)
        league.rebuild()
        found["fold from nothing"] = _least([_since(now, league)])
    return found


def _processor_ms(league: League) -> tuple[float, float]:
    """Processor time of this process so far, and of PostgreSQL's own, in milliseconds."""
    servers = 0
    if league.is_hosted:
        with league._database.reading() as ask:
            pids = ask("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        known = (Path(f"/proc/{pid}/schedstat") for (pid,) in pids)
        servers = sum(int(one.read_text().split()[0]) for one in known if one.exists())
    return time.process_time() * 1000, servers / 1e6


def _since(begun: tuple[float, float], league: League) -> tuple[float, float]:
    own = time.process_time() * 1000 - begun[0]  # first: what follows asks the server
    return own, _processor_ms(league)[1] - begun[1]


def _least(costs: list[tuple[float, float]]) -> dict[str, float]:
    own, servers = (min(each) for each in zip(*costs, strict=True))
    return {"ms": round(own, 2), **({"server": round(servers, 2)} if servers else {})}


def most_memory_kib() -> int:
    """The most that this process has held; getrusage would tell what its parent held as well."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


def _new_records() -> Iterator[bytes]:
    for n in range(TRIES):
        names = [f"Driver {one}" for one in range(n, n + CARS)]
        started = f"2027-01-{n + 1:02}T20:00:00"
        yield _bytes(ended(f"pushed{n}-{time.time_ns()}", names, started=started))


def plot(found: dict[int, dict[str, Any]], path: Path) -> None:
    """Milliseconds over races, both in powers of ten."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (pages, others) = pyplot.subplots(1, 2, figsize=(9, 5.6), sharey=True)
    sizes = sorted(found)
    for name in (*PAGES, "push"):
        own = others if name.startswith("ergast") else pages
        style = "--" if name == "push" else "-"
        costs = [found[n][name]["ms"] + found[n][name].get("server", 0) for n in sizes]
        own.plot(sizes, costs, style, marker="o", label=name.removeprefix("ergast "))
    for axes, title in ((pages, "pages, and a push"), (others, "Ergast's addresses")):
        axes.set(xscale="log", yscale="log", xlabel="races", title=title)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.14))
    pages.set_ylabel("processor time, ms")
    figure.tight_layout()
    figure.savefig(path)


def measured(folder: Path, races: int, database: str | None) -> dict[str, Any]:
    """What a league of so many races costs; it is made unless it is there."""
    url = database and _schema(database, f"growth_{races}")
    if not (folder / "made").exists():
        make(folder, races, url)
        (folder / "made").touch()
    with tempfile.TemporaryDirectory(prefix="growth-") as copy:  # it is changed while looked at
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        again = [sys.executable, __file__, "--look", copy]
        again += ["--database", url] if url else []
        done = subprocess.run(again, check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(done.stdout))


def _schema(url: str, name: str) -> str:
    """The URL of a place of its own in a database."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {name}")
    return f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{name}"


def main() -> None:
    """Make, look, tell."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--races", type=int, nargs="*", default=SIZES)
    words.add_argument("--database")
    words.add_argument("--plot", type=Path)
    words.add_argument("--keep", type=Path)
    words.add_argument("--look", type=Path, help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.look:
        print(json.dumps(look(given.look, given.database)))
        return
    found: dict[int, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory(prefix="growth-") as folder:
        for races in given.races:
            found[races] = measured(
                (given.keep or Path(folder)) / f"{races}", races, given.database
            )
            print(f"{races} races")
            for name, one in found[races].items():
                print(f"  {name:<24}", "  ".join(f"{key} {value}" for key, value in one.items()))
    if given.plot:
        plot(found, given.plot)


if __name__ == "__main__":
    main()
