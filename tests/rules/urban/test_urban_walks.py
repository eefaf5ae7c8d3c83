"""Random urban races: walked with mistakes, taken back, replayed, set up anew from their STATE."""

from __future__ import annotations

import copy
from collections import Counter
from random import Random
from typing import Any

import pytest
from support.each import few_now
from support.formula.invariants import check_urban
from support.formula.street import DRIVERS, STREETS, header
from support.formula.walks import Walk, decided

FEW = range(4)
MANY = range(100, 108)


def race(seed: int) -> dict[str, Any]:
    """Three to eight drivers on the street or on Monaco, in some mixture of options."""
    dice = Random(seed)
    drivers = dice.sample(DRIVERS, dice.randint(3, 8))
    rules = tuple(rule for rule in ("weather", "trials", "teams") if dice.random() < 0.4)
    track = dice.choice(["street", "street", "monaco"])
    told = header(*drivers, rules=rules, laps=dice.choice([1, 2, 3]), track=track)
    for seat in told["seats"]:
        seat["team"] = f"team {seat['seat'] // 2}"
    if "weather" in told["rules"] and dice.random() < 0.3:
        told["weather"] = dice.choice(["variable", "rain"])
    return told


def stroll(seed: int, steps: int, *, check_every: int) -> Walk:
    """A walk of so many steps, or to the end; the costly checks at every so many of them."""
    walk = Walk(seed, race(seed), boldness=(0.1, 0.3)[seed % 2], library=STREETS)
    for step in range(steps):
        wander(walk)
        if step % check_every == 0:
            walk.restarted()
            walk.exact()
        if walk.over:
            break
    walk.replayed()
    walk.folded()
    walk.restarted()
    return walk


def wander(walk: Walk) -> None:
    """One step: mostly an answer."""
    chance, lines = walk.dice.random(), len(walk.engine.lines)
    if chance < 0.04 and lines:
        walk.undo(walk.dice.randint(1, min(lines, 3 if chance < 0.03 else 40)))
    elif chance < 0.10:
        walk.blunder()
    elif chance < 0.13:
        walk.refer()
    else:
        walk.answer()


@pytest.mark.parametrize("seed", few_now(FEW, len(FEW), quick=FEW[:2]))
def test_a_short_urban_walk_keeps_every_invariant(seed: int) -> None:
    """FD-URBAN-1 to FD-URBAN-7, FD-DRV-1 to FD-DRV-10"""
    stroll(seed, 150, check_every=15)


@pytest.mark.long
@pytest.mark.parametrize("seeds", [MANY[at : at + 4] for at in range(0, len(MANY), 4)])
def test_a_long_urban_walk_keeps_every_invariant(seeds: range) -> None:
    """The same over whole races; among eight of them most of what can happen does."""
    told: Counter[str] = Counter()
    for seed in seeds:
        walk = stroll(seed, 700, check_every=60)
        told.update(happened(walk))
    usual = {"LengthChosen", "CheckpointPassed", "Recovered", "PolicePassed", "CollisionRolled"}
    assert usual <= told.keys()


def happened(walk: Walk) -> Counter[str]:
    """The events of a walk by their names."""
    game = walk.game
    decision = game.begin(walk.header, STREETS.load(walk.header["track"]))
    told = Counter(type(event).__name__ for event in decision.events)
    for command in walk.engine.accepted:
        decision = decided(game, decision.state, command)
        told.update(type(event).__name__ for event in decision.events)
    return told


def test_the_check_of_what_cars_remember_can_fail() -> None:
    """`check_urban` finds a car with what only another driver has, and notes out of order."""
    walk = Walk(3, race(3), library=STREETS)
    state, asks = copy.deepcopy(walk.shown[-1])
    check_urban(state, asks)
    car = next(iter(state["cars"].values()))
    for wrong in (
        {"police": {"1": {"speed": 35, "passed": 1}}},
        {"police": {"9": {"speed": 30, "passed": 1}}},
        {"drift": {"T1": 9}},
        {"nitro": False},
    ):
        spoiled = copy.deepcopy(state)
        spoiled["cars"][str(car["seat"])].update(wrong)
        with pytest.raises(AssertionError):
            check_urban(spoiled, asks)
