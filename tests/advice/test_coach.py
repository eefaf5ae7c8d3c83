"""The coach: what it says of a mistake is true, by the odds and face by face by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.advice import alone_on, raced

from companion.advice.bots.by_room import Amateur
from companion.advice.bots.levels import level_kind
from companion.advice.bots.solved import Racer
from companion.advice.odds import Odds, odds
from companion.advice.review import GRADES, Mistake
from companion.race.record import replay
from companion.rules.formula.book import GEAR_FACES
from companion.rules.games import fetch
from companion.rules.lines import Answer
from companion.study.reviews import review_record, what_if
from companion.study.solved import SolvedBoards

pytestmark = pytest.mark.slow
Found = tuple[list[Any], int, Mistake]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data") / "solved"


def mistakes(board: str, folder: Path, seed: int) -> Iterator[Found]:
    """The mistakes of a race of two who choose badly now and then, and two who err by rule."""
    alone, _ = alone_on(board, laps=2, folder=folder)
    dice = Random(f"hasty {seed}")

    class Hasty(Racer):
        def gear(self, state: Any, seat: int, choices: Any) -> int:
            best = super().gear(state, seat, choices)
            return dice.choice([one.gear for one in choices]) if dice.random() < 0.3 else best

        def end(self, state: Any, seat: int, ends: Any) -> Any:
            return dice.choice(ends) if dice.random() < 0.3 else super().end(state, seat, ends)

    levels = {1: Hasty(alone), 2: level_kind("learner").make(None), 3: Amateur(), 4: Hasty(alone)}
    lines = raced(levels, Random(seed), track=board, laps=2, start="normal")
    for seat, course in review_record(lines, SolvedBoards(folder)).items():
        for one in course.mistakes:
            yield lines, seat, one


def rolls_of(found: Found, before: Any) -> tuple[list[Any], list[Any]]:
    """The odds of the next roll after what was played and after the best; and the states."""
    _, seat, one = found
    game, rolls, states = fetch("formula-d"), [], []
    for which, way in zip((one.played, one.best), one.ways, strict=True):
        state = before
        value: Any = one.choices[which][0]
        if one.kind != "gear":
            given = None if value is None else {"to": value[0], "brakes": value[1]}
            state = game.decide(state, Answer(seat, one.kind, given), game.asks(state)).state
            while any((ask.seat, ask.kind) == (seat, "slipstream") for ask in game.asks(state)):
                passed = Answer(seat, "slipstream", None)
                state = game.decide(state, passed, game.asks(state)).state
            state = replace(state, cars={seat: state.cars[seat]})
        states.append(state)
        rolls.append(None if way.next is None else odds(state, seat).get(way.next.gear))
    return rolls, states


def check(found: Found) -> None:
    """All that is told of a mistake against the odds, a gear face by face too."""
    lines, seat, one = found
    before: Any = replay(lines[: one.at.line - 1]).moment
    rolls, states = rolls_of(found, before)
    if one.kind == "gear":
        face_by_face(found, before)
    for way, roll in zip(one.ways, rolls, strict=True):
        if way.next is not None:
            assert_counts(way.next.as_json(), roll)
    if one.why is not None:
        check_why(seat, one, one.why, rolls, states)


def check_why(seat: int, one: Mistake, why: Any, rolls: list[Any], states: list[Any]) -> None:
    """The reason that is given."""
    played, best = one.ways
    if why.key in ("out", "spin"):
        share = getattr(rolls[0], why.key)
        assert Fraction(int(why.n), why.of) == share > getattr(rolls[1], why.key)
    elif why.key == "misses":
        assert 0 < Fraction(int(why.n), why.of) <= sum(rolls[0].overshoot.values())
        assert why.corner >= 0
    elif why.key == "stops":
        assert 0 < Fraction(int(why.n), why.of) <= rolls[1].clean
    elif why.key == "short":
        means = [
            sum(f) / len(f) for f in (GEAR_FACES[way.next.gear] for way in one.ways if way.next)
        ]
        assert why.n == pytest.approx(means[1] - means[0])
        assert why.n > 0
    elif why.key == "costs":
        left = [sum(state.cars[seat].wear) for state in states]
        assert left[1] - left[0] == why.n == played.lost - best.lost
    elif why.key == "behind":
        assert why.n == (best.run - played.run) // 2 > 0


def assert_counts(counts: dict[str, int], roll: Odds) -> None:
    faces = counts["faces"]
    assert roll.clean == Fraction(counts["clean"], faces)
    assert sum(roll.overshoot.values()) == Fraction(counts["over"], faces)
    assert (roll.spin, roll.out) == (
        Fraction(counts["spin"], faces),
        Fraction(counts["out"], faces),
    )


def face_by_face(found: Found, before: Any) -> None:
    """What a gear comes to, by the ends that the rules list for each face, the cheapest of each."""
    _, seat, one = found
    game = fetch("formula-d")
    for which, way in zip((one.played, one.best), one.ways, strict=True):
        gear: Any = one.choices[which][0]
        engaged = game.decide(before, Answer(seat, "gear", gear), game.asks(before)).state
        told = Counter[str]()
        for face in GEAR_FACES[gear]:
            rolled = game.decide(engaged, Answer(seat, "roll", face), game.asks(engaged))
            ends = [end for ask in game.asks(rolled.state) for end in getattr(ask, "ends", ())]
            if not ends:  # there is one way only, and it was taken
                return
            end = min(ends, key=lambda end: (end.out, end.spin, sum(end.cost), end.brakes))
            over = "over" if end.arrival.spaces else "clean"
            told["out" if end.out else "spin" if end.spin else over] += 1
        assert way.next is not None
        counts = way.next.as_json()
        assert dict(told) == {
            key: counts[key] for key in ("clean", "over", "spin", "out") if counts[key]
        }


def test_what_the_coach_says_is_true_by_the_odds_and_face_by_face(folder: Path) -> None:
    seen = [found for seed in range(2) for found in mistakes("manege", folder, seed)]
    assert {one.kind for _, _, one in seen} >= {"gear", "move"}
    assert {one.grade for _, _, one in seen} == set(GRADES)
    for found in seen:
        check(found)


def test_nobody_is_blamed_for_a_gear_that_the_cars_in_the_way_made_right(folder: Path) -> None:
    alone, _ = alone_on("manege", laps=2, folder=folder)
    # In this race there is such a car.
    for lines, seat, one in mistakes("manege", folder, 23):
        if one.kind == "gear":
            there = odds(replay(lines[: one.at.line - 1]).moment, seat, alone)
            turns = [there[one.choices[n][0]].turns for n in (one.played, one.best)]
            assert turns[0] - turns[1] >= GRADES["inaccuracy"] - 1e-9


@pytest.mark.long
def test_what_the_coach_says_is_true_of_a_thousand_decisions(folder: Path) -> None:
    seen, told = 0, Counter[str]()
    for seed in count():
        for found in mistakes("monaco", folder, seed):
            check(found)
            seen += 1
            told[found[2].why.key if found[2].why else "later"] += 1
        if seen >= 1000:
            break
    assert {"out", "misses", "stops", "short", "behind", "costs"} <= told.keys()


def test_who_plays_the_best_or_nearly_the_best_made_no_mistake(folder: Path) -> None:
    for _, _, one in mistakes("manege", folder, 0):
        turns = [turns for _, turns in one.choices]
        assert turns[one.best] == min(turns)
        assert turns[one.played] - turns[one.best] >= one.loss - 1e-9 >= GRADES["inaccuracy"] - 1e-9
        assert (
            one.grade == max((GRADES[name], name) for name in GRADES if one.loss >= GRADES[name])[1]
        )
    alone, _ = alone_on("manege", laps=1, folder=folder)
    lines = raced({1: Racer(alone)}, Random(5), track="manege", laps=1, start="normal")
    assert review_record(lines, SolvedBoards(folder))[1].mistakes == []


def test_what_if_drives_the_same_dice_after_both_answers(folder: Path) -> None:
    lines, _, one = next(mistakes("manege", folder, 0))
    left = iter((True, False))
    played = lines[one.at.line - 1][one.kind]
    ways = what_if(lines, one.at.line, [played, played], lambda: next(left))
    assert ways[0] == ways[1]
    assert ways[0]["races"] == 2
