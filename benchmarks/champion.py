"""What a champion's move costs: the gears chosen in a race of six champions, chosen again.

Prints how many there are, and the mean and the worst of their times. For instructions run it under
`valgrind --tool=cachegrind --cache-sim=no` on a board that is solved already (`--solved`), with
`--again 0` and with `--again N`: the difference is N times all of them, or with `--only NUMBER`
N times that one.

Run: python benchmarks/champion.py [--again N] [--only NUMBER] [--solved FOLDER]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from random import Random

from companion.advice.alone import Alone
from companion.advice.bots.by_room import answer, throw
from companion.advice.bots.solved import Champion
from companion.race.boards import TrackLibrary
from companion.rules.formula.asks import GearAsk
from companion.rules.formula.book import START_WEAR, Setup
from companion.rules.formula.game import FormulaD
from companion.rules.formula.state import State
from companion.rules.lines import Answer
from companion.study.solved import SolvedBoards

SEATS = range(1, 7)


def moments(champion: Champion, setup: Setup) -> list[tuple[State, GearAsk]]:
    """Every gear that is asked for in a race."""
    game, dice, found = FormulaD(), Random("champion"), []
    header = {"game": "formula-d", "laps": setup.laps, "seats": [{"seat": n} for n in SEATS]}
    state = game.begin(header, setup.track).state
    while asks := game.asks(state):
        ask = asks[0]
        if isinstance(ask, GearAsk):
            found.append((state, ask))
        value: object = throw(ask, dice)
        if value is None:
            value = answer(champion, state, ask)
        state = game.decide(state, Answer(ask.seat, ask.kind, value), asks).state
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--solved", type=Path)
    given = parser.parse_args()
    setup = Setup(TrackLibrary(()).load("monaco"), 2, start_rolls=False)
    with tempfile.TemporaryDirectory() as folder:
        table = SolvedBoards(given.solved or Path(folder)).solved(setup, [START_WEAR])
        asked = moments(Champion(Alone(table, setup)), setup)
        if given.only is not None:
            asked = [asked[given.only]]
        took = []
        for _ in range(given.again):
            fresh = Champion(Alone(table, setup))  # knows nothing from before
            for at, (state, ask) in enumerate(asked):
                begun = time.process_time()
                fresh.gear(state, ask.seat, ask.choices)
                took.append((time.process_time() - begun, at))
    if took:
        mean, (worst, at) = sum(time for time, _ in took) / len(took), max(took)
        print(
            f"{len(asked)} gears, {mean * 1e3:.2f} ms on average, {worst * 1e3:.2f} ms number {at}"
        )


if __name__ == "__main__":
    main()
