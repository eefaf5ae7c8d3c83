"""`companion track` as a person and as a program meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.formula.dat import TINY

from companion.cli import main
from companion.race.boards import TrackLibrary

ACTIONS = ([], ["list"], ["show"], ["check"], ["draw"], ["import"], ["new"])
BROKEN = """\
name = "Broken"
lanes = ["l", "m", "r"]
"""


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch) -> Path:
    """The working folder of every test here."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def monaco_file(capsys) -> Path:
    """A copy of Monaco's file in the working folder."""
    path = Path("mine.toml")
    path.write_text(TrackLibrary().text("monaco"), encoding="utf-8")
    return path


def test_list_names_the_shipped_boards_and_those_of_the_folder(monaco_file, capsys):
    Path("broken.toml").write_text(BROKEN, encoding="utf-8")
    assert main(["track", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    told = dict(line.split(maxsplit=1) for line in lines)
    assert list(told)[-2:] == ["broken.toml", "mine.toml"]
    assert list(told)[:-2] == sorted(set(told) - {"broken.toml", "mine.toml"})
    assert told["monaco"] == told["mine.toml"] == "Monaco, 497 spaces, 10 corners"
    assert told["magny-cours"] == "Magny-Cours, 611 spaces, 8 corners"
    assert "cannot be used" in told["broken.toml"]


def test_list_as_json(capsys):
    assert main(["track", "list", "--json"]) == 0
    listed = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert listed["monaco"] == {
        "name": "monaco",
        "title": "Monaco",
        "exact": True,
        "spaces": 497,
        "corners": 10,
    }
    assert listed["spa"]["exact"] is False


def test_show_tells_a_board_in_lines(capsys):
    assert main(["track", "show", "monaco"]) == 0
    shown = capsys.readouterr().out
    assert "T5 Loews                   12/12/12  left   3 stops  8–18\n" in shown
    assert "weather: rain 1–7, variable 8–12, fine 13–20\n" in shown
    assert "grid: S1.l16 S1.r16" in shown
    assert "pit: 18 spaces, 10 boxes, exit to S1.r19 S1.r20\n" in shown


def test_show_as_json_is_the_whole_graph(capsys):
    assert main(["track", "show", "monaco", "--json"]) == 0
    board = json.loads(capsys.readouterr().out)
    spaces = {space["id"]: space for space in board["spaces"]}
    assert len(spaces) == 497
    assert sum(len(space["next"]) for space in spaces.values()) == 993
    assert sum(len(space["beside"]) for space in spaces.values()) == 2 * 663
    assert spaces["T1.l7"] == {
        "id": "T1.l7",
        "lane": "l",
        "section": "T1",
        "corner": "Sainte-Dévote",
        "level": 21,
        "next": ["S2.l1", "S2.m1"],
        "beside": ["S2.m1", "T1.m5"],
    }
    assert spaces["S1.r1"]["corner"] is None
    assert board["corners"][4] == {
        "name": "Loews",
        "section": "T5",
        "stops": 3,
        "turns": "left",
        "shortest": 8,
        "longest": 18,
    }
    assert board["pit"]["entry"] == ["S1.r1", "S1.r2"]
    assert board["pit"]["spaces"][17] == {
        "id": "P18",
        "level": 333,
        "next": ["S1.r19", "S1.r20"],
    }
    assert board["pit"]["boxes"][0] == {"id": "B1", "level": 308, "beside": "P4"}
    assert board["weather"]["rain"] == [1, 7]


def test_show_takes_a_file_of_the_working_folder(monaco_file, capsys):
    assert main(["track", "show", "mine.toml"]) == 0
    assert capsys.readouterr().out.startswith("Monaco: 497 spaces")


@pytest.mark.parametrize("name", ["nowhere", "../mine.toml", "/etc/passwd"])
def test_an_unknown_track_is_an_error_in_one_sentence(name, capsys):
    assert main(["track", "show", name]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"companion: there is no track {name!r}; accepted are ")
    assert "monaco" in told.err
    assert told.err.count("\n") == 1


def test_check_finds_a_sound_file_sound(monaco_file, capsys):
    assert main(["track", "check", "monaco", "mine.toml"]) == 0
    assert capsys.readouterr().out == "monaco: sound\nmine.toml: sound\n"


def test_check_names_every_fault_of_every_file(monaco_file, capsys):
    text = monaco_file.read_text(encoding="utf-8").replace('"l2>m2"', '"l2>m3"', 1)
    monaco_file.write_text(text, encoding="utf-8")
    assert main(["track", "check", "mine.toml", "monaco"]) == 1
    assert capsys.readouterr().out == (
        "mine.toml: T1 Sainte-Dévote, lane l: T1.l2 and T1.l3 both change to T1.m3\nmonaco: sound\n"
    )


def test_check_as_json(capsys):
    Path("broken.toml").write_text(BROKEN, encoding="utf-8")
    assert main(["track", "check", "--json", "broken.toml", "monaco"]) == 1
    broken, sound = json.loads(capsys.readouterr().out)
    assert broken["file"] == "broken.toml"
    assert {"where": "track", "what": "'grid' is missing; it is a list of texts"} in broken[
        "faults"
    ]
    assert sound == {"file": "monaco", "faults": []}


def test_check_of_a_file_that_is_not_there_is_an_error(capsys):
    assert main(["track", "check", "gone.toml"]) == 2
    assert "gone.toml cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["trak"], ["track"], ["track", "show"], ["track", "fly"]])
def test_a_wrong_command_is_one_sentence_and_status_2(words, capsys):
    with pytest.raises(SystemExit) as exit_:
        main(words)
    assert exit_.value.code == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "--help" in told


@pytest.mark.parametrize("words", [[], *(["track", *action] for action in ACTIONS)])
def test_every_command_has_its_help(words, capsys):
    with pytest.raises(SystemExit) as exit_:
        main([*words, "--help"])
    assert exit_.value.code == 0
    assert "usage: companion" in capsys.readouterr().out


def test_a_reader_that_has_seen_enough_is_no_error():
    """The pipe is closed before the whole board, some 60 KiB, is written."""
    command = [sys.executable, "-m", "companion", "track", "show", "monaco", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def spaces_drawn(picture: str) -> set[str]:
    root = ElementTree.fromstring(picture)
    return {cell.attrib["data-space"] for cell in root.iter() if "data-space" in cell.attrib}


def test_draw_writes_every_space_of_a_board_to_the_screen(capsys):
    assert main(["track", "draw", "monza"]) == 0
    assert spaces_drawn(capsys.readouterr().out) == set(TrackLibrary().load("monza").ids)


def test_draw_writes_to_a_file(monaco_file, capsys):
    assert main(["track", "draw", "mine.toml", "-o", "mine.svg"]) == 0
    assert capsys.readouterr().out == ""
    picture = Path("mine.svg").read_text(encoding="utf-8")
    assert "<title>Monaco</title>" in picture
    assert len(spaces_drawn(picture)) == 497 + 18 + 10


def test_draw_into_a_folder_that_is_not_there_is_an_error_in_one_sentence(capsys):
    assert main(["track", "draw", "monaco", "-o", "nowhere/monaco.svg"]) == 2
    told = capsys.readouterr().err
    assert told == ("companion: nowhere/monaco.svg cannot be written: No such file or directory\n")


def test_draw_of_an_unknown_track_writes_nothing(capsys):
    assert main(["track", "draw", "nowhere", "-o", "nowhere.svg"]) == 2
    assert "there is no track 'nowhere'" in capsys.readouterr().err
    assert not Path("nowhere.svg").exists()


@pytest.fixture
def their_file() -> Path:
    """A board of the public editor in the working folder."""
    path = Path("their.dat")
    path.write_text(TINY, encoding="utf-8")
    return path


def test_import_writes_a_track_file_and_names_what_to_look_at(their_file, capsys):
    assert main(["track", "import", str(their_file), "--name", "Theirs"]) == 0
    said = capsys.readouterr().out
    assert "their.toml is written." in said
    assert "look at the board: T1: is taken to turn right" in said
    assert TrackLibrary().load("their.toml").name == "Theirs"
    assert main(["track", "check", "their.toml"]) == 0


def test_import_overwrites_no_file(their_file, capsys):
    Path("their.toml").write_text("mine", encoding="utf-8")
    assert main(["track", "import", str(their_file)]) == 2
    assert "it is there already" in capsys.readouterr().err
    assert Path("their.toml").read_text(encoding="utf-8") == "mine"


def test_import_of_a_spoilt_file_writes_nothing(their_file, capsys):
    their_file.write_text(TINY.replace("4 30 40 1", "4 30 40 9"), encoding="utf-8")
    assert main(["track", "import", str(their_file), "--json"]) == 2
    assert "line 6: '4 30 40 9': a space is written" in capsys.readouterr().err
    assert not Path("their.toml").exists()


def test_import_tells_a_program_its_doubts(their_file, capsys):
    assert main(["track", "import", str(their_file), "-o", "other.toml", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["file"] == "other.toml"
    assert [doubt["where"] for doubt in told["doubts"]] == ["T1", "finish", "weather", "corners"]
