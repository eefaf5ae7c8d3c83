"""How many lists of legal moves a second: Monaco, six cars, every gear, one process.

Run: python benchmarks/moves.py [seconds]
"""

from __future__ import annotations

import sys
import time
from random import Random

from companion.boards import TrackLibrary
from companion.rules.formula.moves import ends_of_move
from companion.rules.formula.state import Car, Setup, State, Status
from companion.rules.formula.tables import GEAR_DICE

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
        state = State(Setup(track), cars=cars, debris=debris - set(spaces))
        low, high = GEAR_DICE[cars[1].gear]
        cases.append((state, dice.randint(low, high)))
    return cases


def main() -> None:
    """Print lists a second."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    cases = positions(Random(1))
    listed = options = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        for state, spaces in cases:
            options += len(ends_of_move(state, 1, spaces))
            listed += 1
    took = time.perf_counter() - start
    print(f"{listed / took:,.0f} lists a second, {options / listed:.1f} options a list")


if __name__ == "__main__":
    main()
