"""Folders of data of every version of the companion, as its own program has left them.

`tests/corpus/journals/` has a folder a file, packed; `expected.json` in it are the lines of
all its logs as that version read them.
"""

from __future__ import annotations

import json
import sqlite3
import tarfile
from pathlib import Path
from typing import Any

import pytest
from support.tables.journals import Data
from support.tables.process import Companion

from companion.journal import version_1
from companion.journal.version_1 import OLD_FORMAT
from companion.record import read_record, replay
from companion.table.ports import StorageError

CORPUS = sorted((Path(__file__).parents[1] / "corpus" / "journals").glob("*.tar.xz"))
OLD = pytest.mark.parametrize("packed", CORPUS, ids=lambda path: path.name)


def unpacked(packed: Path, folder: Path) -> tuple[Data, dict[str, Any]]:
    with tarfile.open(packed) as tar:
        # Debian 12's Python has no filters, later ones want one named.
        tar.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    expected = folder / "expected.json"
    lines = json.loads(expected.read_text())
    expected.unlink()
    return Data(folder), lines


def test_there_is_a_corpus_of_every_version() -> None:
    assert [path.name.partition("-")[0] for path in CORPUS] == ["0.1.0", "0.1.0"]


@OLD
def test_a_journal_of_an_older_version_has_all_its_lines_and_its_files_are_kept(
    packed: Path, tmp_path: Path
) -> None:
    data, expected = unpacked(packed, tmp_path / "data")
    before = (data.folder / "journal.db").stat().st_ino
    journal = data.opened()
    assert data.told == []
    assert {log: journal.lines(log) for log in expected} == expected
    begun = [log for log, lines in expected.items() if "record" in lines[0]]
    assert [race.id for race in journal.races()] == begun[::-1]
    assert not (data.folder / "journal.db").exists()
    assert (data.folder / "journal-0.1.0.db").stat().st_ino == before
    journal.close()
    again = data.opened()
    assert {log: again.lines(log) for log in expected} == expected


@pytest.mark.slow
@OLD
def test_a_table_of_an_older_version_goes_on_where_it_stood(packed: Path, tmp_path: Path) -> None:
    data, expected = unpacked(packed, tmp_path / "data")
    open_race = next(line["open"] for line in reversed(expected["table"]) if "open" in line)
    with Companion(data.folder) as companion:
        table = companion.client().get("/api/table")
        assert companion.pin == expected["access"][-1]["pin"]
    assert table["id"] == open_race
    assert len(table["waiting"]) == 2
    assert table["disk"] is None
    assert table["asks"]


@OLD
def test_a_record_of_an_older_version_replays(packed: Path, tmp_path: Path) -> None:
    data, _ = unpacked(packed, tmp_path / "data")
    (record,) = (data.folder / "records").iterdir()
    lines = read_record(record)
    state = replay(lines).state()
    assert state is not None
    assert state["classification"] == lines[-1]["result"]


def test_a_move_that_was_ended_by_the_plug_goes_on_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, expected = unpacked(CORPUS[0], tmp_path / "data")
    written: list[Path] = []

    def pulled(path: Path, content: bytes) -> None:
        if len(written) == 2:
            raise OSError(5, "the plug")
        written.append(path)
        path.write_bytes(content)

    monkeypatch.setattr(version_1, "write_whole", pulled)
    with pytest.raises(StorageError):
        data.opened()
    monkeypatch.undo()
    journal = data.opened()
    assert {log: journal.lines(log) for log in expected} == expected


def test_what_can_be_read_of_a_damaged_old_journal_is_taken_and_the_rest_is_told(
    tmp_path: Path,
) -> None:
    data, expected = unpacked(CORPUS[0], tmp_path / "data")
    old = data.folder / "journal.db"
    race = next(log for log, lines in expected.items() if len(lines) > 100)
    with sqlite3.connect(old) as db:
        db.execute("DROP TRIGGER line_stays")
        query = "UPDATE line SET text = '{\"at' WHERE number = 50 AND log = "
        db.execute(f"{query} (SELECT key FROM log WHERE name = ?)", (race,))
    journal = data.opened()
    assert journal.lines(race) == expected[race][:49]
    assert data.keys == ["old-damaged"]
    others = expected.keys() - {race}
    assert {log: journal.lines(log) for log in others} == {log: expected[log] for log in others}


def test_an_old_journal_that_is_no_database_is_told_and_kept(data: Data) -> None:
    (data.folder / "journal.db").write_bytes(b"no database" * 100)
    assert data.opened().races() == []
    assert data.keys == ["old-damaged"]
    assert "journal" in str(data.told[0])
    assert (data.folder / "journal-0.1.0.db").exists()


def test_a_database_of_another_program_is_left_alone(data: Data) -> None:
    other = sqlite3.connect(data.folder / "journal.db")
    other.execute("CREATE TABLE recipe (name)")
    other.close()
    with pytest.raises(StorageError, match="not a journal of the companion"):
        data.opened()
    assert (data.folder / "journal.db").exists()


def test_a_database_of_a_newer_companion_is_left_alone(tmp_path: Path) -> None:
    data, _ = unpacked(CORPUS[0], tmp_path / "data")
    other = sqlite3.connect(data.folder / "journal.db")
    other.execute(f"PRAGMA user_version = {OLD_FORMAT + 1}")
    other.close()
    with pytest.raises(StorageError, match=r"newer companion .* update the companion"):
        data.opened()
