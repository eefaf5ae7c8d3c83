"""Solved boards held against races of the real engine that are driven by them.

Each line: a board, what is solved, the expected turns from pole, the mean over the races with its
standard error, how many errors lie between them, how many of these cars went out, how many more on
debris (their own: it is not in what is solved, so these races are left out), stops a race, seconds
of solving, the largest file.

Run: python tools/driven.py [--races N] [--seed S] [--only WORD]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.advice.alone import Alone, BySky
from companion.advice.bots.by_room import Dice, Level, answer, throw
from companion.advice.bots.solved import Racer
from companion.advice.solve.model import PLAIN, USUAL, Sky
from companion.race.boards import TrackLibrary
from companion.rules.formula.book import Setup
from companion.rules.formula.car import Car
from companion.rules.formula.game import Formula
from companion.rules.formula.rounds import TurnEnded
from companion.rules.formula.state import Event, State
from companion.rules.game import Decision
from companion.rules.games import fetch
from companion.rules.lines import Answer
from companion.study.solved import SolvedBoards
from companion.system.frozen import dataclass

BOTH = frozenset({"tires", "weather"})


@dataclass(frozen=True)
class Case:
    """What is held against races."""

    board: str
    laps: int = 2
    sky: Sky = USUAL
    rules: frozenset[str] = frozenset()
    game: str = "formula-d"

    @property
    def name(self) -> str:
        """In words."""
        which = "whole" if self.sky.whole else "plain"
        on = f"{self.sky.tires} tires, {self.sky.weather}" if self.rules else "no tires, dry"
        return f"{self.board}, {self.laps} laps, {self.game}, {which}, {on}"


CASES = [
    *(Case(board, sky=sky) for board in ("monaco", "montreal") for sky in (PLAIN, USUAL)),
    Case("monaco", laps=5),
    Case("montreal", laps=10),
    Case("montreal", sky=Sky("soft"), rules=BOTH),
    Case("montreal", sky=Sky("rain", "rain"), rules=BOTH),
    Case("montreal", sky=Sky("hard", "rain"), rules=BOTH),
    Case("montreal", sky=Sky("hard", "variable"), rules=BOTH),
    Case("montreal", laps=5, sky=Sky("soft"), rules=BOTH),
    Case("monaco", laps=3, game="formule-de"),
    Case("montreal", laps=3, game="formule-de"),
]


class Ran(NamedTuple):
    """A race: its turns, the stops made, why the car went out."""

    turns: float
    stops: int
    out: str | None


def decisions(
    game: Formula, state: State, levels: Mapping[int, Level], dice: Dice
) -> Iterator[Decision[State, Event]]:
    """What follows from each answer of a race, from a state to its end; `levels` by seat."""
    while asks := game.asks(state):
        ask: Any = asks[0]
        value: object = throw(ask, dice)
        if value is None:
            value = answer(levels[ask.seat], state, ask)
        decision = game.decide(state, Answer(ask.seat, ask.kind, value), asks)
        yield decision
        state = decision.state


def drive(
    game: Formula, state: State, driver: Level, alone: Alone, dice: Dice
) -> tuple[State, float]:
    """A car alone on the board drives to the end: the state, and the turns that it took.

    A car that goes out is counted as the solved board does (`Alone.out`).
    """
    (seat,), turns = state.cars, 0.0
    for decision in decisions(game, state, {seat: driver}, dice):
        if decision.state.cars[seat].out:
            return decision.state, turns + 1 + alone.out(state.cars[seat])
        turns += sum(isinstance(event, TurnEnded) for event in decision.events)
        state = decision.state
    return state, turns


def race(case: Case, setup: Setup, bot: Racer, alone: Alone, dice: Random) -> Ran:
    """One race."""
    game = fetch(case.game)
    assert isinstance(game, Formula)
    header = {
        "game": case.game,
        "laps": case.laps,
        "start": "normal",
        "rules": sorted(case.rules),
        "seats": [{"seat": 1, "tires": case.sky.tires} if case.rules else {"seat": 1}],
    }
    header |= {"weather": case.sky.weather} if "weather" in case.rules else {}
    state = game.begin(header, setup.track).state
    state, turns = drive(game, state, bot, alone, dice)
    car = state.cars[1]
    why = car.out.why if car.out else None
    return Ran(turns, car.pit_stops, why)


def row(case: Case, folder: Path, races: int, seed: int) -> str:
    """One line."""
    game = fetch(case.game)
    assert isinstance(game, Formula)
    edition, track = game.edition, TrackLibrary(()).load(case.board)
    setup = Setup(track, case.laps, False, case.rules, edition=edition)
    wear, boards = edition.standard_wear(case.laps, case.rules), SolvedBoards(folder)
    begun = time.process_time()
    table = boards.solved(setup, [wear], sky=case.sky)
    seconds = time.process_time() - begun
    figures = BySky(
        setup, lambda sky: boards.solved(setup, [wear], sky=sky) if case.sky.whole else table
    )
    alone = figures.exactly(case.sky)
    assert alone is not None
    pole = Car(1, "", 1, space=track.grid[0], tires=case.sky.tires, wear=wear, full=wear)
    bot = Racer(figures)
    every = [race(case, setup, bot, alone, Random(f"{seed} {at}")) for at in range(races)]
    ran = [one for one in every if one.out != "handling"]
    mean, expected = statistics.mean(one.turns for one in ran), alone.standing(pole)
    error = statistics.stdev(one.turns for one in ran) / len(ran) ** 0.5
    size = max(path.stat().st_size for path in folder.iterdir()) / 1e6
    found = (
        f"{expected:.2f}",
        len(ran),
        f"{mean:.2f} ± {error:.2f}",
        f"{(mean - expected) / error:+.1f}",
        sum(bool(one.out) for one in ran),
        races - len(ran),
        f"{statistics.mean(one.stops for one in ran):.2f}",
        f"{seconds:.0f}",
        f"{size:.1f}",
    )
    return f"| {case.name} | {' | '.join(map(str, found))} |"


def rows(races: int, seed: int, only: str) -> Iterator[str]:
    """All lines."""
    yield "| solved | expected | races | turns | errors apart | out | debris | stops | s | MB |"
    yield f"|{' --- |' * 10}"
    for case in CASES:
        if only in case.name:
            with tempfile.TemporaryDirectory() as folder:
                yield row(case, Path(folder), races, seed)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="lines with this in their name")
    given = parser.parse_args()
    for line in rows(given.races, given.seed, given.only):
        print(line, flush=True)


if __name__ == "__main__":
    main()
