"""The journal keeps what it acknowledged, and says clearly when it cannot."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from pathlib import Path

import pytest

from companion.journal import SqliteJournal
from companion.journal.sqlite import FORMAT, WAL_BYTES
from companion.table.ports import StorageError


def header(race: str) -> dict[str, object]:
    return {"record": 1, "id": race, "name": f"Race {race}"}


def test_lines_come_back_in_the_order_in_which_they_were_written(journal: SqliteJournal) -> None:
    numbers = [journal.append("a", {"n": n, "word": "Noghès"}) for n in range(5)]
    assert numbers == [1, 2, 3, 4, 5]
    assert [line["n"] for line in journal.lines("a")] == [0, 1, 2, 3, 4]
    assert journal.lines("a")[0]["word"] == "Noghès"


def test_several_lines_of_one_commit_are_numbered_in_a_row(journal: SqliteJournal) -> None:
    journal.append("a", {"n": 0})
    assert journal.append("a", {"n": 1}, {"n": 2}) == 3


def test_a_race_that_nobody_began_has_no_lines(journal: SqliteJournal) -> None:
    assert journal.lines("nobody") == []


def test_several_races_live_in_one_file_and_stay_apart(path: Path) -> None:
    with SqliteJournal(path) as journal:
        journal.append("table", {"boot": 1})
        for race in ("a", "b"):
            journal.append(race, header(race))
        journal.append("a", {"seat": 1, "gear": 1})
        journal.append("b", {"result": []})
    with SqliteJournal(path) as journal:
        assert [(race.id, race.is_finished) for race in journal.races()] == [
            ("b", True),
            ("a", False),
        ]
        assert journal.races()[0].name == "Race b"
        assert journal.lines("a")[1:] == [{"seat": 1, "gear": 1}]
        assert journal.append("a", {"seat": 1, "roll": 2}) == 3


def test_only_its_owner_reads_the_journal(path: Path, journal: SqliteJournal) -> None:
    journal.append("access", {"pin": "12345678"})
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_a_journal_that_others_could_read_is_closed_to_them(path: Path) -> None:
    SqliteJournal(path).close()
    path.chmod(0o644)
    SqliteJournal(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_was_written_cannot_be_changed(path: Path, journal: SqliteJournal) -> None:
    journal.append("a", {"n": 1})
    other = sqlite3.connect(path)
    for statement in ("UPDATE line SET text = '{}'", "DELETE FROM line"):
        with pytest.raises(sqlite3.IntegrityError, match="append only"):
            other.execute(statement)
    other.close()


def test_a_copy_taken_at_any_moment_opens_with_all_that_was_written(
    path: Path, tmp_path: Path
) -> None:
    with SqliteJournal(path) as journal:
        for n in range(1, 60):
            journal.append("a", {"n": n})
            copy = tmp_path / f"copy{n}"
            copy.mkdir()
            for file in (path, Path(f"{path}-wal")):
                shutil.copy(file, copy)
            with SqliteJournal(copy / path.name) as copied:
                assert len(copied.lines("a")) == n


def test_a_torn_last_write_loses_only_the_line_that_nobody_was_told_of(path: Path) -> None:
    journal = SqliteJournal(path)
    journal.append("a", {"n": 1})
    whole = Path(f"{path}-wal").read_bytes()
    journal.append("a", {"n": 2})
    torn = bytearray(Path(f"{path}-wal").read_bytes())
    place = next(at for at, (old, new) in enumerate(zip(whole, torn, strict=True)) if old != new)
    torn[place + 40] ^= 0xFF
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    Path(f"{copy}-wal").write_bytes(torn)
    journal.close()
    with SqliteJournal(copy) as opened:
        assert opened.lines("a") == [{"n": 1}]


def test_the_log_is_as_long_as_it_will_get_before_the_first_answer(path: Path) -> None:
    with SqliteJournal(path) as journal:
        for n in range(300):
            journal.append("a", {"n": n, "text": "x" * 100})
        assert Path(f"{path}-wal").stat().st_size == WAL_BYTES


def test_a_log_longer_than_foreseen_goes_on_growing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.journal.sqlite.WAL_BYTES", 4096)
    with SqliteJournal(path) as journal:
        for n in range(50):
            journal.append("a", {"n": n})
        assert Path(f"{path}-wal").stat().st_size > 4096
        assert len(journal.lines("a")) == 50


def test_a_damaged_file_is_told_in_a_sentence(path: Path) -> None:
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(StorageError, match=r"is damaged .* put it aside or restore a copy"):
        SqliteJournal(path)


def test_a_file_with_a_torn_page_is_told_in_a_sentence(path: Path) -> None:
    with SqliteJournal(path) as journal:
        for n in range(200):
            journal.append("a", {"n": n, "text": "x" * 100})
    pages = bytearray(path.read_bytes())
    pages[8 * 1024 : 9 * 1024] = b"\xff" * 1024
    path.write_bytes(pages)
    with pytest.raises(StorageError, match="is damaged"):
        SqliteJournal(path)


def test_a_file_of_a_newer_companion_is_told_in_a_sentence(path: Path) -> None:
    SqliteJournal(path).close()
    other = sqlite3.connect(path)
    other.execute(f"PRAGMA user_version = {FORMAT + 1}")
    other.close()
    with pytest.raises(StorageError, match=r"newer companion .* update the companion"):
        SqliteJournal(path)


def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipe (name)")
    other.close()
    with pytest.raises(StorageError, match="not a journal of the companion"):
        SqliteJournal(path)


def test_a_folder_in_its_place_is_told_in_a_sentence(path: Path) -> None:
    path.mkdir()
    with pytest.raises(StorageError, match="cannot be used"):
        SqliteJournal(path)


def test_closing_twice_is_no_fault_and_a_closed_journal_says_so(path: Path) -> None:
    journal = SqliteJournal(path)
    journal.close()
    journal.close()
    with pytest.raises(StorageError, match="is closed"):
        journal.append("a", {})


def test_a_commit_that_fails_leaves_nothing_and_the_next_one_goes_on(
    path: Path, journal: SqliteJournal
) -> None:
    journal.append("a", {"n": 1})
    other = sqlite3.connect(path, isolation_level=None)
    other.execute(
        "CREATE TRIGGER full BEFORE INSERT ON line BEGIN SELECT RAISE(ABORT, 'full'); END"
    )
    with pytest.raises(StorageError):
        journal.append("b", {"n": 1}, {"n": 2})
    other.execute("DROP TRIGGER full")
    other.close()
    assert journal.lines("b") == []
    assert journal.append("b", {"n": 3}) == 1
    assert journal.append("a", {"n": 2}) == 2
