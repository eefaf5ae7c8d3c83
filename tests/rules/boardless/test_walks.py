"""Boardless races whatever is said: both editions, every subset of their rules, cards or none.

What must hold is checked at every step (`support.formula.walks`); at the end the record
replays, the events fold, and STATE sets the same race up again.
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest
from support.each import few_now, in_one
from support.formula.boardless import BoardlessWalk, header, race

GAMES = ("formula-d", "formule-de")
OPTIONS = {
    "formula-d": ("build", "weather", "tires", "technical", "teams"),
    "formule-de": ("advanced", "weather", "tires", "technical", "teams"),
}
SUBSETS = [some for count in range(6) for some in combinations(range(5), count)]
TRACKS = (None, "sebring", "sakhir")
RACES = 60
QUICK = {0, 31}


def race_header(seed: int) -> dict[str, Any]:
    """Race `seed`: its game, its subset of the rules, its card; every third begins half-way."""
    dice, game = Random(seed), GAMES[seed % 2]
    rules = [OPTIONS[game][at] for at in SUBSETS[seed // 2 % len(SUBSETS)]]
    told = header(game, 4, laps=1 + seed % 3, rules=rules, track=TRACKS[seed % 3])
    told["seats"] = [
        {"seat": n, "team": ("Rouge", "Bleu", "Vert", "Or")[n % 4]}
        for n in range(1, dice.randint(3, 8))
    ]
    if seed % 3 == 2:
        told["position"] = half_way(dice, len(told["seats"]))
    return told


def half_way(dice: Random, cars: int) -> dict[str, Any]:
    """Fast cars in their first lap, one in its box, all with worn engines and bodies."""
    wear = {"tires": 2, "engine": 2, "body": 1}
    told = {
        str(seat): {"gear": dice.randint(3, 6), "lap": 1, "wear": wear}
        for seat in range(1, cars + 1)
    }
    told["1"] |= {"status": "pit", "lap": 1, "gear": 4}
    return {"cars": told}


def wander(walk: BoardlessWalk) -> None:
    """One step: mostly an answer."""
    chance, lines = walk.dice.random(), len(walk.engine.lines)
    if walk.over or (chance < 0.04 and lines):
        walk.undo(walk.dice.randint(1, min(lines, 3 if walk.dice.random() < 0.8 else 40)))
    elif chance < 0.10:
        walk.blunder()
    elif chance < 0.13:
        walk.refer()
    else:
        walk.answer()


@pytest.mark.parametrize("seed", few_now(range(64), 8, QUICK))
def test_a_walk_without_a_board_keeps_every_invariant(seed: int) -> None:
    """FD-CAR-2, FD-ORDER-1, FD-END-2, DE-BUMP-1: whatever is reported."""
    walk = BoardlessWalk(seed, race_header(seed))
    for step in range(160):
        wander(walk)
        if step % 8 == 0:
            walk.restarted()
            walk.exact()
    walk.replayed()
    walk.folded()


@in_one("seed", range(12))
def test_a_race_without_a_board_comes_to_its_end(seed: int) -> None:
    """FD-END-1, FD-END-2: everybody is classified, and STATE sets the end up again."""
    told = race_header(seed)
    engine = race(told, seed)
    state = engine.state()
    assert state is not None
    assert state["phase"] == "finished"
    assert len(state["classification"]) == len(told["seats"])
    assert sorted(car["place"] for car in state["cars"].values()) == [
        row["place"] for row in state["classification"]
    ]
    again = BoardlessWalk(seed, {**told, "position": state})
    assert again.engine.state() == state
