"""How many lists of legal moves a second: Monaco, six cars, every gear, one process.

With `--against` another checkout lists its own moves of the same positions in turn with this
one, pass by pass, in processor time: a machine's noise then meets both alike.

Run: python benchmarks/moves.py [--seconds S] [--against CHECKOUT]
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path
from random import Random

from lister import Lister

from companion.race.boards import TrackLibrary
from companion.rules.formula import ground  # noqa: F401 -- what a race on a board is run on
from companion.rules.formula.book import GEAR_DICE, Setup
from companion.rules.formula.car import Car, Option, Status
from companion.rules.formula.ground import OnBoard
from companion.rules.formula.moves import ends_of_move
from companion.rules.formula.state import State

POSITIONS = 400


def positions(dice: Random) -> list[tuple[State, int]]:
    """Random positions of six cars near one another, as they stand in a race."""
    track = TrackLibrary().load("monaco")
    on_track = [space for space in range(len(track.ids)) if track.lane[space] >= 0]
    cases = []
    while len(cases) < POSITIONS:
        middle = track.level[dice.choice(on_track)]
        near = [s for s in on_track if (track.level[s] - middle) % track.lap_levels < 60]
        spaces = dice.sample(near, 6)
        cars = {}
        for seat, space in enumerate(spaces, 1):
            gear = dice.randint(1, 6)
            stops = dice.randint(0, 2) if track.corner[space] >= 0 else 0
            cars[seat] = Car(seat, f"Seat {seat}", seat, gear, 1, space, stops,
                             status=Status.RACING)  # fmt: skip
        debris = frozenset(dice.sample(near, dice.randint(0, 2)))
        state = State(Setup(track), OnBoard(), cars=cars, debris=debris - set(spaces))
        low, high = GEAR_DICE[cars[1].gear]
        cases.append((state, dice.randint(low, high)))
    return cases


def move_options(state: State, spaces: int) -> list[Option]:
    """The ends of a move of seat 1; the lister of any checkout asks for them by this name."""
    return ends_of_move(state, 1, spaces)


def main() -> None:
    """Print lists a second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--against", type=Path, help="another checkout to compare with")
    chosen = parser.parse_args()
    ours = Lister(Path(__file__).resolve().parents[1])
    listers = [ours] + ([Lister(chosen.against.resolve())] if chosen.against else [])
    begun = time.perf_counter()
    while time.perf_counter() - begun < chosen.seconds:
        for lister in listers:
            lister.once()
    for lister, name in zip(listers, ("here", "there"), strict=False):
        print(lister.in_words(name))
        lister.end()
    if chosen.against:
        pairs = zip(ours.rates, listers[1].rates, strict=True)
        print(f"ratio: {statistics.median(here / there for here, there in pairs):.2f}")


if __name__ == "__main__":
    main()
