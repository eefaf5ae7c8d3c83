"""FD-DRV-4, 5, 8, 9, 10: Dimitri, Julien, Derek, Diane, Temana."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import Scene, at
from support.formula.street import (
    DEREK,
    DIANE,
    DIMITRI,
    JENNY,
    JULIEN,
    MONTOYA,
    STANLEY,
    STREETS,
    TEMANA,
    header,
    street,
)

from companion.race.engine import Engine

KEEP = {"nitro": True}
FAR = at("S2.m6", gear=1)


# Dimitri


def engine_ranges(driver: str, weather: str) -> list[list[int]]:
    """The outcomes of an engine test after a 20 in 5th."""
    cars = {driver: at("T2.r1", gear=5, stops=1, **KEEP), JENNY: FAR}
    scene = street(cars, "weather", weather=weather, laps=3).gear(5).roll(20)
    end = next(option for option in scene.ask("move")["options"] if not option["out"])
    scene.move(end["to"], end["brakes"])
    (ask,) = [ask for ask in scene.asks if ask["for"] == "engine"]
    ranges: list[list[int]] = ask["options"]
    return ranges


@pytest.mark.parametrize(
    ("driver", "weather", "upto"),
    [(DIMITRI, "fine", 3), (DIMITRI, "rain", 2), (MONTOYA, "fine", 4), (MONTOYA, "rain", 3)],
)
def test_dimitris_engine_holds_longer(driver: str, weather: str, upto: int) -> None:
    """FD-DRV-4, FD-WEATHER-4"""
    assert engine_ranges(driver, weather) == [[1, upto], [upto + 1, 20]]


@pytest.mark.parametrize(("roll", "left"), [(3, 2), (4, 3), ([1, 3], 2)])
def test_dimitri_loses_an_engine_point_up_to_three(roll: Any, left: int) -> None:
    """FD-DRV-4"""
    cars = {DIMITRI: at("T2.r1", gear=5, stops=1, **KEEP), JENNY: FAR}
    scene = street(cars, laps=3).gear(5).roll(20)
    scene.move(min(scene.ends())).black(1, roll)
    assert scene.wear(1, "engine") == left


# Julien


def first_weather(*drivers: str) -> Engine:
    """A race whose first weather has been rolled: fine."""
    engine = Engine(STREETS)
    told = header(*drivers, rules=("weather",), grid=list(range(1, len(drivers) + 1)))
    assert engine.handle({"new": told})["ok"]
    assert engine.handle({"seat": 0, "black": 15})["ok"]
    return engine


def test_julien_may_have_the_first_weather_of_the_race_rolled_again() -> None:
    """FD-DRV-5"""
    engine = first_weather(JENNY, JULIEN)
    (ask,) = engine.asks()
    assert (ask["seat"], ask["kind"], ask["options"]) == (2, "reroll", [True, False])
    assert ask["outcome"] == "fine"
    state = engine.state()
    assert state is not None
    assert state["weather"] is None


def test_the_second_roll_counts() -> None:
    """FD-DRV-5: he rolls it, and it is not rolled a third time."""
    engine = first_weather(JENNY, JULIEN)
    (ask,) = engine.handle({"seat": 2, "reroll": True})["asks"]
    assert (ask["seat"], ask["for"]) == (2, "weather")
    reply = engine.handle({"seat": 2, "black": 3})
    assert [ask["for"] for ask in reply["asks"]] == ["start"]
    state = engine.state()
    assert state is not None
    assert (state["weather"], state["raining"]) == ("rain", True)


def test_or_the_first_one_stays() -> None:
    """FD-DRV-5"""
    engine = first_weather(JENNY, JULIEN)
    events = engine.handle({"seat": 2, "reroll": False})["events"]
    assert [e["weather"] for e in events if e["event"] == "WeatherRolled"] == ["fine"]


def test_without_julien_nobody_is_asked() -> None:
    """FD-DRV-5"""
    assert [ask["kind"] for ask in first_weather(JENNY, DIANE).asks()] == ["black"]


def test_a_weather_that_is_given_is_not_rolled_again() -> None:
    """FD-WEATHER-2"""
    engine = Engine(STREETS)
    told = header(JENNY, JULIEN, grid=[1, 2], weather="fine", start="normal")
    assert [ask["kind"] for ask in engine.handle({"new": told})["asks"]] == ["gear"]


def test_the_weather_of_the_trials_may_be_rolled_again_too() -> None:
    """FD-DRV-5, FD-WEATHER-1"""
    engine = Engine(STREETS)
    assert engine.handle({"new": header(JENNY, JULIEN, rules=("trials",))})["ok"]
    assert engine.handle({"seat": 0, "black": 15})["asks"][0]["kind"] == "reroll"
    assert engine.handle({"seat": 2, "reroll": True})["ok"]
    (rolled, *_) = engine.handle({"seat": 2, "black": 1})["events"]
    assert (rolled["weather"], rolled["rule"]) == ("rain", "FD-WEATHER-1")


def changing(**julien: Any) -> Scene:
    """Jenny has rolled a 20 in 5th, and the weather, which is variable: rain."""
    cars = {JENNY: at("T2.r1", gear=5, stops=1, **KEEP), JULIEN: FAR | julien}
    scene = street(cars, "weather", weather="variable", laps=3).gear(5).roll(20)
    scene.move(min(scene.ends())).black(1, 20)
    return scene.black(1, [1, 7])


def test_julien_rerolls_the_weather_of_others_too() -> None:
    """FD-DRV-5, FD-WEATHER-3"""
    scene = changing()
    assert scene.open == [(2, "reroll", None)]
    assert scene.state["weather"] == "variable"
    scene.say({"seat": 2, "reroll": True}).black(2, [8, 12])
    assert scene.state["weather"] == "variable"
    assert changing().say({"seat": 2, "reroll": False}).state["weather"] == "variable-rain"


@pytest.mark.parametrize("gone", [{"status": "out"}, {"status": "finished", "place": 1, "lap": 4}])
def test_out_or_home_he_is_not_asked(gone: dict[str, Any]) -> None:
    """FD-DRV-5"""
    assert changing(**gone, space=None).state["weather"] == "variable-rain"


def test_retired_while_he_thinks_the_first_roll_counts() -> None:
    """FD-DRV-5"""
    scene = changing().say({"seat": 2, "retire": True, "reason": "late"})
    assert scene.state["weather"] == "variable-rain"


def test_a_weather_that_the_referee_settles_is_not_rolled_again() -> None:
    """FD-DRV-5: corrected while he thinks."""
    scene = changing().say({"correct": {"weather": "fine", "raining": False}, "reason": "misread"})
    assert scene.state["weather"] == "fine"
    assert scene.open == [(2, "gear", None)]


@pytest.mark.parametrize(("driver", "to"), [(JULIEN, "T1.l4"), (JENNY, "T1.l6")])
def test_in_rain_julien_slides_one_space_and_the_others_three(driver: str, to: str) -> None:
    """FD-DRV-5, FD-TIRE-2, FD-WEATHER-4: hard tires slide in urban races without `tires`."""
    other = JENNY if driver == JULIEN else JULIEN
    cars = {driver: at("T1.l1", gear=2, **KEEP), other: FAR}
    scene = street(cars, "weather", weather="rain").gear(2).roll(2)
    assert to in scene.ends()
    assert scene.ends()[to]["cost"] == {}


@pytest.mark.parametrize("value", [None, 1, "yes", []])
def test_a_reroll_is_yes_or_no(value: Any) -> None:
    """FD-DRV-5"""
    assert changing().refused({"seat": 2, "reroll": value})["code"] == "malformed"


# Derek


def contact(mover: str, *met: str) -> Scene:
    """The mover ends beside and behind the others."""
    cars = {mover: at("S1.m9", gear=2, **KEEP)}
    spaces = ("S1.m12", "S1.l11")
    cars |= {driver: at(space, gear=2) for driver, space in zip(met, spaces, strict=False)}
    return street(cars).drive(2, 2, "S1.m11")


def rolls(scene: Scene) -> list[int]:
    """Who rolls for the collision, one roll after the other."""
    rolled = []
    while scene.rollers("collision"):
        seat = scene.rollers("collision")[0]
        rolled.append(seat)
        scene.black(seat, 20)
    return sorted(rolled)


def test_an_opponent_whom_derek_hits_rolls_twice() -> None:
    """FD-DRV-8: Derek himself rolls once for each."""
    assert rolls(contact(DEREK, JENNY, DIMITRI)) == [1, 1, 2, 2, 3, 3]


def test_who_hits_derek_rolls_twice_for_him() -> None:
    """FD-DRV-8: and once for anybody else."""
    assert rolls(contact(JENNY, DEREK, DIMITRI)) == [1, 1, 1, 2, 3]


def test_others_roll_once_for_each_other() -> None:
    """FD-BUMP-1"""
    assert rolls(contact(JENNY, DIMITRI)) == [1, 2]


def test_each_of_the_two_rolls_may_cost_a_body_point() -> None:
    """FD-DRV-8"""
    scene = contact(DEREK, JENNY).black(2, 1).black(2, 1)
    assert scene.wear(2, "body") == 1
    assert scene.rollers("collision") == [1]


def test_out_by_the_first_roll_the_second_is_not_rolled() -> None:
    """FD-DRV-8, FD-BUMP-2"""
    cars = {DEREK: at("S1.m9", gear=2, **KEEP), JENNY: at("S1.m12", gear=2, wear={"body": 1})}
    scene = street(cars).drive(2, 2, "S1.m11").black(2, 1)
    assert scene.car(2)["status"] == "out"
    assert scene.rollers("collision") == [1]


def test_two_open_rolls_survive_a_position() -> None:
    """FD-DRV-8: `others` names a seat twice, and only Derek's opponents."""
    scene = contact(DEREK, JENNY)
    (step,) = [s for s in scene.state["pending"] if s["step"] == "collision"]
    assert (step["others"], step["against"]) == ([2, 2], [2])
    told = header(DEREK, JENNY, laps=2, position=scene.state)
    assert Engine(STREETS).handle({"new": told})["ok"]
    told = header(STANLEY, JENNY, laps=2, position=scene.state)
    told["position"]["cars"] = {k: v | {"full": None} for k, v in told["position"]["cars"].items()}
    assert not Engine(STREETS).handle({"new": told})["ok"]


# Diane


def test_level_with_others_diane_plays_first() -> None:
    """FD-DRV-9: in a lower gear and outside too; l8 and r9 stand level."""
    cars = {JENNY: at("S1.r9", gear=4), DIANE: at("S1.l8", gear=1), DIMITRI: at("S2.m1", gear=1)}
    assert street(cars, new_round=True).state["order"] == [3, 2, 1]


def test_a_car_ahead_of_diane_plays_before_her() -> None:
    """FD-DRV-9, FD-ORDER-1"""
    cars = {JENNY: at("S1.r10", gear=1), DIANE: at("S1.l8", gear=4)}
    assert street(cars, new_round=True).state["order"] == [1, 2]


def grid(*drivers: str, rolls: tuple[int, ...]) -> Engine:
    """All have rolled for the grid."""
    engine = Engine(STREETS)
    assert engine.handle({"new": header(*drivers, start="normal")})["ok"]
    for seat, roll in enumerate(rolls, 1):
        assert engine.handle({"seat": seat, "black": roll})["ok"]
    return engine


def test_diane_wins_every_tie_for_the_grid() -> None:
    """FD-DRV-9: she rolls no more, the others do."""
    engine = grid(JENNY, DIANE, DIMITRI, rolls=(12, 12, 12))
    assert [ask["seat"] for ask in engine.asks()] == [1, 3]
    engine.handle({"seat": 1, "black": 5})
    engine.handle({"seat": 3, "black": 6})
    state = engine.state()
    assert state is not None
    assert state["order"] == [2, 3, 1]


def test_a_tie_of_two_is_hers_at_once() -> None:
    """FD-DRV-9"""
    engine = grid(JENNY, DIANE, rolls=(12, 12))
    state = engine.state()
    assert state is not None
    assert state["order"] == [2, 1]


def test_equal_trials_are_hers_without_a_roll() -> None:
    """FD-DRV-9, FD-TRIAL-2"""
    trial = {"trial": {"rolls": 18, "beyond": 2, "seconds": 200}}
    position = {"phase": "setup", "cars": {str(seat): trial for seat in (1, 2, 3)}}
    position["pending"] = [{"step": "ranking"}]
    engine = Engine(STREETS)
    told = header(JENNY, DIANE, DIMITRI, rules=("trials",), start="normal", position=position)
    assert engine.handle({"new": told})["ok"]
    assert [ask["seat"] for ask in engine.asks()] == [1, 3]


def test_a_higher_roll_beats_her() -> None:
    """FD-GRID-1"""
    state = grid(JENNY, DIANE, rolls=(13, 12)).state()
    assert state is not None
    assert state["order"] == [1, 2]


# Temana


def littering(**car: Any) -> Scene:
    """Temana has moved from S1.m9 to S1.m11."""
    cars = {TEMANA: at("S1.m9", gear=2, **{**KEEP, **car}), JENNY: FAR}
    return street(cars, laps=3).drive(2, 2, "S1.m11")


def test_temana_may_leave_debris_where_the_move_began() -> None:
    """FD-DRV-10"""
    scene = littering()
    (ask,) = scene.asks
    assert (ask["seat"], ask["kind"], ask["options"], ask["at"]) == (
        1,
        "trail",
        [True, False],
        "S1.m9",
    )
    scene.say({"seat": 1, "trail": True})
    assert scene.state["debris"] == ["S1.m9"]
    assert scene.car(1)["trail"] is True


def test_temana_may_leave_none() -> None:
    """FD-DRV-10"""
    scene = littering().say({"seat": 1, "trail": False})
    assert scene.state["debris"] == []
    assert "trail" not in scene.car(1)


def test_debris_is_left_once_a_lap() -> None:
    """FD-DRV-10"""
    assert littering(trail=True).kinds == {"gear"}
    cars = {TEMANA: at("S1.m3", gear=2, trail=True, **KEEP), JENNY: FAR}
    scene = street(cars, laps=3).drive(2, 3, "S1.m6")
    assert scene.kinds == {"trail"}


def test_where_debris_lies_or_the_car_still_stands_none_is_left() -> None:
    """FD-DRV-10, FD-DEBRIS-4"""
    cars = {TEMANA: at("S1.m9", gear=2, **KEEP), JENNY: FAR}
    assert street(cars, debris=["S1.m9"]).drive(2, 2, "S1.m11").kinds == {"gear"}
    assert street(cars).gear(2).roll(2).move("S1.m9", brakes=2).kinds == {"gear"}
    dark = {TEMANA: at("S2.m3", gear=2, **KEEP), JENNY: at("S1.m9", gear=1)}
    assert street(dark).drive(2, 2, "S2.m5").kinds == {"gear"}


@pytest.mark.parametrize("weather", ["fine", "rain"])
@pytest.mark.parametrize(("driver", "rain"), [(TEMANA, 2), (JENNY, 5)])
def test_temanas_handling_suffers_on_one_and_two_only(driver: str, rain: int, weather: str) -> None:
    """FD-DRV-10: in rain too."""
    other = JENNY if driver == TEMANA else TEMANA
    cars = {driver: at("S2.m1", gear=2, **KEEP), other: at("S1.m9", gear=1)}
    scene = street(cars, "weather", weather=weather).drive(2, 2, "S2.m3")
    upto = rain if weather == "rain" or driver == TEMANA else 4
    assert scene.ask("black")["options"] == [[1, upto], [upto + 1, 20]]


@pytest.mark.parametrize(("roll", "left"), [(2, 2), (3, 3)])
def test_what_temana_loses(roll: int, left: int) -> None:
    """FD-DRV-10"""
    cars = {TEMANA: at("S2.m1", gear=2, **KEEP), JENNY: at("S1.m9", gear=1)}
    scene = street(cars).drive(2, 2, "S2.m3").black(1, roll)
    assert scene.wear(1, "handling") == left
