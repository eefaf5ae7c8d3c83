"""Puzzles: decisions of real races with one best answer, which was missed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.advice import alone_on, raced

from companion.advice.bots.by_room import Learner
from companion.advice.bots.solved import Racer
from companion.advice.review import CLEAR, LEAST_LOSS
from companion.cli import main
from companion.race.engine import Engine
from companion.race.record import engine_line, header_of, tracks_of, write_record
from companion.study.reviews import MOST_PUZZLES, puzzles_as_json, review_as_json, review_record
from companion.study.solved import SolvedBoards

pytestmark = pytest.mark.slow  # a board is solved for them, and races are looked at

NAMES = ("Ana Zorro", "Bo Secret")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of solved boards that these tests share."""
    return tmp_path_factory.mktemp("data") / "solved"


@pytest.fixture(scope="module")
def lines(folder: Path) -> Sequence[Any]:
    """A race of two who choose badly now and then, a lap apart from each other."""
    alone, _ = alone_on("manege", laps=2, folder=folder)
    dice = Random(8)

    class Hasty(Racer):
        def gear(self, state: Any, seat: int, choices: Any) -> int:
            best = super().gear(state, seat, choices)
            return dice.choice([one.gear for one in choices]) if dice.random() < 0.2 else best

        def end(self, state: Any, seat: int, ends: Any) -> Any:
            return dice.choice(ends) if dice.random() < 0.7 else super().end(state, seat, ends)

    seats = [{"seat": n, "name": name} for n, name in enumerate(NAMES, 1)]
    header = {"track": "manege", "laps": 2, "start": "normal", "seats": seats}
    return raced({1: Hasty(alone), 2: Learner()}, Random(5), **header)


@pytest.fixture(scope="module")
def puzzles(lines: Sequence[Any], folder: Path) -> list[dict[str, Any]]:
    return puzzles_as_json(lines, review_record(lines, SolvedBoards(folder)))


def test_what_was_played_lost_much_and_only_one_answer_is_best(
    puzzles: list[dict[str, Any]],
) -> None:
    assert 1 <= len(puzzles) <= MOST_PUZZLES
    assert {puzzle["kind"] for puzzle in puzzles} == {"gear", "move"}
    for puzzle in puzzles:
        turns = [choice["turns"] for choice in puzzle["choices"]]
        best, played = turns[puzzle["best"]], turns[puzzle["played"]]
        assert played - best == pytest.approx(puzzle["loss"])
        assert puzzle["loss"] >= LEAST_LOSS
        assert sorted(turns)[1] - best >= CLEAR
        assert best == min(turns)


def test_a_puzzle_stands_where_the_race_stood_and_every_choice_was_legal_there(
    puzzles: list[dict[str, Any]], lines: Sequence[Any]
) -> None:
    for puzzle in puzzles:
        engine = Engine(tracks_of(lines[0]))
        engine.handle({"new": header_of(lines[0])})
        for line in lines[1 : puzzle["line"] - 1]:
            engine.handle(engine_line(line))
        state: Any = engine.state()
        stood = puzzle["state"]["cars"][str(puzzle["seat"])]
        was = state["cars"][str(puzzle["seat"])]
        assert stood == {key: was[key] for key in stood}
        for choice in puzzle["choices"]:
            given = {"seat": puzzle["seat"], puzzle["kind"]: choice["answer"]}
            assert engine.handle({"explain": given})["explain"]["legal"], given
        played = puzzle["choices"][puzzle["played"]]["answer"]
        assert lines[puzzle["line"] - 1][puzzle["kind"]] == played


def test_nobody_is_named_in_what_is_kept(
    puzzles: list[dict[str, Any]], lines: Sequence[Any], folder: Path
) -> None:
    kept = json.dumps(review_as_json(lines, review_record(lines, SolvedBoards(folder))))
    assert json.loads(kept)["puzzles"] == puzzles
    assert not any(name in kept for name in NAMES)


def test_who_drives_as_the_table_says_leaves_no_puzzle(folder: Path) -> None:
    alone, _ = alone_on("manege", laps=1, folder=folder)
    lines = raced({1: Racer(alone)}, Random(5), track="manege", laps=1, start="normal")
    assert puzzles_as_json(lines, review_record(lines, SolvedBoards(folder))) == []


def test_the_command_tells_them_for_people_and_for_programs(
    lines: Sequence[Any], folder: Path, puzzles: list[dict[str, Any]], tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    path = tmp_path / "race.jsonl"
    write_record(path, lines)
    data = ["--data", str(folder.parent)]
    assert main(["puzzle", str(path), *data, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"puzzles": puzzles}
    assert main(["puzzle", str(path), *data]) == 0
    assert "was played and cost" in capsys.readouterr().out


def test_a_record_that_is_none_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["puzzle", str(tmp_path / "none.jsonl")]) == 2
    assert capsys.readouterr().err.startswith("companion: ")
