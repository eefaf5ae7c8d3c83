"""FD-TRIAL: one lap alone, with a stopwatch, decides the grid."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import LIBRARY
from support.formula.table import Table, header, named

from companion.race.engine import Engine

MIDDLE = "S1.m17"
"""The middle space just before the line of Monaco."""


def trials(seats: int = 2, *more_rules: str, **more: Any) -> Table:
    """A race of which the trials begin."""
    return Table.of(header(seats, rules=["trials", *more_rules], **more))


def driving(car: dict[str, Any], *, weather: str | None = None, **driver: Any) -> Table:
    """Seat 1 in mid-trial, seat 2 still to drive; `driver` is a pending step."""
    rules = ["trials", "tires", "weather"] if weather or "tires" in car else ["trials"]
    told: dict[str, Any] = {"trial": {}, "lap": 1, "status": "racing", **car}
    waiting = [{"step": "trial", "seat": 2}, {"step": "ranking"}]
    position = {
        "phase": "trials",
        "cars": {"1": told},
        "pending": [driver or {"step": "gear", "seat": 1}, *waiting],
    }
    if weather:
        position["weather"] = weather
    elif "weather" in rules:
        position["weather"] = "fine"
    return Table.of(header(2, rules=rules, position=position, start="normal"))


def results(*driven: dict[str, Any], **more: Any) -> Table:
    """All trials are over, with these results by seat; the ranking is next."""
    cars = {str(seat): {"trial": trial} for seat, trial in enumerate(driven, start=1)}
    position = {"phase": "setup", "cars": cars, "pending": [{"step": "ranking"}]}
    return Table.of(header(len(driven), rules=["trials"], position=position, **more))


def lap(rolls: int, beyond: int, minutes: int, seconds: int) -> dict[str, Any]:
    """A trial driven to its end."""
    return {"rolls": rolls, "beyond": beyond, "seconds": 60 * minutes + seconds}


def test_one_car_at_a_time_begins_on_the_middle_space_before_the_line() -> None:
    """FD-TRIAL-1: no start roll, first gear."""
    table = trials()
    assert table.state["phase"] == "trials"
    assert table.asked == [(1, "gear")]
    assert table.ask(1, "gear")["options"] == [1]
    assert (table.car(1)["space"], table.car(2)["space"]) == (MIDDLE, None)


def test_a_given_grid_skips_the_trials() -> None:
    """FD-TRIAL-1"""
    assert trials(grid=[2, 1], start="normal").asked == [(2, "gear")]


def test_there_are_no_brakes_in_a_trial() -> None:
    """FD-TRIAL-1"""
    table = driving({"space": "S2.m5", "gear": 3})
    table.plays(1, gear=2, roll=3)
    assert {option["brakes"] for option in table.ask(1, "move")["options"]} == {0}


def test_over_rev_is_free_but_not_from_sixth_to_first() -> None:
    """FD-TRIAL-1, FD-GEAR-3: even with an empty gearbox."""
    table = driving({"space": "S2.m5", "gear": 6, "wear": {"gearbox": 0, "engine": 1}})
    assert table.ask(1, "gear")["options"] == [2, 3, 4, 5, 6]
    assert (table.ask(1, "gear")["costs"], table.ask(1, "gear")["out"]) == ({}, [])
    table.plays(1, gear=2)
    assert table.car(1)["wear"]["engine"] == 1


def test_there_are_no_engine_tests_and_no_weather_rolls() -> None:
    """FD-TRIAL-1, FD-WEATHER-1: a 20 in 5th is a roll like any other."""
    table = driving({"space": "S6.m2", "gear": 4}, weather="variable")
    table.plays(1, gear=5, roll=20)
    table.plays(1, move=min(table.ends(1)))
    assert table.asked == [(1, "gear")]


def test_a_space_of_overshoot_counts_and_costs_nothing() -> None:
    """FD-TRIAL-1, FD-TRIAL-2"""
    table = driving({"space": "T1.m2", "gear": 3, "wear": {"tires": 0}})
    table.plays(1, gear=3, roll=5)
    assert not table.options(1)["S2.r3", 0]["out"]
    table.plays(1, move="S2.r3")
    assert table.car(1)["trial"] == {"rolls": 1, "beyond": 3, "seconds": None, "reached": None}
    assert (table.car(1)["wear"]["tires"], table.car(1)["status"]) == (0, "racing")


def test_a_tires_multiplier_multiplies_the_spaces() -> None:
    """FD-TRIAL-1, FD-TIRE-5: rain tires in the dry count double."""
    table = driving({"space": "T1.m2", "gear": 3, "tires": "rain"})
    table.plays(1, gear=3, roll=5, move="S2.r3")
    assert table.car(1)["trial"]["beyond"] == 6


def test_soft_tires_may_go_a_space_further_in_a_trial() -> None:
    """FD-TIRE-3"""
    table = driving({"space": "S2.m5", "gear": 3, "tires": "soft"})
    table.plays(1, gear=2, roll=3)
    assert [option["spaces"] for option in table.ask(1, "length")["options"]] == [3, 4]


def test_a_trial_in_rain_slides() -> None:
    """FD-WEATHER-1, FD-TIRE-2; in variable weather it is dry."""
    wet = driving({"space": "S1.r23", "gear": 2}, weather="rain")
    wet.plays(1, gear=2, roll=2)
    dry = driving({"space": "S1.r23", "gear": 2}, weather="variable")
    dry.plays(1, gear=2, roll=2)
    assert "T1.r2" in dry.ends(1)
    assert "T1.r2" not in wet.ends(1)


def test_a_corner_of_two_or_three_stops_without_a_stop_ends_the_trial() -> None:
    """FD-TRIAL-3: Loews from before it to behind it."""
    table = driving({"space": "T5.m12", "gear": 3, "stops": 0})
    table.plays(1, gear=3, roll=4)
    assert table.options(1)["S6.m4", 0]["out"]
    events = table.plays(1, move="S6.m4")
    (ended,) = named(events, "TrialEnded")
    assert ended["rule"] == "FD-TRIAL-3"
    assert table.asked == [(2, "gear")]
    assert table.car(1)["status"] == "grid"


@pytest.mark.parametrize(("stops", "counted"), [(1, 4), (2, 4), (3, 0)])
def test_with_one_stop_of_three_the_trial_goes_on(stops: int, counted: int) -> None:
    """FD-TRIAL-3, ruling: the spaces count."""
    table = driving({"space": "T5.m12", "gear": 3, "stops": stops})
    table.plays(1, gear=3, roll=4, move="S6.m4")
    assert table.car(1)["trial"]["beyond"] == counted
    assert table.asked == [(1, "gear")]


def test_a_stop_in_a_corner_is_marked() -> None:
    """FD-TRIAL-1: corners as ever."""
    table = driving({"space": "S1.m22", "gear": 2})
    table.plays(1, gear=1, roll=2, move="T1.m2")
    assert table.car(1)["stops"] == 1


def test_the_watch_is_asked_for_when_the_line_is_crossed_again() -> None:
    """FD-TRIAL-1, FD-TRIAL-2: score is rolls, full minutes and overshoot."""
    car = {"space": "S1.m15", "gear": 2, "trial": {"rolls": 17, "beyond": 2}}
    table = driving(car)
    table.plays(1, gear=2, roll=3, move="S1.m18")
    assert table.asked == [(1, "time")]
    assert "options" not in table.ask(1, "time")
    (timed,) = named(table.plays(1, time=263.4), "TrialTimed")
    assert (timed["seconds"], timed["score"]) == (263.4, 24)
    assert table.asked == [(2, "gear")]
    assert (table.car(1)["space"], table.car(1)["gear"], table.car(1)["lap"]) == (None, 0, 0)


def test_the_first_crossing_begins_the_lap() -> None:
    """FD-TRIAL-1"""
    table = trials()
    table.plays(1, gear=1, roll=2, move="S1.m19")
    assert table.car(1)["lap"] == 1
    assert table.asked == [(1, "gear")]


@pytest.mark.parametrize(
    ("value", "code"), [(0, "illegal"), (-3, "illegal"), ("4:23", "malformed"), (True, "malformed")]
)
def test_a_time_is_a_number_of_seconds(value: Any, code: str) -> None:
    """FD-TRIAL-1"""
    table = driving({"space": "S1.m18", "gear": 2, "lap": 2}, step="time", seat=1)
    assert table.is_refused({"seat": 1, "time": value})["code"] == code


def test_the_worked_example_of_the_book() -> None:
    """FD-TRIAL-2, FD-TRIAL-3, FD-TRIAL-4: 24, 27, 27 by time, and who ended in a corner."""
    ended = {"rolls": 9, "beyond": 0, "reached": 150}
    table = results(lap(18, 2, 4, 23), lap(17, 3, 7, 0), lap(19, 0, 8, 16), ended)
    assert table.state["order"] == [1, 2, 3, 4]
    table = results(ended, lap(19, 0, 8, 16), lap(17, 3, 7, 0), lap(18, 2, 4, 23))
    assert table.state["order"] == [4, 3, 2, 1]


def test_ended_trials_stand_by_distance() -> None:
    """FD-TRIAL-3, ruling."""
    table = results({"reached": 40}, {"reached": 90}, lap(30, 9, 9, 0))
    assert table.state["order"] == [3, 2, 1]


def test_equal_in_score_and_time_the_black_die_decides() -> None:
    """FD-TRIAL-2: the two roll, the third does not."""
    same = lap(18, 2, 4, 23)
    table = results(lap(20, 0, 5, 0), same, same)
    assert table.asked == [(2, "black"), (3, "black")]
    table.plays(2, black=4)
    table.plays(3, black=17)
    assert table.state["order"] == [3, 2, 1]


def test_the_order_of_setting_up_with_everything() -> None:
    """FD-TIRE-1: trial weather, trial tires, trials, race weather, race tires, start."""
    table = trials(1, "weather", "tires")
    assert table.asked == [(0, "black")]
    (rolled,) = named(table.plays(0, black=3), "WeatherRolled")
    assert (rolled["rule"], table.state["raining"]) == ("FD-WEATHER-1", True)
    assert table.asked == [(1, "tires")]
    table.plays(1, tires="soft")
    assert table.state["phase"] == "trials"
    table.says({"correct": {"cars": {"1": {"space": "S1.m17", "lap": 1}}}, "reason": "short lap"})
    table.plays(1, gear=1, roll=2, move="S1.m19", time=90)
    assert table.asked == [(0, "black")]
    (rolled,) = named(table.plays(0, black=20), "WeatherRolled")
    assert rolled["rule"] == "FD-WEATHER-2"
    assert (table.asked, table.state["raining"]) == ([(1, "tires")], False)
    table.plays(1, tires="hard")
    assert (table.state["phase"], table.car(1)["tires"]) == ("race", "hard")
    assert (table.car(1)["space"], table.car(1)["tires_lap"]) == ("S1.l16", 1)
    assert table.ask(1, "black")["for"] == "start"


def test_who_retires_in_its_trial_leaves_the_board_to_the_next() -> None:
    """FD-TRIAL-1"""
    table = trials(3)
    table.says({"seat": 1, "retire": True})
    assert table.asked == [(2, "gear")]
    assert (table.car(1)["space"], table.car(2)["space"]) == (None, MIDDLE)


def test_a_trial_goes_on_from_its_state() -> None:
    """FD-TRIAL-1: with the rolls so far and the cars that wait."""
    table = trials(3)
    table.plays(1, gear=1, roll=2)
    fresh = Engine(LIBRARY)
    told = header(3, rules=["trials"], position=table.state)
    assert fresh.handle({"new": told})["ok"]
    assert fresh.state() == table.state
    assert fresh.asks()[0]["options"] == table.ask(1, "move")["options"]


@in_one(
    "pending",
    [
        [],
        [{"step": "trial", "seat": 1}],
        [{"step": "gear", "seat": 2}, {"step": "ranking"}],
        [{"step": "gear", "seat": 1}, {"step": "move", "seat": 1, "spaces": 3}],
        [{"step": "gear", "seat": 1}, {"step": "ranking"}, {"step": "trial", "seat": 2}],
        [{"step": "gear", "seat": 1}],
    ],
)
def test_trials_that_contradict_themselves_are_refused(pending: list[dict[str, Any]]) -> None:
    """FD-TRIAL-1: one car drives, alone, and the ranking comes after all."""
    car = {"space": "S2.m5", "gear": 2, "lap": 1, "trial": {}, "status": "racing"}
    position = {"phase": "trials", "cars": {"1": car}, "pending": pending}
    told = header(2, rules=["trials"], position=position)
    assert trials().is_refused({"new": told})["code"] == "malformed"


def test_without_the_rule_there_are_no_trials() -> None:
    """FD-TRIAL-1: neither the phase nor a car's trial."""
    for position in ({"phase": "trials"}, {"cars": {"1": {"space": "S2.m5", "trial": {}}}}):
        assert trials().is_refused({"new": header(2, position=position)})["code"] == "malformed"
