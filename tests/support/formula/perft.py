"""Counts of legal moves on Monaco, kept in a file (what perft is to chess).

For every space of the track, the pit lane and the first box, and for every gear: how many
options a move has, summed over the faces of that gear's die, and how many of them put the car
out, spin it, or are blocked. Once on an empty board and once in traffic. The car stands in lap
1 of 2 with standard wear and no stop made.

Traffic goes with the car: five cars and three markers on spaces of the next 24 levels (about
twelve spaces of the middle lane), drawn by a random seeded with the name of the car's space.

Run: PYTHONPATH=tests python -m support.formula.perft [--write]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

from companion.race.boards import TrackLibrary
from companion.rules.board.track import Track
from companion.rules.formula.book import GEAR_DICE, Setup
from companion.rules.formula.car import Car, Status
from companion.rules.formula.ground import OnBoard
from companion.rules.formula.moves import ends_of_move
from companion.rules.formula.state import State

FILE = Path(__file__).parents[2] / "rules" / "perft" / "monaco.json"
OTHERS, MARKERS, AHEAD_LEVELS = 5, 3, 24
KINDS = ("empty", "traffic")

Counts = dict[str, str]
"""By space: six gears, each `options/out/spin/blocked`."""


def monaco() -> Track:
    """The board that is counted on."""
    return TrackLibrary(()).load("monaco")


def places(track: Track) -> list[int]:
    """Every space that seat 1 can stand on: other boxes are not its own."""
    return [s for s in range(len(track.ids)) if s not in track.boxes[1:]]


def count(track: Track, space: int, kind: str) -> str:
    """The counts of one space, gear by gear."""
    state = scene(track, space, kind)
    return " ".join(count_gear(state, gear) for gear in GEAR_DICE)


def count_gear(state: State, gear: int) -> str:
    """Options, and those that put out, spin, or are blocked, over the faces of a gear's die."""
    low, high = GEAR_DICE[gear]
    found = [option for face in range(low, high + 1) for option in ends_of_move(state, 1, face)]
    out = sum(option.out for option in found)
    spin = sum(option.spin for option in found)
    blocked = sum(option.blocked > 0 for option in found)
    return f"{len(found)}/{out}/{spin}/{blocked}"


def scene(track: Track, space: int, kind: str) -> State:
    """Seat 1 on a space, on an empty board or with traffic ahead of it."""
    in_pit = track.lane[space] < 0
    served = in_pit and (space in track.boxes or space > track.box_lane[0])
    status = Status.PIT if in_pit else Status.RACING
    cars = {1: Car(1, "Seat 1", 1, 4, 1, space, status=status, served=served)}
    debris: frozenset[int] = frozenset()
    if kind == "traffic":
        drawn = Random(track.ids[space]).sample(ahead(track, space), OTHERS + MARKERS)
        for seat, other in enumerate(drawn[:OTHERS], start=2):
            cars[seat] = Car(seat, f"Seat {seat}", seat, 4, 1, other, status=Status.RACING)
        debris = frozenset(drawn[OTHERS:])
    return State(Setup(track), OnBoard(), cars=cars, debris=debris)


def ahead(track: Track, space: int) -> list[int]:
    """The spaces of the track in the next levels, by name."""
    level = track.level[space]
    near = [
        other
        for other in range(len(track.ids))
        if track.lane[other] >= 0
        and other != space
        and (track.level[other] - level) % track.lap_levels <= AHEAD_LEVELS
    ]
    return sorted(near, key=lambda other: track.ids[other])


def count_all(track: Track) -> dict[str, Counts]:
    """Everything that the file keeps."""
    return {
        kind: {track.ids[space]: count(track, space, kind) for space in places(track)}
        for kind in KINDS
    }


def main() -> int:
    """Compare with the file, or write it; the exit status says whether they agree."""
    counted = count_all(monaco())
    if "--write" in sys.argv[1:]:
        FILE.write_text(json.dumps(counted, indent=0) + "\n", encoding="utf-8")
        return 0
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    for kind in KINDS:
        for space, counts in counted[kind].items():
            if kept[kind].get(space) != counts:
                print(f"{kind} {space}: kept {kept[kind].get(space)}, counted {counts}")
    return int(kept != counted)


if __name__ == "__main__":
    sys.exit(main())
