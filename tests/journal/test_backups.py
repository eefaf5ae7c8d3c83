"""Backups: made while a table runs, checked, restored with what was there kept; and the stick."""

from __future__ import annotations

import json
import sqlite3
import tarfile
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from support.tables.journals import Data, evening, header, numbers

from companion.journal.backups import SUMS, Stick, follow, make_backup, newest_backup, restore
from companion.journal.journal import open_journal
from companion.table.ports import StorageError

DATE = "20261122-210405"


@pytest.fixture
def played(data: Data) -> Data:
    """A folder with a race under way, a record and a league."""
    evening(data, 20)
    (data.folder / "records").mkdir()
    (data.folder / "records" / "r.jsonl").write_text("{}\n")
    (data.folder / "lock").write_text("")
    with sqlite3.connect(data.folder / "league.db") as db:
        db.execute("CREATE TABLE driver (name)")
        db.execute("INSERT INTO driver VALUES ('Ana')")
    return data


def test_a_backup_of_a_running_table_has_everything_and_is_for_its_owner_alone(
    played: Data, tmp_path: Path
) -> None:
    path = make_backup(played.folder, tmp_path / "stick", DATE)
    assert path.name == f"companion-{DATE}.tar.gz"
    assert path.stat().st_mode & 0o77 == 0
    with tarfile.open(path) as tar:
        names = set(tar.getnames())
    assert {"records/r.jsonl", "league.db", "journal/table.log", "copy/table.log"} <= names
    assert "lock" not in names
    assert make_backup(played.folder, tmp_path / "stick", DATE).name == f"companion-{DATE}-2.tar.gz"


def test_what_is_restored_is_what_was_kept_and_what_was_there_lies_beside_it(
    played: Data, tmp_path: Path
) -> None:
    path = make_backup(played.folder, played.folder / "backups", DATE)
    played.close()
    journal = played.opened()
    journal.append("race", {"n": 99})
    played.close()
    before = restore(newest_backup(played.folder / "backups"), played.folder, DATE)
    assert numbers(played.opened().lines("race")) == list(range(20))
    assert played.told == []
    assert before is not None
    assert (before / "records" / "r.jsonl").exists()
    with open_journal(before, print) as kept:
        assert numbers(kept.lines("race"))[-1] == 99
    assert path.exists()
    with sqlite3.connect(played.folder / "league.db") as db:
        assert db.execute("SELECT name FROM driver").fetchall() == [("Ana",)]
    again = restore(path, played.folder, DATE)
    assert again is not None
    assert again != before


@pytest.mark.faults("a backup: damaged, cut or of another program")
@pytest.mark.parametrize("place", [20, 300, -200, -40])
def test_a_damaged_backup_is_refused_and_changes_nothing(played: Data, place: int) -> None:
    path = make_backup(played.folder, played.folder / "backups", DATE)
    content = bytearray(path.read_bytes())
    content[place] ^= 0x10
    path.write_bytes(content)
    before = sorted(played.folder.iterdir())
    with pytest.raises(StorageError, match=r"backup"):
        restore(path, played.folder, DATE)
    assert sorted(played.folder.iterdir()) == before


@pytest.mark.faults("a backup: damaged, cut or of another program")
def test_a_file_that_is_no_backup_is_refused(played: Data, tmp_path: Path) -> None:
    (tmp_path / "x.tar.gz").write_bytes(b"no archive")
    with pytest.raises(StorageError, match="no backup that can be read"):
        restore(tmp_path / "x.tar.gz", played.folder, DATE)
    with tarfile.open(tmp_path / "y.tar.gz", "w:gz") as tar:
        tar.add(tmp_path / "x.tar.gz", arcname="../../x")
    with pytest.raises(StorageError, match="no backup that can be read"):
        restore(tmp_path / "y.tar.gz", played.folder, DATE)


def test_a_backup_with_a_file_that_lies_outside_is_refused(played: Data, tmp_path: Path) -> None:
    """Its sums are right: it was made by somebody who means it."""
    content = b"mine"
    sums = json.dumps({"../outside": sha256(content).hexdigest()}).encode()
    with tarfile.open(tmp_path / "z.tar.gz", "w:gz") as tar:
        for name, told in (("../outside", content), (SUMS, sums)):
            member = tarfile.TarInfo(name)
            member.size = len(told)
            tar.addfile(member, BytesIO(told))
    before = sorted(played.folder.iterdir())
    with pytest.raises(StorageError, match="damaged"):
        restore(tmp_path / "z.tar.gz", played.folder, DATE)
    assert sorted(played.folder.iterdir()) == before


def test_a_folder_without_a_backup_says_so(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="has no backup"):
        newest_backup(tmp_path)


# -- the stick ---------------------------------------------------------------------------------


def test_a_stick_has_what_the_copy_has_got_since(data: Data, tmp_path: Path) -> None:
    journal = data.opened()
    journal.append("race", header("race"))
    copy, stick = data.folder / "copy", tmp_path / "stick"
    for n in range(3):
        journal.append("race", {"n": n})
        follow(copy, stick)
        assert (stick / "000001-race.log").read_bytes() == data.file("race", "copy").read_bytes()


@pytest.mark.faults("the disk is gone: a new one, and the stick of the old one")
def test_a_new_disk_takes_the_races_from_the_stick(data: Data, tmp_path: Path) -> None:
    killed = evening(data, 20)
    stick = tmp_path / "stick"
    stick.mkdir()
    follow(killed.folder / "copy", stick / "copy")
    with open_journal(tmp_path / "fresh", lambda trouble: None, stick) as journal:
        assert numbers(journal.lines("race")) == list(range(20))
        assert journal.lines("table") == [{"boot": 1}]


@pytest.mark.faults("the journal: both of its files damaged in the same place")
def test_what_both_files_have_lost_comes_from_the_stick(data: Data, tmp_path: Path) -> None:
    killed = evening(data, 20)
    stick = tmp_path / "stick"
    stick.mkdir()
    follow(killed.folder / "copy", stick / "copy")
    for file in killed.files("race"):
        file.write_bytes(file.read_bytes().replace(b'"n":7,', b'"n":8,'))
    with open_journal(killed.folder, killed.told.append, stick) as journal:
        assert numbers(journal.lines("race")) == list(range(20))
    assert killed.keys == ["answers-healed"]


@pytest.mark.faults("the stick: plugged in, pulled out, full")
def test_a_stick_that_is_plugged_in_gets_a_backup_and_one_that_is_pulled_out_stops_nobody(
    played: Data, tmp_path: Path
) -> None:
    folder, said = tmp_path / "stick", list[str]()
    with Stick(folder, played.folder, said.append, lambda: DATE) as stick:
        stick.look()
        assert not folder.exists()  # what is not there is not made
        folder.mkdir()
        stick.look()
        assert [one.name for one in folder.glob("*.gz")] == [f"companion-{DATE}.tar.gz"]
        assert (folder / "copy" / "table.log").exists()
        (folder / "copy").rename(folder / "away")
        (folder / "copy").write_text("in the way")
        stick.look()
        stick.look()
        assert len(said) == 1
        assert "stick" in said[0]
        assert len(list(folder.glob("*.gz"))) == 1  # plugged in once


def test_a_race_that_was_restored_away_does_not_come_back_from_the_stick(
    data: Data, tmp_path: Path
) -> None:
    evening(data, 20)
    stick = tmp_path / "stick"
    stick.mkdir()
    path = make_backup(data.folder, stick, DATE)
    journal = data.opened()
    journal.append("race", {"n": 20})
    journal.append("later", header("later"))
    follow(data.folder / "copy", stick / "copy")
    data.close()
    restore(path, data.folder, DATE)
    told: list[object] = []
    with open_journal(data.folder, told.append, stick) as journal:
        assert [race.id for race in journal.races()] == ["race"]
        assert numbers(journal.lines("race")) == list(range(20))
    assert told == []


def test_a_stick_that_was_away_while_another_race_was_restored_has_what_there_is(
    data: Data, tmp_path: Path
) -> None:
    """Its file is the shorter one, and no beginning of what the table has now."""
    stick = tmp_path / "stick"
    evening(data, 20)
    path = make_backup(data.folder, tmp_path / "away", DATE)
    journal = data.opened()
    for n in range(100, 103):
        journal.append("race", {"n": n})
    follow(data.folder / "copy", stick)
    data.close()
    restore(path, data.folder, DATE)
    journal = data.opened()
    for n in range(200, 210):
        journal.append("race", {"n": n})
    follow(data.folder / "copy", stick)
    (kept,) = stick.glob("*race.log")
    assert kept.read_bytes() == data.file("race", "copy").read_bytes()
