"""How strong the bots are: each level against the one below, until a sequential test has decided.

Races come in pairs: six cars, three of each level on every other seat, then the same race (same
grid, dice of the same seed) with the seats turned. A pair is won by the level whose cars have the
better places in all. Wald's sequential test asks whether the upper level wins 0.6 of the pairs that
are not drawn, or 0.5, with both errors at 0.05.

Run: python tools/ladder.py [--pairs N] [--seed S] [--track T]
"""

from __future__ import annotations

import argparse
import math
import statistics
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from companion.advice.bots.levels import LEVELS
from companion.study.simulation import Study, simulate

EVEN, BETTER, ERROR = 0.5, 0.6, 0.05
SEATS = 6


def llr(wins: int, losses: int) -> float:
    """The logarithm of the likelihood of BETTER against EVEN.

    >>> llr(0, 0)
    0.0
    >>> llr(20, 1) > bound() > llr(8, 6)
    True
    """
    return wins * math.log(BETTER / EVEN) + losses * math.log((1 - BETTER) / (1 - EVEN))


def bound() -> float:
    """Beyond this, on either side, the test has decided."""
    return math.log((1 - ERROR) / ERROR)


def gaps(upper: str, lower: str, folder: Path, track: str, seed: int, most: int) -> Iterator[float]:
    """Pair by pair: by how many places the upper level was better, a car."""
    turned = [
        Study("formula-d", track, None, (), (first, second) * (SEATS // 2), seed, folder)
        for first, second in ((upper, lower), (lower, upper))
    ]
    turned[0].prepare(lambda share: None)
    races = [(row for rows in simulate(study, most) for row in rows) for study in turned]
    while True:
        places: dict[str, list[int]] = {upper: [], lower: []}
        for rows in races:
            for row in (next(rows, None) for _ in range(SEATS)):
                if row is None:
                    return
                places[row.level].append(row.place)
        yield statistics.mean(places[lower]) - statistics.mean(places[upper])


def compare(upper: str, lower: str, folder: Path, track: str, seed: int, most: int) -> str:
    """A row of the table: who, pairs, gap of places with its error, the verdict."""
    found: list[float] = []
    wins = losses = 0
    for gap in gaps(upper, lower, folder, track, seed, most):
        found.append(gap)
        wins, losses = wins + (gap > 0), losses + (gap < 0)
        if abs(llr(wins, losses)) > bound() and len(found) >= 20:
            break
    error = statistics.stdev(found) / len(found) ** 0.5
    likely = llr(wins, losses)
    verdict = "stronger" if likely > bound() else "not stronger" if likely < -bound() else "open"
    gap = f"{statistics.mean(found):.2f} ± {error:.2f}"
    row = (upper, lower, str(len(found)), f"{wins} : {losses}", gap, verdict)
    return f"| {' | '.join(row)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=200, help="at most so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--track", default="monaco")
    chosen = parser.parse_args()
    print("| level | against | pairs | won : lost | places better | verdict |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for lower, upper in pairwise(LEVELS):
            row = compare(upper, lower, Path(folder), chosen.track, chosen.seed, chosen.pairs)
            print(row, flush=True)


if __name__ == "__main__":
    main()
