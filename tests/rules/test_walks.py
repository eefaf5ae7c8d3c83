"""Random answers, mistakes and a meddling referee: what must hold whatever is said."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from support.each import few_now, in_one
from support.formula import careful
from support.formula.invariants import (
    ASKS,
    STATE,
    check_all,
    check_asks,
    check_dead_cars,
    check_debris,
    check_goes_on,
    check_laps,
    check_order,
    check_places,
    check_pools,
    check_spaces,
    check_status,
    check_teams,
    check_wear,
)
from support.formula.scenes import Scene, at
from support.formula.walks import Walk, near

FEW = range(1)
MANY = range(101, 114)


def header(seed: int) -> dict[str, Any]:
    """Three to six cars; some races roll for everything, some begin in a crowd."""
    seats = 3 + seed % 4
    if seed % 3 == 1:
        return careful.header(seats, position=crowd(Random(seed), seats))
    if seed % 3 == 0:
        return careful.header(seats, laps=1)
    grid = list(range(seats, 0, -1))
    return careful.header(seats, laps=2, grid=grid, start="normal")


def crowd(dice: Random, seats: int) -> dict[str, Any]:
    """Fast cars close together on a straight, markers ahead of them, fine or in rain."""
    section = dice.choice(("S1", "S6"))
    spaces = [f"{section}.{lane}{n}" for lane in "lmr" for n in range(3, 7)]
    ahead = [f"{section}.{lane}{n}" for lane in "lmr" for n in range(7, 16)]
    cars = {
        str(seat): {"space": space, "gear": dice.randint(3, 5), "lap": 1}
        for seat, space in enumerate(dice.sample(spaces, seats), start=1)
    }
    weather = dice.choice(["fine", "rain"])
    return {"cars": cars, "debris": dice.sample(ahead, 4), "weather": weather}


def stroll(seed: int, steps: int, *, check_every: int) -> Walk:
    """A walk of so many steps; the costly checks at every so many of them."""
    walk = Walk(seed, header(seed), boldness=(0.1, 0.3, 0.1)[seed % 3])
    for step in range(steps):
        wander(walk)
        if step % check_every == 0:
            walk.restarted()
            walk.exact()
    return walk


def wander(walk: Walk) -> None:
    """One step: mostly an answer."""
    chance = walk.dice.random()
    lines = len(walk.engine.lines)
    if walk.over or (chance < 0.04 and lines):
        walk.undo(walk.dice.randint(1, min(lines, 3 if walk.dice.random() < 0.8 else 60)))
    elif chance < 0.12:
        walk.blunder()
    elif chance < 0.16:
        walk.refer()
    else:
        walk.answer()


@pytest.mark.parametrize("seed", FEW)
def test_a_short_walk_keeps_every_invariant(seed: int) -> None:
    """FD-CAR-2, FD-MOVE-1, FD-ORDER-1, FD-END-2: WP, spaces, order and laps stay sensible."""
    walk = stroll(seed, 350, check_every=12)
    walk.replayed()
    walk.folded()


@pytest.mark.long
@pytest.mark.parametrize("seed", MANY)
def test_a_long_walk_keeps_every_invariant(seed: int) -> None:
    """The same over whole races."""
    walk = stroll(seed, 900, check_every=15)
    walk.replayed()
    walk.folded()


OPTIONS = (
    ["build"],
    ["weather"],
    ["tires"],
    ["weather", "tires"],
    ["technical"],
    ["teams"],
    ["technical", "teams", "tires"],
    ["trials"],
    ["build", "trials", "weather", "tires", "technical", "teams"],
)


def with_options(seed: int, rules: list[str]) -> dict[str, Any]:
    """Four cars under these rules: half of the races are set up, half begin in a crowd."""
    seats = [{"seat": seat, "team": ("Rouge", "Bleu")[seat % 2]} for seat in range(1, 5)]
    house = {"soft_second_lap": ("double", "single")[seed % 2]}
    told = careful.header(4, laps=3, rules=rules, house=house) | {"seats": seats}
    if seed % 2 or rules == ["trials"]:
        return told
    position = crowd(Random(seed), 4)
    if "tires" in rules:
        for seat, car in position["cars"].items():
            car |= {"tires": ("hard", "soft", "rain")[(int(seat) + seed) % 3], "tires_lap": 1}
    return told | {"position": position}


@pytest.mark.parametrize("rules", OPTIONS, ids="+".join)
@pytest.mark.slow
@pytest.mark.parametrize("seed", few_now([1, 2], 1))
def test_a_walk_under_optional_rules_keeps_every_invariant(seed: int, rules: list[str]) -> None:
    """FD-BUILD-1, FD-WEATHER-3, FD-TIRE-6, FD-TECH-1, FD-TEAM-1: each by itself, and mixed."""
    walk = Walk(seed, with_options(seed, rules), boldness=0.2)
    for step in range(220):
        wander(walk)
        if step % 20 == 0:
            walk.restarted()
            walk.exact()
    walk.replayed()
    walk.folded()


@pytest.mark.parametrize("seed", range(2))
def test_everything_can_be_taken_back_to_the_start(seed: int) -> None:
    """Undo of all lines gives the state of the header, and the same race can be driven again."""
    walk = Walk(seed, header(seed))
    for _ in range(80):
        walk.answer()
    lines, last = list(walk.engine.lines), walk.look()
    walk.undo(80)
    for line in lines:
        walk.accept(line)
    assert walk.look() == last


def test_more_than_there_is_cannot_be_taken_back() -> None:
    """Undo of one line too many is refused and changes nothing."""
    walk = Walk(1, header(1))
    walk.answer()
    before = walk.look()
    assert not walk.engine.handle({"undo": 2})["ok"]
    assert walk.look() == before


def test_an_ended_race_can_be_taken_up_again() -> None:
    """End, and take it back: the very state before."""
    walk = Walk(4, header(4))
    for _ in range(60):
        walk.answer()
    walk.accept({"end": True})
    assert walk.over
    walk.restarted()
    walk.undo(1)


def test_a_race_set_up_from_a_state_goes_on_like_the_first() -> None:
    """Same answers, same states, whether the engine has the history or a position."""
    walk = Walk(5, header(5))
    for _ in range(90):
        walk.answer()
    twin = walk.restarted()
    for _ in range(60):
        walk.answer()
        assert twin.handle(walk.engine.lines[-1])["ok"]
        assert twin.state() == walk.engine.state()


# Each check can fail.

SOUND = Scene({1: at("S6.r5"), 2: at("T5.l3", stops=1), 3: at("P5", lap=2, pit_stops=1)})


def spoil(change: Callable[[dict[str, Any], list[dict[str, Any]]], None]) -> tuple[STATE, ASKS]:
    """A sound state and its asks, with one thing wrong."""
    state, asks = copy.deepcopy((SOUND.state, SOUND.asks))
    check_all(state, asks)
    change(state, asks)
    return state, asks


def car(**values: Any) -> Callable[[dict[str, Any], list[dict[str, Any]]], None]:
    """Change the car of seat 1."""
    return lambda state, _: state["cars"]["1"].update(values)


def wear(**points: int) -> Callable[[dict[str, Any], list[dict[str, Any]]], None]:
    """Change the wear of seat 1."""
    return lambda state, _: state["cars"]["1"]["wear"].update(points)


def whole(**values: Any) -> Callable[[dict[str, Any], list[dict[str, Any]]], None]:
    """Change the state."""
    return lambda state, _: state.update(values)


def asked(**values: Any) -> Callable[[dict[str, Any], list[dict[str, Any]]], None]:
    """Change the first ask."""
    return lambda _, asks: asks[0].update(values)


@in_one(
    ("check", "change"),
    [
        (check_wear, wear(tires=7)),
        (check_wear, wear(brakes=-1)),
        (check_wear, wear(fuel=1)),
        (check_dead_cars, wear(body=0)),
        (check_spaces, car(space="T5.l3")),
        (check_spaces, car(space=None)),
        (check_status, car(status="pit")),
        (check_status, car(stops=1)),
        (check_status, car(gear=7)),
        (check_status, car(gear=0)),
        (check_order, whole(order=[1, 2, 2])),
        (check_order, whole(order=[1, 9])),
        (check_order, whole(turn=None)),
        (check_laps, car(lap=4)),
        (check_laps, car(lap=-1)),
        (check_laps, car(tires_lap=0)),
        (check_debris, whole(debris=["S1.l1", "S1.l1"])),
        (check_debris, whole(debris=["P1"])),
        (check_places, car(status="finished", place=2)),
        (check_places, whole(phase="finished", classification=[])),
        (check_goes_on, whole(phase="finished")),
        (check_goes_on, lambda _, asks: asks.clear()),
        (check_asks, lambda _, asks: asks.append(asks[0])),
        (check_asks, asked(options=[])),
        (check_asks, asked(options=[3, 2])),
        (check_asks, car(status="out")),
        (check_asks, asked(seat=0)),
        (check_pools, car(pool=3)),
        (check_pools, whole(teams=[{"team": "Rouge", "points": 0, "pool": 5}])),
        (check_teams, whole(teams=[{"team": "Rouge", "points": 1}])),
    ],
)
def test_each_invariant_can_fail(check: Any, change: Any) -> None:
    """A sound state with one thing wrong is found by the check meant for it."""
    state, asks = spoil(change)
    with pytest.raises(AssertionError):
        check(state, asks)


def test_the_walk_notices_an_undo_that_gives_another_state() -> None:
    """The comparison with what was shown can fail."""
    walk = Walk(1, header(1))
    walk.answer()
    walk.answer()
    walk.shown[1][0]["round"] += 1
    with pytest.raises(AssertionError, match="another state"):
        walk.undo(1)


def test_the_walk_notices_an_option_that_is_not_accepted_and_a_value_that_is() -> None:
    """Both halves of 'exactly what is listed' can fail."""
    walk = Walk(2, header(2))
    real = walk.engine.asks

    def lie(options: list[Any]) -> None:
        walk.engine.asks = lambda: [{**ask, "options": options} for ask in real()]  # type: ignore[method-assign]

    lie([1, 6])
    with pytest.raises(AssertionError, match="refused"):
        walk.exact()
    walk.engine.asks = real  # type: ignore[method-assign]
    walk.answer()
    faces = real()[0]["options"]
    lie(faces[1:])
    with pytest.raises(AssertionError, match="accepted"):
        walk.exact()


def test_the_walk_notices_a_replay_and_a_fold_that_differ() -> None:
    """A line lost from the accepted ones is found."""
    walk = Walk(1, header(1))
    for _ in range(10):
        walk.answer()
    walk.engine.accepted.pop()
    with pytest.raises(AssertionError):
        walk.replayed()
    with pytest.raises(AssertionError):
        walk.folded()


def test_values_near_an_option_are_never_options() -> None:
    """The generator of near misses lists no hit, and some misses."""
    for ask in Walk(1, header(1)).engine.asks():
        misses = near(ask)
        assert misses
        assert not [v for v in misses if v in ask["options"] and type(v) in (int, list, dict)]
