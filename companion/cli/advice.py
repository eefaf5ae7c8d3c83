"""`companion odds|solve|review`: what may come of a gear, what a board is worth, and what
luck, choices and traffic did in a race.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

from companion.advice.alone import moves_as_solved
from companion.advice.odds import Odds, odds
from companion.advice.review import Course, as_answer
from companion.advice.solve.model import PLAIN, Sky
from companion.cli import tools
from companion.race import record as records
from companion.race.boards import TrackLibrary
from companion.rules.formula.book import CHANGEABLE, TOP_GEAR, Edition
from companion.rules.formula.game import Formula
from companion.rules.formula.gears import gears_on_offer
from companion.rules.formula.header import Header, read_header
from companion.rules.formula.state import State
from companion.rules.games import fetch, name_in
from companion.rules.lines import Malformed
from companion.rules.packs import Beside, part, refuse_without
from companion.study.reviews import review_record
from companion.study.solved import Adviser, CannotSolve, SolvedBoards, check_solvable

HEADER = click.Option(
    ["--header"], type=tools.PATH, help="a file with the header of the race, as the engine takes it"
)


class Asked(NamedTuple):
    """The race that a command is asked about."""

    game: Formula
    data: dict[str, Any]
    header: Header
    beside: Beside


def asked(track: str, path: Path | None, *, laps: int | None = None) -> Asked:
    """The race on a board that a header file describes, else of a standard car; `laps` wins.

    Raises:
        Failure: the file cannot be read, or is for another board or game.
        Malformed: the header contradicts itself, or the board is not known space by space.
    """
    data: Any = {"game": "formula-d", "seats": [{"seat": 1}]}
    if path is not None:
        data = tools.parse_json(tools.read(path), f"{path} is no JSON")
    if not isinstance(data, dict):
        raise tools.Failure(f"{path} is no header: a JSON object is wanted")
    if data.get("track", track) != track:
        raise tools.Failure(f"the header is for the board {data['track']!r:.40}, not {track!r:.40}")
    game = fetch(name_in(data))
    if not isinstance(game, Formula):
        raise tools.Failure(f"advice is given for formula-d and formule-de, not {game.name}")
    rest, beside = part(data)
    data = {**rest, "track": track} | ({} if laps is None else {"laps": laps})
    edition: Edition = game.edition
    header = read_header(data, TrackLibrary().load(track), edition)
    check_solvable(header.setup)
    return Asked(game, data, header, beside)


# -- odds -----------------------------------------------------------------------------------------


@tools.command("odds", HEADER, tools.DATA, tools.AS_JSON)
@click.option("--track", required=True, help="a board, or a .toml in the working folder")
@click.option("--space", required=True, help="where the car stands: S2.m5")
@click.option(
    "--gear", required=True, type=click.IntRange(1, TOP_GEAR), help="the lever as it stands now"
)
def show_odds(
    track: str, space: str, gear: int, header: Path | None, data: Path, as_json: bool
) -> None:
    """Tell the odds of each gear on offer: to come through clean, to overshoot, to spin, to be out.

    Each face of the die is played by the legal move that costs least. Without a header it is a
    standard car in lap 1 of 2, alone; with one, the car that its position has on the space, or else
    the car on turn is put there. On a board that is solved (companion solve) each gear has the
    expected turns to the finish.
    """
    race = asked(track, header)
    refuse_without(race.beside)
    state, seat = _placed(race, space, gear)
    alone = Adviser(SolvedBoards(data / "solved")).alone(state, seat)
    found = odds(state, seat, alone)
    categories = state.setup.edition.categories
    by_gear = {str(gear): one.as_json(categories) for gear, one in found.items()}
    tools.answer(as_json, by_gear, *(_line(gear, one, categories) for gear, one in found.items()))


def _placed(race: Asked, space: str, gear: int) -> tuple[State, int]:
    """The race with the car on the space, on turn; and its seat.

    Raises:
        Failure: the board has no such space.
        Malformed: the header, or the car there, contradicts itself.
    """
    track = race.header.setup.track
    if space not in track.index:
        raise tools.Failure(f"{track.name} has no space {space!r:.40}; one is written S2.m5")
    position = {"weather": race.header.weather or "fine", **(race.header.position or {})}
    cars: Any = position.get("cars", {})
    seats = list(race.header.cars)
    standing = [int(seat) for seat, car in _known(cars, seats) if car.get("space") == space]
    turn = position.get("turn")
    seat = next(iter(standing), turn if turn in seats else seats[0])
    car = {"lap": 1, **dict(_known(cars, seats)).get(str(seat), {}), "space": space, "gear": gear}
    alone = len(seats) == 1
    others = cars if isinstance(cars, dict) and not alone else {}
    position |= {"cars": {**others, str(seat): car}}
    # With an order and a turn the round goes on as it is; without them a new one would begin.
    if turn != seat:
        position |= {"order": seats, "turn": seat}
    # Its open steps belong to the turn that this question replaces.
    position.pop("pending", None)
    begun = race.game.begin({**race.data, "position": position}, track).state
    if not gears_on_offer(begun, seat):
        raise tools.Failure(f"seat {seat} is offered no gear there")
    return begun, seat


def _known(cars: object, seats: list[int]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The cars of a position that have the form of one; the rules refuse the rest."""
    for seat in map(str, seats):
        car = cars.get(seat) if isinstance(cars, dict) else None
        if isinstance(car, dict):
            yield seat, car


def _line(gear: int, one: Odds, categories: tuple[str, ...]) -> str:
    """A gear as a person reads it."""
    overshoot = sum(one.overshoot.values())
    said = {"clean": one.clean, "to overshoot": overshoot, "to spin": one.spin, "out": one.out}
    words = [f"{float(chance):.0%} {what}" for what, chance in said.items() if chance]
    wear = [f"{name} {float(n):.2f}" for name, n in zip(categories, one.wear, strict=True) if n]
    costs = f"; wear {', '.join(wear)}" if wear else ""
    turns = "" if one.turns is None else f"; {one.turns:.2f} turns to the finish"
    return f"{gear}: {', '.join(words)}{costs}{turns}"


# -- solve ----------------------------------------------------------------------------------------


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


@tools.command("solve", HEADER, tools.DATA, tools.AS_JSON)
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
    race = asked(track, header, laps=laps).header
    sky = PLAIN if plain else sky_of(race)
    wears = [car.wear for car in race.cars.values()]
    with tools.sentences(CannotSolve, OSError), _bar() as bar:
        table = SolvedBoards(data / "solved").solved(
            race.setup,
            wears,
            lambda share: bar.update(round(STEPS * share) - bar.pos),
            builds=True,
            sky=sky,
        )
    summary = {**table.title.summary}
    # A program finds a list here, also where no constructions were compared.
    summary["best_builds"] = summary["best_builds"] or []
    tools.answer(as_json, {key: summary[key] for key in FORM}, *_lines(summary))


def sky_of(header: Header) -> Sky:
    """The tires of the first car and the weather of a race.

    Raises:
        Malformed: the weather changes by a house switch, which nothing here can solve.
    """
    position = header.position or {}
    weather = str(position.get("weather", header.weather or "fine"))
    if weather in CHANGEABLE and not moves_as_solved(header.setup):
        message = "the weather of the header changes by a house switch that nothing here can solve"
        raise Malformed("weather-changes", message)
    return Sky(next(iter(header.cars.values())).tires, weather)


STEPS = 1000
"""Of the progress bar."""


def _bar() -> Any:
    hidden = not sys.stderr.isatty()
    return click.progressbar(length=STEPS, label="solving", file=sys.stderr, hidden=hidden)


def _lines(summary: Mapping[str, Any]) -> Iterator[str]:
    """For people: what it takes, what a point is worth, which construction."""
    laps = "1 lap" if summary["laps"] == 1 else f"{summary['laps']} laps"
    yield f"{summary['track']}, {laps}: {summary['expected_turns']:.2f} expected turns from pole"
    yield f"({summary['states']:,} states in {summary['seconds']:.1f} s)"
    worth = ", ".join(f"{name} {turns:.3f}" for name, turns in summary["worth"].items())
    yield f"a point less at the start costs: {worth}"
    if summary["best_builds"]:
        yield f"best construction:  {_build(summary['best_builds'][0])}"
        yield f"worst construction: {_build(summary['worst_build'])}"


def _build(build: Mapping[str, Any]) -> str:
    return f"{build['turns']:.2f}: " + ", ".join(f"{n} {p}" for n, p in build["wear"].items())


# -- review ---------------------------------------------------------------------------------------


@tools.command("review", tools.DATA, tools.AS_JSON)
@click.argument("record", type=tools.PATH, help="a record, DIR/records/ID.jsonl")
def show_review(record: Path, data: Path, as_json: bool) -> None:
    """Tell of each car what dice, choices and the others did to its turns.

    All in turns, positive is slower: start + luck + errors + traffic = result for a car that
    finished. A board that is not solved yet is solved first.
    """
    with tools.sentences(records.RecordError, CannotSolve, OSError):
        lines = records.parse_record(tools.read(record))
        courses = review_record(lines, SolvedBoards(data / "solved"))
    cars = {
        str(seat): {**course.as_json(), "mistakes": [one.as_json() for one in course.mistakes]}
        for seat, course in courses.items()
    }
    names = {int(str(entry["seat"])): records.name_in(entry) for entry in records.seats_of(lines)}
    tools.answer(as_json, {"cars": cars}, *_review_lines(courses, names))


def _review_lines(courses: Mapping[int, Course], names: Mapping[int, str]) -> Iterator[str]:
    """For people: a line a car, and its mistakes."""
    for seat, course in courses.items():
        if course.start is None:
            yield f"{names[seat]}: has not started"
            continue
        end = f"{course.turns} turns" if course.finished else "did not finish"
        yield (
            f"{names[seat]}: {end}; start {course.start:.1f}, luck {course.luck:+.1f}, errors"
            f" {course.errors:+.1f}, traffic {course.traffic:+.1f}; accuracy {course.accuracy:.0f}"
        )
        for one in course.mistakes:
            played, best = (said(as_answer(one.choices[n][0])) for n in (one.played, one.best))
            yield (
                f"   line {one.at.line}: {one.grade}, {one.kind} {played} lost {one.loss:.2f},"
                f" better {best}"
            )


def said(value: Any) -> str:
    """An answer in short."""
    match value:
        case None:
            return "none"
        case {"to": to, "brakes": brakes}:
            return f"{to} with {brakes} brakes" if brakes else str(to)
        case {"spaces": spaces}:
            return f"{spaces} spaces"
    return str(value)
