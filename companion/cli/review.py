"""`companion review`: where the turns of each car of a race came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from companion.advice.course import Course
from companion.cli.tools import AS_JSON, DATA, PATH, answer, command, read, sentences
from companion.record import RecordError, name_in, parse_record, seats_of
from companion.reviewing import review_record
from companion.solved import CannotSolve, SolvedBoards

WORST = 3
"""Decisions that are told of each car."""


@command("review", DATA, AS_JSON)
@click.argument("record", type=PATH, help="a record, DIR/records/ID.jsonl")
def show_review(record: Path, data: Path, as_json: bool) -> None:
    """Tell of each car what dice, choices and the others did to its turns.

    All in turns, positive is slower: start + luck + errors + traffic = result for a car that
    finished. A board that is not solved yet is solved first.
    """
    with sentences(RecordError, CannotSolve, OSError):
        lines = parse_record(read(record))
        courses = review_record(lines, SolvedBoards(data / "solved"))
    told = {str(seat): course.as_json() for seat, course in courses.items()}
    names = {int(str(entry["seat"])): name_in(entry) for entry in seats_of(lines)}
    answer(as_json, {"cars": told}, *_lines(courses, names))


def _lines(courses: Mapping[int, Course], names: Mapping[int, str]) -> Iterator[str]:
    """For people: a line a car, and its dearest decisions."""
    for seat, course in courses.items():
        if course.start is None:
            yield f"{names[seat]}: has not started"
            continue
        end = f"{course.turns} turns" if course.finished else "did not finish"
        yield (
            f"{names[seat]}: {end}; start {course.start:.1f}, luck {course.luck:+.1f}, errors"
            f" {course.errors:+.1f}, traffic {course.traffic:+.1f}; accuracy {course.accuracy:.0f}"
        )
        dearest = sorted(course.choices, key=lambda choice: -choice.loss)[:WORST]
        for choice in (one for one in dearest if one.loss >= 0.05):
            yield (
                f"   line {choice.line}: {choice.kind} {said(choice.played)} lost"
                f" {choice.loss:.2f}, better {said(choice.best)}"
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
