"""The review of a record: its lines read, its board solved if need be, each car's course told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from companion.advice.by_sky import BySky
from companion.advice.course import Course
from companion.advice.moment import moment_of
from companion.advice.puzzles import Puzzle
from companion.advice.review import review, told_answer
from companion.record import JSON, engine_line, header_of, replay, tracks_of
from companion.rules.beside import part, refuse_without
from companion.rules.commands import Answer, Referee, Undo
from companion.rules.errors import Malformed
from companion.rules.formula.game import Formula
from companion.rules.formula.house import refuse_unknown_to_advice
from companion.rules.formula.state import State
from companion.rules.games import KINDS, fetch, name_in
from companion.rules.lines import read
from companion.solved import Progress, SolvedBoards

DEAREST: Final = 3
"""Decisions of a car that are told."""
MOST_PUZZLES: Final = 6
"""Puzzles of a race."""
WORTH_TELLING: Final = 0.05
"""Turns below which a decision is not told as an error."""


def review_record(
    lines: Sequence[JSON], solved: SolvedBoards, progress: Progress = lambda share: None
) -> Mapping[int, Course]:
    """The course of each car of a record.

    Raises:
        RecordError: it cannot be replayed.
        Malformed: the race was not run on a board, is none of the Formula games, was run without
            advice, or is played by a house switch that advice does not know.
        CannotSolve, OSError: its board cannot be solved here.
    """
    header = header_of(lines[0])
    game = fetch(name_in(header))
    if not isinstance(game, Formula):
        raise Malformed("no-review", f"reviews are of formula-d and formule-de, not {game.name}")
    rest, beside = part(header)
    refuse_without(beside)
    end: State = replay(lines).moment
    if end.setup.boardless:
        raise Malformed("board-blank", "a race without a board has no review")
    refuse_unknown_to_advice(end.setup.house, end.setup.edition.name)
    wears = [car.full for car in end.cars.values()]
    begun = game.begin(rest, tracks_of(lines[0]).load(header["track"])).state
    setup = begun.setup
    figures = BySky(setup, lambda sky: solved.solved(setup, wears, progress, sky=sky))
    return review(game, figures, begun, commands_of(lines))


def commands_of(lines: Sequence[JSON]) -> list[tuple[int, Answer | Referee]]:
    """The commands that count, each with the number of its line, from 1; those undone are gone."""
    kept: list[tuple[int, Answer | Referee]] = []
    for number, line in enumerate(lines[1:], 2):
        given = engine_line(line)
        command = None if given is None else read(given, KINDS)
        if isinstance(command, Undo):
            del kept[-command.count :]
        elif isinstance(command, Answer | Referee):
            kept.append((number, command))
    return kept


def told_review(lines: Sequence[JSON], courses: Mapping[int, Course]) -> dict[str, Any]:
    """A review as it is kept and shown: of each car its figures, its dearest decisions, its curve.

    `curve` has by round what its result was expected to be; `moment` decided the race, or is None.
    Seats are named by their numbers, nobody by a name.
    """
    result = next(line["result"] for line in reversed(lines) if "result" in line)
    home = [row["seat"] for row in result if row["status"] == "finished"]
    rounds = {step.line: step.round for one in courses.values() for step in one.history}
    cars = {str(seat): _car(course, rounds) for seat, course in courses.items()}
    found = moment_of(courses, home)
    return {
        "cars": cars,
        "moment": None if found is None else found._asdict(),
        "puzzles": told_puzzles(lines, courses),
    }


OF_RACE: Final = ("round", "laps", "turn", "weather", "raining", "debris")
OF_CAR: Final = ("seat", "gear", "lap", "space", "stops", "wear", "tires", "tires_lap", "status")
"""What a puzzle has of STATE: where everything stands, and no name."""


def told_puzzles(lines: Sequence[JSON], courses: Mapping[int, Course]) -> list[dict[str, Any]]:
    """The puzzles of a race, the dearest first; seats are numbers, nobody has a name."""
    game = fetch(name_in(header_of(lines[0])))
    found = [puzzle for course in courses.values() for puzzle in course.puzzles]
    dearest = sorted(found, key=lambda puzzle: -puzzle.loss)[:MOST_PUZZLES]
    return [_puzzle(puzzle, game.tell(puzzle.state)) for puzzle in dearest]


def _puzzle(puzzle: Puzzle, state: Mapping[str, Any]) -> dict[str, Any]:
    cars = {
        seat: {key: car[key] for key in OF_CAR}
        for seat, car in state["cars"].items()
        if car["space"] is not None
    }
    choices = [{"answer": told_answer(one), "turns": turns} for one, turns in puzzle.choices]
    return {
        "line": puzzle.line,
        "seat": puzzle.seat,
        "kind": puzzle.kind,
        "rolled": puzzle.rolled,
        "choices": choices,
        "best": puzzle.best,
        "played": puzzle.played,
        "loss": puzzle.loss,
        "state": {**{key: state[key] for key in OF_RACE}, "cars": cars},
    }


def _car(course: Course, rounds: Mapping[int, int]) -> dict[str, Any]:
    told = course.as_json()
    del told["decisions"], told["rolls"]
    dearest = sorted(course.choices, key=lambda choice: -choice.loss)[:DEAREST]
    return {
        **told,
        "errors_in": [
            {**asdict(choice), "round": rounds.get(choice.line)}
            for choice in dearest
            if choice.loss >= WORTH_TELLING
        ],
        "curve": {str(step.round): step.turns for step in course.history},
    }
