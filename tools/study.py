"""The study of docs/study.md: boards solved and races simulated, told with plots.

What is measured: how often each place of the grid wins Monaco between equals, what a point of wear
is worth on each board and which construction is best there, and how often the better driver of six
wins a season of ten races. Every figure of the document comes out of this program.

Run: python tools/study.py [--races N] [--seed S]
"""

from __future__ import annotations

import argparse
import math
import statistics
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import driven
from ladder import raced
from matplotlib import rc_context
from matplotlib.figure import Figure

from companion.advice.alone import Alone
from companion.advice.bots.solved import Racer
from companion.advice.solve.model import PLAIN, USUAL
from companion.race.boards import TrackLibrary
from companion.rules.formula.book import START_WEAR, Setup
from companion.rules.formula.car import Option, Status
from companion.rules.formula.state import State
from companion.rules.lines import Malformed
from companion.study.solved import SolvedBoards, check_solvable
from race_companion_simulate.formula import Ran

DOCS = Path(__file__).parents[1] / "docs"
SEATS, LAPS, A_SEASON = 6, 2, 10
POINTS = (10, 8, 6, 5, 4, 3)
"""FD-TEAM-1, for six cars; a car that is out has none."""
ALONE = 200
"""Races of a car alone on each board."""
COUNTED = ("tires", "brakes", "gearbox", "engine")
COLORS = ("#ba230b", "#4068a0", "#ffdb35", "#30b082")
SVG: Any = {"svg.hashsalt": "companion", "svg.fonttype": "none"}


def interval(wins: int, races: int) -> tuple[float, float]:
    """A share with 95 % confidence (Wilson).

    >>> [round(end, 3) for end in interval(50, 100)]
    [0.404, 0.596]
    """
    z, share = 1.96, wins / races
    middle = share + z * z / (2 * races)
    spread = z * math.sqrt(share * (1 - share) / races + z * z / (4 * races * races))
    below = 1 + z * z / races
    return (middle - spread) / below, (middle + spread) / below


def boards(folder: Path) -> dict[str, Mapping[str, Any]]:
    """What solving each board tells that is known space by space, plain, two laps."""
    library, solved, found = TrackLibrary(()), SolvedBoards(folder), {}
    for name in library.names():
        setup = Setup(library.load(name), LAPS, start_rolls=False)
        try:
            check_solvable(setup)
        except Malformed:
            continue
        found[library.title(name)] = solved.solved(
            setup, [START_WEAR], builds=True, sky=PLAIN
        ).title.summary
    return found


def season_winners(rows: Sequence[Ran]) -> Counter[int]:
    """By seat: the seasons of ten races that it won alone; ties count for nobody."""
    winners: Counter[int] = Counter()
    races = max(row.race for row in rows) + 1
    for first in range(0, races - A_SEASON + 1, A_SEASON):
        total: Counter[int] = Counter()
        for row in rows:
            if first <= row.race < first + A_SEASON and row.out is None:
                total[row.seat] += POINTS[row.place - 1]
        (best, most), (_, second) = total.most_common(2)
        winners[best] += most > second
    return winners


def plot(name: str, title: str, draw: Any, size: tuple[float, float] = (8, 3.6)) -> str:
    """Save a plot; the line of the document that shows it."""
    (DOCS / "study").mkdir(exist_ok=True)
    with rc_context(SVG):
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.add_subplot())
        meta = {"Date": None, "Creator": None}
        figure.savefig(DOCS / "study" / f"{name}.svg", metadata=meta)
    return f"![{title}](study/{name}.svg)"


def of_the_grid(rows: Sequence[Ran]) -> list[str]:
    """Does pole win?"""
    races = len(rows) // SEATS
    wins = [sum(row.grid == at and row.place == 1 for row in rows) for at in range(1, SEATS + 1)]
    ends = [interval(n, races) for n in wins]

    def draw(axes: Any) -> None:
        shares = [n / races for n in wins]
        errors = [[s - low for s, (low, _) in zip(shares, ends, strict=True)],
                  [high - s for s, (_, high) in zip(shares, ends, strict=True)]]  # fmt: skip
        axes.bar(range(1, SEATS + 1), shares, yerr=errors, color=COLORS[1], ecolor="#15151b")
        axes.axhline(1 / SEATS, color="#5d636d", linestyle=":")
        axes.set_xlabel("place on the grid")
        axes.set_ylabel("share of wins")

    low, high = ends[0]
    return [
        "## Does pole win Monaco?", "",
        f"{races} races of six racers, two laps, the grid drawn. Pole wins {wins[0] / races:.1%}"
        f" (95 %: {low:.1%} to {high:.1%}); one in six would be {1 / SEATS:.1%}.", "",
        plot("grid", "Share of wins by place on the grid", draw), "",
        "| grid | wins | share | 95 % |", "| --- | --- | --- | --- |",
        *(
            f"| {at} | {n} | {n / races:.1%} | {low:.1%} – {high:.1%} |"
            for at, (n, (low, high)) in enumerate(zip(wins, ends, strict=True), 1)
        ),
        "",
    ]  # fmt: skip


def of_wear(found: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What is a point worth, and which construction?"""
    names = sorted(found, key=lambda name: found[name]["expected_turns"])

    def draw(axes: Any) -> None:
        left = [0.0] * len(names)
        for color, kind in zip(COLORS, COUNTED, strict=True):
            widths = [found[name]["worth"][kind] for name in names]
            axes.barh(names, widths, left=left, color=color, label=kind)
            left = [a + b for a, b in zip(left, widths, strict=True)]
        axes.set_xlabel("turns that a point less costs")
        axes.legend(frameon=False)

    rows = []
    for name in names:
        one, worth = found[name], found[name]["worth"]
        best = one["best_builds"][0]
        built = " ".join(str(points) for points in best["wear"].values())
        told = " | ".join(f"{worth[kind]:.3f}" for kind in COUNTED)
        rows.append(
            f"| {name} | {one['expected_turns']:.2f} | {told} | {built} | {best['turns']:.2f} |"
        )
    order = ", ".join(next(iter(found.values()))["best_builds"][0]["wear"])
    return [
        "## What is a wear point worth, and which construction?", "",
        "The plain model of `companion solve --plain` (alone, dry, hard tires, two laps), every"
        " board that is known space by space. `worth` is what one point less at the start costs,"
        f" in turns; the construction of 20 points is told as {order}.", "",
        plot("wear", "What a wear point is worth on each board", draw, (8, 5)), "",
        "| board | expected turns | tires | brakes | gearbox | engine | best construction | its turns |",  # noqa: E501
        "| --- | --- | --- | --- | --- | --- | --- | --- |", *rows, "",
    ]  # fmt: skip


class Stopping(Racer):
    """A racer that stops at the end of the first lap, wanted or not."""

    def end(self, state: State, seat: int, ends: Sequence[Option]) -> Option:
        """An end in the pit wherever there is one."""
        car, lane = state.cars[seat], state.setup.track.lane
        in_pit = [end for end in ends if lane[end.to] < 0 and car.status is not Status.PIT]
        return super().end(state, seat, in_pit or ends)


def ran_alone(setup: Setup, alone: Alone, level: type[Racer] = Racer) -> list[driven.Ran]:
    """Races of a car alone on a board, the same dice for every level."""
    case, bot = driven.Case("", setup.laps), level(alone)
    return [driven.race(case, setup, bot, alone, Random(f"alone {at}")) for at in range(ALONE)]


def apart(some: Sequence[driven.Ran], others: Sequence[driven.Ran]) -> str:
    """The turns that some races took more than others with the same dice, with the error."""
    found = [mine.turns - theirs.turns for mine, theirs in zip(some, others, strict=True)]
    return f"{statistics.mean(found):+.2f} ± {statistics.stdev(found) / len(found) ** 0.5:.2f}"


def of_stops(folder: Path) -> list[str]:
    """What does a pit stop cost?"""
    library, boards, rows = TrackLibrary(()), SolvedBoards(folder), []
    for name in library.names():
        setup = Setup(library.load(name), LAPS, start_rolls=False)
        if not setup.track.boxes or not setup.track.exact:
            continue
        plain, whole = (boards.solved(setup, [START_WEAR], sky=sky) for sky in (PLAIN, USUAL))
        alone, without = Alone(whole, setup), Alone(plain, setup)
        free, always = ran_alone(setup, alone), ran_alone(setup, alone, Stopping)
        never, stops = ran_alone(setup, without), statistics.mean(one.stops for one in free)
        told = (f"{one.title.summary['expected_turns']:.2f}" for one in (plain, whole))
        costs = (apart(free, never), apart(always, never))
        rows.append(f"| {' | '.join((setup.track.name, *told, f'{stops:.0%}', *costs))} |")
    return [
        "## What does a pit stop cost?", "",
        "A car alone, two laps, standard wear, no optional rules: the expected turns without a pit"
        " and with one, as solved; then the real rules driven by the solved board"
        f" ({ALONE} races, the same seeds): how often it stops, and the turns that it takes more"
        " than a car that never does, once stopping where it pays, once stopping always: what a"
        " stop costs on the mean, its new tires taken off.", "",
        "| board | without a pit | with one | stops | as it pays | always |",
        "| --- | --- | --- | --- | --- | --- |", *rows, "",
    ]  # fmt: skip


def of_seasons(rows: Sequence[Ran]) -> list[str]:
    """How often does the better driver win a season?"""
    races = len(rows) // SEATS
    seasons, winners = races // A_SEASON, season_winners(rows)
    alone = sum(row.seat == 1 and row.place == 1 for row in rows)
    low, high = interval(winners[1], seasons)
    one = interval(alone, races)
    return [
        "## How often does the best driver of six win a season of ten?", "",
        f"A champion against five racers on Monaco, {seasons} seasons of {A_SEASON} races, points"
        f" {' '.join(map(str, POINTS))}, nothing for a car that is out. The champion wins a race in"
        f" {alone / races:.1%} (95 %: {one[0]:.1%} to {one[1]:.1%}) and a season, alone in front,"
        f" in {winners[1] / seasons:.1%} ({low:.1%} to {high:.1%}). Between"
        f" equals both would be one in six, {1 / SEATS:.1%}.", "",
    ]  # fmt: skip


def main() -> None:
    """Make the document and its plots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        solved, half = Path(folder), given.races // 2 // A_SEASON * A_SEASON

        def races(levels: Sequence[str], count: int) -> list[Ran]:
            return list(raced(levels, solved, "monaco", given.seed, count, LAPS))

        text = [
            "# A study: what the boards and the dice decide", "",
            f"Made by `make study` (seed {given.seed}); every figure comes out of it. Bots by the"
            " real rules, standard cars ([advice.md](advice.md) says what each level does); racers"
            " and champions stop in the pit where it pays.", "",
            *of_the_grid(races(["racer"] * SEATS, given.races)),
            *of_wear(boards(solved)),
            *of_stops(solved),
            *of_seasons(races(["champion"] + ["racer"] * 5, half)),
        ]  # fmt: skip
    (DOCS / "study.md").write_text("\n".join(text).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
