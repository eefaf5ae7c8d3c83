"""`companion simulate`: races of bots by the thousand, by the real rules."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from companion.advice.bots.levels import USUAL, level_name, levels_of
from companion.cli import tools
from companion.rules.games import BOARDLESS, NAMES, name_in, room_of
from companion.rules.packs import part
from companion.study.solved import CannotSolve
from companion.system.host import how_to_install
from race_companion_simulate.formula import Study
from race_companion_simulate.races import Row, Simulated, simulate, simulate_on

MOST = 1_000_000
Now = Callable[[], float]


@tools.command("simulate", tools.DATA, tools.AS_JSON)
@click.option(
    "--header", type=tools.PATH, help="a file with the header of the races, instead of these"
)
@click.option("--game", type=click.Choice(NAMES), default="formula-d", help="what is raced")
@click.option("--track", help="a board, or a .toml in the working folder; left out, monaco")
@click.option("--seats", type=click.IntRange(1, 20), default=6, help="how many cars, or players")
@click.option("--laps", type=click.IntRange(1, 10), help="left out, as the game has it")
@click.option("--races", type=click.IntRange(1, MOST), default=100, help="how many")
@click.option("--seed", type=int, default=1, help="the same seed gives the same races")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, help="how many processes play")
@click.option("--cluster", help="play on the Dask cluster of this scheduler: tcp://host:8786")
@click.option("--rules", default="", help="optional rules, with commas between them")
@click.option(
    "--bots",
    default="",
    help="levels of the seats, by name or rating, the last one for the rest; "
    + "; ".join(
        f"{game}: {', '.join(levels)}"
        for game, levels in ((name, levels_of(name)) for name in NAMES)
    ),
)
@click.option(
    "--csv", "csv_file", type=tools.PATH, help="write a line a seat and race into this file"
)
def simulate_races(
    header: Path | None,
    game: str,
    track: str | None,
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

    The grid is drawn for each race, where a header has none. Levels that play a solved board solve
    it first. A game without a board is played on a road of its own.
    """
    solved = data / "solved"
    if header is not None:
        study: Study | Any = _by_header(header, bots, seed, solved)
    else:
        levels, chosen = _levels(game, bots, seats), _words(rules)
        if game in BOARDLESS:
            if track is not None or laps is not None:
                message = f"{game} is simulated on a road of its own: leave out --track and --laps"
                raise tools.Failure(message)
            study = _game_study(game)(chosen, levels, seed)
        else:
            study = Study(game, track or "monaco", laps, chosen, levels, seed, solved)
    seats = len(study.levels)
    with tools.sentences(CannotSolve, OSError):
        study.prepare()
    begun, rows = time.perf_counter(), list[Any]()
    with tools.sentences(OSError):
        for some in _told(_played(study, races, jobs, cluster), races, seats):
            rows += some
    seconds = time.perf_counter() - begun
    if csv_file is not None:
        _write(csv_file, rows)
    figures = study.tell(rows)
    figures |= {"seconds": round(seconds, 3), "per_second": round(races / seconds, 2)}
    if as_json:
        tools.answer(True, figures)
    elif isinstance(study, Study):
        _show_cars(figures)
    else:
        _show_players(figures)


def _played(
    study: Simulated[Row], races: int, jobs: int, cluster: str | None
) -> Iterator[Sequence[Row]]:
    """The races, played here or elsewhere."""
    if cluster is None:
        return simulate(study, races, jobs)
    if jobs > 1:
        raise tools.Failure("--jobs is for this machine and --cluster for others: name one of them")
    try:
        return simulate_on(cluster, study, races)
    except ModuleNotFoundError as error:
        message = f"a cluster needs {error.name}: {how_to_install('cluster')}"
        raise tools.Failure(message) from error


def _by_header(path: Path, bots: str, seed: int, solved: Path) -> Study:
    """The study of the races that a header describes: its bots drive, else those named.

    Raises:
        Failure: it cannot be read, or is for a game without a board.
    """
    data: Any = tools.parse_json(tools.read(path), f"{path} is no JSON")
    if not isinstance(data, dict) or not isinstance(data.get("seats"), list):
        raise tools.Failure(f"{path} is no header: a JSON object with seats is wanted")
    rest, beside = part(data)
    game, track = name_in(data), data.get("track")
    if game in BOARDLESS or not isinstance(track, str):
        raise tools.Failure("a header is for a game on a board, which it names")
    levels = _levels(game, bots, len(data["seats"]))
    if beside.bots and not bots:
        driven = sorted(seat["seat"] for seat in data["seats"])
        levels = tuple(level_name(beside.bots.get(seat, USUAL), game) for seat in driven)
    return Study(game, track, None, (), levels, seed, solved, json.dumps(rest))


def _game_study(game: str) -> Any:
    """What simulates a game that needs no board, of its optional rules, levels and a seed."""
    return import_module(f"race_companion_simulate.{room_of(game)}").GameStudy


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _levels(game: str, bots: str, seats: int) -> tuple[str, ...]:
    """A level a seat; the last one named is that of all the rest, the usual one if none is.

    Raises:
        Failure: more are named than there are seats.
        Malformed: there is no such level.
    """
    usual = USUAL if USUAL in levels_of(game) else list(levels_of(game))[-1]
    named = [level_name(word, game) for word in _words(bots)] or [usual]
    if len(named) > seats:
        raise tools.Failure(f"there are {seats} seats, and {len(named)} levels in --bots")
    return (*named, *[named[-1]] * (seats - len(named)))


TELL_S = 1.0


def _told(
    played: Iterator[Sequence[Row]], races: int, seats: int, now: Now = time.monotonic
) -> Iterator[Sequence[Row]]:
    """The same rows; how far they are is told on stderr, a line a second."""
    begun = told = now()
    done = 0
    for some in played:
        yield some
        done += len(some) // seats
        at = now()
        if at - told >= TELL_S and done < races:
            told, pace = at, done / (at - begun)
            left = (races - done) / pace
            click.echo(f"{done} of {races} races, {pace:.1f} a second, {left:.0f} s left", err=True)


def _write(path: Path, rows: Sequence[Any]) -> None:
    with tools.sentences(OSError), path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(rows[0]._fields)
        writer.writerows([_cell(value) for value in row] for row in rows)


def _cell(value: object) -> object:
    return " ".join(map(str, value)) if isinstance(value, tuple) else value


def _show_cars(figures: Mapping[str, Any]) -> None:
    """For people: who wins from where, which level does how, what puts cars out."""
    _show_wins(figures, "grid")
    heads = ("level", "cars#", "wins#", "place on average#", "out#")
    _show_levels(figures, heads, lambda of: f"{of['out']}")
    causes = ", ".join(f"{why} {count}" for why, count in figures["out_by_cause"].items())
    used = ", ".join(f"{name} {points:.2f}" for name, points in figures["wear_used"].items())
    tools.answer(False, None, f"out: {causes or 'nobody'}", f"wear points a car used: {used}")


def _show_players(figures: Mapping[str, Any]) -> None:
    """For people: who wins, which level does how, where the money comes from."""
    _show_wins(figures, "seat")
    heads = ("level", "seats#", "wins#", "place on average#", "M$ on average#")
    _show_levels(figures, heads, lambda of: f"{of['mean_total']:.2f}")
    money = ", ".join(f"{name} {millions:.2f}" for name, millions in figures["money"].items())
    tools.answer(False, None, f"M$ a seat: {money}")


def _show_wins(figures: Mapping[str, Any], by: str) -> None:
    races = figures["races"]
    title = f"{races} races, {figures['per_second']} a second"
    counts = enumerate(figures[f"wins_by_{by}"], 1)
    wins = [[str(at), str(n), f"{n / races:.0%}"] for at, n in counts]
    tools.print_table(title, (f"{by}#", "wins#", "share#"), wins)


def _show_levels(
    figures: Mapping[str, Any], heads: Sequence[str], last: Callable[[Mapping[str, Any]], str]
) -> None:
    lines = []
    for name, of in figures["levels"].items():
        count = of[heads[1].rstrip("#")]
        lines.append([name, str(count), str(of["wins"]), f"{of['mean_place']:.2f}", last(of)])
    tools.print_table("levels", heads, lines)


def open_command() -> click.Command:
    """`companion simulate`, for its entry point."""
    return simulate_races
