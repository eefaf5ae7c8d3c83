"""`companion track new` as a person answers it: a line for each question."""

from __future__ import annotations

import io
import tomllib
from pathlib import Path

import pytest
from support.formula.from_counts import counts_of

from companion.cli import main
from companion.race.boards import TrackLibrary

OVAL = {
    "name": "Oval",
    "lanes": "",
    "S1 spaces": "10 11 12",
    "S1 lead": "left",
    "S1 closed": "m11>r12",
    "after S1": "",
    "T1 name": "East",
    "T1 stops": "1",
    "T1 turns": "right",
    "T1 spaces": "6/4/2",
    "T1 ways": "2-6",
    "after T1": "",
    "S2 spaces": "6, 7, 8",
    "S2 lead": "lef",
    "S2 closed": "",
    "after S2": "c",
    "T2 name": "",
    "T2 stops": "2",
    "T2 turns": "r",
    "T2 spaces": "6 4 2",
    "T2 ways": "",
    "after T2": "end",
    "finish": "6 7 7",
    "grid": "l5 r5 T2.l6",
    "pit": "5",
    "pit entry": "r1 r2",
    "pit exit": "r9",
    "boxes": "2-4",
    "weather": "8-12",
}
"""A sound board, by question."""


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch) -> Path:
    """The working folder of every test here."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def asked(monkeypatch):
    """Run `track new` with these answers; the status."""

    def run(answers: dict[str, str], file: str = "oval.toml") -> int:
        typed = "".join(f"{answer}\n" for answer in answers.values())
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return main(["track", "new", file])

    return run


def written() -> dict[str, object]:
    return tomllib.loads(Path("oval.toml").read_text(encoding="utf-8"))


def test_answers_become_a_sound_sketch_that_can_be_raced_on(asked, capsys):
    assert asked(OVAL) == 0
    told = capsys.readouterr().out
    assert "oval.toml is written.\noval.toml: sound\n" in told
    board = TrackLibrary().load("oval.toml")
    assert (board.name, board.exact, board.lanes) == ("Oval", False, ("l", "m", "r"))
    assert [section.title for section in board.sections] == ["S1", "T1 East", "S2", "T2 Corner 2"]
    assert [board.ids[space] for space in board.grid] == ["S1.l5", "S1.r5", "T2.l6"]
    assert board.weather == {"rain": (1, 7), "variable": (8, 12), "fine": (13, 20)}
    assert [corner.stops for corner in board.corners] == [1, 2]


def test_what_is_typed_is_what_is_written(asked):
    asked(OVAL)
    file = written()
    assert file["finish"] == {"l": 6, "m": 7, "r": 7}
    assert file["pit"] == {"spaces": 5, "entry": ["r1", "r2"], "exit": ["r9"], "boxes": [2, 3, 4]}
    first, corner = file["section"][:2]
    assert first == {
        "kind": "straight",
        "spaces": [10, 11, 12],
        "lead": "left",
        "closed": ["m11>r12"],
    }
    assert corner == {
        "kind": "corner",
        "name": "East",
        "stops": 1,
        "turns": "right",
        "spaces": [6, 4, 2],
        "shortest": 2,
        "longest": 6,
    }


def test_a_wrong_answer_of_before_is_given_again(asked):
    """The straight's counts, noticed two questions later; before the first there is none."""
    wrong = {"first": "<", "name": "Oval", "lanes": "", "S1 spaces": "9 9 9", "S1 lead": "left"}
    back = {"once": "<", "twice": "<"}
    again = {f"{key} again": text for key, text in OVAL.items() if key not in ("name", "lanes")}
    assert asked(wrong | back | again) == 0
    assert written()["section"][0]["spaces"] == [10, 11, 12]


@pytest.mark.parametrize("name", ["manege", "monza", "zeltweg"])
def test_a_real_board_is_built_again_from_its_counts(asked, name):
    """All that is read off it is the same, no fault is found, nearly all lane changes are right."""
    answers = counts_of(name)
    assert asked(dict(enumerate(answers))) == 0
    assert len(answers) <= 110, "ten minutes, at five seconds an answer"
    board, built = TrackLibrary().load(name), TrackLibrary().load("oval.toml")
    for what in ("ids", "grid", "finish", "weather", "boxes", "exits", "past_line"):
        assert getattr(built, what) == getattr(board, what), what
    printed = [(corner.stops, corner.shortest, corner.longest) for corner in board.corners]
    assert [(c.stops, c.shortest, c.longest) for c in built.corners] == printed
    ways = [{(at, to) for at in range(len(b.ids)) for to in b.nexts[at]} for b in (board, built)]
    assert len(ways[0] & ways[1]) >= 0.96 * len(ways[0])


def test_a_board_without_pit_and_weather_has_neither(asked):
    bare = {key: text for key, text in OVAL.items() if key not in ("pit entry", "pit exit")}
    del bare["boxes"]
    assert asked({**bare, "pit": "0", "weather": ""}) == 0
    assert {"pit", "weather"}.isdisjoint(written())


@pytest.mark.parametrize(
    ("question", "wrong", "told"),
    [
        ("name", "", "a text on one line"),
        ("lanes", "l l", "different small letters"),
        ("lanes", "L M R", "different small letters"),
        ("S1 spaces", "10 11", "3 numbers"),
        ("S1 spaces", "10 11 -12", "3 numbers"),
        ("S1 spaces", "10 11 999", "400 spaces at most"),
        ("S1 lead", "l", "one of these is wanted: left, right, level"),
        ("S1 closed", "m11<r12", "is no lane change"),
        ("after S1", "end", "one of these is wanted: corner, straight"),
        ("T1 stops", "4", "a number from 1 to 3"),
        ("T1 turns", "up", "one of these is wanted: left, right"),
        ("T1 ways", "6-2", "two numbers"),
        ("finish", "6 7 13", "S1 has 10 11 12 spaces"),
        ("finish", "0 7 7", "S1 has 10 11 12 spaces"),
        ("grid", "l11", "there is no l11"),
        ("grid", "T3.l1", "is no space"),
        ("grid", "x1", "is no space"),
        ("grid", "", "at least one space"),
        ("pit", "many", "a number from 0 to 400"),
        ("boxes", "2-6", "within 1-5"),
        ("weather", "1-20", "within 2-19"),
    ],
)
def test_a_wrong_answer_says_what_is_wanted_and_is_asked_for_again(
    asked, capsys, question, wrong, told
):
    answers = {}
    for key, text in OVAL.items():
        answers |= {f"{key}, wrong": wrong, key: text} if key == question else {key: text}
    assert asked(answers) == 0
    assert told in capsys.readouterr().out
    with_mistake = Path("oval.toml").read_text(encoding="utf-8")
    asked(OVAL, "other.toml")
    assert Path("other.toml").read_text(encoding="utf-8") == with_mistake


def test_a_faulty_board_is_written_with_its_faults_told(asked, capsys):
    assert asked({**OVAL, "grid": "l9"}) == 1
    assert "oval.toml: grid: S1.l9 lies past the line\n" in capsys.readouterr().out
    assert written()["grid"] == ["l9"]


def test_a_file_that_is_there_is_never_overwritten_nor_anything_asked(asked, capsys):
    Path("oval.toml").write_text("mine", encoding="utf-8")
    assert asked(OVAL) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "companion: oval.toml cannot be written: it is there already\n"
    assert Path("oval.toml").read_text(encoding="utf-8") == "mine"


def test_a_file_that_appears_meanwhile_is_not_overwritten_either(monkeypatch, capsys):
    answers = iter(OVAL.values())

    def type_and_meddle(question: str) -> str:
        Path("oval.toml").write_text("theirs", encoding="utf-8")
        return next(answers)

    monkeypatch.setattr("builtins.input", type_and_meddle)
    assert main(["track", "new", "oval.toml"]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert Path("oval.toml").read_text(encoding="utf-8") == "theirs"


@pytest.mark.parametrize("name", ["oval", "oval.txt", "no/such/folder/oval.toml"])
def test_a_name_that_cannot_be_a_track_file_is_refused(asked, capsys, name):
    assert asked(OVAL, name) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert not Path(name).exists()


def test_answers_that_stop_half_way_leave_no_file(asked, capsys):
    half = dict(list(OVAL.items())[:8])
    assert asked(half) == 2
    assert "the board was not finished; oval.toml is not written" in capsys.readouterr().err
    assert not Path("oval.toml").exists()


def test_ctrl_c_leaves_no_file(monkeypatch, capsys):
    def interrupted(question: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert main(["track", "new", "oval.toml"]) == 2
    assert "is not written" in capsys.readouterr().err
    assert not Path("oval.toml").exists()
