"""Damaged files: what the second copy has comes back, and what neither has is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from support.tables.journals import Data, evening, header, numbers

ANSWERS = 60


def flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1 << place % 8
    path.write_bytes(content)


def written(path: Path) -> int:
    """Bytes of a file without the room behind its lines."""
    return len(path.read_bytes().rstrip(b"\0"))


def line_of(path: Path, n: int) -> int:
    """Where the line with this `n` stands."""
    return path.read_bytes().index(b'{"n":%d,' % n)


DAMAGES: dict[str, Callable[[Path, Random], object]] = {
    "a bit flipped": lambda path, dice: flip(path, dice.randrange(written(path))),
    "cut off": lambda path, dice: path.write_bytes(
        path.read_bytes()[: dice.randrange(written(path))]
    ),
    "zeros to its end": lambda path, dice: path.write_bytes(
        path.read_bytes()[: dice.randrange(written(path))].ljust(70_000, b"\0")
    ),
    "a page of zeros": lambda path, dice: _overwrite(path, dice, bytes(512)),
    "a page of something else": lambda path, dice: _overwrite(path, dice, dice.randbytes(512)),
    "emptied": lambda path, dice: path.write_bytes(b""),
    "removed": lambda path, dice: path.unlink(),
}


def _overwrite(path: Path, dice: Random, page: bytes) -> None:
    content = bytearray(path.read_bytes())
    place = dice.randrange(written(path))
    content[place : place + len(page)] = page
    path.write_bytes(content)


@pytest.mark.faults("the journal: one of its files damaged after a kill")
@pytest.mark.parametrize("which", ["journal", "copy"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_whatever_becomes_of_one_file_no_answer_is_lost(
    data: Data, damage: Callable[[Path, Random], object], which: str
) -> None:
    killed, dice = evening(data, ANSWERS), Random(1)
    for seed in range(12):
        dice.seed(seed)
        for log in ("race", "table"):
            damage(killed.file(log, which), dice)
        journal = killed.opened()
        assert numbers(journal.lines("race")) == list(range(ANSWERS))
        assert journal.lines("table") == [{"boot": 1}]
        journal.close()
        assert not {"answers-missing", "race-lost"} & set(killed.keys)
        journal = killed.opened()
        assert killed.told == []  # it is whole again, both files of it
        journal.close()


@pytest.mark.faults("the journal: both of its files damaged in the same place")
def test_what_is_missing_in_both_files_is_counted_and_the_files_are_kept(data: Data) -> None:
    killed = evening(data, ANSWERS)
    for file in killed.files("race"):
        flip(file, line_of(file, 40))
    found = {path.read_bytes() for path in killed.files("race")}
    lines = killed.opened().lines("race")
    assert numbers(lines) == list(range(40))
    (trouble,) = killed.told
    assert (trouble.key, trouble.args["n"]) == ("answers-missing", 20)
    assert "20 answers are missing after" in str(trouble)
    assert "journal" in str(trouble)
    kept = list((killed.folder / "damaged").iterdir())
    assert {path.read_bytes() for path in kept} == found


@pytest.mark.faults("the journal: both of its files damaged in the same place")
@pytest.mark.parametrize("seed", range(8))
def test_where_both_are_damaged_every_answer_before_it_is_there_and_the_rest_is_told(
    data: Data, seed: int
) -> None:
    killed, dice = evening(data, ANSWERS), Random(seed)
    place = dice.randrange(written(killed.file("race", "copy")))
    for file in killed.files("race"):
        flip(file, place)
    lines = killed.opened().lines("race")
    assert numbers(lines) == list(range(len(numbers(lines))))
    told = [trouble for trouble in killed.told if trouble.key != "answers-healed"]
    if len(numbers(lines)) == ANSWERS:  # the flip met what is no answer
        return
    (trouble,) = told
    lost = trouble.args.get("n", 1)
    assert trouble.key == "race-lost" or len(lines) + int(str(lost)) == ANSWERS + 1


def test_two_files_damaged_in_different_places_make_one_whole_one(data: Data) -> None:
    killed = evening(data, ANSWERS)
    for file, n in zip(killed.files("race"), (10, 50), strict=True):
        flip(file, line_of(file, n))
    assert numbers(killed.opened().lines("race")) == list(range(ANSWERS))
    assert killed.keys == ["answers-healed"]


def test_a_race_that_is_damaged_leaves_the_others_whole(data: Data) -> None:
    journal = data.opened()
    for race in ("one", "two"):
        journal.append(race, header(race))
        for n in range(10):
            journal.append(race, {"n": n, "by": "phone"})
    killed = data.killed()
    for file in killed.files("one"):
        flip(file, file.read_bytes().index(b"record"))
    journal = killed.opened()
    assert numbers(journal.lines("two")) == list(range(10))
    assert [race.id for race in journal.races()] == ["two"]
    assert killed.keys == ["race-lost"]


def test_what_is_no_race_goes_on_behind_a_hole(data: Data) -> None:
    journal = data.opened()
    for n in range(6):
        journal.append("table", {"n": n, "table": "note"})
    killed = data.killed()
    for file in killed.files("table"):
        flip(file, line_of(file, 3))
    assert numbers(killed.opened().lines("table")) == [0, 1, 2, 4, 5]
    assert killed.keys == ["table-gap"]
    assert numbers(killed.opened().lines("table")) == [0, 1, 2, 4, 5]
    assert killed.told == []


@pytest.mark.faults("the journal: the plug pulled in the middle of a write")
@pytest.mark.parametrize("torn", [1, 30, 70, 80])
def test_a_torn_last_line_is_the_only_one_that_may_be_missing(data: Data, torn: int) -> None:
    journal = data.opened()
    journal.append("race", header("race"))
    journal.append("race", {"n": 0, "by": "phone"})
    before = data.killed()
    whole = before.file("race").read_bytes()
    journal.append("race", {"n": 1, "by": "phone", "seat": 2, "gear": 3})
    after = data.file("race").read_bytes()
    place = written(before.file("race"))
    before.file("race").write_bytes(after[: place + torn] + whole[place + torn :])
    assert numbers(before.opened().lines("race")) == [0]
    assert before.keys in (["answer-torn"], ["answers-healed"])  # told, unless it is a few bytes


def test_a_commit_of_several_lines_is_there_whole_or_not_at_all(data: Data) -> None:
    journal = data.opened()
    journal.append("race", header("race"))
    before = data.killed().file("race").read_bytes()
    killed = data.killed()
    journal.append("race", {"n": 1, "undo": 2}, {"n": 2, "gear": 1}, {"n": 3, "gear": 2})
    place = data.file("race").read_bytes().index(b'"gear":2')
    killed.file("race").write_bytes(data.file("race").read_bytes()[:place] + before[place:])
    assert numbers(killed.opened().lines("race")) == []
    assert killed.keys == ["answer-torn"]


def test_a_line_that_was_changed_by_hand_is_no_line(data: Data) -> None:
    killed = evening(data, 5)
    for file in killed.files("race"):
        file.write_bytes(file.read_bytes().replace(b'"n":3,"by":"phone"', b'"n":3,"by":"ghost"'))
    assert numbers(killed.opened().lines("race")) == [0, 1, 2]


def test_lines_of_another_log_are_none_of_this_one(data: Data) -> None:
    journal = data.opened()
    for race in ("one", "two"):
        journal.append(race, header(race))
    killed = data.killed()
    for folder in ("journal", "copy"):
        killed.file("one", folder).write_bytes(killed.file("two", folder).read_bytes())
    assert [race.id for race in killed.opened().races()] == ["two"]
    assert killed.keys == ["race-lost"]


def test_a_copy_of_a_journal_that_went_on_elsewhere_is_put_aside(data: Data) -> None:
    killed = evening(data, 10)
    other = data.killed()
    journal = other.opened()
    journal.append("race", {"n": 99})
    killed = evening(Data(data.folder.with_name("another")), 12)
    killed.file("race", "copy").write_bytes(other.file("race", "copy").read_bytes())
    lines = killed.opened().lines("race")
    assert numbers(lines) == list(range(12))
    assert "answers-missing" not in killed.keys


def test_every_line_of_a_file_is_read_with_an_editor(data: Data) -> None:
    killed = evening(data, 3)
    first, *lines = killed.file("race", "copy").read_text().splitlines()
    assert first.startswith("companion journal 3 race ")
    assert [json.loads(line.split(" ", 5)[5]).get("n") for line in lines] == [None, 0, 1, 2]
