"""Points of the pit on a constructed car, by house switch `pool_on_car` (rules of 2018, 5-3)."""

from __future__ import annotations

from typing import Any

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine

HEADER = {"game": "formula-d", "track": "monaco", "start": "normal", "laps": 3}
HOUSE = {"pool_on_car": "yes", "build_points": "17", "build_most": "any"}
BUILT = {"tires": 8, "brakes": 2, "gearbox": 2, "body": 2, "engine": 2, "handling": 2}


def race(rules: list[str], seats: list[dict[str, Any]]) -> dict[str, Any]:
    """STATE of a race before its first turn, the cars that are asked for it built of 18 points."""
    engine = Engine(TrackLibrary())
    grid = [seat["seat"] for seat in seats]
    header = {**HEADER, "rules": rules, "house": HOUSE, "seats": seats, "grid": grid}
    reply = engine.handle({"new": header})
    assert reply["ok"], reply
    for ask in [ask for ask in reply["asks"] if ask["kind"] == "build"]:
        assert ask["options"]["more"] == 2
        assert engine.handle({"seat": ask["seat"], "build": BUILT})["ok"]
    state = engine.state()
    assert state is not None
    return state


def test_what_is_on_the_car_is_gone_from_its_pool() -> None:
    """FD-TECH-1: the same, whether the header builds the car or its player."""
    state = race(["build", "technical"], [{"seat": 1, "wear": BUILT}, {"seat": 2}])
    assert [state["cars"][seat]["pool"] for seat in "12"] == [1, 1]


def test_what_is_on_the_cars_is_gone_from_the_pool_of_their_team() -> None:
    """FD-TEAM-1"""
    seats = [{"seat": 1, "wear": BUILT, "team": "Rouge"}, {"seat": 2, "team": "Rouge"}]
    state = race(["build", "technical", "teams"], seats)
    assert [team["pool"] for team in state["teams"]] == [2]


def test_without_a_pit_of_points_there_are_none_to_put_on_the_car() -> None:
    """FD-BUILD-1"""
    engine = Engine(TrackLibrary())
    seats = [{"seat": 1, "wear": BUILT}]
    reply = engine.handle({"new": {**HEADER, "rules": ["build"], "house": HOUSE, "seats": seats}})
    assert (reply["ok"], reply["error"]["rule"]) == (False, "FD-BUILD-1")
