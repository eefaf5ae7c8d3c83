"""Every call of FastF1's reader of Ergast with each of its filters, against a served league."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from typing import Any

import pytest
from flask import Flask
from support.each import few_now
from support.leagues.records import by_hand, do, ergast, keep, raced

from companion.league.errors import ascii_person
from companion.league.games import measure
from companion.league.league import League
from companion_web.api import reply_problem
from companion_web.door import Door, listen
from companion_web.guard import Problem
from companion_web.league import exports
from companion_web.league.doors import LeagueAccess

pytestmark = pytest.mark.slow

NAMES = ("Ana", "Bea Paz", "Zoé", "Dot")
TEAMS = {"Ana": "Red", "Bea Paz": "Red", "Zoé": "Écurie Bleue", "Dot": "Écurie Bleue"}
FILTERS: dict[str, Any] = {
    "round": 1,
    "circuit": "le-manege",
    "constructor": "red",
    "driver": "ana",
    "grid_position": 1,
    "results_position": 1,
    "fastest_rank": 1,
    "status": 1,
    "standings_position": 1,
    "lap_number": 1,
    "stop_number": 1,
}
"""Something of each kind that there is."""
OF_SPRINTS = {"round": 3, "circuit": "monza"}
"""Where there is one."""
ALWAYS = {"get_lap_times": {"round": 1}, "get_pit_stops": {"round": 1}}
EMPTY = ("get_pit_stops",)
"""What nobody has driven in this league."""
PLAIN = {"season", "result_type", "auto_cast", "limit", "offset", "self"}


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[League]:
    """Two seasons of three races and a sprint; a car disqualified."""
    data = tmp_path_factory.mktemp("club")
    with League(data, now=lambda: "2026-03-01T12:00:00", measure=measure) as league:
        for n, key in enumerate(("summer", "winter")):
            do(league, {"act": "season", "season": key, "title": key, "open": True}, by="t")
            for round_ in range(3):
                names = NAMES[round_:] + NAMES[:round_]
                night = f"202{5 + n}-01-0{round_ + 1}T20:00:00"
                keep(data, raced(f"{key}-{round_}", names, seed=round_, started=night))
            assert list(league.catch_up()) == []
            sprint = f"{key}-sprint"
            date = f"202{5 + n}-01-03"
            cars = [{"name": name, "grid": grid} for grid, name in enumerate(NAMES, 1)]
            do(league, by_hand(sprint, (), date=date, track="Monza", entries=cars), by="t")
            placed = {"race": sprint, "season": key, "round": 3, "points": "8,7,6"}
            do(league, {"act": "round", **placed}, by="t")
            for name, team in TEAMS.items():
                do(league, {"act": "team", "season": key, "driver": name, "team": team}, by="t")
        penalty = {"act": "penalty", "race": "winter-1", "reason": "fuel", "disqualified": True}
        do(league, {**penalty, "driver": "Dot"}, by="t")
        yield league


@pytest.fixture(scope="module")
def address(league: League) -> Iterator[str]:
    app = Flask("companion_web")
    access = LeagueAccess(league.public, league, guard=None)  # type: ignore[arg-type]
    app.register_blueprint(exports.answers_blueprint(access))
    app.register_error_handler(Problem, reply_problem)
    with Door(app, listen("127.0.0.1", 0)) as door:
        yield f"http://127.0.0.1:{door.port}/ergast/f1"


@pytest.fixture(scope="module")
def fastf1(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """FastF1's reader of Ergast, pointed at the league instead of api.jolpi.ca."""
    interface: Any = import_module("fastf1.ergast.interface")
    req: Any = import_module("fastf1.req")
    req.Cache.configure(cache_dir=str(tmp_path_factory.mktemp("f1")))
    with pytest.MonkeyPatch.context() as patch:
        # It spares api.jolpi.ca four calls a second; a league of one's own needs no sparing.
        patch.setattr(req._SessionWithRateLimiting, "_RATE_LIMITS", {})
        patch.setattr(interface, "BASE_URL", address)
        yield interface.Ergast(result_type="pandas", auto_cast=True, limit=1000)


def calls(reader: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every public call: plain, with each filter alone, and both also without a season."""
    for name, method in inspect.getmembers(reader, inspect.ismethod):
        if not name.startswith("get_"):
            continue
        told = inspect.signature(method).parameters
        seasons: list[dict[str, Any]] = [{}]
        if "season" in told:
            seasons = [{"season": 2026}, {"season": "current"}]
            seasons += [{}] if told["season"].default is None else []
        always = ALWAYS.get(name, {})
        has = FILTERS | (OF_SPRINTS if name == "get_sprint_results" else {})
        filters = [{}, *({one: has[one]} for one in told if one not in PLAIN)]
        for season, one in product(seasons, filters):
            if season or "round" not in one:
                yield name, {**season, **always, **one}


def rows_of(answer: Any) -> int:
    """How many rows an answer of FastF1 has."""
    frames = getattr(answer, "content", None)
    return len(answer) if frames is None else sum(map(len, frames))


@pytest.mark.parametrize("step", few_now([10, 1], 1))
def test_every_call_of_fastf1_with_every_filter_finds_what_there_is(fastf1: Any, step: int) -> None:
    asked = list(calls(fastf1))
    failed = []
    for name, given in asked[::step]:
        try:
            rows = rows_of(getattr(fastf1, name)(**given))
        except Exception as error:  # whatever it is, it is told with the call
            failed.append((name, given, f"{error}"[:80]))
        else:
            if (rows == 0) != (name in EMPTY):
                failed.append((name, given, f"{rows} rows"))
    assert len({name for name, _ in asked}) == 13
    assert len(asked) > 200
    assert not failed, f"{len(failed)} of {len(asked)}: {failed[:60]}"


def test_a_sprint_stands_beside_the_race_of_its_round_and_in_its_calendar(fastf1: Any) -> None:
    sprint = fastf1.get_sprint_results(2026)
    assert [list(frame.points) for frame in sprint.content] == [[8, 7, 6, 0]]
    assert list(sprint.description["circuitId"]) == ["monza"]
    assert list(fastf1.get_sprint_results().description["season"]) == [2025, 2026]
    calendar = fastf1.get_race_schedule(2026)
    assert list(calendar["round"]) == [1, 2, 3]
    assert [f"{day}"[:10] for day in calendar["sprintDate"]] == ["NaT", "NaT", "2026-01-03"]
    races = fastf1.get_race_results(2026)
    assert list(races.description["circuitId"]) == ["le-manege"] * 3


def test_a_race_with_points_of_its_own_is_a_sprint_only_beside_another_race(
    fastf1: Any, league: League
) -> None:
    finale = {"race": "winter-2", "season": "winter", "round": 3}
    do(league, {"act": "round", **finale, "points": "20,10"}, by="t")
    try:
        assert len(fastf1.get_sprint_results(2026).content) == 0
        assert list(fastf1.get_sprint_results().description["season"]) == [2025]
        assert len(fastf1.get_race_results(2026).content) == 4
    finally:
        do(league, {"act": "round", **finale}, by="t")


def test_the_races_of_a_stage_that_is_a_sprint_are_sprints_and_results(
    fastf1: Any, league: League
) -> None:
    do(league, {"act": "season", "season": "winter", "stage": "sprint"}, by="t")
    try:
        every = fastf1.get_sprint_results().description
        assert list(every["season"]) == [2025, *[2026] * 4]
        assert len(fastf1.get_sprint_results(2026).content) == 4
        assert len(fastf1.get_race_results(2026).content) == 3
    finally:
        do(league, {"act": "season", "season": "winter", "stage": "season"}, by="t")


def test_rows_over_all_seasons_are_those_of_the_seasons_one_by_one(
    fastf1: Any, league: League
) -> None:
    for filters in ({}, {"driver": "ana"}, {"constructor": "ecurie-bleue"}, {"grid_position": 1}):
        every = fastf1.get_race_results(**filters)
        own = [fastf1.get_race_results(year, **filters) for year in (2025, 2026)]
        rows = [frame.to_dict("records") for frame in every.content]
        assert rows == [frame.to_dict("records") for one in own for frame in one.content]
        heads = every.description.to_dict("records")
        assert heads == [row for one in own for row in one.description.to_dict("records")]
    champions = fastf1.get_driver_standings(standings_position=1)
    assert list(champions.description.season) == [2025, 2026]


def test_pages_over_all_seasons_are_turned_and_none_is_longer_than_jolpica_s(fastf1: Any) -> None:
    first = fastf1.get_race_results(limit=6)
    assert (first.total_results, [len(frame) for frame in first.content]) == (24, [4, 2])
    assert [len(frame) for frame in first.get_next_result_page().content] == [2, 4]


def test_a_driver_whom_the_public_does_not_see_is_in_no_list_and_found_by_no_filter(
    league: League,
) -> None:
    ids = {row["driverId"] for row in read(league, "drivers")["DriverTable"]["Drivers"]}
    assert ids == {"ana", "bea-paz", "dot", ascii_person("zoé")}
    do(league, {"act": "hide", "driver": "Ana"}, by="t")
    do(league, {"act": "season", "season": "summer", "private": True}, by="t")
    try:
        assert "ana" not in f"{read(league, 'drivers')}{read(league, 'results')}".lower()
        assert read(league, "drivers/ana/results")["total"] == "0"
        assert read(league, "races")["total"] == "3"
    finally:
        do(league, {"act": "reveal", "driver": "Ana"}, by="t")
        do(league, {"act": "season", "season": "summer", "private": False}, by="t")


def read(league: League, path: str) -> Any:
    """What is told at an address that names no season."""
    return ergast(league.public, path)
