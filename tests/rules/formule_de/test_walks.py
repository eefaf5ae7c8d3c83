"""Formule Dé whatever is said: random races under every subset of its rules.

Each race mixes careful and blind answers, mistakes, taking back and a meddling referee; what
must hold is checked at every step (`support.formula.walks`), and at the end the record replays, the
events fold, and STATE sets the same race up again.
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest
from support.each import few_now
from support.formula import careful
from support.formula.formule_de import GAME
from support.formula.walks import Walk

OPTIONS = ("advanced", "weather", "tires", "technical", "teams")
SUBSETS = [list(some) for count in range(6) for some in combinations(OPTIONS, count)]
RACES = 60
QUICK = {0, 21}
"""Plain; advanced in a crowd; weather, technical and teams; all five."""


def header(seed: int) -> dict[str, Any]:
    """Race `seed`: its subset of the rules, 2 to 7 cars, 1 to 3 laps; odd ones begin half-way."""
    dice = Random(seed)
    seats = [{"seat": n, "team": ("Rouge", "Bleu", "Vert", "Or")[n % 4]} for n in range(1, 8)]
    told = careful.header(
        game=GAME,
        laps=1 + seed % 3,
        rules=SUBSETS[seed % len(SUBSETS)],
        house={"late_block": ("on", "off")[seed // 2 % 2]},
    ) | {"seats": seats[: dice.randint(4 if seed % 2 else 2, 7)]}
    if seed % 2:
        begun = {1: crowd, 3: held_up, 5: before_the_pit}[seed % 6]
        told["position"] = begun(dice, len(told["seats"]))
    return told


def crowd(dice: Random, cars: int) -> dict[str, Any]:
    """Worn cars close together on a straight, one of them a wreck, dangerous spaces ahead."""
    section = dice.choice(("S1", "S2", "S6"))
    spaces = [f"{section}.{lane}{n}" for lane in "lmr" for n in range(3, 9)]
    ahead = [f"{section}.{lane}{n}" for lane in "lmr" for n in range(9, 15)]
    told = {
        str(seat): {
            "space": space,
            "gear": dice.randint(2, 5),
            "lap": 1,
            "wear": {"brakes": dice.randint(0, 2), "tires": dice.randint(0, 4), "body": 1},
        }
        for seat, space in enumerate(dice.sample(spaces, cars), start=1)
    }
    wreck = {"why": "blocked", "space": told["1"].pop("space"), "stands": True}
    told["1"] |= {"status": "out", "out": wreck}
    return {"cars": told, "debris": dice.sample(ahead, 4)}


def held_up(dice: Random, cars: int) -> dict[str, Any]:
    """Seat 1 behind a wall, with few brakes left, on turn before the cars that stand there."""
    wall = ("S2.l8", "S2.m8", "S2.r9", "S2.l9", "S2.m9", "S2.r10")
    told: dict[str, Any] = {
        str(seat): {"space": space, "gear": 2, "lap": 1}
        for seat, space in enumerate(wall[: cars - 1], start=2)
    }
    wear = {"brakes": dice.choice((0, 0, 1)), "tires": dice.randint(1, 4)}
    told["1"] = {"space": "S2.m5", "gear": dice.randint(3, 5), "lap": 1, "wear": wear}
    return {"cars": told, "order": list(range(1, cars + 1)), "turn": 1, "round": 4}


def before_the_pit(dice: Random, cars: int) -> dict[str, Any]:
    """Fast cars at the end of their first lap, with worn tires and engines."""
    spaces = [f"S10.{lane}{n}" for lane in "lmr" for n in range(1, 6)]
    wear = {"tires": 2, "engine": 2, "fuel": 1}
    return {
        "cars": {
            str(seat): {"space": space, "gear": dice.randint(3, 6), "lap": 1, "wear": wear}
            for seat, space in enumerate(dice.sample(spaces, cars), start=1)
        }
    }


def wander(walk: Walk) -> None:
    """One step: mostly an answer."""
    chance = walk.dice.random()
    lines = len(walk.engine.lines)
    if walk.over or (chance < 0.04 and lines):
        walk.undo(walk.dice.randint(1, min(lines, 3 if walk.dice.random() < 0.8 else 40)))
    elif chance < 0.1:
        walk.blunder()
    elif chance < 0.13:
        walk.refer()
    else:
        walk.answer()


def race(seed: int, steps: int) -> Walk:
    """So many steps of a race, set up anew from its STATE now and then."""
    walk = Walk(seed, header(seed), boldness=(0.1, 0.3)[seed % 2])
    for step in range(steps):
        wander(walk)
        if step % 25 == 0:
            walk.restarted()
            walk.exact()
    return walk


@pytest.mark.parametrize("seed", few_now(range(RACES), 8, QUICK))
def test_a_random_race_keeps_every_invariant(seed: int) -> None:
    """DE-CAR-1 to DE-END-1: whatever the subset of the optional rules."""
    walk = race(seed, 80)
    walk.replayed()
    walk.folded()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_careful_driver_brings_a_whole_race_home(seed: int) -> None:
    """DE-END-1: six cars, one lap; some of them break, not all."""
    told = careful.header(game=GAME, laps=1)
    walk = Walk(seed, told, boldness=0)
    while not walk.over:
        walk.answer()
    state = walk.look()[0]
    assert state["phase"] == "finished"
    assert any(car["status"] == "finished" for car in state["cars"].values())
    walk.replayed()


def test_the_subsets_are_all() -> None:
    """Every mixture of the five rules occurs in the sixty races."""
    assert len({tuple(rules) for rules in SUBSETS}) == 32
    assert {tuple(header(seed)["rules"]) for seed in range(RACES)} == {tuple(s) for s in SUBSETS}
