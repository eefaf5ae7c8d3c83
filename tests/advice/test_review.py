"""The review: start + luck + errors + traffic = the turns that a car took."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.advice import alone_on, raced, status_of
from support.each import few_now

from companion.advice.bots.by_room import Amateur
from companion.advice.bots.levels import level_kind
from companion.advice.bots.solved import Champion, Racer
from companion.advice.review import Course, moment_of
from companion.advice.solve.model import GONE, USUAL, Box, Model, Sky
from companion.advice.solve.table import FORM, Layout, Table, Title
from companion.cli import main
from companion.race.record import parse_record, write_record
from companion.rules.lines import Answer
from companion.study.reviews import commands_of, review_record
from companion.study.solved import SolvedBoards, places_of

CORPUS = Path(__file__).parent.parent / "corpus/records/records.jsonl.gz"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of solved boards that these tests share."""
    return tmp_path_factory.mktemp("data") / "solved"


def reviewed(lines: Sequence[Any], folder: Path) -> Mapping[int, Course]:
    courses = checked(review_record(lines, SolvedBoards(folder)))
    for course in courses.values():
        assert all(choice.loss < GONE + 1 for choice in course.choices), "out is no 100 turns"
        if course.finished:
            largest = max(abs(course.luck), course.errors, abs(course.traffic))
            assert largest < course.turns, "no figure is larger than its race"
    return courses


def checked(courses: Mapping[int, Course]) -> Mapping[int, Course]:
    for course in courses.values():
        if course.finished:
            assert course.start is not None
            parts = course.start + course.luck + course.errors + course.traffic
            assert parts == pytest.approx(course.turns, abs=1e-9)
        assert all(choice.loss >= 0 for choice in course.choices)
    return courses


def turns_of(lines: Sequence[Any], seat: int) -> int:
    """Gears and start rolls that left a car stalled, great or spun: once a turn."""
    return sum("gear" in line and line.get("seat") == seat for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("seed", few_now(range(4), 1))
def test_start_luck_errors_and_traffic_are_the_turns_that_a_car_took(
    seed: int, folder: Path
) -> None:
    alone, _ = alone_on("manege", laps=2, folder=folder)
    levels = {
        1: Champion(alone),
        2: Racer(alone),
        3: Amateur(),
        4: level_kind("learner").make(None),
    }
    lines = raced(levels, Random(seed), track="manege", grid=[1, 2, 3, 4], start="normal")
    courses = reviewed(lines, folder)
    done = [seat for seat, course in courses.items() if course.finished]
    assert done
    for seat in done:
        assert courses[seat].turns == turns_of(lines, seat)


MIXTURES: list[dict[str, Any]] = [
    {"rules": ["weather", "tires", "technical"], "track": "manege"},
    {"game": "formule-de", "track": "manege"},
    {"game": "formule-de", "rules": ["advanced", "weather"], "track": "manege", "laps": 3},
    {"rules": ["trials", "build"], "track": "manege", "laps": 1},
]


@pytest.mark.long
@pytest.mark.parametrize("header", MIXTURES, ids=str)
def test_it_holds_with_start_rolls_and_all_kinds_of_rules(
    header: dict[str, Any], folder: Path
) -> None:
    lines = raced(
        {1: Amateur(), 2: Amateur(), 3: level_kind("learner").make(None)}, Random(3), **header
    )
    assert any(course.finished for course in reviewed(lines, folder).values())


@pytest.mark.slow
@pytest.mark.parametrize("seed", few_now(range(3), 1))
def test_it_holds_in_the_street(seed: int, folder: Path) -> None:
    seats = [{"seat": 1, "driver": "Jack Owens"}, {"seat": 2, "driver": "Montoya Cadena"}]
    header = {"rules": ["urban"], "track": "port-lanterne", "seats": seats}
    courses = reviewed(raced({1: Amateur(), 2: Amateur()}, Random(seed), **header), folder)
    kinds = {choice.kind for course in courses.values() for choice in course.choices}
    assert "length" in kinds


def test_who_plays_the_table_alone_makes_no_errors(folder: Path) -> None:
    alone, _ = alone_on("manege", laps=1, folder=folder)
    lines = raced({1: Racer(alone)}, Random(5), track="manege", laps=1, start="normal")
    (course,) = reviewed(lines, folder).values()
    assert course.finished
    assert course.errors == pytest.approx(0, abs=1e-9)
    assert course.traffic == pytest.approx(0, abs=1e-9)
    assert course.accuracy == pytest.approx(100)


def test_a_worse_gear_is_an_error_with_what_would_have_been_best(folder: Path) -> None:
    alone, _ = alone_on("manege", laps=1, folder=folder)

    class Timid(Racer):
        def gear(self, state: Any, seat: int, choices: Any) -> int:
            return min(2, super().gear(state, seat, choices))

    lines = raced({1: Timid(alone)}, Random(5), track="manege", laps=1, start="normal")
    (course,) = reviewed(lines, folder).values()
    worst = max(course.choices, key=lambda choice: choice.loss)
    assert (worst.kind, worst.played) == ("gear", 2)
    assert worst.best in (3, 4, 5, 6)
    assert lines[worst.at.line - 1] == {"seat": 1, "gear": 2}
    assert course.accuracy < 80


def test_what_was_taken_back_counts_no_more(folder: Path) -> None:
    lines = raced({1: Amateur()}, Random(2), track="manege", laps=1, start="normal")
    again = [lines[0], *lines[1:4], {"undo": 3}, *lines[1:]]
    plain, undone = reviewed(lines, folder)[1], reviewed(again, folder)[1]
    assert undone.as_json()["luck"] == plain.as_json()["luck"]
    assert [one.at.line for one in undone.choices] == [one.at.line + 4 for one in plain.choices]
    number, first = commands_of(again)[0]
    assert number == 6
    assert isinstance(first, Answer)


def test_a_car_that_did_not_finish_has_no_result(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = raced({1: Amateur(), 2: Amateur()}, Random(2), track="manege", laps=1)
    lines = [*lines[:9], {"end": True}]
    path = tmp_path / "race.jsonl"
    write_record(path, lines)
    assert main(["review", str(path), "--json", "--data", str(folder.parent)]) == 0
    cars = json.loads(capsys.readouterr().out)["cars"]
    assert sorted(cars) == ["1", "2"]
    assert cars["1"]["result"] is None
    keys = ["start", "luck", "errors", "traffic", "result", "accuracy", "decisions", "rolls"]
    assert list(cars["1"]) == [*keys, "mistakes"]
    assert main(["review", str(path), "--data", str(folder.parent)]) == 0
    assert "did not finish" in capsys.readouterr().out


class AnyFigures(SolvedBoards):
    """Boards whose figures mean nothing: the sum must hold with them as well."""

    def solved(
        self, setup: Any, wears: Any, told: Any = None, *, builds: bool = False, sky: Sky = USUAL
    ) -> Table:
        layout = Layout(places_of(setup), Model(setup, Box(6, 3, 3, 3), sky))
        title = Title(FORM, "", setup.laps, layout.box, 0.01, 9.5, {})
        return Table(title, layout, Hashed())


class Hashed(Sequence[int]):
    """Numbers without end, each its own."""

    def __getitem__(self, at: Any) -> Any:
        return at * 2_654_435_761 % 4001

    def __len__(self) -> int:
        return sys.maxsize


def records() -> list[list[Any]]:
    """The records of the corpus that are races of a Formula game on a board."""
    found = []
    with gzip.open(CORPUS, "rt", encoding="utf-8") as file:
        for line in file:
            lines = [dict(one) for one in parse_record(json.loads(line)["text"].encode())]
            if lines[0]["game"] != "downforce" and lines[0]["track"]:
                found.append(lines)
    return found


def test_every_record_of_the_corpus_has_its_review(folder: Path) -> None:
    told = records()
    assert len(told) >= 10
    for lines in told:
        courses = checked(review_record(lines, AnyFigures(folder)))
        assert {seat["seat"] for seat in lines[0]["seats"]} == set(courses)
        assert any(course.rolls for course in courses.values())


@pytest.mark.parametrize("seed", few_now(range(3), 3, quick=range(1)))
@pytest.mark.slow
def test_the_sum_holds_whatever_the_figures_are(seed: int, folder: Path) -> None:
    levels = {1: Amateur(), 2: level_kind("learner").make(None), 3: Amateur()}
    rules = ["weather", "tires", "technical"]
    lines = raced(levels, Random(seed), track="monaco", laps=2, rules=rules)
    courses = checked(review_record(lines, AnyFigures(folder)))
    assert any(course.finished and abs(course.luck) > 1 for course in courses.values())
    home = [seat for seat, course in courses.items() if course.finished]
    moments = [moment_of(courses, two) for two in permutations(home, 2)]
    assert moments
    for moment in moments:
        if moment is not None and moment.what not in {"roll", "traffic"}:
            losses = [one.loss for one in courses[moment.seat].choices if one.at[:] == moment[:2]]
            assert moment.swing in losses, "who is blamed lost that much by the choice"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no race record"),
        (b'{"record": 1}', "game is one of"),
        (json.dumps({"record": 1, "game": "formula-d", "track": None, "track_file": None,
                     "seats": [{"seat": 1}]}).encode(), "without a board"),
        (json.dumps({"record": 1, "game": "downforce", "track": None, "track_file": None,
                     "seats": [{"seat": 1}, {"seat": 2}]}).encode(), "formula-d and formule-de"),
    ],
)  # fmt: skip
def test_what_has_no_review_is_a_sentence(
    content: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "race.jsonl"
    path.write_bytes(content)
    assert status_of(["review", str(path), "--data", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("companion: ")
    assert said in printed.err
