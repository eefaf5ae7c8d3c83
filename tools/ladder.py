"""How strong the bots are, in wins: each rung against the one below, and their ratings in mixes.

Three cars of each of two neighbours race, the grid drawn for each race. Two of Wald's sequential
tests ask whether the lower one wins 0.30 to 0.40 of the races: one decides between 0.325 and 0.275,
the other between 0.375 and 0.425, each error at 0.05, so that they tip over at 0.30 and at 0.40. In
a mix three rungs that follow each other race, two cars of each (of six drawn from all ten the lower
ones win next to nothing); what each has won there is the rating that it would have, were those of
the others right.

Run: python tools/ladder.py [--races N] [--mixes N] [--seed S] [--track T] [--only RUNG]
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from companion.advice.bots.levels import LEVELS
from race_companion_simulate.formula import Ran, Study
from race_companion_simulate.races import simulate

EDGES, ERROR = ((0.325, 0.275), (0.375, 0.425)), 0.05
"""Shares of wins just within the range and just without, below and above."""
SEATS = 6
SCALE = 400 / math.log(10)


def llr(wins: int, losses: int, within: float, without: float) -> float:
    """The logarithm of the likelihood of one share against another.

    >>> llr(0, 0, 0.375, 0.425)
    0.0
    >>> llr(35, 65, 0.375, 0.425) > 0 > llr(45, 55, 0.375, 0.425)
    True
    """
    return wins * math.log(within / without) + losses * math.log((1 - within) / (1 - without))


def bound() -> float:
    """Beyond this, on either side, the test has decided."""
    return math.log((1 - ERROR) / ERROR)


def raced(
    levels: Sequence[str], folder: Path, track: str, seed: int, races: int, laps: int | None = None
) -> Iterator[Ran]:
    """What became of each car in races by the real rules; the grid is drawn."""
    study = Study("formula-d", track, laps, (), tuple(levels), seed, folder)
    study.prepare(lambda share: None)
    for rows in simulate(study, races):
        yield from rows


def winners(*races: Any) -> Iterator[str]:
    """The level that wins each race of `raced`."""
    return (row.level for row in raced(*races) if row.place == 1)


def compare(upper: str, lower: str, folder: Path, track: str, seed: int, most: int) -> str:
    """A row of the table: who, races, the share that the lower one won, the verdict."""
    wins = races = 0
    verdict = "open"
    for level in winners((upper, lower) * (SEATS // 2), folder, track, seed, most):
        races, wins = races + 1, wins + (level == lower)
        found = [llr(wins, races - wins, *edge) for edge in EDGES]
        if min(found) > bound():
            verdict = "a rung"
        elif found[0] < -bound():
            verdict = "too far"
        elif found[1] < -bound():
            verdict = "too near"
        if verdict != "open":
            break
    share = wins / races
    error = math.sqrt(share * (1 - share) / races)
    told = (upper, lower, str(races), f"{share:.1%} ± {error:.1%}", verdict)
    return f"| {' | '.join(told)} |"


def mixes(folder: Path, track: str, seed: int, races: int) -> Iterator[tuple[tuple[str, ...], str]]:
    """Three rungs, two cars of each, the lowest first and so on, and who of them won."""
    names = list(LEVELS)
    for race in range(races):
        at = race % (len(names) - 2)
        levels = tuple(names[at : at + 3] * 2)
        yield levels, next(winners(levels, folder, track, seed + race, 1))


def performed(level: str, seen: Sequence[tuple[tuple[str, ...], str]]) -> tuple[float, float]:
    """The rating at which a level would have won what it has, and its standard error."""
    rows = [
        (
            sum(math.exp(LEVELS[one].rating / SCALE) for one in levels if one != level)
            / levels.count(level),
            won == level,
        )
        for levels, won in seen
        if level in levels
    ]
    low, high = 0.0, 3000.0
    while high - low > 1:
        rating = (low + high) / 2
        own = math.exp(rating / SCALE)
        shares = [own / (own + others) for others, _ in rows]
        low, high = (low, rating) if sum(shares) > sum(won for _, won in rows) else (rating, high)
    return rating, SCALE / math.sqrt(max(1e-9, sum(share * (1 - share) for share in shares)))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=500, help="of two neighbours, at most so many")
    parser.add_argument("--mixes", type=int, default=500, help="races of mixes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--track", default="monaco")
    parser.add_argument("--only", default="", help="neighbours with this in their name")
    chosen = parser.parse_args()
    print("| level | against | races | won by the lower | verdict |")
    print("| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        where, track, seed = Path(folder), chosen.track, chosen.seed
        for lower, upper in pairwise(LEVELS):
            if chosen.only in (lower, upper, ""):
                print(compare(upper, lower, where, track, seed, chosen.races), flush=True)
        seen = list(mixes(where, track, seed, chosen.mixes))
    raced = Counter(level for levels, _ in seen for level in set(levels))
    print("\n| level | rating | in mixes | races |\n| --- | --- | --- | --- |")
    for level in raced and LEVELS:
        rating, error = performed(level, seen)
        print(f"| {level} | {LEVELS[level].rating} | {rating:.0f} ± {error:.0f} | {raced[level]} |")


if __name__ == "__main__":
    main()
