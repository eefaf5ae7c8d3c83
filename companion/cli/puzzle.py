"""`companion puzzle`: the decisions of a race that are worth making again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from companion.cli.review import said
from companion.cli.tools import AS_JSON, DATA, PATH, answer, command, read, sentences
from companion.record import RecordError, parse_record
from companion.reviewing import review_record, told_puzzles
from companion.solved import CannotSolve, SolvedBoards


@command("puzzle", DATA, AS_JSON)
@click.argument("record", type=PATH, help="a record, DIR/records/ID.jsonl")
def show_puzzles(record: Path, data: Path, as_json: bool) -> None:
    """Tell the decisions of a race that have one best answer, which was missed.

    What was played lost 0.3 turns at least, and the second best answer is 0.15 worse than the best.
    A board that is not solved yet is solved first.
    """
    with sentences(RecordError, CannotSolve, OSError):
        lines = parse_record(read(record))
        puzzles = told_puzzles(lines, review_record(lines, SolvedBoards(data / "solved")))
    answer(as_json, {"puzzles": puzzles}, *(_lines(puzzles) if puzzles else ["no puzzle in it"]))


def _lines(puzzles: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """For people: the question, what may be answered, and below it what was best."""
    for one in puzzles:
        car, choices = one["state"]["cars"][str(one["seat"])], one["choices"]
        where = f"on {car['space']} in gear {car['gear']}"
        rolled = "" if one["rolled"] is None else f", {one['rolled']} to move"
        yield f"line {one['line']}: seat {one['seat']} {where}{rolled}"
        yield f"   {one['kind']}? " + ", ".join(said(choice["answer"]) for choice in choices)
        best, played = (said(choices[one[which]]["answer"]) for which in ("best", "played"))
        yield f"   best {best}; {played} was played and cost {one['loss']:.1f} turns"
