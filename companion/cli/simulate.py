"""`companion simulate`: races of bots by the thousand, by the real rules."""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from companion.advice.bots.levels import LEVELS, USUAL
from companion.advice.tally import Ran, by_level, tell
from companion.cli.tools import AS_JSON, DATA, PATH, Failure, command, print_table, sentences
from companion.cli.tools import answer as print_answer
from companion.rules.formula.game import Formula
from companion.rules.games import NAMES, fetch
from companion.simulation import Study, simulate
from companion.solved import CannotSolve

MOST = 1_000_000


@command("simulate", DATA, AS_JSON)
@click.option("--game", type=click.Choice(NAMES), default="formula-d", help="what is raced")
@click.option("--track", default="monaco", help="a board, or a .toml in the working folder")
@click.option("--seats", type=click.IntRange(1, 20), default=6, help="how many cars")
@click.option("--laps", type=click.IntRange(1, 10), help="left out, as the game has it")
@click.option("--races", type=click.IntRange(1, MOST), default=100, help="how many")
@click.option("--seed", type=int, default=1, help="the same seed gives the same races")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, help="how many processes play")
@click.option("--cluster", help="play on the Dask cluster of this scheduler: tcp://host:8786")
@click.option("--rules", default="", help="optional rules, with commas between them")
@click.option(
    "--bots",
    default=USUAL,
    help=f"levels of the seats, the last one for the rest: {', '.join(LEVELS)}",
)
@click.option("--csv", "csv_file", type=PATH, help="write a line a car and race into this file")
def simulate_races(
    game: str,
    track: str,
    seats: int,
    laps: int | None,
    races: int,
    seed: int,
    jobs: int,
    cluster: str | None,
    rules: str,
    bots: str,
    csv_file: Path | None,
    data: Path,
    as_json: bool,
) -> None:
    """Play races of bots by the real rules, and count what comes of them.

    The grid is drawn for each race. Levels that play a solved board solve it first.
    """
    study = Study(game, track, laps, _words(rules), _levels(bots, seats), seed, data / "solved")
    with sentences(CannotSolve, OSError):
        study.prepare(lambda share: None)
    begun, rows = time.perf_counter(), list[Ran]()
    with _bar(races) as bar, sentences(OSError):
        for some in _played(study, races, jobs, cluster):
            rows += some
            bar.update(len(some) // seats)
    seconds = time.perf_counter() - begun
    if csv_file is not None:
        _write(csv_file, rows)
    rules_of = fetch(game)
    assert isinstance(rules_of, Formula)
    told = tell(rows, seats, rules_of.edition.categories)
    told |= {"seconds": round(seconds, 3), "per_second": round(races / seconds, 2)}
    told["levels"] = {name: asdict(level) for name, level in by_level(rows).items()}
    if as_json:
        print_answer(True, told)
        return
    _show(told, rows)


def _played(study: Study, races: int, jobs: int, cluster: str | None) -> Iterator[Sequence[Ran]]:
    """The races, played here or elsewhere."""
    if cluster is None:
        return simulate(study, races, jobs)
    if jobs > 1:
        raise Failure("--jobs is for this machine and --cluster for others: name one of them")
    try:
        from companion.simulation_cluster import simulate_on
    except ModuleNotFoundError as error:
        message = f"a cluster needs {error.name}: pip install 'race-companion[cluster]'"
        raise Failure(message) from error
    return simulate_on(cluster, study, races)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _levels(bots: str, seats: int) -> tuple[str, ...]:
    """A level a seat; the last one named is that of all the rest."""
    named = _words(bots) or (USUAL,)
    if len(named) > seats:
        raise Failure(f"there are {seats} seats, and {len(named)} levels in --bots")
    return (*named, *[named[-1]] * (seats - len(named)))


def _bar(races: int) -> Any:
    hidden = not sys.stderr.isatty()
    return click.progressbar(length=races, label="racing", file=sys.stderr, hidden=hidden)


def _write(path: Path, rows: Sequence[Ran]) -> None:
    with sentences(OSError), path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(Ran._fields)
        writer.writerows([*row[:-1], " ".join(map(str, row.used))] for row in rows)


def _show(told: dict[str, Any], rows: Sequence[Ran]) -> None:
    """For people: who wins from where, which level does how, what puts cars out."""
    races, wins = told["races"], told["wins_by_grid"]
    title = f"{races} races, {told['per_second']} a second"
    print_table(
        title,
        ("grid#", "wins#", "share#"),
        ([str(at), str(n), f"{n / races:.0%}"] for at, n in _from_one(wins)),
    )
    heads = ("level", "cars#", "wins#", "place on average#", "out#")
    levels = by_level(rows).items()
    print_table(
        "levels",
        heads,
        ([n, str(x.cars), str(x.wins), f"{x.mean_place:.2f}", str(x.out)] for n, x in levels),
    )
    causes = ", ".join(f"{why} {count}" for why, count in told["out_by_cause"].items())
    used = ", ".join(f"{name} {points:.2f}" for name, points in told["wear_used"].items())
    print_answer(False, None, f"out: {causes or 'nobody'}", f"wear points a car used: {used}")


def _from_one(things: Sequence[int]) -> Iterator[tuple[int, int]]:
    return enumerate(things, 1)
