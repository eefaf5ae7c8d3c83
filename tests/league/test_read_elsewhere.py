"""A season of ten races, read by programs that were not written here: FastF1 and pandas."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from support.leagues.records import do, keep, raced

from companion.league.errors import key_of
from companion.league.exchange.outside import forms
from companion.league.games import measure
from companion.league.league import League
from companion.league.standings import standings
from companion_web.api import reply_problem
from companion_web.door import Door, listen
from companion_web.guard import Problem
from companion_web.league import exports
from companion_web.league.doors import LeagueAccess

pytestmark = pytest.mark.slow

NAMES = ("Ana", "Bea Paz", "Cai", "Dot")
TEAMS = {"Ana": "Red", "Bea Paz": "Red", "Cai": "Blue", "Dot": "Blue"}
NAME_OF = {key_of(name): name for name in NAMES}


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[League]:
    """Ten races that careful drivers have driven; teams, drops, a penalty."""
    data = tmp_path_factory.mktemp("season")
    with League(data, now=lambda: "2026-03-01T12:00:00", measure=measure) as league:
        season = {"act": "season", "season": "winter", "title": "Winter 2026", "open": True}
        do(league, {**season, "points": "f1 + fastest 1", "drops": 2}, by="t")
        for n in range(10):
            names = NAMES[n % 4 :] + NAMES[: n % 4]
            night = f"2026-01-{n + 1:02}T20:00:00"
            keep(data, raced(f"race-{n}", names, seed=n, started=night))
        assert list(league.catch_up()) == []
        acts = [
            {"act": "team", "season": "winter", "driver": name, "team": team}
            for name, team in TEAMS.items()
        ]
        penalty = {"act": "penalty", "race": "race-3", "reason": "fuel", "disqualified": True}
        do(league, *acts, {**penalty, "driver": "Ana"}, by="t")
        yield league


def app_of(league: League) -> Flask:
    """The addresses of Ergast alone; nobody posts there, so nobody guards them."""
    app = Flask("companion_web")
    access = LeagueAccess(league.public, league, guard=None)  # type: ignore[arg-type]
    app.register_blueprint(exports.answers_blueprint(access))
    app.register_error_handler(Problem, reply_problem)
    return app


@pytest.fixture(scope="module")
def address(league: League) -> Iterator[str]:
    with Door(app_of(league), listen("127.0.0.1", 0)) as door:
        yield f"http://127.0.0.1:{door.port}/ergast/f1"


@pytest.fixture
def fastf1(address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """FastF1's reader of Ergast, pointed at the league instead of api.jolpi.ca."""
    # Imported here: they take seconds, which other runs need not wait for.
    interface: Any = import_module("fastf1.ergast.interface")
    import_module("fastf1.req").Cache.configure(cache_dir=str(tmp_path))
    monkeypatch.setattr(interface, "BASE_URL", address)
    return interface.Ergast(result_type="pandas", auto_cast=True, limit=1000)


def points(league: League) -> dict[str, int]:
    (season,) = league.queries.seasons()
    return {line.key: line.points for line in standings(season, league.queries.races())}


def test_fastf1_reads_the_standings_of_drivers_and_teams(fastf1: Any, league: League) -> None:
    (drivers,) = fastf1.get_driver_standings("winter").content
    assert dict(zip(drivers.driverId, drivers.points, strict=True)) == points(league)
    assert list(drivers.position) == [1, 2, 3, 4]
    assert drivers.constructorNames.iloc[0] == [TEAMS[NAME_OF[drivers.driverId.iloc[0]]]]
    (teams,) = fastf1.get_constructor_standings("2026").content
    assert set(teams.constructorName) == {"Red", "Blue"}
    (after_one,) = fastf1.get_driver_standings("winter", round=1).content
    assert max(after_one.points) in (25, 26)  # won, perhaps with the fastest lap


def test_fastf1_reads_results_grids_laps_and_schedule(fastf1: Any, league: League) -> None:
    results = fastf1.get_race_results("winter")
    assert list(results.description["round"]) == list(range(1, 11))
    assert results.description.raceDate.iloc[3].day == 4
    spoiled = results.content[3]
    assert spoiled.set_index("driverId").positionText["ana"] == "D"
    assert all(frame.fastestLapRank.min() == 1 for frame in results.content)
    (grid,) = fastf1.get_qualifying_results("winter", round=2).content
    assert list(grid.givenName) == ["Bea", "Cai", "Dot", "Ana"]
    (laps,) = fastf1.get_lap_times("winter", round=1).content
    best = laps[laps.driverId == "ana"].time.min().total_seconds()
    (ana,) = [one for one in league.queries.races()[0].entries if one.driver == "ana"]
    assert best == ana.best_lap
    assert len(fastf1.get_race_schedule("winter")) == 10
    assert list(fastf1.get_driver_info("winter").familyName) == ["", "Paz", "", ""]


def test_fastf1_turns_the_pages_of_a_long_answer(fastf1: Any) -> None:
    first = fastf1.get_race_results("winter", limit=6)
    assert [len(frame) for frame in first.content] == [4, 2]
    assert (first.total_results, first.is_complete) == (40, False)
    assert [len(frame) for frame in first.get_next_result_page().content] == [2, 4]


def test_pandas_reads_every_csv(league: League) -> None:
    pandas: Any = import_module("pandas")
    frames = {
        form: pandas.read_csv(io.BytesIO(forms()[form].writer()(league.queries, "winter")))
        for form in ("results", "laps", "pitstops", "qualifying", "standings", "csv")
    }
    results = frames["results"]
    assert len(results) == 40
    best = results[results.status != "disqualified"].groupby("driver").best_lap_rolls.min()
    assert best.min() == frames["laps"].rolls.min()
    drivers = frames["standings"][frames["standings"].of == "driver"]
    assert dict(zip(drivers.key, drivers.points, strict=True)) == points(league)
    assert list(frames["pitstops"].columns[-3:]) == ["stop", "lap", "turns"]
    assert frames["laps"].groupby("race").lap.max().eq(1).all()


@pytest.mark.parametrize("form", ["acts", "csv", "ergast"])
def test_the_season_comes_back_into_an_empty_league_with_equal_standings(
    league: League, form: str, tmp_path: Path
) -> None:
    content = forms()[form].writer()(league.queries, "winter")
    with League(tmp_path, now=lambda: "2026-03-02T12:00:00") as other:
        other.do(*forms()[form].reader()(content), by="t")
        assert points(other) == points(league)


def test_addresses_that_lead_nowhere_are_refused_in_json(league: League) -> None:
    client = app_of(league).test_client()
    for where in ("nowhere", "winter/11/results", "winter/results/x/y", "winter/weather"):
        assert client.get(f"/ergast/f1/{where}.json").status_code == 404
    reply = client.get("/ergast/f1/winter/results?limit=-1")
    assert reply.status_code == 400
    assert "whole number" in json.loads(reply.data)["error"]["message"]
    found = client.get("/ergast/f1/current/last/results.json").get_json()["MRData"]
    assert found["RaceTable"]["Races"][0]["round"] == "10"
    assert client.get("/ergast/f1/seasons").get_json()["MRData"]["total"] == "1"


def test_what_browsers_and_caches_need_comes_along(league: League) -> None:
    client = app_of(league).test_client()
    first = client.get("/ergast/f1/current/driverStandings.json")
    assert first.headers["Access-Control-Allow-Origin"] == "*"
    data = first.json["MRData"]
    assert (data["xmlns"], "round" in data["StandingsTable"]) == ("", True)
    again = client.get(
        "/ergast/f1/current/driverStandings.json", headers={"If-None-Match": first.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    ("path", "table", "names", "count"),
    [
        ("winter/drivers/ana/results", "RaceTable", "Races", 10),
        ("winter/drivers/ana/results/99", "RaceTable", "Races", 0),
        ("2026/1/grid/1/results", "RaceTable", "Races", 1),
        ("winter/circuits/le-manège/results/1", "RaceTable", "Races", 10),
        ("winter/circuits/monaco/results", "RaceTable", "Races", 0),
        ("winter/constructors/red/drivers", "DriverTable", "Drivers", 2),
        ("winter/drivers/ana", "DriverTable", "Drivers", 1),
        ("winter/drivers/ana/constructors", "ConstructorTable", "Constructors", 1),
        ("winter/drivers/ana/circuits", "CircuitTable", "Circuits", 1),
        ("winter/1/laps/1", "RaceTable", "Races", 1),
        ("winter/1/drivers/ana/laps", "RaceTable", "Races", 1),
        ("winter/sprint", "RaceTable", "Races", 0),
        ("winter/drivers/ana/races", "RaceTable", "Races", 10),
    ],
)
def test_filters_pick_what_ergast_s_pick(
    league: League, path: str, table: str, names: str, count: int
) -> None:
    reply = app_of(league).test_client().get(f"/ergast/f1/{path}.json?limit=1000")
    assert reply.status_code == 200
    rows = reply.json["MRData"][table][names]
    assert len(rows) == count
    for row in rows:
        for result in row.get("Results", ()):
            if "drivers/ana" in path:
                assert result["Driver"]["driverId"] == "ana"
            if path.endswith("results/1"):
                assert result["position"] == "1"


def test_one_line_of_the_standings_is_picked_and_a_filter_of_nothing_is_not_there(
    league: League,
) -> None:
    client = app_of(league).test_client()
    reply = client.get("/ergast/f1/winter/driverStandings/1.json").json["MRData"]
    (held,) = reply["StandingsTable"]["StandingsLists"]
    assert [one["position"] for one in held["DriverStandings"]] == ["1"]
    for path in ("winter/moods/1/results", "winter/drivers/results", "winter/grid/1"):
        assert client.get(f"/ergast/f1/{path}.json").status_code == 404


def test_ids_are_ascii_and_what_was_asked_by_its_own_letters_is_still_found(
    league: League,
) -> None:
    client = app_of(league).test_client()
    for board in ("le-manège", "le-manege"):
        reply = client.get(f"/ergast/f1/winter/circuits/{board}/races.json").json["MRData"]
        race = reply["RaceTable"]["Races"][0]
        assert (race["Circuit"]["circuitId"], race["time"]) == ("le-manege", "20:00:00Z")
    fates = client.get("/ergast/f1/winter/status.json").json["MRData"]["StatusTable"]["Status"]
    assert {"statusId": "1", "status": "Finished"}.items() <= fates[-1].items()
    by_number = client.get("/ergast/f1/winter/status/2/results.json").json["MRData"]
    assert by_number["total"] == "1"  # disqualified
