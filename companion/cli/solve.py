"""`companion solve`: the expected turns of a car alone, and what its points are worth."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from companion.advice.solve.model import PLAIN
from companion.cli.advice import HEADER, read_race, sky_of
from companion.cli.tools import AS_JSON, DATA, answer, command, sentences
from companion.solved import CannotSolve, SolvedBoards

FORM = (
    "track",
    "laps",
    "states",
    "seconds",
    "expected_turns",
    "worth",
    "best_builds",
    "worst_build",
)
STEPS = 1000
"""Of the progress bar."""


@command("solve", HEADER, DATA, AS_JSON)
@click.argument("track", help="a board, or a .toml in the working folder")
@click.option("--laps", type=click.IntRange(1, 10), help="of the race; 2, or what the header says")
@click.option("--plain", is_flag=True, help="dry, hard tires, no stops, whatever the header says")
def solve_board(
    track: str, laps: int | None, plain: bool, header: Path | None, data: Path, as_json: bool
) -> None:
    """Solve a board for a car alone: the least expected turns from pole to the finish.

    It is dry and the tires are hard, unless the header says else (its first seat's tires, its
    weather, which may change). Pit stops are in what is solved, but not with --plain; debris and
    technical stops are not.

    The table is kept in the data folder, by the content of the board: it is worked out once.
    """
    race = read_race(track, header, laps=laps)
    sky = PLAIN if plain else sky_of(race)
    wears = [car.wear for car in race.cars.values()]
    with sentences(CannotSolve, OSError), _bar() as bar:
        table = SolvedBoards(data / "solved").solved(
            race.setup,
            wears,
            lambda share: bar.update(round(STEPS * share) - bar.pos),
            builds=True,
            sky=sky,
        )
    told = {**table.title.summary}
    told["best_builds"] = told["best_builds"] or []
    answer(as_json, {key: told[key] for key in FORM}, *_lines(told))


def _bar() -> Any:
    hidden = not sys.stderr.isatty()
    return click.progressbar(length=STEPS, label="solving", file=sys.stderr, hidden=hidden)


def _lines(told: Mapping[str, Any]) -> Iterator[str]:
    """For people: what it takes, what a point is worth, which construction."""
    laps = "1 lap" if told["laps"] == 1 else f"{told['laps']} laps"
    yield f"{told['track']}, {laps}: {told['expected_turns']:.2f} expected turns from pole"
    yield f"({told['states']:,} states in {told['seconds']:.1f} s)"
    worth = ", ".join(f"{name} {turns:.3f}" for name, turns in told["worth"].items())
    yield f"a point less at the start costs: {worth}"
    if told["best_builds"]:
        yield f"best construction:  {_build(told['best_builds'][0])}"
        yield f"worst construction: {_build(told['worst_build'])}"


def _build(build: Mapping[str, Any]) -> str:
    return f"{build['turns']:.2f}: " + ", ".join(f"{n} {p}" for n, p in build["wear"].items())
