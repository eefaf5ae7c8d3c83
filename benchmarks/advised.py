"""What advice takes of a table's memory: the odds of all seats asked for through whole races.

Prints the memory of the process by itself (private, in MB) before the first question, and after
each race; the solved board is mapped, so its pages are the system's and are told apart.

Run: python benchmarks/advised.py [--races N]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from random import Random

from companion.advice.bots.by_room import Amateur, answer, throw
from companion.race.boards import TrackLibrary
from companion.rules.formula.game import FormulaD
from companion.rules.lines import Answer
from companion.study.solved import Adviser, SolvedBoards

SEATS = range(1, 7)


def memory_mb() -> tuple[float, float]:
    """Private memory of this process, and pages of files that it has mapped."""
    told = {}
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]:
        name, size, _ = line.split()
        told[name] = int(size) / 1000
    return told["Private_Dirty:"], told["Rss:"] - told["Private_Dirty:"]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=5)
    given = parser.parse_args()
    game, track = FormulaD(), TrackLibrary(()).load("monaco")
    header = {"game": "formula-d", "seats": [{"seat": seat} for seat in SEATS], "grid": [*SEATS]}
    begun = game.begin(header, track).state
    with tempfile.TemporaryDirectory() as folder:
        boards = SolvedBoards(Path(folder))
        boards.solved(begun.setup, [car.full for car in begun.cars.values()])
        adviser, bot, asked = Adviser(boards), Amateur(), 0
        print(f"before: {memory_mb()[0]:.1f} MB, files {memory_mb()[1]:.1f} MB")
        for race in range(given.races):
            state, dice = begun, Random(race)
            while asks := game.asks(state):
                for seat in SEATS if asks[0].kind == "gear" else ():
                    asked += bool(adviser.odds(state, seat))
                value: object = throw(asks[0], dice)
                if value is None:
                    value = answer(bot, state, asks[0])
                state = game.decide(state, Answer(asks[0].seat, asks[0].kind, value), asks).state
            own, files = memory_mb()
            print(f"race {race + 1}, {asked} odds: {own:.1f} MB, files {files:.1f} MB", flush=True)


if __name__ == "__main__":
    main()
