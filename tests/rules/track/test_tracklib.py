"""What the library of boards opens, and above all what it does not."""

from __future__ import annotations

import os

import pytest

from companion.race.boards import LARGEST_FILE, TrackLibrary
from companion.rules.lines import Malformed


@pytest.fixture
def library(tmp_path, sound) -> TrackLibrary:
    """A library over an empty working folder and a folder with one board, beside a secret."""
    (tmp_path / "work").mkdir()
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "oval.toml").write_text(sound, encoding="utf-8")
    (tmp_path / "secret.toml").write_text(sound, encoding="utf-8")
    return TrackLibrary([tmp_path / "work", tmp_path / "kept"])


def test_a_plain_name_is_a_board_that_ships(library):
    assert library.load("monaco").name == "Monaco"


def test_a_toml_is_found_in_the_folders(library):
    assert library.load("oval.toml").name == "Oval"


def test_the_working_folder_comes_first(library, tmp_path, sound):
    nearer = sound.replace("Oval", "Nearer")
    (tmp_path / "work" / "oval.toml").write_text(nearer, encoding="utf-8")
    assert library.load("oval.toml").name == "Nearer"


def test_names_are_the_shipped_boards_and_the_files_found(library):
    names = library.names()
    assert names[-1] == "oval.toml"
    assert {"monaco", "magny-cours", "san-marino"} <= set(names[:-1])
    assert names[:-1] == sorted(names[:-1])


@pytest.mark.parametrize(
    "name",
    [
        "../secret.toml",
        "kept/oval.toml",
        "..\\secret.toml",
        "/etc/passwd",
        ".toml",
        "..",
        "",
        "oval",
        "MONACO",
        "monaco.toml/../monaco",
        "oval.toml\0",
        "oval.toml\n",
        "o" * 5000 + ".toml",
        "\ud800.toml",
        None,
        7,
        ["monaco"],
    ],
)
def test_nothing_else_is_opened_and_the_error_says_what_is_accepted(library, name):
    with pytest.raises(Malformed, match=r"monaco, .*oval\.toml") as refusal:
        library.load(name)
    assert len(refusal.value.message) < 400


def test_the_absolute_name_of_a_file_in_a_folder_is_refused(library, tmp_path):
    with pytest.raises(Malformed):
        library.load(str(tmp_path / "kept" / "oval.toml"))


def test_a_file_that_is_too_large_or_no_text_is_refused(library, tmp_path):
    (tmp_path / "work" / "large.toml").write_text("#" * (LARGEST_FILE + 1), encoding="utf-8")
    (tmp_path / "work" / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(Malformed, match="too large"):
        library.load("large.toml")
    with pytest.raises(Malformed, match="cannot be read"):
        library.load("bytes.toml")


def test_a_pipe_with_the_name_of_a_track_is_not_waited_for(library, tmp_path):
    os.mkfifo(tmp_path / "work" / "pipe.toml")
    with pytest.raises(Malformed, match="no track"):
        library.load("pipe.toml")


def test_a_faulty_file_is_refused_with_its_fault(library, tmp_path, spoiled):
    faulty = spoiled("stops = 1", "stops = 5")
    (tmp_path / "work" / "faulty.toml").write_text(faulty, encoding="utf-8")
    with pytest.raises(Malformed, match="T1 East: stops = 5"):
        library.load("faulty.toml")


def test_a_board_is_kept_in_the_last_folder_and_found_again(library, tmp_path, sound):
    assert library.save("small.toml", sound) == "small.toml"
    assert (tmp_path / "kept" / "small.toml").read_text(encoding="utf-8") == sound
    assert library.load("small.toml").name == "Oval"


def test_a_board_that_ships_is_kept_under_a_name_of_the_tables_own(library, sound):
    before = library.text("monaco")
    assert library.save("monaco", sound) == "monaco.toml"
    assert library.text("monaco") == before
    assert library.text("monaco.toml") == sound
    assert library.is_shipped("monaco")
    assert not library.is_shipped("monaco.toml")


def test_a_board_that_an_earlier_folder_would_hide_gets_a_number(library, tmp_path, sound):
    (tmp_path / "work" / "oval.toml").write_text("mine", encoding="utf-8")
    assert library.save("oval.toml", sound) == "oval-2.toml"
    assert (tmp_path / "work" / "oval.toml").read_text(encoding="utf-8") == "mine"
    assert library.text("oval-2.toml") == sound


def test_the_folder_for_boards_is_made_when_first_wanted(tmp_path, sound):
    library = TrackLibrary([tmp_path / "work", tmp_path / "data" / "tracks"])
    assert library.save("oval.toml", sound) == "oval.toml"
    assert library.names()[-1] == "oval.toml"


@pytest.mark.parametrize("name", ["../oval.toml", "a/b", "", "oval.toml\0", "o" * 400])
def test_what_is_no_name_is_not_kept(library, tmp_path, sound, name):
    with pytest.raises(Malformed):
        library.save(name, sound)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "secret.toml", "work"]


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(tmp_path, sound):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(Malformed, match=r"oval\.toml cannot be written: "):
        TrackLibrary([tmp_path / "file"]).save("oval.toml", sound)
